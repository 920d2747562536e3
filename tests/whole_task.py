"""A task with everything set that organisers can set, as far as it is not the default."""

import io
from datetime import UTC, datetime, timedelta

from django.core.files.base import ContentFile
from PIL import Image

from evalsite.accounts.models import User
from evalsite.challenges.models import Announcement, Download, EntryRules, FactSheet, Gold, Phase, Task
from evalsite.leaderboard.models import Combined
from evalsite.submissions.models import Submission
from tests.factories import make_gold, make_phase, make_scenario, make_submission, make_task, run_files

AT = datetime(2026, 3, 29, 0, 59, 59, 123456, tzinfo=UTC)  # clocks go forward a second later
DAY = timedelta(days=1)
OWN_FIELDS = [
    {"key": "ab12", "text": "Which data?", "kind": "choice", "choices": ["no: none", "12:30"], "is_required": True},
    {"key": "ef56", "text": "Cost", "kind": "number", "choices": [], "is_required": False},
    {"key": "cd34", "text": "Country", "kind": "country", "choices": [], "is_required": False},
]


def make_whole_task(owner: User) -> Task:
    task = make_task(
        "hunt-2026",
        owner,
        title='Hunt: "no", 12:30 & \N{CJK UNIFIED IDEOGRAPH-4E2D}',
        summary="- # yes",
        description="# Hunt\r\n\r\nFind *them*.\n \ttrailing ",
        language="es",
        data_language="en de",
        contact="olga@example.org",
        doi="10.5281/zenodo.1",
        zone="Europe/Madrid",
        members_frozen=AT,
        publish_at=AT,
    )
    _texts(task)
    _rules(task)
    english = make_scenario(task, 1, name="English", description="In English.", shown_scores=["f1", "recall"])
    german = make_scenario(task, 3, name="German", digits="percent1", use="key-phrases")
    german.options = {"scenario": "3", "rules": "2019"}
    german.save()
    _phases(task, english)
    test = task.phases.get(slug="test")
    for phase in (task.phases.get(slug="dev"), test):
        for scenario in (english, german):
            make_gold(phase, scenario, run_files(scenarios=(1, 3)))
    Gold.objects.filter(phase=test).update(note="From the editors.", public_note="Two labels mended.")
    Gold.objects.filter(phase__slug="dev", scenario=german).update(state=Gold.State.DISCARDED)
    _data(task, test)
    runs = run_files(relations="", scenarios=(1,))
    run = make_submission(
        test,
        owner.teams.first(),
        owner,
        runs,
        scenarios=[english],
        reference="baseline",
        arrived=AT - DAY,
        link="https://example.org/x",
        description="Words of a list.",
    )
    told = {"is_contrastive": True, "shows_description": True, "facts": {"ab12": "12:30", "ef56": 0.25}}
    Submission.objects.filter(pk=run.pk).update(**told)
    return task


def _texts(task: Task) -> None:
    task.pages.create(title="Rules", slug="rules", text="Be fair.", position=3)
    task.pages.create(title="Data", slug="data", text="", position=7, members_only=True)
    for name in ("map-of-it.png", "photo.jpg"):
        task.pictures.create(name=name, file=picture(name))
    for number in (2, 1):
        news = task.announcements.create(title=f"News {number}", text=f"It is {number}.")
        times = {"created": AT + number * DAY, "changed": AT + number * DAY + DAY / 2}
        Announcement.objects.filter(pk=news.pk).update(**times)


def picture(name: str) -> ContentFile:
    stream = io.BytesIO()
    Image.linear_gradient("L").resize((40, 30)).save(stream, "PNG" if name.endswith("png") else "JPEG", quality=90)
    return ContentFile(stream.getvalue(), name)


def _rules(task: Task) -> None:
    terms = {
        "terms": "For research.",
        "closes": AT + DAY,
        "listed": "example.org\r\na@b.example",
        "questions": OWN_FIELDS,
    }
    EntryRules.objects.create(task=task, way="listed", **terms)
    FactSheet.objects.create(task=task, own=OWN_FIELDS[:2], edited_until=AT + 30 * DAY)


def _phases(task: Task, english) -> None:
    dev = make_phase(task, "dev", opens=AT - 90 * DAY, closes=None, gold_released=True, window_limit=7, window=DAY / 3)
    Phase.objects.filter(pk=dev.pk).update(gold_released_since=AT - DAY, counts_is_usual=True)
    Combined.objects.create(phase=dev, kind="ranks")
    everything = {
        "opens": AT - 9 * DAY,
        "closes": AT,
        "late_until": AT + DAY,
        "ranks_late": True,
        "mend_days": 3,
        "counts": Phase.Counts.TWO,
        "window_limit": None,
        "total_limit": 9,
        "year_limit": 5,
        "year": Phase.Year.ROLLING,
        "upload_megabytes": 3,
        "doi": "10.5281/zenodo.2",
        "board_audience": Phase.Audience.PARTICIPANTS,
        "is_anonymous": True,
        "shows_scores": False,
        "is_ladder": True,
        "is_former_season": True,
        "members_only": True,
        "gold_due": AT + 3000 * DAY,
        "results_released": AT + 4 * DAY,
        "is_paused": True,
        "pause_reason": "The gold is looked at.",
        "description": "The test.",
        "decided_by": english,
    }
    phase = make_phase(task, "test", **everything)
    phase.closes = AT + DAY / 4
    phase.save()
    assert phase.former_closings
    Combined.objects.create(phase=phase, formula="mean(*.f1)", lower_is_better=True, missing="last")


def _data(task: Task, test: Phase) -> None:
    for name, phase in (("input.txt", test), ("input.txt", None), ("dev data.zip", task.phases.get(slug="dev"))):
        file = ContentFile(f"{name}, {phase}".encode(), name)
        when = {"available_from": AT, "phase": phase, "members_only": True}
        Download.objects.create(task=task, title="Input", description="Texts, one a line.", file=file, **when)
