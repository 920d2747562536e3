"""Whatever can be changed of what a public page shows is there at once, for strangers and for participants alike.

Each field of the models that these pages show stands either in CHANGES, which change it as its user does where there
is a form for it, or in NOT_SHOWN with the reason.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.urls import reverse
from django.utils import timezone

from evalsite.accounts.services import rename as rename_team
from evalsite.challenges import services
from evalsite.challenges.models import (
    Announcement,
    Download,
    EntryRules,
    Page,
    Participation,
    Phase,
    Picture,
    Task,
    TeamNumber,
)
from evalsite.challenges.revisions import COMING, SET
from evalsite.challenges.services import delete_announcement, delete_download, delete_page, move_page
from evalsite.challenges.taking_part.teams import participate
from evalsite.leaderboard.models import Combined
from tests.desk_parts import PartsPage
from tests.evalsite.public_pages.places import BOARD, HOME, OF_APPS, OVERVIEW, TASK, logged_in, read, refresh_all
from tests.factories import (
    make_gold,
    make_organiser,
    make_phase,
    make_run,
    make_scenario,
    make_submission,
    make_team,
    make_user,
    run_files,
    scored,
)
from tests.forgotten import assert_all_are_listed
from tests.forms import filled

pytestmark = pytest.mark.django_db
LATER = datetime(2099, 12, 20, 12, tzinfo=UTC)
WORD = "Tajinaste"
World = SimpleNamespace


@pytest.fixture
def world(ranked, task, scenario, phase, team, alice, bob, strangers, olga) -> World:
    make_run(phase, strangers, run_files(relations=""))
    refresh_all()
    download = Download.objects.create(task=task, title="Input", file=ContentFile(b"data", "input.txt"))
    pages = [Page.objects.create(task=task, title=f"Page {n}", slug=f"page-{n}", position=n) for n in (0, 1)]
    return World(
        task=task, scenario=scenario, phase=phase, team=team, alice=alice, bob=bob, olga=olga, ranked=ranked,
        announcement=Announcement.objects.create(task=task, title="Soon"),
        download=download, pages=pages, gold=phase.golds.get(), participation=team.participations.get(),
    )  # fmt: skip


def desk(part: str, **typed: Any) -> Callable[[World], None]:
    """Saves a part of the desk's page of the task, or of the phase."""

    def change(world: World) -> None:
        values = dict(typed)
        is_of_phase = values.pop("of_phase", part not in {"names", "description", "readers"})
        address = (
            reverse("desk_phases_one", args=["health", "test"])
            if is_of_phase
            else reverse("desk_texts", args=["health"])
        )
        page = PartsPage(world.olga, address)
        if page.save(part, **values).status_code != 302:  # it is asked back
            assert page.save_all_the_same(part).status_code == 302

    return change


def stored(row_name: str, **values: Any) -> Callable[[World], None]:
    """Saves one row of the world."""

    def change(world: World) -> None:
        row = getattr(world, row_name)
        row.refresh_from_db()
        for field, value in values.items():
            setattr(row, field, value(world) if callable(value) else value)
        row.save(update_fields=list(values))

    return change


def of_scenario(**typed: Any) -> Callable[[World], None]:
    def change(world: World) -> None:
        client = logged_in(world.olga)
        address = reverse("desk_scenarios_edit", args=["health", 1])
        page = client.get(address)
        [name] = {found for found in re.findall(r'<form[^>]*id="([^"]+)"', page.content.decode())}
        assert client.post(address, filled(page, name, **typed)).status_code == 302

    return change


def entry_rules(**values: Any) -> Callable[[World], None]:
    return lambda world: EntryRules.objects.create(task=world.task, **values)


def profile(**typed: str) -> Callable[[World], None]:
    """Olga, who organises the task, changes her own account."""

    def change(world: World) -> None:
        client = logged_in(world.olga)
        values = {"name": world.olga.name, "affiliation": "", "language": ""} | typed
        assert client.post(reverse("profile"), values).status_code == 302

    return change


def close_account(world: World) -> None:
    world.olga.delete()


