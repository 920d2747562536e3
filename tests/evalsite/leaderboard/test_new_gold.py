"""What ranks is published: new gold is a candidate until organisers publish it, and then switches the board at once."""

import json
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.gold.services import discard_gold
from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Event, Phase
from evalsite.leaderboard.making.entries import finish_boards, refresh
from evalsite.leaderboard.models import Board, Edition
from evalsite.submissions.lifecycle import transitions
from evalsite.submissions.lifecycle.candidates import NotReady, progress_of, publish, queue_batch
from evalsite.submissions.models import Result, Scoring
from evalsite.submissions.receiving import admission
from evalsite.submissions.runs import changing
from tests.evalsite.board_pages.pages import names, page, text
from tests.factories import PARTLY_RIGHT_PHRASES, make_gold, make_run, make_submission, run_files, scored, work_off

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
# Gold that calls right what a partly right run found.
MENDED = run_files(PARTLY_RIGHT_PHRASES, "")
OTHER_TEXTS = run_files("1\t0 5\tConcept\tdolor\n", "", sentences="dolor\n")


def remade(phase):
    refresh(Board.objects.select_related("phase", "scenario").get(phase=phase))
    return Edition.objects.select_related("gold").order_by("-made").first()


def teams_on(edition):
    return {entry["team"] for entry in edition.entries}


@pytest.fixture
def runs(phase, team, strangers):
    """A partly right run and a perfect one, on a board."""
    found = [make_run(phase, team), make_run(phase, strangers, run_files())]
    remade(phase)
    return found


@pytest.fixture
def mended(runs, phase, scenario):
    """Gold version 2, a candidate; by it the two runs change places."""
    return make_gold(phase, scenario, MENDED)


def test_the_first_gold_is_published_at_once_and_so_is_the_next_while_nothing_ranks(phase, scenario, team):
    first, second = make_gold(phase, scenario), make_gold(phase, scenario, MENDED)
    assert (first.state, second.state) == ("published", "published")
    make_run(phase, team)

    third = make_gold(phase, scenario)

    assert third.state == "candidate"
    assert gold_in_force(phase, scenario) == second


def test_a_candidate_changes_nothing_for_strangers_until_it_is_published(
    client, runs, mended, phase, team, strangers, olga
):
    before = page(client)
    work_off()
    assert progress_of(mended).n_ended == 2
    assert page(client) == before

    late = make_run(phase, team, run_files(relations=""))
    assert sorted(late.scorings.values_list("gold__version", "state")) == [(1, "scored"), (2, "scored")]
    edition = remade(phase)
    assert (edition.gold.version, teams_on(edition)) == (1, {str(team.pk), str(strangers.pk)})


def test_publishing_switches_the_board_in_one_edition(runs, mended, phase, team, strangers, olga):
    work_off()

    publish(mended, by=olga, note="Three labels mended.")
    edition = remade(phase)

    assert (edition.gold.version, edition.entries[0]["team"]) == (2, str(team.pk))
    assert teams_on(edition) == {str(team.pk), str(strangers.pk)}
    assert list(Edition.objects.values_list("gold__version", flat=True)) == [2, 1]
    event = Event.objects.get(kind="gold published")
    assert event.detail["changed"] == {"version": ["1", "2"]}
    assert (event.actor, event.detail["note"]) == (olga, "Three labels mended.")


@pytest.mark.thorough
def test_a_candidate_with_which_a_team_would_leave_the_board_cannot_be_published(runs, mended, phase, strangers, olga):
    queue_batch(mended)
    transitions.refuse(transitions.claim(runs[1].scorings.get(gold=mended).pk), [], [])
    work_off()

    with pytest.raises(NotReady) as refused:
        publish(mended, by=olga)

    assert refused.value.lost == [strangers]
    assert gold_in_force(phase, mended.scenario).version == 1
    changing.withdraw(runs[1:], by=olga, side="organisers", reason="Made for other texts.")
    publish(mended, by=olga)
    assert gold_in_force(phase, mended.scenario) == mended


@pytest.mark.thorough
def test_nothing_is_published_while_runs_are_awaited(runs, mended, olga):
    with pytest.raises(NotReady) as refused:
        publish(mended, by=olga)
    assert refused.value.progress.n_awaited == 2


