"""Measures the scorch command and the evaluation of coreference against the published scorch."""

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.coreference_data import write_set, write_shuffled  # noqa: E402
from benchmarks.processes import Cost, Target, measure, mebibytes, seconds, status_of  # noqa: E402

# The entry point of the published program; its progress bar is sent away.
SCORCH = """
import os, sys
sys.stderr = open(os.devnull, "w")
from scorch.main import main_entry_point
main_entry_point(sys.argv[1:])
"""
COMMAND = ("-m", "scoring", "scorch")

# These print the CPU seconds of their work alone, without Python's start and the imports.
READ = """
import sys, time, orjson
from pathlib import Path
contents = [path.read_bytes() for folder in sys.argv[1:] for path in Path(folder).iterdir()]
began = time.process_time()
sets = [[set(mentions) for mentions in orjson.loads(content)["clusters"].values()] for content in contents]
print(orjson.dumps({"seconds": time.process_time() - began}).decode())
"""
EVALUATE = """
import sys, time, orjson, scoring
gold, system, n_resamples = sys.argv[1:]
scoring.FAMILIES["coreference"]
began = time.process_time()
result = scoring.evaluate("coreference", gold=gold, system=system, n_resamples=int(n_resamples))
print(orjson.dumps({"seconds": time.process_time() - began, "scores": result.scores}).decode())
"""


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="of each process; the median counts")
    runs = parser.parse_args(argv).runs
    with tempfile.TemporaryDirectory() as folder:
        targets = chain.from_iterable(
            part(Path(folder) / part.__name__, runs) for part in (_documents, _document, _growth, _component)
        )
        return status_of(list(targets))


def _documents(folder: Path, runs: int) -> list[Target]:
    print("350 documents of 100 mentions")
    sides = write_set(folder, 350, 100)
    scorch, command, evaluation = measure(
        {
            "scorch": ("-c", SCORCH, *sides),
            "command": (*COMMAND, *sides),
            "evaluation with 10,000 resamples": ("-c", EVALUATE, *sides, "10000"),
        },
        runs,
    )
    _check_same(scorch, command)
    return [
        Target("scorch / command, CPU", seconds(scorch) / seconds(command), "at least", 4),
        Target("evaluation with intervals, CPU seconds", _own_seconds(evaluation), "at most", 2),
    ]


def _document(folder: Path, runs: int) -> list[Target]:
    print("\nOne document of 10,000 mentions")
    sides = write_set(folder, 1, 10_000)
    scorch, command = measure({"scorch": ("-c", SCORCH, *sides), "command": (*COMMAND, *sides)}, runs)
    _check_same(scorch, command)
    return [
        Target("scorch / command, one document, CPU", seconds(scorch) / seconds(command), "at least", 30),
        Target("command / scorch, one document, memory", mebibytes(command) / mebibytes(scorch), "at most", 0.5),
    ]


def _growth(folder: Path, runs: int) -> list[Target]:
    print("\nOne document of 100,000 mentions, which scorch cannot hold")
    small, large = write_set(folder / "small", 1, 10_000), write_set(folder / "large", 1, 100_000)
    read_tenth, read, tenth, whole = measure(
        {
            "10,000 read by orjson, and sets built": ("-c", READ, *small),
            "100,000 read by orjson, and sets built": ("-c", READ, *large),
            "evaluation, 10,000 mentions": ("-c", EVALUATE, *small, "0"),
            "evaluation, 100,000 mentions": ("-c", EVALUATE, *large, "0"),
        },
        runs,
    )
    limit = max(2.0, 2.5 * _own_seconds(read))
    growth, growth_of_reading = _own_seconds(whole) / _own_seconds(tenth), _own_seconds(read) / _own_seconds(read_tenth)
    print(
        f"  From 10,000 to 100,000 mentions the evaluation grows {growth:.1f} times, reading {growth_of_reading:.1f}."
    )
    return [
        Target("evaluation of 100,000 mentions, CPU seconds", _own_seconds(whole), "at most", limit),
        Target("evaluation of 100,000 mentions, MiB", mebibytes(whole), "at most", 400),
        Target("growth of the evaluation / growth of reading", growth / growth_of_reading, "at most", 1.2),
    ]


def _component(folder: Path, runs: int) -> list[Target]:
    print("\n100,000 mentions in 25,000 entities, dealt out at random: one component over everything")
    sides = write_shuffled(folder, 100_000, 4)
    (evaluation,) = measure({"evaluation": ("-c", EVALUATE, *sides, "0")}, runs)
    return [Target("evaluation of one component, MiB", mebibytes(evaluation), "at most", 500)]


def _own_seconds(costs: Sequence[Cost]) -> float:
    """What the program itself has measured, without Python's start and the imports: the least disturbed run."""
    return min(float(json.loads(cost.output)["seconds"]) for cost in costs)


def _check_same(scorch: Sequence[Cost], command: Sequence[Cost]) -> None:
    numbers = [list(map(float, re.findall(rb"[0-9.]+(?=[\t\n])", costs[0].output))) for costs in (scorch, command)]
    if any(abs(one - other) > 1e-12 for one, other in zip(*numbers, strict=True)):
        raise SystemExit("scorch and the command print different numbers")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