CHANGES: dict[str, tuple[str, Callable[[World], Any]]] = {
    "Task.title": (HOME, desk("names", title=WORD)),
    "Task.summary": (HOME, desk("names", summary=WORD)),
    "Task.slug": (HOME, desk("names", slug="tajinaste")),
    "Task.description": (TASK, desk("description", description=WORD)),
    "Task.language": (TASK, desk("readers", language="ja")),
    "Task.contact": (TASK, desk("readers", contact="tajinaste@example.org")),
    "Task.doi": (TASK, desk("readers", doi="https://doi.org/10.5281/tajinaste.1")),
    "Task.zone": (TASK, desk("times", zone="Europe/Madrid")),
    "Task.is_published": (HOME, stored("task", is_published=False)),
    "Task.publish_at": (HOME, stored("task", is_published=False, publish_at=LATER)),
    "Task.archived": (TASK, stored("task", archived=timezone.now())),
    "Task.is_class": (BOARD, stored("task", is_class=True)),
    "Phase.name": (BOARD, desk("names", name=WORD, of_phase=True)),
    "Phase.doi": (BOARD, desk("names", doi="10.5281/tajinaste.1", of_phase=True)),
    "Phase.slug": (HOME, desk("names", slug="tajinaste", of_phase=True)),
    "Phase.description": (TASK, desk("names", description=WORD, of_phase=True)),
    "Phase.opens": (TASK, desk("times", opens_0="2026-01-02")),
    "Phase.closes": (HOME, desk("times", closes_0="2099-12-31")),
    "Phase.late_until": (TASK, stored("phase", late_until=LATER)),
    "Phase.ranks_late": (BOARD, stored("phase", ranks_late=True)),
    "Phase.counts": (TASK, stored("phase", counts="last")),
    "Phase.window_limit": (TASK, desk("limits", window_limit="7")),
    "Phase.window": (TASK, stored("phase", window_limit=7, window=timedelta(weeks=1))),
    "Phase.year_limit": (TASK, desk("limits", year_limit="27")),
    "Phase.year": (TASK, stored("phase", year_limit=7, year="rolling")),
    "Phase.total_limit": (TASK, desk("limits", total_limit="17")),
    "Phase.board_audience": (HOME, desk("sight", board_audience="organisers")),
    "Phase.is_anonymous": (BOARD, desk("sight", is_anonymous="on")),
    "Phase.shows_scores": (TASK, stored("phase", shows_scores=False)),
    "Phase.is_former_season": (TASK, stored("phase", is_former_season=True)),
    "Phase.is_ladder": (TASK, desk("sight", is_ladder="on")),
    "Phase.detail": (TASK, desk("sight", detail="scores")),
    "Phase.gold_released": (TASK, lambda world: services.release_gold(world.phase, by=world.olga)),
    "Phase.members_only": (TASK, desk("sight", members_only="on")),
    "Phase.is_paused": (TASK, lambda world: services.pause(world.phase, "", by=world.olga)),
    "Phase.pause_reason": (TASK, lambda world: services.pause(world.phase, WORD, by=world.olga)),
    "Phase.former_closings": (TASK, desk("times", closes_0="2099-12-31")),
    "Scenario.name": (BOARD, of_scenario(name=WORD)),
    "Scenario.number": (TASK, of_scenario(number="7")),
    "Scenario.description": (TASK, of_scenario(description=WORD)),
    "Scenario.digits": (BOARD, of_scenario(digits="2")),
    "Scenario.options": (TASK, stored("scenario", options={"scenario": "2"})),
    "Scenario.family": (TASK, stored("scenario", family="labels", options={})),
    "Scenario.shown_scores": (TASK, stored("scenario", shown_scores=["f1", "recall"])),
    "Scenario.is_judged": (TASK, stored("scenario", family="given", options={}, is_judged=True)),
    "Scenario.takes_reports": (TASK, stored("scenario", family="given", options={}, takes_reports=False)),
    "Organiser.task": (TASK, lambda world: make_organiser(world.task, make_user(WORD))),
    "Organiser.user": (TASK, close_account),
    "Organiser.role": (TASK, lambda world: world.task.organiser_rows.get().delete()),
    "Download.title": (TASK, stored("download", title=WORD)),
    "Download.description": (TASK, stored("download", description=WORD)),
    "Download.available_from": (TASK, stored("download", available_from=LATER)),
    "Download.task": (TASK, lambda world: delete_download(world.download, by=world.olga)),
    "Announcement.title": (TASK, stored("announcement", title=WORD)),
    "Announcement.text": (TASK, stored("announcement", text=WORD)),
    "Announcement.task": (TASK, lambda world: delete_announcement(world.announcement, by=world.olga)),
    "Page.title": (TASK, lambda world: stored_page(world, title=WORD)),
    "Page.slug": (TASK, lambda world: stored_page(world, slug="tajinaste")),
    "Page.position": (TASK, lambda world: move_page(world.pages[1], -1, by=world.olga)),
    "Page.task": (TASK, lambda world: delete_page(world.pages[0], by=world.olga)),
    "EntryRules.way": (TASK, entry_rules(way="approval")),
    "EntryRules.closes": (TASK, entry_rules(closes=LATER)),
    "EntryRules.terms": (TASK, entry_rules(terms=WORD)),
    "EntryRules.questions": (TASK, entry_rules(questions=[{"key": "a", "text": "b", "choices": []}])),
    "Picture.name": (TASK, lambda world: with_picture(world)),
    "Gold.state": (TASK, stored("gold", state="discarded")),
    "Gold.n_units": (TASK, lambda world: released(world, n_units=77)),
    "Gold.note": (TASK, lambda world: released(world, note=WORD)),
    "Gold.version": (TASK, lambda world: released(world, version=7)),
    "Team.name": (BOARD, lambda world: rename_team(world.team, WORD, "", by=world.alice)),
    "User.name": (TASK, profile(name=WORD)),
    "User.affiliation": (TASK, profile(affiliation=WORD)),
    "FormerParticipation.name": (BOARD, lambda world: brought(world)),
}
"""By the field: where it is shown, and how it is changed."""


