"""Alice before a run of hers; modules say with a fixture `run` which one it is."""

import re
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
def get(as_alice, run) -> Callable[..., HttpResponse]:
    """An answer about the run's scenario, for alice."""
    return lambda name, *args, query="": as_alice.get(reverse(name, args=[run.pk, 1, *args]) + query)


@pytest.fixture
def document(get, release) -> Callable[..., str]:
    """The page of a document of the run, beside the gold."""
    release()
    return lambda name, query="": get("submission_unit", name, query=query).content.decode()


@pytest.fixture
def page(as_alice, run) -> Callable[[], str]:
    """The page of the run, as alice sees it."""
    return lambda: unescape(as_alice.get(run.get_absolute_url()).content.decode())


@pytest.fixture
def read(as_alice) -> Callable[..., str]:
    """The page at an address as alice gets it, on one line."""

    def page(address: str, *, status: int = 200) -> str:
        answer = as_alice.get(address)
        assert answer.status_code == status
        return re.sub(r"\s+", " ", unescape(answer.content.decode()))

    return page


@pytest.fixture
def words(as_alice) -> Callable[[str], str]:
    """The words of the page at an address, without its tags."""

    def page(address: str) -> str:
        answer = as_alice.get(address)
        assert answer.status_code == 200
        return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))

    return page
