"""Notices to those who take part: what is due by the clock, and what has happened to their runs."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext, ngettext

from evalsite.accounts.models import Membership, Team, User
from evalsite.base.moment import database_now
from evalsite.challenges.access import Role, sees_own_scores
from evalsite.challenges.models import Gold, Phase, Task, published
from evalsite.challenges.precision import precision_for
from evalsite.mailing.models import Kind, Letter, Switch
from evalsite.mailing.readers import members_of, teams_taking_part
from evalsite.mailing.sending import resume
from evalsite.mailing.services import Words, notify
from evalsite.submissions.models import Result, Scoring, Submission
from evalsite.submissions.precedence import ON_PUBLISHED_GOLD
from evalsite.wording import score, utc

A_DAY = timedelta(days=1)
RETENTION = timedelta(days=30)  # of a notice, after which nobody asks what became of it
MOST_RUNS = 10  # that one mail lists of a team
State = Scoring.State


@dataclass(frozen=True)
class Due:
    """A notice about a phase whose time has come; it is known by the time that it is about."""

    phase: Phase
    kind: Kind
    at: datetime

    @property
    def mark(self) -> str:
        return f"{self.phase.pk}:{self.at.timestamp():.3f}"


def post_due() -> None:
    """Post the notices whose time has come within a day, each once; and have letters sent that nobody sends."""
    now = database_now()
    due = [notice for phase in _phases(now) for notice in _due(phase, now)]
    posted = set(Letter.objects.filter(mark__in=[notice.mark for notice in due]).values_list("kind", "mark"))
    for notice in due:
        if (notice.kind, notice.mark) not in posted:
            notify(notice.phase.task, notice.kind, _readers(notice), _words(notice), mark=notice.mark)
    Letter.objects.exclude(kind=Kind.LETTER).filter(created__lt=now - RETENTION).delete()
    resume()


def _phases(now: datetime) -> QuerySet[Phase]:
    lately, soon = (now - A_DAY, now), (now, now + A_DAY)
    times = Q(opens__range=lately) | Q(closes__range=soon) | Q(results_released__range=lately)
    public = Task.objects.filter(published(now), archived=None)
    return Phase.objects.filter(times | ~Q(former_closings=[]), task__in=public).select_related("task")


def _due(phase: Phase, now: datetime) -> Iterable[Due]:
    if now - A_DAY <= phase.opens <= now and phase.takes_uploads:
        yield Due(phase, Kind.OPENS, phase.opens)
    if phase.closes and now < phase.closes <= now + A_DAY and phase.takes_uploads:
        yield Due(phase, Kind.CLOSES, phase.closes)
    if phase.results_released and now - A_DAY <= phase.results_released <= now:
        yield Due(phase, Kind.RESULTS, phase.results_released)
    if phase.moves and phase.moves[-1].moved_on > now - A_DAY:
        yield Due(phase, Kind.MOVED, phase.moves[-1].moved_on)


def _readers(due: Due) -> QuerySet[User]:
    teams = teams_taking_part(due.phase.task)
    if due.kind == Kind.CLOSES:
        living = Scoring.objects.filter(state__in=Scoring.LIVING, submission__team=OuterRef("pk"))
        teams = teams.exclude(Exists(living.filter(submission__phase=due.phase, submission__withdrawn=None)))
    return members_of(teams)


def _words(due: Due) -> Words:
    return lambda reader: _WORDS[due.kind](due.phase)


def _words_of_opening(phase: Phase) -> tuple[str, str]:
    names = {"phase": phase.name, "closes": utc(phase.closes)}
    text = gettext("%(phase)s is open: you can upload runs.")
    text += " " + gettext("It closes on %(closes)s.") if phase.closes else ""
    return gettext("%(phase)s is open") % names, text % names


def _words_of_closing(phase: Phase) -> tuple[str, str]:
    names = {"phase": phase.name, "closes": utc(phase.closes)}
    text = gettext("%(phase)s closes on %(closes)s, and none of your teams has a run in it yet.")
    return gettext("%(phase)s closes soon") % names, text % names


def _words_of_results(phase: Phase) -> tuple[str, str]:
    names = {"phase": phase.name}
    text = gettext("The results of %(phase)s are released: everybody sees the boards, with the teams' names.")
    return gettext("The results of %(phase)s") % names, text % names


def _words_of_moving(phase: Phase) -> tuple[str, str]:
    names = {"phase": phase.name, "before": _closing(phase.moves[-1].closes), "after": _closing(phase.closes)}
    text = gettext("The closing of %(phase)s has moved.\n\nIt was: %(before)s\nIt is:  %(after)s")
    return gettext("The closing of %(phase)s has moved") % names, text % names


def _closing(time: datetime | None) -> str:
    return utc(time) if time else gettext("none, the phase stays open")


# Subject and text of each kind that `_due` yields.
_WORDS: dict[Kind, Callable[[Phase], tuple[str, str]]] = {
    Kind.OPENS: _words_of_opening,
    Kind.CLOSES: _words_of_closing,
    Kind.RESULTS: _words_of_results,
    Kind.MOVED: _words_of_moving,
}


def post_scored(scoring: Scoring) -> None:
    """Post that a new run is scored, once all its scorings have ended, to an uploader who has asked for that."""
    run = scoring.submission
    if not Switch.objects.filter(kind=Kind.SCORED, is_on=True, user=run.uploader_id).exists():
        return
    scorings = Scoring.objects.filter(ON_PUBLISHED_GOLD, submission=run)
    is_again = scorings.filter(scenario=scoring.scenario_id, state=State.SCORED).exclude(pk=scoring.pk).exists()
    if is_again or scoring.gold.is_candidate or scorings.filter(state__in=Scoring.UNFINISHED).exists():
        return
    _to_uploader(run, Kind.SCORED, _words_of_scored)


def _words_of_scored(run: Submission) -> tuple[str, str]:
    names = {"run": run.method, "phase": run.phase.name}
    return gettext("%(run)s is scored") % names, gettext("Your run %(run)s in %(phase)s is scored.") % names


def post_refused(scoring: Scoring) -> None:
    """Post that a run was refused after it was queued, for the first of its scenarios."""
    others = Scoring.objects.filter(submission=scoring.submission_id, state=State.REFUSED).exclude(pk=scoring.pk)
    if not scoring.gold.is_candidate and not others.exists():
        _to_uploader(scoring.submission, Kind.REFUSED, _words_of_refused)


def _words_of_refused(run: Submission) -> tuple[str, str]:
    names = {"run": run.method, "phase": run.phase.name}
    text = gettext("Your run %(run)s in %(phase)s cannot be scored. Its page lists every problem of its files.")
    return gettext("%(run)s was refused") % names, text % names


def post_unscorable(phase: Phase, runs: Iterable[Submission]) -> None:
    """Post of each run that waited for gold that it cannot be scored, and until when it may be mended."""
    until = utc(database_now() + timedelta(days=phase.mend_days))
    for run in runs:
        _to_uploader(run, Kind.REFUSED, partial(_words_of_unscorable, until if phase.mend_days else ""))


def _words_of_unscorable(until: str, run: Submission) -> tuple[str, str]:
    names = {"run": run.method, "phase": run.phase.name, "until": until}
    text = gettext("The gold of %(phase)s was added, and your run %(run)s cannot be scored. Its page says why.")
    if until:
        text += " " + gettext("You may correct it once, until %(until)s: upload it again.")
    return gettext("%(run)s cannot be scored") % names, text % names


def _to_uploader(run: Submission, kind: Kind, about: Callable[[Submission], tuple[str, str]]) -> None:
    address = f"{settings.SITE_URL}{run.get_absolute_url()}"

    def words(reader: User) -> tuple[str, str]:
        subject, text = about(run)
        return subject, f"{text}\n\n{address}"

    if run.uploader:
        notify(run.phase.task, kind, [run.uploader], words)


def post_withdrawn(at: datetime, runs: Iterable[UUID], reason: str) -> None:
    """Post to the members of each team which of its runs the organisers have withdrawn at this time, and why."""
    withdrawn_runs = Submission.objects.filter(pk__in=list(runs), withdrawn=at, reference="")
    withdrawn_runs = withdrawn_runs.select_related("phase__task").order_by("created")
    by_task: dict[UUID, list[Submission]] = {}
    for run in withdrawn_runs:
        by_task.setdefault(run.phase.task_id, []).append(run)
    for of_task in by_task.values():
        _post_withdrawn_of_task(of_task, reason)


def _post_withdrawn_of_task(runs: list[Submission], reason: str) -> None:
    teams = Team.objects.filter(pk__in={run.team_id for run in runs})
    of_member = _by_member(teams)

    def words(reader: User) -> tuple[str, str]:
        own_runs = [run for run in runs if run.team_id in of_member[reader.pk]]
        n = len(own_runs)
        text = ngettext(
            "The organisers have withdrawn a run of your team:",
            "The organisers have withdrawn %(n)d runs of your team:",
            n,
        )
        lines = [f"  {run.phase.name}: {run.method}" for run in own_runs[:MOST_RUNS]] + ["  …"] * (n > MOST_RUNS)
        why = gettext("The reason: %(reason)s") % {"reason": reason}
        return gettext("Withdrawn by the organisers"), "\n".join([text % {"n": n}, *lines, "", why])

    notify(runs[0].phase.task, Kind.WITHDRAWN, members_of(teams), words)


def _by_member(teams: QuerySet[Team]) -> dict[UUID, set[UUID]]:
    """Return the teams of each member."""
    by_member: dict[UUID, set[UUID]] = {}
    for team, user in Membership.objects.filter(team__in=teams).values_list("team", "user"):
        by_member.setdefault(user, set()).add(team)
    return by_member


def post_gold_changed(gold: Gold, before: Gold, note: str) -> None:
    """Post each team's scores before and after, where teams see theirs; else that the gold has changed."""
    phase, scenario = gold.phase, gold.scenario
    shown = _headlines([before, gold]) if sees_own_scores(Role.PARTICIPANT, phase) else {}
    teams = teams_taking_part(phase.task).filter(submissions__phase=phase, submissions__withdrawn=None)
    of_member = _by_member(teams.distinct())
    precision = precision_for(Role.PARTICIPANT, phase, scenario)

    def text_of(value: float | None) -> str:
        return score(precision.of(value, scenario.headline), scenario.scale)

    def words(reader: User) -> tuple[str, str]:
        names = {"phase": phase.name, "scenario": str(scenario)}
        parts = [gettext("The organisers have changed the gold of %(phase)s, %(scenario)s.") % names, note]
        runs = [run for team in of_member[reader.pk] for run in shown.get(team, [])][:MOST_RUNS]
        if runs:
            lines = [gettext("Your scores before and after:")]
            parts.append("\n".join(lines + [f"  {name}: {text_of(old)} → {text_of(new)}" for name, old, new in runs]))
        return gettext("The gold of %(phase)s has changed") % names, "\n\n".join(part for part in parts if part)

    notify(phase.task, Kind.GOLD, members_of(teams), words)