@pytest.mark.thorough
def test_a_discarded_candidate_leaves_nothing_but_an_event(
    runs, mended, phase, olga, django_capture_on_commit_callbacks
):
    work_off()
    files = [result.evaluation for result in Result.objects.filter(scoring__gold=mended)]
    assert len(files) == 2

    discard_gold(mended, by=olga, reason="The spans were shifted.")
    with django_capture_on_commit_callbacks(execute=True):
        work_off()

    assert not Scoring.objects.filter(gold=mended).exists()
    assert not any(file.storage.exists(file.name) for file in files)
    assert Event.objects.get(kind="gold discarded").detail["reason"] == "The spans were shifted."
    publish(mended, by=olga)
    assert gold_in_force(phase, mended.scenario).version == 1


@pytest.mark.thorough
def test_a_newer_version_takes_the_place_of_a_candidate(runs, mended, phase, scenario):
    third = make_gold(phase, scenario, run_files(relations="is-a\t1\t2\n"))
    work_off()
    mended.refresh_from_db()
    assert (mended.state, third.state) == ("discarded", "candidate")
    assert not Scoring.objects.filter(gold=mended).exists()
    assert Scoring.objects.filter(gold=third, state="scored").count() == 2


@pytest.mark.thorough
def test_an_upload_uses_one_place_of_the_limit_whatever_the_candidate_says(runs, mended, phase, team, olga):
    phase.total_limit = 2
    phase.save()
    late = make_submission(phase, team, team.members.first(), run_files(relations=""))
    assert admission.quota(phase, team, timezone.now()).left == 0
    transitions.refuse(transitions.claim(late.scorings.get(gold__version=1).pk), [], [])

    scored(late)

    assert late.scorings.get(gold=mended).state == "scored"
    assert admission.quota(phase, team, timezone.now()).left == 1


def test_participants_read_nothing_of_a_candidate_and_both_scores_afterwards(as_alice, runs, mended, phase, olga):
    headline = runs[0].scorings.get(state="scored").result.headline
    address, scores = runs[0].get_absolute_url(), reverse("submission_scores", args=[runs[0].pk, 1])
    mine = reverse("submissions", args=[phase.task.slug])
    before = text(as_alice.get(address).content.decode())
    work_off()
    assert text(as_alice.get(address).content.decode()) == before
    assert json.loads(as_alice.get(scores).content)["scores"]["f1"] == headline
    assert f"{headline:.3f}" in text(as_alice.get(mine).content.decode())
    assert "candidate" not in before

    publish(mended, by=olga, note="Three labels mended.")

    remade(phase)
    new = json.loads(as_alice.get(scores).content)["scores"]["f1"]
    said = text(as_alice.get(address).content.decode())
    assert new > headline
    assert f"{new:.3f}" in said
    assert f"On version 1 it had {headline:.3f}." in said


@pytest.mark.thorough
def test_organisers_read_of_a_candidate_on_the_board_and_on_a_run(client, as_olga, runs, mended, phase):
    work_off()
    words = "Version 2 of the gold is a candidate, which does not rank anybody yet: 2 of 2 runs are done."
    assert words not in text(page(client))

    assert words in text(page(as_olga))
    assert "On the candidate, version 2 of the gold: " in text(as_olga.get(runs[0].get_absolute_url()).content.decode())


@pytest.mark.thorough
def test_two_runs_are_compared_by_the_gold_that_the_board_ranks_by(client, runs, mended, phase, team):
    make_run(phase, team, run_files(relations="") | {"note.txt": "late"})
    work_off()
    remade(phase)

    compared = client.get("/tasks/health/test/board/1/compare/").context["runs"]

    assert len(compared) == 2


@pytest.mark.thorough
def test_a_restored_run_has_its_score_by_the_gold_that_was_published_meanwhile(runs, mended, phase, team, olga):
    changing.withdraw(runs[:1], by=olga)
    work_off()
    publish(mended, by=olga)
    changing.restore(runs[:1], by=olga)
    assert str(team.pk) in teams_on(remade(phase))


# Addresses


@pytest.fixture
def both_boards(phase, scenario, team, strangers, olga):
    """Make on one day the board by gold 1, on which the strangers lead, and that by gold 2, on which the team does."""
    Phase.objects.update(opens=NOON - timedelta(days=9), closes=None)
    phase.refresh_from_db()
    with time_machine.travel(NOON, tick=False) as clock:
        _ = [make_run(phase, team), make_run(phase, strangers, run_files())]
        remade(phase)
        clock.shift(60)
        mended = make_gold(phase, scenario, MENDED)
        work_off()
        publish(mended, by=olga, note="Three labels mended")
        clock.shift(60)
        remade(phase)
        yield


