"""Submissions in the organisers' admin: followed, scored again, cancelled, withdrawn and restored."""

import re

import pytest
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Event
from evalsite.leaderboard.models import Board
from evalsite.submissions import intake
from evalsite.submissions.models import Scoring, Submission
from tests.factories import (
    make_gold,
    make_phase,
    make_scenario,
    make_submission,
    make_task,
    make_user,
    run_files,
    scored,
)

LIST = reverse("admin:submissions_submission_changelist")


@pytest.fixture
def organiser(client, olga):
    client.force_login(olga)
    return client


@pytest.fixture
def foreigner(client, db):
    """An organiser of another task."""
    otto = make_user("Otto", is_staff=True)
    make_task("ottos", otto)
    client.force_login(otto)
    return client


def page_of(submission):
    return reverse("admin:submissions_submission_change", args=[submission.pk])


def act(client, action, *submissions, **fields):
    chosen = [str(submission.pk) for submission in submissions]
    return client.post(LIST, {"action": action, ACTION_CHECKBOX_NAME: chosen, **fields}, follow=True)


def text_of(response):
    return response.content.decode()


def has_event(kind, submission, actor):
    return Event.objects.filter(kind=kind, subject=submission.pk, actor=actor).exists()


def refreshed(submission):
    """As if the boards knew all that there is."""
    Board.objects.update(made=F("wanted"), compared=F("wanted"))
    return submission


def is_board_stale():
    return Board.objects.filter(made__lt=F("wanted")).exists()


def test_the_list_shows_the_state_of_each_scenario(organiser, phase, team, alice):
    second = make_scenario(phase.task, 2)
    make_gold(phase, second)
    submission = make_submission(phase, team, alice, run_files(scenarios=(1, 2)))
    submission.scorings.filter(scenario=second).update(state="refused")
    page = text_of(organiser.get(LIST))
    assert '<span class="state state-queued">1 queued</span>' in page
    assert '<span class="state state-refused">2 refused</span>' in page


def test_a_scenario_scored_twice_is_shown_by_its_newest_scoring(organiser, scored_submission, scenario):
    make_gold(scored_submission.phase, scenario, run_files(relations="part-of\t1\t2\n"))
    act(organiser, "score_again", scored_submission)
    page = text_of(organiser.get(LIST))
    assert "1 queued</span>" in page
    assert "1 scored</span>" not in page


def test_the_list_shows_the_score_by_gold_and_how_a_run_stands(organiser, scored_submission, scenario, olga):
    gold = make_gold(scored_submission.phase, scenario, run_files(relations="part-of\t1\t2\n"))
    headline = scored_submission.scorings.get().result.headline
    assert f'1: {headline:.3f} <span class="help">gold 1' in text_of(organiser.get(LIST))
    act(organiser, "score_again", scored_submission)
    scored(scored_submission)
    intake.withdraw([scored_submission], by=olga, side="organisers", reason="Twice the same.")

    page = text_of(organiser.get(LIST))

    headline = scored_submission.scorings.get(gold=gold).result.headline
    assert f'1: {headline:.3f} <span class="help">gold 2' in page
    assert "withdrawn by the organisers" in page


def test_more_submissions_cost_no_more_queries(organiser, phase, team, alice, strangers, charlie):
    make_submission(phase, team, alice)
    with CaptureQueriesContext(connection) as few:
        organiser.get(LIST)
    for number in range(5):
        make_submission(phase, strangers, charlie, run_files(relations="") | {"note.txt": str(number)})
    with CaptureQueriesContext(connection) as many:
        organiser.get(LIST)
    assert len(many) == len(few)


def test_the_list_is_filtered_by_state_and_found_by_team_method_and_code(organiser, submission, strangers, charlie):
    other = scored(make_submission(submission.phase, strangers, charlie, run_files(), method="Oracle"))
    found = {
        "state=scored": [other],
        "state=queued": [submission],
        "q=Oracle": [other],
        "q=Bob": [submission],
        f"q={other.scorings.get().code}": [other],
        f"phase__id__exact={submission.phase.pk}": [other, submission],
        "withdrawn=no": [other, submission],
        "withdrawn=yes": [],
    }
    for query, expected in found.items():
        assert list(organiser.get(f"{LIST}?{query}").context["cl"].result_list) == expected, query


def test_filters_offer_own_phases_only(organiser, submission):
    make_phase(make_task("ottos", make_user("Otto")), name="Secret phase")
    page = text_of(organiser.get(LIST))
    assert 'Test<div class="help">' in page
    assert "Secret phase" not in page


def test_the_page_shows_the_scorings_with_problems_and_error(organiser, submission):
    problem = {"message": "3 columns, 4 are needed", "file": "output_a_scenario1.txt", "line": 7, "column": None}
    submission.scorings.update(state="refused", problems=[problem], error="MemoryError: <big>")
    page = text_of(organiser.get(page_of(submission)))
    assert "output_a_scenario1.txt:7: 3 columns, 4 are needed" in page
    assert "MemoryError: &lt;big&gt;" in page
    assert "version 1</a>" in page
    assert submission.get_absolute_url() in page


