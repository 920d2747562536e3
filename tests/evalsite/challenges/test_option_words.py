"""Options of a scenario in words: none is left as the command line writes it."""

import pytest

from evalsite.challenges.models import Scenario
from evalsite.challenges.option_words import options_in_words
from scoring.families import FAMILIES
from tests.factories import make_scenario


def said(family: str, **options) -> str:
    return options_in_words(Scenario(family=family, options=options))


CHOICES = [
    (family.name, option.key, choice)
    for family in FAMILIES.values()
    for option in family.options
    for choice in option.choices
    if not option.is_local
]


@pytest.mark.parametrize(("family", "key", "choice"), CHOICES)
def test_every_choice_has_words_of_its_own(family, key, choice):
    if key == "multi_as" or (key, choice) in {
        ("structures", "count"),
        ("scenario", 4),
        ("tolerance_edge", "in"),
        ("tolerance_edge", "out"),
        ("group_accuracy", True),
        ("group_correlations", True),
        ("group_error", True),
        ("shares", True),
        ("case", "ignore"),
    }:  # which need other options beside them
        option = next(option for option in FAMILIES[family].options if option.key == key)
        assert option.meaning(choice)
    else:
        assert not set("{}[]_=:") & set(said(family, **{key: choice}))


def test_what_spacy_scores_is_named():
    items = [{"name": name} for name in ("ner", "nervaluate", "confusion", "parser", "tagger")]
    assert said("spacy", scores=items, headline="ents_f", tokens="gold", format="jsonl") == (
        "entities, entities that are nearly right, which types were taken for which, sentences, "
        "trees without punctuation, tags; the tokens have to be the gold's; JSON Lines"
    )
    assert said("spacy", scores=[{"name": "textcat_multilabel"}]) == "categories"
    assert said("spacy", scores=[{"name": "textcat"}]) == "one category for each document"
    assert said("spacy", scores=[{"name": "span_finder", "key": "phrases"}]) == "spans in phrases without labels"


@pytest.mark.parametrize("name", ["tokenization", "morphologizer", "lemmatizer", "entity_linker", "default_pipeline"])
def test_all_that_spacy_scores_has_words(name):
    assert not set("{}[]_'") & set(said("spacy", scores=[{"name": name}]))


def test_readers_learn_which_rule_for_partial_matches_holds_also_where_nobody_chose_it():
    half = "a phrase with another extent is half right"
    assert said("ehealthkd", scenario=2) == f"phrases alone; {half}, whatever its label, as in the program of 2019"
    assert said("ehealthkd", rules="2021") == f"{half} if its label is right, as in the program of 2021"
    assert said("ehealthkd", rules="documented") == f"{half} if its label is right, as on the page of 2019"


def test_labels_are_listed():
    assert said("mat", content_annotations="PERSON,PLACE", pairing="1.2") == (
        "labels: PERSON and PLACE; paired as in MATScore 1.2, where a span clashes with all that it overlaps"
    )


def test_the_page_of_a_task_says_options_in_words(client, db, task):
    make_scenario(
        task,
        family="spacy",
        options={"scores": [{"name": "ner"}, {"name": "nervaluate"}], "tokens": "gold", "headline": "ents_f"},
    )
    page = " ".join(client.get(task.get_absolute_url()).content.decode().split())
    assert "(entities, entities that are nearly right; the tokens have to be the gold&#x27;s)" in page
    assert "&#x27;name&#x27;" not in page.partition("What to upload")[0]
