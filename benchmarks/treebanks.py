"""The metrics of Universal Dependencies against the program of CoNLL 2018, as whole processes: CPU, and equal numbers.

The program is not part of this project: `--original FILE` says where it lies (conll18_ud_eval.py of ufal/conll2018).
Without it the growth of CPU is measured alone.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import treebanks_data as data  # noqa: E402
from benchmarks.processes import Target, measure, status_of, typical  # noqa: E402

_COMMAND = ("-m", "scoring", "conll18-ud-eval", "-v")


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--original", type=Path, metavar="FILE", help="conll18_ud_eval.py")
    parser.add_argument("--sentences", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3, help="of each process; the median counts")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        targets = _targets(Path(folder), arguments.original, arguments.sentences, arguments.runs)
    return status_of(targets)


def _targets(folder: Path, original: Path | None, sentences: int, runs: int) -> list[Target]:
    usual = [str(path) for path in data.write_sides(folder / "usual", sentences)]
    few = [str(path) for path in data.write_sides(folder / "few", sentences // 10)]
    programs: dict[str, Sequence[str]] = {
        "conll18-ud-eval of this engine": (*_COMMAND, *usual),
        "the same, a tenth of the sentences": (*_COMMAND, *few),
    }
    if original is not None:
        programs["the program of CoNLL 2018"] = (str(original), "-v", *usual)
    own, tenth, *others = map(typical, measure(programs, runs))
    targets = [Target("ten times the sentences: growth of CPU", own.seconds / tenth.seconds, "at most", 11)]
    for other in others:
        if other.output != own.output:
            raise SystemExit(f"other numbers:\n{own.output}\ninstead of\n{other.output}")
        targets += [
            Target("the program of CoNLL 2018 / this engine, CPU", other.seconds / own.seconds, "at least", 2),
            Target("this engine / the program of CoNLL 2018, memory", own.mebibytes / other.mebibytes, "at most", 1),
        ]
    return targets


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
