"""Measures the ehealthkd command as whole processes, side by side with a plain-Python program."""

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import ehealthkd_data as data  # noqa: E402
from benchmarks.processes import Target, measure, seconds, status_of, typical  # noqa: E402

PLAIN = ("tests/scoring/plain/ehealthkd.py",)
COMMAND = ("-m", "scoring", "ehealthkd")

READ_AS_TEXT = """
import sys
from pathlib import Path
for name in sys.argv[1:]:
    Path(name).read_text("utf-8")
"""
PARSE_JSON = """
import sys, orjson
for name in sys.argv[1:]:
    with open(name, "rb") as lines:
        for line in lines:
            orjson.loads(line)
"""
EVALUATE = """
import sys, scoring
for scenario in (1, 2, 3):
    scoring.evaluate("ehealthkd", gold=sys.argv[1], system=sys.argv[2],
                     options={"scenario": scenario}, n_resamples=10_000)
"""


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=100_000, help="of each scenario in the large set")
    parser.add_argument("--runs", type=int, default=3, help="of each process; the median counts")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        targets = [
            *_large_set(Path(folder), arguments.sentences, arguments.runs),
            *_long_sentence(Path(folder), arguments.runs),
            *_resamples(Path(folder), arguments.runs),
        ]
    return status_of(targets)


def _large_set(folder: Path, sentences: int, runs: int) -> list[Target]:
    large, tenth = _task(folder / "large", sentences), _task(folder / "tenth", sentences // 10)
    files = _files(folder / "large")
    size = sum(os.path.getsize(name) for name in files) / 2**20
    print(f"Large set: {sentences:,} sentences in each of three scenarios, {size:.1f} MiB in {len(files)} files")
    programs = {
        "the same bytes read as text": ("-c", READ_AS_TEXT, *files),
        "the same content as JSON lines, orjson": ("-c", PARSE_JSON, *_as_json_lines(folder / "large")),
        "plain Python": (*PLAIN, *large),
        "command": (*COMMAND, *large),
        f"command, {sentences // 10:,} sentences": (*COMMAND, *tenth),
    }
    text, parsed, plain, command, small = map(typical, measure(programs, runs))
    if command.output != plain.output:
        raise SystemExit("the command and the plain program print different results")
    print(f"  The command takes {command.seconds / text.seconds:.1f} times the CPU of reading its bytes as text")
    print(f"  and {command.seconds / parsed.seconds:.1f} times that of orjson on the same content.")
    growth = f"{sentences // 10:,} to {sentences:,} sentences: growth of CPU"
    return [
        Target("plain Python / command, CPU", plain.seconds / command.seconds, "at least", 6),
        Target("command / plain Python, memory", command.mebibytes / plain.mebibytes, "at most", 0.6),
        Target(growth, command.seconds / small.seconds, "at most", 11),
    ]


def _long_sentence(folder: Path, runs: int) -> list[Target]:
    print("\n2,000 phrases and 2,000 relations in each scenario")
    programs = {
        "command, 100 sentences": (*COMMAND, *_task(folder / "hundred", 100, data.HUNDRED_SENTENCES)),
        "command, one sentence": (*COMMAND, *_task(folder / "one", 1, data.ONE_LONG_SENTENCE)),
    }
    hundred, one = map(typical, measure(programs, runs))
    return [Target("one sentence / 100 sentences, CPU", one.seconds / hundred.seconds, "at most", 3)]


def _resamples(folder: Path, runs: int) -> list[Target]:
    print("\n100 sentences of the usual size, evaluated in three scenarios with 10,000 resamples each")
    submits, gold = _task(folder / "small", 100)
    [evaluation] = measure({"evaluate": ("-c", EVALUATE, gold, f"{submits}/team/run")}, runs)
    return [Target("evaluation with intervals, CPU seconds", seconds(evaluation), "at most", 1)]


def _task(folder: Path, sentences: int, shape: data.Shape = data.LARGE_SET) -> tuple[str, str]:
    """SUBMITS and GOLD of a new task."""
    data.write_task(folder, sentences, shape)
    return str(folder / "submits"), str(folder / "gold")


def _files(folder: Path) -> list[str]:
    return sorted(str(path) for path in folder.rglob("*.txt"))


def _as_json_lines(folder: Path) -> list[str]:
    """The same content, one JSON value a line, in files beside the texts."""
    names = []
    for name in _files(folder):
        names.append(name.removesuffix("txt") + "jsonl")
        with open(name, encoding="utf-8") as lines, open(names[-1], "wb") as file:
            file.writelines(orjson.dumps(_json_row(line)) + b"\n" for line in lines)
    return names


def _json_row(line: str) -> object:
    columns = line.rstrip("\n").split("\t")
    if len(columns) == 4:
        spans = [[int(number) for number in span.split()] for span in columns[1].split(";")]
        return [int(columns[0]), spans, columns[2], columns[3]]
    return [columns[0], *map(int, columns[1:])] if len(columns) == 3 else columns[0]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
