"""What the pages of tasks and boards show to everybody, told by so few facts that looking them up costs one query.

Equal facts mean equal pages, but for what may be some seconds old: see `kept_pages`.
"""

from datetime import UTC, datetime
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Exists, F, Func, Model, OuterRef, QuerySet, Subquery, TextField, Value
from django.db.models.functions import MD5, Cast, Coalesce
from django.utils import timezone

from evalsite.challenges.models import (
    Download,
    FormerParticipation,
    Gold,
    Participation,
    Phase,
    Scenario,
    Task,
    TeamNumber,
)
from evalsite.leaderboard.models import Board, Edition
from evalsite.submissions.models import AdoptedGold

Facts = list[tuple[Any, ...]]
# They stand in the query, which is made once, for what is asked each time: a task, and the time.
_ANY_TASK, _ANY_TIME = "any task", datetime(1, 1, 1, tzinfo=UTC)


def facts_of(task: str = "") -> Facts:
    """Of the published task with this slug, or of all of them: what organisers set, names, golds, and boards.

    Windows open and close at exact times, so whether each time lies behind is a fact too.
    """
    sql, parameters = _query(is_one=bool(task))
    given = {_ANY_TASK: task, _adapted(_ANY_TIME): _adapted(timezone.now())}
    with connection.cursor() as cursor:
        cursor.execute(sql, [given.get(value, value) for value in parameters])
        return list(cursor.fetchall())


def awaits_results(facts: Facts) -> bool:
    """Whether a result, or a change of a run, has not come to its board yet, so that results say more than editions."""
    return any(bool(is_stale) for *_, is_stale in facts)


def _stale() -> QuerySet[Board]:
    """Boards of the outer task that are to be made anew; the one place here that knows how a board tells that."""
    return Board.objects.filter(phase__task=OuterRef("pk"), made__lt=F("wanted"))


@cache
def _query(*, is_one: bool) -> tuple[str, tuple[Any, ...]]:
    """For one task, or for all; that its text is made once saves most of what it costs."""
    tasks = Task.objects.filter(is_published=True).order_by("pk")
    own = {"task": OuterRef("pk")}
    of_phase = {"phase__task": OuterRef("pk")}
    found = (tasks.filter(slug=_ANY_TASK) if is_one else tasks).annotate(
        told=MD5(_row(Task)),
        told_phases=_rows(
            Phase.objects.filter(**own), _row(Phase), *map(_is_past, ("opens", "closes", "results_released"))
        ),
        told_scenarios=_rows(Scenario.objects.filter(**own), _row(Scenario)),
        told_downloads=_rows(Download.objects.filter(**own), _row(Download), _is_past("available_from")),
        told_golds=_rows(Gold.objects.filter(**of_phase), _row(Gold)),
        told_adopted=_rows(AdoptedGold.objects.filter(gold__phase__task=OuterRef("pk")), _row(AdoptedGold)),
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
    names = ("pk", *found.query.annotations)
    sql, parameters = found.values_list(*names).query.sql_with_params()
    return sql, parameters


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


def _adapted(value: datetime) -> Any:
    return connection.ops.adapt_datetimefield_value(value)
