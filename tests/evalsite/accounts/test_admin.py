"""People and teams in the admin pages."""

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.urls import reverse

from evalsite.accounts.models import User
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def root():
    return make_user("Root", is_staff=True, is_superuser=True)


def test_an_account_made_by_a_superuser_has_a_team_of_one(client, root):
    client.force_login(root)
    fields = {"email": "Dana@Example.org", "name": "Dana", "usable_password": "true"}
    client.post(reverse("admin:accounts_user_add"), fields | {"password1": PASSWORD, "password2": PASSWORD})
    made = User.objects.get(email="dana@example.org")
    assert made.check_password(PASSWORD)
    assert made.teams.get().name == "Dana"


def test_an_address_is_given_once(client, root, alice):
    client.force_login(root)
    fields = {"email": "ALICE@example.org", "name": "Dana", "usable_password": "false"}
    page = client.post(reverse("admin:accounts_user_add"), fields)
    assert "exists already" in page.content.decode()


def test_a_superuser_makes_somebody_an_organiser_but_cannot_change_the_address(client, root, alice):
    client.force_login(root)
    fields = {"email": "evil@example.org", "name": "Alice", "affiliation": "", "is_active": "on", "is_staff": "on"}
    assert client.post(reverse("admin:accounts_user_change", args=[alice.pk]), fields).status_code == 302
    alice.refresh_from_db()
    assert alice.is_staff
    assert alice.email == "alice@example.org"


def test_teams_are_not_changed_in_the_admin_pages(client, root, team):
    client.force_login(root)
    assert client.post(reverse("admin:accounts_team_change", args=[team.pk]), {"name": "Taken"}).status_code == 403
    assert client.post(reverse("admin:accounts_team_delete", args=[team.pk]), {"post": "yes"}).status_code == 403


def test_a_superuser_removes_a_lost_second_factor_without_seeing_its_secret(client, root, alice):
    secret = generate_totp_secret()
    authenticator = TOTP.activate(alice, secret).instance
    client.force_login(root)
    shown = client.get(reverse("admin:mfa_authenticator_change", args=[authenticator.pk]))
    assert shown.status_code == 200
    assert secret not in shown.content.decode()
    client.post(reverse("admin:mfa_authenticator_delete", args=[authenticator.pk]), {"post": "yes"})
    assert not alice.authenticator_set.exists()


_WORK = ("accounts_organiserrequest", "accounts_user", "account_emailaddress", "challenges_organiser", "background_job")


def test_the_index_has_each_heading_once_and_in_our_words(client, root):
    client.force_login(root)
    shown = client.get(reverse("admin:index"))
    headings = [each["name"] for each in shown.context["app_list"]]
    assert len(set(headings)) == len(headings)
    assert {"People and teams", "E-mail addresses", "Second factors"} <= set(headings)
    page = shown.content.decode()
    work = [page.index(reverse(f"admin:{name}_changelist")) for name in _WORK]
    assert sorted(work) == work
    assert work[-1] < page.index("Tables, to read")
    assert "MFA" not in page
    assert "Authenticators" not in page


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("accounts_user", "Users"),
        ("accounts_team", "Teams"),
        ("account_emailaddress", "Email addresses"),
        ("mfa_authenticator", "Second factors"),
        ("challenges_task", "Tasks"),
        ("challenges_gold", "Gold"),
        ("submissions_submission", "Submissions"),
    ],
)
def test_a_list_is_called_by_what_it_lists(client, root, name, title):
    client.force_login(root)
    page = client.get(reverse(f"admin:{name}_changelist")).content.decode()
    assert f"<h1>{title}</h1>" in page
    assert "Select " not in page.split("<h1>")[1].split("</h1>")[0]
