"""The columns of a row: those of each metric that is computed, one metric behind the other.

bleu            system length, reference length, matches of order 1 to 4, n-grams of order 1 to 4
chrf, chrf_pp   (system, reference, matches) of each order: 6 of characters, and in chrF++ 2 of words behind them
ter             edits, mean length of the references
sari            of each order right, given and wanted n-grams that are added, kept and left out
gleu            system length, reference length, matches of order 1 to 4, n-grams of order 1 to 4
rouge, exact, meteor   the values of the segments, and how many segments there are: a mean is two sums
"""

from collections.abc import Iterable, Mapping

from scoring.columns import Array
from scoring.family import Options

METRICS = ("bleu", "chrf", "chrf_pp", "ter", "rouge", "exact", "sari", "gleu", "meteor")
ROUGE = ("rouge_1", "rouge_2", "rouge_l", "rouge_lsum")
EXACT = ("exact_match", "token_f1")
BY_SACREBLEU = ("bleu", "chrf", "chrf_pp", "ter")

ORDERS = 4  # of BLEU
CHARACTER_ORDERS, WORD_ORDERS = 6, 2  # of chrF and chrF++
BETA = 2  # of chrF: recall counts twice as much as precision

# {metric: its scores, that which ranks first}
SCORES: Mapping[str, tuple[str, ...]] = {
    "bleu": ("bleu", "length_ratio"),
    "chrf": ("chrf",),
    "chrf_pp": ("chrf_pp",),
    "ter": ("ter",),
    "rouge": ROUGE,
    "exact": EXACT,
    "sari": ("sari", "sari_add", "sari_keep", "sari_delete"),
    "gleu": ("gleu",),
    "meteor": ("meteor",),
}


def _orders(score: str, kinds: Iterable[str], orders: Iterable[int]) -> tuple[str, ...]:
    kinds = tuple(kinds)
    return tuple(f"{score}_{kind}_{order}" for order in orders for kind in kinds)


def _chrf(score: str, words: int) -> tuple[str, ...]:
    orders = range(1, CHARACTER_ORDERS + words + 1)
    return _orders(score, ("system", "reference", "matches"), orders)


_N = range(1, ORDERS + 1)
_OF_METRIC: Mapping[str, tuple[str, ...]] = {
    "bleu": (
        "system_length",
        "reference_length",
        *_orders("bleu", ("matches",), _N),
        *_orders("bleu", ("ngrams",), _N),
    ),
    "chrf": _chrf("chrf", 0),
    "chrf_pp": _chrf("chrf_pp", WORD_ORDERS),
    "ter": ("edits", "mean_reference_length"),
    "rouge": (*ROUGE, "rouge_segments"),
    "exact": (*EXACT, "exact_segments"),
    "sari": tuple(
        f"sari_{operation}_{kind}_{order}"
        for order in _N
        for operation in ("add", "keep", "delete")
        for kind in ("right", "system", "reference")
    ),
    "gleu": (
        *("gleu_system_length", "gleu_reference_length"),
        *_orders("gleu", ("matches",), _N),
        *_orders("gleu", ("ngrams",), _N),
    ),
    "meteor": ("meteor", "meteor_segments"),
}

# Of all metrics; a row has those of the metrics that are computed.
KINDS = tuple(kind for metric in METRICS for kind in _OF_METRIC[metric])


def offered(metrics: Iterable[str]) -> list[str]:
    """Return the scores that these metrics give, in their order."""
    chosen = set(metrics)
    return [score for metric in METRICS if metric in chosen for score in SCORES[metric]]


def width(metric: str) -> int:
    """Return how many columns a metric has.

    >>> [width(metric) for metric in METRICS]
    [10, 18, 24, 2, 5, 3, 36, 10, 2]
    """
    return len(_OF_METRIC[metric])


def divided(counts: Array, options: Options) -> dict[str, Array]:
    """Divide the columns (..., kinds) by metrics that are computed: {metric: (..., its own)}."""
    by_metric, start = {}, 0
    for metric in options["metrics"]:
        by_metric[metric] = counts[..., start : start + width(metric)]
        start += width(metric)
    return by_metric
