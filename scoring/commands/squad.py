"""The arguments and the output of SQuAD's two evaluation scripts, around this engine.

The version of the data decides which of the two it is: 1.1 prints exact match and F1 on a line, 2.0 all its numbers as
indented JSON, and with no-answer probabilities the best thresholds. Its curves are not drawn.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from scoring.display.arguments import program
from scoring.display.terminal import exit_status, write
from scoring.errors import problems_of_gold
from scoring.families.qac import QAC
from scoring.families.qac.counting import Matches
from scoring.readers.archive import open_files
from scoring.readers.qac.squad import read_dataset, read_predictions
from scoring.significance import Block, points


def main(argv: Sequence[str]) -> int:
    """Score predictions and return 0 done, 1 they are refused, 2 the data is; wrong usage ends in SystemExit."""
    parser = program("squad", __doc__)
    parser.add_argument("data_file", type=Path, metavar="data.json")
    parser.add_argument("pred_file", type=Path, metavar="pred.json")
    parser.add_argument("-o", "--out-file", type=Path, metavar="eval.json", help="write the numbers to this file")
    parser.add_argument("-n", "--na-prob-file", type=Path, metavar="na_prob.json", help="no-answer probabilities")
    parser.add_argument("-t", "--na-prob-thresh", type=float, default=1.0, help="above it a prediction counts as none")
    parser.add_argument("--version", choices=("1.1", "2.0"), help="of the script; by default that of the data")
    arguments = parser.parse_args(argv)
    return exit_status(lambda: _score(arguments))


def _score(arguments: argparse.Namespace) -> None:
    options = QAC.configure({"format": "squad", "na_threshold": arguments.na_prob_thresh})
    options["squad_version"] = arguments.version
    with problems_of_gold():
        gold = read_dataset(_content(arguments.data_file))
    assert QAC.resolve_options is not None
    options = QAC.resolve_options(gold, options)
    files = _content(arguments.pred_file)
    if arguments.na_prob_file is not None:
        files |= _content(arguments.na_prob_file)
    counted = QAC.count(gold, read_predictions(files), options)
    block = Block(counted.rows, QAC.metrics_with(options), weighted=counted.weighted)
    scores = {name: float(value) for name, value in points(block).items()}
    if options["squad_version"] == "1.1":
        text = json.dumps({"exact_match": 100 * scores["exact_match"], "f1": 100 * scores["token_f1"]}) + "\n"
    else:
        text = json.dumps(_numbers(scores, counted.matches), indent=2) + "\n"
    write(text, counted.warnings, arguments.out_file)


def _content(path: Path) -> dict[str, bytes]:
    return dict(open_files(path))


def _numbers(scores: dict[str, float], matches: Matches) -> dict[str, float]:
    """Return the numbers as the script names them, in its order; groups without a question are left out."""
    n_none = int(matches.is_unanswerable.sum())
    groups = (
        ("", len(matches.ids), scores["exact_match"], scores["token_f1"]),
        ("HasAns_", len(matches.ids) - n_none, scores["has_answer_exact_match"], scores["has_answer_token_f1"]),
        ("NoAns_", n_none, scores["no_answer_exact_match"], scores["no_answer_exact_match"]),
    )
    numbers: dict[str, float] = {}
    for prefix, number, exact, f1 in groups:
        if number:
            numbers |= {f"{prefix}exact": 100 * exact, f"{prefix}f1": 100 * f1, f"{prefix}total": number}
    if matches.run.no_answer is not None:
        for name, key in (("exact", "best_exact_match"), ("f1", "best_token_f1")):
            numbers |= {f"best_{name}": 100 * scores[key], f"best_{name}_thresh": scores[f"{key}_threshold"]}
    return numbers
