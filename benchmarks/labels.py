"""Measures the family labels: a million rows beside pandas and scikit-learn, resamples beside their draws, memory.

Each measurement is a process of its own, so that peaks of memory do not mix; ratios are of CPU seconds in one run.
"""

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import scoring  # noqa: E402
from scoring.significance.draws import weights  # noqa: E402

MILLION = 1_000_000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alone", nargs=2, metavar=("WHAT", "FOLDER"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.alone:
        what, folder = given.alone
        print(*_MEASURED[what](Path(folder)))
        return 0
    with TemporaryDirectory() as folder:
        return int(not all([*_million(Path(folder)), *_resamples(Path(folder))]))


def _million(folder: Path) -> list[bool]:
    write(folder / "million", MILLION, 10)
    write(folder / "double", 2 * MILLION, 10)
    write(folder / "quoted", MILLION, 10, quote='"')
    n_bytes = sum((folder / "million" / name).stat().st_size for name in ("gold.csv", "run.csv"))
    pandas, _ = alone("pandas", folder / "million")
    peers, _ = alone("scikit-learn", folder / "million")
    ours, peak = alone("evaluate", folder / "million")
    # Without what the system takes to give memory, which grows as it pleases where others want some too.
    once, _ = alone("user", folder / "million")
    double, _ = alone("user", folder / "double")
    quoted, _ = alone("evaluate", folder / "quoted")
    return [
        told("a million rows, all scores and tables: by pandas' reading of both", ours / pandas, 4),
        told("… by pandas and scikit-learn on strings", ours / peers, 1 / 6),
        told("… peak of memory by both files", peak / n_bytes, 12),
        told("… twice the rows, without the system's time", double / once, 2.2),
        told("… all fields in quotes", quoted / ours, 2),
    ]


def _resamples(folder: Path) -> list[bool]:
    write(folder / "ten", 10_000, 10)
    write(folder / "hundred", 100_000, 100)
    draws, _ = alone("draws", folder / "ten")
    ours, _ = alone("resamples", folder / "ten")
    _, peak = alone("hundred", folder / "hundred")
    return [
        told(
            "10,000 resamples of 10,000 rows, all scores and the table of labels: by the draws alone", ours / draws, 3
        ),
        told("100 labels x 100,000 rows x 1,000 resamples, in GiB", peak / 2**30, 1),
    ]


def write(folder: Path, n_rows: int, n_labels: int, quote: str = "") -> None:
    """A gold, and a run in another order of which a fifth is changed."""
    folder.mkdir()
    rng = np.random.default_rng(n_rows)
    gold = rng.integers(0, n_labels, n_rows)
    system = np.where(rng.random(n_rows) < 0.2, rng.integers(0, n_labels, n_rows), gold)
    for name, labels, order in (("gold.csv", gold, np.arange(n_rows)), ("run.csv", system, rng.permutation(n_rows))):
        rows = (f"{quote}item{row:07d}{quote},{quote}label{labels[row]}{quote}\n" for row in order.tolist())
        (folder / name).write_text("id,label\n" + "".join(rows), encoding="utf-8")


def alone(what: str, folder: Path) -> tuple[float, float]:
    """CPU seconds, and the peak of memory in bytes, of one measurement in a process of its own."""
    # What loads the peers has a program of its own, so that our memory is without theirs.
    program = __file__ if what in _MEASURED else __file__.replace("labels.py", "labels_peers.py")
    command = [sys.executable, program, "--alone", what, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    taken, peak = map(float, done.stdout.split())
    return taken, peak


def measured(work: Callable[[], object]) -> tuple[float, int]:
    start = time.process_time()
    work()
    return time.process_time() - start, 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _evaluate(folder: Path, n_resamples: int = 0) -> tuple[float, int]:
    scoring.FAMILIES["labels"]  # its modules are loaded before the clock runs
    files = {"gold": folder / "gold.csv", "system": folder / "run.csv"}
    return measured(lambda: scoring.evaluate("labels", **files, n_resamples=n_resamples).tables)


def _user(folder: Path) -> tuple[float, int]:
    """As `_evaluate`, but seconds in the program alone."""
    scoring.FAMILIES["labels"]
    start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    _, peak = _evaluate(folder)
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime - start, peak


def _draws(folder: Path) -> tuple[float, int]:
    return measured(lambda: [weights(7, 10_000, start, start + 6) for start in range(0, 10_000, 6)])


_MEASURED: dict[str, Callable[[Path], tuple[float, int]]] = {
    "evaluate": _evaluate,
    "user": _user,
    "draws": _draws,
    "resamples": lambda folder: _evaluate(folder, 10_000),
    "hundred": lambda folder: _evaluate(folder, 1_000),
}


def told(what: str, found: float, limit: float) -> bool:
    print(f"{what}: {found:.2f} (at most {limit:.2f})", flush=True)
    return found <= limit


if __name__ == "__main__":
    raise SystemExit(main())
