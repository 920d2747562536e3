"""Logging in and out, passwords and addresses: what works, and what strangers can learn from it."""

import re
import time
from datetime import timedelta

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.contrib.messages import get_messages
from django.core import mail
from django.core.management import call_command
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evalsite.accounts.models import User
from tests.evalsite.access.cast import addresses
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db
LOGIN = "/accounts/login/"


def log_in(client: Client, email: str, password: str = PASSWORD, **fields: str):
    return client.post(LOGIN, {"login": email, "password": password} | fields)


def is_logged_in(client: Client) -> bool:
    return client.get(reverse("profile")).status_code == 200


def log_in_twice(client: Client, email: str) -> None:
    """Type the password once more, as pages ask for it that could hand an account over."""
    log_in(client, email)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})


def link_in(message) -> str:
    return re.search(r"http://testserver(/accounts/\S+)", message.body).group(1)


def without_token(page: bytes) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page.decode())


def code_of(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def test_a_confirmed_person_logs_in_and_comes_to_the_tasks(client, alice):
    assert log_in(client, alice.email).url == reverse("home")
    assert is_logged_in(client)


def test_a_wrong_password_and_an_unknown_address_get_the_same_answer(client, alice):
    wrong = log_in(client, alice.email, "not her pass phrase")
    unknown = log_in(client, "nobody@example.org", "not her pass phrase")
    assert wrong.status_code == unknown.status_code == 200
    assert without_token(wrong.content).replace(alice.email, "nobody@example.org") == without_token(unknown.content)


def test_a_closed_account_does_not_tell_that_it_exists_without_the_password(client, alice):
    User.objects.update(is_active=False)
    closed = log_in(client, alice.email, "not her pass phrase")
    unknown = log_in(client, "nobody@example.org", "not her pass phrase")
    assert without_token(closed.content).replace(alice.email, "nobody@example.org") == without_token(unknown.content)
    log_in(client, alice.email)
    assert not is_logged_in(client)


def test_guessing_ends_after_a_few_attempts_even_with_the_right_password(client, alice):
    for _ in range(6):
        page = log_in(client, alice.email, "not her pass phrase")
    assert "Too many attempts" in page.content.decode()
    log_in(client, alice.email)
    assert not is_logged_in(client)


def test_nobody_is_turned_away_because_the_clock_was_ahead(client, settings, alice):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"login": "3/m"}
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        for _ in range(2):
            log_in(Client(), alice.email)
    for _ in range(2):
        log_in(client, alice.email)
        assert is_logged_in(client)
        client.logout()
    assert log_in(client, alice.email).status_code == 302
    assert "Too many attempts" in log_in(Client(), alice.email).content.decode(), "four in a minute by the right clock"


def test_resets_are_limited_with_a_page_of_ours(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {"reset_password": "1/m/ip"}
    client.post("/accounts/password/reset/", {"email": "nobody@example.org"})
    response = client.post("/accounts/password/reset/", {"email": "nobody@example.org"})
    assert response.status_code == 429
    assert "Too many attempts" in response.content.decode()
    assert "Evalsite" in response.content.decode()


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"]
)
def test_a_hostile_next_leads_nowhere_else(client, alice, target):
    assert log_in(client, alice.email, next=target).url == reverse("home")


def test_a_next_of_this_site_is_followed(client, alice):
    assert log_in(client, alice.email, next="/teams/").url == "/teams/"


def test_logging_out_needs_a_post(as_alice):
    as_alice.get("/accounts/logout/")
    assert is_logged_in(as_alice)
    as_alice.post("/accounts/logout/")
    assert not is_logged_in(as_alice)


def test_a_reset_looks_the_same_for_known_and_unknown_addresses(client, alice):
    known = client.post("/accounts/password/reset/", {"email": alice.email}, follow=True)
    unknown = Client().post("/accounts/password/reset/", {"email": "nobody@example.org"}, follow=True)
    assert known.redirect_chain == unknown.redirect_chain
    assert without_token(known.content) == without_token(unknown.content)
    assert [(message.to[0], message.subject) for message in mail.outbox] == [
        (alice.email, "[Evalsite] Choose a new password"),
        ("nobody@example.org", "[Evalsite] There is no account with this address"),
    ]


def test_a_forgotten_password_is_replaced_by_mail(client, alice):
    client.post("/accounts/password/reset/", {"email": alice.email.upper()})
    form = client.get(link_in(mail.outbox[0]), follow=True).redirect_chain[-1][0]
    client.post(form, {"password1": "another long phrase", "password2": "another long phrase"})
    assert mail.outbox[-1].subject == "[Evalsite] Your password was changed"
    assert is_logged_in(client), "the link has shown who it is"
    other = Client()
    log_in(other, alice.email)
    assert not is_logged_in(other)
    log_in(other, alice.email, "another long phrase")
    assert is_logged_in(other)


