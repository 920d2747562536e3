"""What is counted, and the scores from counts: 1 where there is nothing to divide by, as in MATScore."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoring.family import Array, Options
from scoring.prf import harmonic_mean, ratio

Floats = NDArray[np.float64]

BASIC = ("match", "refclash", "missing", "hypclash", "spurious")
MATCH, REFCLASH, MISSING, HYPCLASH, SPURIOUS = range(len(BASIC))

# Of the pairs with credit for partial matches: what the two spans have in common, and what is left.
PARTIAL = ("both_agree", "extents_agree", "labels_agree", "none_agree", "unpaired_gold", "unpaired_system")

# A document adds one to the last column if there are scores by token.
TOKENS = ("tokens", "documents_with_tokens")

KINDS = BASIC + tuple(f"token_{kind}" for kind in BASIC) + TOKENS + PARTIAL


SCHEMES = ("strict", "exact", "partial", "type")
TOKEN_METRICS = (
    "tag_sensitive_accuracy",
    "tag_sensitive_error_rate",
    "tag_blind_accuracy",
    "tag_blind_error_rate",
)
_N = len(BASIC)
_TOKEN, _TOKENS, _PARTIAL = slice(_N, 2 * _N), 2 * _N, slice(2 * _N + 2, len(KINDS))


def metrics(counts: Array, options: Options) -> dict[str, Floats]:
    """All scores from counts (..., groups, kinds): a group for each label of the gold, and one for all else.

    Those by token are NaN without a table by token, macro averages without any span of the gold.
    """
    counts = np.asarray(counts)
    sums = counts.sum(axis=-2)
    n_tokens, has_tokens = sums[..., _TOKENS], sums[..., _TOKENS + 1] > 0
    precision, recall, f1 = precision_recall_f(sums)
    found = {"precision": precision, "recall": recall, "f1": f1, **_macro(counts[..., :-1, :_N])}
    by_token = dict(
        zip(("token_precision", "token_recall", "token_f1"), precision_recall_f(sums[..., _TOKEN]), strict=True)
    )
    by_token |= token_metrics(sums[..., _TOKEN], n_tokens)
    found |= {name: np.where(has_tokens, values, np.nan) for name, values in by_token.items()}
    for scheme, cells in partial_counts(sums[..., _PARTIAL]):
        found |= {f"{scheme}_{name}": values for name, values in partial_metrics(*cells).items()}
    return found


def derived(counts: Array) -> dict[str, Array]:
    """The basic counts and what they sum up to, in the order of MATScore's columns."""
    match, refclash, missing, hypclash, spurious = (counts[..., kind] for kind in range(_N))
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


def precision_recall_f(counts: Array) -> tuple[Floats, Floats, Floats]:
    """From the basic counts, which come first on the last axis."""
    match, refclash, missing, hypclash, spurious = (counts[..., kind] for kind in range(_N))
    precision = share(match, match + hypclash + spurious)
    recall = share(match, match + refclash + missing)
    return precision, recall, harmonic_mean(precision, recall)


def token_metrics(counts: Array, n_tokens: Array) -> dict[str, Floats]:
    """From the basic counts of tokens; below 0 where tokens with several labels count more than once."""
    missing, spurious = counts[..., 2], counts[..., 4]
    blind = share(n_tokens - missing - spurious, n_tokens)
    sensitive = share(n_tokens - counts[..., 1] - missing - spurious, n_tokens)
    return dict(zip(TOKEN_METRICS, (sensitive, 1 - sensitive, blind, 1 - blind), strict=True))


def partial_counts(counts: Array) -> Iterator[tuple[str, tuple[Array, Array, Array, Array, Array]]]:
    """Correct, incorrect, partial, missing and spurious of each scheme, from counts of pairs (..., 6)."""
    both, extents, labels, none, missing, spurious = np.moveaxis(counts, -1, 0)
    nothing = np.zeros_like(both)
    yield "strict", (both, extents + labels + none, nothing, missing, spurious)
    yield "exact", (both + extents, labels + none, nothing, missing, spurious)
    yield "partial", (both + extents, nothing, labels + none, missing, spurious)
    yield "type", (both + labels, extents + none, nothing, missing, spurious)


def partial_metrics(
    correct: Array, incorrect: Array, partial: Array, missing: Array, spurious: Array
) -> dict[str, Floats]:
    """Half a point for a partial match."""
    credit, paired = correct + partial / 2, correct + incorrect + partial
    precision, recall = share(credit, paired + spurious), share(credit, paired + missing)
    return {"precision": precision, "recall": recall, "f1": harmonic_mean(precision, recall)}


def share(part: ArrayLike, whole: ArrayLike) -> Floats:
    """Who is asked for nothing makes no mistake: 1 where the whole is 0."""
    return np.where(np.asarray(whole) == 0, 1.0, ratio(part, whole))


def _macro(counts: Array) -> dict[str, Floats]:
    """Means over the labels with a span in the gold; there a system without spans has precision 0."""
    match, refclash, missing, hypclash, spurious = (counts[..., kind] for kind in range(_N))
    in_gold = match + refclash + missing
    counted = in_gold > 0
    precision, recall = ratio(match, match + hypclash + spurious), ratio(match, in_gold)
    number = counted.sum(axis=-1)
    divisor = np.where(number > 0, number, np.nan)
    return {
        f"macro_{name}": values.sum(axis=-1, where=counted) / divisor
        for name, values in (("precision", precision), ("recall", recall), ("f1", harmonic_mean(precision, recall)))
    }
