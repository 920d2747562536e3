"""`scoring.evaluate` on annotated sentences against spaCy's Scorer, as whole processes: CPU and memory."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import spacy_data as data  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
SCORES = [
    {"name": "tokenization"},
    {"name": "tagger"},
    {"name": "ner"},
    {"name": "deps", "lowercase": True, "ignore_labels": ["p", "punct"]},
    {"name": "cats"},
]

PARSE_JSON = """
import sys, orjson
for name in sys.argv[1:]:
    with open(name, "rb") as lines:
        for line in lines:
            orjson.loads(line)
"""
EVALUATE = f"""
import json, sys, scoring
result = scoring.evaluate("spacy", gold=sys.argv[1], system=sys.argv[2], options={{"scores": {SCORES!r}}})
print(json.dumps(result.scores))
"""
# The engine alone: imports are done, and the parsing of the same files is measured beside it.
INSIDE = f"""
import json, sys, time, orjson, scoring
from statistics import median
def parse():
    for name in sys.argv[1:]:
        with open(name, "rb") as lines:
            for line in lines:
                orjson.loads(line)
def score():
    scoring.evaluate("spacy", gold=sys.argv[1], system=sys.argv[2], options={{"scores": {SCORES!r}}})
def cost(function):
    start = time.process_time()
    function()
    return time.process_time() - start
parse(), score()
pairs = [(cost(parse), cost(score)) for _ in range(5)]
print(json.dumps([median(column) for column in zip(*pairs)]))
"""
RESAMPLE = f"""
import sys, scoring
scoring.evaluate("spacy", gold=sys.argv[1], system=sys.argv[2], options={{"scores": {SCORES[:4]!r}}},
                 n_resamples=int(sys.argv[3]))
"""


@dataclass(frozen=True)
class Cost:
    """What a process took, CPU seconds (user and system) and peak of resident memory, and what it printed."""

    seconds: float
    mebibytes: float
    output: bytes


@dataclass(frozen=True)
class Target:
    title: str
    value: float
    bound: str  # "at least" or "at most"
    limit: float

    @property
    def is_met(self) -> bool:
        return self.value >= self.limit if self.bound == "at least" else self.value <= self.limit

    def __str__(self) -> str:
        verdict = "met" if self.is_met else "MISSED"
        return f"{self.title:<66} {self.value:8.3f}   {self.bound} {self.limit:<5.3g} {verdict}"


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3, help="of each process; the median counts")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        targets = _targets(Path(folder), arguments.sentences, arguments.runs)
    print("\nTargets")
    for target in targets:
        print(target)
    return 0 if all(target.is_met for target in targets) else 1


def _targets(folder: Path, sentences: int, runs: int) -> list[Target]:
    usual = [str(path) for path in data.write_sides(folder / "usual", sentences)]
    large = [str(path) for path in data.write_sides(folder / "large", 10 * sentences)]
    size = sum(os.path.getsize(name) for name in usual) / 2**20
    print(f"{sentences:,} sentences, {size:.1f} MiB in two files")
    programs: dict[str, Sequence[str]] = {
        "orjson.loads on each line": ("-c", PARSE_JSON, *usual),
        "spaCy, from JSON Lines to all scores": ("benchmarks/spacy_original.py", *usual),
        "scoring.evaluate": ("-c", EVALUATE, *usual),
        f"scoring.evaluate, {10 * sentences:,} sentences": ("-c", EVALUATE, *large),
    }
    _, original, own, ten_times = _measure(programs, runs)
    _compare(json.loads(original.output), json.loads(own.output))
    parsing, scoring = json.loads(_cost(("-c", INSIDE, *usual)).output)
    print(f"  In one process: orjson.loads on both files {parsing:.3f} CPU s, scoring.evaluate {scoring:.3f}")
    few, many = _measure(
        {"with 1 resample": ("-c", RESAMPLE, *usual, "1"), "with 10,000": ("-c", RESAMPLE, *usual, "10000")}, 1
    )
    return [
        Target("spaCy / scoring.evaluate, CPU of whole processes", original.seconds / own.seconds, "at least", 5),
        Target("scoring.evaluate / spaCy, memory", own.mebibytes / original.mebibytes, "at most", 1 / 3),
        Target("ten times the sentences: growth of CPU", ten_times.seconds / own.seconds, "at most", 11),
        Target("scoring.evaluate / parsing alone, CPU, imports done", scoring / parsing, "at most", 5),
        Target("10,000 resamples of all sums, CPU seconds", many.seconds - few.seconds, "at most", 20),
    ]


def _compare(expected: dict[str, float], found: dict[str, float]) -> None:
    """Both programs have to say the same."""
    for name, value in found.items():
        if abs(expected[name] - value) > 1e-9:
            raise SystemExit(f"{name}: {value} instead of {expected[name]}")


def _measure(programs: dict[str, Sequence[str]], runs: int) -> list[Cost]:
    """The median cost of each program; the programs take turns, so that all meet the same machine."""
    costs: dict[str, list[Cost]] = {title: [] for title in programs}
    for _ in range(runs):
        for title, arguments in programs.items():
            costs[title].append(_cost(arguments))
    medians = [_median(several) for several in costs.values()]
    for title, cost in zip(programs, medians, strict=True):
        print(f"  {title:<44} {cost.seconds:9.2f} CPU s {cost.mebibytes:9.1f} MiB", flush=True)
    return medians


def _cost(arguments: Sequence[str]) -> Cost:
    # Not run(): only wait4 tells the memory of this child alone.
    with subprocess.Popen([sys.executable, *arguments], cwd=ROOT, stdout=subprocess.PIPE) as process:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"exit status {process.returncode} of {' '.join(arguments)}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output)


def _median(costs: Sequence[Cost]) -> Cost:
    return Cost(median(cost.seconds for cost in costs), median(cost.mebibytes for cost in costs), costs[0].output)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
