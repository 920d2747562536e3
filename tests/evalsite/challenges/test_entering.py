"""Teams enter a task as its organisers set: openly, by link, by list or by approval, on terms and with answers."""

import csv
import io
from datetime import timedelta

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.access import Role, role_of
from evalsite.challenges.models import Agreement, Application, EntryRules, Participation
from evalsite.challenges.taking_part.entering import is_listed, listed_in
from evalsite.submissions.models import Submission
from evalsite.submissions.receiving.admission import Rejection
from tests.desk_parts import PartsPage
from tests.factories import make_organiser, make_submission, make_team, make_user, run_files, zip_upload

pytestmark = pytest.mark.django_db
AT = {"at_0": "2026-11-26", "at_1": "12:00"}
QUESTIONS = [
    {"key": "track", "text": "Track", "kind": "choice", "choices": ["open", "closed"], "is_required": True},
    {"key": "from", "text": "From", "kind": "country", "choices": [], "is_required": False},
]


@pytest.fixture
def enter(task):
    return reverse("enter", args=[task.slug])


@pytest.fixture
def rules(task):
    return EntryRules.objects.create(task=task)


def change(rules, **values):
    rules.refresh_from_db()
    for name, value in values.items():
        setattr(rules, name, value)
    rules.save()


def has_entered(task, team):
    return Participation.objects.filter(task=task, team=team).exists()


def test_without_a_setting_a_team_enters_with_its_first_upload(phase, team, alice):
    make_submission(phase, team, alice)
    assert has_entered(phase.task, team)


@pytest.mark.thorough
def test_a_team_may_enter_before_its_first_upload(as_alice, enter, task, team):
    assert as_alice.post(enter, {"team": team.pk}).status_code == 302
    assert has_entered(task, team)


def test_where_a_form_is_asked_for_an_upload_leads_to_it(as_alice, rules, enter, phase, team, alice):
    change(rules, way="approval")
    with pytest.raises(Rejection, match="has not entered") as rejected:
        make_submission(phase, team, alice)
    assert rejected.value.remedy.address == enter
    page = as_alice.get(reverse("submit", args=[phase.task.slug, phase.slug]))
    assert f'href="{enter}"' in page.content.decode()


def test_by_link_one_enters_by_the_link_alone_and_a_new_one_ends_the_old(as_alice, as_olga, rules, enter, task, team):
    change(rules, way="link")
    old = reverse("enter_by_link", args=[rules.secret, task.slug])
    assert "by a link" in as_alice.post(enter, {"team": team.pk}).content.decode()
    assert old in as_olga.get(reverse("desk_entry", args=[task.slug])).content.decode()
    as_olga.post(reverse("desk_entry_link", args=[task.slug]))
    as_alice.post(old, {"team": team.pk})
    assert not has_entered(task, team)
    rules.refresh_from_db()
    as_alice.post(reverse("enter_by_link", args=[rules.secret, task.slug]), {"team": team.pk})
    assert has_entered(task, team)


def test_a_pasted_list_is_read_with_any_separator_and_duplicates_and_a_mark_of_its_bytes():
    text = "\ufeffAna <Ana@Uni.Example>; bob@x.example,\tBOB@x.example\r\n@cs.example\n\n uni.example "
    assert listed_in(text) == (["ana@uni.example", "bob@x.example", "cs.example", "uni.example"], [])
    assert listed_in("ana@\nuniversity") == ([], ["ana@", "university"])


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("listed", "is_found"),
    [("alice@example.org", True), ("example.org", True), ("ample.org", False), ("bob@example.org", False)],
)
def test_a_list_has_confirmed_addresses_and_domains(rules, alice, listed, is_found):
    rules.listed = listed
    alice.emailaddress_set.create(email="bob@example.org", verified=False)
    assert is_listed(rules, alice) == is_found


@pytest.mark.thorough
def test_a_list_with_words_that_are_no_addresses_names_them(rules, olga, task):
    page = PartsPage(olga, reverse("desk_entry", args=[task.slug]))
    assert page.save("way", way="listed", listed="uni.example, everybody").status_code == 422
    assert "“everybody”" in page.text
    assert page.save("way", listed="uni.example\nuni.example").status_code == 302
    rules.refresh_from_db()
    assert (rules.way, rules.listed) == ("listed", "uni.example")


