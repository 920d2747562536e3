"""Lists the decisions of a task that its visitors may read, out of its log: kinds of events that are named here alone.

Of a phase whose board a visitor does not see nothing is told but its times. Where the visitor reads no names, a run is
its team's number, a day stands for the time, and reasons stay with the team, since they may say whose run it is.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy, ngettext

from evalsite.base.spreadsheets import spreadsheet
from evalsite.board_pages.board.visibility import Visibility, team_names_by_phase, visibility_of
from evalsite.challenges.access import Visitor, role_of, sees_board, sees_ladder
from evalsite.challenges.audit_trail import changes, event_in_words
from evalsite.challenges.models import Event, Gold, Part, Task, set_numbers
from evalsite.submissions.models import Submission
from evalsite.wording import amount

A_PAGE = 50
MAX_LINES = 5000  # lines of a file, the newest
OF_RUNS = ("withdrawn", "restored", "reference set", "marked as late", "marked as in time", "queued again")
OF_GOLD = ("gold published", "engine published")
OF_COMBINED = ("combined score changed", "combined score removed")
OF_IMPORTS = ("rows imported", "row computed", "imported rows removed")
OF_TEAMS = ("team banned", "team brought back", "team unranked", "team ranked", "teams merged", "runs brought along")
OF_PHASES = ("opens", "closes", "late_until", "ranks_late", "counts", "is_ladder", "detail", "gold_released")  # fields
HEADINGS = ("time", "phase", "what", "about", "by", "why")


@dataclass(frozen=True)
class Decision:
    at: datetime
    is_day: bool  # the time of day is not told
    phase: str
    what: str
    about: str
    by: str
    why: str
    n: int = 1  # of runs in a row to which the same was done

    @property
    def in_words(self) -> str:
        if self.n == 1:
            return self.what
        words = ngettext("%(what)s: %(n)s run", "%(what)s: %(n)s runs", self.n)
        return words % {"what": self.what, "n": amount(self.n)}


def listed(task: Task, user: Visitor, number: str | None) -> tuple[Page, list[Decision]]:
    """Return a page of the task's decisions, the newest first; what was done to many runs at once is one of them."""
    reader = _Reader(task, user)
    page = Paginator(reader.events, A_PAGE).get_page(number)
    return page, list(_joined(reader.decisions(page)))


def as_csv(task: Task, user: Visitor) -> str:
    """Return the newest MAX_LINES decisions, a line each; cells that a spreadsheet would calculate begin with an
    apostrophe.
    """
    reader = _Reader(task, user)
    return spreadsheet(HEADINGS, map(_row, reader.decisions(islice(reader.events, MAX_LINES))))


def _row(decision: Decision) -> tuple[str, ...]:
    at = decision.at.date().isoformat() if decision.is_day else decision.at.isoformat(timespec="seconds")
    return at, decision.phase, decision.what, decision.about, decision.by, decision.why


class _Reader:
    """Reads the log of a task for one visitor."""

    def __init__(self, task: Task, user: Visitor) -> None:
        self.task, self.role = task, role_of(user, task)
        self.phases = {phase.pk: phase for phase in task.phases.all()}
        for phase in self.phases.values():
            phase.task = task
        self.visibilities: dict[UUID, Visibility] = {
            phase.pk: visibility_of(user, phase, self.role)
            for phase in self.phases.values()
            if sees_board(self.role, phase) or sees_ladder(self.role, phase)
        }
        self.names_all = all(visibility.shows_names for visibility in self.visibilities.values())
        self.names_all &= len(self.visibilities) == len(self.phases)

    @property
    def events(self) -> QuerySet[Event]:
        shown = list(self.visibilities)
        runs = Submission.objects.filter(phase__in=shown).exclude(reference=Submission.Reference.TRIAL)
        golds = Gold.objects.filter(phase__in=shown)
        kept = (
            Q(kind__in=OF_RUNS, subject__in=runs.values("pk"))
            | Q(kind="queued again", subject=None)
            | Q(kind__in=OF_GOLD, subject__in=golds.values("pk"))
            | Q(kind__in=(*OF_COMBINED, *OF_IMPORTS), subject__in=shown)
            | Q(kind="phase changed", subject__in=list(self.phases), detail__changed__has_any_keys=list(OF_PHASES))
            | Q(kind__in=OF_TEAMS)
        )
        return self.task.events.filter(kept, created__gte=_since(self.task)).order_by("-created", "-pk")

    def decisions(self, events: Iterable[Event]) -> Iterator[Decision]:
        """Yield a decision for each event, in a number of queries that does not grow with them."""
        listed = list(events)
        subjects = {event.subject for event in listed if event.subject}
        runs = {run.pk: run for run in Submission.objects.filter(pk__in=subjects)}
        golds = {gold.pk: gold for gold in Gold.objects.filter(pk__in=subjects).select_related("scenario")}
        set_numbers(list(golds.values()))
        names = team_names_by_phase(list(self.visibilities.values())) if runs else {}
        for event in listed:
            if event.kind in OF_RUNS:
                yield self._of_run(event, runs.get(event.subject) if event.subject else None, names)
            elif event.kind in OF_GOLD:
                yield self._of_gold(event, golds[event.subject])  # type: ignore[index]
            elif event.kind in OF_TEAMS:
                yield self._of_team(event)
            else:
                yield self._of_phase(event)

    def _of_run(self, event: Event, run: Submission | None, names: dict[UUID, dict[str, tuple[str, str]]]) -> Decision:
        decision = _decision(event, _RUNS.get(event.kind))
        if run is None:  # all that had failed for one reason
            return replace(decision, n=int(event.detail.get("scorings", 1)))
        visibility = self.visibilities[run.phase_id]
        unknown = gettext("A former team") if visibility.shows_names else gettext("A team")  # that is on no board
        team = names[run.phase_id].get(str(run.team_id), (unknown, ""))[0]
        if run.reference:
            about = f"{run.get_reference_display()}: {run.method}"
        else:
            about = f"{team}: {run.method}" if visibility.shows_names else team
        return replace(
            decision,
            phase=self.phases[run.phase_id].name,
            about=about,
            is_day=not visibility.shows_names,
            why=_reason(event) if visibility.shows_names else "",
        )

    def _of_gold(self, event: Event, gold: Gold) -> Decision:
        words = _GOLD[event.kind]
        before, after = _numbered(gold, event.detail.get("changed", {}))
        what = str(words) % {"before": before or "–", "after": after}
        phase = self.phases[gold.phase_id].name
        if gold.part == Part.RANKED and before == after:
            what = gettext("The ranked part of the gold decides")
        why = str(event.detail.get("note", ""))
        return replace(_decision(event, what), phase=phase, about=str(gold.scenario), why=why)

    def _of_team(self, event: Event) -> Decision:
        """Return the decision without names where the visitor does not read those of all phases."""
        decision = _decision(event, _TEAMS.get(event.kind))
        if not self.names_all:
            return replace(decision, is_day=True)
        about = " → ".join(str(event.detail[name]) for name in ("former", "team") if name in event.detail)
        return replace(decision, about=about, why=_reason(event))

    def _of_phase(self, event: Event) -> Decision:
        phase = self.phases[event.subject]  # type: ignore[index]
        if event.kind in OF_COMBINED:
            return replace(_decision(event, None), phase=phase.name)
        if event.kind in OF_IMPORTS:
            n = int(event.detail["rows"])
            words = ngettext("scenario %(number)s: %(n)s row", "scenario %(number)s: %(n)s rows", n)
            sentence = words % {"number": event.detail["scenario"], "n": amount(n)}
            return replace(_decision(event, _IMPORTS[event.kind]), phase=phase.name, about=sentence)
        about = "; ".join(f"{name} {values}" for name, values in changes(event, OF_PHASES))
        return replace(_decision(event, None), phase=phase.name, about=about)


