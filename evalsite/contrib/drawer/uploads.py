"""Uploads per day over the whole time of a task, as a figure and as a table."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from django.db.models import Count, DateField, Func
from django.template.loader import render_to_string

from evalsite.board_pages.board.exports import NOT_IN_XML
from evalsite.challenges.models import Phase, Task
from evalsite.contrib.drawer.readme import Text
from evalsite.desk.overview.days import chart
from evalsite.submissions.models import Submission
from evalsite.wording import amount, day
from scoring.display.tables import csv_of

MOST_DAYS = 366  # in the figure; the table has all
_LABELS = 8
# The day in UTC, as times are stored.
_DAY = Func("created", function="DATE", output_field=DateField())
Counted = tuple[date, str, int, int]  # day, phase, uploads, teams


def uploads_of(task: Task, phases: Sequence[Phase]) -> list[Text]:
    """Return the figure and the table; nothing before the first upload."""
    uploads = Submission.objects.filter(phase__in=phases, reference="").order_by().annotate(day=_DAY)
    numbers = {"n": Count("pk"), "teams": Count("team", distinct=True)}
    by_phase = list(uploads.values_list("day", "phase__slug").annotate(**numbers).order_by("day", "phase__opens"))
    if not by_phase:
        return []
    by_day = {when: (n, teams) for when, n, teams in uploads.values_list("day").annotate(**numbers)}
    about = "uploads and teams per day (UTC) and phase"
    return [
        Text("uploads.csv", csv_of(["day", "phase", "uploads", "teams"], map(_line, by_phase)), about=about),
        Text("uploads.svg", _figure(task, phases, by_day).encode(), about="uploads per day as a figure"),
    ]


def _line(counted: Counted) -> list[object]:
    when, *others = counted
    return [when.isoformat(), *others]


def _figure(task: Task, phases: Sequence[Phase], by_day: dict[date, tuple[int, int]]) -> str:
    last = max(by_day)
    first = max(min(by_day), last - timedelta(days=MOST_DAYS - 1))
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    drawn = chart([(day, *by_day.get(day, (0, 0))) for day in days], phases, every=-(-len(days) // _LABELS))
    busiest = max(drawn.bars, key=lambda bar: bar.n_uploads)
    sentence = (
        f"{amount(sum(bar.n_uploads for bar in drawn.bars))} uploads from {day(first)} to {day(last)}; most on "
        f"{day(busiest.when)}, when there were {amount(busiest.n_uploads)}"
    )
    context = {"title": task.title, "said": sentence, "days": drawn, "made": datetime.now(UTC).date()}
    return NOT_IN_XML.sub("", render_to_string("contrib/drawer/uploads.svg", context))
