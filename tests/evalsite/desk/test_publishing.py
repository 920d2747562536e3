"""Publishing a task, seeing it before as others will, and releasing what a phase brought."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from evalsite.accounts.models import Team, User
from evalsite.challenges.models import Event, Participation, Phase, Task
from evalsite.leaderboard.making.entries import make_entries
from evalsite.leaderboard.models import Board
from evalsite.submissions.receiving.admission import Rejection, admit
from tests.factories import make_phase
from tests.forms import filled

pytestmark = pytest.mark.django_db


def preview(client, task, who, at, rest=""):
    query = {"as": who, "at_0": f"{at:%Y-%m-%d}", "at_1": f"{at:%H:%M:%S}"}
    address = (
        reverse("desk_preview_page", args=[task.slug, rest]) if rest else reverse("desk_preview", args=[task.slug])
    )
    return client.get(address, query).content.decode()


def days(n):
    return timezone.now() + timedelta(days=n)


# Publishing and archiving


def test_the_checklist_leads_to_what_is_missing(as_olga, task):
    page = as_olga.get(reverse("desk_publish", args=[task.slug])).content.decode()
    assert "missing, and needed" in page
    assert reverse("desk_phases", args=[task.slug]) in page


def test_the_checklist_names_the_phases_that_lack_gold(as_olga, task, phase):
    make_phase(task, "final", name="Final")
    page = as_olga.get(reverse("desk_publish", args=[task.slug])).content.decode()
    assert "Gold for each phase and scenario: none yet for Final" in page


@pytest.mark.thorough
def test_a_task_in_which_nobody_could_take_part_is_published_only_if_that_is_meant(as_olga, task):
    Task.objects.update(is_published=False)
    address = reverse("desk_publish_now", args=[task.slug])
    assert as_olga.post(address).status_code == 422
    assert not Task.objects.get().is_public
    assert as_olga.post(address, {"sure": "on"}).status_code == 302
    assert Task.objects.get().is_public


def test_a_task_of_the_past_goes_into_the_archive_and_comes_back(as_olga, phase, task, client):
    Phase.objects.update(opens=days(-9), closes=days(-1))
    put, home = reverse("desk_publish_archive", args=[task.slug]), reverse("home")
    as_olga.post(put)
    assert task.title not in as_olga.get(home).content.decode()
    assert task.title in as_olga.get(reverse("archive")).content.decode()
    assert "In the archive since" in client.get(task.get_absolute_url()).content.decode()
    assert client.get(reverse("board", args=[task.slug, phase.slug, 1])).status_code == 200
    as_olga.post(reverse("desk_publish_bring_back", args=[task.slug]))
    assert task.title in as_olga.get(home).content.decode()
    kinds = [event.detail["changed"] for event in Event.objects.filter(kind="task changed").order_by("pk")]
    assert [list(changed) for changed in kinds] == [["archived"], ["archived"]]


@pytest.mark.thorough
def test_a_task_whose_phase_is_open_stays_out_of_the_archive(as_olga, phase, task):
    said = as_olga.post(reverse("desk_publish_archive", args=[task.slug]), follow=True).content.decode()
    assert "close its phases first" in said
    assert phase.name in said
    assert Task.objects.get().archived is None


@pytest.mark.thorough
def test_nobody_uploads_to_a_task_in_the_archive_though_a_phase_is_opened_again(phase, task, team, alice):
    Task.objects.update(archived=timezone.now())
    again = Phase.objects.select_related("task").get()
    assert not again.takes_uploads
    with pytest.raises(Rejection, match="in the archive"):
        admit(again, team, alice, "0" * 64, [], arrived=timezone.now())


def test_a_task_with_a_time_is_public_from_then_on_everywhere(as_olga, phase, task, client, time_machine):
    Task.objects.update(is_published=False)
    address = reverse("desk_publish", args=[task.slug])
    typed = {"at-publish_at_0": f"{days(2):%Y-%m-%d}", "at-publish_at_1": "12:00"}
    assert as_olga.post(address, filled(as_olga.get(address), "form-at", **typed)).status_code == 302
    assert client.get(task.get_absolute_url()).status_code == 404
    assert task.title not in client.get("/").content.decode()
    time_machine.move_to(days(3))
    assert client.get(task.get_absolute_url()).status_code == 200
    assert task.title in client.get("/").content.decode()


@pytest.mark.thorough
def test_a_task_is_a_draft_again_only_while_no_team_has_uploaded(as_olga, task, request):
    back = reverse("desk_publish_back", args=[task.slug])
    as_olga.post(back)
    assert not Task.objects.get().is_published
    Task.objects.update(is_published=True)
    request.getfixturevalue("submission")
    as_olga.post(back)
    assert Task.objects.get().is_published


# Preview


def test_the_preview_of_a_closed_and_of_a_released_date_shows_what_will_be_shown(
    as_olga, scored_submission, scenario, task, as_charlie, time_machine
):
    """Kept and anonymous until the release: the preview now, and the page itself once the time has come."""
    phase = scored_submission.phase
    hidden = {"board_audience": "organisers", "is_anonymous": True, "results_released": days(9)}
    Phase.objects.filter(pk=phase.pk).update(**hidden)
    board = Board.objects.get(phase=phase, scenario=scenario)
    make_entries(board)
    rest = f"{phase.slug}/board/{scenario.number}/"
    closed, released = (
        preview(as_olga, task, "stranger", days(5), rest),
        preview(as_olga, task, "stranger", days(10), rest),
    )
    assert "Alice and Bob" not in closed
    assert "Alice and Bob" in released
    address = reverse("board", args=[task.slug, phase.slug, scenario.number])
    for time, seen in ((days(5), closed), (days(10), released)):
        time_machine.move_to(time)
        shown = as_charlie.get(address).content.decode()
        assert ("Alice and Bob" in shown) == ("Alice and Bob" in seen)
        assert ("closed" in shown) == ("closed" in seen)


@pytest.mark.thorough
def test_a_participant_of_the_preview_sees_the_upload_form_while_the_phase_is_open_and_not_after(as_olga, phase, task):
    rest = f"{phase.slug}/submit/"
    assert "Upload and check" in preview(as_olga, task, "participant", days(0), rest)
    assert "This phase is closed" in preview(as_olga, task, "participant", days(2), rest)
    assert "redirected to another page" in preview(as_olga, task, "stranger", days(0), rest)


@pytest.mark.thorough
def test_the_preview_of_a_draft_shows_it_as_published_and_changes_nothing(as_olga, phase, task):
    Task.objects.update(is_published=False)
    before = [model.objects.count() for model in (User, Team, Participation, Event)]
    page = preview(as_olga, task, "participant", days(0))
    assert "shown as if it were published" in page
    assert "You take part with" in page
    assert [model.objects.count() for model in (User, Team, Participation, Event)] == before
    assert not Task.objects.get().is_published


def test_nothing_of_a_previewed_page_can_be_sent(as_olga, phase, task):
    page = preview(as_olga, task, "participant", days(0), f"{phase.slug}/submit/")
    forms = [tag.partition(">")[0] for tag in page.split("<form ")[1:] if 'method="post"' in tag.partition(">")[0]]
    assert forms
    assert all(f'inert action="{reverse("desk_preview", args=[task.slug])}' in form for form in forms)
    assert as_olga.post(reverse("desk_preview", args=[task.slug])).status_code == 405


def test_a_preview_never_shows_organisers_pages_or_files(as_olga, phase, task, scenario):
    gold = phase.golds.get()
    for rest in ("organise/", "../admin/", f"{phase.slug}/kit.zip", f"../../gold/{gold.pk}/"):
        assert "there is no page here" in preview(as_olga, task, "participant", days(0), rest)


@pytest.mark.thorough
def test_of_a_task_published_at_a_time_a_preview_of_before_shows_nothing(as_olga, phase, task):
    Task.objects.update(is_published=False, publish_at=days(3))
    assert "there is no page here" in preview(as_olga, task, "stranger", days(1))
    assert task.summary in preview(as_olga, task, "stranger", days(4))
