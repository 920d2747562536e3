"""Access tokens: made once, stored as a digest, and dead as soon as they should be."""

import hashlib
import re
import time
from datetime import timedelta

import pytest
import time_machine
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evalsite.accounts.models import User
from evalsite.api import tokens
from evalsite.api.models import AccessToken
from evalsite.challenges.models import Event, Phase, Task
from tests.factories import PASSWORD, make_organiser
from tests.printed import commands_of

pytestmark = pytest.mark.django_db
ME = "/api/v1/me"


@pytest.fixture
def logged_in(client, alice):
    """Alice, who has just typed her password."""
    client.post(reverse("account_login"), {"login": alice.email, "password": PASSWORD})
    return client


def make(client, **fields: str) -> str:
    """The token that the page shows."""
    page = client.post(reverse("token_create"), {"name": "laptop", "scopes": "read upload", "lifetime": "30"} | fields)
    assert page.status_code == 200
    [text] = re.findall(r'value="(evs_[^"]+)"', page.content.decode())
    return text


def test_the_command_beside_a_new_token_names_the_site(logged_in):
    page = logged_in.post(reverse("token_create"), {"name": "laptop", "scopes": "read", "lifetime": "30"})
    assert commands_of(page.content.decode()) == [
        "evalsite login http://testserver",
        "export EVALSITE_TOKEN=evs_…",
    ]


def test_a_token_is_shown_once_and_stored_as_its_digest_alone(logged_in, alice):
    text = make(logged_in)
    token = AccessToken.objects.get(user=alice)
    assert token.digest == hashlib.sha256(text.encode()).hexdigest()
    assert text not in str(AccessToken.objects.values())
    listed = logged_in.get(reverse("tokens")).content.decode()
    assert token.prefix in listed
    assert text not in listed
    assert token.expires - token.created == timedelta(days=30)


def test_its_owner_gets_a_letter_and_the_audit_trail_an_entry(logged_in, alice):
    text = make(logged_in)
    [letter] = mail.outbox
    assert letter.to == [alice.email]
    assert "laptop" in letter.body
    assert text not in letter.body
    event = Event.objects.get(kind="access token made")
    assert (event.actor, event.detail) == (alice, {"name": "laptop", "scopes": "read upload"})


def test_the_password_of_the_log_in_counts_for_five_minutes(settings, logged_in):
    assert logged_in.get(reverse("token_create")).status_code == 200
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 0
    assert logged_in.get(reverse("token_create")).url.startswith(reverse("account_reauthenticate"))


def test_whoever_is_logged_in_for_long_is_asked_for_the_password_first(as_alice):
    answer = as_alice.post(reverse("token_create"), {"name": "x", "scopes": "read", "lifetime": "0"})
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("account_reauthenticate"))
    assert not AccessToken.objects.exists()


def test_a_token_opens_what_its_owner_sees_and_its_use_is_noted(calling, alice, team):
    caller = calling(alice, "read")
    me = caller.get(ME).json()
    assert me["name"] == "Alice"
    assert me["scopes"] == ["read"]
    assert [each["name"] for each in me["teams"]] == [team.name]
    assert AccessToken.objects.get().last_used is not None


def test_a_token_that_was_revoked_opens_nothing(as_alice, calling, alice):
    caller, token = calling(alice), AccessToken.objects.get()
    as_alice.post(reverse("token_revoke", args=[token.pk]))
    refused = caller.get(ME)
    assert (refused.status_code, refused["WWW-Authenticate"]) == (401, 'Bearer realm="API"')
    assert caller.get("/api/v1/tasks").status_code == 401
    assert Event.objects.filter(kind="access token revoked").count() == 1


def test_a_token_that_has_expired_opens_nothing(calling, alice):
    caller = calling(alice, lifetime=timedelta(days=1))
    assert caller.get(ME).status_code == 200
    with time_machine.travel(timezone.now() + timedelta(days=1, minutes=1)):
        assert caller.get(ME).status_code == 401


def test_the_tokens_of_a_closed_account_open_nothing(calling, alice):
    caller = calling(alice)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert caller.get(ME).status_code == 401


def test_a_cookie_opens_nothing_of_the_api(as_alice, phase):
    assert as_alice.get(ME).status_code == 401
    assert as_alice.post("/api/v1/tasks/health/test/check").status_code == 401


def test_an_organiser_s_token_without_the_second_factor_is_a_stranger_s(settings, calling, olga, scored_submission):
    address = f"/api/v1/submissions/{scored_submission.pk}"
    assert calling(olga, "read organise").get(address).status_code == 200
    settings.REQUIRE_STAFF_MFA = True
    refused = calling(olga, "read organise").get(address)
    assert (refused.status_code, refused["Content-Type"]) == (404, "application/problem+json")