def post_gold_came(gold: Gold) -> None:
    """Post to teams whose runs have waited that they are scored."""
    phase, scenario = gold.phase, gold.scenario
    names = {"phase": phase.name, "scenario": str(scenario)}

    def words(reader: User) -> tuple[str, str]:
        text = gettext("The gold of %(phase)s, %(scenario)s, was added: the runs that waited for it are scored.")
        return gettext("The gold of %(phase)s was added") % names, text % names

    teams = teams_taking_part(phase.task).filter(submissions__phase=phase, submissions__withdrawn=None)
    notify(phase.task, Kind.GOLD, members_of(teams.distinct()), words)


def _headlines(golds: list[Gold]) -> dict[UUID, list[tuple[str, float | None, float | None]]]:
    """Return by team the method of each run that has a score on both golds, and both scores; the newest run first."""
    results = Result.objects.counting().filter(scoring__gold__in=golds, scoring__submission__withdrawn=None)
    results = results.filter(scoring__submission__reference="").order_by("-scoring__submission__created")
    names = ("scoring__submission", "scoring__submission__team", "scoring__submission__method", "scoring__gold")
    runs: dict[UUID, tuple[UUID, str, dict[UUID, float | None]]] = {}
    for run, team, method, gold, headline in results.values_list(*names, "headline"):
        runs.setdefault(run, (team, method, {}))[2][gold] = headline
    headlines: dict[UUID, list[tuple[str, float | None, float | None]]] = {}
    before, after = (gold.pk for gold in golds)
    for team, method, scores in runs.values():
        if before in scores and after in scores:
            headlines.setdefault(team, []).append((method, scores[before], scores[after]))
    return headlines