def test_a_reset_by_mail_does_not_lead_past_the_second_factor(client, alice):
    TOTP.activate(alice, generate_totp_secret())
    client.post("/accounts/password/reset/", {"email": alice.email})
    form = client.get(link_in(mail.outbox[0]), follow=True).redirect_chain[-1][0]
    client.post(form, {"password1": "another long phrase", "password2": "another long phrase"})
    assert not is_logged_in(client)


def test_who_guesses_at_an_address_does_not_lock_its_owner_out(client, settings, alice):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    guesser, owner = Client(headers={"x-forwarded-for": "10.0.0.1"}), Client(headers={"x-forwarded-for": "10.0.0.2"})
    for _ in range(6):
        log_in(guesser, alice.email, "not her pass phrase")
    assert "Too many attempts" in log_in(guesser, alice.email).content.decode()
    assert log_in(owner, alice.email).url == reverse("home")


def test_who_is_locked_out_gets_in_by_mail(client, alice):
    for _ in range(6):
        log_in(client, alice.email, "not her pass phrase")
    client.post("/accounts/password/reset/", {"email": alice.email})
    form = client.get(link_in(mail.outbox[0]), follow=True).redirect_chain[-1][0]
    client.post(form, {"password1": "another long phrase", "password2": "another long phrase"})
    assert is_logged_in(client)


def test_nobody_is_flooded_with_mails_of_resets(client):
    for _ in range(5):
        answer = client.post("/accounts/password/reset/", {"email": "nobody@example.org"})
    assert answer.status_code == 429
    assert len(mail.outbox) == 3


def test_a_used_reset_link_says_so(client, alice):
    client.post("/accounts/password/reset/", {"email": alice.email})
    link = link_in(mail.outbox[0])
    alice.set_password("another long phrase")
    alice.save()
    assert "no longer valid" in client.get(link, follow=True).content.decode()


def test_a_changed_password_counts_and_is_announced(as_alice):
    fields = {"oldpassword": PASSWORD, "password1": "another long phrase", "password2": "another long phrase"}
    assert as_alice.post("/accounts/password/change/", fields).url == reverse("profile")
    assert [message.subject for message in mail.outbox] == ["[Evalsite] Your password was changed"]
    assert User.objects.get().check_password("another long phrase")


def test_an_address_is_not_changed_without_the_password(as_alice):
    # As with a stolen session.
    assert as_alice.get("/accounts/email/").url.startswith("/accounts/reauthenticate/"), "before anything is typed"
    answer = as_alice.post("/accounts/email/", {"email": "mallory@example.org", "action_add": ""})
    assert answer.url.startswith("/accounts/reauthenticate/")
    assert not mail.outbox
    as_alice.post("/accounts/reauthenticate/", {"password": "a guess"})
    as_alice.post("/accounts/email/", {"email": "mallory@example.org", "action_add": ""})
    assert not mail.outbox


def test_a_new_address_counts_once_it_is_confirmed_and_the_old_one_is_told_before(client, alice):
    log_in_twice(client, alice.email)
    client.post("/accounts/email/", {"email": "Alice@Elsewhere.example", "action_add": ""})
    assert User.objects.get().email == "alice@example.org"
    assert "alice@elsewhere.example" in client.get("/accounts/email/").content.decode()
    message, warning = mail.outbox
    assert message.to == ["alice@elsewhere.example"]
    assert warning.to == ["alice@example.org"]
    assert warning.subject == "[Evalsite] Your e-mail address is about to change"
    assert "elsewhere" not in warning.body
    client.post(link_in(message))
    assert User.objects.get().email == "alice@elsewhere.example"
    assert mail.outbox[-1].to == ["alice@example.org"]
    assert mail.outbox[-1].subject == "[Evalsite] Your e-mail address was changed"


def test_the_address_of_somebody_else_cannot_be_taken_nor_recognised(client, alice, bob):
    log_in_twice(client, alice.email)
    client.post("/accounts/email/", {"email": bob.email, "action_add": ""})
    assert "belongs to" not in client.get("/accounts/email/").content.decode()
    if mail.outbox:
        client.post(link_in(mail.outbox[0]))
    assert set(User.objects.values_list("email", flat=True)) == {alice.email, bob.email}


@pytest.mark.django_db(transaction=True)  # the mail goes out on commit
def test_a_second_factor_is_set_up_and_gives_recovery_codes(client, alice):
    log_in(client, alice.email)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    secret = re.search(r'value="([A-Z2-7]{32})"', client.get("/accounts/2fa/totp/activate/").content.decode()).group(1)
    client.post("/accounts/2fa/totp/activate/", {"code": code_of(secret)})
    codes = re.findall(r"<code>(\w+)</code>", client.get("/accounts/2fa/recovery-codes/").content.decode())
    assert len(codes) == 10
    assert "[Evalsite] Second factor turned on" in [message.subject for message in mail.outbox]
    assert "10 of 10 are left" in client.get("/accounts/2fa/").content.decode()


