"""The output of spaCy's `evaluate` command, for two files of annotated documents, around this engine.

spaCy's command runs a model; this one takes the documents of a system as a file. The tables are those of spaCy's
printer wasabi, to the blank, without colours and without the row SPEED.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scoring.display.arguments import program
from scoring.display.terminal import exit_status, save, write
from scoring.engine import evaluate
from scoring.evaluation import Evaluation

# The width of a line and of a cell in wasabi, the library that spaCy prints with.
_LINE_WIDTH = 80
_WIDEST_CELL = 30
# The first table: titles and scores, `key` being the group of spans to print.
_ROWS = {
    "TOK": "token_acc",
    "TAG": "tag_acc",
    "POS": "pos_acc",
    "MORPH": "morph_acc",
    "LEMMA": "lemma_acc",
    "UAS": "dep_uas",
    "LAS": "dep_las",
    "NER P": "ents_p",
    "NER R": "ents_r",
    "NER F": "ents_f",
    "TEXTCAT": "cats_score",
    "SENT P": "sents_p",
    "SENT R": "sents_r",
    "SENT F": "sents_f",
    "SPAN P": "spans_{key}_p",
    "SPAN R": "spans_{key}_r",
    "SPAN F": "spans_{key}_f",
}
# The tables by type, in the order of the output.
_TABLES = {
    "MORPH (per feat)": "morph_per_feat",
    "LAS (per type)": "dep_las_per_type",
    "NER (per type)": "ents_per_type",
    "SPANS (per type)": "spans_{key}_per_type",
    "Textcat F (per label)": "cats_f_per_type",
}
_AUC_TITLE, _AUC_TABLE = "Textcat ROC AUC (per label)", "cats_auc_per_type"
# Scores and tables that spaCy does not have.
_OWN_SCORES = ("nel_strict_", "nervaluate_", "seqeval_", "ud_")
_OWN_TABLES = ("nervaluate_per_type", "seqeval_per_type", "ents_confusion", "ud_metrics", "ud_las_per_type") + (
    "descriptions",
    "errors",
)


def main(argv: Sequence[str]) -> int:
    """Return the exit status: 0 done, 1 the submission is refused, 2 wrong usage or gold."""
    arguments = _arguments(argv)
    return exit_status(lambda: _run(arguments))


def _run(arguments: argparse.Namespace) -> None:
    options = {} if arguments.scores is None else {"scores": arguments.scores}
    result = evaluate("spacy", gold=arguments.gold, system=arguments.system, options=options)
    write(_printed(result, arguments.spans_key), result.warnings)
    if arguments.output is not None:
        save(_as_json(result), arguments.output)
        write(f"{_tick()} Saved results to {arguments.output}\n")


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = program("spacy", __doc__.partition("\n")[0])
    parser.add_argument("gold", type=Path, metavar="GOLD", help="JSON Lines, CoNLL-U or columns")
    parser.add_argument("system", type=Path, metavar="SYSTEM", help="the same documents by a system")
    parser.add_argument("--output", "-o", type=Path, metavar="FILE.json", help="also write all scores here")
    parser.add_argument("--spans-key", "-sk", default="sc", metavar="KEY", help="the group of spans to print")
    parser.add_argument("--scores", metavar="JSON", help="what to score; without it, all that the gold annotates")
    return parser.parse_args(argv)


def _tick() -> str:
    """Return a sign that standard output can show."""
    try:
        "✔".encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return "[+]"
    return "✔"


def _printed(result: Evaluation, spans_key: str) -> str:
    """Return all tables of the output; `l` and `r` align a column to the left or to the right."""
    rows = list(_result_rows(result, spans_key))
    text = _title("Results") + _table(rows, "ll")
    for title, name in _TABLES.items():
        records = result.tables.get(name.format(key=spans_key))
        if records:
            cells = [[record["type"], *(f"{record[part] * 100:.2f}" for part in "prf")] for record in records]
            text += _title(title) + _table([["", "P", "R", "F"], *cells], "lrrr")
    if records := result.tables.get(_AUC_TABLE):
        cells = [[record["type"], _area(record["auc"])] for record in records]
        text += _title(_AUC_TITLE) + _table([["", "ROC AUC"], *cells], "lr")
    return text


def _result_rows(result: Evaluation, spans_key: str) -> Iterable[list[str]]:
    """Yield the title and the value of each score that there is, in per cent."""
    for title, name in _ROWS.items():
        key = name.format(key=spans_key)
        if key in result.scores:
            value = result.scores[key]
            shown = f"{title} ({_descriptions(result)[key]})" if key == "cats_score" else title
            yield [shown, "-" if value is None else f"{value * 100:.2f}"]


def _area(value: float | None) -> str:
    return "None" if value is None else f"{value:.2f}"


def _title(text: str) -> str:
    # As wasabi rounds it, the line is two or three characters shorter than its width.
    rule = "=" * (int((_LINE_WIDTH - len(text)) / 2) - 2)
    return f"\n{rule} {text} {rule}\n"


def _table(rows: Sequence[Sequence[str]], aligns: str) -> str:
    """Return rows of cells, each padded to the widest of its column.

    A column is never made wider than wasabi allows; a longer text is not cut and pushes its row out, as there.
    """
    widths = [min(_WIDEST_CELL, max(map(len, column))) for column in zip(*rows, strict=True)]
    lines = ["   ".join(map(_aligned, row, widths, aligns)) for row in rows]
    return "\n" + "\n".join(lines) + "\n\n"


def _aligned(cell: str, width: int, align: str) -> str:
    return cell.rjust(width) if align == "r" else cell.ljust(width)


def _descriptions(result: Evaluation) -> dict[str, str]:
    """Return what was chosen as each score that spaCy chooses among several, such as "macro F" for cats_score."""
    return {record["score"]: record["description"] for record in result.tables.get("descriptions", [])}


def _as_json(result: Evaluation) -> str:
    """Return all that spaCy has: scores, descriptions, and the scores by type; no counts."""
    scores: dict[str, Any] = {
        name: _plain(value) for name, value in result.scores.items() if not name.startswith(_OWN_SCORES)
    }
    scores |= {f"{score}_desc": text for score, text in _descriptions(result).items()}
    for name, records in result.tables.items():
        if name not in _OWN_TABLES:
            scores[name] = {record["type"]: _scores_of(record) for record in records}
    return json.dumps(scores, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def _scores_of(record: Mapping[str, Any]) -> Any:
    return record["auc"] if "auc" in record else {part: record[part] for part in "prf"}


def _plain(value: float | None) -> float | None:
    """Replace NaN, which JSON does not have, by None."""
    return None if value is None or math.isnan(value) else value
