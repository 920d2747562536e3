"""Measures how long processes of the site take to start, beside another checkout if one is named.

    python benchmarks/start.py                           processor time of each start
    python benchmarks/start.py --beside ../evalsite-1.2  and ours through that of the other checkout, with its .venv
    python benchmarks/start.py --demo                    the demo with one task too, a first and a second start
    python benchmarks/start.py --tiny                    whether all of it runs, in seconds

Processor time is that of whole processes and of all that they wait for, loading included: the least and the median of
several runs, in which both checkouts take turns after one that stores bytecode, but for a single run. A server's start
includes that of the process which loads the engine beside it.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory

from inputs import INPUTS

ROOT = Path(__file__).resolve().parent.parent
STARTS: Mapping[str, Sequence[str]] = {
    "manage.py check": ["manage.py", "check"],
    "evalsite.wsgi": ["-c", "import evalsite.wsgi"],
    "evalsite.celery": ["-c", "import evalsite.celery, django; django.setup()"],
    "scoring --help": ["-m", "scoring", "--help"],
}
DEMO = ["manage.py", "demo", "--exit", "--port", "0", "--data-dir"]


def main() -> None:
    options = parse()
    checkouts = [ROOT, *([options.beside.resolve()] if options.beside else [])]
    print(f"{'start':24} {'least':>8} {'median':>8} {'ratio':>8} {'median':>8}")
    with TemporaryDirectory() as folder:
        for name, words in {**STARTS, **scorings(Path(folder))}.items():
            show(name, measured(checkouts, words, Path(folder), 1 if options.tiny else options.runs))
        if options.demo:
            for name in ("demo, first", "demo, second"):
                show(
                    name, [[seconds(path, [*DEMO, f"{folder}/{i}"], Path(folder))] for i, path in enumerate(checkouts)]
                )


def scorings(folder: Path) -> dict[str, list[str]]:
    """Return commands that score small files, with resamples and without."""
    commands = {}
    for family, n_units, n_resamples in (("ehealthkd", 100, 0), ("labels", 1000, 10_000)):
        gold, run = INPUTS[family](folder / family, n_units)
        sides = ["--gold", str(gold), "--system", str(run)]
        commands[f"scoring {family}"] = ["-m", "scoring", "evaluate", family, *sides, "--resamples", str(n_resamples)]
    return commands


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--beside", type=Path, help="another checkout, which has an environment of its own")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--demo", action="store_true")
    parser.add_argument("--tiny", action="store_true")
    return parser.parse_args()


def measured(checkouts: Sequence[Path], words: Sequence[str], folder: Path, n_runs: int) -> list[list[float]]:
    """Return the seconds of each run of each checkout; every other time the last one goes first."""
    times: list[list[float]] = [[] for _ in checkouts]
    pairs = list(zip(checkouts, times, strict=True))
    if n_runs > 1:
        for checkout in checkouts:
            seconds(checkout, words, folder)
    for number in range(n_runs):
        for checkout, of_checkout in pairs[:: -1 if number % 2 else 1]:
            of_checkout.append(seconds(checkout, words, folder))
    return times


def seconds(checkout: Path, words: Sequence[str], folder: Path) -> float:
    """Return the processor time of a process and of those that it waited for."""
    python = checkout / ".venv/bin/python"
    environ = {
        key: value for key, value in os.environ.items() if not key.startswith(("DJANGO_", "EVALSITE_", "PYTHON"))
    }
    environ |= {"EVALSITE_BOOTSTRAP": "0", "EVALSITE_DATA_DIR": str(folder / checkout.name)}
    environ["DJANGO_SETTINGS_MODULE"] = "evalsite.settings"
    before = used()
    command = [str(python if python.exists() else sys.executable), *words]
    subprocess.run(command, cwd=checkout, env=environ, stdout=subprocess.DEVNULL, check=True)
    return used() - before


def used() -> float:
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def show(name: str, times: Sequence[Sequence[float]]) -> None:
    ours, *others = times
    ratios = [f" {f(ours) / f(other):8.2f}" for other in others for f in (min, median)]
    print(f"{name:24} {min(ours):8.2f} {median(ours):8.2f}{''.join(ratios)}", flush=True)


if __name__ == "__main__":
    main()
