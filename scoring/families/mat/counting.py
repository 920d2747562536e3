"""Counts of each document, made by matching its spans and tokens.

How matching works
------------------
A span is a label with the characters [start, end). Two spans *match* if label, start and end are the same, without
any tolerance. Spans that overlap without a match *clash*; spans that touch do not overlap. A span that overlaps
nothing of the other side is *missing* (gold) or *spurious* (system). The option `pairing` says which spans are
compared with which. For the example

    text      Mirelle left Gorloin harbour
    gold      PER[0, 7)    LOC[13, 28)
    system    PER[0, 7)    LOC[13, 20)  ORG[21, 28)

`1.2` (MAT/MIST 1.2) judges every span by itself, against all of the other side. Nothing is used up: LOC[13, 28) is
one refclash, and both spans that overlap it are a hypclash each. Exact duplicates collapse before.

    match 1    refclash 1    missing 0    hypclash 2    spurious 0

`2.x` (the later scorer) gives each span one partner at most, so that the sum of similarities is the greatest.
LOC[13, 20) is more like LOC[13, 28) (0.1 for the label + 0.9 * 7/15) than ORG[21, 28) (0.9 * 7/15), which stays
without a partner, although it overlaps a span of the gold. Duplicates stay, and each needs its own partner.

    match 1    refclash 1    missing 0    hypclash 1    spurious 1

In this example, as in most files, precision (1/3), recall (1/2) and F1 are the same, because both ways find the same
matches and count each span once; they share out the other spans differently among clashes, missing and spurious.
Precision and recall differ where a document holds duplicates, and where the greatest sum breaks a match up, for
which matching/pairing.py has an example.

Labels are compared as they are, case included, after aliases of the task were applied. A clash counts for the label
of its own side: a refclash for the gold's, a hypclash for the system's.

By token, `1.2` compares the sets of labels of each token (matching/tokens.py), and `2.x` shares the tokens of pairs
(matching/token_pairs.py). The scores with half a point for a partial match have pairs of their own, the same for
both (matching/partial.py).

The rules of 1.2 follow the documentation of MATScore, those of 2.x the documentation of the later scorer; neither
was compared with runs of these programs. The same in plain Python: tests/scoring/plain/mat.py.
"""

from dataclasses import dataclass, replace

import numpy as np

from scoring.columns import Array, Floats, Integers, sums_by_cell
from scoring.errors import about
from scoring.families.mat import details
from scoring.families.mat.matching.corpus_spans import CorpusSpans, axis_starts, corpus_spans, sorted_labels
from scoring.families.mat.matching.near_tuples import near_rows
from scoring.families.mat.matching.overlap_scores import overlap_rows
from scoring.families.mat.matching.paired_scores import paired_rows
from scoring.families.mat.matching.pairing import SpanMatches, pair_1_2, pair_2_x
from scoring.families.mat.matching.partial import PartialPairs, partial_pairs
from scoring.families.mat.matching.soft_spans import correlations, likely
from scoring.families.mat.matching.tally import Tally
from scoring.families.mat.matching.token_pairs import paired_token_counts
from scoring.families.mat.matching.tokens import covered, token_counts
from scoring.families.mat.scores import (
    BY_PAIR,
    BY_TAG,
    BY_TOKEN,
    HAS_TOKENS,
    KINDS,
    MATCH,
    N_TOKENS,
    PARTIAL,
    are_paired,
    derived,
    partial_counts,
    span_scores,
)
from scoring.families.mat.tuples import laid_out
from scoring.family import Counted, Folded, Options
from scoring.labels import Labels, all_labels, gold_labels
from scoring.messages import Message
from scoring.readers.mat import Gold, System, Tokens


@dataclass(frozen=True)
class Matches:
    """Everything that the tables are made from. Arrays over documents are in the order of the gold's file names."""

    gold: Gold
    system: System
    labels: list[str]  # those of both sides in code-point order; the codes of labels are indices of this list
    label_rows: Labels  # those of them by which tables count
    starts: Integers  # (documents + 1,) where each document begins on the corpus axis, and where the axis ends
    spans: SpanMatches  # what became of each span by the option `pairing`
    distinct: tuple[CorpusSpans, CorpusSpans]  # the spans of gold and system without duplicates
    partial_pairs: PartialPairs  # pairs for half points and confusions, by indices of the distinct spans
    tags: Tally  # basic counts of spans
    n_tokens: Integers  # (documents,) number of tokens of the side that the option `tokens` names
    tokens: Tally | None  # basic counts of tokens; None if there are no scores by token
    misfit: int | None  # index of the first document that forbids scores by token; None if there are such scores
    n_duplicates: tuple[int, int]  # number of surplus spans of gold and system
    rows: Integers  # (documents, groups, kinds) counts that all scores are made from, see `_rows`
    correlation: Floats | None  # (documents,) of probabilities; None if there are none
    overlap: Floats | None  # (documents, groups, kinds of overlap.py); None if there are no such scores
    paired: Floats | None  # likewise of paired.py
    near: Floats | None  # likewise of near_tuples.py


