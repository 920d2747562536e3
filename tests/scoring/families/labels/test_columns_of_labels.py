"""Labels in columns of their own: what a gold leaves empty in every row is not judged."""

import pytest

import scoring
from scoring.families.labels import LABELS
from scoring.readers.archive import Made

SETS = {"task": "multi", "multi_as": "columns", "labels": "A,B,C"}
SHARES = {"task": "soft", "multi_as": "columns", "labels": "A,B,C"}


def score(gold, run, options):
    sides = {"gold": Made({"gold.csv": gold.encode()}), "system": Made({"run.csv": run.encode()})}
    return scoring.evaluate("labels", **sides, options=options)


@pytest.mark.parametrize("said", ["0", "1", "", "x"])
def test_a_label_whose_column_the_gold_leaves_empty_is_not_scored_whatever_a_run_says(said):
    gold, run = "id,A,B,C\n1,1,,0\n2,0,,1\n3,1,,1\n", f"id,A,B,C\n1,1,{said},0\n2,1,{said},1\n3,1,{said},0\n"
    evaluation = score(gold, run, SETS)
    of_two = score("id,A,C\n1,1,0\n2,0,1\n3,1,1\n", "id,A,C\n1,1,0\n2,1,1\n3,1,0\n", SETS | {"labels": "A,C"})
    assert evaluation.scores == of_two.scores
    assert evaluation.warnings == ["columns that the gold leaves empty are not scored: 'B'"]


@pytest.mark.parametrize("gold", ["id,A,B,C\n1,1,,0\n2,0,1,1\n", "id,A,B,C\n1,,,\n2,,,\n"])
def test_a_gold_that_leaves_one_row_empty_or_all_columns_is_refused(gold):
    with pytest.raises(scoring.GoldError, match="must hold 0 or 1"):
        score(gold, "id,A,B,C\n1,1,0,0\n2,0,1,1\n", SETS)


def test_the_gold_written_as_a_run_has_all_columns():
    options = LABELS.configure(SETS | {"header": "no", "id": "#"})
    gold = Made({"gold.csv": b"1,,0\n0,,1\n"})
    run = LABELS.files.gold_as_submission(gold, options)
    assert run == {"run.csv": b"1,0,0\n0,0,1\n"}


def test_the_same_holds_for_shares():
    evaluation = score("id,A,B,C\n1,.5,,.5\n2,0,,1\n", "id,A,B,C\n1,.25,1,.75\n2,0,,1\n", SHARES)
    assert evaluation.scores["manhattan"] == 0.25
    with pytest.raises(scoring.SubmissionError, match="sum to"):
        score("id,A,B,C\n1,.5,,.5\n2,0,,1\n", "id,A,B,C\n1,.25,.5,.25\n2,0,,1\n", SHARES)
