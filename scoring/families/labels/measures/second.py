"""A second label of each row that counts where the first one is right, as the product where the hazard is right.

    gold     first second    system   first second      rows whose first label is right: 1 and 2
             a     x                  a     x           second_accuracy 1/2
             a     y                  a     x           second_macro_f1 of (x, y) and (x, x): (2/3 + 0) / 2
             b     x                  a     x

SemEval-2025 task 9 (Randl et al. 2025) ranks by the mean of both macro F1, `mean_macro_f1`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from scoring.columns import Flags
from scoring.families.labels.entries import Entries
from scoring.readers.labels import Second
from scoring.score import Score

SECOND_BLOCKS = ("second_gold", "second_system", "second_both")  # t, p and c of each second label
SECOND_SCORES = (
    Score("mean_macro_f1", "Mean of both macro F1"),
    Score("second_macro_f1", "Macro F1 of second labels"),
    Score("second_accuracy", "Accuracy of second labels"),
)


def second_keys(options: Mapping[str, Any]) -> list[str]:
    """Return the keys of the scores."""
    return [score.key for score in SECOND_SCORES] if options.get("second") else []


def n_second(gold: Second | None, system: Second | None) -> int:
    """Return how many second labels there are on both sides."""
    return 0 if gold is None or system is None else len(system.labels)


def count_second(entries: Entries, starts: Mapping[str, int], gold: Second, system: Second, correct: Flags) -> None:
    """Add t, p and c of second labels of the rows whose first one is right; `starts` are columns of the blocks."""
    place = np.array([system.labels.code(name) for name in gold.labels.names], dtype=np.int64)
    of_gold, of_system = place[gold.code], system.code
    is_listed = correct & (of_system < len(system.labels))
    chosen = (correct, is_listed, is_listed & (of_gold == of_system))
    for name, rows, code in zip(SECOND_BLOCKS, chosen, (of_gold, of_system, of_system), strict=True):
        items = np.flatnonzero(rows)
        entries.add(starts[name] + code[items], items)
