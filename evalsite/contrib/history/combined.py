"""Shows how the best combined score grew, as the worker that makes its board has found it (`combined.history`)."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from evalsite.board_pages.board.visibility import Visibility, team_names_of
from evalsite.challenges.precision import precision_for
from evalsite.contrib.history.progress import Best, Progress, rounded, sees_method
from evalsite.leaderboard.combined_score import NAME, CombinedScore
from evalsite.submissions.models import Submission


def read_combined_history(scored: CombinedScore, visibility: Visibility) -> Progress | None:
    """Return the history of a combined score as `combined.history` has made it; None before the first score.

    Steps with a run that was withdrawn since are left out.
    """
    stored = scored.facts.get("history", {"steps": []})
    methods = _standing_methods({run for step in stored["steps"] for run in step["runs"]})
    steps = [step for step in stored["steps"] if methods.keys() >= set(step["runs"])]
    if not steps:
        return None
    precision = precision_for(visibility.role, visibility.phase, scored)
    level = scored.facts["comparison"]["confidence_level"]
    names = {team: name for team, (name, _) in team_names_of(visibility).items()}
    bests = []
    for step, before in zip(steps, [None, *steps], strict=False):
        method = methods[step["submission"]] if sees_method(step["team"], visibility) else ""
        best = _combined_best(step, before, names.get(step["team"], _("A former team")), method)
        # While the gold is hidden, how often a team compares its own runs is limited (`compare_two.pairs`).
        if before and step["before"] == before["submission"] and (precision.is_full or step["team"] != before["team"]):
            best = _with_test(best, step, level)
        bests.append(rounded(best, precision, day_alone=not visibility.shows_names))
    scale = scored.scale.fitted([best.score for best in bests], [best.interval for best in bests])
    return Progress(
        bests,
        stored["n_runs"],
        stored["n_steps"] - len(stored["steps"]),
        level,
        scale=scale,
        rough=precision.roughly(scale),
        lower_is_better=scored.lower_is_better,
        names_measure=True,
    )


def _standing_methods(runs: Collection[str]) -> dict[str, str]:
    """Return the methods of those of these runs that stand."""
    standing = Submission.objects.filter(pk__in=runs, withdrawn=None, reference="")
    return {str(pk): method for pk, method in standing.values_list("pk", "method")}


def _combined_best(step: dict[str, Any], before: dict[str, Any] | None, name: str, method: str) -> Best:
    return Best(
        submission=step["submission"],
        when=datetime.fromisoformat(step["date"]),
        name=name,
        method=method,
        score=step["score"],
        interval=_pair(step["interval"]),
        difference=None if before is None else step["score"] - before["score"],
    )


def _with_test(best: Best, step: dict[str, Any], level: float) -> Best:
    p = step["p"]
    is_separated = p is not None and p < 1 - level
    return replace(best, difference_interval=_pair(step["difference_interval"]), p=p, is_separated=is_separated)


def _pair(ends: Sequence[float] | None) -> tuple[float, float] | None:
    return (ends[0], ends[1]) if ends else None


def best_combined_references(scored: CombinedScore, visibility: Visibility) -> list[tuple[str, float]]:
    """Return (kind, score) of the best baseline and of the best human run, as exactly as the visitor may read it."""
    precision = precision_for(visibility.role, visibility.phase, scored)
    held: dict[str, list[float]] = {}
    for entry in scored.facts.get("entries", ()):
        if entry["reference"] and entry["headline"] is not None:
            held.setdefault(entry["reference"], []).append(entry["headline"])
    best = min if scored.lower_is_better else max
    return sorted((kind, precision.of(best(scores), NAME)) for kind, scores in held.items())