def _numbered(gold: Gold, changed: Mapping[str, Sequence[str]]) -> tuple[str, str]:
    """Return what was there before and after: versions of gold as pages number them, or those of the engine."""
    before, after = next(iter(changed.values()), ("", ""))
    if "version" in changed and gold.numbers:
        numbers = {str(version): str(number) for version, number in gold.numbers.items()}
        return numbers.get(before, before), numbers.get(after, after)
    return before, after


def _decision(event: Event, what: Any) -> Decision:
    text = str(what or capfirst(event_in_words(event.kind)))
    by = "team" if event.detail.get("side") == Submission.Side.TEAM or event.kind == "runs brought along" else ""
    if not by:
        by = "organisers" if event.actor_id else "site"
    return Decision(event.created, False, "", text, "", str(_BY[by]), "")


def _reason(event: Event) -> str:
    """Return the reason, if whoever gave it was told that it is public."""
    return str(event.detail.get("reason", "")) if event.detail.get("is_public") else ""


def _joined(decisions: Iterable[Decision]) -> Iterator[Decision]:
    """Join neighbours that differ in nothing but the run and the second."""
    last: Decision | None = None
    for decision in decisions:
        if last and _sort_of(last) == _sort_of(decision) and (last.at - decision.at).total_seconds() < 60:
            last = replace(last, n=last.n + decision.n, about="")
            continue
        if last:
            yield last
        last = decision
    if last:
        yield last


def _sort_of(decision: Decision) -> Any:
    is_of_runs = decision.what in {str(words) for words in _RUNS.values()}
    return (decision.phase, decision.what, decision.by, decision.why) if is_of_runs else id(decision)


def _since(task: Task) -> datetime:
    """Return when the task became public: what was decided about a draft is nobody's affair."""
    published = task.events.filter(kind="task changed", detail__changed__has_key="is_published").order_by("created")
    times = [*published.values_list("created", flat=True)[:1], *([task.publish_at] if task.publish_at else [])]
    return min(times, default=task.created)


_RUNS = {
    "withdrawn": gettext_lazy("Withdrawn"),
    "restored": gettext_lazy("Back on the board"),
    "reference set": gettext_lazy("Made a reference, outside the ranks"),
    "marked as late": gettext_lazy("Marked as late"),
    "marked as in time": gettext_lazy("Marked as in time"),
    "queued again": gettext_lazy("Scored again"),
}
_GOLD = {
    "gold published": gettext_lazy("Gold changed: version %(before)s → %(after)s"),
    "engine published": gettext_lazy("Engine changed: version %(before)s → %(after)s"),
}
_IMPORTS = {
    "rows imported": gettext_lazy("Rows of another board imported, not verified"),
    "row computed": gettext_lazy("What one annotator scores put below the board"),
    "imported rows removed": gettext_lazy("Imported rows removed"),
}
_TEAMS = {
    "team banned": gettext_lazy("A team was banned"),
    "team brought back": gettext_lazy("A banned team was brought back"),
    "team unranked": gettext_lazy("A team is shown without a rank"),
    "team ranked": gettext_lazy("A team is ranked again"),
    "teams merged": gettext_lazy("Two teams were made one"),
    "runs brought along": gettext_lazy("Runs went over into a joint team"),
}
_BY = {
    "team": gettext_lazy("its team"),
    "organisers": gettext_lazy("the organisers"),
    "site": gettext_lazy("the site"),
}