def test_listed_addresses_are_shown_to_no_viewer_neither_on_the_page_nor_in_the_log(rules, olga, task, client):
    PartsPage(olga, reverse("desk_entry", args=[task.slug])).save("way", way="listed", listed="ana@uni.example")
    viewer = make_user("Vera")
    make_organiser(task, viewer, "viewer")
    client.force_login(viewer)
    for name in ("desk_entry", "desk_log"):
        assert "ana@uni" not in client.get(reverse(name, args=[task.slug])).content.decode()


@pytest.mark.thorough
def test_a_participant_of_the_preview_has_agreed_to_the_terms(as_olga, rules, phase):
    change(rules, terms="For research alone.")
    phase.task.pages.create(title="Rules", slug="rules", text="Only for members.", members_only=True)
    preview = reverse("desk_preview_page", args=[phase.task.slug, "pages/rules/"])
    seen = {who: as_olga.get(preview, {"as": who, **AT}).content.decode() for who in ("stranger", "participant")}
    assert "Only for members." not in seen["stranger"]
    assert "Only for members." in seen["participant"]


def test_a_team_waits_for_approval_and_is_told(as_alice, as_olga, rules, enter, task, team, alice):
    change(rules, way="approval", questions=QUESTIONS)
    answered = {"team": team.pk, "own-track": "open", "own-from": "ES"}
    assert as_alice.post(enter, answered | {"own-track": "none"}).status_code == 422
    as_alice.post(enter, answered)
    waiting = Application.objects.get()
    assert (waiting.state, waiting.answers) == ("waiting", {"track": "open", "from": "ES"})
    assert role_of(alice, task) == Role.STRANGER
    decide = reverse("desk_entry_decide", args=[task.slug, waiting.pk])
    as_olga.post(decide, {"reason": "Only universities."})
    assert "Only universities." in as_alice.get(enter).content.decode()
    assert "Only universities." in mail.outbox[0].body
    as_olga.post(decide, {"approve": "yes"})
    assert role_of(alice, task) == Role.PARTICIPANT
    assert [mail.to for mail in mail.outbox] == [["alice@example.org"]] * 2


def test_organisers_approve_and_decline_with_a_reason_on_the_desk(as_olga, rules, task, team, alice):
    change(rules, way="approval")
    waiting = task.applications.create(team=team, user=alice, state="waiting")
    decide = reverse("desk_entry_decide", args=[task.slug, waiting.pk])
    as_olga.post(decide, {"reason": ""})
    assert task.applications.get().state == "waiting"
    as_olga.post(decide, {"approve": "yes"})
    assert has_entered(task, team)
    as_olga.post(decide, {"reason": "Too late."})
    assert task.applications.get().state == "accepted"


def test_after_the_closing_nobody_enters_and_teams_that_have_go_on(as_alice, rules, enter, phase, team, alice):
    change(rules, closes=timezone.now() - timedelta(hours=1))
    assert "could enter until" in as_alice.post(enter, {"team": team.pk}).content.decode()
    with pytest.raises(Rejection, match="could enter until"):
        make_submission(phase, team, alice)
    change(rules, closes=None)
    as_alice.post(enter, {"team": team.pk})
    change(rules, closes=timezone.now() - timedelta(hours=1))
    make_submission(phase, team, alice)


@pytest.mark.thorough
def test_terms_are_kept_as_they_were_agreed_to(as_alice, rules, enter, task, team, alice):
    change(rules, terms="# Data\n\nFor research alone.")
    assert "<h1>Data" not in as_alice.get(enter).content.decode()
    assert as_alice.post(enter, {"team": team.pk, "terms": 1}).status_code == 422
    as_alice.post(enter, {"team": team.pk, "terms": 1, "agrees": "on"})
    change(rules, terms="Other terms.")
    agreed = Agreement.objects.get()
    assert (agreed.version, agreed.text, agreed.user) == (1, "# Data\n\nFor research alone.", alice)


