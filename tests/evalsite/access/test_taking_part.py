"""Six teams that stand differently to a task, and what each of their members reads at all addresses of the site.

What is kept from some carries a word of its own. Whatever an address answers is searched for these words, in archives
too, so that a new address need not be known here to be found giving one away.
"""

import io
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from html import unescape

import pytest
from django.core.files.base import ContentFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evalsite.accounts.models import Team, User
from evalsite.challenges.models import Application, EntryRules, Phase, Task
from evalsite.challenges.taking_part.entering import agree, enter
from evalsite.public_pages import middleware as public_pages
from evalsite.submissions.runs.banning import ban
from evalsite.submissions.runs.merging import merge
from tests.evalsite.access.cast import World, address, make_world, parts
from tests.evalsite.access.walking import WANTED, Browsers
from tests.evalsite.public_pages.places import refresh_all
from tests.factories import (
    PHRASES,
    SENTENCES,
    make_gold,
    make_organiser,
    make_phase,
    make_run,
    make_team,
    make_user,
    run_files,
)

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]
CHANGING = {"organiser", "olga", "root"}
LOOKING = CHANGING | {"viewer"}
JOINT = {"jana", "jon"}
MEMBERS = {"alice", "bob", *JOINT, "late"}
# Who reads a word at some address.
READERS = {
    "word-of-page": MEMBERS | LOOKING,
    "word-of-file": MEMBERS | LOOKING,
    "word-of-description": MEMBERS | LOOKING,
    "word-of-input": MEMBERS | LOOKING,
    "word-of-board": MEMBERS | LOOKING,
    "6\t37 42\tConcept\tfrase": MEMBERS | LOOKING,  # gold that is released, of a phase with data for members only
    "8\t43 46\tConcept\tcon": LOOKING,  # gold that is not
    "word-of-letter": LOOKING,
    "word-of-answer": LOOKING,
    "word-of-refusal": {"refused"} | LOOKING,
    "word-of-ban": {"banned"} | MEMBERS | LOOKING,  # a decision, which is told to those who see the board
    "alice@example.org": {"alice"} | CHANGING,
    "late@example.org": {"late"} | CHANGING,
    "waiting@example.org": {"waiting"} | CHANGING,
    "banned@example.org": {"banned"} | CHANGING,
}
# Those who may read most come first: what is kept of their pages must reach nobody who comes after them.
PEOPLE = (
    *("root", "olga", "organiser", "viewer", "alice", "bob", "jana", "jon", "late"),
    *("foreign", "banned", "refused", "waiting", "outside", "stranger"),
)


@pytest.fixture
def people() -> dict[str, User | None]:
    found = {name: make_user(name.capitalize()) for name in PEOPLE if name not in ("root", "foreign", "stranger")}
    creating = {"root": {"is_superuser": True, "is_staff": True}, "foreign": {"may_create_tasks": True}}
    found |= {name: make_user(name.capitalize(), **fields) for name, fields in creating.items()}
    User.objects.filter(pk=found["olga"].pk).update(may_create_tasks=True)
    return {name: found.get(name) for name in PEOPLE}


@pytest.fixture
def worlds(people) -> list[World]:
    """Return the task, once by a phase whose results are hidden and once by one whose gold is released."""
    team = make_team("Alice and Bob", people["alice"], people["bob"])
    hidden = make_world("health", people["olga"], team, people["alice"], people["bob"])
    make_world("elsewhere", people["foreign"], make_team("Elsewhere", make_user("Dora")), User.objects.get(name="Dora"))
    task = hidden.task
    for role in ("viewer", "organiser"):
        make_organiser(task, people[role], role)
    _keep_for_members(hidden)
    EntryRules.objects.create(
        task=task,
        way="approval",
        terms="For research alone.",
        questions=[{"key": "track", "text": "Track", "kind": "text", "choices": [], "is_required": False}],
    )
    agree(task, team, people["alice"], 1)
    released = _released(hidden)
    waiting = _applied(task, people["waiting"], {"track": "word-of-answer"})
    _decide(_applied(task, people["refused"], {}), people["olga"], reason="word-of-refusal")
    make_team("Outside", people["outside"])
    entered = {name: _entered(task, people[name], people["olga"]) for name in ("jana", "jon", "banned", "late")}
    for name in ("jana", "jon", "banned"):
        make_run(hidden.phase, entered[name], method=f"Of {name}")
    released.phase.late_until = timezone.now() + timedelta(hours=1)
    released.phase.save()
    assert make_run(released.phase, entered["late"], _SEALED).is_late
    merge(task, entered["jana"], entered["jon"], by=people["olga"])
    ban(task, entered["banned"], "word-of-ban", by=people["olga"])
    now = timezone.now()
    Phase.objects.filter(pk=released.phase.pk).update(late_until=now, results_released=now, gold_released=True)
    released.phase.refresh_from_db()
    refresh_all()
    return [replace(hidden, application=waiting), released]


