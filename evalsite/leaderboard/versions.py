"""What the pages of tasks and boards show to everybody, told by so few facts that looking them up costs one query.

Equal facts mean equal pages, but for what may be some seconds old: see `kept_pages`. What uploads and results change,
names and boards, comes last in a row.
"""

from collections.abc import Hashable
from datetime import UTC, datetime
from typing import Any

from django.db.models import Exists, F, Func, Model, OuterRef, QuerySet, Subquery, TextField, Value
from django.db.models.functions import MD5, Cast, Coalesce
from django.utils import timezone

from evalsite.challenges.models import (
    Download,
    FormerParticipation,
    Gold,
    Organiser,
    Page,
    Participation,
    Phase,
    Picture,
    Scenario,
    Task,
    TeamNumber,
    published,
)
from evalsite.leaderboard.models import Board, Edition
from evalsite.leaderboard.showcase import Facts
from evalsite.prepared import Prepared

OfTasks = list[tuple[Any, ...]]
_N_OF_NEWS = 5  # facts, the last ones of a row
_ANY_TIME = datetime(1, 1, 1, tzinfo=UTC)  # stands in the query for what time it is


def of_tasks(task: str = "") -> OfTasks:
    """Of the published task with this slug, or of all of them: what organisers set, names, golds, and boards.

    Windows open and close at exact times, so whether each time lies behind is a fact too.
    """
    return _one.rows(task=task, now=timezone.now()) if task else _all.rows(now=timezone.now())


def facts_of(told: OfTasks, *, also: Hashable, is_of_results: bool = False) -> Facts:
    """By which a page may be kept. `also` is what else it hangs on; `is_of_results`: it shows more than boards tell
    while a result, or a change of a run, has not come to its board yet."""
    awaits_results = any(bool(is_stale) for *_, is_stale in told)
    firm = (also, tuple(row[:-_N_OF_NEWS] for row in told))
    return Facts(firm, object() if is_of_results and awaits_results else tuple(row[-_N_OF_NEWS:] for row in told))


def _stale() -> QuerySet[Board]:
    """Boards of the outer task that are to be made anew; the one place here that knows how a board tells that."""
    return Board.objects.filter(phase__task=OuterRef("pk"), made__lt=F("wanted"))


PHASE_TIMES = ("opens", "closes", "late_until", "results_released")


def _told(task: str = "", now: datetime = _ANY_TIME) -> QuerySet[Any, Any]:
    """Of one task, or of all."""
    tasks = Task.objects.filter(published(now)).order_by("pk")
    own = {"task": OuterRef("pk")}
    of_phase = {"phase__task": OuterRef("pk")}
    found = (tasks.filter(slug=task) if task else tasks).annotate(
        told=MD5(_row(Task)),
        told_phases=_rows(Phase.objects.filter(**own), _row(Phase), *map(_is_past, PHASE_TIMES)),
        told_scenarios=_rows(Scenario.objects.filter(**own), _row(Scenario)),
        told_organisers=_rows(Organiser.objects.filter(**own), _text("user"), _text("role")),
        told_downloads=_rows(Download.objects.filter(**own), _row(Download), _is_past("available_from")),
        told_texts=_rows(Page.objects.filter(**own), _row(Page)),
        told_pictures=_rows(Picture.objects.filter(**own), _text("name")),
        told_golds=_rows(Gold.objects.published().filter(**of_phase), _row(Gold)),
        told_names=_rows(Participation.objects.filter(**own), _text("team"), _text("team__name")),
        told_former_names=_rows(FormerParticipation.objects.filter(**own), _row(FormerParticipation)),
        told_numbers=_rows(TeamNumber.objects.filter(**of_phase), _row(TeamNumber)),
        # Not the counters themselves: a page says that results are on their way, and not how many.
        told_boards=_rows(
            Board.objects.filter(**of_phase),
            *map(_text, ("pk", "phase", "scenario")),
            *map(_is_behind, ("made", "compared")),
            *map(_newest, ("pk", "made", "day", "is_final", "is_compared")),
        ),
        is_stale=Exists(_stale()),
    )
    return found.values_list("pk", *found.query.annotations)


_one, _all = Prepared(_told, task="any task", now=_ANY_TIME), Prepared(_told, now=_ANY_TIME)


def _rows(rows: QuerySet[Any], *texts: Any) -> Subquery:
    """A digest of these texts of all rows, in any order: another order makes a page anew, which does no harm."""
    joined = _Joined(_beside(*texts))
    return Subquery(rows.order_by().annotate(told=MD5(joined)).values("told"))


class _Joined(Func):
    """All texts as one; no aggregate to Django, which would group the rows."""

    function = "STRING_AGG"
    template = "%(function)s(%(expressions)s, ',')"
    output_field = TextField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, function="GROUP_CONCAT", **context)


def _row(model: type[Model]) -> Func:
    """All columns, those too that are added one day."""
    return _beside(*(_text(field.attname) for field in model._meta.concrete_fields))


def _beside(*texts: Any) -> Func:
    """All texts in one. `Concat` would nest them, deeper than SQLite reads."""
    return Func(*texts, template="(%(expressions)s)", arg_joiner=" || '|' || ", output_field=TextField())


def _text(name: str) -> Coalesce:
    return Coalesce(Cast(F(name), TextField()), Value("-"), output_field=TextField())


def _is_past(name: str) -> Coalesce:
    past = Func(F(name), Value(_ANY_TIME), template="(%(expressions)s)", arg_joiner=" <= ", output_field=TextField())
    return Coalesce(Cast(past, TextField()), Value("-"), output_field=TextField())


def _is_behind(counter: str) -> Coalesce:
    behind = Func(F(counter), F("wanted"), template="(%(expressions)s)", arg_joiner=" < ", output_field=TextField())
    return Coalesce(Cast(behind, TextField()), Value("-"), output_field=TextField())


def _newest(name: str) -> Coalesce:
    """Of the newest edition of the outer board."""
    newest = Edition.objects.filter(board=OuterRef("pk")).order_by("-made").values(name)[:1]
    return Coalesce(Cast(Subquery(newest), TextField()), Value("-"), output_field=TextField())
