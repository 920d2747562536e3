"""The command that makes the expected numbers of reference cases again."""

import copy
import json

import pytest

from tests.scoring.reference import __main__ as remaking

FILES = [
    ("coreference", "conll"),
    ("edits", "score"),
    ("ehealthkd", "cases"),
    ("given", "cases"),
    ("labels", "score"),
    ("mat", "score"),
    ("numbers", "score"),
    ("qac", "cases"),
    ("ranking", "score"),
    ("spacy", "conformance"),
    ("text", "rule"),
    ("transcripts", "rule"),
]


def first_scores(value):
    """The first scores of a case, wherever it has them."""
    if isinstance(value, dict):
        scores = value.get("scores")
        if isinstance(scores, dict) and any(isinstance(score, float) for score in scores.values()):
            return scores
        value = [*value.values()]
    found = map(first_scores, value) if isinstance(value, list) else ()
    return next(filter(None, found), None)


@pytest.mark.parametrize(("family", "name"), FILES)
def test_an_altered_number_is_named_and_nothing_else_is_changed(family, name, tmp_path):
    lines = (remaking.FOLDER / family / f"{name}.jsonl").read_text(encoding="utf-8").split("\n")
    line, case = next((line, json.loads(line)) for line in lines if first_scores(json.loads(line)))
    altered = copy.deepcopy(case)
    scores = first_scores(altered)
    score = next(score for score, value in scores.items() if isinstance(value, float))
    scores[score] += 0.25
    path = tmp_path / "cases.jsonl"
    path.write_text(remaking._as_written(altered, line) + "\n", encoding="utf-8")
    text, [difference] = remaking.remake(family, path)
    assert difference.startswith(f"{case['id']}: ")
    assert f"scores.{score}: " in difference
    mended = json.loads(text)
    assert first_scores(mended)[score] == pytest.approx(first_scores(case)[score], rel=1e-9, abs=1e-9)
    first_scores(mended)[score] = first_scores(case)[score]
    assert remaking._as_written(mended, line) == line


def test_cases_that_agree_stay_as_they_are(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["reference", "given", "--write"])
    remaking.main()
    assert capsys.readouterr().out == "0 figures were written.\n"


@pytest.mark.parametrize(
    ("family", "name", "table", "column"),
    [
        ("labels", "score", "labels", "f1"),
        ("labels", "score", "scores", "accuracy"),
        ("ehealthkd", "cases", "entity_labels", "missing"),
        ("spacy", "conformance", "ents_per_type", "f"),
        ("qac", "cases", "counts", "correct"),
    ],
)
def test_a_column_that_cases_do_not_expect_yet_is_added_with_its_numbers(family, name, table, column, tmp_path):
    lines = (remaking.FOLDER / family / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    line = next(line for line in lines if holders(json.loads(line), table, column))
    before = json.loads(line)
    without = copy.deepcopy(before)
    for row in holders(without, table, column):
        del row[column]
    path = tmp_path / "cases.jsonl"
    path.write_text(remaking._as_written(without, line) + "\n", encoding="utf-8")
    assert remaking.remake(family, path)[1] == []
    text, differences = remaking.remake(family, path, [(table, column)])
    assert len(differences) == len(holders(before, table, column))
    assert all(": absent -> " in difference for difference in differences)
    for now, then in zip(holders(json.loads(text), table, column), holders(before, table, column), strict=True):
        assert now[column] == pytest.approx(then[column], rel=1e-9, abs=1e-9)


def holders(value, table, column, inside=False):
    """Return the dictionaries below the key `table` that have the column."""
    if isinstance(value, list):
        return [row for part in value for row in holders(part, table, column, inside)]
    if not isinstance(value, dict):
        return []
    if inside and column in value:
        return [value]
    return [row for key, part in value.items() for row in holders(part, table, column, inside or key == table)]


def test_a_column_without_a_table_is_wrong_usage(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["reference", "given", "--add", "jaccard"])
    with pytest.raises(SystemExit):
        remaking.main()
    assert "'jaccard' is no TABLE.COLUMN" in capsys.readouterr().err
