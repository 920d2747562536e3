"""New gold never empties a board: it ranks by the gold before until all its runs have been tried on the new one."""

import json
from datetime import UTC, datetime, timedelta
from importlib import import_module

import pytest
import time_machine
from django.apps import apps
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Event, Phase
from evalsite.leaderboard.bests import recount_all
from evalsite.leaderboard.entries import finish_boards, refresh
from evalsite.leaderboard.models import Board, Edition
from evalsite.submissions import endings, intake, leases, services
from evalsite.submissions.golds import gold_in_force
from evalsite.submissions.models import AdoptedGold, Scoring
from evalsite.submissions.rescoring import score_again
from tests.evalsite.leaderboard.pages import names, page, text
from tests.factories import (
    PARTLY_RIGHT,
    PARTLY_RIGHT_PHRASES,
    make_gold,
    make_submission,
    run_files,
    scored,
)

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
# Gold that calls right what a partly right run found.
MENDED = run_files(PARTLY_RIGHT_PHRASES, "")
OTHER_TEXTS = run_files("1\t0 5\tConcept\tdolor\n", "", sentences="dolor\n")


def run(phase, team, files=PARTLY_RIGHT, **fields):
    return scored(make_submission(phase, team, team.members.first(), files, **fields))


def remade(phase):
    refresh(Board.objects.select_related("phase", "scenario").get(phase=phase))
    return Edition.objects.select_related("gold").order_by("-made").first()


def teams_on(edition):
    return {entry["team"] for entry in edition.entries}


@pytest.fixture
def runs(phase, team, strangers):
    """A partly right run and a perfect one, on a board."""
    found = [run(phase, team), run(phase, strangers, run_files())]
    remade(phase)
    return found


@pytest.fixture
def mended(runs, phase, scenario):
    """Gold version 2; by it the two runs change places."""
    return make_gold(phase, scenario, MENDED)


def test_one_upload_after_new_gold_leaves_all_teams_on_the_board(runs, mended, phase, team, strangers):
    late = run(phase, team, run_files(relations=""))

    edition = remade(phase)

    assert edition.gold.version == 1
    assert teams_on(edition) == {str(team.pk), str(strangers.pk)}
    assert str(late.pk) in {entry["submission"] for entry in edition.entries}


def test_the_board_goes_over_to_new_gold_in_one_edition_when_all_runs_are_scored_on_it(
    runs, mended, phase, team, strangers, olga
):
    queued = score_again(runs, by=olga)
    services.score(queued[0])
    half = remade(phase)
    assert (half.gold.version, half.entries[0]["team"]) == (1, str(strangers.pk))

    services.score(queued[1])
    whole = remade(phase)

    assert (whole.gold.version, whole.entries[0]["team"]) == (2, str(team.pk))
    assert teams_on(whole) == {str(team.pk), str(strangers.pk)}
    assert list(Edition.objects.values_list("gold__version", flat=True)) == [2, 1]
    assert Event.objects.get(kind="gold adopted").detail == {"version": 2, "scenario": 1}


def test_a_board_that_has_gone_over_does_not_go_back(runs, mended, phase, strangers, charlie, olga):
    for key in score_again(runs, by=olga):
        services.score(key)
    remade(phase)

    make_submission(phase, strangers, charlie, run_files(relations=""))
    intake.withdraw(runs, by=olga)
    intake.restore(runs, by=olga)

    assert remade(phase).gold.version == 2
    assert gold_in_force(phase, mended.scenario) == mended


def test_an_upload_is_scored_on_the_gold_in_force_and_on_the_one_that_waits(runs, mended, phase, team, scenario, olga):
    late = run(phase, team, run_files(relations=""))
    assert sorted(late.scorings.values_list("gold__version", flat=True)) == [1, 2]

    for key in score_again(runs, by=olga):
        services.score(key)
    remade(phase)

    later = run(phase, team, PARTLY_RIGHT | {"note.txt": "later"})
    assert list(later.scorings.values_list("gold__version", flat=True)) == [2]


def test_a_version_that_was_mended_before_anything_was_scored_on_it_is_passed_over(
    runs, mended, phase, scenario, team, olga
):
    third = make_gold(phase, scenario, run_files(relations="is-a\t1\t2\n"))
    for key in score_again(runs, by=olga):
        services.score(key)

    assert remade(phase).gold == third
    assert not Scoring.objects.filter(gold=mended).exists()


@pytest.mark.parametrize("state", ["refused", "failed"])
def test_a_run_that_ended_without_a_score_on_the_new_gold_is_not_waited_for(
    runs, mended, phase, team, strangers, olga, state
):
    """The last one to end, so that the board has to hear of it; the gold it was scored on before keeps its result."""
    first, last = score_again(runs, by=olga)
    services.score(first)
    remade(phase)
    claimed = leases.claim(last)
    endings.refuse(claimed, [], []) if state == "refused" else endings.fail(claimed, "broken", final=True)
    assert Board.objects.get().is_stale

    edition = remade(phase)

    assert edition.gold.version == 2
    assert teams_on(edition) == {str(team.pk)}
    assert Scoring.objects.filter(pk=last, state=state).exists()


