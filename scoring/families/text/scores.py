"""Scores from sums of counts, with sacreBLEU's formulas on arrays of any shape.

`corpus` scores sums over segments; a segment alone is scored by `alone`, where BLEU takes the orders that the segment
is long enough for, as sacreBLEU's `sentence_score` does with effective order.
"""

import numpy as np

from scoring.columns import Array, Floats
from scoring.families.text.kinds import BETA, EXACT, ORDERS, ROUGE, SCORES, divided
from scoring.families.text.measures.beside_source import gleu_score, sari_scores
from scoring.family import Options
from scoring.prf import ratio
from scoring.scale import Scale
from scoring.score import Score, losses_of, scales_of, titles_of

# Of `smooth_value` where none is given, as sacreBLEU has them.
_SMOOTH_VALUES = {"floor": 0.1, "add-k": 1.0}
_HUNDRED = Scale(decimals=1, full=100.0)
# An order in which nothing is to be done, and further references, keep a perfect run from 100.
_HUNDRED_AT_MOST = Scale(decimals=1, full=100.0, depends_on_gold=True)
DECLARED = (
    Score("bleu", "BLEU", scale=_HUNDRED),
    Score("length_ratio", "Length ratio (1 is best)", scale=Scale(has_bounds=False)),
    Score("chrf", "chrF", scale=_HUNDRED),
    Score("chrf_pp", "chrF++", scale=_HUNDRED),
    Score("ter", "TER", is_loss=True, scale=Scale(decimals=1, full=0.0, has_bounds=False)),
    Score("rouge_1", "ROUGE-1"),
    Score("rouge_2", "ROUGE-2"),
    Score("rouge_l", "ROUGE-L"),
    Score("rouge_lsum", "ROUGE-Lsum"),
    Score("exact_match", "Exact match"),
    Score("token_f1", "Token F1"),
    Score("sari", "SARI", scale=_HUNDRED_AT_MOST),
    Score("sari_add", "SARI: added", scale=_HUNDRED_AT_MOST),
    Score("sari_keep", "SARI: kept", scale=_HUNDRED_AT_MOST),
    Score("sari_delete", "SARI: left out", scale=_HUNDRED_AT_MOST),
    Score("gleu", "GLEU", scale=Scale(depends_on_gold=True)),
    Score("meteor", "METEOR without synonyms", scale=Scale(depends_on_gold=True)),
)
SCORE_TITLES, _LOSSES, _SCALES = titles_of(DECLARED), losses_of(DECLARED), scales_of(DECLARED)


def headline(options: Options) -> str:
    """Return the score that ranks."""
    return str(options["headline"])


def lower_is_better(options: Options) -> frozenset[str]:
    return _LOSSES.intersection(options["metrics"])


def scales(options: Options) -> dict[str, Scale]:
    """Return scales: the scores of sacreBLEU go from 0 to 100; TER may pass it."""
    return _SCALES


def metrics(counts: Array, options: Options) -> dict[str, Floats]:
    """Compute scores of sums of counts (..., kinds)."""
    return _scores(counts, options, is_alone=False)


def alone(counts: Array, options: Options) -> dict[str, Floats]:
    """Compute scores of single segments (..., kinds), without the ratio of lengths."""
    scores = _scores(counts, options, is_alone=True)
    return {name: values for name, values in scores.items() if name != "length_ratio"}


def _scores(counts: Array, options: Options, *, is_alone: bool) -> dict[str, Floats]:
    of = divided(np.asarray(counts, dtype=np.float64), options)
    scores: dict[str, Floats] = {}
    if "bleu" in of:
        scores["bleu"] = _bleu(of["bleu"], options["smooth"], options["smooth_value"], is_alone=is_alone)
        scores["length_ratio"] = ratio(of["bleu"][..., 0], of["bleu"][..., 1])
    scores |= {name: _chrf(of[name]) for name in ("chrf", "chrf_pp") if name in of}
    if "ter" in of:
        scores["ter"] = _ter(of["ter"])
    if "sari" in of:
        scores |= sari_scores(of["sari"])
    if "gleu" in of:
        scores["gleu"] = gleu_score(of["gleu"])
    for metric, names in (("rouge", ROUGE), ("exact", EXACT), ("meteor", SCORES["meteor"])):
        if metric in of:
            *sums, n = np.moveaxis(of[metric], -1, 0)
            scores |= {name: ratio(values, n) for name, values in zip(names, sums, strict=True)}
    return scores


def _bleu(counts: Floats, smooth: str, value: float | None, *, is_alone: bool) -> Floats:
    """Compute BLEU (Papineni et al. 2002) of (..., 10) counts, smoothed as in Chen and Cherry (2014).

    An order without n-grams ends the orders: those from it on make the score 0, or are left out of a segment alone.
    """
    system, reference = counts[..., 0], counts[..., 1]
    matches, ngrams = counts[..., 2 : 2 + ORDERS], counts[..., 2 + ORDERS :]
    has_match = matches.any(axis=-1)
    k = value if value is not None else _SMOOTH_VALUES.get(smooth, 0.0)
    if smooth == "add-k":
        added = np.array([0.0] + [k] * (ORDERS - 1))  # not to single words
        matches, ngrams = matches + added, ngrams + added
    is_there = np.logical_and.accumulate(ngrams > 0, axis=-1)
    is_missed = is_there & (matches == 0)
    if smooth == "exp":
        # The first order without a match counts half a match, the second a quarter, and so on.
        matches = np.where(is_missed, 0.5 ** np.cumsum(is_missed, axis=-1), matches)
    elif smooth == "floor":
        matches = np.where(is_missed, k, matches)
    precision = np.where(is_there, 100 * ratio(matches, ngrams), 0.0)
    with np.errstate(divide="ignore"):
        logs = np.log(precision)
    n_orders: Array | int = ORDERS
    if is_alone:
        logs, n_orders = np.where(is_there, logs, 0.0), np.maximum(is_there.sum(axis=-1), 1)
    return np.where(has_match, _brevity(system, reference) * np.exp(logs.sum(axis=-1) / n_orders), 0.0)


def _brevity(system: Floats, reference: Floats) -> Floats:
    """Compute the penalty of output that is shorter than the references."""
    safe = np.where(system > 0, system, 1.0)
    short = np.where(system > 0, np.exp(np.minimum(0.0, 1 - reference / safe)), 0.0)
    return np.where(system < reference, short, 1.0)


def _chrf(counts: Floats) -> Floats:
    """Compute chrF (Popović 2015, 2017) of (..., 3 · orders) counts: mean precision and recall of orders, then F."""
    system, reference, matches = np.moveaxis(counts.reshape(*counts.shape[:-1], -1, 3), -1, 0)
    is_there = (system > 0) & (reference > 0)
    n = is_there.sum(axis=-1)
    precision = ratio(np.where(is_there, ratio(matches, system), 0.0).sum(axis=-1), n)
    recall = ratio(np.where(is_there, ratio(matches, reference), 0.0).sum(axis=-1), n)
    return 100 * ratio((1 + BETA**2) * precision * recall, BETA**2 * precision + recall)


def _ter(counts: Floats) -> Floats:
    """Compute TER (Snover et al. 2006) of (..., 2) counts.

    Without any word of reference it is 100 where there are edits, else 0.
    """
    edits, length = counts[..., 0], counts[..., 1]
    return np.where(length > 0, 100 * ratio(edits, length), np.where(edits > 0, 100.0, 0.0))
