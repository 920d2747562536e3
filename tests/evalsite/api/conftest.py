"""Callers of the API: a client that sends somebody's token."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from evalsite.accounts.models import User
from evalsite.api import tokens

Call = Callable[..., Any]


@pytest.fixture
def calling() -> Callable[..., Client]:
    """A client of a program that has a new token of the person, and no cookie."""

    def make(user: User, scopes: str = "read upload", lifetime: timedelta | None = None) -> Client:
        _, text = tokens.make(user, "test", scopes, lifetime)
        return Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {text}"})

    return make