def test_a_run_that_is_tried_again_or_was_never_queued_is_waited_for(runs, mended, phase, olga):
    [key] = score_again(runs[:1], by=olga)
    services.score(key)
    assert remade(phase).gold.version == 1

    [key] = score_again(runs, by=olga)
    endings.fail(leases.claim(key), "the first of three attempts")
    assert remade(phase).gold.version == 1


def test_gold_that_refuses_every_run_does_not_empty_the_board(runs, phase, scenario, olga):
    make_gold(phase, scenario, OTHER_TEXTS)
    for key in score_again(runs, by=olga):
        services.score(key)
    assert not Scoring.objects.filter(gold__version=2).exclude(state="refused").exists()

    edition = remade(phase)

    assert (edition.gold.version, len(edition.entries)) == (1, 2)


def test_withdrawing_the_run_that_is_waited_for_lets_the_board_go_over(runs, mended, phase, olga):
    [key] = score_again(runs[:1], by=olga)
    services.score(key)

    intake.withdraw(runs[1:], by=olga, side="organisers", reason="Cannot be scored.")

    assert remade(phase).gold.version == 2


def test_a_run_keeps_its_score_on_its_page_while_it_waits_for_new_gold(client, runs, mended, phase, alice, olga):
    client.force_login(alice)
    score_again(runs, by=olga)
    waiting = runs[0].scorings.get(gold=mended)
    headline = runs[0].scorings.get(state="scored").result.headline
    page_of_run = text(client.get(runs[0].get_absolute_url()).content.decode())
    assert f"F1 {headline:.3f}" in page_of_run
    assert "It is also being scored on version 2 of the gold" in page_of_run
    assert f"{headline:.3f}" in text(client.get(reverse("submissions", args=[phase.task.slug])).content.decode())

    services.score(waiting.pk)
    scores = reverse("submission_scores", args=[runs[0].pk, 1])
    assert json.loads(client.get(scores).content)["scores"]["f1"] == headline
    for scoring in Scoring.objects.filter(state="queued"):
        services.score(scoring.pk)
    remade(phase)
    assert json.loads(client.get(scores).content)["scores"]["f1"] > headline


def test_the_pages_beside_the_board_go_by_the_gold_that_it_ranks_by(client, runs, mended, phase, team):
    run(phase, team, run_files(relations="") | {"note.txt": "late"})
    remade(phase)

    history = text(page(client, path="/tasks/health/test/board/1/history/"))
    compared = client.get("/tasks/health/test/board/1/compare/").context["candidates"]

    assert "3 runs" in history
    assert len(compared) == 2


def test_the_organisers_page_of_the_task_tells_how_far_new_gold_is_until_it_has_taken_over(
    client, runs, mended, phase, task, olga
):
    client.force_login(olga)
    address = reverse("admin:challenges_task_change", args=[task.pk])
    queued = score_again(runs, by=olga)
    services.score(queued[0])
    said = " ".join(client.get(address).content.decode().split())
    assert "The board ranks by version 1 until all its runs are scored on this one; 1 of 2 are." in said

    services.score(queued[1])
    remade(phase)
    assert "The board ranks by version" not in client.get(address).content.decode()


def test_organisers_read_on_the_board_how_far_new_gold_is_and_others_do_not(client, runs, mended, phase, olga):
    words = "ranks by version 1 of the gold until every run on it has been scored on version 2"
    [key] = score_again(runs[:1], by=olga)
    services.score(key)
    remade(phase)
    assert words not in text(page(client))

    client.force_login(olga)
    html = page(client)

    assert words in text(html)
    assert "1 of 2 so far" in text(html)
    assert f"phase__id__exact={phase.pk}&amp;newest_gold=missing" in html


# Addresses


@pytest.fixture
def both_boards(phase, scenario, team, strangers, olga):
    """On one day the board by gold 1, on which the strangers lead, and that by gold 2, on which the team does."""
    Phase.objects.update(opens=NOON - timedelta(days=9), closes=None)
    phase.refresh_from_db()
    with time_machine.travel(NOON, tick=False) as clock:
        found = [run(phase, team), run(phase, strangers, run_files())]
        remade(phase)
        clock.shift(60)
        make_gold(phase, scenario, MENDED)
        for key in score_again(found, by=olga):
            services.score(key)
        clock.shift(60)
        remade(phase)
        yield


def test_both_boards_of_a_day_stay_readable_under_their_own_addresses(client, both_boards):
    first, second = "Charlie's team", "Alice and Bob"
    assert names(page(client, "?on=2026-12-01&gold=1")) == [first, second]
    assert names(page(client, "?on=2026-12-01&gold=2")) == [second, first]
    assert names(page(client, "?gold=1")) == [first, second]
    assert names(page(client, "?on=2026-12-01")) == names(page(client)) == [second, first]


