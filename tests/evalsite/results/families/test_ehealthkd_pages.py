"""The page of a sentence: phrases marked on both sides, relations as arcs and as a list, filters."""

import re
from html import unescape

import pytest
from django.urls import reverse

from evalsite.challenges.models import Phase
from evalsite.results.units.ehealthkd import MOST_DRAWN, sentence

TEXT = "La tos, aguda y la fiebre cansan"
RECORD = {
    "line": 1,
    "text": TEXT,
    "gold": [
        {"id": 1, "label": "Concept", "spans": [[3, 6], [8, 13]]},
        {"id": 2, "label": "Concept", "spans": [[19, 25]]},
        {"id": 3, "label": "Action", "spans": [[26, 32]]},
    ],
    "system": [
        {"id": 1, "label": "Concept", "spans": [[3, 6]]},
        {"id": 2, "label": "Action", "spans": [[16, 25]]},
        {"id": 3, "label": "Action", "spans": [[26, 32]]},
    ],
    "phrases": [
        {"kind": "partial", "gold": 0, "system": 0},
        {"kind": "partial", "gold": 1, "system": 1},
        {"kind": "correct", "gold": 2, "system": 2},
    ],
    "relations": [
        {"kind": "correct", "label": "subject", "gold": [2, 0], "system": [2, 0]},
        {"kind": "missing", "label": "subject", "gold": [2, 1], "system": None},
        {"kind": "spurious", "label": "target", "gold": None, "system": [2, 1]},
    ],
}


def test_partial_phrases_with_another_label_are_told_from_those_of_another_extent():
    shown = sentence(RECORD)
    assert [(row.kind, row.title) for row in shown.text.rows] == [
        ("spanclash", "Partial"),
        ("bothclash", "Partial, other label"),
        ("match", "Correct"),
    ]


def test_a_broken_phrase_is_marked_piece_by_piece_and_listed_once():
    shown = sentence(RECORD)
    [passage] = shown.text.passages
    marked = [piece.text for piece in passage.gold if piece.marks and piece.marks[0].pair == "pair-1"]
    assert marked == ["tos", "aguda"]
    assert shown.text.rows[0].gold["content"] == "tos … aguda"


def test_kinds_and_labels_count_phrases_and_relations_together():
    shown = sentence(RECORD)
    assert [(kind, number) for kind, _, number in shown.kinds] == [
        ("match", 2),
        ("spanclash", 1),
        ("bothclash", 1),
        ("missing", 1),
        ("spurious", 1),
    ]
    assert (shown.n_all, shown.n_errors) == (6, 4)
    assert shown.labels == [("Action", 2), ("Concept", 2), ("subject", 2), ("target", 1)]


@pytest.mark.parametrize(
    ("show", "label", "phrases", "relations"),
    [
        ("errors", "", [1, 2], [2, 3]),
        ("missing", "", [], [2]),
        ("", "subject", [], [1, 2]),
        ("", "Action", [2, 3], []),
        ("errors", "subject", [], [2]),
        ("nonsense", "nonsense", [1, 2, 3], [1, 2, 3]),
    ],
)
def test_a_kind_or_a_label_is_shown_alone(show, label, phrases, relations):
    shown = sentence(RECORD, show, label)
    assert [row.number for row in shown.text.rows] == phrases
    assert [relation.number for relation in shown.relations] == relations


def test_the_golds_relations_are_drawn_above_the_words_and_the_systems_below():
    drawing = sentence(RECORD).drawing
    assert [(edge.label, edge.kind) for edge in drawing.above] == [("subject", "right"), ("− subject", "missing")]
    assert [(edge.label, edge.kind) for edge in drawing.below] == [("subject", "right"), ("× target", "spurious")]
    assert all(edge.y < drawing.baseline for edge in drawing.above)
    assert all(drawing.baseline + 20 < edge.y < drawing.height for edge in drawing.below)
    assert [word.text for word in drawing.words] == TEXT.split()


def test_a_very_long_sentence_is_listed_and_not_drawn():
    long = RECORD | {"text": TEXT + " y" * MOST_DRAWN}
    assert sentence(long).drawing is None
    assert len(sentence(long).relations) == 3


@pytest.fixture
def open_run(scored_submission):
    Phase.objects.filter(pk=scored_submission.phase_id).update(gold_released=True)
    return scored_submission


@pytest.mark.django_db
def test_sentences_are_listed_and_lead_to_their_pages_where_the_gold_may_be_seen(as_alice, open_run):
    address = reverse("submission_unit", args=[open_run.pk, 1, "sentence 1"])
    assert f'href="{address}"' in as_alice.get(open_run.get_absolute_url()).content.decode()
    content = unescape(as_alice.get(address).content.decode())
    assert "vías respiratorias" in content
    assert re.search(r"Missing</span>\s*<span class=\"number\">\d", content)
    assert 'class="tree"' in content
    filtered = unescape(as_alice.get(f"{address}?show=missing&label=Concept").content.decode())
    assert "No relation of this kind is in this sentence." in filtered
    assert "?show=missing&label=Concept" not in content


@pytest.mark.django_db
def test_no_page_of_a_sentence_is_shown_while_the_gold_is_hidden(as_alice, scored_submission):
    address = reverse("submission_unit", args=[scored_submission.pk, 1, "sentence 1"])
    assert as_alice.get(address).status_code == 404
    assert address not in as_alice.get(scored_submission.get_absolute_url()).content.decode()


@pytest.mark.django_db
def test_while_too_many_files_are_read_the_page_asks_to_come_again(as_alice, open_run, settings):
    settings.JOBS_AT_ONCE = settings.JOBS_WAITING = 0
    answer = as_alice.get(reverse("submission_unit", args=[open_run.pk, 1, "sentence 1"]))
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "Load this page again in a few seconds." in answer.content.decode()
