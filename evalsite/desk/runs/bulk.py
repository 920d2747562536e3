"""Changes many runs at once: listed first, and from ten runs on confirmed by their number."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from evalsite.accounts.models import User
from evalsite.base.after_commit import after_commit
from evalsite.challenges.models import Task
from evalsite.desk.runs.filters import RunFilter
from evalsite.leaderboard.models import BestRun
from evalsite.submissions.lifecycle.enqueueing import MOST_AT_ONCE, enqueue
from evalsite.submissions.lifecycle.rescoring import score_again
from evalsite.submissions.models import Submission
from evalsite.submissions.runs import changing

TYPED_FROM = 10  # runs
MOST_LISTED = 100
BATCH = 2_000  # runs whose keys one query names
ORGANISERS = Submission.Side.ORGANISERS


@dataclass(frozen=True)
class Action:
    name: str
    title: str | Promise
    button: str | Promise
    help: str | Promise
    run: Callable[..., int]  # of runs, with `by`; returns how many were changed
    is_grave: bool = False  # it needs a reason, which teams read


def _score_again(runs: Iterable[Submission], *, by: User) -> int:
    queued = score_again(runs, by=by)
    after_commit(enqueue, queued[:MOST_AT_ONCE])
    return len(queued)


ACTIONS = [
    Action(
        "withdraw",
        gettext_lazy("Withdraw from the boards"),
        gettext_lazy("Withdraw"),
        gettext_lazy("They keep their numbers but are not on any board; only organisers can restore them."),
        partial(changing.withdraw, side=ORGANISERS),
        is_grave=True,
    ),
    Action(
        "restore",
        gettext_lazy("Restore to the boards"),
        gettext_lazy("Restore"),
        gettext_lazy("Withdrawn runs return to the boards, no matter who withdrew them."),
        partial(changing.restore, side=ORGANISERS),
    ),
    Action(
        "score",
        gettext_lazy("Score again"),
        gettext_lazy("Score again"),
        gettext_lazy(
            "Runs that the newest gold and engine have scored or refused stay as they are, and "
            "so do those cancelled before they had a score."
        ),
        _score_again,
    ),
    Action(
        "cancel",
        gettext_lazy("Cancel what has not started"),
        gettext_lazy("Cancel them"),
        gettext_lazy("Queued runs are not scored and use no upload. Runs that are being scored continue."),
        partial(changing.cancel, side=ORGANISERS),
    ),
    Action(
        "late",
        gettext_lazy("Mark as late"),
        gettext_lazy("Mark as late"),
        gettext_lazy("Regardless of when they arrived. If the phase does not rank late runs, they leave the ranks."),
        partial(changing.set_late, is_late=True),
    ),
    Action(
        "in-time",
        gettext_lazy("Remove the mark “late”"),
        gettext_lazy("Remove it"),
        gettext_lazy("They are ranked like all others."),
        partial(changing.set_late, is_late=False),
    ),
]


@dataclass(frozen=True)
class Selection:
    """The runs that were ticked, or all that a filter finds."""

    task: Task
    keys: Sequence[UUID] = ()
    query: str | None = None  # of the filter

    @classmethod
    def of(cls, task: Task, sent: QueryDict) -> "Selection":
        if sent.get("which") == "all":
            return cls(task, query=sent.get("filter", "")[:2000])
        return cls(task, keys=_keys(sent.getlist("run")))

    @property
    def runs(self) -> QuerySet[Submission]:
        if self.query is not None:
            return RunFilter(QueryDict(self.query), task=self.task).runs
        return Submission.objects.filter(phase__task=self.task, pk__in=self.keys).order_by("-created", "-pk")

    @property
    def fields(self) -> list[tuple[str, str]]:
        """Return the form fields that pass the selection on."""
        if self.query is not None:
            return [("which", "all"), ("filter", self.query)]
        return [("run", ",".join(map(str, self.keys)))]


def _keys(values: Iterable[str]) -> list[UUID]:
    """Return the keys in these values, each of which may have several between commas; what is no key is left out."""
    keys = []
    for part in (part for value in values for part in value.split(",")):
        with suppress(ValueError):
            keys.append(UUID(part))
    return keys


@dataclass(frozen=True)
class Preview:
    n_runs: int
    n_teams: int
    n_on_board: int
    listed: Sequence[Submission]

    @property
    def needs_number(self) -> bool:
        return self.n_runs >= TYPED_FROM

    @property
    def n_more(self) -> int:
        return self.n_runs - len(self.listed)


def preview_of(selection: Selection) -> Preview:
    runs = selection.runs
    keys = runs.order_by().values("pk")
    return Preview(
        n_runs=runs.count(),
        n_teams=runs.filter(reference="").order_by().values("team").distinct().count(),
        n_on_board=BestRun.objects.filter(result__scoring__submission__in=keys)
        .values("result__scoring__submission")
        .distinct()
        .count(),
        listed=list(runs.select_related("team", "phase").defer("description")[:MOST_LISTED]),
    )


def carry_out(action: Action, selection: Selection, *, by: User, **fields: Any) -> int:
    """Change the runs in one transaction; return how many runs, or scorings of them, were changed."""
    with transaction.atomic():
        keys = list(selection.runs.values_list("pk", flat=True))
        return sum(action.run(batch, by=by, **fields) for batch in _batches(keys))


def _batches(keys: Iterable[UUID]) -> Iterable[list[Submission]]:
    """Yield rows with nothing but their keys, which is all that the services read."""
    rest = iter(keys)
    while batch := [Submission(pk=pk) for pk in islice(rest, BATCH)]:
        yield batch
