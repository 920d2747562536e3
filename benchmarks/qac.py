"""Measures the evaluation of answers (qac) against parsing the same content as JSON, and against plain Python."""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import qac_data as data  # noqa: E402
from benchmarks.processes import Cost, Target, measure, status_of  # noqa: E402

# All print the CPU seconds of their work alone, without Python's start and the imports.
PARSE = """
import json, sys, time
text = open(sys.argv[1], encoding="utf-8").read()
began = time.process_time()
json.loads(text)
print(json.dumps({"seconds": time.process_time() - began}))
"""
COMMAND = """
import contextlib, importlib, io, json, sys, time
program, folder = importlib.import_module(sys.argv[1]), sys.argv[2]
printed = io.StringIO()
arguments = ["-a", f"{folder}/gold.tsv", "--res-dat", f"{folder}/res.dat", f"{folder}/run.txt"]
began = time.process_time()
with contextlib.redirect_stdout(printed):
    program.main(arguments)
took = time.process_time() - began
with open(f"{folder}/res.dat", encoding="utf-8") as file:
    print(json.dumps({"seconds": took, "result": [printed.getvalue(), file.read()]}))
"""
EVALUATE = """
import json, sys, time, scoring
folder, n_resamples = sys.argv[1:]
began = time.process_time()
scoring.evaluate("qac", gold=f"{folder}/gold.tsv", system=f"{folder}/run.txt", n_resamples=int(n_resamples))
print(json.dumps({"seconds": time.process_time() - began}))
"""


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=20_000, help="of the large set; the small one has half")
    parser.add_argument("--runs", type=int, default=5, help="of each process; the least counts")
    arguments = parser.parse_args(argv)
    # As in the worker: one process, one core. Threads that wait for a busy core count as CPU time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as name:
        large, small = Path(name, "large"), Path(name, "small")
        data.write_task(large, arguments.questions)
        data.write_task(small, arguments.questions // 2)
        print(f"{arguments.questions:,} questions with {data.LINES} gold lines and {data.OUTPUTS} outputs each")
        programs = {
            "the same content parsed by json": ("-c", PARSE, str(large / "both.json")),
            "plain Python": ("-c", COMMAND, "tests.scoring.plain.qac", str(large)),
            "command": ("-c", COMMAND, "scoring.commands.qac", str(large)),
            "command, half of the questions": ("-c", COMMAND, "scoring.commands.qac", str(small)),
            "evaluate": ("-c", EVALUATE, str(large), "0"),
            "evaluate, 10,000 resamples": ("-c", EVALUATE, str(large), "10000"),
        }
        parsed, plain, command, half, evaluate, resampled = measure(programs, arguments.runs)
    if _printed(plain[0])["result"] != _printed(command[0])["result"]:
        raise SystemExit("the command and the plain program give different results")
    unit = _work(parsed)
    return status_of(
        [
            Target("command / parsing, CPU of the work", _work(command) / unit, "at most", 4),
            Target("command / plain Python, CPU of the work", _work(command) / _work(plain), "at most", 1),
            Target("twice the questions, growth of CPU", _work(command) / _work(half), "at most", 2.2),
            Target("10,000 resamples / parsing", (_work(resampled) - _work(evaluate)) / unit, "at most", 8),
        ]
    )


def _work(costs: Iterable[Cost]) -> float:
    """The least of the runs: what else goes on in the machine only adds."""
    return min(_printed(cost)["seconds"] for cost in costs)


def _printed(cost: Cost) -> dict[str, object]:
    return json.loads(cost.output)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
