"""Tests what depends on the time, or on what is released: the lowest role that sees it, and all above; nobody below."""

from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from evalsite.challenges.models import Download, Page, Phase, Task
from evalsite.leaderboard.tasks import refresh_boards
from tests.contrib_apps import contrib_modules
from tests.evalsite.access.cast import World, address, make_people, make_world, parts
from tests.factories import make_team, make_user

pytestmark = pytest.mark.django_db
ASCENDING = ("stranger", "alice", "viewer", "organiser", "olga")
_BOARD = ["task", "phase", "scenario"]
ADDRESSES = {
    "board": ("board", _BOARD),
    "names of teams": ("board", _BOARD),
    "own scores": ("submission_scores", ["pk", "scenario"]),
    "gold": ("gold", ["pk"]),
    "file for later": ("download", ["pk"]),
    "task": ("task", ["task"]),
    "page": ("task_page", ["task", "page"]),
    "check": ("open_check", ["task", "phase"]),
    "kit": ("kit", ["task", "phase"]),
    "entry": ("entry", ["task", "phase", "pk"]),
}
# The phase as it is set, then who sees what of it.
OPEN = ("stranger", "stranger", "alice")  # page, check and kit, for which one needs an account
UNRELEASED, RELEASED = "viewer", "stranger"  # the page of an entry
TABLE = {
    "open": (
        {},
        ("alice", "viewer", "alice", "viewer", "viewer", "stranger", *OPEN, UNRELEASED),
    ),
    "closed": (
        {"closes": -1},
        ("alice", "viewer", "alice", "viewer", "viewer", "stranger", *OPEN, UNRELEASED),
    ),
    "released tomorrow": (
        {"closes": -1, "results_released": 24},
        ("alice", "viewer", "alice", "viewer", "viewer", "stranger", *OPEN, UNRELEASED),
    ),
    "released": (
        {"closes": -1, "results_released": -1},
        ("stranger", "stranger", "alice", "viewer", "viewer", "stranger", *OPEN, RELEASED),
    ),
    "gold released": (
        {"closes": -1, "results_released": -1, "gold_released": True},
        (
            "stranger",
            "stranger",
            "alice",
            "stranger",
            "viewer",
            "stranger",
            "stranger",
            "stranger",
            "stranger",
            RELEASED,
        ),
    ),
    "scores kept back": (
        {"shows_scores": False},
        ("viewer", "viewer", "viewer", "viewer", "viewer", "stranger", *OPEN, UNRELEASED),
    ),
    "board of organisers": (
        {"board_audience": "organisers"},
        ("viewer", "viewer", "alice", "viewer", "viewer", "stranger", *OPEN, UNRELEASED),
    ),
    "file given out": (
        {"available_from": -1},
        ("alice", "viewer", "alice", "viewer", "stranger", "stranger", *OPEN, UNRELEASED),
    ),
    "draft until tomorrow": (
        {"publish_at": 24},
        ("viewer", "viewer", "alice", "viewer", "viewer", "viewer", "viewer", "viewer", "viewer", UNRELEASED),
    ),
    "draft until an hour ago": (
        {"publish_at": -1},
        ("alice", "viewer", "alice", "viewer", "viewer", "stranger", *OPEN, UNRELEASED),
    ),
    "kept for members": (
        {"members_only": True, "available_from": -1},
        ("alice", "viewer", "alice", "viewer", "alice", "stranger", "alice", "alice", "alice", UNRELEASED),
    ),
    "kept for members, with its gold": (
        {"members_only": True, "closes": -1, "results_released": -1, "gold_released": True},
        ("stranger", "stranger", "alice", "alice", "viewer", "stranger", "alice", "alice", "alice", RELEASED),
    ),
}
# Pages of apps of contrib: the address, and the lowest role at each moment, or at all others.
for module in contrib_modules("over_time"):
    ADDRESSES |= module.ADDRESSES
    TABLE = {key: (values, (*roles, *module.LOWEST.get(key, module.ELSE))) for key, (values, roles) in TABLE.items()}
MODELS = {"available_from": [Download], "publish_at": [Task], "members_only": [Download, Page, Phase]}


@pytest.fixture
def world() -> World:
    alice, bob = make_user("Alice"), make_user("Bob")
    world = make_world("health", make_user("Olga"), make_team("Alice and Bob", alice, bob), alice, bob)
    refresh_boards()
    return world


@pytest.fixture
def browsers(world) -> dict[str, Client]:
    people = make_people(world)
    browsers = {role: Client() for role in ASCENDING}
    for role, browser in browsers.items():
        if people[role]:
            browser.force_login(people[role])
    return browsers


@pytest.mark.parametrize("moment", TABLE)
def test_what_is_seen_when(world, browsers, moment):
    values, lowest = TABLE[moment]
    Phase.objects.update(is_anonymous=True, board_audience="participants")
    Download.objects.update(available_from=timezone.now() + timedelta(days=1))
    for name, value in values.items():
        is_time = isinstance(value, int) and not isinstance(value, bool)
        found = timezone.now() + timedelta(hours=value) if is_time else value
        for model in MODELS.get(name, [Phase]):
            model.objects.update(**{name: found})
    if "publish_at" in values:
        Task.objects.update(is_published=False)
    answers = {(field, role): ask(browsers[role], field, world) for field in ADDRESSES for role in ASCENDING}
    seen = {field: [role for role in ASCENDING if shows(answers[field, role], field, world)] for field in ADDRESSES}
    for answer in answers.values():
        answer.close()  # files are streamed; only now, as the end of an answer closes the database too
    assert seen == {
        field: list(ASCENDING[ASCENDING.index(role) :]) for field, role in zip(ADDRESSES, lowest, strict=True)
    }


def ask(browser: Client, field: str, world: World) -> HttpResponse:
    name, wanted = ADDRESSES[field]
    return browser.get(address(name, parts(name, wanted, world), world))


def shows(answer: HttpResponse, field: str, world: World) -> bool:
    if answer.status_code != 200:
        return False
    return field != "names of teams" or str(world.team) in answer.content.decode()