def stored_page(world: World, **values: str) -> None:
    for name, value in values.items():
        setattr(world.pages[0], name, value)
    world.pages[0].save()


def with_picture(world: World) -> None:
    stored("task", description="![a word](tajinaste.png)")(world)
    read(TASK)
    Picture.objects.create(task=world.task, name="tajinaste.png", file=ContentFile(b"data", "tajinaste.png"))


def released(world: World, **values: Any) -> None:
    """The gold is open, and something that the task's page says of it changes."""
    stored("phase", gold_released=True)(world)
    read(TASK)
    stored("gold", **values)(world)


def brought(world: World) -> None:
    """The team's runs are another team's now; boards of before go on naming it."""
    world.participation.delete()
    read()
    world.task.former_participations.create(
        former=world.team.pk, name=WORD, number=77, team=make_team("Another", world.bob)
    )


NOT_SHOWN = {
    "Task": {
        "id, version, house, created": "never changed, or shown nowhere",
        "revision, news": "by these pages know of the others",
        "members_frozen": "told to who wants to join or leave",
        "data_language": "told to readers of the data, in the downloads alone",
    },
    "Phase": {
        "id, version, task, created": "never changed, or shown nowhere",
        "counts_is_usual, gold_released_since, gold_due": "what the desk says",
        "decided_by": "of several boards: `test_what_decides_a_task_is_told_at_once`",
        "results_released": "shown from its time on: `test_results_are_released_at_their_very_time` in the test beside",
        "upload_megabytes": "on the form of uploads, which is made for each visitor",
        "mend_days": "what the desk and letters say",
    },
    "Scenario": {"id, version, task": "never changed", "use, judge_days": "what the desk says"},
    "Organiser": {"id, added, added_by": "what the desk says; the order of names is that in which they came"},
    "Download": {
        "id, version, file, file_name": "in the file's own answer, which is not kept",
        "phase": "in starter kits, which are made for each request",
        "members_only": "hidden from strangers alone: `test_a_file_is_kept_for_members_at_once`",
    },
    "Page": {"id, version": "never changed", "text, members_only": "on a page that is made for each visitor"},
    "EntryRules": {
        "id, version, task, secret": "never changed, or shown nowhere",
        "listed, terms_version, entered_with": "on the page of entering, which is made for each visitor",
    },
    "Announcement": {"id, version, created": "never changed", "changed": "in the feed alone, which is not kept"},
    "FactSheet": {"id, task, version": "never changed", "own, edited_until": "on pages that are made for each visitor"},
    "Picture": {"id, task, file, created": "in the picture's own answer"},
    "FormerParticipation": {
        "id, task, former, number, is_merged, created": "never changed",
        "team": "whose rows are one's own",
    },
    "Gold": {
        "id, phase, scenario, created, created_by": "never changed",
        "file, file_name, sha256, digest, size, keeps": "in the file's own answer, or the engine's",
        "judge_name, judge_version": "what the desk and signatures say",
        "is_input": "never changed: gold that comes is a row of its own",
        "split, part, n_other_units": "set before there are runs: a board that says its part is a new edition",
        "published, published_by, public_note, engine, engine_since, engine_note, candidate_engine": (
            "set by publishing, which `test_gold_that_is_published_is_told_at_once` has"
        ),
    },
    "Team": {"id, name_key, look_key, affiliation, invitation, created": "shown to members and organisers"},
    "User": {
        "id, password, last_login, is_superuser, email, language, is_active, is_staff, may_create_tasks, date_joined": (
            "shown to oneself and to administrators"
        ),
    },
    "Participation": {
        "id, task, team, number, created": "rows come and go: `test_a_new_team_is_counted`",
        "banned, ban_reason": "shown to members; the boards follow the runs that are withdrawn",
        "unranked_reason": "stored in the entries of the next board",
    },
    "TeamNumber": {"id, phase, team, number": "rows come and go: `test_a_new_number_is_shown`"},
}


