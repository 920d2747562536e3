"""Teams that ask to take part are answered in the background where a request has no time for all of them."""

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from evalsite.background import services
from evalsite.background.models import Job
from evalsite.challenges.models import Application, EntryRules, Event
from evalsite.desk.entry import job
from tests.factories import make_team, make_user

pytestmark = pytest.mark.django_db
MAX_IN_REQUEST, STEP, N_TEAMS = 4, 2, 7


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch):
    monkeypatch.setattr("evalsite.desk.entry.views.MAX_IN_REQUEST", MAX_IN_REQUEST)
    monkeypatch.setattr("evalsite.desk.entry.job.STEP", STEP)


@pytest.fixture
def asking(task) -> list[Application]:
    EntryRules.objects.create(task=task, way="approval")
    return [ask(task, n) for n in range(N_TEAMS)]


def ask(task, n) -> Application:
    person = make_user(f"asker-{n}")
    return task.applications.create(team=make_team(f"Team {n}", person), user=person, state="waiting")


@pytest.fixture
def answer(as_olga, task):
    """Answers all teams that wait, and returns the page that follows."""

    def post(**sent):
        newest = task.applications.filter(state="waiting").last().created.isoformat()
        sent |= {"all": newest}
        return as_olga.post(reverse("desk_entry_decide", args=[task.slug]), sent, follow=True).text

    return post


def states_of(task) -> set[str]:
    return set(task.applications.values_list("state", flat=True))


def work() -> str:
    [active] = Job.objects.filter(kind=job.KIND, state__in=Job.ACTIVE)
    return services.work(active.pk)


def test_many_teams_are_approved_in_the_background_with_progress(as_olga, answer, asking, task, settings):
    settings.SITE_URL = "https://example.org"
    assert "Teams are being answered:" in answer(approve="yes")
    assert states_of(task) == {"waiting"}, "nothing of it within the request"
    progress = reverse("desk_entry_job", args=[task.slug])
    assert "HX-Refresh" not in as_olga.get(progress)
    ask(task, N_TEAMS)
    assert work() == "done"
    assert task.applications.filter(state="accepted").count() == N_TEAMS, "who asked meanwhile waits"
    assert len(mail.outbox) == N_TEAMS
    assert all(f"https://example.org{task.get_absolute_url()}" in letter.body for letter in mail.outbox)
    assert as_olga.get(progress)["HX-Refresh"] == "true"
    assert "7 teams take part now." in as_olga.get(reverse("desk_entry", args=[task.slug])).text


def test_a_request_takes_as_many_queries_for_more_teams(answer, asking, task):
    with CaptureQueriesContext(connection) as few:
        answer(approve="yes")
    Job.objects.all().delete()
    for n in range(N_TEAMS, 3 * N_TEAMS):
        ask(task, n)
    with CaptureQueriesContext(connection) as many:
        answer(approve="yes")
    assert len(many) <= len(few)
    assert states_of(task) == {"waiting"}


def test_many_teams_are_declined_for_one_reason_and_one_answer_at_a_time(answer, asking, task):
    answer(reason="Only universities.")
    assert "the previous answer is still being given" in answer(approve="yes")
    work()
    assert states_of(task) == {"declined"}
    assert all("Only universities." in message.body for message in mail.outbox)


def test_a_team_that_cannot_enter_is_named_when_the_others_have_entered(as_olga, answer, asking, task):
    asking[5].team.name = "team 0"
    asking[5].team.save()
    answer(approve="yes")
    work()
    page = as_olga.get(reverse("desk_entry", args=[task.slug])).text
    assert "6 teams take part now." in page
    assert "It has to be renamed first." in page


def test_a_worker_that_dies_is_followed_by_one_that_goes_on(answer, asking, task, monkeypatch):
    answer_all, steps = job.answer_all, []

    def dying(chosen, *reason, by):
        steps.append(len(chosen))
        if len(steps) == 2:
            raise MemoryError
        return answer_all(chosen, *reason, by=by)

    monkeypatch.setattr(job, "answer_all", dying)
    answer(approve="yes")
    assert work() == "queued"
    assert task.applications.filter(state="accepted").count() == STEP
    Job.objects.update(not_before=None)
    assert work() == "done"
    assert steps == [2, 2, 2, 2, 1]
    assert Event.objects.filter(kind="entry accepted").count() == N_TEAMS
