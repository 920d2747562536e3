"""Logging in through a provider: a real one over HTTP, honest and hostile, and whose account it opens."""

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.core import mail
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse
from environ import Env

from evalsite.accounts.models import User
from evalsite.accounts.sign_in.keys import providers
from evalsite.accounts.sign_in.providers import GitHubAdapter, OrcidAdapter
from tests.factories import PASSWORD
from tests.openid_provider import CLIENT, Provider, orcid_record, provider

pytestmark = pytest.mark.django_db
OPENID = "/accounts/oidc/openid/login/"
CONNECTIONS = "/accounts/3rdparty/"


@pytest.fixture(scope="module")
def _running():
    with provider() as running:
        yield running


@pytest.fixture
def openid(_running, settings, monkeypatch) -> Provider:
    """A provider that tells the truth, whose keys the server has; it plays ORCID and GitHub too."""
    fresh = Provider(int(_running.address.rpartition(":")[2]))
    vars(_running).update(vars(fresh))  # the server answers by it
    classes = "evalsite.accounts.sign_in.providers"
    settings.SOCIALACCOUNT_PROVIDERS = {
        "orcid": {"provider_class": f"{classes}.Orcid", "APPS": [CLIENT]},
        "github": {"provider_class": f"{classes}.GitHub", "APPS": [CLIENT | {"client_id": "evalsite-at-github"}]},
        "openid_connect": {
            "provider_class": f"{classes}.OpenId",
            "OAUTH_PKCE_ENABLED": True,
            "APPS": [
                CLIENT | {"provider_id": "openid", "name": "University", "settings": {"server_url": _running.address}}
            ],
        },
    }
    monkeypatch.setattr(OrcidAdapter, "access_token_url", f"{_running.address}/oauth/token")
    monkeypatch.setattr(OrcidAdapter, "profile_url", f"{_running.address}/v3.0/%s/record")
    monkeypatch.setattr(GitHubAdapter, "access_token_url", f"{_running.address}/token")
    monkeypatch.setattr(GitHubAdapter, "profile_url", f"{_running.address}/user")
    monkeypatch.setattr(GitHubAdapter, "emails_url", f"{_running.address}/user/emails")
    return _running


def come_by(client: Client, running: Provider, login: str = OPENID, **begun: str):
    """Begin a log-in, agree at the provider, and come back; return the answer of the site."""
    there = client.post(login, {"process": "login"} | begun)
    assert there.status_code == 302, there.content
    return client.get(f"{login}callback/", running.authorise(there.url))


def who(client: Client) -> User | None:
    return User.objects.filter(pk=client.session.get("_auth_user_id")).first()


def test_a_confirmed_address_needs_no_mail_and_the_new_person_has_a_team(client, openid):
    assert come_by(client, openid).url == reverse("home")
    ada = who(client)
    assert (ada.name, ada.email) == ("Ada Lovelace", "ada@example.org")
    assert [str(team) for team in ada.teams.all()] == ["Ada Lovelace"]
    assert ada.emailaddress_set.get().verified
    assert not ada.has_usable_password()
    assert not mail.outbox


def test_the_same_person_comes_again_whatever_her_address_is_by_then(client, openid):
    come_by(client, openid)
    ada = who(client)
    client.logout()
    openid.person["email"] = "ada@elsewhere.example"
    come_by(client, openid)
    assert who(client) == ada
    assert ada.emailaddress_set.get().email == "ada@example.org"


def test_of_what_the_provider_tells_little_is_kept_and_no_token(client, openid):
    openid.person |= {"birthdate": "1815-12-10", "phone_number": "+44 1"}
    come_by(client, openid)
    assert SocialAccount.objects.get().extra_data == {"shown": "ada@example.org"}
    assert not SocialToken.objects.exists()


def test_the_way_on_is_kept_and_leads_nowhere_else(client, openid):
    assert come_by(client, openid, next="/teams/").url == "/teams/"
    client.logout()
    assert come_by(client, openid, next="https://evil.example/").url == reverse("home")


@pytest.mark.parametrize("told", [{"email_verified": False}, {"email_verified": "true"}, {"email": None}])
def test_an_address_that_is_missing_or_not_confirmed_is_asked_for_and_confirmed_by_mail(client, openid, told):
    openid.person |= told
    assert come_by(client, openid).url == reverse("socialaccount_signup")
    page = client.get(reverse("socialaccount_signup")).content.decode()
    assert 'value="Ada Lovelace"' in page
    typed = {"name": "Ada", "affiliation": "", "email": "ada@example.org"}
    assert client.post(reverse("socialaccount_signup"), typed).url == reverse("account_email_verification_sent")
    assert who(client) is None
    [letter] = mail.outbox
    link = re.search(r"http://testserver(/accounts/\S+)", letter.body)[1]
    client.post(link)
    assert EmailAddress.objects.get(email="ada@example.org").verified
    assert come_by(Client(), openid).url == reverse("home")