def test_a_token_of_an_organiser_sees_what_participants_see(calling, alice, olga, team, phase, scored_submission):
    """Its owner is in the team, too: the run is the own one, and still there is nothing more of it than for alice."""
    team.memberships.create(user=olga)
    run = f"/api/v1/submissions/{scored_submission.pk}"
    tasks = "/api/v1/tasks"
    seen = [f"{run}/scores/1", f"{tasks}/health/submissions", f"{tasks}/health/test", f"{tasks}/health", tasks]
    member, participant, organiser = calling(alice), calling(olga), calling(olga, "read organise")
    for address in [run, *seen]:
        assert participant.get(address).json() == member.get(address).json()
    exact, rounded = (each.get(f"{run}/scores/1").json()["scores"] for each in (organiser, participant))
    assert exact != rounded
    assert participant.post(f"{run}/withdraw").json()["withdrawn"], "as one of the team, who need not say why"


def test_a_token_of_an_organiser_opens_neither_hidden_boards_nor_drafts(calling, olga, phase, scored_submission):
    board = "/api/v1/tasks/health/test/boards/1"
    Phase.objects.update(board_audience="organisers")
    assert [calling(olga, scopes).get(board).status_code for scopes in ("read", "read organise")] == [403, 200]
    Task.objects.update(is_published=False)
    assert [calling(olga, scopes).get(board).status_code for scopes in ("read", "read organise")] == [404, 200]


def test_an_organiser_s_token_is_made_by_organisers_alone(logged_in, alice, task):
    fields = {"name": "desk", "scopes": "read upload organise", "lifetime": "30"}
    assert logged_in.post(reverse("token_create"), fields).status_code == 422
    assert "organiser" not in logged_in.get(reverse("token_create")).content.decode()
    make_organiser(task, alice, "viewer")
    make(logged_in, **fields)
    assert AccessToken.objects.get().may_organise
    assert "It acts for you as an organiser." in mail.outbox[0].body
    assert "Acts for you as an organiser." in logged_in.get(reverse("tokens")).content.decode()


def test_the_second_factor_is_asked_for_before_an_organiser_s_token_is_made(settings, logged_in, alice, task):
    make_organiser(task, alice)
    settings.REQUIRE_STAFF_MFA = True
    fields = {"name": "my desk", "scopes": "read organise", "lifetime": "0"}
    assert logged_in.post(reverse("token_create"), fields).status_code == 422, "not before there is one"
    secret = generate_totp_secret()
    TOTP.activate(alice, secret)
    asked = logged_in.post(reverse("token_create"), fields)
    assert asked.url.startswith(reverse("mfa_reauthenticate"))
    assert not AccessToken.objects.exists()
    code = format_hotp_value(hotp_value(secret, int(time.time()) // 30))
    back = logged_in.post(asked.url, {"code": code})
    form = logged_in.get(back.url).context["form"]
    assert {name: form[name].value() for name in fields} == fields
    make(logged_in, **fields)
    make(logged_in)  # a participant's needs the password alone


def test_a_token_that_may_only_read_uploads_nothing(calling, alice, phase):
    refused = calling(alice, "read").post("/api/v1/tasks/health/test/submissions")
    assert refused.status_code == 403
    assert "can only read" in refused.json()["detail"]


def test_nobody_has_more_tokens_than_the_settings_say(settings, logged_in, alice):
    settings.MAX_ACCESS_TOKENS = 1
    make(logged_in)
    page = logged_in.post(reverse("token_create"), {"name": "second", "scopes": "read", "lifetime": "0"})
    assert page.status_code == 422
    assert "which is the limit for one account" in page.content.decode()
    tokens.revoke(AccessToken.objects.get(), by=alice)
    make(logged_in, name="second")


def test_answers_to_a_token_are_kept_by_nobody(calling, alice):
    answer = calling(alice).get(ME)
    assert answer["Cache-Control"] == "private, no-store"
    assert "Authorization" in answer["Vary"]


ME, TASKS = "/api/v1/me", "/api/v1/tasks"


def is_refused(answer, seconds: int) -> bool:
    """Check that the answer names the time after which another try is worth it, of at most this."""
    assert answer.json()["detail"]
    wait = int(answer["Retry-After"]) if answer.status_code == 429 else 0
    return answer["Content-Type"] == "application/problem+json" and seconds - 60 < wait <= seconds


def test_requests_are_counted_by_token_and_without_one_by_client(settings, client, calling, alice):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"api": "2/10m"}
    first, second = calling(alice), calling(alice)
    for caller in (first, second, client):
        assert [caller.get(TASKS).status_code for _ in range(2)] == [200, 200]
        assert is_refused(caller.get(TASKS), 600)
    assert client.get(TASKS, REMOTE_ADDR="192.0.2.7").status_code == 200
    assert client.get("/").status_code == 200, "pages are others' matter"
    with time_machine.travel(timezone.now().timestamp() + 601):
        assert first.get(TASKS).status_code == 200


def test_who_comes_with_wrong_tokens_is_told_to_stop_and_others_of_the_address_are_not(settings, calling, alice):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"wrong_token": "2/5m"}
    stranger = Client(headers={"Authorization": "Bearer evs_wrong"})
    assert [stranger.get(ME).status_code for _ in range(2)] == [401, 401]
    assert is_refused(stranger.get(ME), 300)
    assert is_refused(stranger.post(f"{TASKS}/health/test/check"), 300)
    assert calling(alice).get(ME).status_code == 200
    assert Client().get(TASKS).status_code == 200