def test_only_method_and_reference_can_be_changed(organiser, submission, strangers):
    organiser.post(
        page_of(submission),
        {
            **{"method": "CRF", "reference": "", "team": str(strangers.pk), "description": "changed"},
            **{"scorings-TOTAL_FORMS": "0", "scorings-INITIAL_FORMS": "0"},
        },
    )
    changed = Submission.objects.get(pk=submission.pk)
    assert (changed.method, changed.team, changed.description) == ("CRF", submission.team, "")


@pytest.mark.parametrize(
    ("field", "value", "kind"), [("reference", "baseline", "reference set"), ("method", "CRF", "method renamed")]
)
def test_what_the_board_says_of_a_run_is_changed_on_the_board_too(
    organiser, olga, scored_submission, field, value, kind
):
    submission = refreshed(scored_submission)
    management = {"scorings-TOTAL_FORMS": "0", "scorings-INITIAL_FORMS": "0"}
    unchanged = {"method": submission.method, "reference": submission.reference}
    assert organiser.post(page_of(submission), unchanged | management).status_code == 302
    assert not is_board_stale()
    organiser.post(page_of(submission), unchanged | management | {field: value})
    submission.refresh_from_db()
    assert getattr(submission, field) == value
    assert is_board_stale()
    assert has_event(kind, submission, olga)


def test_score_again_queues_for_the_new_gold_and_tells_the_broker(
    organiser, olga, scored_submission, scenario, django_capture_on_commit_callbacks
):
    gold = make_gold(scored_submission.phase, scenario, run_files(relations="part-of\t1\t2\n"))
    with django_capture_on_commit_callbacks(execute=True):
        page = text_of(act(organiser, "score_again", scored_submission))
    assert "1 scoring queued" in page
    queued = Scoring.objects.get(gold=gold)
    assert queued.state == "queued"
    assert queued.enqueued is not None
    assert Scoring.objects.filter(state="scored").count() == 1
    assert has_event("queued again", scored_submission, olga)


def test_score_again_leaves_alone_what_has_been_scored(organiser, scored_submission):
    assert "0 scorings queued" in text_of(act(organiser, "score_again", scored_submission))
    assert Scoring.objects.get().state == "scored"


def test_cancel_stops_what_has_not_begun(organiser, olga, submission, strangers, charlie):
    done = scored(make_submission(submission.phase, strangers, charlie, run_files()))
    assert "1 scoring cancelled" in text_of(act(organiser, "cancel", submission, done))
    assert submission.scorings.get().state == "cancelled"
    assert done.scorings.get().state == "scored"
    assert has_event("cancelled", submission, olga)


def test_withdraw_asks_first(organiser, olga, scored_submission):
    submission = refreshed(scored_submission)
    page = text_of(act(organiser, "withdraw", submission))
    assert "1 submission will leave the boards" in page
    submission.refresh_from_db()
    assert submission.withdrawn is None
    refused = act(organiser, "withdraw", submission, confirmed="yes")
    assert (refused.status_code, "Say why" in text_of(refused)) == (422, True)
    assert not Submission.objects.exclude(withdrawn=None).exists()
    page = text_of(act(organiser, "withdraw", submission, confirmed="yes", reason="Two people, one run."))
    assert "1 submission withdrawn" in page
    submission.refresh_from_db()
    assert (submission.withdrawn_as, submission.withdrawn_reason) == ("organisers", "Two people, one run.")
    assert is_board_stale()
    assert has_event("withdrawn", submission, olga)


def test_restore_brings_back_what_was_withdrawn(organiser, olga, scored_submission):
    submission = refreshed(scored_submission)
    Submission.objects.update(withdrawn=timezone.now())
    assert "1 submission restored" in text_of(act(organiser, "restore", submission))
    submission.refresh_from_db()
    assert submission.withdrawn is None
    assert is_board_stale()
    assert has_event("restored", submission, olga)


def test_the_page_of_a_run_says_who_withdrew_it_and_why(organiser, olga, submission):
    intake.withdraw([submission], by=olga, side="organisers", reason="Two people, one run.")
    page = text_of(organiser.get(page_of(submission)))
    for said in ("the organisers", "Olga", "Two people, one run."):
        assert said in page


@pytest.fixture
def many(scored_submission):
    """More runs than Django would take fields by default."""
    run, scoring = scored_submission, scored_submission.scorings.get()
    copied = {name: getattr(run, name) for name in ("phase", "team", "size", "created")}
    runs = Submission.objects.bulk_create(Submission(method=f"Run {number}", **copied) for number in range(1100))
    copied = {"scenario": scoring.scenario, "gold": scoring.gold, "engine_version": scoring.engine_version}
    Scoring.objects.bulk_create(Scoring(submission=run, state="failed", **copied) for run in runs)
    return runs


