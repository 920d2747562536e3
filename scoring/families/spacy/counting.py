"""A row of counts for each document, and all that is shown beside the scores.

How matching works. Gold and system may cut the same text into different tokens. So each token of the system is first
aligned with the gold tokens that it shares a character with, capitals and white space aside
(scoring/readers/spacy/documents/alignment.py). Everything that the system says is then carried over to gold tokens,
and compared there, by one module for each item of the option `scores`:

    item                      module         what is a true positive
    tokenization              tokens         a token at the same characters
    token_attr                tokens         a value of a gold token, from a system token that lies on it alone
    morph_per_feat            tokens         likewise, one feature of a gold token
    ner                       entities       an entity that reaches from the same first to the same last gold token
    spans                     spans          likewise, if the text is the same too
    deps                      dependencies   a head, and a head with its label, of a gold token
    cats                      categories     a category of a document
    links                     links          the entry of a knowledge base of an entity at the same characters
    nervaluate                nervaluate     an entity, forgiving its boundaries or its type
    seqeval, confusion        seqeval, confusion
    ud                        universal      what both treebanks say of the same words, which are aligned in another way

For example, a gold of three tokens and a system of four:

    gold     0 "New"    1 "York"   2 "'s"        entity 0..2 LOC
    system   0 "New"    1 "York"   2 "'"  3 "s"  entity 0..3 LOC

System tokens 0 and 1 lie on the gold tokens of the same number, 2 and 3 both on gold token 2. The system's entity
therefore becomes 0..3 on gold tokens: a false positive, and the gold's entity is a false negative. If the gold has
the tag POS for token 2 and the system has POS for its token 2 and NN for its token 3, then that is a true positive and
a false positive: spaCy lets a system answer as often as it has tokens there, and a warning says so.

True positives, false positives and false negatives are summed over documents, and scores are made of the sums. Each
document is one row of counts, in which the columns of all items stand one after the other.

The same in plain Python: tests/scoring/plain/spacy.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from scoring.columns import Array, Integers
from scoring.families.spacy.items.item_counts import ItemCounts, Weighted
from scoring.families.spacy.score_config import Item, with_beta
from scoring.families.spacy.scores import RULES
from scoring.families.spacy.sides import Sides
from scoring.family import Averages, Counted, Folded, Options, about_gold
from scoring.messages import Message
from scoring.readers.spacy.documents import Documents
from scoring.readers.spacy.sides import System


@dataclass(frozen=True)
class Matches:
    """Everything that the tables are made from."""

    sides: Sides
    items: list[ItemCounts]  # one for each item of the option `scores`, in its order
    gold_labels_only: bool = False  # whether tables have one row for all labels that the gold lacks


def count(gold: Documents, system: System, options: Options) -> Counted:
    sides = Sides(gold, system.documents, system.alignment, system.words)
    items: list[Item] = with_beta(options["scores"], options)
    counted = [RULES[item["name"]].count(sides, item) for item in items]
    totals: dict[str, int | float] = {}
    for one in counted:
        totals |= one.totals
    weighted = [one.weighted for one in counted if one.weighted is not None]
    return Counted(
        units=gold.ids,
        # The last column counts the document itself: items may have no counts at all.
        rows=np.hstack([*(one.rows for one in counted), np.ones((len(gold), 1), dtype=np.int64)]),
        totals=totals | {"documents": len(gold)},
        warnings=_warnings(sides, counted),
        matches=Matches(sides, counted),
        weighted=partial(_all_weighted, weighted) if weighted else None,
    )


def averages(matches: Matches, options: Options) -> list[Averages]:
    """Return what stands behind the means over labels of all items."""
    return [one for item in matches.items for one in item.averages()]


def fold_labels(matches: Matches) -> Folded:
    """Return the matches with one row of each table for all labels that the gold lacks there."""
    names = (name for one in matches.items for name in one.invented())
    return Folded(replace(matches, gold_labels_only=True), list(dict.fromkeys(names)))


def _all_weighted(functions: Sequence[Weighted], weights: Integers) -> Mapping[str, Array]:
    """Return the weighted scores of all items, from weights (m, documents)."""
    return {name: values for function in functions for name, values in function(weights).items()}


def _warnings(sides: Sides, counted: Sequence[ItemCounts]) -> list[str]:
    """Return the warnings of the readers and of the items, each once."""
    warnings = about_gold(sides.gold.warnings) + sides.system.warnings
    for one in counted:
        warnings += one.warnings
    # A gold token may be hedged in several items; it is one token of the text all the same.
    hedged = np.unique(np.concatenate([np.empty(0, dtype=np.int64), *(one.hedged for one in counted)]))
    if len(hedged):
        warnings.append(
            Message(
                "tokens-hedged",
                "{n} gold tokens hold several tokens of the system with different answers: one of them may be "
                'right and the others cost little; the option tokens "gold" refuses this',
                n=len(hedged),
            )
        )
    return list(dict.fromkeys(warnings))
