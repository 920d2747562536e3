"""One's own data as a file, and the deletion of an account: what goes, what stays, and that nothing breaks by it."""

import io
import json
import zipfile
from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.apps import apps
from django.core import mail
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evalsite.accounts import services
from evalsite.accounts.models import Team, User
from evalsite.api import tokens
from evalsite.challenges.models import Agreement, EntryRules, Event, Organiser, record
from evalsite.mailing.models import Delivery, Letter, Switch
from evalsite.mailing.services import post
from evalsite.submissions.models import Submission
from tests.evalsite.conftest import logged_in
from tests.factories import PASSWORD, make_organiser, make_run, make_submission, make_team, make_user, run_files

pytestmark = pytest.mark.django_db
DELETE, DATA = "/profile/delete/", "/profile/data/own-data.zip"


def confirmed(user: User) -> Client:
    """A browser in which the person has given the password again."""
    client = logged_in(user)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def members_of(client: Client) -> dict[str, bytes]:
    answer = client.get(DATA)
    assert answer["Cache-Control"] == "private, no-store"
    with zipfile.ZipFile(io.BytesIO(answer.getvalue())) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def delete(user: User, client: Client | None = None):
    return (client or confirmed(user)).post(DELETE, {"address": user.email.upper()})


def test_the_file_has_what_is_kept_of_oneself_and_nobody_elses(phase, team, alice, bob, olga):
    own, foreign = make_submission(phase, team, alice), make_submission(phase, team, bob, run_files(relations=""))
    rules = EntryRules.objects.create(task=phase.task, questions=[{"key": "a1", "text": "Country?", "kind": "country"}])
    phase.task.applications.create(team=team, user=alice, answers={"a1": "ES"}, state="accepted")
    Agreement.objects.create(task=rules.task, team=team, user=alice, version=1, text="Be fair.")
    post(Letter(task=phase.task, subject="News", text="It opens.", by=olga), [alice, bob], lambda user: ("News", "…"))
    found = members_of(confirmed(alice))
    told = json.loads(found["account.json"])
    assert told["account"]["addresses"] == [{"email": "alice@example.org", "verified": True}]
    assert told["answers"][0]["answers"] == {"Country?": "ES"}
    assert told["agreed_to"][0]["text"] == "Be fair."
    assert [letter["text"] for letter in told["letters"]] == ["It opens."]
    assert [name for name in found if str(own.pk)[:8] in name]
    assert not [name for name in found if str(foreign.pk)[:8] in name]
    assert "bob@" not in found["account.json"].decode()
    assert "password" not in told["account"]


@pytest.mark.thorough
def test_file_and_deletion_ask_for_the_password_again(as_alice):
    for address in (DATA, DELETE):
        assert as_alice.get(address).url.startswith("/accounts/reauthenticate/")
    assert as_alice.post(DELETE, {"address": "alice@example.org"}).status_code == 302
    assert User.objects.get(name="Alice").is_active


@pytest.mark.thorough
def test_who_has_no_password_logs_in_again_at_the_provider(client):
    user = make_user("Ada")
    user.set_unusable_password()
    user.save()
    client.force_login(user)
    assert client.get(DATA).status_code == 403
    session = client.session
    session["account_authentication_methods_user"] = str(user.pk)
    session["account_authentication_methods"] = [{"method": "socialaccount", "at": timezone.now().timestamp()}]
    session.save()
    assert client.get(DATA).status_code == 200
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        assert client.get(DATA).status_code == 403


def test_nothing_is_deleted_before_the_address_is_typed(alice):
    client = confirmed(alice)
    assert client.post(DELETE, {"address": "bob@example.org"}).status_code == 422
    assert client.post(DELETE).status_code == 422
    assert User.objects.get(pk=alice.pk).email == "alice@example.org"