def test_more_than_a_thousand_ticked_rows_are_scored_again_in_a_few_queries(organiser, many):
    with CaptureQueriesContext(connection) as queries:
        page = text_of(act(organiser, "score_again", *many))
    assert "1,100 scorings queued" in page
    assert Scoring.objects.filter(state="queued").count() == 1100
    assert len(queries) < 60
    assert Scoring.objects.filter(enqueued__isnull=False).count() <= 100


def test_more_than_a_thousand_rows_are_withdrawn_restored_and_cancelled(organiser, many):
    page = act(organiser, "withdraw", *many)
    assert "1,100 submissions will leave the boards" in text_of(page)
    assert "and 1,000 more" in text_of(page)
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', text_of(page)))
    assert len(fields) == 6
    done = organiser.post(LIST, fields | {"reason": "All of one person."}, follow=True)
    assert "1,100 submissions withdrawn" in text_of(done)
    assert Submission.objects.filter(withdrawn_reason="All of one person.").count() == 1100
    assert Event.objects.filter(kind="withdrawn").count() == 1100

    assert "1,100 submissions restored" in text_of(act(organiser, "restore", *many))
    Scoring.objects.exclude(state="scored").update(state="queued")
    assert "1,100 scorings cancelled" in text_of(act(organiser, "cancel", *many))


def test_all_rows_of_a_filter_are_withdrawn_and_none_that_came_meanwhile(organiser, phase, team, alice, submission):
    page = organiser.post(
        f"{LIST}?q=Rules",
        {"action": "withdraw", ACTION_CHECKBOX_NAME: str(submission.pk), "select_across": "1"},
    )
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', text_of(page)))
    late = make_submission(phase, team, alice, run_files())

    organiser.post(LIST, fields | {"reason": "Cheated."})

    assert list(Submission.objects.filter(withdrawn=None)) == [late]


def test_a_selection_does_not_reach_another_ones_submissions(foreigner, submission):
    fields = {"action": "withdraw", "select_across": "1", "confirmed": "yes", "reason": "x"}
    chosen = {ACTION_CHECKBOX_NAME: str(submission.pk), "selection": f"{submission.pk},nonsense"}
    foreigner.post(LIST, fields | chosen)
    assert not Submission.objects.exclude(withdrawn=None).exists()


def test_the_list_finds_what_is_not_scored_on_the_newest_gold(organiser, scored_submission, phase, scenario):
    def found():
        return list(organiser.get(f"{LIST}?newest_gold=missing").context["cl"].result_list)

    assert found() == []
    make_gold(phase, scenario, run_files(relations="part-of\t1\t2\n"))
    assert found() == [scored_submission]
    act(organiser, "score_again", scored_submission)
    scored(scored_submission)
    assert found() == []


@pytest.mark.parametrize("action", ["score_again", "cancel", "withdraw", "restore"])
def test_actions_do_not_reach_another_ones_submissions(foreigner, submission, action):
    before = Event.objects.count()
    act(foreigner, action, submission, confirmed="yes", reason="x")
    submission.refresh_from_db()
    assert submission.withdrawn is None
    assert submission.scorings.get().state == "queued"
    assert Event.objects.count() == before


def test_another_ones_submission_cannot_be_changed(foreigner, submission):
    fields = {"method": "Stolen", "reference": "", "scorings-TOTAL_FORMS": "0", "scorings-INITIAL_FORMS": "0"}
    assert foreigner.post(page_of(submission), fields).url == reverse("admin:index")
    submission.refresh_from_db()
    assert submission.method == "Rules"


def test_submissions_are_neither_added_nor_deleted(organiser, submission):
    assert organiser.get(reverse("admin:submissions_submission_add")).status_code == 403
    delete = reverse("admin:submissions_submission_delete", args=[submission.pk])
    assert organiser.post(delete, {"post": "yes"}).status_code == 403
    assert "delete_selected" not in text_of(organiser.get(LIST))


def test_a_participant_with_a_staff_team_mate_is_no_organiser(client, submission, alice):
    """Being in the team shows the run on the site, not in the admin."""
    alice.is_staff = True
    alice.save()
    client.force_login(alice)
    assert client.get(page_of(submission)).url == reverse("admin:index")
    assert "Rules" not in text_of(client.get(LIST))


@pytest.mark.parametrize("most", [0, 100])
def test_runs_that_lack_a_score_on_the_newest_gold_are_found_however_many_there_are(
    organiser, scored_submission, phase, scenario, team, alice, monkeypatch, most
):
    monkeypatch.setattr("evalsite.submissions.admin.MOST_COUNTED", most)
    assert "Rules" not in text_of(organiser.get(LIST, {"newest_gold": "missing"}))
    make_gold(phase, scenario)
    newer = scored(make_submission(phase, team, alice, run_files(), method="Network"))
    listed = text_of(organiser.get(LIST, {"newest_gold": "missing"}))
    assert scored_submission.method in listed
    assert newer.method not in listed
