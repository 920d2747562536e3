"""Organisers add, change and delete scenarios on the desk, without knowing how options are stored."""

import re

import pytest
from django.urls import reverse

from evalsite.challenges.models import Event, Scenario
from evalsite.desk.scenarios.uses import areas_of, way_of, ways
from tests.factories import make_scenario
from tests.forms import filled

pytestmark = pytest.mark.django_db
FORM = "scenario_form"


@pytest.fixture
def desk(as_olga, scenario):
    return as_olga


def address(task, name: str, *rest: object) -> str:
    return reverse(f"desk_scenarios{name}", args=[task.slug, *rest])


@pytest.mark.thorough
def test_what_people_do_leads_to_a_scenario_without_anything_else_to_fill_in(desk, task):
    for number, way in enumerate(ways(), start=2):
        page = desk.get(address(task, "_add", way.use.key))
        assert not re.search(r'[{\[]("|&quot;)', page.content.decode().partition("<main")[2])  # no JSON
        assert desk.post(address(task, "_add", way.use.key), filled(page, FORM)).status_code == 302
        made = task.scenarios.get(number=number)
        made.full_clean()
        assert way_of(made) == way
        assert Event.objects.filter(task=task, kind="scenario added", subject=made.pk).exists()


def test_a_scenario_whose_use_nobody_has_chosen_is_not_called_by_what_all_have_by_default(task):
    """A use that asks for the usual ranking score alone fits every classification."""
    assert way_of(make_scenario(task, family="labels", options={"labels": ["a", "b", "c"]})).use.key == (
        "text-classification"
    )


def test_options_that_cannot_change_stand_folded_where_they_are_the_usual_ones(desk, scored_submission):
    page = desk.get(address(scored_submission.phase.task, "_edit", 1)).text
    shown, _, folded = page.partition("How it is counted")[2].partition("More options")
    assert "this cannot change" in shown
    assert "Tables of single phrases and relations" in folded
    assert "Tables of single phrases and relations" not in shown


def test_a_row_is_added_and_removed_without_a_script_and_without_a_word_of_what_is_missing(desk, task):
    page = desk.get(address(task, "_add", "named-entities"))
    sent = filled(page, FORM, name="", more="option_scores", **{"option_scores-new": "nervaluate"})
    more = desk.post(address(task, "_add", "named-entities"), sent)
    assert more.status_code == 200
    assert "error-summary" not in more.content.decode()
    chosen = {"name": "Names", "option_scores-1-min_overlap": "50", "option_scores-0-remove": "on"}
    desk.post(address(task, "_add", "named-entities"), filled(more, FORM, **chosen))
    assert task.scenarios.get(number=2).options["scores"] == [{"name": "nervaluate", "min_overlap": 50.0}]


def test_a_wrong_option_is_told_at_its_field_in_words(desk, task):
    page = desk.get(address(task, "_add", "named-entities"))
    sent = filled(page, FORM, **{"option_scores-new": "spans"})
    refused = desk.post(address(task, "_add", "named-entities"), sent)
    assert refused.status_code == 422
    assert "Row 2, Of which layer: This field is required." in refused.content.decode()
    more = desk.post(address(task, "_add", "named-entities"), sent | {"more": "", "option_scores-new": "nervaluate"})
    sent = filled(more, FORM, **{"option_scores-1-min_overlap": "500"})
    refused = desk.post(address(task, "_add", "named-entities"), sent)
    assert "Entities that are nearly right, Least overlap: must be a number from 0 to 100" in refused.content.decode()


def test_shown_scores_stand_in_the_order_of_their_numbers(desk, task):
    page = desk.get(address(task, "_edit", 1))
    sent = {"shown_scores-recall": "on", "shown_scores-recall-place": "2", "shown_scores-precision": "on"}
    desk.post(address(task, "_edit", 1), filled(page, FORM, **sent, **{"shown_scores-precision-place": "1"}))
    assert Scenario.objects.get(task=task).shown_scores == ["precision", "recall"]
    assert "every upload can reveal up to 13 bits" in page.content.decode()


def test_a_colleagues_change_of_an_option_is_shown_in_words(desk, task):
    mine = desk.get(address(task, "_edit", 1))
    desk.post(address(task, "_edit", 1), filled(mine, FORM, option_scenario="2"))
    refused = desk.post(address(task, "_edit", 1), filled(mine, FORM, option_scenario="3"))
    assert refused.status_code == 422
    shown = refused.content.decode().partition("What is to be found</legend>")[2][:600]
    assert "Phrases alone" in shown
    assert "Relations alone" in shown
    event = Event.objects.filter(task=task, kind="scenario changed").get()
    assert event.detail["changed"] == {"scenario": ["Phrases and relations", "Phrases alone"]}


def test_beside_a_scenario_stands_what_participants_upload(desk, task):
    page = desk.get(address(task, "_edit", 1)).content.decode()
    assert "output_a_scenario1.txt" in page
    assert reverse("example", args=[task.slug, 1]) in page


def test_family_and_options_stay_once_runs_are_scored(desk, task, scored_submission):
    page = desk.get(address(task, "_edit", 1))
    assert "option_scenario" not in page.content.decode()
    desk.post(address(task, "_edit", 1), filled(page, FORM, name="Phrases", option_scenario="2"))
    assert Scenario.objects.get(task=task).name == "Phrases"
    assert Scenario.objects.get(task=task).options == {"scenario": "1"}


def test_an_unused_scenario_can_go_and_one_with_gold_stays(desk, task, phase):
    unused = make_scenario(task, 2)
    assert desk.post(address(task, "_delete", 2)).status_code == 302
    assert not Scenario.objects.filter(pk=unused.pk).exists()
    assert desk.post(address(task, "_delete", 1)).status_code == 409
    assert task.scenarios.count() == 1


def test_ways_stand_by_what_people_know_their_task_as_and_are_found_by_words_and_scores(desk, task):
    every = desk.get(address(task, "_ways")).content.decode()
    assert every.index("Classification") < every.index("Annotations in texts") < every.index("Questions and answers")
    assert all(way.title in every for way in ways())
    found = desk.get(address(task, "_ways"), {"q": "names kind"}).content.decode()
    assert "Named entities" in found
    assert "Coreference" not in found
    by_score = desk.get(address(task, "_ways"), {"q": "reciprocal rank"}).content.decode()
    assert "Question answering with ranked answers" in by_score
    assert "Nothing here matches" in desk.get(address(task, "_ways"), {"q": "cartography"}).content.decode()


def test_areas_are_folded_and_say_what_they_hold_and_those_in_which_something_is_found_are_open(desk, task):
    areas = areas_of(ways())
    folded = desk.get(address(task, "_ways")).content.decode()
    assert folded.count('<details class="ways-area"') == len(areas)
    assert not re.search(r'<details class="ways-area"[^>]* open>', folded)
    classification = " ".join(folded.partition('id="classification"')[2].partition("</summary>")[0].split())
    assert f"{len(areas[0].ways)} kinds" in classification
    assert all(way.title in classification for way in areas[0].ways)
    found = desk.get(address(task, "_ways"), {"q": "texts"}).content.decode()
    opened = re.findall(r'<details class="ways-area"[^>]* open>', found)
    assert len(opened) == found.count('<details class="ways-area"') > 1
