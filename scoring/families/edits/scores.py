"""The columns of a row of counts, and precision, recall and F made from sums of rows."""

from collections.abc import Mapping

import numpy as np

from scoring.columns import Array, Floats
from scoring.family import Options
from scoring.prf import f_beta, share
from scoring.scale import Scale

KINDS = ("tp", "fp", "fn")  # edits that both sides have, the run alone, the gold alone
TOTALS: Mapping[str, tuple[int, ...]] = {
    "gold_edits": (0, 2),
    "system_edits": (0, 1),
    "tp": (0,),
    "fp": (1,),
    "fn": (2,),
}


def metrics(counts: Array, options: Options) -> dict[str, Floats]:
    """Compute all scores (...) from sums of counts (..., kinds).

    As in ERRANT and the M2 scorer precision is 1 where nothing is edited, and recall where nothing is to be.

    >>> {name: round(float(value), 4) for name, value in metrics(np.array([2, 1, 2]), {"beta": 0.5}).items()}
    {'fbeta': 0.625, 'precision': 0.6667, 'recall': 0.5}
    """
    tp, fp, fn = np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0)
    precision, recall = share(tp, tp + fp), share(tp, tp + fn)
    return {"fbeta": f_beta(precision, recall, options["beta"]), "precision": precision, "recall": recall}


def scales(options: Options) -> dict[str, Scale]:
    """Return that the M2 scorer may not find all edits of a text in which all are made.

    An edit that keeps more than two tokens is on none of its ways.
    """
    return dict.fromkeys(("fbeta", "precision", "recall"), Scale(depends_on_gold=True)) if _aligns(options) else {}


def _aligns(options: Options) -> bool:
    return options.get("protocol") == "m2scorer"  # results of before this option have none
