"""A whole site is used while its processes, servers and disks fail; afterwards everything must be right.

    python -m tests.chaos --minutes 10 --seed 1

docs/chaos.md tells what it needs, how to read its table, and how to add a fault. Ends with status 1 where a promise was
not kept; logs, journals and a copy of the database then stay in a folder.
"""

import argparse
import importlib
import json
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.chaos import faults  # noqa: F401 - it enters them
from tests.chaos.client import Crowd, Journal
from tests.chaos.planning import carry_out, plan
from tests.chaos.site import running

STORAGES = ("folder", "s3")


def main() -> int:
    given = _parser().parse_args()
    for module in given.also:
        importlib.import_module(module)
    seed = given.seed or random.SystemRandom().randrange(1, 10**6)
    storages = STORAGES if given.storage == "both" else (given.storage,)
    kept = given.keep or Path(tempfile.mkdtemp(prefix="chaos-"))
    kept.mkdir(parents=True, exist_ok=True)
    kept.chmod(0o711)  # PostgreSQL's own user has to find its folder
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # with all that was started
    outcomes = [_run(kept / storage, storage, given, given.minutes / len(storages), seed) for storage in storages]
    if all(outcomes) and not given.keep:
        shutil.rmtree(kept)
    else:
        print(f"Logs and journals: {kept}")
    return 0 if all(outcomes) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--minutes", type=float, default=10, help="of faults, of all storages together")
    add("--seed", type=int, help="of the faults and of what people do; another one each time where it is not given")
    add("--storage", choices=(*STORAGES, "both"), default="both", help="one after the other, or one alone")
    add("--rate", type=float, default=1, help="uploads a second")
    add("--gap", type=float, default=7, help="seconds between two faults, on average")
    add("--only", action="append", default=[], help="faults whose names have these words; several times")
    add("--also", action="append", default=[], metavar="MODULE", help="with faults of your own; several times")
    add("--keep", type=Path, help="folder for logs and journals, kept in any case")
    return parser


def _run(folder: Path, storage: str, given: argparse.Namespace, minutes: float, seed: int) -> bool:
    """Tell whether the site kept its promises."""
    began = time.monotonic()

    def say(words: str) -> None:
        print(f"{time.monotonic() - began:6.0f} s  {words}", flush=True)

    print(f"== Storage: {storage}; seed {seed}; {minutes:g} minutes", flush=True)
    with running(folder, storage, minutes, seed) as site:
        say("the site is ready")
        with Crowd(folder, site.port, given.rate, seed) as crowd:
            planned = plan(storage, 60 * minutes, given.gap, seed, given.only)
            carry_out(planned, site, Journal(folder / "faults.jsonl"), say)
            say("the last fault is over")
        crowd.log_in_all()
        site.run_inside("checks", str(folder))
        site.save_database()
    return _print_table(json.loads((folder / "report.json").read_text()))


def _print_table(rows: list[dict[str, Any]]) -> bool:
    for row in rows:
        limit = "" if row["limit"] is None else f"{row['limit']:g}"
        print(f"{'' if row['is_kept'] else 'NO':<4}{row['what']:<76}{row['found']:>8g}{limit:>8}")
    broken = [row for row in rows if not row["is_kept"]]
    for row in broken:
        print("\n    ".join([f"\n{row['what']}: {row['found']:g}", *row["evidence"]]))
    return not broken


if __name__ == "__main__":
    sys.exit(main())
