"""A row of counts for each document."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.families.mat import details
from scoring.families.mat.matching.corpus_spans import CorpusSpans, Integers, axis_starts, corpus_spans, sorted_labels
from scoring.families.mat.matching.pairing import SpanMatches, pair_1_2, pair_2_x
from scoring.families.mat.matching.partial import PartialPairs, partial_pairs
from scoring.families.mat.matching.token_pairs import paired_token_counts
from scoring.families.mat.matching.tokens import covered, token_counts
from scoring.families.mat.scores import BASIC, KINDS, MATCH, PARTIAL, derived, metrics, partial_counts
from scoring.families.mat.tally import Tally, summed
from scoring.family import Counted, Options
from scoring.readers.mat import Gold, System, Tokens

_N = len(BASIC)


@dataclass(frozen=True)
class Matches:
    """Everything that the tables are made from.

    `starts` is where each document begins on the axis of the spans. `once` are both sides' spans without
    repeated ones. `misfit` is the first document whose spans and tokens do not fit together, None if there
    are counts by token.
    """

    gold: Gold
    system: System
    labels: list[str]
    starts: Integers
    spans: SpanMatches
    once: tuple[CorpusSpans, CorpusSpans]
    pairs: PartialPairs
    tags: Tally
    n_tokens: Integers
    tokens: Tally | None
    misfit: int | None
    n_repeated: tuple[int, int]
    rows: NDArray[np.int64]


def count(gold: Gold, system: System, options: Options) -> Counted:
    """A row for each document of the gold, those included that the system does not have."""
    matches = match(gold, system, options)
    return Counted(
        units=system.names,
        rows=matches.rows,
        totals=_totals(matches),
        warnings=[*gold.warnings, *system.warnings, *_warnings(matches, options)],
        matches=matches,
    )


def match(gold: Gold, system: System, options: Options) -> Matches:
    """Both sides' spans compared, with the tokens of the gold or of the system."""
    one_to_one_pairs = options["pairing"] == "2.x"
    labels, starts = sorted_labels(gold, system), axis_starts(gold.signals)
    spans_of_sides = corpus_spans(gold, system, labels, starts)
    once = spans_of_sides[0].distinct(), spans_of_sides[1].distinct()
    spans = pair_2_x(*spans_of_sides) if one_to_one_pairs else pair_1_2(*once)
    tags = _tags(spans)
    pairs = partial_pairs(*once)
    tokens = system.tokens if options["tokens"] == "system" else gold.tokens
    n_tokens = np.bincount(tokens.document, minlength=len(gold.documents))
    counts, misfit = _tokens(spans, tokens, starts, one_to_one_pairs)
    return Matches(
        gold=gold,
        system=system,
        labels=labels,
        starts=starts,
        spans=spans,
        once=once,
        pairs=pairs,
        tags=tags,
        n_tokens=n_tokens,
        tokens=counts,
        misfit=misfit,
        n_repeated=(len(spans_of_sides[0]) - len(once[0]), len(spans_of_sides[1]) - len(once[1])),
        rows=_rows(gold.labels, labels, tags, counts, n_tokens, _pair_counts(*once, pairs, len(n_tokens))),
    )


def _tags(spans: SpanMatches) -> Tally:
    others = spans.system_kind != MATCH
    left = spans.system.at(others)
    return Tally.joined(
        [
            Tally(spans.gold.document, spans.gold.label, spans.gold_kind, np.ones(len(spans.gold), dtype=np.int64)),
            Tally(left.document, left.label, spans.system_kind[others], np.ones(len(left), dtype=np.int64)),
        ]
    )


def _tokens(
    spans: SpanMatches, tokens: Tokens, starts: Integers, one_to_one_pairs: bool
) -> tuple[Tally | None, int | None]:
    """Counts by token, or the first document that forbids them."""
    sides = covered(spans.gold, tokens, starts), covered(spans.system, tokens, starts)
    misfits = np.concatenate([side.document[~side.fits] for side in sides])
    if len(misfits):
        return None, int(misfits.min())
    if not len(tokens):
        return None, 0
    if one_to_one_pairs:
        return paired_token_counts(*sides, spans.paired_gold, spans.paired_system), None
    return token_counts(*sides, len(tokens)), None