def test_another_address_than_the_confirmed_one_is_confirmed_by_mail(client, openid):
    openid.person |= {"name": ""}
    come_by(client, openid)
    client.post(reverse("socialaccount_signup"), {"name": "Ada", "affiliation": "", "email": "other@example.org"})
    assert not EmailAddress.objects.get().verified
    assert mail.outbox[0].to == ["other@example.org"]


@pytest.mark.parametrize("name", ["", "\u202e\u200b", "<b>\n", "x" * 5000, ["a"]])
def test_a_strange_name_is_asked_for_or_cut(client, openid, name):
    openid.person |= {"name": name}
    assert come_by(client, openid).status_code == 302
    assert all(len(user.name) <= 150 and "\n" not in user.name for user in User.objects.all())


def test_an_account_with_the_address_is_not_joined_and_its_owner_is_told_what_to_do(client, alice, openid):
    openid.person |= {"email": alice.email}
    answer = come_by(client, openid)
    assert answer.url == f"{reverse('account_login')}?next={CONNECTIONS}"
    assert who(client) is None
    assert "There is an account with the address" in client.get(answer.url).content.decode()
    assert not SocialAccount.objects.exists()
    client.post(answer.url, {"login": alice.email, "password": PASSWORD, "next": CONNECTIONS})
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert come_by(client, openid, process="connect").url == CONNECTIONS
    assert SocialAccount.objects.get().user == alice
    assert "was connected to yours" in mail.outbox[-1].body


def test_an_unconfirmed_address_of_somebody_else_tells_nothing_and_its_owner_gets_a_mail(client, alice, openid):
    openid.person |= {"email": alice.email, "email_verified": False}
    come_by(client, openid)
    typed = {"name": "Ada", "affiliation": "", "email": alice.email}
    answer = client.post(reverse("socialaccount_signup"), typed)
    assert answer.url == reverse("account_email_verification_sent")
    assert not SocialAccount.objects.exists()
    assert [letter.to for letter in mail.outbox] == [[alice.email]]
    assert "It already has an account" in mail.outbox[0].body.replace("\n", " ")


def test_an_account_that_is_somebody_elses_is_not_connected(client, as_alice, openid):
    come_by(client, openid)
    as_alice.post("/accounts/reauthenticate/", {"password": PASSWORD})
    come_by(as_alice, openid, process="connect")
    assert "belongs to another account here" in as_alice.get(CONNECTIONS).content.decode()
    assert SocialAccount.objects.get().user != who(as_alice)


def test_connecting_asks_for_the_password_again(as_alice, openid):
    assert come_by(as_alice, openid, process="connect").url == reverse("account_reauthenticate")
    assert not SocialAccount.objects.exists()


def test_the_only_way_in_is_not_disconnected_before_there_is_a_password(client, openid):
    come_by(client, openid)
    account = {"account": SocialAccount.objects.get().pk}
    assert "Set a password first" in client.post(CONNECTIONS, account).content.decode()
    ada = who(client)
    ada.set_password(PASSWORD)
    ada.save()
    client.force_login(ada)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.post(CONNECTIONS, account)
    assert not SocialAccount.objects.exists()


def test_nobody_disconnects_what_is_somebody_elses(client, as_alice, openid):
    come_by(client, openid)
    as_alice.post("/accounts/reauthenticate/", {"password": PASSWORD})
    as_alice.post(CONNECTIONS, {"account": SocialAccount.objects.get().pk})
    assert SocialAccount.objects.exists()


def test_the_second_factor_is_asked_for_still(client, openid):
    come_by(client, openid)
    TOTP.activate(who(client), generate_totp_secret())
    client.logout()
    assert come_by(client, openid).url == reverse("mfa_authenticate")
    assert who(client) is None
    assert Authenticator.objects.exists()


def test_a_closed_account_stays_closed(client, openid):
    come_by(client, openid)
    User.objects.update(is_active=False)
    come_by(second := Client(), openid)
    assert second.get(reverse("profile")).status_code == 302


def _lets_nobody_in(client: Client, openid: Provider) -> bool:
    answer = come_by(client, openid)
    return answer.status_code == 401 and b"That did not work" in answer.content and not User.objects.exists()


@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "of another log-in"},
        {"nonce": None},
        {"sub": "somebody else"},
        {"iss": "https://evil.example"},
        {"aud": "another site"},
        {"exp": 1},
    ],
    ids=str,
)
def test_an_id_token_with_wrong_claims_lets_nobody_in(client, openid, claims):
    openid.claims = claims
    assert _lets_nobody_in(client, openid)


def test_an_id_token_with_a_foreign_signature_or_none_lets_nobody_in(client, openid):
    openid.signs_with = openid.foreign_key
    assert _lets_nobody_in(client, openid)
    openid.algorithm = "none"
    assert _lets_nobody_in(client, openid)


