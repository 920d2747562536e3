"""Releasing what a phase brought: closing it, its results and its gold, with what speaks against each."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Event, Phase
from evalsite.challenges.tasks import release_gold
from tests.evalsite.board_pages.pages import text
from tests.factories import PARTLY_RIGHT_PHRASES, make_gold, make_phase, make_run, make_submission, run_files, work_off
from tests.forms import filled

pytestmark = pytest.mark.django_db
MENDED = run_files(PARTLY_RIGHT_PHRASES, "")


def days(n):
    return timezone.now() + timedelta(days=n)


def address(phase, step="phase"):
    return reverse(f"desk_release_{step}", args=[phase.task.slug, phase.slug])


def shown(client, phase):
    return text(client.get(address(phase)).content.decode())


def do(client, phase, step, **typed):
    """Do the step from the page as it stands."""
    return client.post(address(phase, step), filled(client.get(address(phase)), f"now-{step}", **typed))


def ticked(client, phase, step):
    """Return the value of the tick that the page shows for the step, as a browser sends it."""
    page = client.get(address(phase))
    form = next(each.now for each in page.context["steps"] if each.key == step)
    return form.fields["sure"].widget.attrs["value"] if "sure" in form.fields else ""


def test_a_phase_is_closed_and_its_results_and_gold_released_by_buttons_that_say_what_they_do(as_olga, phase):
    Phase.objects.update(closes=None)
    assert "Uploads that arrive from now on are not accepted." in shown(as_olga, phase)
    for step in ("close", "results", "gold"):
        assert do(as_olga, phase, step).status_code == 302
    phase.refresh_from_db()
    assert (phase.state, phase.is_released, phase.gold_released) == ("closed", True, True)
    changed = [event.detail["changed"] for event in Event.objects.filter(kind="phase changed")]
    assert {name for each in changed for name in each} == {"closes", "results_released", "gold_released"}


@pytest.mark.thorough
def test_what_is_announced_is_closed_early_only_with_a_tick(as_olga, phase):
    assert "Participants have been told that it closes on " in shown(as_olga, phase)

    answer = do(as_olga, phase, "close")

    assert answer.status_code == 422
    assert "Nothing was changed: tick this if you are sure." in answer.content.decode()
    assert f'action="{address(phase)}"' in answer.content.decode()  # a time is never sent to the button's address
    assert Phase.objects.get().state == "open"
    assert do(as_olga, phase, "close", sure=ticked(as_olga, phase, "close")).status_code == 302
    assert Phase.objects.get().state == "closed"


def test_results_are_not_released_past_late_uploads_runs_that_wait_and_a_candidate(
    as_olga, phase, scenario, team, alice
):
    make_run(phase, team)
    make_gold(phase, scenario, MENDED)
    work_off()
    make_submission(phase, team, alice, MENDED)
    Phase.objects.update(opens=days(-9), closes=days(-1), late_until=days(1))

    said = shown(as_olga, phase)

    assert "Late uploads are accepted until " in said
    assert "still being scored." in said
    assert "0 of 1 boards are final." in said
    assert f"{scenario.name}: the board ranks by gold version 1, and a candidate is waiting." in said
    assert reverse("desk_gold_version", args=[phase.task.slug, phase.golds.get(version=2).pk]) in (
        as_olga.get(address(phase)).content.decode()
    )
    assert do(as_olga, phase, "results").status_code == 422
    assert not Phase.objects.get().is_released
    assert do(as_olga, phase, "results", sure=ticked(as_olga, phase, "results")).status_code == 302
    assert Phase.objects.get().is_released


@pytest.mark.thorough
def test_a_tick_does_not_confirm_what_its_page_has_not_shown(as_olga, phase):
    Phase.objects.update(opens=days(-9), closes=days(-1), late_until=days(1))
    tick = ticked(as_olga, phase, "results")
    Phase.objects.update(closes=None, late_until=None)  # a colleague opens it again

    assert as_olga.post(address(phase, "results"), {"sure": tick}).status_code == 422

    assert not Phase.objects.get().is_released


def test_the_page_says_what_a_release_shows_for_the_first_time(as_olga, phase, scenario):
    Phase.objects.update(opens=days(-9), closes=days(-1))
    assert "instead of numbers" not in shown(as_olga, phase)
    Phase.objects.update(board_audience="organisers", is_anonymous=True, shows_scores=False)

    said = shown(as_olga, phase)

    assert "Everybody sees the boards; until now only organisers do." in said
    assert "The boards show the teams' names instead of numbers." in said
    assert "Teams see their own scores; until now only organisers do." in said
    assert f"{scenario.name}: everybody may download version 1." in said


def test_gold_asks_about_uploads_that_could_copy_it_and_phases_that_hide_it(as_olga, phase, scenario):
    other = make_phase(phase.task, "again")
    make_gold(other, scenario)
    said = shown(as_olga, phase)
    assert "Uploads made after the release can copy the gold, and are ranked." in said
    assert f"{other.name} uses the same gold and still hides it." in said
    assert "The results will not have been released by then." in said
    Phase.objects.update(opens=days(-9), closes=days(-1), late_until=days(1), results_released=days(-1))
    assert "Uploads made after the release can copy the gold, and are outside the ranks." in shown(as_olga, phase)
    Phase.objects.filter(pk=phase.pk).update(ranks_late=True)
    assert "Uploads made after the release can copy the gold, and are ranked." in shown(as_olga, phase)


@pytest.mark.thorough
def test_late_runs_are_not_ranked_beside_public_gold_without_a_question(as_olga, phase):
    Phase.objects.update(opens=days(-9), closes=days(-1), late_until=days(1), gold_released=True)
    page = reverse("desk_phases_one", args=[phase.task.slug, phase.slug])

    answer = as_olga.post(page, filled(as_olga.get(page), "form-late", **{"late-ranks_late": "on"}))

    assert "late runs that were made with it would be ranked" in answer.content.decode()
    assert not Phase.objects.get().ranks_late


def test_each_step_can_be_set_for_a_time(as_olga, phase):
    Phase.objects.update(opens=days(-9), closes=days(1))
    for step, field, day in (("close", "closes", 3), ("results", "results_released", 5), ("gold", "gold_due", 7)):
        at = days(day)
        typed = {f"{step}-{field}_0": f"{at:%Y-%m-%d}", f"{step}-{field}_1": "12:00:00", f"{step}-zone": "UTC"}
        page = as_olga.get(address(phase))
        assert as_olga.post(address(phase), filled(page, f"form-{step}", **typed)).status_code == 302
    stored = Phase.objects.get()
    assert stored.closes < stored.results_released < stored.gold_due
    assert shown(as_olga, phase).count("Automatically in ") == 3


@pytest.mark.thorough
def test_a_closing_earlier_than_announced_is_asked_back(as_olga, phase):
    Phase.objects.update(opens=days(-9), closes=days(9))
    typed = {"close-closes_0": f"{days(3):%Y-%m-%d}", "close-closes_1": "12:00:00", "close-zone": "UTC"}

    answer = as_olga.post(address(phase), filled(as_olga.get(address(phase)), "form-close", **typed))

    assert answer.status_code == 422
    assert "is earlier. Are you sure?" in answer.content.decode()


@pytest.mark.thorough
def test_gold_before_the_results_and_before_the_closing_is_asked_back(as_olga, phase):
    at = days(1)
    Phase.objects.update(closes=days(3), results_released=days(5))
    typed = {"gold-gold_due_0": f"{at:%Y-%m-%d}", "gold-gold_due_1": "12:00:00", "gold-zone": "UTC"}

    answer = as_olga.post(address(phase), filled(as_olga.get(address(phase)), "form-gold", **typed))

    assert answer.status_code == 422
    assert "The results will not have been released by then." in text(answer.content.decode())
    assert Phase.objects.get().gold_due is None


def test_gold_is_released_by_itself_at_its_time_and_once(as_olga, phase, client):
    download = reverse("gold", args=[phase.golds.get().pk])
    Phase.objects.update(gold_due=days(1))
    release_gold()
    assert not Phase.objects.get().gold_released
    Phase.objects.update(gold_due=days(-1))
    assert client.get(download).status_code == 404

    release_gold()

    stored = Phase.objects.get()
    assert (stored.gold_released, stored.gold_due) == (True, None)
    assert stored.gold_released_since is not None
    assert b"".join(client.get(download).streaming_content)
    assert Event.objects.filter(kind="phase changed", actor=None).count() == 1
    release_gold()
    assert Event.objects.filter(kind="phase changed").count() == 1


@pytest.mark.thorough
def test_hiding_released_results_again_is_asked_back(as_olga, phase):
    Phase.objects.update(results_released=days(-1))
    typed = {"results-results_released_0": "", "results-results_released_1": ""}
    response = as_olga.post(address(phase), filled(as_olga.get(address(phase)), "form-results", **typed))
    assert response.status_code == 422
    assert "Hide them again?" in response.content.decode()
