"""A whole site is used while its processes, servers, disks and clocks fail; afterwards everything must be right.

    python -m tests.chaos --minutes 10 --seed 1

docs/chaos.md tells what it needs, how to read its table, and how to add a fault. Ends with status 1 where a promise was
not kept; logs, journals and a copy of the database then stay in a folder.
"""

import argparse
import json
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.chaos.client import Crowd, Journal, log_in_all
from tests.chaos.faults import clocks, machines, organisers, processes, servers  # noqa: F401 - they enter their faults
from tests.chaos.injecting import Injector, plan
from tests.chaos.site import running

STORAGES = ("folder", "s3")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10, help="of faults, of all storages together")
    parser.add_argument(
        "--seed", type=int, default=0, help="of the faults and of what people do; 0 for another each time"
    )
    parser.add_argument(
        "--storage", choices=(*STORAGES, "both"), default="both", help="one after the other, or one alone"
    )
    parser.add_argument("--rate", type=float, default=1, help="uploads a second")
    parser.add_argument("--gap", type=float, default=7, help="seconds between two faults, on average")
    parser.add_argument(
        "--only", action="append", default=[], help="faults whose names have these words, and no others; several times"
    )
    parser.add_argument("--keep", type=Path, help="folder for logs and journals, kept in any case")
    given = parser.parse_args()
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
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(f"Processor time: {sum(each.ru_utime + each.ru_stime for each in used):.0f} s")
    return 0 if all(outcomes) else 1


def _run(folder: Path, storage: str, given: argparse.Namespace, minutes: float, seed: int) -> bool:
    """Whether the site kept its promises."""
    began = time.monotonic()

    def say(words: str) -> None:
        print(f"{time.monotonic() - began:6.0f} s  {words}", flush=True)

    print(f"== Storage: {storage}; seed {seed}; {minutes:g} minutes", flush=True)
    with running(folder, storage, minutes, seed) as site:
        say("the site is ready")
        with Crowd(folder, site.port, given.rate, seed) as crowd:
            planned = plan(storage, 60 * minutes, given.gap, seed, given.only)
            Injector(site, Journal(folder / "faults.jsonl")).run(planned, say)
            say("the last fault is over")
            crowd.stop()
        (folder / "log-ins.json").write_text(json.dumps(log_in_all(crowd)))
        site.run_inside("checks", str(folder))
        site.save_database()
        unasked = {name: len(each.unasked) for name, each in site.programs.items() if each.unasked}
    say(f"programs that ended by themselves: {unasked or 'none'}")
    return _print_table(json.loads((folder / "report.json").read_text()))


def _print_table(rows: list[dict[str, Any]]) -> bool:
    for row in rows:
        limit = "" if row["limit"] is None else f"{row['limit']:g}"
        print(f"{'' if row['is_kept'] else 'NO':<4}{row['what']:<76}{row['found']:>8g}{limit:>8}")
    for row in rows:
        if not row["is_kept"]:
            print(f"\n{row['what']}: {row['found']:g}")
            print("".join(f"    {line}\n" for line in row["evidence"]), end="")
    return all(row["is_kept"] for row in rows)


if __name__ == "__main__":
    sys.exit(main())
