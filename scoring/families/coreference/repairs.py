"""Tells what the CoNLL average would be if nothing were lost, nothing were invented, or one measure were perfect.

Mentions have no labels, and which error costs how much cannot be told from counts: one missing mention changes the
three measures by amounts that depend on its entity. What sums can tell is on which side the points are.
"""

import numpy as np

from scoring.columns import Array, Floats
from scoring.families.coreference.scorch import CONLL
from scoring.family import Options
from scoring.messages import Message
from scoring.prf import harmonic_mean
from scoring.repairs import KINDS_OF_MISTAKE, MEASURES, Mended, Repair, Totals, ordered, repairs_of

_TITLES = Message.words({"muc": "MUC", "b_cubed": "B³", "ceaf_e": "CEAF, entities"})
# The kinds of error, from the table of that name, that lower recall, and those that lower precision.
_LOST = ("missing_entity", "missing_mention", "divided_entity")
_INVENTED = ("extra_entity", "extra_mention", "conflated_entities")


def repairs(totals: Totals, options: Options) -> list[Repair]:
    """Return the gain of complete recall, of complete precision, and of each of the three measures perfect.

    The first two need measures that are made of summed counts: where documents are averaged (protocols `scorch` and
    `scorch-functions`) F1 is an average of its own and does not follow from recall and precision.
    """
    if totals.score is None:
        return []
    is_told = all(f"{measure}_{part}" in totals.scores for measure in CONLL for part in ("precision", "recall"))
    sides = _sides(totals) if is_told and options["protocol"] == "reference" else []
    return ordered([*sides, *_measures(totals, totals.score)])


def _sides(totals: Totals) -> list[Repair]:
    # Precision and recall of the three measures, one behind the other: (6,).
    precision, recall = (
        np.array([totals.scores[f"{measure}_{part}"] for measure in CONLL], dtype=np.float64)
        for part in ("precision", "recall")
    )
    full = np.ones(len(CONLL))
    lost = Mended(
        KINDS_OF_MISTAKE,
        Message.word("Nothing missing or divided: recall complete"),
        _mentions(totals, _LOST),
        np.concatenate([precision, full]),
    )
    invented = Mended(
        KINDS_OF_MISTAKE,
        Message.word("Nothing extra or run together: precision complete"),
        _mentions(totals, _INVENTED),
        np.concatenate([full, recall]),
    )
    return repairs_of(totals.score, [lost, invented], _average)


def _average(parts: Array) -> Floats:
    """Compute the CoNLL average (...) from precision and recall of its three measures (..., 6)."""
    precision, recall = parts[..., : len(CONLL)], parts[..., len(CONLL) :]
    return np.asarray(harmonic_mean(precision, recall).mean(axis=-1))


def _mentions(totals: Totals, kinds: tuple[str, ...]) -> int | None:
    """Return how many mentions stand in errors of these kinds."""
    sizes = {row["error"]: row["mentions"] for row in totals.tables.get("errors", ())}
    return sum(sizes.get(kind, 0) for kind in kinds) if sizes else None


def _measures(totals: Totals, now: float) -> list[Repair]:
    measures = [measure for measure in CONLL if f"{measure}_f1" in totals.scores]
    gains = {measure: (1 - (totals.scores[f"{measure}_f1"] or 0.0)) / len(CONLL) for measure in measures}
    return [Repair(MEASURES, _TITLES[measure], None, now + gain, gain) for measure, gain in gains.items()]
