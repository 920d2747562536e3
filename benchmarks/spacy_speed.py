"""`scoring.evaluate` on annotated sentences against spaCy's Scorer, as whole processes: CPU and memory."""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import spacy_data as data  # noqa: E402
from benchmarks.processes import Target, cost, measure, seconds, status_of, typical  # noqa: E402

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


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3, help="of each process; the median counts")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        targets = _targets(Path(folder), arguments.sentences, arguments.runs)
    return status_of(targets)


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
    _, original, own, ten_times = map(typical, measure(programs, runs))
    _compare(json.loads(original.output), json.loads(own.output))
    parsing, scoring = json.loads(cost(("-c", INSIDE, *usual)).output)
    print(f"  In one process: orjson.loads on both files {parsing:.3f} CPU s, scoring.evaluate {scoring:.3f}")
    few, many = measure(
        {"with 1 resample": ("-c", RESAMPLE, *usual, "1"), "with 10,000": ("-c", RESAMPLE, *usual, "10000")}, 1
    )
    return [
        Target("spaCy / scoring.evaluate, CPU of whole processes", original.seconds / own.seconds, "at least", 5),
        Target("scoring.evaluate / spaCy, memory", own.mebibytes / original.mebibytes, "at most", 1 / 3),
        Target("ten times the sentences: growth of CPU", ten_times.seconds / own.seconds, "at most", 11),
        Target("scoring.evaluate / parsing alone, CPU, imports done", scoring / parsing, "at most", 5),
        Target("10,000 resamples of all sums, CPU seconds", seconds(many) - seconds(few), "at most", 2),
    ]


def _compare(expected: dict[str, float], found: dict[str, float]) -> None:
    """Both programs have to say the same."""
    for name, value in found.items():
        if abs(expected[name] - value) > 1e-9:
            raise SystemExit(f"{name}: {value} instead of {expected[name]}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
