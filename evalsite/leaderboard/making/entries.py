"""Makes the entries of a board from the best runs: one per team, ranked 1, 2, 2, 4; references outside."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Now

from evalsite.base.moment import database_now
from evalsite.challenges.gold.parts import shown_sibling
from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Gold, Participation, Scenario
from evalsite.challenges.revisions import raise_news
from evalsite.challenges.taking_part.teams import number_teams
from evalsite.leaderboard.making.best_runs import TEAM_KINDS, UNRANKED, recount_all
from evalsite.leaderboard.making.comparison import compare_entries
from evalsite.leaderboard.making.editions import split_further
from evalsite.leaderboard.making.gold_copies import add_copy, copies_of, identify_copies
from evalsite.leaderboard.making.ladder import decide_steps
from evalsite.leaderboard.models import BestRun, Board, Edition
from evalsite.submissions.models import Result, Scoring
from evalsite.submissions.precedence import ON_PUBLISHED_GOLD
from scoring.comparing.places import OF_COMPARISON
from scoring.comparing.ranking import ranks

# Entries, which are compared in about a second; more of them appear first and are compared afterwards. To compare 200
# in one go would save a third of the processor time of a busy board, and show a result two seconds later.
MAX_COMPARED_AT_ONCE = 150
ALWAYS_COMPARED = 50  # entries, which are compared anew even where the same runs stand as before
Entry = dict[str, Any]
OF_RESULT = (
    "headline",
    "scores",
    "intervals",
    "interval_methods",
    "n_units",
    "n_resamples",
    "confidence_level",
    "signature",
    "seed",
    "gold_digest",
    "evaluation",
    "scoring__submission__team_id",
    "scoring__submission__method",
    "scoring__submission__reference",
    "scoring__submission__is_late",
    "scoring__submission__created",
)


@dataclass
class Draft:
    """Everything that a board is made of, read at one time, and the number of changes that it has."""

    wanted: int
    read: datetime
    gold: Gold | None
    entries: list[Entry]
    results: dict[str, Result]  # by submission


def refresh(board: Board) -> None:
    """Make and compare the entries anew. What comes meanwhile raises `wanted`, and so is not missed."""
    board = _newest(board)
    _compare(board, _prepare_draft(board))


def make_entries(board: Board) -> None:
    """Make the entries anew at once; on a large board the comparison, which takes long, follows."""
    board = _newest(board)
    draft = _prepare_draft(board)
    if len(draft.entries) <= ALWAYS_COMPARED:
        _compare(board, draft)
        return
    latest = board.editions.filter(is_compared=True).defer("further").first()
    if latest and _has_same_runs(latest, draft):
        _copy_comparison(latest, draft)
        _store(board, draft, latest.comparison)
    elif len(draft.entries) <= MAX_COMPARED_AT_ONCE:
        _compare(board, draft)
    else:
        rank_anew(draft.entries, lost_on(latest), board.scenario)
        _store(board, draft, None)


def _newest(board: Board) -> Board:
    """Return the board as it is now, with what its making reads beside it."""
    return Board.objects.select_related("phase", "scenario").get(pk=board.pk)


def _prepare_draft(board: Board) -> Draft:
    """Bring up to date what the entries are made of, and return them.

    Four steps write: best runs are counted again, copies of the gold found, steps of the Ladder decided, and teams
    without names numbered.
    """
    if board.to_recount:
        recount_all(board)
    gold = gold_in_force(board.phase, board.scenario)
    if gold:
        identify_copies(board, gold)
        decide_steps(board, gold)
    draft = _read_draft(board, gold)
    number_teams(board.phase, [UUID(entry["team"]) for entry in draft.entries if entry["reference"] in TEAM_KINDS])
    return draft


def _read_draft(board: Board, gold: Gold | None) -> Draft:
    now = database_now()
    best_runs = list(best_runs_on(gold)) if gold else []
    entries = entries_of(best_runs, copies_of(board.phase, gold) if gold else (), board.scenario)
    if gold:
        add_shown_scores(entries, gold)
    results = {str(best.result.scoring.submission_id): best.result for best in best_runs}
    return Draft(board.wanted, now, gold, entries, results)


def _compare(board: Board, draft: Draft) -> None:
    comparison = compare_entries(draft.entries, draft.results, board)
    _store(board, draft, comparison)


def _has_same_runs(latest: Edition, draft: Draft) -> bool:
    """Return whether the runs are those of the last comparison; how many runs a team has does not matter."""
    same = [_identity(entry) for entry in draft.entries] == [_identity(entry) for entry in latest.entries]
    # A file that was lost may be there again.
    is_whole = bool(latest.comparison) and not lost_on(latest)
    return same and is_whole and latest.gold == draft.gold


def _identity(entry: Entry) -> tuple[object, ...]:
    return entry["submission"], entry["headline"], entry["reference"], entry["signature"]


def _copy_comparison(latest: Edition, draft: Draft) -> None:
    for entry, before in zip(draft.entries, latest.entries, strict=True):
        entry.update({name: before.get(name) for name in ("rank", *OF_COMPARISON)})
        if before.get("is_lost"):
            entry["is_lost"] = True


def lost_on(latest: Edition | None) -> set[str]:
    """Return the submissions whose draws could not be read when the board was last compared."""
    return {entry["submission"] for entry in latest.entries if entry.get("is_lost")} if latest else set()


def rank_anew(entries: Sequence[Entry], lost: set[str], scenario: Scenario) -> None:
    """Rank entries that are not compared yet; those that could not be compared the last time stay unranked."""
    for entry in entries:
        entry.update(dict.fromkeys(OF_COMPARISON))
        if entry["submission"] in lost and not entry["reference"]:
            entry["is_lost"] = True
            entry["rank"] = None
    _set_ranks([entry for entry in entries if not entry.get("is_lost")], scenario.lower_is_better)


def _store(board: Board, draft: Draft, comparison: dict[str, Any] | None) -> None:
    """Store the edition and how many changes it has in one transaction; without a comparison it is provisional.

    Nothing is stored over what somebody else has read later.
    """
    light, further = split_further(draft.entries, board.scenario.scores)
    contents = {"entries": light, "comparison": comparison or {}, "further": further, "further_names": list(further)}
    with transaction.atomic():
        kept = Board.objects.select_for_update(no_key=True).get(pk=board.pk)
        if draft.wanted < (kept.made if comparison is None else kept.compared):
            return
        kept.made = max(kept.made, draft.wanted)
        kept.compared = kept.compared if comparison is None else draft.wanted
        kept.refreshed = max(kept.refreshed or draft.read, draft.read)
        kept.stale_since = None if kept.made == kept.wanted else draft.read
        if comparison is not None:
            kept.has_lost = any(entry.get("is_lost") for entry in draft.entries)
        kept.save(update_fields=["made", "compared", "has_lost", "stale_since", "refreshed"])
        basis = {"gold": draft.gold, "engine": draft.gold.engine if draft.gold else ""}
        _store_edition(board, draft, contents | basis, is_compared=comparison is not None)
        raise_news([board.phase.task_id])


def _store_edition(board: Board, draft: Draft, contents: dict[str, Any], *, is_compared: bool) -> None:
    """Store the edition of the day, gold and engine, unless nothing has changed since the last one.

    Newer gold, or another engine, makes a final edition void: the phase ends with the board that is right.
    """
    when = {"made": draft.read, "changes": draft.wanted}
    compared, uncompared = board.editions.filter(is_compared=True), board.editions.filter(is_compared=False)
    # These are read where the entries are the same.
    latest = compared.select_related("gold").defer("comparison", "further").first()
    if not is_compared:
        uncompared.delete()
        board.editions.create(day=draft.read.date(), **when, is_compared=False, **contents)
    else:
        uncompared.filter(changes__lte=draft.wanted).delete()
        if latest and all(getattr(latest, name) == value for name, value in contents.items()):
            return
        basis = {name: contents[name] for name in ("gold", "engine")}
        of_day = basis | {"day": draft.read.date(), "is_final": False, "is_void": False}
        if not compared.filter(**of_day).update(**when, **contents):
            board.editions.create(day=draft.read.date(), **when, **contents)
    if latest and (latest.gold, latest.engine) != (contents["gold"], contents["engine"]):
        make_void(board.editions.all())


def make_void(editions: QuerySet[Edition]) -> None:
    """Make those among them void that were final."""
    editions.filter(is_final=True).update(is_final=False, is_void=True)


def finish_boards() -> None:
    """Mark the final editions of phases that have closed and whose runs are all scored; they stay as they are.

    Those of phases that have opened again, or are now said to have closed at another time, become void.
    """
    make_void(Edition.objects.exclude(board__phase__closes__lte=Now(), board__phase__closes=F("closing")))
    waiting = Scoring.objects.filter(
        ON_PUBLISHED_GOLD,
        submission__phase=OuterRef("phase"),
        scenario=OuterRef("scenario"),
        state__in=Scoring.UNFINISHED,
    )
    fresh = Board.objects.filter(phase__closes__lte=Now(), made=F("wanted"), compared=F("wanted"))
    for board in fresh.exclude(editions__is_final=True).exclude(Exists(waiting)).select_related("phase"):
        with transaction.atomic():
            # A result may have come since; and it cannot come before this has ended.
            if (
                Board.objects.select_for_update(no_key=True)
                .filter(pk=board.pk, compared=F("wanted"), made=F("wanted"))
                .exists()
            ):
                _finish(board)


def _finish(board: Board) -> None:
    if latest := board.editions.filter(is_compared=True).only("pk").first():
        Edition.objects.filter(pk=latest.pk).update(is_final=True, is_void=False, closing=board.phase.closes)
        raise_news([board.phase.task_id])


_REASONS = Participation.objects.filter(task=OuterRef("gold__phase__task"), team=OuterRef("team"))


def best_runs_on(gold: Gold) -> QuerySet[BestRun]:
    """Return the best runs with their results, without the large fields of these."""
    return (
        BestRun.objects.filter(gold=gold)
        .annotate(unranked_reason=Subquery(_REASONS.values("unranked_reason")[:1]))
        .order_by("result__scoring__submission__created", "result__scoring__created")
        .select_related("result__scoring__submission")
        .only("reference", "n_runs", "n_withdrawn", *(f"result__{name}" for name in OF_RESULT))
    )


def entries_of(best_runs: Iterable[BestRun], copies: Iterable[Result], scenario: Scenario) -> list[Entry]:
    """Return one entry per team and one per reference, best first; results without a headline last and without a rank.

    A team has another entry for its late run, where late ones are not ranked. That of a team which the organisers show
    without a rank says `because` of what.

    `copies` are the results of runs that equal the open gold, in the order of arrival: one entry stands for all of
    them, outside the ranks.

    An entry has: submission, team (keys), method, reference ("" where ranked), `is_late` where that is true, rank
    (None outside the ranks),
    headline, scores, lows, highs (ends of the intervals, by score), interval_method (of the headline, "" without an
    interval), n_units, n_resamples, confidence_level, n_runs (of the team, n_withdrawn of them withdrawn), date (ISO
    8601), signature; and what evalsite.leaderboard.making.comparison adds.
    """
    headline, lower_is_better = scenario.headline, scenario.lower_is_better
    entries = [_entry(best.result, headline) | _standing(best) for best in best_runs]
    for result in copies:
        add_copy(entries, _entry(result, headline))
    in_order = sorted(entries, key=lambda entry: (-_sort_key(entry, lower_is_better), entry["date"]))
    return _set_ranks(in_order, lower_is_better)


def add_shown_scores(entries: Iterable[Entry], gold: Gold) -> None:
    """Add to each entry of a board by the ranked part what its run had on the shown part: `shown`."""
    sibling = shown_sibling(gold)
    if sibling is None:
        return
    results = Result.objects.counting().filter(scoring__gold=sibling).order_by("scoring__created")
    scores = {str(run): score for run, score in results.values_list("scoring__submission", "headline")}
    for entry in entries:
        entry["shown"] = scores.get(entry["submission"])


def _standing(best: BestRun) -> dict[str, Any]:
    """Return how the run stands; runs that were withdrawn count too, as they were scored and told the team
    something."""
    standing = {"reference": best.reference, "n_runs": best.n_runs + best.n_withdrawn, "n_withdrawn": best.n_withdrawn}
    standing |= {"is_late": True} if best.result.scoring.submission.is_late else {}
    # A preview of other results has no reasons, and needs none.
    return standing | ({"because": getattr(best, "unranked_reason", "")} if best.reference == UNRANKED else {})


def _entry(result: Result, headline: str) -> Entry:
    submission = result.scoring.submission
    return {
        "submission": str(submission.pk),
        "team": str(submission.team_id),
        "method": submission.method,
        "reference": submission.reference,
        "rank": None,
        "headline": result.headline,
        "scores": result.scores,
        # Two objects rather than a pair for each score: a page reads a thousand entries, and the garbage collector
        # would follow each pair.
        "lows": {name: low for name, (low, _) in result.intervals.items()},
        "highs": {name: high for name, (_, high) in result.intervals.items()},
        "interval_method": result.interval_methods.get(headline, ""),
        "n_units": result.n_units,
        "n_resamples": result.n_resamples,
        "confidence_level": result.confidence_level,
        "n_runs": 1,
        "n_withdrawn": 0,
        "date": submission.created.isoformat(),
        "signature": result.signature,
    }


def _sort_key(entry: Entry, lower_is_better: bool) -> float:
    """Return a sort key: larger for better scores, smallest without one."""
    if entry["headline"] is None:
        return float("-inf")
    return -float(entry["headline"]) if lower_is_better else float(entry["headline"])


def _set_ranks(entries: list[Entry], lower_is_better: bool) -> list[Entry]:
    """Set the rank of each entry that has a score and is no reference."""
    ranked = [entry for entry in entries if not entry["reference"] and entry["headline"] is not None]
    scores = np.array([entry["headline"] for entry in ranked])
    for entry, rank in zip(ranked, ranks(scores, lower_is_better=lower_is_better), strict=True):
        entry["rank"] = rank
    return entries