def test_the_page_of_an_earlier_gold_says_so_and_leads_back(client, both_boards):
    shown = text(page(client, "?on=2026-12-01&gold=1"))
    assert "As of 1 Dec 2026, by version 1 of the gold." in shown
    assert "To the board of today" in shown
    assert "By version 1 of the gold." in text(page(client, "?gold=1"))
    assert 'href="?gold=1"' in page(client)


def test_the_files_of_both_boards_have_names_and_contents_of_their_own(client, both_boards):
    path = reverse("board_export", args=["health", "test", 1, "json"])
    found = [client.get(f"{path}?on=2026-12-01&gold={version}") for version in (1, 2)]
    assert [json.loads(each.content)["gold_version"] for each in found] == [1, 2]
    assert 'filename="health-test-scenario1-2026-12-01.json"' in found[0]["Content-Disposition"]
    assert 'filename="health-test-scenario1-2026-12-01-gold2.json"' in found[1]["Content-Disposition"]


@pytest.mark.parametrize("query", ["?gold=x", "?gold=-1", "?gold=999999999999", "?gold=%00", "?gold=²"])
def test_what_is_no_version_shows_the_newest_board_and_says_so(client, both_boards, query):
    html = page(client, query)
    assert "This is the newest board" in text(html)
    assert names(html) == ["Alice and Bob", "Charlie's team"]


def test_a_version_that_never_ranked_has_no_board(client, both_boards):
    assert "There was no board by version 7 of the gold" in text(page(client, "?gold=7"))


# The final edition


@pytest.fixture
def closed(runs, phase):
    """The phase has closed, and the board that it ended with is final."""
    Phase.objects.update(opens=timezone.now() - timedelta(days=2), closes=timezone.now() - timedelta(minutes=1))
    phase.refresh_from_db()
    finish_boards()
    return Edition.objects.get(is_final=True)


def test_new_gold_after_the_phase_has_closed_makes_a_new_final_edition(closed, phase, scenario, runs, team, olga):
    make_gold(phase, scenario, MENDED)
    finish_boards()
    assert Edition.objects.get(is_final=True) == closed

    for key in score_again(runs, by=olga):
        services.score(key)
    remade(phase)
    assert not Edition.objects.filter(is_final=True).exists()
    finish_boards()

    final = Edition.objects.select_related("gold").get(is_final=True)
    assert (final.gold.version, final.entries[0]["team"]) == (2, str(team.pk))
    assert Edition.objects.filter(pk=closed.pk, is_void=True).exists()


def test_reopening_a_phase_makes_its_final_edition_void_and_the_next_closing_makes_one_with_every_run(
    closed, phase, runs, team
):
    phase.closes = timezone.now() + timedelta(days=1)
    phase.save()
    assert not Edition.objects.filter(is_final=True).exists()
    best = run(phase, team, run_files())
    remade(phase)
    finish_boards()
    assert not Edition.objects.filter(is_final=True).exists()

    phase.closes = timezone.now()
    phase.save()
    finish_boards()

    assert str(best.pk) in {entry["submission"] for entry in Edition.objects.get(is_final=True).entries}


def test_beat_finds_a_phase_that_was_reopened_behind_its_back(closed):
    Phase.objects.update(closes=None)
    finish_boards()
    assert not Edition.objects.filter(is_final=True).exists()


def test_a_phase_that_is_reopened_and_closed_without_a_change_ends_with_the_same_board(closed, phase):
    for closes in (None, phase.closes):
        phase.closes = closes
        phase.save()
        finish_boards()
    assert Edition.objects.get(is_final=True) == closed


# What is in the database already


def test_boards_that_new_gold_had_emptied_find_their_runs_again(runs, mended, phase, team, strangers):
    late = run(phase, team, run_files(relations=""))
    late.scorings.filter(gold__version=1).delete()
    _migration("submissions", "0004_who_withdrew_and_gold_in_force").adopt_gold(apps, None)
    assert AdoptedGold.objects.get().gold.version == 1
    recount_all(Board.objects.get())

    assert teams_on(remade(phase)) == {str(team.pk), str(strangers.pk)}


def test_editions_get_the_gold_that_was_newest_when_they_were_made(runs, mended, phase, olga):
    for key in score_again(runs, by=olga):
        services.score(key)
    remade(phase)
    made = Edition.objects.order_by("made")
    Edition.objects.update(gold=None)

    _migration("leaderboard", "0005_gold_of_editions").say_which_gold(apps, None)

    assert list(made.values_list("gold__version", flat=True)) == [1, 2]


def _migration(app, name):
    return import_module(f"evalsite.{app}.migrations.{name}")