_SENTENCES = SENTENCES.rstrip("\n") + " word-of-input\n"
_SEALED = run_files(sentences=_SENTENCES)


def _keep_for_members(world: World) -> None:
    world.page.text, world.page.members_only = "A word-of-page.", True
    world.page.save()
    # Kept by the flag of its phase, as all files of that are; one's own flag is tried in `test_entering`.
    world.download.description, world.download.phase = "A word-of-description.", world.phase
    world.download.file = ContentFile(b"word-of-file", "input.txt")
    world.download.save()
    world.letter.text = "A word-of-letter."
    world.letter.save()
    world.phase.members_only, world.phase.board_audience = True, Phase.Audience.PARTICIPANTS
    world.phase.save()
    make_run(world.phase, world.team, run_files(relations=""), method="word-of-board")
    world.gold = make_gold(world.phase, world.scenario, run_files(PHRASES + "8\t43 46\tConcept\tcon\n"))


def _released(hidden: World) -> World:
    now = timezone.now()
    times = {"opens": now - timedelta(days=2), "closes": now - timedelta(hours=1)}
    phase = make_phase(hidden.task, "released", members_only=True, late_until=now + timedelta(hours=1), **times)
    gold = make_gold(phase, hidden.scenario, run_files(PHRASES + "6\t37 42\tConcept\tfrase\n", sentences=_SENTENCES))
    arrived = now - timedelta(hours=2)
    run = make_run(phase, hidden.team, _SEALED, arrived=arrived)
    worse = run_files(relations="", sentences=_SENTENCES)
    other = make_run(phase, hidden.team, worse, method="Other", arrived=arrived)
    return replace(hidden, phase=phase, gold=gold, run=run, other_run=other, answered=run)


def _applied(task: Task, user: User, answers: dict[str, str]) -> Application:
    return enter(task, make_team(f"Team of {user.name}", user), user, answers, terms_version=1)


def _decide(application: Application, by: User, **answer: str) -> None:
    browser = Client()
    browser.force_login(by)
    browser.post(reverse("desk_entry_decide", args=[application.task.slug]), {"team": application.pk, **answer})


def _entered(task: Task, user: User, by: User) -> Team:
    application = _applied(task, user, {})
    _decide(application, by, approve="")
    return application.team


def test_everybody_reads_what_is_meant_for_them_and_nothing_else(worlds, people, monkeypatch):
    monkeypatch.setattr(public_pages, "MAX_AGE", 20.0)
    browsers = Browsers(people)
    where: dict[tuple[str, str], set[str]] = {}
    for role in PEOPLE:
        for name, asked in _asked(worlds):
            browsers.ask(role, "get", name, asked)
            answer = _text(browsers.answers[-1])
            for word in READERS:
                if word in answer:
                    where.setdefault((word, role), set()).add(name)
    readers = {word: {role for found, role in where if found == word} for word in READERS}
    told = {f"{word} to {role}": where[word, role] for word in READERS for role in readers[word] - READERS[word]}
    assert told == {}
    assert readers == READERS
    assert browsers.kept == set()


def _asked(worlds: list[World]) -> Iterator[tuple[str, str]]:
    """Yield every address, about each of the two phases and a run in it.

    Left out are a stream, which repeats a run's page, and the engine's package, which knows of no task.
    """
    seen = set()
    for world in worlds:
        for name, wanted in WANTED.items():
            asked = address(name, parts(name, wanted, world), world)
            if asked not in seen and name not in ("api:submission_events", "engine_package"):
                seen.add(asked)
                yield name, asked


def _text(answer: HttpResponse) -> str:
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return unescape(b"\n".join(_unpacked(content)).decode(errors="replace"))


def _unpacked(content: bytes) -> Iterator[bytes]:
    if content.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for name in archive.namelist():
                yield name.encode()
                yield from () if name.endswith(".whl") else _unpacked(archive.read(name))
    else:
        yield content
