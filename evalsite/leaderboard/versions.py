"""What the pages of tasks and boards show to everybody, told by so few facts that looking them up costs one query.

Equal facts mean equal pages, but for what may be some seconds old: see `kept_pages`. What uploads and results change,
names and boards, comes last in a row. These news grow with the teams, and pages may be older than they are: so they are
asked for once in a second, and for all pages of a task.
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
from evalsite.leaderboard.shelf import Shelf
from evalsite.leaderboard.showcase import Facts
from evalsite.prepared import Prepared

OfTasks = list[tuple[Any, ...]]
_N_OF_NEWS = 5  # facts, the last ones of a row
_news: Shelf[dict[Any, tuple[Any, ...]]] = Shelf(most=200, seconds=1)  # by slug, or "": by task its news
_ANY_TIME = datetime(1, 1, 1, tzinfo=UTC)  # stands in the query for what time it is


def of_tasks(task: str = "", *, with_all_news: bool = False) -> OfTasks:
    """Of the published task with this slug, or of all of them: what organisers set, names, golds, and boards.

    Windows open and close at exact times, so whether each time lies behind is a fact too. The news may be a second
    old, unless all are asked for.
    """
    rows = firm_of_tasks(task)
    news = None if with_all_news else _news.get(task)
    if news is None or any(row[0] not in news for row in rows):
        asked = _news_of_one.rows(task=task) if task else _news_of_all.rows()
        news = {row[0]: row[1:] for row in asked}
        _news.put(task, news)
    return [(*row, *news[row[0]]) for row in rows if row[0] in news]


def firm_of_tasks(task: str = "") -> OfTasks:
    """Without the news."""
    now = timezone.now()
    return _firm_of_one.rows(task=task, now=now) if task else _firm_of_all.rows(now=now)


def is_still_so(told: OfTasks, task: str) -> bool:
    """Whether all is as it was told, but for the news."""
    return [row[:-_N_OF_NEWS] for row in told] == firm_of_tasks(task)


def clear() -> None:
    """In this process; all news are asked for anew."""
    _news.clear()


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


def _firm(task: str = "", now: datetime = _ANY_TIME) -> QuerySet[Any, Any]:
    """Of one published task, or of all."""
    own, of_phase = _of_outer_task()
    found = _tasks(task).filter(published(now))
    found = found.annotate(
        told=MD5(_row(Task)),
        told_phases=_rows(Phase.objects.filter(**own), _row(Phase), *map(_is_past, PHASE_TIMES)),
        told_scenarios=_rows(Scenario.objects.filter(**own), _row(Scenario)),
        told_organisers=_rows(Organiser.objects.filter(**own), _text("user"), _text("role")),
        told_downloads=_rows(Download.objects.filter(**own), _row(Download), _is_past("available_from")),
        told_texts=_rows(Page.objects.filter(**own), _row(Page)),
        told_pictures=_rows(Picture.objects.filter(**own), _text("name")),
        told_golds=_rows(Gold.objects.published().filter(**of_phase), _row(Gold)),
    )
    return found.values_list("pk", *found.query.annotations)


def _of_news(task: str = "") -> QuerySet[Any, Any]:
    """Of one task, or of all: `_N_OF_NEWS` facts."""
    own, of_phase = _of_outer_task()
    found = _tasks(task).annotate(
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


def _tasks(task: str) -> QuerySet[Task]:
    tasks = Task.objects.order_by("pk")
    return tasks.filter(slug=task) if task else tasks


def _of_outer_task() -> tuple[dict[str, OuterRef], dict[str, OuterRef]]:
    """What rows of the outer task have, and rows of its phases."""
    return {"task": OuterRef("pk")}, {"phase__task": OuterRef("pk")}


_firm_of_one, _firm_of_all = Prepared(_firm, task="any task", now=_ANY_TIME), Prepared(_firm, now=_ANY_TIME)
_news_of_one, _news_of_all = Prepared(_of_news, task="any task"), Prepared(_of_news)


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
