"""What to upload is said in the same words on the page, in the kit and by the API, for the task's own options."""

import re
from html import unescape
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.urls import reverse

from evalsite.challenges.models import Scenario
from evalsite.challenges.texts.layouts import layout_text
from tests.evalsite.families import make_answered
from tests.factories import make_scenario

pytestmark = pytest.mark.django_db


def test_page_kit_and_program_say_the_same(as_alice, team, phase, scenario):
    page = as_alice.get(reverse("submit", args=["health", "test"])).content.decode()
    with ZipFile(BytesIO(as_alice.get("/tasks/health/test/kit.zip").content)) as archive:
        readme, leeme = (archive.read(f"health-test-kit/{name}").decode() for name in ("README.md", "LEEME.md"))
    told = as_alice.get("/api/v1/tasks/health").json()["scenarios"][0]["layout"]
    words = " ".join(unescape(re.sub(r"<[^>]+>", "", page)).split())
    assert "`output_a_scenario1.txt`: the key phrases." in told
    assert told in readme
    assert "`output_a_scenario1.txt`: las frases clave." in leeme
    assert "output_a_scenario1.txt: the key phrases." in words
    assert "2018" not in told


@pytest.mark.parametrize(
    ("family", "options", "asked", "foreign"),
    [
        ("labels", {"label": "intent"}, "column `intent`", "`label`"),
        ("qac", {"format": "squad"}, '{"56f8": "the bay", "56f9": ""}', "QAC1-"),
        ("qac", {"format": "trec"}, "1402 run-A NYT19990326.0303 in 1862", "QAC1-"),
        ("qac", {}, "QAC1-1001-02", "run-A"),
        ("spacy", {"scores": [{"name": "ner"}], "format": "jsonl"}, "A document a line,", "CoNLL-U"),
        ("spacy", {"scores": [{"name": "ner"}], "format": "jsonl"}, '"ents"', '"heads"'),
        ("mat", {"content_annotations": "VESSEL,PLACE"}, "VESSEL", "PER"),
        ("labels", {"label": "intent", "labels": "ask,report"}, "`ask`, `report`.", "in the list"),
    ],
)
def test_a_layout_has_the_formats_that_the_task_reads_and_no_others(family, options, asked, foreign):
    text = layout_text(Scenario(number=1, family=family, options=options))
    assert asked in text
    assert foreign not in text


@pytest.mark.parametrize(
    ("family", "options", "before"),
    [
        ("labels", {"labels": [f"L{n}" for n in range(4_000)]}, "The labels are"),
        ("mat", {"content_annotations": [f"L{n}" for n in range(4_000)]}, "Scored labels:"),
        ("transcripts", {"map": {f"L{n}": "" for n in range(4_000)}}, "These words are unified"),
    ],
)
def test_thousands_of_labels_are_folded_with_their_number(client, olga, task, family, options, before):
    make_scenario(task, family=family, options=options)
    page = " ".join(client.get(task.get_absolute_url()).content.decode().split())
    assert re.search(rf"<summary>{before}[^<]* 4,000</summary>", page)
    assert page.count("<code>L2000</code>") == 1
    assert "L2000" not in page.replace("<code>L2000</code>", ""), "the options in words name the first ones"
    assert "L3999" in layout_text(Scenario(number=1, family=family, options=options))


def test_the_page_of_a_task_in_another_format_shows_that_format(client, olga, team, alice):
    scenario = make_answered(olga, team, alice).phase.task.scenarios.get()
    scenario.options = {"format": "squad"}
    scenario.save()
    page = unescape(client.get(scenario.task.get_absolute_url()).content.decode())
    assert '{"56f8": "the bay", "56f9": ""}' in page
    assert "QAC1-1001-02" not in page
