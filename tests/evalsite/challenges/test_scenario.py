"""A scenario is checked against its family before it is stored."""

import pytest
from django.core.exceptions import ValidationError

import scoring
from evalsite.challenges.models import Scenario

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("family", "unheard-of"),
        ("options", {"scenario": "4"}),
        ("options", {"flavour": "sweet"}),
        ("options", [1]),
        ("shown_scores", ["f1", "f7"]),
        ("shown_scores", 5),
        ("shown_scores", [["f1"]]),
    ],
)
def test_what_the_family_does_not_know_is_refused_at_its_field(scenario, field, value):
    setattr(scenario, field, value)
    with pytest.raises(ValidationError) as refused:
        scenario.full_clean()
    assert list(refused.value.message_dict) == [field]


def test_the_headline_comes_first_on_the_board(task):
    scenario = Scenario(task=task, number=1, family="ehealthkd", shown_scores=["recall", "f1"])
    assert scenario.scores == ["f1", "recall"]


@pytest.mark.parametrize("family", list(scoring.FAMILIES))
def test_where_no_scores_are_chosen_few_are_shown(family):
    scenario = Scenario(number=1, family=family)
    for use in scenario.engine_family.offer.uses:
        scenario.options = dict(use.options)
        assert scenario.scores[0] == scenario.headline
        assert len(set(scenario.scores)) == len(scenario.scores) <= 7
