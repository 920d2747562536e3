"""Tests the way from signing up to being logged in, through the real pages and the mail that they send."""

import re
import time

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.test import Client
from django.urls import reverse

from evalsite.accounts.models import Team, User
from tests.factories import PASSWORD, make_team

pytestmark = pytest.mark.django_db


def sign_up(client: Client, email: str = "dana@example.org", **fields: str):
    data = {"name": "Dana", "affiliation": "", "email": email, "password1": PASSWORD} | fields
    return client.post(reverse("account_signup"), data)


def link_in(message) -> str:
    return re.search(r"http://testserver(/accounts/\S+)", message.body).group(1)


def log_in(client: Client, email: str, password: str = PASSWORD):
    return client.post(reverse("account_login"), {"login": email, "password": password})


def is_logged_in(client: Client) -> bool:
    return client.get(reverse("profile")).status_code == 200


def test_a_new_person_confirms_the_address_and_is_logged_in(client):
    assert sign_up(client).url == reverse("account_email_verification_sent")
    assert not is_logged_in(client)
    [message] = mail.outbox
    assert message.to == ["dana@example.org"]
    assert message.subject == "[Evalsite] Confirm your e-mail address"
    link = link_in(message)
    assert "dana@example.org" in client.get(link).content.decode()
    assert not User.objects.get().emailaddress_set.get().verified, "mail scanners follow links"
    assert client.post(link).url == reverse("home")
    assert User.objects.get().emailaddress_set.get().verified
    assert is_logged_in(client)


@pytest.mark.parametrize(("transport", "is_printed"), [("console", True), ("smtp", False)])
def test_a_site_without_a_mail_server_says_where_its_mails_are(settings, client, transport, is_printed):
    settings.MAIL_TRANSPORT = f"django.core.mail.backends.{transport}.EmailBackend"
    client.post(reverse("account_reset_password"), {"email": "dana@example.org"})
    for page in ("account_email_verification_sent", "account_reset_password_done"):
        assert ("on the terminal" in client.get(reverse(page)).content.decode()) is is_printed


def test_nobody_logs_in_before_the_address_is_confirmed(client):
    sign_up(client)
    other = Client()
    assert log_in(other, "dana@example.org").url == reverse("account_email_verification_sent")
    assert not is_logged_in(other)


def test_the_link_in_the_mail_of_another_browser_confirms_but_logs_nobody_in(client):
    sign_up(client)
    other = Client()
    assert other.post(link_in(mail.outbox[0])).url == reverse("account_login")
    assert not is_logged_in(other)
    log_in(other, "dana@example.org")
    assert is_logged_in(other)


def test_a_link_works_once(client):
    sign_up(client)
    link = link_in(mail.outbox[0])
    client.post(link)
    assert "no longer valid" in Client().get(link).content.decode()


def test_a_new_person_has_a_team_of_one_and_owns_it(client):
    sign_up(client, affiliation="University of Somewhere")
    membership = User.objects.get().memberships.get()
    assert membership.is_owner
    assert (membership.team.name, membership.team.affiliation) == ("Dana", "University of Somewhere")


def test_an_invitation_is_not_lost_on_the_way_through_sign_up(client, alice):
    invitation = reverse("team_join", args=[make_team("Alice", alice).invitation])
    login = client.get(invitation).url
    signup = re.search(r'href="(/accounts/signup/\?next=[^"]+)"', client.get(login).content.decode()).group(1)
    assert f'name="next" value="{invitation}"' in client.get(signup).content.decode()
    sign_up(client, next=invitation)
    assert client.post(link_in(mail.outbox[0])).url == invitation


def test_who_follows_an_invitation_without_being_logged_in_is_told_what_the_log_in_is_for(client, alice):
    invitation = reverse("team_join", args=[make_team("Alice", alice).invitation])
    words = "You are invited to a team."
    assert words in client.get(client.get(invitation).url).content.decode()
    assert words not in client.get(reverse("account_login")).content.decode()


def test_signing_up_with_a_taken_address_looks_like_any_sign_up(client, alice):
    fresh = sign_up(client)
    taken = sign_up(Client(), alice.email)
    assert (taken.status_code, taken.url) == (fresh.status_code, fresh.url)
    assert Client().get(taken.url).content == Client().get(fresh.url).content
    assert User.objects.filter(email=alice.email).count() == 1
    [message] = [message for message in mail.outbox if message.to == [alice.email]]
    assert message.subject == "[Evalsite] You already have an account"
    assert reverse("account_reset_password") in message.body


