"""A clone is whole, leaves the task that it is like as it was, and keeps nobody from writing meanwhile."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from html import unescape
from io import BytesIO
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.db import IntegrityError, connection
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evalsite.accounts.models import Team, User
from evalsite.base.contrib import ContribConfig
from evalsite.challenges.models import (
    Download,
    EntryRules,
    Event,
    FactSheet,
    Gold,
    GoldSplit,
    Phase,
    Picture,
    Scenario,
    Task,
    record,
)
from evalsite.desk.making import drafts
from evalsite.desk.making.cloning import COPIED, HAPPENED_TO_THE_OLD_TASK, OF_THE_NEW_ROW, OF_WHO_CLONES, clone
from evalsite.desk.making.drafts import draft
from evalsite.leaderboard.models import Combined
from evalsite.submissions.models import Submission
from tests.factories import (
    PARTLY_RIGHT,
    make_gold,
    make_phase,
    make_run,
    make_scenario,
    make_submission,
    make_task,
    run_files,
    scored,
)
from tests.forgotten import assert_all_are_listed
from tests.forms import filled

# Rows that lead to a task, a scenario or a phase, and tell what people did there.
STAY_BEHIND = {
    *("Organiser", "OrganiserInvitation", "Participation", "FormerParticipation", "TeamNumber", "FormerAddress"),
    *("Event", "WaitingGold", "Job", "Submission", "Scoring", "Allowance", "Choice", "KeptUpload", "Board"),
    *("Application", "Agreement", "AccessToken", "ImportedTable"),
    *("Announcement", "Letter", "RefusedUploads"),
}


def test_a_clone_copies_all_columns_but_those_that_are_named():
    assert {"name", "opens", "detail", "upload_megabytes"} <= set(COPIED[Phase])
    for model, copied in COPIED.items():
        names = {field.name for field in model._meta.concrete_fields}
        assert HAPPENED_TO_THE_OLD_TASK[model] <= names, f"a column of {model} that is there no more"
        assert names - set(copied) <= OF_THE_NEW_ROW | OF_WHO_CLONES | HAPPENED_TO_THE_OLD_TASK[model]
        for field in (model._meta.get_field(name) for name in copied):
            assert not field.unique, f"a second row with the value of {field} could not be stored: leave it out"


def test_each_model_that_leads_to_a_task_is_cloned_or_known_to_stay_behind():
    staying = {model.__name__ for model in leading_models() - COPIED.keys()}
    where = "copy it in evalsite/desk/making/cloning.py, or add it to STAY_BEHIND if it tells what people did"
    assert_all_are_listed(staying, STAY_BEHIND, where)


def leading_models() -> set[type[Model]]:
    """Return the models that lead to a task. Those of apps of contrib all stay: the core, which clones, knows none."""
    leading = {each.related_model for model in (Task, Phase, Scenario) for each in model._meta.related_objects}
    return {model for model in leading if not isinstance(model._meta.app_config, ContribConfig)}


@pytest.fixture
def last_year(db, olga, team) -> Task:
    """All that a task can have: two languages, gold with a candidate, runs of all kinds, texts, files."""
    task = make_task("hunt-2025", olga, title="Hunt 2025", description="Find *them*.", zone="Europe/Madrid")
    english, german = (make_scenario(task, number, name=name) for number, name in ((1, "English"), (2, "German")))
    now = timezone.now()
    phase = make_phase(task, closes=now - timedelta(minutes=1), late_until=now + timedelta(days=1), ranks_late=True)
    files = run_files(scenarios=(1, 2))
    for scenario in (english, german):
        make_gold(phase, scenario, files)
    runs = {**PARTLY_RIGHT, **run_files(scenarios=(2,))}
    for reference in ("baseline", "human", "trial"):
        scored(make_submission(phase, team, olga, runs, reference=reference))
    make_run(phase, team, runs)
    assert Submission.objects.get(reference="").is_late
    assert make_gold(phase, german, run_files(relations="part-of\t1\t2\n", scenarios=(1, 2))).is_candidate
    Combined.objects.create(phase=phase, formula="mean(*.f1)", missing="last", board={"entries": []}, basis="old")
    FactSheet.objects.create(task=task)
    EntryRules.objects.create(task=task, way="approval", terms="For research.", questions=[])
    task.pages.create(title="Rules", slug="rules", text="Be fair.", position=3)
    task.pictures.create(name="map.png", file=ContentFile(b"png", "map.png"))
    Download.objects.create(task=task, title="Input", file=ContentFile(b"x", "input.txt"), available_from=phase.opens)
    task.refresh_from_db()
    assert task.house is not None
    return task


def values_of(task: Task) -> dict[str, list[dict]]:
    """Return all that belongs to a task, but for its audit trail and the revision of its pages.

    A copy of its gold is news for the task: what both tell of it is added up.
    """
    paths = {
        Task: "pk",
        Combined: "phase__task",
        Gold: "phase__task",
        GoldSplit: "phase__task",
        Submission: "phase__task",
    }
    rows = {model: model.objects.filter(**{paths.get(model, "task"): task.pk}) for model in (*COPIED, Submission)}
    return {
        model.__name__: [row | {"revision": None} for row in of_model.order_by("pk").values()]
        for model, of_model in rows.items()
    }


def content_of(row: Gold | Picture | Download) -> bytes:
    with row.file.open() as file:
        return file.read()


def test_a_clone_is_whole_and_the_task_that_it_is_like_stays_as_it_was(last_year, olga):
    before = values_of(last_year)
    opens = last_year.phases.get().opens + timedelta(weeks=52)
    made = clone(last_year, "Hunt 2026", opens, with_gold=True, by=olga)
    assert values_of(last_year) == before
    assert (made.slug, made.house, made.is_published, made.description) == ("hunt-2026", None, False, "Find *them*.")
    assert [each.name for each in made.scenarios.all()] == ["English", "German"]
    phase, old = made.phases.get(), last_year.phases.get()
    assert (phase.ranks_late, phase.opens) == (True, opens)
    assert phase.late_until - old.late_until == opens - old.opens
    combined = Combined.objects.get(phase=phase)
    assert (combined.formula, combined.missing, combined.board, combined.basis) == ("mean(*.f1)", "last", {}, "")
    golds = Gold.objects.filter(phase=phase)
    assert sorted(gold.scenario.name for gold in golds) == ["English", "German"]
    assert {(gold.version, gold.state) for gold in golds} == {(1, "published")}
    for gold in golds:  # the one that ranks, not the candidate
        twin = Gold.objects.get(phase=old, scenario__number=gold.scenario.number, state="published")
        assert gold.sha256 == twin.sha256
        assert content_of(gold) == content_of(twin)
        assert gold.file.name != twin.file.name
    assert made.pages.get().text == "Be fair."
    assert content_of(made.pictures.get()) == b"png"
    assert content_of(made.downloads.get()) == b"x"
    assert made.downloads.get().available_from == opens
    assert not Submission.objects.filter(phase__task=made).exists()
    assert not made.participations.exists()


def test_a_clone_of_a_finished_task_begins_hidden_and_says_what_was_public(last_year, client, olga):
    now = timezone.now()
    last_year.phases.update(gold_released=True, gold_released_since=now, results_released=now)
    client.force_login(olga)
    address = reverse("desk_clone", args=[last_year.slug])
    fields = filled(client.get(address), "form-clone", title="Hunt 2026")
    answer = client.post(address, fields, follow=True)
    phase = Task.objects.get(slug="hunt-2026").phases.get()
    assert (phase.gold_released, phase.results_released) == (False, None)
    assert "was public. It is hidden in the new task" in answer.content.decode()


def test_files_that_may_hold_the_answers_are_copied_only_if_somebody_ticks_them(last_year, client, olga):
    phase, gold = last_year.phases.get(), Gold.objects.filter(state="published").first()
    files = {
        "Key": {"file": ContentFile(content_of(gold), "key.zip"), "available_from": phase.opens},
        "Test with labels": {"available_from": phase.closes, "phase": phase},
        "All labels": {"available_from": phase.closes + timedelta(days=3)},
        "Sample": {"available_from": phase.closes - timedelta(days=1), "phase": phase},
    }
    for title, fields in files.items():
        Download.objects.create(task=last_year, title=title, **{"file": ContentFile(b"y", "y.txt"), **fields})
    client.force_login(olga)
    address = reverse("desk_clone", args=[last_year.slug])
    page = client.get(address)
    for words in ("Key (the same as the gold)", "Test with labels (added after Test closed)"):
        assert words in page.text
    ticked = [str(row.pk) for row in page.context["form"]["files"].initial]
    assert page.text.count(" checked") == len(ticked) == 2
    fields = {**filled(page, "form-clone", title="Hunt 2026"), "files": ticked}
    assert client.post(address, fields).status_code == 302
    assert copied_titles("hunt-2026") == {"Input", "Sample"}
    chosen = list(Download.objects.filter(title__in=["Key", "Sample"], task=last_year).values_list("pk", flat=True))
    assert client.post(address, {**fields, "title": "Practice", "files": chosen}).status_code == 302
    assert copied_titles("practice") == {"Key", "Sample"}
    clone(last_year, "Third", None, with_gold=True, by=olga)
    assert copied_titles("third") == {"Input", "Sample"}


def test_the_input_that_stands_for_gold_is_no_answer_and_a_file_that_is_lost_none_either(last_year, client, olga):
    Gold.objects.filter(state="published").update(is_input=True)
    gold = Gold.objects.filter(is_input=True).first()
    opens = last_year.phases.get().opens
    Download.objects.create(
        task=last_year, title="Texts", file=ContentFile(content_of(gold), "t.zip"), available_from=opens
    )
    lost = Download.objects.get(title="Input")
    lost.file.storage.delete(lost.file.name)
    client.force_login(olga)
    form = client.get(reverse("desk_clone", args=[last_year.slug])).context["form"]
    assert {row.title for row in form["files"].initial} == {"Input", "Texts"}


def copied_titles(slug: str) -> set[str]:
    return set(Download.objects.filter(task__slug=slug).values_list("title", flat=True))


def test_a_clone_keeps_who_may_enter_and_leaves_the_list_of_their_addresses_behind(last_year, client, olga):
    EntryRules.objects.update(way="listed", listed="ana@uni.example")
    client.force_login(olga)
    address = reverse("desk_clone", args=[last_year.slug])
    answer = client.post(address, filled(client.get(address), "form-clone", title="Hunt 2026"), follow=True)
    rules = EntryRules.objects.get(task__slug="hunt-2026")
    assert (rules.way, rules.listed, rules.terms) == ("listed", "", "For research.")
    assert "Nobody can enter until you list addresses" in answer.text


def test_a_clone_of_seasons_takes_the_phases_that_are_ticked_and_offers_the_last(last_year, client, olga):
    first = last_year.phases.get()
    Phase.objects.filter(pk=first.pk).update(is_former_season=True)
    now = timezone.now()
    second = make_phase(last_year, "test-2", name="Test 2", opens=now)
    client.force_login(olga)
    address = reverse("desk_clone", args=[last_year.slug])
    fields = filled(client.get(address), "form-clone", title="Hunt 2026")
    assert fields["phases"] == str(second.pk)
    assert client.post(address, fields).status_code == 302
    phase = Task.objects.get(slug="hunt-2026").phases.get()
    assert (phase.name, phase.is_former_season) == ("Test 2", False)
    assert client.post(address, {**fields, "title": "Both", "phases": [first.pk, second.pk]}).status_code == 302
    assert Task.objects.get(slug="both").phases.count() == 2


NOWHERE = ("Zebra", "hunt-2025", "Hunt 2025")  # team, method and person of last year, and the task


def read(client: Client, address: str) -> tuple[int, str]:
    """Return the status and all text of an answer, that of a zip's members too."""
    answer = client.get(address)
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if content[:2] == b"PK":
        with ZipFile(BytesIO(content)) as archive:
            content = b"\n".join(name.encode() + b"\n" + archive.read(name) for name in archive.namelist())
    return answer.status_code, content.decode(errors="replace")


