"""Tells what is counted for each document and label, and the scores that follow from sums of these counts.

The formulas and the zero denominators follow the documentation of MATScore (MAT/MIST 1.2): a share of nothing is 1,
because a system that has no span has made no mistake, and an empty gold leaves nothing to find. An empty upload so
has precision 1; it is `f1` that ranks, and this is 0. The macro averages are not MATScore's and differ in that.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np

from scoring.columns import Array, Floats
from scoring.families.f_beta import beta_of, prf_scores
from scoring.families.mat.matching import near_tuples as near
from scoring.families.mat.matching import overlap_scores as overlap
from scoring.families.mat.matching import paired_scores as paired
from scoring.family import Options
from scoring.prf import ratio, share
from scoring.significance.averages import Averages, Mean
from scoring.significance.proportions import Proportion, prf_proportions

# What a span, or a token, of the gold can be: match, refclash or missing; of the system: match, hypclash or
# spurious. A match is one of both sides and is counted once. The order is that of MATScore's columns.
BASIC = ("match", "refclash", "missing", "hypclash", "spurious")
MATCH, REFCLASH, MISSING, HYPCLASH, SPURIOUS = range(len(BASIC))

# Of the pairs with credit for partial matches: what the two spans have in common, and the spans without a partner.
# All four schemas follow from these six counts.
PARTIAL = ("both_agree", "extents_agree", "labels_agree", "none_agree", "unpaired_gold", "unpaired_system")

# The number of tokens, and a 1 for each document if the corpus has scores by token: in a resample of some documents
# that sum is above 0 if and only if there are such scores.
TOKENS = ("tokens", "documents_with_tokens")

# The last axis of the rows of counts, and where each group of counts stands on it.
KINDS = BASIC + tuple(f"token_{kind}" for kind in BASIC) + TOKENS + PARTIAL
N_BASIC = len(BASIC)
BY_TAG = slice(0, N_BASIC)
BY_TOKEN = slice(N_BASIC, 2 * N_BASIC)
N_TOKENS = 2 * N_BASIC
HAS_TOKENS = N_TOKENS + 1
BY_PAIR = slice(HAS_TOKENS + 1, len(KINDS))
BY_OVERLAP = slice(len(KINDS), len(KINDS) + len(overlap.KINDS))  # with the option `overlap`
BY_BEST_MATCH = slice(BY_OVERLAP.stop, BY_OVERLAP.stop + len(paired.KINDS))  # of tuples with that option
BY_VALUES = slice(-len(near.KINDS), None)  # of tuples with numbers, behind all others

# How a partial match is judged, as in task 9 of SemEval-2013; the column `schema` of the table `partial`.
SCHEMAS = ("strict", "exact", "partial", "type")
TOKEN_METRICS = (
    "tag_sensitive_accuracy",
    "tag_sensitive_error_rate",
    "tag_blind_accuracy",
    "tag_blind_error_rate",
)


def count_scores(count: str) -> list[str]:
    """Return the scores that a total of tokens, or of a schema, is made for.

    >>> count_scores("token_match"), count_scores("match"), count_scores("tokens")
    (['token_f1', 'token_fbeta'], [], [])
    """
    counted = count.partition("_")[0]
    return [f"{counted}_f1", f"{counted}_fbeta"] if counted in ("token", *SCHEMAS) else []


def headline(options: Options) -> str:
    """Return the score that ranks."""
    return options.get("headline") or ("fbeta" if beta_of(options) else "f1")


def kinds(options: Options) -> tuple[str, ...]:
    """Return the last axis of the rows of counts."""
    of_overlap = overlap.KINDS if options.get("overlap") else ()
    of_paired = paired.KINDS if are_paired(options) else ()
    of_values = near.KINDS if options.get("values") else ()
    return KINDS + of_overlap + of_paired + of_values + (("correlation",) if options.get("probability") else ())


def are_paired(options: Options) -> bool:
    """Return whether there are scores by the gold's tuples that each of the system's covers best."""
    return bool(options.get("overlap") and options.get("fields"))


def metrics(counts: Array, options: Options) -> dict[str, Floats]:
    """Compute all scores from counts (..., groups, kinds): a group for each label of the gold, and one for all else.

    Scores by token are NaN without a table by token, macro averages without any span of the gold. Each score is
    (...), so that one call serves the corpus, all documents or thousands of resamples.
    """
    counts = np.asarray(counts)
    # Micro scores come from the sums of all groups, also of labels that the gold does not have.
    sums = counts.sum(axis=-2)
    # The last group is no label of the gold; the averages over labels leave it out.
    scores = span_scores(sums, options) | _averages(counts[..., :-1, BY_TAG], options)
    if not options.get("fields"):
        by_token = {f"token_{name}": values for name, values in span_scores(sums[..., BY_TOKEN], options).items()}
        by_token |= token_metrics(sums[..., BY_TOKEN], sums[..., N_TOKENS])
        has_tokens = sums[..., HAS_TOKENS] > 0
        scores |= {name: np.where(has_tokens, values, np.nan) for name, values in by_token.items()}
    for schema, cells in partial_counts(sums[..., BY_PAIR]):
        scores |= {f"{schema}_{name}": values for name, values in partial_metrics(*cells, options).items()}
    if options.get("overlap"):
        scores |= overlap.overlap_metrics(sums[..., BY_OVERLAP], options)
    if are_paired(options):
        scores |= {
            f"paired_{name}": values for name, values in paired.prf_of_paired(sums[..., BY_BEST_MATCH], options).items()
        }
        scores |= _weighted_paired(counts[..., :-1, :], options)
    if options.get("values"):
        scores |= near.near_metrics(sums[..., BY_VALUES], options)
        by_label = near.near_metrics(counts[..., :-1, BY_VALUES], options, ratio)
        is_counted = counts[..., :-1, BY_VALUES.start] > 0
        scores |= {f"macro_{name}": _mean(values, is_counted) for name, values in by_label.items()}
    if options.get("probability"):
        scores["correlation"] = overlap.mean_of_documents(sums[..., BY_OVERLAP], sums[..., -1])
    return scores


def derived(counts: Array) -> dict[str, Array]:
    """Return the basic counts (..., kinds) and what they sum up to (...), in the order of MATScore's columns.

    Of n spans of the gold, `refonly` are without a match and `reftotal` is n; `hyponly` and `hyptotal` likewise.
    """
    match, refclash, missing, hypclash, spurious = (counts[..., kind] for kind in range(N_BASIC))
    return {
        "match": match,
        "refclash": refclash,
        "missing": missing,
        "refonly": refclash + missing,
        "reftotal": refclash + missing + match,
        "hypclash": hypclash,
        "spurious": spurious,
        "hyponly": hypclash + spurious,
        "hyptotal": hypclash + spurious + match,
    }


def span_scores(counts: Array, options: Options, f1: str = "f1") -> dict[str, Floats]:
    """Return precision, recall and F (...) from the basic counts, which come first on the last axis (..., kinds).

    A clash is no match, so it lowers both: one gold span over two system spans costs precision twice.

    >>> {name: round(float(value), 3) for name, value in span_scores(np.array([1, 1, 0, 2, 0]), {}).items()}
    {'precision': 0.333, 'recall': 0.5, 'f1': 0.4}
    """
    match, refclash, missing, hypclash, spurious = (counts[..., kind] for kind in range(N_BASIC))
    precision = share(match, match + hypclash + spurious)
    recall = share(match, match + refclash + missing)
    # F is 0 where both are 0, unlike the shares: there is something on both sides, and nothing of it is right.
    return prf_scores(precision, recall, options, f1)


def token_metrics(counts: Array, n_tokens: Array) -> dict[str, Floats]:
    """Compute accuracies and error rates from the basic counts of tokens (..., kinds) and the number of all (...).

    Every token counts, also those that no span covers. *Tag-blind* takes a token with another label for right.
    As each label of a token counts, accuracies can be below 0 where tokens bear several labels.

    >>> token_metrics(np.array([2, 1, 1, 1, 0]), np.array(10))["tag_sensitive_accuracy"].item()
    0.8
    """
    refclash, missing, spurious = counts[..., REFCLASH], counts[..., MISSING], counts[..., SPURIOUS]
    blind = share(n_tokens - missing - spurious, n_tokens)
    # A hypclash is the other side of a refclash, so it is not subtracted once more.
    sensitive = share(n_tokens - refclash - missing - spurious, n_tokens)
    return dict(zip(TOKEN_METRICS, (sensitive, 1 - sensitive, blind, 1 - blind), strict=True))


def partial_counts(counts: Array) -> Iterator[tuple[str, tuple[Array, Array, Array, Array, Array]]]:
    """Return each schema's numbers (...) of correct, incorrect, partial, missing and spurious spans.

    They come from counts of pairs (..., 6), whose kinds are those of PARTIAL. `strict` wants label and extent,
    `exact` the extent, `type` the label; `partial` takes any overlap, and without the same extent for a half.

    >>> {schema: [int(number) for number in cells] for schema, cells in partial_counts(np.array([5, 4, 3, 2, 1, 0]))}
    {'strict': [5, 9, 0, 1, 0], 'exact': [9, 5, 0, 1, 0], 'partial': [9, 0, 5, 1, 0], 'type': [8, 6, 0, 1, 0]}
    """
    both, extents, labels, none, missing, spurious = np.moveaxis(counts, -1, 0)
    nothing = np.zeros_like(both)
    yield "strict", (both, extents + labels + none, nothing, missing, spurious)
    yield "exact", (both + extents, labels + none, nothing, missing, spurious)
    yield "partial", (both + extents, nothing, labels + none, missing, spurious)
    yield "type", (both + labels, extents + none, nothing, missing, spurious)


def partial_metrics(
    correct: Array, incorrect: Array, partial: Array, missing: Array, spurious: Array, options: Options
) -> dict[str, Floats]:
    """Compute precision, recall and F with half a point for a partial match; each count and score is (...)."""
    credit, paired = correct + partial / 2, correct + incorrect + partial
    precision, recall = share(credit, paired + spurious), share(credit, paired + missing)
    return prf_scores(precision, recall, options)


def _averages(counts: Array, options: Options) -> dict[str, Floats]:
    """Average (...) over the labels with a span in the gold, from basic counts (..., labels, kinds).

    Labels that the gold does not have in these documents are left out, so a system cannot raise its mean by
    inventing labels. For the same reason a label without any system span has precision 0 here, and not 1 as in the
    tables. Of tuples there are also means in which a label weighs as much as the gold has of it. NaN without any label.
    """
    match, refclash, missing, hypclash, spurious = (counts[..., kind] for kind in range(N_BASIC))
    n_gold = match + refclash + missing
    is_counted = n_gold > 0
    precision, recall = ratio(match, match + hypclash + spurious), ratio(match, n_gold)
    by_label = prf_scores(precision, recall, options)
    macro = {f"macro_{name}": _mean(values, is_counted) for name, values in by_label.items()}
    weighted = {f"weighted_{name}": _mean(values, n_gold) for name, values in by_label.items()}
    return macro | weighted if options.get("fields") else macro


def averages(counts: Array, options: Options) -> list[Averages]:
    """Return what stands behind the means over labels, from counts (documents, groups, kinds)."""
    return [Averages(counts[:, :-1, BY_TAG], partial(_proportions, options=options), _n_gold, partial(_means, options))]


def _proportions(counts: Array, *, options: Options) -> dict[str, Proportion]:
    match, refclash, missing, hypclash, spurious = np.moveaxis(np.asarray(counts), -1, 0)
    gold, system = match + refclash + missing, match + hypclash + spurious
    return prf_proportions(match, gold, system, beta=beta_of(options))


def _n_gold(counts: Array) -> Array:
    return np.asarray(counts[..., [MATCH, REFCLASH, MISSING]].sum(axis=-1))


def _means(options: Options, counts: Array) -> dict[str, Mean]:
    columns, is_counted = _proportions(counts, options=options), (_n_gold(counts) > 0).astype(np.float64)
    macro = {f"macro_{column}": Mean(column, is_counted) for column in columns}
    return macro | {f"weighted_{column}": Mean(column, None) for column in columns if options.get("fields")}


def _weighted_paired(counts: Array, options: Options) -> dict[str, Floats]:
    """Return means (...) over the labels, weighed by the gold's tuples, from counts (..., labels, kinds)."""
    n_gold = counts[..., [MATCH, REFCLASH, MISSING]].sum(axis=-1)
    by_label = paired.prf_of_paired(counts[..., BY_BEST_MATCH], options)
    # A label without any tuple of the system has precision 0 here too.
    n_places = counts[..., BY_BEST_MATCH.start + paired.KINDS.index("paired_system")]
    by_label = prf_scores(np.where(n_places > 0, by_label["precision"], 0), by_label["recall"], options)
    return {f"weighted_paired_{name}": _mean(values, n_gold) for name, values in by_label.items()}


def _mean(values: Floats, weights: Array) -> Floats:
    """Return the weighted mean (...) over the labels (..., labels); NaN where no label weighs anything."""
    total = weights.sum(axis=-1)
    return np.asarray((values * weights).sum(axis=-1) / np.where(total > 0, total, np.nan))
