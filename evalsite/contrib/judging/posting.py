"""Takes the scores that a judge posts for a run, and has the run scored by them.

    posted, checked against the units of the gold --> one transaction: a Judgement, and its scoring waits no longer

The judge is the gold's: the first who posts is named there, and another one, or another version, makes a candidate of
the same file. So a board, which ranks by one gold, never has scores of two.
"""

import hashlib
import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import scoring as engine
from evalsite.accounts.models import User
from evalsite.base.after_commit import after_commit, delete_after_commit
from evalsite.challenges.gold.checks import check_gold
from evalsite.challenges.gold.services import store_gold
from evalsite.challenges.gold.versions import golds_of_board
from evalsite.challenges.models import Gold, Phase, Scenario, record
from evalsite.challenges.storage.files import named, stored_with_row
from evalsite.contrib.judging.reading import Invalid, Posted, Trouble
from evalsite.contrib.judging.unjudged import Judge
from evalsite.submissions.boards import update_board
from evalsite.submissions.lifecycle.awaiting_judges import AWAITS_JUDGE, unjudged_among
from evalsite.submissions.lifecycle.candidates import engine_of
from evalsite.submissions.lifecycle.enqueueing import enqueue
from evalsite.submissions.models import JUDGED_FORMAT, Judgement, Result, Scoring, Submission
from evalsite.translating.engine import from_engine
from scoring.readers.archive import Made, Source, open_files
from scoring.readers.given import read_gold

FILE = f"scores.{JUDGED_FORMAT}"
State = Scoring.State
_MISSING, _NAMED = "noun-gold-id-missing", 20


class Conflict(Exception):
    """The scores are in order and do not go with what is there: the message says why, and what to do."""


class Changed(Exception):
    """Gold or judge have changed while the scores were being checked: the same post again is answered."""


class NoSuchRun(Exception):
    """There is no run with this ID to be judged in the scenario."""


@dataclass(frozen=True)
class Taken:
    """What became of the scores."""

    gold: Gold
    is_same: bool = False  # whether exactly these were there before
    has_replaced: bool = False


def gold_for(phase: Phase, scenario: Scenario, judge: Judge, version: int | None = None) -> list[Gold]:
    """Return the golds on which the judge scores, that which ranks first; [] where it makes a candidate of its own.

    Raise Conflict where it cannot: another candidate waits, or its turn is over.
    """
    golds = golds_of_board(phase, scenario)
    if golds is None:
        raise Conflict(_("This scenario has no gold in this phase yet, so nobody knows its units."))
    judged = [gold for gold in golds.to_score if judge.is_of(gold)]
    if version is not None and judged:
        judged = [gold for gold in judged if gold.version == version]
        if not judged:
            words = _("%(judge)s does not score on version %(version)s of the gold.")
            raise Conflict(words % {"judge": judge, "version": version})
    if judged:
        return judged
    if golds.candidate is not None:
        words = _(
            "Version %(version)s of the gold is a candidate, with scores of %(judge)s. Publish or discard it before "
            "another judge begins."
        )
        raise Conflict(words % {"version": golds.candidate.version, "judge": golds.candidate.judge or "–"})
    former = Gold.objects.filter(phase=phase, scenario=scenario)
    if former.filter(judge_name=judge.name, judge_version=judge.version).exists():
        words = _("%(judge)s was replaced or discarded here; %(now)s scores. Give it another version to start again.")
        raise Conflict(words % {"judge": judge, "now": golds.in_force.judge})
    return []


