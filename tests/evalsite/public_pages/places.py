"""The public pages of the task in which the cast meets, and what tells whether they come from the cache."""

from datetime import datetime, timedelta
from typing import Any

from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from evalsite.base.contrib import Trait, names_with
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board

HOME, TASK, BOARD = "/", "/tasks/health/", "/tasks/health/test/board/1/"
OVERVIEW, PAIRS = "/tasks/health/test/board/", f"{BOARD}pairs/"
OF_APPS = tuple(reverse(name, args=["health", "test", 1]) for name in sorted(names_with(Trait.KEPT)))  # of contrib
PAGES = (HOME, TASK, BOARD, OVERVIEW, PAIRS, *OF_APPS, "/how-to-read/")
# What only a page that is made anew asks for: the gold of a task, its boards or its texts.
CONTENTS = ('"challenges_gold"', '"leaderboard_edition"', '"leaderboard_recordrun"')


def refresh_all() -> None:
    for board in Board.objects.all():
        refresh(board)


def read(address: str = BOARD, **headers: str) -> str:
    """Return the page as a stranger gets it."""
    return Client().get(address, headers=headers).content.decode()


def logged_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def is_kept(address: str = BOARD, client: Client | None = None) -> bool:
    """Tell whether the page comes without what it shows being loaded."""
    with CaptureQueriesContext(connection) as queries:
        assert (client or Client()).get(address).status_code == 200
    return not any(table in each["sql"] for each in queries for table in CONTENTS)


def forget() -> None:
    caches["pages"].clear()


def far_from_midnight() -> datetime:
    """Now, or in a minute where all pages are about to be made anew, since another day begins."""
    now = timezone.now()
    is_near = now.date() != (now + timedelta(seconds=60)).date()
    return now + timedelta(minutes=2) if is_near else now