@pytest.mark.parametrize("field", CHANGES)
def test_what_is_changed_is_seen_at_once_by_everybody(world, field):
    page, change = CHANGES[field]
    participant = logged_in(world.bob)
    before = read(page), participant.get(page).content.decode()
    change(world)
    after = read(page), participant.get(page).content.decode()
    assert before[0] != after[0]
    assert before[1] != after[1]
    if WORD in str(after):
        assert WORD in after[0]
        assert WORD in after[1]


@pytest.mark.parametrize("model", [*SET, *COMING], ids=lambda model: model.__name__)
def test_each_field_is_shown_and_tested_or_said_not_to_be_shown(model):
    name = model.__name__
    fields = {field.name for field in model._meta.concrete_fields}
    changed = {key.partition(".")[2] for key in CHANGES if key.startswith(f"{name}.")}
    hidden = {field for names in NOT_SHOWN.get(name, {}) for field in names.split(", ")}
    where = f"add it to CHANGES as {name}.NAME, if a public page shows it, or say in NOT_SHOWN why none does"
    assert_all_are_listed(fields, changed | hidden, where)
    assert not changed & hidden


def test_hidden_boards_are_hidden_at_once_and_shown_again_at_once(world):
    bob = logged_in(world.bob)
    for audience, status in (("organisers", 403), ("everybody", 200), ("organisers", 403)):
        stored("phase", board_audience=audience)(world)
        for page in (BOARD, OVERVIEW, *OF_APPS, f"{BOARD}board.csv"):
            assert logged_in(world.olga).get(page).status_code == 200
            assert bob.get(page).status_code == status


@pytest.mark.thorough
def test_a_file_is_kept_for_members_at_once(world, client):
    address = reverse("download", args=[world.download.pk])
    bob = logged_in(world.bob)
    for is_kept in (True, False, True):
        stored("download", members_only=is_kept)(world)
        assert ("For teams that take part." in read(TASK)) == is_kept
        assert "For teams that take part." not in bob.get(TASK).content.decode()
        if is_kept:
            assert client.get(address).status_code == 403


