"""Classification: a gold and a system that give labels to the same items."""

from scoring.readers.labels.gold import (
    Credits,
    Gold,
    Second,
    gold_columns,
    gold_label,
    hide_labels,
    is_list,
    read_gold,
)
from scoring.readers.labels.label_list import UNKNOWN, LabelList, folded, of_hierarchy
from scoring.readers.labels.sets import Sets, first_codes, labels_in
from scoring.readers.labels.shares import Shares, has_shares
from scoring.readers.labels.system import System, as_written, read_system, system_columns

__all__ = [
    "UNKNOWN",
    "gold_columns",
    "is_list",
    "system_columns",
    "Credits",
    "Gold",
    "LabelList",
    "Second",
    "Sets",
    "Shares",
    "System",
    "as_written",
    "first_codes",
    "folded",
    "gold_label",
    "has_shares",
    "hide_labels",
    "labels_in",
    "of_hierarchy",
    "read_gold",
    "read_system",
]
