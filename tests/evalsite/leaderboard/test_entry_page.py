"""What a team tells of its run, and the public page of an entry after the release."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Event, FactSheet, Phase
from evalsite.leaderboard.tasks import refresh_boards
from tests.desk_parts import PartsPage
from tests.factories import make_run, run_files

pytestmark = pytest.mark.django_db
OWN = [{"key": "track", "text": "Track", "kind": "choice", "choices": ["open", "closed"], "is_required": False}]


@pytest.fixture
def run(phase, team, strangers):
    FactSheet.objects.create(task=phase.task, own=OWN)
    make_run(phase, strangers, run_files(relations=""))
    run = make_run(phase, team)
    refresh_boards()
    return run


def release():
    Phase.objects.update(results_released=timezone.now() - timedelta(hours=1))


def page_of(run):
    return reverse("entry", args=[run.phase.task.slug, run.phase.slug, run.pk])


def tell(client, run, **told):
    return client.post(reverse("submission_describe", args=[run.pk]), told)


def test_a_team_tells_of_its_run_and_each_change_is_recorded(as_alice, run, alice):
    assert tell(as_alice, run, code="https://code.example/x", **{"own-track": "open"}).status_code == 302
    run.refresh_from_db()
    assert (run.code, run.facts) == ("https://code.example/x", {"track": "open"})
    event = Event.objects.get(kind="run described")
    assert (event.actor, event.detail["changed"]["code"]) == (alice, ["", "https://code.example/x"])
    tell(as_alice, run, code="https://code.example/x", **{"own-track": "open"})
    assert Event.objects.filter(kind="run described").count() == 1


def test_an_answer_that_is_none_of_the_choices_is_refused(as_alice, run):
    assert tell(as_alice, run, **{"own-track": "secret"}).status_code == 422


def test_after_the_release_organisers_alone_change_it_unless_a_date_is_set(as_alice, as_olga, run):
    release()
    assert tell(as_alice, run, affiliation="Here").status_code == 403
    assert tell(as_olga, run, affiliation="There").status_code == 302
    FactSheet.objects.update(edited_until=timezone.now() + timedelta(days=1))
    assert tell(as_alice, run, affiliation="Here").status_code == 302


def test_the_page_is_public_after_the_release_with_what_may_be_shown(client, as_alice, run):
    told = {"affiliation": "Uni <b>X</b>", "description": "A *fine* system.", "own-track": "open"}
    tell(as_alice, run, **told)
    assert client.get(page_of(run)).status_code == 404
    release()
    shown = client.get(page_of(run)).content.decode()
    assert "Uni &lt;b&gt;X&lt;/b&gt;" in shown
    assert "system" not in shown.split("<main")[1].split("<table")[0]  # the team has not made it public
    for word in ("Track", "open", "Place <strong>", "By a test on", r"\begin{tabular}", "@misc{"):
        assert word in shown
    FactSheet.objects.update(edited_until=timezone.now() + timedelta(days=1))
    tell(as_alice, run, shows_description="on", **told)
    assert "A <em>fine</em> system." in client.get(page_of(run)).content.decode()


def test_the_board_leads_to_the_page_after_the_release(client, run):
    board = reverse("board", args=[run.phase.task.slug, run.phase.slug, 1])
    assert page_of(run) not in client.get(board).content.decode()
    release()
    assert page_of(run) in client.get(board).content.decode()


def test_the_sentence_claims_what_the_comparison_has_found(client, run, strangers):
    release()
    [board] = client.get(page_of(run)).context["entry"].boards
    found = board.standing
    assert sorted([*found.better_than, *found.worse_than, *found.open]) == [strangers.name]
    assert strangers.name in board.sentence


def test_the_desk_asks_for_fields_of_its_own(run, olga):
    page = PartsPage(olga, reverse("desk_sheet", args=[run.phase.task.slug]))
    typed = {"own-1-text": "External data", "own-1-kind": "yes_no"}
    assert page.save("fields", **typed).status_code == 302
    assert [row["text"] for row in FactSheet.objects.get().own] == ["Track", "External data"]
    assert FactSheet.objects.get().own[0]["key"] == "track"