def test_nothing_in_the_database_leads_to_the_person_any_more(phase, team, alice, bob, olga, settings):
    alice.name, alice.affiliation = "Alice Pleasance Liddell", "Christ Church College"
    alice.save()
    make_run(phase, team)
    services.join(make_team("Others", bob), alice)
    make_organiser(phase.task, alice)
    record(phase.task, "organiser joined", actor=alice, subject=alice.pk, person=str(alice), address=alice.email)
    SocialAccount.objects.create(user=alice, provider="orcid", uid="0000-0002-1825-0097")
    tokens.make(alice, "laptop", "read", None)
    Switch.objects.create(user=alice, kind="letter", is_on=True)
    post(Letter(task=phase.task, subject="News", text="It opens.", by=olga), [alice], lambda user: ("News", "…"))
    other = logged_in(alice)
    assert delete(alice).url == reverse("home")
    assert mail.outbox[-1].to == ["alice@example.org"]
    assert "is deleted" in mail.outbox[-1].subject
    for word in ("Alice Pleasance Liddell", "alice@example.org", "Christ Church College", "0000-0002-1825-0097"):
        assert _tables_with(word) == []
    assert other.get(reverse("profile")).status_code == 302, "in another browser"
    assert not Client().login(email="alice@example.org", password=PASSWORD)
    assert not EmailAddress.objects.filter(user=alice).exists()
    assert not Delivery.objects.filter(user=alice).exists()


def _tables_with(word: str) -> list[str]:
    found = []
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            kind = field.get_internal_type()
            if kind in ("CharField", "TextField", "EmailField", "JSONField", "SlugField"):
                column, table = connection.ops.quote_name(field.column), connection.ops.quote_name(model._meta.db_table)
                with connection.cursor() as cursor:
                    cursor.execute(f"SELECT count(*) FROM {table} WHERE CAST({column} AS text) LIKE %s", [f"%{word}%"])
                    if cursor.fetchone()[0]:
                        found.append(f"{model.__name__}.{field.name}")
    return [each for each in found if each not in ("Session.session_data", "Job.arguments")]


def test_runs_stay_under_the_teams_name_and_their_pages_work(phase, alice, as_olga):
    solo = make_team("Wonderland", alice)
    run = make_run(phase, solo)
    page = confirmed(alice).get(DELETE).content.decode()
    assert "The run that you have uploaded" in page
    assert "Wonderland" in page
    delete(alice)
    assert Team.objects.get(pk=solo.pk).memberships.count() == 0
    assert Submission.objects.get(pk=run.pk).uploader.name.startswith("Former participant ")
    for address in (
        reverse("submission", args=[run.pk]),
        reverse("board", args=[phase.task.slug, phase.slug, 1]),
        reverse("desk_runs", args=[phase.task.slug]),
        reverse("desk_teams", args=[phase.task.slug]),
        reverse("desk_log", args=[phase.task.slug]),
        reverse("desk_teams_csv", args=[phase.task.slug]),
    ):
        answer = as_olga.get(address)
        assert answer.status_code == 200, address
        assert "alice@example.org" not in answer.content.decode()


def test_the_log_keeps_who_did_it_under_a_pseudonym(phase, alice):
    make_submission(phase, make_team("Wonderland", alice), alice)
    record(phase.task, "submitted", actor=alice)
    delete(alice)
    assert str(Event.objects.filter(kind="submitted").first().actor).startswith("Former participant ")


@pytest.mark.thorough
def test_a_team_with_others_goes_to_the_first_of_them_and_one_without_runs_ends(team, alice, bob):
    empty = make_team("Empty", alice)
    old_link = team.invitation
    delete(alice)
    team.refresh_from_db()
    assert [(row.user, row.is_owner) for row in team.memberships.all()] == [(bob, True)]
    assert team.invitation != old_link
    assert not Team.objects.filter(pk=empty.pk).exists()


@pytest.mark.thorough
def test_the_only_owner_of_a_task_hands_it_over_first(task, olga, otto):
    client = confirmed(olga)
    page = client.get(DELETE).content.decode()
    assert "make somebody else an owner" in page
    assert "Delete my account" not in page
    assert "make somebody else an owner" in delete(olga, client).content.decode()
    assert User.objects.get(pk=olga.pk).is_active
    Organiser.objects.filter(user=otto).update(role="owner")
    assert delete(olga, client).status_code == 302
    assert [row.user for row in task.organiser_rows.all()] == [otto]


@pytest.mark.thorough
def test_an_administrator_gives_that_up_first(administering):
    assert delete(administering).status_code == 422


@pytest.mark.thorough
def test_the_same_address_signs_up_again_as_somebody_new(alice):
    delete(alice)
    fresh = make_user("Alice")
    assert fresh.pk != alice.pk
    assert delete(fresh).status_code == 302
