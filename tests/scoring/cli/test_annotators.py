"""The command `annotators`: what one annotator scores against the others."""

import json

import pytest

from scoring.cli.main import main


def annotators(tmp_path, capsys, family, rows, *words, column="label"):
    """Return what the command prints of a gold with these cells, and its exit status."""
    gold = tmp_path / "gold.jsonl"
    gold.write_text("".join(json.dumps({"id": number, column: row}) + "\n" for number, row in enumerate(rows)))
    options = [part for word in words for part in (("-o", word) if "=" in word else (word,))]
    status = main(["annotators", family, "--gold", str(gold), *options, "--resamples", "200", "--format", "json"])
    printed = capsys.readouterr()
    return json.loads(printed.out) if status == 0 else (status, printed.err)


@pytest.mark.parametrize(
    ("family", "options", "rows", "value"),
    [
        # Without the first or second of A A B the others share half and half: 1 and 1; B against A A: 2.
        ("labels", ["task=soft"], [["A", "A", "B"], ["B", "B"]], (0.5 + 0.5 + 1) / 3),
        ("labels", ["task=multi", "shares=yes"], [[["A", "B"], ["A"]], [["A"], ["A"]]], 0.5),
        ("numbers", ["headline=mae"], [[1, 3], [5, 5]], 1),
    ],
)
def test_each_annotator_is_scored_by_the_gold_of_the_others(tmp_path, capsys, family, options, rows, value):
    column = "value" if family == "numbers" else "label"
    found = annotators(tmp_path, capsys, family, rows, *options, column=column)
    assert found["value"] == pytest.approx(value)
    assert (found["n_annotators"], found["n_units"]) == (max(map(len, rows)), len(rows))


def test_rows_that_one_annotator_alone_rated_are_left_out_and_the_mean_has_an_interval(tmp_path, capsys):
    rows = [["A", "AB"[number % 3 == 0], "B"] for number in range(40)] + [["A"]]
    found = annotators(tmp_path, capsys, "labels", rows, "task=soft", "headline=macro_f1")
    assert (found["score"], found["n_units"]) == ("macro_f1", 40)
    low, high = found["interval"]
    assert low < found["value"] < high


def test_of_a_gold_of_several_languages_one_is_taken(tmp_path, capsys):
    gold = tmp_path / "gold.csv"
    gold.write_text('id,lang,value\n1,en,"[1, 3]"\n2,es,"[5, 9]"\n3,en,"[5, 5]"\n')
    words = ["-o", "rows=lang=en", "-o", "headline=mae", "--resamples", "0", "--format", "json"]
    assert main(["annotators", "numbers", "--gold", str(gold), *words]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["value"], found["n_units"]) == (1, 2)


@pytest.mark.parametrize("rows", [[{"A": 0.5, "B": 0.5}], [["A"], ["B"]]], ids=["shares", "one rating each"])
def test_a_gold_without_several_ratings_is_refused(tmp_path, capsys, rows):
    status, said = annotators(tmp_path, capsys, "labels", rows, "task=soft")
    assert status == 2
    assert "no ratings" in said
