"""The page of one gold: what a candidate changes, and the ways to publish or discard it."""

import pytest
from django.urls import reverse

from evalsite.background.models import Job
from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Event, Gold
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board, Preview
from evalsite.submissions.lifecycle import transitions
from evalsite.submissions.lifecycle.candidates import queue_batch
from evalsite.submissions.models import Scoring
from tests.evalsite.board_pages.pages import page, text
from tests.factories import PARTLY_RIGHT_PHRASES, make_gold, make_run, run_files, work_off

pytestmark = pytest.mark.django_db
# Gold that calls right what a partly right run found.
MENDED = run_files(PARTLY_RIGHT_PHRASES, "")


@pytest.fixture
def runs(phase, team, strangers):
    """A partly right run and a perfect one, on a board."""
    found = [
        make_run(phase, team),
        make_run(phase, strangers, run_files()),
    ]
    refresh(Board.objects.get())
    return found


@pytest.fixture
def mended(runs, phase, scenario):
    """A candidate; by it the two runs change places."""
    return make_gold(phase, scenario, MENDED)


def address(gold, name="desk_gold_version"):
    return reverse(name, args=[gold.phase.task.slug, gold.pk])


def shown(client, gold):
    return text(client.get(address(gold)).content.decode())


def test_the_page_tells_how_far_a_candidate_is_without_javascript(as_olga, mended):
    html = as_olga.get(address(mended)).content.decode()
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in html
    asked = as_olga.get(address(mended), headers={"HX-Request": "true"})
    assert "0 of 2 runs done" in text(asked.content.decode())
    assert "HX-Refresh" not in asked

    work_off()

    assert 'http-equiv="refresh"' not in as_olga.get(address(mended)).content.decode()
    assert as_olga.get(address(mended), headers={"HX-Request": "true"})["HX-Refresh"] == "true"


def test_the_page_tells_what_changes_in_the_gold_on_the_boards_and_for_each_run(as_olga, mended):
    work_off()

    said = shown(as_olga, mended)

    assert "2 sentences before, 2 now: 0 added, 0 removed, 2 changed." in said
    assert "phrases 5 4" in said
    assert "Reference 1 0" in said
    assert "relations 2 0" in said
    assert "2 entries would have another place." in said
    first, second = as_olga.get(address(mended)).context["candidate"].lines
    assert (first.now.name, first.then.name, first.before.rank_range) == ("Charlie's team", "Alice and Bob", "1–2")
    assert (second.now.name, second.then.name) == ("Alice and Bob", "Charlie's team")
    assert "2 of 2 runs get another score." in said
    Preview.objects.update(counts={})  # one from before they were kept is made anew
    assert "runs get another score" not in shown(as_olga, mended)
    work_off()
    assert "2 of 2 runs get another score." in shown(as_olga, mended)
    assert text(as_olga.get(address(mended, "desk_gold_version_runs")).content.decode()).count("Rules") == 2


def test_units_that_come_and_go_are_named(as_olga, runs, phase, scenario):
    make_gold(phase, scenario, run_files("1\t0 5\tConcept\tdolor\n", "", sentences="dolor\n"))
    work_off()

    said = shown(as_olga, Gold.objects.get(state="candidate"))

    assert "2 sentences before, 1 now: 1 added, 2 removed, 0 changed." in said
    assert "Otra frase con cáncer de piel" in said
    assert "Without a score by the candidate" in said
    assert "It cannot be published as it is: these teams would have no score" in said


def test_publishing_takes_a_public_note_and_the_board_says_it(as_olga, mended):
    work_off()
    assert as_olga.post(address(mended), {"publish": "1", "note": " "}).status_code == 422
    assert gold_in_force(mended.phase, mended.scenario).version == 1

    as_olga.post(address(mended), {"publish": "1", "note": "three labels corrected"})

    refresh(Board.objects.get())
    as_olga.logout()
    html = page(as_olga)
    assert "Gold version 2 since " in text(html)
    assert ": three labels corrected" in text(html)
    assert 'href="?gold=1"' in html


def test_a_candidate_is_discarded_with_a_reason(as_olga, mended):
    work_off()
    as_olga.post(address(mended), {"discard": "1", "reason": "shifted by one"})
    work_off()
    assert not Scoring.objects.filter(gold=mended).exists()
    assert Event.objects.get(kind="gold discarded").detail["reason"] == "shifted by one"
    assert "discarded" in shown(as_olga, mended)
    as_olga.post(address(mended), {"publish": "1", "note": "anyway"})
    assert Gold.objects.get(pk=mended.pk).state == "discarded"


def test_runs_that_failed_on_a_candidate_can_be_scored_again(as_olga, mended):
    queue_batch(mended)
    transitions.fail(transitions.claim(Scoring.objects.filter(gold=mended).first().pk), "the machine", final=True)
    work_off()
    assert "Score those that failed again" in shown(as_olga, mended)

    as_olga.post(address(mended), {"again": "1"})
    work_off()

    assert set(Scoring.objects.filter(gold=mended).values_list("state", flat=True)) == {"scored"}
    assert not Job.objects.filter(state__in=Job.ACTIVE).exists()
