"""Alice before a run of hers; modules say with a fixture `run` which one it is."""

from collections.abc import Callable
from html import unescape

import pytest
from django.http import HttpResponse
from django.urls import reverse

from evalsite.challenges.models import Phase


@pytest.fixture
def release(run) -> Callable[[], int]:
    """Makes the gold visible to alice."""
    return lambda: Phase.objects.filter(pk=run.phase_id).update(gold_released=True)


@pytest.fixture
def get(client, alice, run) -> Callable[..., HttpResponse]:
    """An answer about the run's scenario, for alice."""
    client.force_login(alice)
    return lambda name, *args, query="": client.get(reverse(name, args=[run.pk, 1, *args]) + query)


@pytest.fixture
def document(get, release) -> Callable[..., str]:
    """The page of a document of the run, beside the gold."""
    release()
    return lambda name, query="": get("submission_unit", name, query=query).content.decode()


@pytest.fixture
def page(client, alice, run) -> Callable[[], str]:
    def read() -> str:
        client.force_login(alice)
        return unescape(client.get(run.get_absolute_url()).content.decode())

    return read