def walked(client: Client, *begin: str) -> dict[str, str]:
    """Return what a visitor reads who follows every address of the new task from where they begin."""
    pages: dict[str, str] = {}
    waiting = [*begin]
    while waiting:
        address = waiting.pop()
        status, pages[address] = read(client, address)
        assert status in (200, 302, 401, 403), address
        links = re.findall(r'(?:href|src|content|[a-z]*url)"?[=:] ?"([^"#]+)|<loc>([^<]+)', pages[address])
        for link in {urlsplit(unescape("".join(parts))) for parts in links}:
            here = link.path + (f"?{link.query}" if link.query else "")
            is_of_task = re.match(r"(/api/v1)?/tasks/hunt-2026|/(downloads|gold|sitemap-)", link.path)
            if is_of_task and here not in pages and here not in waiting:
                waiting.append(here)
    return pages


@pytest.mark.parametrize("is_for_members", [False, True])
def test_a_stranger_reads_nothing_of_last_year_in_a_clone_before_it_is_published_or_after(
    last_year, client, olga, is_for_members
):
    now = timezone.now()
    Team.objects.update(name="Zebras")
    User.objects.exclude(pk=olga.pk).update(name="Zebra")
    Submission.objects.update(method="Zebra net")
    last_year.phases.update(gold_released=True, gold_released_since=now, results_released=now)
    last_year.phases.update(members_only=is_for_members)
    last_year.announcements.create(title="Zebra wins", text="Zebra!")
    EntryRules.objects.update(way="listed", listed="zebra@example.org")
    old = [*Gold.objects.values_list("pk", flat=True), *Submission.objects.values_list("pk", flat=True)]
    made = clone(last_year, "Hunt 2026", now - timedelta(hours=1), with_gold=True, by=olga)
    assert made.phases.get().members_only is is_for_members, "what is kept for members stays so"
    begin = [made.get_absolute_url(), f"/api/v1/tasks/{made.slug}"]
    begin += [reverse("kit", args=[made.slug, "test"]), reverse("board", args=[made.slug, "test", 1])]
    for address in begin:
        assert read(client, address)[0] == 404, "nobody sees a draft"
    lists = ["/", "/api/v1/tasks", "/sitemap-tasks.xml", "/sitemap-boards.xml"]
    assert not any("hunt-2026" in read(client, address)[1] for address in lists)
    made.is_published = True
    made.save()
    pages = walked(client, *begin)
    assert len(pages) > 10
    for address, text in pages.items():
        assert not [word for word in (*NOWHERE, *map(str, old)) if word in text], address
    for gold in Gold.objects.filter(phase__task=made):
        assert read(client, reverse("gold", args=[gold.pk]))[0] in (403, 404)
    listed = {name: read(client, f"/sitemap-{name}.xml")[1] for name in ("tasks", "boards", "entries")}
    assert "/hunt-2026/" in listed["tasks"]
    assert "/hunt-2026/" not in listed["entries"], "no run of last year has a page in this one"
    for address in re.findall(r"<loc>https?://[^/]+(/[^<]*hunt-2026[^<]*)", "".join(listed.values())):
        assert read(client, address)[0] == 200, f"search engines are sent to {address}"


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_beside_a_clone_a_hundred_writes_of_others_go_through(last_year, olga):
    others = make_task("others")

    def write(number: int) -> None:
        try:
            if number % 10 == 0:
                clone(last_year, "Hunt 2026", None, with_gold=True, by=olga)
            record(others, "task changed", number=number)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(100)))
    assert Event.objects.filter(task=others, kind="task changed").count() == 100
    slugs = ["hunt-2026", *(f"hunt-2026-{number}" for number in range(2, 11))]
    assert sorted(Task.objects.filter(title="Hunt 2026").values_list("slug", flat=True)) == sorted(slugs)


