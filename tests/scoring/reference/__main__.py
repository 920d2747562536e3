"""Makes the numbers of the families' reference cases again: `python -m tests.scoring.reference FAMILY --write`.

Without --write it tells which figures of which cases a changed rule changes. With --add TABLE.COLUMN the cases that
expect rows of this table expect its new column too; `scores.NAME` and `counts.NAME` add a score or a count. Refusals,
and the texts of the commands, which are those of other programs, stay as they are.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import scoring
from tests.scoring.coreference_cases import write_side
from tests.scoring.families import test_given, test_qac
from tests.scoring.families.ehealthkd import test_ehealthkd
from tests.scoring.families.labels import test_labels_cases
from tests.scoring.families.mat import test_mat
from tests.scoring.families.numbers import test_numbers
from tests.scoring.families.spacy import test_spacy
from tests.scoring.reference.figures import add_column, changed, figures
from tests.scoring.reference_cases import write

FOLDER = Path(__file__).parent


def outcomes_of_calls(family, case, folder):
    """Yield what the calls of a case expect, and the evaluations: of edits, rankings, texts and transcripts."""
    if "systems" in case:
        return
    paths = {side: write(folder / side, case[side]) for side in ("gold", "system")}
    for call in case["calls"]:
        if "expect" in call:
            more = {key: call[key] for key in ("options", "n_resamples", "seed") if key in call}
            yield call["expect"], scoring.evaluate(family, **paths, **more)


def outcomes_of_files(written):
    """Return a function for the families whose cases are a single call, with files that `written` writes."""

    def outcomes(family, case, folder):
        if "expected" in case:
            for side in ("gold", "system"):
                (folder / side).mkdir()
            paths = {side: written(folder / side, side, case[side]) for side in ("gold", "system")}
            more = {key: case[key] for key in ("options", "n_resamples", "seed") if key in case}
            yield case["expected"], scoring.evaluate(family, **paths, **more)

    return outcomes


def of_coreference(family, case, folder):
    paths = {side: write_side(folder / side, case[side]) for side in ("gold", "system")} if "runs" in case else {}
    for run in case.get("runs", ()):
        if "error" not in run:
            yield run, scoring.evaluate(family, **paths, options=run["options"])


def of_ehealthkd(family, case, folder):
    ways = {"evaluate": {}, "documented": {"rules": "documented"}, "tables": {"details": True}}
    for way, options in ways.items():
        expected = case.get("expected", {}).get(way, {})
        if "scores" in expected or (way == "tables" and expected):
            (folder / way).mkdir()
            result = test_ehealthkd.evaluate_case(case, folder / way, **options)
            yield {way: expected} if way == "tables" else expected, result


def of_mat(family, case, folder):
    paths = test_mat.write_case(case, folder)
    for run in case["runs"]:
        if "expected" in run:
            yield run["expected"], test_mat.evaluate_run(run, *paths)


def of_qac(family, case, folder):
    for run in case["runs"]:
        if "expected" in run:
            yield run["expected"], test_qac.run_case(case, run, folder)


def of_spacy(family, case, folder):
    for call in case["calls"]:
        if "expect" in call:
            more = {"n_resamples": call["n_resamples"]} if "n_resamples" in call else {}
            yield call["expect"], test_spacy.evaluate(folder, case["gold"], case["system"], call["options"], **more)


OUTCOMES = {
    "coreference": of_coreference,
    "edits": outcomes_of_calls,
    "ehealthkd": of_ehealthkd,
    "given": outcomes_of_files(lambda folder, side, file: test_given.written(folder, side, file)),
    "labels": outcomes_of_files(lambda folder, side, files: test_labels_cases.written(folder, files)),
    "mat": of_mat,
    "numbers": outcomes_of_files(lambda folder, side, file: test_numbers.written(folder / side, file)),
    "qac": of_qac,
    "ranking": outcomes_of_calls,
    "spacy": of_spacy,
    "text": outcomes_of_calls,
    "transcripts": outcomes_of_calls,
}


def remake(family: str, path: Path, added: Sequence[tuple[str, str]] = ()) -> tuple[str, list[str]]:
    """Return the text of a file of cases with the numbers of now, and a line for each figure that differs.

    `added` are tables and columns that cases are to expect from now on.
    """
    lines, differences = [], []
    for line in path.read_text(encoding="utf-8").removesuffix("\n").split("\n"):
        case = json.loads(line)
        found = list(_differences(family, case, added))
        lines.append(_as_written(case, line) if found else line)
        differences += [f"{case['id']}: {figure}" for figure in found]
    return "".join(f"{line}\n" for line in lines), differences


def _differences(family: str, case: dict, added: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Put the numbers of now into a case, and yield what differs."""
    with tempfile.TemporaryDirectory() as folder:
        for expected, result in OUTCOMES[family](family, case, Path(folder)):
            for table, column in added:
                add_column(expected, result, table, column)
            yield from changed(expected, figures(expected, result))


def _as_written(case: dict, line: str) -> str:
    """Return the case as JSON in the manner of the line that it was read from."""
    before = json.loads(line)
    ways = [
        {"ensure_ascii": is_ascii, "separators": separators, "sort_keys": sorts}
        for is_ascii in (False, True)
        for separators in ((", ", ": "), (",", ":"))
        for sorts in (False, True)
    ]
    way = next((way for way in ways if json.dumps(before, **way) == line), ways[0])
    return json.dumps(case, **way)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(OUTCOMES), default=[*OUTCOMES])
    parser.add_argument("--write", action="store_true", help="store the numbers of now as the expected ones")
    parser.add_argument(
        "--add",
        type=_table_and_column,
        action="append",
        default=[],
        metavar="TABLE.COLUMN",
        help="a column that cases with this table are to expect, or scores.NAME, counts.NAME; may be repeated",
    )
    arguments = parser.parse_args()
    n_differences = 0
    for family in arguments.families:
        for path in sorted((FOLDER / family).glob("*.jsonl")):
            text, differences = remake(family, path, arguments.add)
            for difference in differences:
                print(f"{family}/{path.name} {difference}")
            n_differences += len(differences)
            if arguments.write and differences:
                path.write_text(text, encoding="utf-8", newline="\n")
    did = "were written" if arguments.write else "differ"
    print(f"{n_differences} figures {did}.")


def _table_and_column(text: str) -> tuple[str, str]:
    table, dot, column = text.partition(".")
    if not (table and dot and column):
        raise argparse.ArgumentTypeError(f"{text!r} is no TABLE.COLUMN")
    return table, column


if __name__ == "__main__":
    main()