def post_scores(phase: Phase, scenario: Scenario, posted: Posted, *, by: User) -> Taken:
    """Store the scores and have the run scored by them; or raise Invalid, Conflict, Changed or NoSuchRun.

    The same scores once more change nothing, so a judge whose answer was lost posts again.
    """
    run = _run(phase, scenario, posted.run)
    gold, is_new = _target(phase, scenario, posted, run)
    content = _checked(gold, posted.scores)
    sha256 = hashlib.sha256(content).hexdigest()
    if not is_new and _is_there(run, gold, sha256, replaces=posted.replaces):
        return Taken(gold, is_same=True)
    with tempfile.TemporaryDirectory() as folder, _candidate(gold, is_new=is_new) as (evaluation, file):
        path = Path(folder, FILE)
        path.write_bytes(content)
        judgement = Judgement(submission=run, gold=gold, file_name=FILE, sha256=sha256, by=by)
        try:
            with stored_with_row(judgement.file, FILE, path):
                Phase.objects.select_for_update().get(pk=phase.pk)
                now, is_still_new = _target(phase, scenario, posted, run)
                if (now.pk, is_still_new) != (gold.pk, is_new):
                    raise Changed
                if is_new:
                    gold = _new_candidate(gold, file, evaluation, posted.judge, by)
                return _store(judgement, gold, posted, by)
        except _Same:
            return Taken(gold, is_same=True)


class _Same(Exception):
    """Another process has stored exactly these scores meanwhile."""


def _run(phase: Phase, scenario: Scenario, pk: UUID) -> Submission:
    entered = Submission.objects.filter(phase=phase, scorings__scenario=scenario, pk=pk)
    run = entered.select_related("team").first()
    if run is None:
        raise NoSuchRun
    living = run.scorings.filter(scenario=scenario).exclude(state=State.CANCELLED)
    if not living.exists():
        raise Conflict(_("This run was withdrawn before it was scored."))
    return run


def _target(phase: Phase, scenario: Scenario, posted: Posted, run: Submission) -> tuple[Gold, bool]:
    """Return the gold on which the scores count, and whether a candidate has to be made of it first."""
    judged = gold_for(phase, scenario, posted.judge, posted.gold)
    if judged:
        return next((gold for gold in judged if unjudged_among([run.pk], gold)), judged[0]), False
    golds = golds_of_board(phase, scenario)
    assert golds is not None
    return golds.in_force, True


def _checked(gold: Gold, scores: Sequence[tuple[str, float]]) -> bytes:
    """Return the table of the scores; raise Invalid with all that the engine finds in it beside the gold."""
    lines = [_line(gold.scenario, unit, score) for unit, score in scores]
    options = gold.scenario.options | {"format": JUDGED_FORMAT}
    with named(gold.file) as units:
        table = open_files(Made({FILE: b"".join(lines)}))
        problems = engine.check(gold.scenario.family, gold=units, system=table, options=options)
        if problems:
            troubles = [Trouble(_place(problem), from_engine(problem.message)) for problem in _with_further(problems)]
            raise Invalid([*troubles, *_unsaid(gold.scenario, units, scores, problems)])
    return b"".join(sorted(lines))  # the order in which a judge was asked changes nothing


def _unsaid(
    scenario: Scenario, units: Source, scores: Sequence[tuple[str, float]], problems: Sequence[engine.Finding]
) -> Iterator[Trouble]:
    """Yield the missing units, which the engine leaves unsaid beside other problems, as a wrong name may be of one."""
    options = scenario.configured
    if options["missing"] != "refuse" or any(problem.kind == _MISSING for problem in problems):
        return
    posted = {unit for unit, _score in scores}
    missing = [unit for unit in read_gold(open_files(units), options).ids.texts() if unit not in posted]
    if missing:
        words = ngettext("%(n)s unit is missing: %(units)s", "%(n)s units are missing: %(units)s", len(missing))
        named = ", ".join(missing[:_NAMED]) + (", …" if len(missing) > _NAMED else "")
        yield Trouble("scores", words % {"n": len(missing), "units": named})


def _with_further(problems: Sequence[engine.Finding]) -> Iterator[engine.Finding]:
    for problem in problems:
        yield problem
        yield from problem.rest