def count(gold: Gold, system: System, options: Options) -> Counted:
    """Make a row of counts for each document of the gold, those included that the system does not have."""
    matches = match(gold, system, options)
    return Counted(
        units=system.names,
        rows=_all_rows(matches),
        totals=_totals(matches),
        warnings=[*gold.warnings, *system.warnings, *_warnings(matches, options)],
        matches=matches,
    )


def _all_rows(matches: Matches) -> Array:
    """Put the counts that options add behind the others."""
    rows: list[Array] = [matches.rows]
    rows += [counts for counts in (matches.overlap, matches.paired, matches.near) if counts is not None]
    if matches.correlation is not None:
        of_documents = np.zeros((*matches.rows.shape[:2], 1))
        of_documents[:, -1, 0] = matches.correlation
        rows.append(of_documents)
    return np.concatenate(rows, axis=-1) if len(rows) > 1 else matches.rows


def match(gold: Gold, system: System, options: Options) -> Matches:
    """Match and count spans, tokens and partial pairs of both sides."""
    is_2_x = options["pairing"] == "2.x"
    gold, system = laid_out(gold, system, options)
    labels, starts = sorted_labels(gold, system), axis_starts(gold.signals)
    correlation = correlations(gold.spans, system.spans, starts) if options.get("probability") else None
    gold, system = likely(gold), likely(system)
    all_spans = corpus_spans(gold, system, labels, starts)
    distinct = all_spans[0].distinct(), all_spans[1].distinct()
    spans = pair_2_x(*all_spans) if is_2_x else pair_1_2(*distinct)
    tags = _tags(spans)
    pairs = partial_pairs(*distinct)
    tokens = system.tokens if options["tokens"] == "system" else gold.tokens
    n_tokens = np.bincount(tokens.document, minlength=len(gold.documents))
    tokens_tally, misfit = _tokens(spans, tokens, starts, is_2_x)
    group = _groups(gold.labels, labels)
    shape = len(n_tokens), len(gold.labels) + 1
    return Matches(
        gold=gold,
        system=system,
        labels=labels,
        label_rows=all_labels(labels),
        starts=starts,
        spans=spans,
        distinct=distinct,
        partial_pairs=pairs,
        tags=tags,
        n_tokens=n_tokens,
        tokens=tokens_tally,
        misfit=misfit,
        n_duplicates=(len(all_spans[0]) - len(distinct[0]), len(all_spans[1]) - len(distinct[1])),
        rows=_rows(group, shape, tags, tokens_tally, n_tokens, _pair_counts(distinct, pairs, len(n_tokens))),
        correlation=correlation,
        overlap=overlap_rows(distinct, int(starts[-1]), group, shape) if options.get("overlap") else None,
        paired=paired_rows(distinct, int(starts[-1]), group, shape) if are_paired(options) else None,
        near=near_rows(gold, system, labels, group, shape, options) if options.get("values") else None,
    )


def fold_labels(matches: Matches) -> Folded:
    """Return the matches with one row of the tables for all labels that the gold lacks."""
    rows = gold_labels(matches.labels, matches.gold.labels)
    return Folded(replace(matches, label_rows=rows), rows.invented)


def _tags(spans: SpanMatches) -> Tally:
    """Tally each span of the gold by its kind, and of the system those that do not match: a match counts once."""
    is_unmatched = spans.system_kind != MATCH
    gold, system = spans.gold, spans.system.at(is_unmatched)
    return Tally.joined(
        [
            Tally(gold.document, gold.label, spans.gold_kind, np.ones(len(gold), dtype=np.int64)),
            Tally(system.document, system.label, spans.system_kind[is_unmatched], np.ones(len(system), dtype=np.int64)),
        ]
    )


def _tokens(spans: SpanMatches, tokens: Tokens, starts: Integers, is_2_x: bool) -> tuple[Tally | None, int | None]:
    """Count by token, or return the first document that forbids it.

    A single span of either side with an edge inside a token, or outside all, takes the scores by token away from
    the whole corpus: what part of a token should count is not defined. No tokens at all do the same.
    """
    sides = covered(spans.gold, tokens, starts), covered(spans.system, tokens, starts)
    misfits = np.concatenate([side.document[~side.fits] for side in sides])
    if len(misfits):
        return None, int(misfits.min())
    if not len(tokens):
        return None, 0
    if is_2_x:
        return paired_token_counts(*sides, spans.paired_gold, spans.paired_system), None
    return token_counts(*sides, len(tokens)), None