def test_the_second_factor_is_asked_for_at_log_in(client, alice):
    secret = generate_totp_secret()
    TOTP.activate(alice, secret)
    assert log_in(client, alice.email, next="/teams/").url == "/accounts/2fa/authenticate/"
    assert not is_logged_in(client)
    assert "This code is wrong" in client.post("/accounts/2fa/authenticate/", {"code": "000000"}).content.decode()
    assert client.post("/accounts/2fa/authenticate/", {"code": code_of(secret)}).url == "/teams/"
    assert is_logged_in(client)


def test_a_recovery_code_opens_the_account_once(client, alice):
    TOTP.activate(alice, generate_totp_secret())
    code = RecoveryCodes.activate(alice).get_unused_codes()[0]
    for expected in (True, False):
        browser = Client()
        log_in(browser, alice.email)
        browser.post("/accounts/2fa/authenticate/", {"code": code})
        assert is_logged_in(browser) is expected


def test_the_second_factor_is_not_turned_off_without_the_password(as_alice, alice):
    TOTP.activate(alice, generate_totp_secret())
    assert as_alice.post("/accounts/2fa/totp/deactivate/").url.startswith("/accounts/reauthenticate/")
    assert Authenticator.objects.exists()


def test_organisers_without_a_second_factor_are_sent_to_set_it_up(as_olga, settings, olga):
    settings.REQUIRE_STAFF_MFA = True
    response = as_olga.get("/organise/")
    assert response.url == reverse("mfa_activate_totp")
    assert "need a second factor" in str(next(iter(get_messages(response.wsgi_request))))
    TOTP.activate(olga, generate_totp_secret())
    assert as_olga.get("/organise/").status_code == 200


def test_organisers_need_no_second_factor_where_it_is_not_required(as_olga, settings):
    settings.REQUIRE_STAFF_MFA = False
    assert as_olga.get("/organise/").status_code == 200


def test_the_rest_of_the_site_needs_no_second_factor(as_olga, settings):
    settings.REQUIRE_STAFF_MFA = True
    assert is_logged_in(as_olga)


def test_the_admin_pages_use_the_log_in_of_the_site(client, as_alice):
    assert client.get("/admin/", follow=True).redirect_chain[-1][0].startswith(LOGIN)
    assert as_alice.get("/admin/", follow=True).status_code == 403


def test_a_superuser_made_on_the_command_line_logs_in_at_once(client, monkeypatch):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", email="Root@Example.org", name="Root", interactive=False, verbosity=0)
    assert log_in(client, "root@example.org").url == reverse("home")
    assert client.get("/admin/").status_code == 200
    assert not mail.outbox


def test_log_ins_that_fail_through_our_fault_lock_nobody_out(client, alice, monkeypatch):
    client.raise_request_exception = False

    def fail(*args, **kwargs):
        raise OperationalError("the database system is shutting down")

    with monkeypatch.context() as away:
        away.setattr("evalsite.accounts.models.UserManager.get_by_natural_key", fail)
        away.setattr("allauth.account.auth_backends.AuthenticationBackend.authenticate", fail)
        assert {log_in(client, alice.email).status_code for _ in range(8)} == {503}
    assert log_in(client, alice.email).url == reverse("home")


def test_guesses_are_counted_still(client, alice):
    for _ in range(6):
        log_in(client, alice.email, "not her pass phrase")
    assert "Too many attempts." in log_in(client, alice.email).content.decode()


def test_a_refused_profile_keeps_the_old_name_in_the_header(client):
    client.force_login(make_user("Dana"))
    page = client.post(reverse("profile"), {"name": "", "affiliation": ""})
    assert page.status_code == 422
    assert 'title="Dana"' in page.content.decode()


def test_of_allauth_there_is_what_the_site_uses(client):
    """A new version that brings another entrance is noticed here."""
    names = {name for name, _ in addresses() if name.startswith(("account_", "mfa_"))}
    assert names == {f"account_{name}" for name in OF_ACCOUNTS} | {f"mfa_{name}" for name in OF_SECOND_FACTORS}
    for method in (client.get, client.post):
        assert method("/accounts/login/code/confirm/").status_code == 404
    assert client.get("/accounts/login/code/").status_code == 404


OF_ACCOUNTS = [
    *("login", "logout", "signup", "inactive", "reauthenticate", "email", "email_verification_sent", "confirm_email"),
    *("change_password", "set_password", "reset_password", "reset_password_done", "reset_password_from_key"),
    *("reset_password_from_key_done", "confirm_login_code"),
]
OF_SECOND_FACTORS = [
    *("index", "authenticate", "reauthenticate", "activate_totp", "deactivate_totp"),
    *("view_recovery_codes", "generate_recovery_codes", "download_recovery_codes"),
]
