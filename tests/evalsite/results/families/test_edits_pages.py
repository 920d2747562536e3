"""The pages of a run of edits: types while the gold is hidden, sentences with all edits once it is open."""

import re

import pytest
from django.urls import reverse

from evalsite.challenges.models import Phase
from scoring import FAMILIES
from tests.factories import make_gold, make_phase, make_run, make_scenario, make_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(olga, team):
    task = make_task("grammar", olga)
    scenario = make_scenario(task, family="edits", options={})
    phase = make_phase(task)
    family = FAMILIES["edits"]
    small = family.offer.specimen(family.configure({}))
    make_gold(phase, scenario, {path: content.decode() for path, content in small.gold.items()})
    return make_run(phase, team, {path: content.decode() for path, content in small.run.items()})


def test_a_run_is_told_by_f_and_no_sentence_while_gold_is_hidden(read, run):
    page = read(run.get_absolute_url())
    assert "F0.5" in page
    assert "have waited" not in page


def test_where_gold_is_open_a_sentence_shows_the_edits_of_run_and_annotators(read, run):
    Phase.objects.update(gold_released=True)
    page = read(run.get_absolute_url())
    assert "R:VERB:SVA" in page
    sentence = read(reverse("submission_unit", args=[run.pk, 1, "2"]))
    assert "We waited for an bus since two hour ." in sentence
    assert len(re.findall(r"have waited", sentence)) == 2
