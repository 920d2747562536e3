"""The scenario's form is made from the options of its family, and gives back what it has shown."""

import json
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsite.challenges.models import Scenario
from evalsite.desk.scenarios.forms import ScenarioForm
from evalsite.desk.scenarios.option_fields import display_value, scores_there_are, site_options, stands_open
from scoring.families import FAMILIES
from scoring.families.spacy import score_config, score_rows
from scoring.family import Option
from tests.factories import make_scenario, make_task
from tests.forms import filled

CASES = Path(__file__).parents[3] / "scoring/reference"


def options_in(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        for each in value:
            yield from options_in(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key == "options" and isinstance(each, dict):
                yield each
            else:
                yield from options_in(each)


def is_taken(family: str, options: dict[str, Any]) -> bool:
    """Tell whether a site takes these options."""
    try:
        Scenario(family=family, options=options).clean()
    except ValidationError:
        return False
    return True


def conformance_options(family: str) -> list[dict[str, Any]]:
    """Each set of options that the reference cases of a family use, once."""
    found = {
        json.dumps(options)
        for path in (CASES / family).glob("*.jsonl")
        for line in path.read_text().split("\n")
        if line
        for options in options_in(json.loads(line))
    }
    return [options for options in map(json.loads, sorted(found)) if is_taken(family, options)]


@pytest.fixture
def sent_form(db):
    """Sends the form of a scenario with these options as a browser does, with what was typed."""
    stored = make_scenario(make_task())

    def send(family: str, options: dict[str, Any], **typed: Any) -> ScenarioForm:
        scenario = copy(stored)
        scenario.family, scenario.options = family, options
        page = "".join(str(field) for field in ScenarioForm(None, instance=scenario))
        sent = filled(SimpleNamespace(content=f'<form id="f">{page}</form>'.encode()), "f", **typed)
        return ScenarioForm(sent, instance=scenario)

    return send


@pytest.fixture
def sent_back(sent_form):
    """Returns the options after such a form was saved."""

    def send(family: str, options: dict[str, Any], **typed: Any) -> dict[str, Any]:
        form = sent_form(family, options, **typed)
        assert form.is_valid(), form.errors
        return form.save(commit=False).options

    return send


@pytest.mark.thorough
def test_all_options_of_the_reference_cases_come_back_as_they_are_stored(sent_back):
    for family in FAMILIES:
        found = conformance_options(family)
        # Its cases say the scenario in another way.
        assert found or family == "ehealthkd"
        for options in [{}, *found]:
            assert sent_back(family, options) == options


def any_value(option: Option, draw: Any) -> Any:
    """A value that the option takes, in one of the ways in which it may be stored."""
    if option.choices:
        value = draw(st.sampled_from(option.choices))
        return draw(st.sampled_from([value, str(value)])) if isinstance(value, int) else value
    if option.takes == "rows":
        return [{"name": draw(st.sampled_from(["ner", "tagger", "nervaluate", "seqeval", "entity_linker"]))}]
    if option.takes == "texts":
        labels = draw(st.lists(st.text("ABCé", min_size=1), min_size=1, unique=True))
        return draw(st.sampled_from([labels, ",".join(labels)]))
    return draw(st.sampled_from(["", ".json"])) if option.takes == "text" else None


def test_any_options_come_back_as_they_are_stored(sent_back):
    @settings(max_examples=60, deadline=None, database=None)
    @given(st.data())
    def come_back(data):
        family = data.draw(st.sampled_from(list(FAMILIES.values())))
        keys = data.draw(st.sets(st.sampled_from([option.key for option in site_options(family)])))
        options = {option.key: any_value(option, data.draw) for option in site_options(family) if option.key in keys}
        if is_taken(family.name, options):
            assert sent_back(family.name, options) == options

    come_back()


def test_words_that_stand_for_others_are_lines_of_their_own(sent_back):
    assert sent_back("transcripts", {}, option_map="uh =\r\ngonna = going to") == {"map": ["uh =", "gonna = going to"]}
    options = FAMILIES["transcripts"].configure({"map": ["uh =", "gonna = going to"]})
    assert options["map"] == {"gonna": "going to", "uh": ""}


def test_what_is_scored_and_labels_are_set_without_any_json(sent_back):
    assert sent_back("spacy", {}, **{"option_scores-new": "ner"}) == {"scores": [{"name": "ner"}]}
    assert sent_back("mat", {}, option_content_annotations="PER\r\nLOC, city") == {
        "content_annotations": ["PER", "LOC, city"]
    }


def test_of_several_rows_the_others_stay_as_they_are(sent_back):
    scores = [{"name": "parser"}, {"name": "cats", "labels": [], "threshold": 0.5}, {"name": "ner"}]
    after = sent_back("spacy", {"scores": scores}, **{"option_scores-0-remove": "on", "option_scores-new": "tagger"})
    assert after == {"scores": [*scores[1:], {"name": "tagger"}]}


def test_every_item_of_spacy_has_a_row():
    assert {kind.name for kind in score_rows.KINDS} == {*score_config.ARGUMENTS, *score_config.SHORT_ARGUMENTS}


def test_scores_that_the_options_do_not_give_are_not_offered_unless_one_is_chosen():
    choices = [("", "by default"), ("f1", "F1"), ("mrr", "MRR"), ("map", "MAP")]
    assert scores_there_are(choices, {"f1"}, None) == [("", "by default"), ("f1", "F1")]
    assert scores_there_are(choices, {"f1"}, "map") == [("", "by default"), ("f1", "F1"), ("map", "MAP")]


def test_a_score_that_the_options_do_not_have_is_named_by_its_title(sent_form):
    errors = sent_form("labels", {"task": "single"}, option_headline="top_3_accuracy").errors
    assert errors == {"option_headline": ["“Right among the first 3” needs other options. Choose another score."]}


def test_a_form_of_labels_shows_what_such_a_row_needs_and_what_somebody_has_set():
    options = {option.key: option for option in site_options(FAMILIES["labels"])}
    usual = {key: display_value(option, option.default) for key, option in options.items()}
    shown = [key for key, option in options.items() if stands_open(option, usual[key])]
    assert shown == ["task", "label", "labels", "headline", "id"]
    assert stands_open(options["positive"], "yes")
    assert stands_open(options["group"], "topic")
