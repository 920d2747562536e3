"""Measures the evaluation of span annotations (mat) against parsing the same bytes, and against plain Python."""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from subprocess import run
from typing import Any

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.mat_data import LABELS  # noqa: E402
from benchmarks.processes import ROOT, Cost, Target, measure, mebibytes, seconds, status_of  # noqa: E402

CONTENT = ",".join(LABELS)
PLAIN = ("tests/scoring/plain/mat.py", "--content", CONTENT, "--resamples", "1000")
TABLES = ("--by_token", "--details", "--compute_confidence_data")
COMMAND = ("-m", "scoring", "mat", "--content_annotations", CONTENT, *TABLES)

# These two print the CPU seconds of their work alone, without Python's start and the imports.
PARSE = """
import sys, time, orjson
from pathlib import Path
contents = [path.read_bytes() for folder in sys.argv[1:] for path in Path(folder).iterdir()]
began = time.process_time()
for content in contents:
    orjson.loads(content)
print(orjson.dumps({"seconds": time.process_time() - began}).decode())
"""
EVALUATE = """
import sys, time, orjson, scoring
gold, system, content, pairing, n_resamples = sys.argv[1:]
scoring.FAMILIES["mat"]
began = time.process_time()
result = scoring.evaluate("mat", gold=gold, system=system, n_resamples=int(n_resamples),
                          options={"content_annotations": content, "pairing": pairing})
result.tables
took = time.process_time() - began
print(orjson.dumps({"seconds": took, "scores": result.scores}).decode())
"""


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=1000, help="of the small set; the large one has twice as many")
    parser.add_argument("--spans", type=int, default=10_000, help="of the small document whose spans overlap")
    parser.add_argument("--runs", type=int, default=3, help="of each process; the median counts")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        targets = [
            *_documents(Path(folder), arguments.documents, arguments.runs),
            *_overlaps(Path(folder), arguments.spans, arguments.runs),
        ]
    return status_of(targets)


def _documents(folder: Path, documents: int, runs: int) -> list[Target]:
    small, large = folder / "small", folder / "large"
    _write(small, "--documents", documents)
    _write(large, "--documents", 2 * documents)
    size = sum(os.path.getsize(path) for path in small.rglob("*.json")) / 2**20
    print(f"{documents:,} documents, {size:.1f} MiB on both sides; 1,000 resamples")
    gold, system = _sides(small)
    programs = {
        "the same bytes parsed by orjson": ("-c", PARSE, gold, system),
        "plain Python": (*PLAIN, gold, system),
        "evaluate, with all tables": _evaluation(small),
        "evaluate, twice as many documents": _evaluation(large),
        "command, CSV files": (*COMMAND, "--csv_output_dir", str(folder), "--dir", system, "--ref_dir", gold),
    }
    parsed, plain, ours, twice, *_ = measure(programs, runs)
    _require_equal(_printed(plain[0]), _printed(ours[0])["scores"])
    return [
        Target("evaluate / parsing, CPU of the work", _work(ours) / _work(parsed), "at most", 4),
        Target("twice the documents, growth of CPU", _work(twice) / _work(ours), "at most", 2.2),
        Target("plain Python / evaluate, CPU", seconds(plain) / seconds(ours), "at least", 3),
        Target("evaluate / plain Python, memory", mebibytes(ours) / mebibytes(plain), "at most", 1.6),
    ]


def _overlaps(folder: Path, spans: int, runs: int) -> list[Target]:
    print(f"\nOne document in which {spans:,}, or twice as many, spans overlap their neighbours")
    few, many = folder / "few", folder / "many"
    _write(few, "--overlapping", spans)
    _write(many, "--overlapping", 2 * spans)
    targets = []
    for pairing in ("1.2", "2.x"):
        programs = {
            f"evaluate, pairing {pairing}": _evaluation(few, pairing, 0),
            f"evaluate, pairing {pairing}, twice as many spans": _evaluation(many, pairing, 0),
        }
        once, twice = measure(programs, runs)
        targets.append(
            Target(f"pairing {pairing}: twice the spans, growth of CPU", _work(twice) / _work(once), "at most", 2.2)
        )
    return targets


def _write(folder: Path, *shape: object) -> None:
    # In a process of its own: a child's peak of memory counts that of its parent before it.
    run([sys.executable, "benchmarks/mat_data.py", folder, *map(str, shape)], cwd=ROOT, check=True)


def _sides(folder: Path) -> tuple[str, str]:
    return str(folder / "gold"), str(folder / "system")


def _evaluation(folder: Path, pairing: str = "1.2", n_resamples: int = 1000) -> Sequence[str]:
    return "-c", EVALUATE, *_sides(folder), CONTENT, pairing, str(n_resamples)


def _work(costs: Iterable[Cost]) -> float:
    return median(_printed(cost)["seconds"] for cost in costs)


def _printed(cost: Cost) -> dict[str, Any]:
    return orjson.loads(cost.output)


def _require_equal(plain: dict[str, float], ours: dict[str, float]) -> None:
    for name, value in plain.items():
        if abs(value - ours[name]) > 1e-9:
            raise SystemExit(f"{name}: plain Python finds {value}, evaluate {ours[name]}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
