"""Gold is taken only if it scores perfectly against itself, whatever its layout."""

import pytest

from evalsite.challenges.gold.checks import check_gold
from scoring import GoldError
from tests.factories import make_scenario, make_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def questions():
    return make_scenario(make_task(), family="qac", options={"task": 2})


def test_gold_whose_layout_is_not_that_of_an_upload_is_scored_as_one(tmp_path, questions):
    path = tmp_path / "gold.tsv"
    path.write_text("Q-1-01\t1\tMie\ta1\nQ-1-01\t2\tTsu\ta2\nQ-2-01\n")
    assert check_gold(path, questions).scores["average_f1"] == 1.0


def test_its_mistakes_are_the_organisers_to_fix(tmp_path, questions):
    path = tmp_path / "gold.tsv"
    path.write_text("Q-1-01\tone\tMie\ta1\n")
    with pytest.raises(GoldError, match="answer number must be a positive integer"):
        check_gold(path, questions)


def test_gold_that_would_rank_by_another_score_than_its_board_is_refused(tmp_path):
    scenario = make_scenario(make_task(), family="spacy", options={})
    path = tmp_path / "gold.jsonl"
    path.write_text('{"id": "d", "words": ["Mie", "lies"], "tags": ["NNP", "VBZ"]}\n')
    with pytest.raises(GoldError, match="would rank by tag_acc, the scenario's board by ents_f"):
        check_gold(path, scenario)
    scenario.options = {"headline": "tag_acc"}
    assert check_gold(path, scenario).scores["tag_acc"] == 1.0