def test_signing_up_with_a_taken_address_hashes_a_password_like_any_sign_up(client, alice, monkeypatch):
    """The hash is nearly all of the time that a sign-up takes."""
    hashed = []
    encode = MD5PasswordHasher.encode
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *given: hashed.append(given[1]) or encode(*given))
    sign_up(client)
    n_fresh = len(hashed)
    sign_up(Client(), alice.email)
    assert (n_fresh, hashed) == (1, [PASSWORD] * 2)


def test_mail_to_an_unconfirmed_address_carries_no_text_of_the_sender(client):
    sign_up(client, name="Cheap pills at evil.example", affiliation="evil.example")
    assert "evil.example" not in mail.outbox[0].body + mail.outbox[0].subject


def test_the_case_of_an_address_does_not_matter(client):
    sign_up(client, "Dana@Example.ORG")
    assert User.objects.get().email == "dana@example.org"
    client.post(link_in(mail.outbox[0]))
    other = Client()
    log_in(other, "DANA@example.org")
    assert is_logged_in(other)


def test_the_domain_of_an_address_may_have_accents(client):
    sign_up(client, "dana@bücher.example")
    client.post(link_in(mail.outbox[0]))
    assert is_logged_in(client)


def test_an_address_that_fits_no_column_is_refused(client):
    domain = ".".join(["a" * 60] * 4) + ".org"
    assert "too long" in sign_up(client, f"{'a' * 20}@{domain}").content.decode()
    assert not User.objects.exists()


def test_a_weak_password_is_refused_with_the_reason(client):
    page = sign_up(client, password1="password").content.decode()
    assert "too common" in page
    assert not User.objects.exists()


def test_teams_of_namesakes_are_numbered():
    for number in range(3):
        sign_up(Client(), f"dana{number}@example.org", name="dana" if number == 1 else "Dana")
    assert set(Team.objects.values_list("name", flat=True)) == {"Dana", "dana 2", "Dana 3"}


def test_teams_of_namesakes_with_long_names_stay_within_the_limit():
    for number in range(2):
        sign_up(Client(), f"dana{number}@example.org", name="D" * 150)
    assert set(Team.objects.values_list("name", flat=True)) == {"D" * 100, "D" * 98 + " 2"}
    assert set(User.objects.values_list("name", flat=True)) == {"D" * 150}


def test_a_name_from_right_to_left_is_kept_as_it_is(client):
    sign_up(client, name="نازنین کریمی")
    assert User.objects.get().name == Team.objects.get().name == "نازنین کریمی"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Dana\N{RIGHT-TO-LEFT OVERRIDE}gro.live", "Danagro.live"),
        ("  Dana \t\u00a0 Doe ", "Dana Doe"),
        ("Dana\x1b[31m", "Dana[31m"),
        ("می\N{ZERO WIDTH NON-JOINER}خواهم", "می\N{ZERO WIDTH NON-JOINER}خواهم"),
        ("Jose\N{COMBINING ACUTE ACCENT}", "José"),
        ("Da\N{ZERO WIDTH JOINER}na", "Dana"),
        ("क्\N{ZERO WIDTH JOINER}ष", "क्\N{ZERO WIDTH JOINER}ष"),
        ("Dana\N{VARIATION SELECTOR-16}\N{COMBINING GRAPHEME JOINER}\N{VARIATION SELECTOR-17}", "Dana"),
        ("Dana\N{HANGUL FILLER}\N{BRAILLE PATTERN BLANK} \N{HALFWIDTH HANGUL FILLER}", "Dana"),
        ("Nguyễn Thị Ngọc", "Nguyễn Thị Ngọc"),
    ],
)
def test_what_could_hide_or_reorder_its_surroundings_is_taken_out_of_a_name(client, given, kept):
    sign_up(client, name=given)
    assert User.objects.get().name == kept


@pytest.mark.parametrize(
    "name",
    [
        "",
        "  ",
        "\N{ZERO WIDTH JOINER}",
        "---",
        "\N{BRAILLE PATTERN BLANK}",
        "\N{HANGUL FILLER}",
        "a" + "\u0301\u0316" * 3,
        "D" * 151,
    ],
)
def test_a_name_without_a_letter_or_with_more_than_can_be_shown_is_refused(client, name):
    assert sign_up(client, name=name).status_code == 200
    assert not User.objects.exists()


@pytest.mark.parametrize("n_marks", [600, 30_000, 1_250_000])
def test_a_name_of_accents_is_answered_at_once(client, n_marks):
    began = time.process_time()
    response = sign_up(client, name="a" + "\u0301" * (n_marks // 2) + "\u0316" * (n_marks // 2))
    assert time.process_time() - began < 1
    assert response.status_code in (200, 413)
    assert not User.objects.exists()


def test_a_hostile_name_is_shown_as_text(client):
    sign_up(client, name="<script>alert(1)</script>")
    client.post(link_in(mail.outbox[0]))
    page = client.get(reverse("teams")).content.decode()
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page