@pytest.mark.thorough
def test_teams_that_become_numbers_lose_their_names_at_once(world):
    assert world.team.name in read()
    stored("phase", is_anonymous=True)(world)
    for page in (HOME, TASK, BOARD, OVERVIEW, *OF_APPS, f"{BOARD}pairs/", f"{BOARD}board.csv"):
        assert world.team.name not in read(page)


def test_a_task_is_public_at_once_and_a_draft_at_once(world):
    for is_published in (False, True):
        stored("task", is_published=is_published)(world)
        assert ("Task health" in read(HOME)) == is_published
    services.archive(world.task, by=world.olga)


@pytest.mark.thorough
def test_gold_that_is_published_is_told_at_once(world, django_capture_on_commit_callbacks):
    before = world.task.revision
    world.task.refresh_from_db()
    world.gold.public_note = WORD
    world.gold.save()
    world.task.refresh_from_db()
    assert world.task.revision > before


@pytest.mark.thorough
def test_a_combined_score_is_on_the_overview_at_once(world):
    before = read(OVERVIEW)
    make_gold(world.phase, make_scenario(world.task, 2))
    with_gold = read(OVERVIEW)
    assert with_gold != before
    Combined.objects.create(phase=world.phase, formula="mean")
    assert read(OVERVIEW) != with_gold


@pytest.mark.thorough
def test_imported_rows_are_on_the_board_at_once_and_gone_at_once(world):
    before = read(BOARD)
    row = {"name": WORD, "scores": ["61.2"], "date": "2014", "source": ""}
    table = world.phase.imported_tables.create(scenario=world.gold.scenario, columns=["F1"], rows=[row])
    assert WORD in read(BOARD)
    assert WORD in logged_in(world.bob).get(BOARD).content.decode()
    table.delete()
    assert read(BOARD) == before


@pytest.mark.thorough
def test_what_decides_a_task_is_told_at_once(world):
    other = make_scenario(world.task, 2)
    make_gold(world.phase, other)
    before = read(OVERVIEW)
    assert "Scenario 1, " in before
    desk("decides", decided_by=str(other.pk))(world)
    assert 'Scenario 2, <bdi class="name">' in read(OVERVIEW)


def news(capture: Any, change: Callable[[], Any]) -> tuple[int, int]:
    """Return how far a change raises the counters of the task."""
    before = Task.objects.get(slug="health")
    with capture(execute=True):
        change()
    after = Task.objects.get(slug="health")
    return after.revision - before.revision, after.news - before.news


@pytest.mark.thorough
def test_a_new_team_is_counted(world, django_capture_on_commit_callbacks):
    entered = news(
        django_capture_on_commit_callbacks, lambda: participate(world.task, make_team("New", make_user("Eve")))
    )
    assert entered == (0, 1)
    assert news(django_capture_on_commit_callbacks, lambda: Participation.objects.last().delete()) == (0, 1)


def test_a_new_number_is_shown(world, django_capture_on_commit_callbacks):
    capture = django_capture_on_commit_callbacks
    added = news(capture, lambda: TeamNumber.objects.create(phase=world.phase, team=world.phase.pk, number=77))
    assert added == (0, 1)


@pytest.mark.thorough
def test_a_result_raises_the_news_and_no_revision(world, phase, django_capture_on_commit_callbacks):
    run = make_submission(phase, world.team, world.alice, run_files())
    revision, n_news = news(django_capture_on_commit_callbacks, lambda: (scored(run), refresh_all()))
    assert revision == 0
    assert n_news >= 1


@pytest.mark.thorough
def test_a_save_of_a_task_that_was_read_before_takes_no_revision_back(world):
    read_before = type(world.task).objects.get()
    for number in range(3):
        stored("phase", name=f"Name {number}")(world)
    now = type(world.task).objects.get()
    read_before.title = WORD
    read_before.save()
    assert type(world.task).objects.get().revision > now.revision
    assert type(world.task).objects.get().news == now.news


@pytest.mark.thorough
def test_a_phase_and_a_scenario_that_are_new_are_listed_at_once(world):
    before = read(TASK)
    make_phase(world.task, "later", name=WORD)
    assert WORD in read(TASK)
    Phase.objects.get(slug="later").delete()
    assert read(TASK) == before
