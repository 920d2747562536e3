"""Right, wrong and missed edits of each sentence, beside the annotator who fits the run best.

    S This are a old sentence .       run          are → is              (1 2)
    annotator 0   are → is, a → an                 1 right, 0 wrong, 1 missed
    annotator 1   This → These                     0 right, 1 wrong, 1 missed

As ERRANT's `compare_m2.py` does: of each sentence that annotator counts whose edits, added to what was counted before,
give the highest F (to four digits); then more right, fewer wrong and fewer missed ones decide. So the choice depends on
the sentences before; resamples draw the sentences with the choice that was made. Of corrected sentences `maxmatch/`
finds the edits, for each annotator anew, and ranks the annotators as the M2 scorer does.
"""

from collections.abc import Hashable, Iterator, Sequence, Set
from typing import NamedTuple

from scoring.families.edits import maxmatch
from scoring.families.edits.matches import Chosen, Counts, Outcomes, added, collected, sizes
from scoring.families.edits.scores import TOTALS
from scoring.family import Counted, Options, about_gold
from scoring.messages import Message
from scoring.readers.edits import UNKNOWN, Annotated, Edit, Edits, overlapping
from scoring.readers.gc_pause import without_collector

Said = tuple[int, int, str]  # first token, the one behind the last, and the correction
_DIGITS = 4  # to which ERRANT rounds F


class Keyed(NamedTuple):
    """The edits of a side that count, in its order."""

    keys: Sequence[Hashable]  # what makes an edit the same
    types: list[str]


def count(gold: Annotated, system: Annotated, options: Options) -> Counted:
    """One row (right, wrong, missed) for each sentence."""
    with without_collector():
        choose = maxmatch.chosen if options["protocol"] == "m2scorer" else _chosen
        matches = collected(gold, choose(gold, system, options))
    sums = matches.rows.sum(axis=0)
    totals: dict[str, int | float] = {name: int(sums[list(kinds)].sum()) for name, kinds in TOTALS.items()}
    return Counted(
        units=gold.names,
        rows=matches.rows,
        totals={"sentences": len(gold.sentences)} | totals,
        warnings=[*_warnings(gold), *maxmatch.warnings(matches)],
        matches=matches,
    )


def _chosen(gold: Annotated, system: Annotated, options: Options) -> Iterator[Chosen]:
    """Yield of each sentence the annotator who counts."""
    before: Counts = (0, 0, 0)
    for theirs, ours in zip(gold.sentences, system.sentences, strict=True):
        [edits] = ours.annotators.values()
        own = keyed(edits, options)
        known = {(edit[0], edit[1], edit[3][0]) for edit in edits}
        found = [Chosen(name, outcomes(own, keyed(each, options, known))) for name, each in theirs.annotators.items()]
        best = found[0] if len(found) == 1 else _best(before, found, options)
        before = added(before, best.outcomes)
        yield best


def _best(before: Counts, found: list[Chosen], options: Options) -> Chosen:
    """Return the annotator of a sentence who fits the run best, after these counts; of equal ones the first."""

    def rank(choice: Chosen) -> tuple[float, int, int, int]:
        right, wrong, missed = sizes(choice.outcomes)
        return _f(*added(before, choice.outcomes), options["beta"]), right, -wrong, -missed

    return max(found, key=rank)


def keyed(edits: Edits, options: Options, own: Set[Said] = frozenset()) -> Keyed:
    """Return the edits that count, by what has to be the same on both sides.

    Of corrections that are as good as each other, that of the run stands for all, and else the first; `own` are all
    that the run has.
    """
    level = options["level"]
    if level in ("correction", "classification"):  # an unknown correction says where an error is, and not what is right
        edits = [edit for edit in edits if edit[2] != UNKNOWN]
    if options["only"] != "all" or options["exclude"]:
        edits = [edit for edit in edits if _counts(edit, options)]
    types = [edit[2] for edit in edits]
    if level == "tokens":
        # What is put in concerns the token behind it.
        tokens = [(token, edit[2]) for edit in edits for token in range(edit[0], max(edit[1], edit[0] + 1))]
        return Keyed([token for token, _ in tokens], [type_ for _, type_ in tokens])
    if level == "spans":
        return Keyed([edit[:2] for edit in edits], types)
    said = [
        (start, end, texts[0]) if len(texts) == 1 else _said(start, end, texts, own)
        for start, end, _, texts, _ in edits
    ]
    return Keyed(said if level == "correction" else [*zip(said, types, strict=True)], types)


def _said(start: int, end: int, texts: Sequence[str], own: Set[Said]) -> Said:
    several = [(start, end, text) for text in texts]
    return next((each for each in several if each in own), several[0])


def outcomes(own: Keyed, theirs: Keyed) -> Outcomes:
    """Return the types of right, wrong and missed edits; the gold's where it has the edit."""
    if own.keys == theirs.keys:
        return Outcomes(theirs.types, [], [])
    of_run, of_gold = set(own.keys), set(theirs.keys)
    right = [type_ for key, type_ in zip(*theirs, strict=True) if key in of_run]
    wrong = [type_ for key, type_ in zip(*own, strict=True) if key not in of_gold]
    missed = [type_ for key, type_ in zip(*theirs, strict=True) if key not in of_run]
    return Outcomes(right, wrong, missed)


def _counts(edit: Edit, options: Options) -> bool:
    if edit.type in (options["exclude"] or ()):
        return False
    if options["only"] == "all":
        return True
    is_multi = edit.end - edit.start >= 2 or len(edit.corrections[0].split()) >= 2
    return bool(is_multi == (options["only"] == "multi"))


def _f(tp: int, fp: int, fn: int, beta: float) -> float:
    """Return F as ERRANT rounds it, in the order of its operations."""
    p = tp / (tp + fp) if fp else 1.0
    r = tp / (tp + fn) if fn else 1.0
    return round((1 + beta**2) * p * r / (beta**2 * p + r) if p + r else 0.0, _DIGITS)


def _warnings(gold: Annotated) -> list[str]:
    lines = [
        edit.line
        for sentence in gold.sentences
        for edits in sentence.annotators.values()
        for edit, _ in overlapping(edits)
    ]
    if not lines:
        return []
    return about_gold(
        [
            Message.counted(
                "gold-edits-overlap",
                "1 edit overlaps another one of its annotator (line {line})",
                "{n} edits overlap another one of their annotator (the first on line {line})",
                len(lines),
                line=lines[0],
            )
        ]
    )