def _pair_counts(spans: tuple[CorpusSpans, CorpusSpans], pairs: PartialPairs, n_documents: int) -> Integers:
    """Count pairs by what they have in common, and spans without a partner: (documents, kinds of PARTIAL)."""
    gold, system = spans
    # Index into PARTIAL: both agree 0, extents 1, labels 2, none 3; then the two kinds without a partner.
    kind = 2 * ~pairs.same_extent + ~pairs.same_label
    unpaired_gold, unpaired_system = PARTIAL.index("unpaired_gold"), PARTIAL.index("unpaired_system")
    gold_alone, system_alone = np.ones(len(gold), dtype=bool), np.ones(len(system), dtype=bool)
    gold_alone[pairs.gold] = system_alone[pairs.system] = False
    documents = gold.document[pairs.gold], gold.document[gold_alone], system.document[system_alone]
    kinds = kind, np.full(len(documents[1]), unpaired_gold), np.full(len(documents[2]), unpaired_system)
    return sums_by_cell((n_documents, len(PARTIAL)), np.concatenate(documents), np.concatenate(kinds))


def _groups(gold_labels: list[str], labels: list[str]) -> Integers:
    """Return the index of the group of each label, as `_rows` says: (labels,)."""
    group_of = {label: group for group, label in enumerate(sorted(gold_labels))}
    return np.array([group_of.get(label, len(group_of)) for label in labels], dtype=np.int64)


def _rows(
    group: Integers,
    shape: tuple[int, int],
    tags: Tally,
    tokens: Tally | None,
    n_tokens: Integers,
    pair_counts: Integers,
) -> Integers:
    """Return counts (documents, groups, kinds) from which `metrics` makes every score.

    The groups are the labels of the gold in their order, and a last one for all labels that the system invents:
    thousands of them would take much room, and no score looks at them one by one. Counts that belong to no label,
    of tokens and of partial pairs, stand in the last group too.
    """
    rows = np.zeros((*shape, len(KINDS)), dtype=np.int64)
    rows[..., BY_TAG] = tags.by_group(group, shape)
    if tokens is not None:
        rows[..., BY_TOKEN] = tokens.by_group(group, shape)
        rows[:, -1, HAS_TOKENS] = 1
    rows[:, -1, N_TOKENS] = n_tokens
    rows[:, -1, BY_PAIR] = pair_counts
    return rows


def _totals(matches: Matches) -> dict[str, int | float]:
    """Return the counts that a result shows beside its scores, summed over the corpus."""
    sums = matches.rows.sum(axis=(0, 1))
    totals: dict[str, int | float] = {"documents": len(matches.n_tokens), "tokens": int(matches.n_tokens.sum())}
    totals |= {name: int(number) for name, number in derived(sums).items()}
    if matches.tokens is not None:
        totals |= {f"token_{name}": int(number) for name, number in derived(sums[BY_TOKEN]).items()}
    for schema, cells in partial_counts(sums[BY_PAIR]):
        names = ("correct", "incorrect", "partial", "missing", "spurious")
        totals |= {f"{schema}_{name}": int(cell) for name, cell in zip(names, cells, strict=True)}
    totals |= {
        "missing_documents": int(matches.system.missing.sum()),
        "ignored_annotations": matches.system.n_ignored,
        "duplicates_gold": matches.n_duplicates[0],
        "duplicates_system": matches.n_duplicates[1],
    }
    return totals


def _warnings(matches: Matches, options: Options) -> list[str]:
    """Return what a reader of the scores should know; none of it changes them."""
    warnings: list[str] = []
    is_once = options["pairing"] == "1.2"
    effect = Message.word("counted once") if is_once else Message.word("counted each time")
    for side, number in zip(("gold", "system"), matches.n_duplicates, strict=True):
        if number:
            warnings += about(side, [_repeated(number, effect)])
    if matches.misfit is not None and not options.get("fields"):
        warnings.append(_without_tokens(matches))
    if options["details"]:
        warnings += details.warnings(matches.spans)
    if not span_scores(matches.rows.sum(axis=(0, 1)), options)["f1"]:
        warnings.append(Message("nothing-found", "nothing of the gold was found: F1 is 0"))
    return warnings


def _repeated(number: int, effect: Message) -> Message:
    return Message(
        "annotations-repeated",
        "{n} annotations repeat another one of the same label and extent, {effect}",
        n=number,
        effect=effect,
    )


def _without_tokens(matches: Matches) -> Message:
    """Return why there are no scores by token, with the first document that is the cause."""
    name = matches.system.names[matches.misfit or 0]
    if not matches.n_tokens.any():
        return Message(
            "no-tokens",
            "no scores by token: there are no tokens, the first document without any is {name}",
            name=name,
        )
    return Message(
        "annotation-off-tokens",
        "no scores by token: in {name} an annotation begins or ends where no token does",
        name=name,
    )
