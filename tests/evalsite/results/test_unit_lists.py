"""Tests the way from every count to the units behind it: what the lists hold, in which order, and how one goes on."""

import re

import pytest
from django.urls import reverse

from evalsite.challenges.models import Phase
from scoring.labels import NOT_IN_GOLD
from tests.evalsite.families import make_annotated, make_answered, make_chained, make_parsed
from tests.factories import PARTLY_RIGHT, make_gold, make_run, run_files

pytestmark = pytest.mark.django_db

FAMILIES = {"qac": make_answered, "mat": make_annotated, "coreference": make_chained, "spacy": make_parsed}
LINKS = {"ehealthkd": 21, "mat": 60, "coreference": 5, "spacy": 67, "qac": 3}  # at least


@pytest.fixture
def made(request, family, phase, team, alice, olga):
    """A run of the family that alice has uploaded."""
    if family in FAMILIES:
        return FAMILIES[family](olga, team, alice)
    return make_run(phase, team, PARTLY_RIGHT)


def release():
    Phase.objects.update(gold_released=True)


def counts_of(page: str) -> dict[str, str]:
    return dict(re.findall(r'class="behind" href="([^"]*)">([^<]*)<', page))


@pytest.mark.parametrize("family", LINKS)
def test_every_count_leads_to_units_that_have_as_many_of_it(read, made, family):
    release()
    counts = counts_of(read(made.get_absolute_url()))
    assert len(counts) >= LINKS[family]
    for address, count in list(counts.items())[:: 1 if family != "spacy" else 4]:
        listed = read(address)
        found = re.search(r'<span class="number">([\d,]+)</span> in <span class="number">(\d+)</span>', listed)
        assert found, address
        assert found[1] == count.strip(), address
        assert len(re.findall(r'<th scope="row">', listed)) == int(found[2])


@pytest.mark.parametrize("family", ["ehealthkd", "mat"])
def test_while_gold_is_hidden_no_count_leads_anywhere_and_no_list_opens(read, made, family):
    page = read(made.get_absolute_url())
    assert not counts_of(page)
    assert "/units/" not in page
    read(f"/submissions/{made.pk}/scores/1/units/?of=by_tag&row=PER&column=missing", status=404)


@pytest.fixture
def sentences(phase, scenario, team):
    """Five sentences of one phrase each: the run misses the second and the fourth and takes the last for another."""
    text = "dolor\n" * 5
    lines = [f"{k + 1}\t{6 * k} {6 * k + 5}\tConcept\tdolor\n" for k in range(5)]
    make_gold(phase, scenario, run_files("".join(lines), "", sentences=text))
    run = lines[0] + lines[2] + lines[4].replace("Concept", "Oddity")
    release()
    return make_run(phase, team, run_files(run, "", sentences=text))


def unit_page(run, name: str, query: str = "") -> str:
    return reverse("submission_unit", args=[run.pk, 1, name]) + query


def neighbours(page: str) -> dict[str, str]:
    links = re.findall(r'rel="(prev|next)" href="([^"]*)"', page)
    return {rel: re.sub(r".*/units/(.*?)/.*", r"\1", href).replace("%20", " ") for rel, href in links}


def test_the_worst_unit_comes_first_and_next_goes_by_badness(read, sentences):
    page = read(unit_page(sentences, "sentence 4"))
    assert "2nd worst of <span" in page
    assert neighbours(page) == {"prev": "sentence 2", "next": "sentence 5"}


@pytest.mark.thorough
def test_by_name_the_order_is_that_of_the_gold(read, sentences):
    page = read(unit_page(sentences, "sentence 4", "?order=name"))
    assert neighbours(page) == {"prev": "sentence 3", "next": "sentence 5"}
    assert "order=name" in re.search(r'rel="next" href="([^"]*)"', page)[1]


@pytest.mark.thorough
def test_next_stays_within_the_units_behind_a_count(read, sentences):
    query = "?of=entity_labels&row=Concept&column=missing"
    page = read(unit_page(sentences, "sentence 2", query))
    assert neighbours(page) == {"next": "sentence 4"}
    assert query[1:] in re.search(r'rel="next" href="([^"]*)"', page)[1]
    assert neighbours(read(unit_page(sentences, "sentence 4", query))) == {"prev": "sentence 2"}


@pytest.mark.thorough
def test_a_unit_outside_of_the_list_is_shown_among_all(read, sentences):
    page = read(unit_page(sentences, "sentence 1", "?of=entity_labels&row=Concept&column=missing"))
    assert 'of <span class="number">5</span> sentences ·' in page


@pytest.mark.thorough
def test_a_label_that_the_gold_lacks_leads_to_its_units_too(read, sentences):
    page = read(f"/submissions/{sentences.pk}/scores/1/units/?of=label_confusion&row=Concept&column={NOT_IN_GOLD}")
    assert re.findall(r"<bdi>(sentence \d)</bdi>", page) == ["sentence 5"]


@pytest.mark.thorough
@pytest.mark.parametrize("query", ["of=nonsense&row=a&column=b", "of=entity_labels&row=No&column=missing", "column=x"])
def test_a_count_that_is_not_there_has_no_units(read, sentences, query):
    page = read(f"/submissions/{sentences.pk}/scores/1/units/?{query}")
    assert "Nothing stands behind this count" in page


def test_the_list_shows_the_text_of_its_units(read, sentences):
    assert 'dir="auto">dolor</span>' in read(f"/submissions/{sentences.pk}/scores/1/units/")