@pytest.mark.parametrize("person", [[], {}, {"sub": None}, {"sub": 3}, {"sub": ""}, "ada", None], ids=str)
def test_an_answer_that_nobody_understands_lets_nobody_in(client, openid, person):
    openid.person = person
    assert _lets_nobody_in(client, openid)


def test_a_wrong_or_second_state_lets_nobody_in(client, openid):
    there = client.post(OPENID, {"process": "login"})
    brought = openid.authorise(there.url)
    for query in (brought | {"state": "made-up"}, {"code": "code-1"}, {"state": brought["state"]}):
        assert client.get(f"{OPENID}callback/", query).status_code == 401
    assert Client().get(f"{OPENID}callback/", brought).status_code == 401, "in another browser"
    assert not User.objects.exists()


def test_who_says_no_at_the_provider_reads_so(client, openid):
    there = client.post(OPENID, {"process": "login"})
    answer = client.get(f"{OPENID}callback/", {"error": "access_denied", "state": openid.authorise(there.url)["state"]})
    assert "You are not logged in" in client.get(answer.url).content.decode()


def test_a_provider_that_is_away_is_a_page_of_ours(client, openid):
    openid.is_down = True
    answer = client.post(OPENID, {"process": "login"})
    assert answer.status_code == 401
    assert "University did not answer" in answer.content.decode()


def test_orcid_is_kept_as_the_provider_has_it_and_its_confirmed_address_needs_no_mail(client, openid):
    openid.orcid = orcid_record(("unconfirmed@example.org", False), ("ada@example.org", True))
    come_by(client, openid, "/accounts/orcid/login/")
    ada = who(client)
    assert (ada.name, ada.email) == ("Ada Lovelace", "ada@example.org")
    assert SocialAccount.objects.get().uid == "0000-0002-1825-0097"


def test_orcid_without_a_public_address_asks_for_one(client, openid):
    openid.orcid = orcid_record()
    assert come_by(client, openid, "/accounts/orcid/login/").url == reverse("socialaccount_signup")


@pytest.mark.parametrize(
    "record", [{}, [], {"orcid-identifier": {"path": "x"}}, orcid_record(orcid="0000-0001-5109-3700")]
)
def test_the_record_of_another_orcid_lets_nobody_in(client, openid, record):
    openid.orcid = record
    assert come_by(client, openid, "/accounts/orcid/login/").status_code == 401
    assert not User.objects.exists()


def test_of_githubs_addresses_the_confirmed_one_at_which_mail_is_read_counts(client, openid):
    openid.person = {"id": 7, "login": "ada", "name": None, "email": None}
    openid.emails = [
        {"email": "7+ada@users.noreply.github.com", "primary": True, "verified": True},
        {"email": "unconfirmed@example.org", "primary": False, "verified": False},
        {"email": "ada@example.org", "primary": False, "verified": True},
    ]
    assert come_by(client, openid, "/accounts/github/login/").url == reverse("socialaccount_signup"), "for her name"
    client.post(reverse("socialaccount_signup"), {"name": "Ada", "affiliation": "", "email": "ada@example.org"})
    assert who(client).email == "ada@example.org"
    assert SocialAccount.objects.get().extra_data == {"shown": "ada"}


def test_without_keys_nothing_of_it_shows(client, as_alice):
    assert 'id="providers"' not in client.get(reverse("account_login")).content.decode()
    assert "Connected accounts" not in as_alice.get(reverse("profile")).content.decode()
    for address in (OPENID, "/accounts/orcid/login/", "/accounts/github/login/callback/", f"{OPENID}callback/"):
        assert client.get(address).status_code == 404
    assert as_alice.get(CONNECTIONS).status_code == 404


def test_with_keys_the_log_in_has_a_button_for_each_provider(client, openid):
    page = client.get(f"{reverse('account_login')}?next=/teams/").content.decode()
    for name in ("ORCID", "GitHub", "University"):
        assert name in page
    assert page.count('name="next" value="/teams/"') == 4


def test_keys_are_read_from_the_environment_and_half_a_key_is_told(monkeypatch):
    monkeypatch.setenv("ORCID_CLIENT_ID", "APP-1")
    with pytest.raises(ImproperlyConfigured, match="ORCID_CLIENT_SECRET"):
        providers(Env())
    monkeypatch.setenv("ORCID_CLIENT_SECRET", "secret")
    assert providers(Env())[1] == ["https://orcid.org"]
    for name, value in {"URL": "https://login.uni.example/realm/", "CLIENT_ID": "a", "CLIENT_SECRET": "b"}.items():
        monkeypatch.setenv(f"OPENID_{name}", value)
    found, origins = providers(Env())
    assert origins == ["https://orcid.org", "https://login.uni.example"]
    assert found["openid_connect"]["APPS"][0]["settings"] == {"server_url": "https://login.uni.example/realm"}