def _pair_counts(gold: CorpusSpans, system: CorpusSpans, pairs: PartialPairs, n_documents: int) -> NDArray[np.int64]:
    """Pairs by what they have in common, and spans without a partner: (documents, 6)."""
    kind = 2 * ~pairs.same_extent + ~pairs.same_label
    alone = np.ones(len(gold), dtype=bool), np.ones(len(system), dtype=bool)
    alone[0][pairs.gold] = alone[1][pairs.system] = False
    cell = np.concatenate(
        [
            gold.document[pairs.gold] * len(PARTIAL) + kind,
            gold.document[alone[0]] * len(PARTIAL) + len(PARTIAL) - 2,
            system.document[alone[1]] * len(PARTIAL) + len(PARTIAL) - 1,
        ]
    )
    return summed(cell, np.ones_like(cell), (n_documents, len(PARTIAL)))


def _rows(
    gold_labels: list[str],
    labels: list[str],
    tags: Tally,
    tokens: Tally | None,
    n_tokens: Integers,
    pairs: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Counts (documents, groups, kinds).

    The groups are the labels of the gold in their order; labels that a system invents share the last one,
    so that thousands of them take no room. There are also the counts that belong to no label.
    """
    places = {label: place for place, label in enumerate(sorted(gold_labels))}
    group = np.array([places.get(label, len(places)) for label in labels], dtype=np.int64)
    shape = len(n_tokens), len(places) + 1
    rows = np.zeros((*shape, len(KINDS)), dtype=np.int64)
    rows[..., : len(BASIC)] = tags.by_group(group, shape)
    if tokens is not None:
        rows[..., len(BASIC) : 2 * len(BASIC)] = tokens.by_group(group, shape)
        rows[:, -1, 2 * len(BASIC) + 1] = 1
    rows[:, -1, 2 * len(BASIC)] = n_tokens
    rows[:, -1, -len(PARTIAL) :] = pairs
    return rows


def _totals(matches: Matches) -> dict[str, int | float]:
    sums = matches.rows.sum(axis=(0, 1))
    found: dict[str, int | float] = {"documents": len(matches.n_tokens), "tokens": int(matches.n_tokens.sum())}
    found |= {name: int(number) for name, number in derived(sums).items()}
    if matches.tokens is not None:
        found |= {f"token_{name}": int(number) for name, number in derived(sums[_N:]).items()}
    for scheme, cells in partial_counts(sums[-len(PARTIAL) :]):
        names = ("correct", "incorrect", "partial", "missing", "spurious")
        found |= {f"{scheme}_{name}": int(cell) for name, cell in zip(names, cells, strict=True)}
    found |= {
        "missing_documents": int(matches.system.missing.sum()),
        "ignored_annotations": matches.system.n_ignored,
        "duplicates_gold": matches.n_repeated[0],
        "duplicates_system": matches.n_repeated[1],
    }
    return found


def _warnings(matches: Matches, options: Options) -> list[str]:
    found = []
    effect = "counted once" if options["pairing"] == "1.2" else "counted each time"
    for side, number in zip(("gold", "system"), matches.n_repeated, strict=True):
        if number:
            found.append(f"{side}: {number} annotations repeat another one of the same label and extent, {effect}")
    if matches.misfit is not None:
        found.append(_without_tokens(matches))
    if options["details"]:
        found += details.warnings(matches.spans)
    if not metrics(matches.rows.sum(axis=0), options)["f1"]:
        found.append("nothing of the gold was found: F1 is 0")
    return found


def _without_tokens(matches: Matches) -> str:
    name = matches.system.names[matches.misfit or 0]
    if not matches.n_tokens.any():
        return f"no scores by token: there are no tokens, the first document without any is {name}"
    return f"no scores by token: in {name} an annotation begins or ends where no token does"
