"""Right, wrong and missed edits of each sentence, beside the annotator who fits the run best.

    S This are a old sentence .       run          are → is              (1 2)
    annotator 0   are → is, a → an                 1 right, 0 wrong, 1 missed
    annotator 1   This → These                     0 right, 1 wrong, 1 missed

As ERRANT's `compare_m2.py` does: of each sentence that annotator counts whose edits, added to what was counted before,
give the highest F (to four digits); then more right, fewer wrong and fewer missed ones decide. So the choice depends on
the sentences before; resamples draw the sentences with the choice that was made. Of corrected sentences `maxmatch/`
finds the edits, for each annotator anew, and ranks the annotators as the M2 scorer does.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from scoring.columns import Flags, Integers, coded_together, is_first, ranges, starts_run
from scoring.families.edits import maxmatch
from scoring.families.edits.matches import FN, FP, TP, Counts, Matches, added
from scoring.families.edits.scores import TOTALS
from scoring.family import Counted, Options, about_gold
from scoring.messages import Message
from scoring.readers.edits import UNKNOWN, Annotated, overlaps
from scoring.readers.gc_pause import without_collector

_DIGITS = 4  # to which ERRANT rounds F


class Keys(NamedTuple):
    """What of a side counts: its edits, or each of their tokens."""

    group: Integers  # (n,) the annotator of a sentence
    type: Integers  # (n,)
    columns: list[Integers]  # each (n,): what has to be the same on both sides


def count(gold: Annotated, system: Annotated, options: Options) -> Counted:
    """Make one row (right, wrong, missed) for each sentence."""
    find = maxmatch.matches if options["protocol"] == "m2scorer" else _matches
    with without_collector():
        matches = find(gold, system, options)
    rows = matches.rows
    sums = rows.sum(axis=0)
    totals: dict[str, int | float] = {name: int(sums[list(kinds)].sum()) for name, kinds in TOTALS.items()}
    return Counted(
        units=gold.names,
        rows=rows,
        totals={"sentences": len(gold.texts)} | totals,
        warnings=[*_warnings(gold), *maxmatch.warnings(matches)],
        matches=matches,
    )


def _matches(gold: Annotated, system: Annotated, options: Options) -> Matches:
    """Return what becomes of all edits of both sides.

    Codes stand for what has to be the same, and for the sentence. In the example above:

        gold.group  0 0 1    gold_code  1 2 0    own_code  1    n_own  0 1 0    counts  (1 0 1) (0 1 1)    chosen  0
    """
    types = [*dict.fromkeys([*gold.types, *system.types])]
    number = {name: k for k, name in enumerate(types)}
    own_type = np.array([number[name] for name in system.types], dtype=np.int64)[system.type]
    texts, own_said = _numbered_corrections(gold, system)
    theirs, ours = _keys(gold, options, gold.type, texts), _keys(system, options, own_type, own_said)
    codes = coded_together(theirs.columns, ours.columns)
    n_codes, code = np.unique(np.concatenate(codes), return_inverse=True)
    gold_code, own_code = code[: len(codes[0])], code[len(codes[0]) :]
    n_own = np.bincount(own_code, minlength=len(n_codes))  # (codes,) edits of the run
    is_found = n_own[gold_code] > 0
    counts = _counts(gold, theirs, ours, gold_code, n_own)
    chosen = _chosen(gold.sentence, counts.tolist(), options["beta"])

    of_chosen = chosen[gold.sentence[theirs.group]] == theirs.group
    right, missed = np.flatnonzero(of_chosen & is_found), np.flatnonzero(of_chosen & ~is_found)
    is_covered = np.zeros(len(n_codes), dtype=bool)
    is_covered[gold_code[right]] = True
    wrong = np.flatnonzero(~is_covered[own_code])
    sentence = (gold.sentence[theirs.group[right]], ours.group[wrong], gold.sentence[theirs.group[missed]])
    return Matches(
        gold,
        chosen,
        sentence=np.concatenate(sentence),
        kind=np.repeat([TP, FP, FN], [*map(len, sentence)]),
        type=np.concatenate([theirs.type[right], ours.type[wrong], theirs.type[missed]]),
        types=types,
    )


def _numbered_corrections(gold: Annotated, system: Annotated) -> tuple[Integers, Integers]:
    """Return (n,) a number for the correction of each edit of both sides.

    Of corrections that are as good as each other, that of the run stands for all, and else the first.
    """
    number: dict[str, int] = {}
    firsts, own_firsts = (
        np.array([number.setdefault(correction[0], len(number)) for correction in side.corrections], dtype=np.int64)
        for side in (gold, system)
    )
    texts_of_gold, own_said = firsts[gold.correction], own_firsts[system.correction]
    is_several = np.array([len(correction) > 1 for correction in gold.corrections], dtype=bool)[gold.correction]
    if is_several.any():
        columns = (system.sentence[system.group], system.start, system.end, own_said)
        own_edits = {*zip(*(column.tolist() for column in columns), strict=True)}
        for k in np.flatnonzero(is_several).tolist():
            place = (int(gold.sentence[gold.group[k]]), int(gold.start[k]), int(gold.end[k]))
            texts = (number.get(text, -1) for text in gold.corrections[gold.correction[k]])
            texts_of_gold[k] = next((text for text in texts if (*place, text) in own_edits), texts_of_gold[k])
    return texts_of_gold, own_said


def _keys(side: Annotated, options: Options, types: Integers, texts: Integers) -> Keys:
    """Return the counting edits by what has to be the same; `types` and `texts` number types and corrections (n,)."""
    level = options["level"]
    counting = np.flatnonzero(_counting(side, options))
    group, type_ = side.group[counting], types[counting]
    start, end = side.start[counting], side.end[counting]
    if level == "tokens":
        # What is put in concerns the token behind it.
        n_tokens = np.maximum(end - start, 1)
        group, type_, columns = np.repeat(group, n_tokens), np.repeat(type_, n_tokens), [ranges(start, n_tokens)]
    else:
        columns = [start, end]
        if level != "spans":
            columns.append(texts[counting])
        if level == "classification":
            columns.append(type_)
    return Keys(group, type_, [side.sentence[group], *columns])


def _counting(side: Annotated, options: Options) -> Flags:
    """Return (n,) which edits count."""
    left_out = {*(options["exclude"] or ())}
    if options["level"] in ("correction", "classification"):
        left_out.add(UNKNOWN)  # it says where an error is, and not what is right
    is_counting: Flags = np.array([name not in left_out for name in side.types], dtype=bool)[side.type]
    if options["only"] != "all":
        is_long = np.array([len(texts[0].split()) >= 2 for texts in side.corrections], dtype=bool)[side.correction]
        is_counting &= ((side.end - side.start >= 2) | is_long) == (options["only"] == "multi")
    return is_counting


def _counts(gold: Annotated, theirs: Keys, ours: Keys, code: Integers, n_own: Integers) -> Integers:
    """Return (groups, kinds) how many edits are right, wrong and missed with each annotator."""
    n = len(gold.annotators)
    matched = np.flatnonzero(n_own[code] > 0)
    right = np.bincount(theirs.group[matched], minlength=n)
    missed = np.bincount(theirs.group, minlength=n) - right
    once = matched[is_first(theirs.group[matched] * len(n_own) + code[matched])]
    covered = np.bincount(theirs.group[once], weights=n_own[code[once]], minlength=n).astype(np.int64)
    wrong = np.bincount(ours.group, minlength=len(gold.texts))[gold.sentence] - covered
    return np.stack([right, wrong, missed], axis=1)


def _chosen(sentence: Integers, counts: Sequence[Counts], beta: float) -> Integers:
    """Return of each sentence the group whose counts, added to those before, rank highest; of equal ones the first."""
    before: Counts = (0, 0, 0)

    def rank(group: int) -> tuple[float, int, int, int]:
        right, wrong, missed = counts[group]
        return _f(*added(before, counts[group]), beta), right, -wrong, -missed

    chosen: list[int] = []
    firsts = np.flatnonzero(starts_run(sentence)).tolist()
    for first, stop in pairwise([*firsts, len(counts)]):
        best = first if stop - first == 1 else max(range(first, stop), key=rank)
        before = added(before, counts[best])
        chosen.append(best)
    return np.array(chosen, dtype=np.int64)


def _f(tp: int, fp: int, fn: int, beta: float) -> float:
    """Return F as ERRANT rounds it, in the order of its operations."""
    p = tp / (tp + fp) if fp else 1.0
    r = tp / (tp + fn) if fn else 1.0
    return round((1 + beta**2) * p * r / (beta**2 * p + r) if p + r else 0.0, _DIGITS)


def _warnings(gold: Annotated) -> list[str]:
    lines = [edit.line for edit, _ in overlaps(gold)]
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