def test_both_boards_of_a_day_stay_readable_under_their_own_addresses(client, both_boards):
    first, second = "Charlie's team", "Alice and Bob"
    assert names(page(client, "?on=2026-12-01&gold=1")) == [first, second]
    assert names(page(client, "?on=2026-12-01&gold=2")) == [second, first]
    assert names(page(client, "?gold=1")) == [first, second]
    assert names(page(client, "?on=2026-12-01")) == names(page(client)) == [second, first]


@pytest.mark.thorough
def test_the_page_of_an_earlier_gold_says_so_and_leads_back(client, both_boards):
    shown = text(page(client, "?on=2026-12-01&gold=1"))
    assert "As of 1 Dec 2026, by version 1 of the gold." in shown
    assert "To the current board" in shown
    assert "By version 1 of the gold." in text(page(client, "?gold=1"))
    assert 'href="?gold=1"' in page(client)


@pytest.mark.thorough
def test_the_files_of_both_boards_have_names_and_contents_of_their_own(client, both_boards):
    path = reverse("board_export", args=["health", "test", 1, "json"])
    day = Edition.objects.latest("changes").day  # by the clock of the database, which may not be that of the test
    found = [client.get(f"{path}?on={day}&gold={version}") for version in (1, 2)]
    assert [json.loads(each.content)["gold_version"] for each in found] == [1, 2]
    assert f'filename="health-test-scenario1-{day}.json"' in found[0]["Content-Disposition"]
    assert f'filename="health-test-scenario1-{day}-gold2.json"' in found[1]["Content-Disposition"]


@pytest.mark.thorough
@pytest.mark.parametrize("query", ["?gold=x", "?gold=-1", "?gold=999999999999", "?gold=²"])
def test_what_is_no_version_shows_the_newest_board_and_says_so(client, both_boards, query):
    html = page(client, query)
    assert "This is the newest board" in text(html)
    assert names(html) == ["Alice and Bob", "Charlie's team"]


@pytest.mark.thorough
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
    mended = make_gold(phase, scenario, MENDED)
    work_off()
    finish_boards()
    assert Edition.objects.get(is_final=True) == closed

    publish(mended, by=olga)
    remade(phase)
    assert not Edition.objects.filter(is_final=True).exists()
    finish_boards()

    final = Edition.objects.select_related("gold").get(is_final=True)
    assert (final.gold.version, final.entries[0]["team"]) == (2, str(team.pk))
    assert Edition.objects.filter(pk=closed.pk, is_void=True).exists()


@pytest.mark.thorough
def test_reopening_a_phase_makes_its_final_edition_void_and_the_next_closing_makes_one_with_every_run(
    closed, phase, runs, team
):
    phase.closes = timezone.now() + timedelta(days=1)
    phase.save()
    assert not Edition.objects.filter(is_final=True).exists()
    best = make_run(phase, team, run_files())
    remade(phase)
    finish_boards()
    assert not Edition.objects.filter(is_final=True).exists()

    phase.closes = timezone.now()
    phase.save()
    finish_boards()

    assert str(best.pk) in {entry["submission"] for entry in Edition.objects.get(is_final=True).entries}


@pytest.mark.thorough
def test_beat_finds_a_phase_that_was_reopened_behind_its_back(closed):
    Phase.objects.update(closes=None)
    finish_boards()
    assert not Edition.objects.filter(is_final=True).exists()


@pytest.mark.thorough
def test_a_phase_that_is_reopened_and_closed_without_a_change_ends_with_the_same_board(closed, phase):
    for closes in (None, phase.closes):
        phase.closes = closes
        phase.save()
        finish_boards()
    assert Edition.objects.get(is_final=True) == closed


@pytest.mark.thorough
def test_a_final_edition_is_void_when_the_phase_is_said_to_have_closed_at_another_time(closed, phase):
    assert closed.closing == phase.closes
    phase.closes -= timedelta(seconds=30)
    phase.save()
    assert not Edition.objects.filter(is_final=True).exists()
    finish_boards()
    assert Edition.objects.get(is_final=True).closing == phase.closes
