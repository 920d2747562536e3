"""Extra uploads that organisers give to one team: 3 + 1."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from evalsite.challenges.models import Event
from evalsite.submissions.models import Scoring, Submission
from evalsite.submissions.quotas import end_allowance, grant_allowance, quota
from evalsite.submissions.receiving import admission
from tests.factories import make_submission, make_team, run_files

pytestmark = pytest.mark.django_db


@pytest.fixture
def limited(phase):
    phase.total_limit = 1
    phase.save()
    return phase


def upload(phase, team, number: int) -> Submission:
    return make_submission(phase, team, team.members.first(), run_files() | {"README.md": str(number)})


def left(phase, team) -> int | None:
    return quota(phase, team, timezone.now()).left


def test_one_team_gets_one_more_and_its_upload_page_says_why(as_alice, limited, scenario, team, strangers, olga):
    upload(limited, team, 1)
    upload(limited, strangers, 1)
    grant_allowance(limited, team, 1, reason="server was down", by=olga)
    assert (left(limited, team), left(limited, strangers)) == (1, 0)
    page = " ".join(as_alice.get(f"/tasks/{limited.task.slug}/{limited.slug}/submit/").content.decode().split())
    assert '1 + 1 upload, granted by the organisers: <bdi class="name">server was down</bdi>' in page
    assert upload(limited, team, 2).allowance.reason == "server was down"
    for each in (team, strangers):
        with pytest.raises(admission.Rejection):
            upload(limited, each, 3)
    assert Event.objects.get(kind="uploads allowed").detail["reason"] == "server was down"


def test_an_extra_upload_that_was_refused_is_given_back_and_one_of_a_day_stays_beside_the_window(phase, team, olga):
    phase.window_limit = 1
    phase.save()
    first = upload(phase, team, 1)
    grant_allowance(phase, team, 1, reason="power cut", by=olga)
    extra = upload(phase, team, 2)
    Scoring.objects.filter(submission=extra).update(state="refused")
    assert left(phase, team) == 1
    again = upload(phase, team, 3)
    assert (first.allowance, again.allowance) == (None, extra.allowance)
    # A day later the window is free again; the extra upload takes no place in it, and is not there a second time.
    Submission.objects.filter(pk=first.pk).update(created=timezone.now() - timedelta(days=2))
    assert left(phase, team) == 1
    assert upload(phase, team, 4).allowance is None


def test_what_has_ended_or_was_taken_back_gives_nothing(limited, team, olga):
    upload(limited, team, 1)
    now = timezone.now()
    grant_allowance(limited, team, 2, reason="too late", by=olga, until=now - timedelta(minutes=1))
    assert left(limited, team) == 0
    given = grant_allowance(limited, team, 2, reason="server was down", by=olga, until=now + timedelta(hours=1))
    upload(limited, team, 2)
    assert left(limited, team) == 1
    assert [end_allowance(given, by=olga), end_allowance(given, by=olga)] == [True, False]
    assert left(limited, team) == 0
    assert Event.objects.filter(kind="allowance ended").count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_simultaneous_uploads_one_gets_the_extra_place(limited, olga, alice):
    team = make_team("The Lab", alice)
    upload(limited, team, 0)
    grant_allowance(limited, team, 1, reason="server was down", by=olga)
    start, ends = threading.Barrier(6), []

    def send(number: int) -> None:
        start.wait()
        try:
            ends.append(upload(limited, team, number).allowance is not None)
        except admission.Rejection:
            ends.append("rejected")
        finally:
            connection.close()

    threads = [threading.Thread(target=send, args=[number]) for number in range(1, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ends.count(True) == 1
    assert ends.count("rejected") == 5
