"""What a gold in columns of labels is guessed to be, and headings in other letters."""

import pytest

import scoring
from scoring.readers.tables.guessing import columns_there

GOLD = "id,text,anger,joy,fear\na,One,1,0,0\nb,Two,0,1,1\n"
RUN = "id,Anger,Joy,Fear\na,1,0,0\nb,0,1,1\n"
OPTIONS = {"task": "multi", "multi_as": "columns", "labels": "Anger,Joy,Fear"}


@pytest.fixture
def score(tmp_path):
    def score_it(gold=GOLD, run=RUN, **options):
        for name, text in (("gold.csv", gold), ("run.csv", run)):
            (tmp_path / name).write_text(text)
        given = {**OPTIONS, **options}
        return scoring.evaluate("labels", gold=tmp_path / "gold.csv", system=tmp_path / "run.csv", options=given)

    return score_it


def test_where_case_tells_no_labels_apart_it_tells_no_columns_of_them_apart(score):
    assert score(case="ignore").scores["macro_f1"] == 1
    with pytest.raises(scoring.GoldError, match="column 'Anger' not found"):
        score()


def test_a_heading_is_not_respelt_where_two_would_do_or_it_names_something_else(score):
    with pytest.raises(scoring.GoldError, match="column 'Anger' not found"):
        score(gold=GOLD.replace("text", "ANGER"), case="ignore")
    with pytest.raises(scoring.GoldError, match="column 'id' not found"):
        score(gold=GOLD.replace("id,", "ID,"), case="ignore")


@pytest.mark.parametrize(
    ("names", "there"),
    [
        (["Anger", "Joy", "Fear", "Disgust"], {"Anger": "anger", "Joy": "joy", "Fear": "fear"}),
        (["Anger", "Disgust", "Surprise", "Trust"], {}),
        (["label"], {}),
    ],
)
def test_a_gold_without_some_of_the_columns_is_told_by_those_that_it_has(names, there):
    assert columns_there({"gold.csv": GOLD.encode()}, names) == there