def _place(problem: engine.Finding) -> str:
    return f"scores[{problem.line - 1}]" if problem.line else "scores"


def _line(scenario: Scenario, unit: str, score: float) -> bytes:
    options = scenario.configured
    return json.dumps({options["unit"]: unit, options["score"]: score}, ensure_ascii=False).encode() + b"\n"


def _is_there(run: Submission, gold: Gold, sha256: str, *, replaces: bool) -> bool:
    """Return whether exactly these scores are there; raise Conflict where others are, and are not to be replaced."""
    there = Judgement.objects.filter(submission=run, gold=gold).first()
    if there is None:
        return False
    if there.sha256 == sha256:
        return True
    if not replaces:
        words = _(
            "%(judge)s has scored this run already, with other numbers. Post them as another version, or with "
            "“replace” if the former ones were a mistake."
        )
        raise Conflict(words % {"judge": gold.judge})
    return False


@contextmanager
def _candidate(gold: Gold, *, is_new: bool) -> Iterator[tuple[Any, Any]]:
    """Yield what a new gold with the same file is stored from; the check takes its time outside of locks."""
    if not is_new:
        yield None, None
        return
    with named(gold.file) as file:
        yield check_gold(file, gold.scenario), file


def _new_candidate(gold: Gold, file: Any, evaluation: engine.Evaluation, judge: Judge, by: User) -> Gold:
    note = _("The same gold, judged by %(judge)s") % {"judge": judge}
    return store_gold(
        gold.phase, gold.scenario, file, evaluation, by=by, note=note[:200], judge=(judge.name, judge.version)
    )


def _store(judgement: Judgement, gold: Gold, posted: Posted, by: User) -> Taken:
    """Store the judgement in the caller's transaction, which holds the phase."""
    run = judgement.submission
    if _is_there(run, gold, judgement.sha256, replaces=posted.replaces):
        raise _Same
    if not gold.judge:
        Gold.objects.filter(pk=gold.pk).update(judge_name=posted.judge.name, judge_version=posted.judge.version)
        gold.judge_name, gold.judge_version = posted.judge.name, posted.judge.version
    former = Judgement.objects.filter(submission=run, gold=gold).first()
    if former:
        _remove(former, gold)
    judgement.gold = gold
    judgement.save(force_insert=True)
    queued = _queue(run, gold)
    about = {"scenario": gold.scenario.number, "judge": gold.judge, "sha256": judgement.sha256}
    more: dict[str, Any] = about | ({"before": former.sha256} if former else {})
    record(gold.phase.task, "scores replaced" if former else "scores posted", actor=by, subject=run.pk, **more)
    after_commit(enqueue, queued)
    return Taken(gold, has_replaced=former is not None)


def _remove(former: Judgement, gold: Gold) -> None:
    """Delete scores that were a mistake, with the results that were made of them."""
    results = Result.objects.filter(scoring__submission=former.submission_id, scoring__gold=gold)
    files = [file for result in results for file in (result.evaluation, result.unthinned) if file]
    Scoring.objects.filter(submission=former.submission_id, gold=gold).delete()
    former.delete()
    delete_after_commit([former.file, *files])
    update_board(gold.phase_id, gold.scenario_id, teams=[former.submission.team_id])


def _queue(run: Submission, gold: Gold) -> list[UUID]:
    """Let the scoring of the run wait for workers, and no longer for the judge."""
    waiting = Scoring.objects.filter(AWAITS_JUDGE, submission=run, gold=gold)
    queued = list(waiting.values_list("pk", flat=True))
    if queued:
        waiting.update(awaits_judge=False, enqueued=None)
        return queued
    ended = Scoring.objects.filter(submission=run, gold=gold, engine_version=engine_of(gold))
    if ended.exists():
        return []
    version = gold.scenario.engine_version
    return [Scoring.objects.create(submission=run, scenario=gold.scenario, gold=gold, engine_version=version).pk]