@pytest.mark.thorough
def test_terms_that_change_while_somebody_enters_are_shown_anew(as_alice, rules, enter, task, team):
    change(rules, terms="For research alone.")
    change(rules, terms="Not for sale.")
    answer = as_alice.post(enter, {"team": team.pk, "terms": 1, "agrees": "on"})
    assert answer.status_code == 422
    assert "changed while you had the page open" in answer.content.decode()
    assert "Not for sale." in answer.content.decode()
    assert not has_entered(task, team)
    assert answer.context["form"]["terms"].value() == "2"
    assert not answer.context["form"]["agrees"].value()


def test_changed_terms_are_asked_again_before_the_next_upload(as_alice, rules, enter, phase, team, alice):
    make_submission(phase, team, alice)
    change(rules, terms="For research alone.")
    assert role_of(alice, phase.task) == Role.STRANGER
    with pytest.raises(Rejection, match="not agreed to the terms"):
        make_submission(phase, team, alice, run_files())
    as_alice.post(enter, {"team": team.pk, "terms": 1, "agrees": "on"})
    change(rules, terms="Not for sale.")
    assert role_of(alice, phase.task) == Role.PARTICIPANT
    answer = as_alice.post(
        reverse("submit", args=[phase.task.slug, phase.slug]),
        {"team": team.pk, "method": "Second", "files": zip_upload(run_files())},
    )
    assert "not agreed to the terms" in answer.content.decode()
    assert Submission.objects.count() == 1


@pytest.mark.thorough
def test_a_team_that_brought_no_agreement_gets_no_members_data(as_alice, rules, phase, team, alice):
    make_submission(phase, team, alice)
    phase.members_only = True
    phase.save()
    kit = reverse("kit", args=[phase.task.slug, phase.slug])
    assert as_alice.get(kit).status_code == 200
    change(rules, terms="For research alone.")
    assert as_alice.get(kit).status_code == 403


@pytest.mark.thorough
def test_a_kit_has_members_files_for_members_alone(as_alice, as_charlie, phase, team, alice):
    make_submission(phase, team, alice)
    phase.task.downloads.create(title="Secret corpus", file="corpus.txt", members_only=True)
    address = reverse("task", args=[phase.task.slug])
    [download] = phase.task.downloads.all()
    assert as_charlie.get(reverse("download", args=[download.pk])).status_code == 403
    api = reverse("api:task", args=[phase.task.slug])
    assert as_charlie.get(api).json()["data"] == []
    assert "For teams that take part." in as_charlie.get(address).content.decode()
    assert "For teams that take part." not in as_alice.get(address).content.decode()


def test_questions_are_written_on_the_desk_and_answers_come_as_a_table(
    as_alice, as_olga, rules, enter, task, team, olga
):
    page = PartsPage(olga, reverse("desk_entry", args=[task.slug]))
    typed = {"questions-0-text": "=Track", "questions-0-kind": "choice", "questions-0-choices": "open"}
    assert page.save("questions", **typed).status_code == 422
    assert "Number 1: write 2 to 50 answers" in page.text
    assert page.save("questions", **{"questions-0-choices": "open\n=closed"}).status_code == 302
    rules.refresh_from_db()
    [question] = rules.questions
    as_alice.post(enter, {"team": team.pk, f"own-{question['key']}": "=closed"})
    table = as_olga.get(reverse("desk_entry_answers", args=[task.slug])).content.decode()
    [line] = csv.DictReader(io.StringIO(table))
    assert (line["team"], line["state"], line["'=Track"]) == (team.name, "accepted", "'=closed")
    assert line["address"] == "alice@example.org"


@pytest.mark.thorough
def test_members_of_a_banned_team_are_no_members_and_enter_with_no_other(as_alice, enter, phase, team, alice):
    task = phase.task
    task.participations.create(team=team, number=1, banned=timezone.now(), ban_reason="Two accounts.")
    assert role_of(alice, task) == Role.STRANGER
    other = make_team("Another", alice)
    assert "have banned your team" in as_alice.post(enter, {"team": other.pk}).content.decode()
    assert not has_entered(task, other)


@pytest.mark.thorough
def test_a_namesake_cannot_enter_and_is_told(as_charlie, enter, task, team, charlie):
    task.participations.create(team=team, number=1)
    other = make_team(team.name, charlie)
    assert "is called" in as_charlie.post(enter, {"team": other.pk}).content.decode()
    assert not Application.objects.exists()