def stored_files() -> set[Path]:
    return {path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()}


@pytest.mark.thorough
def test_a_clone_of_which_a_step_fails_leaves_nothing(last_year, olga, monkeypatch):
    def fail(*args, **kwargs):
        raise OSError("the disk is full")

    rows, files = values_of(last_year), stored_files()
    for model in COPIED.keys() - {GoldSplit}:  # the gold of last year is whole
        with monkeypatch.context() as patched:
            patched.setattr(model, "save", fail)
            with pytest.raises(OSError, match="disk"):
                clone(last_year, "Hunt 2026", None, with_gold=True, by=olga)
        assert Task.objects.get() == last_year, model
        assert values_of(last_year) == rows
        assert stored_files() == files


@pytest.mark.thorough
def test_what_fails_for_another_reason_than_the_address_is_not_tried_again(olga, monkeypatch):
    tries = []

    def refuse(**values):
        tries.append(values)
        raise IntegrityError("another column has to be unique")

    monkeypatch.setattr(Task.objects, "create", refuse)
    with pytest.raises(IntegrityError, match="another column"):
        draft("Hunt 2026", summary="Find names.", by=olga)
    assert len(tries) == 1


@pytest.mark.thorough
def test_an_address_that_is_taken_at_each_try_is_told_after_a_hundred(as_olga, task, monkeypatch):
    """Whatever is free when it is looked up, somebody else has it a moment later."""
    tried = []
    monkeypatch.setattr(drafts, "_free_slugs", lambda title: (tried.append(n) or task.slug for n in count()))
    answers = [
        as_olga.post("/organise/new/", {"title": "Hunt 2026", "summary": "Find names."}),
        as_olga.post(f"/tasks/{task.slug}/organise/clone/", {"title": "Hunt 2026"}),
        as_olga.post("/organise/new/", {"template": "key-phrases"}, follow=True),
    ]
    assert [answer.status_code for answer in answers] == [422, 422, 200]
    for answer in answers:
        assert "Other tasks with this title are being created at this moment." in answer.content.decode()
    assert len(tried) == 3 * 100
    assert Task.objects.get() == task
