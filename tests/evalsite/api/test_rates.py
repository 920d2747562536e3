"""How often a program may ask, and how often with a token that opens nothing."""

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

pytestmark = pytest.mark.django_db
ME, TASKS = "/api/v1/me", "/api/v1/tasks"


def is_refused(answer, seconds: int) -> bool:
    """With the time after which another try is worth it, of at most this."""
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
