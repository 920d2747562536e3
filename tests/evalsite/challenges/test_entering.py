"""Teams enter a task as its organisers set: openly, by link, by list or by approval, on terms and with answers."""

import csv
import io
from datetime import timedelta
from zipfile import ZipFile

import pytest
from django.core import mail
from django.core.files.base import ContentFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from evalsite.accounts.models import Team, User
from evalsite.challenges.access import Role, role_of
from evalsite.challenges.models import Agreement, Application, EntryRules, Participation, Phase
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
    assert "with a link" in as_alice.post(enter, {"team": team.pk}).content.decode()
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
    decide = reverse("desk_entry_decide", args=[task.slug])
    as_olga.post(decide, {"team": waiting.pk, "reason": "Only universities."})
    assert "Only universities." in as_alice.get(enter).content.decode()
    assert "Only universities." in mail.outbox[0].body
    as_olga.post(decide, {"team": waiting.pk, "approve": "yes"})
    assert role_of(alice, task) == Role.PARTICIPANT
    assert [mail.to for mail in mail.outbox] == [["alice@example.org"]] * 2


def test_organisers_approve_and_decline_with_a_reason_on_the_desk(as_olga, rules, task, team, alice):
    change(rules, way="approval")
    waiting = task.applications.create(team=team, user=alice, state="waiting")
    decide = reverse("desk_entry_decide", args=[task.slug])
    as_olga.post(decide, {"team": waiting.pk, "reason": ""})
    assert task.applications.get().state == "waiting"
    as_olga.post(decide, {"team": waiting.pk, "approve": "yes"})
    assert has_entered(task, team)
    as_olga.post(decide, {"team": waiting.pk, "reason": "Too late."})
    assert task.applications.get().state == "accepted"


@pytest.fixture
def asking(task, rules) -> list[Application]:
    """Three teams that wait for an answer, in the order in which they asked."""
    change(rules, way="approval")
    people = [make_user(f"asker-{n}") for n in range(3)]
    return [
        task.applications.create(team=make_team(f"Team {n}", person), user=person, state="waiting")
        for n, person in enumerate(people)
    ]


def answer_all(browser, task, **sent) -> str:
    """Choose all teams of the page as it stands, send the answer, and return what is said of it."""
    page = browser.get(reverse("desk_entry", args=[task.slug]))
    sent |= {"all": page.context["newest"].created.isoformat()}
    return browser.post(reverse("desk_entry_decide", args=[task.slug]), sent, follow=True).text


def states_of(task) -> list[str]:
    return list(task.applications.values_list("state", flat=True))


def test_all_teams_that_wait_are_approved_at_once(as_olga, asking, task):
    assert "All 3 teams" in as_olga.get(reverse("desk_entry", args=[task.slug])).text
    assert "3 teams take part now." in answer_all(as_olga, task, approve="yes")
    assert states_of(task) == ["accepted"] * 3
    assert len(mail.outbox) == 3


def test_all_teams_that_wait_are_declined_for_a_reason_that_each_reads(as_olga, asking, task):
    assert "give a reason" in answer_all(as_olga, task)
    assert states_of(task) == ["waiting"] * 3
    assert "3 teams were declined" in answer_all(as_olga, task, reason="Only universities.")
    assert all("Only universities." in message.body for message in mail.outbox)
    assert "3 teams were declined" in as_olga.get(reverse("desk_entry", args=[task.slug])).text


def test_a_team_that_asks_while_the_page_is_open_is_not_answered_with_all(as_olga, asking, task, team, alice):
    page = as_olga.get(reverse("desk_entry", args=[task.slug]))
    task.applications.create(team=team, user=alice, state="waiting")
    sent = {"all": page.context["newest"].created.isoformat(), "approve": "yes"}
    as_olga.post(reverse("desk_entry_decide", args=[task.slug]), sent)
    assert states_of(task) == ["accepted"] * 3 + ["waiting"]


def test_a_team_that_cannot_enter_is_named_and_holds_up_no_other(as_olga, asking, task):
    asking[1].team.name = "team 0"
    asking[1].team.save()
    answer = answer_all(as_olga, task, approve="yes")
    assert "2 teams take part now." in answer
    assert "It has to be renamed first." in answer
    assert states_of(task) == ["accepted", "waiting", "accepted"]


@pytest.mark.parametrize("sent", [{}, {"team": "x"}, {"all": "yesterday"}, {"all": "2026-99-01"}])
def test_an_answer_to_nobody_says_so(as_olga, asking, task, sent):
    decide = reverse("desk_entry_decide", args=[task.slug])
    assert "Tick the teams first" in as_olga.post(decide, {"approve": "yes", **sent}, follow=True).text
    assert states_of(task) == ["waiting"] * 3


def test_the_page_takes_as_many_queries_for_ninety_teams_as_for_three(
    as_olga, asking, task, django_assert_max_num_queries
):
    address = reverse("desk_entry", args=[task.slug])
    with CaptureQueriesContext(connection) as few:
        as_olga.get(address)
    people = [User(name=f"P {n}", email=f"p-{n}@example.org") for n in range(87)]
    User.objects.bulk_create(people)
    teams = Team.objects.bulk_create(Team(name=f"Many {n}") for n in range(87))
    rows = zip(teams, people, strict=True)
    Application.objects.bulk_create(
        Application(task=task, team=team, user=person, state="waiting") for team, person in rows
    )
    with django_assert_max_num_queries(len(few)):
        assert "All 90 teams" in as_olga.get(address).text


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


@pytest.mark.parametrize("of", ["file", "phase"])
def test_a_file_that_is_kept_by_itself_or_with_its_phase_is_offered_to_members_alone(
    client, as_alice, rules, phase, team, alice, of
):
    make_submission(phase, team, alice)
    Phase.objects.filter(pk=phase.pk).update(members_only=of == "phase")
    texts = ContentFile(b"Some text.", "texts.txt")
    offered = phase.task.downloads.create(title="Corpus", phase=phase, file=texts, members_only=of == "file")
    file, page = reverse("download", args=[offered.pk]), reverse("task", args=[phase.task.slug])
    for browser, is_member in ((client, False), (as_alice, True)):
        answer = browser.get(file)
        assert answer.status_code == (200 if is_member else 403)
        assert (b"".join(answer) == b"Some text.") == is_member
        shown = browser.get(page).text
        assert ("For teams that take part." in shown) != is_member
        assert "distribution" not in shown, "what search engines read says the same to everybody"
    assert client.get(reverse("api:task", args=[phase.task.slug])).json()["data"] == []
    kit = reverse("kit", args=[phase.task.slug, phase.slug])
    with ZipFile(io.BytesIO(as_alice.get(kit).content)) as archive:
        assert any(name.endswith("texts.txt") for name in archive.namelist())


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
