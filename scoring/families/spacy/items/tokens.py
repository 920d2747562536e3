"""Items `tokenization`, `token_attr` and `morph_per_feat`: the tokens, and what is said of single ones.

The tokens themselves are compared by their characters. A value of a token (its tag, its lemma) is an answer for a gold
token if the system's token lies on that gold token alone and is not white space; equal answers for one gold token
count once. For example, if the gold has "cannot" MD and the system "can" MD and "not" RB, both lie on the one gold
token: MD is a tp and RB an fp. With gold "can" MD, "not" RB and a system "cannot" MD there is no answer, and two fn.
"""

from functools import partial

import numpy as np

from scoring.columns import Array, Flags, Integers, coded, coded_together, ranges, sums_by_cell
from scoring.families.f_beta import beta_of
from scoring.families.spacy.items.item_counts import ItemCounts
from scoring.families.spacy.items.prf_counts import (
    Outcomes,
    Scores,
    compare_sets,
    per_document,
    prf,
    totals_of,
    type_metrics,
)
from scoring.families.spacy.score_config import Item
from scoring.families.spacy.sides import Sides, character_spans, says_nothing, tokens_of
from scoring.family import about_gold
from scoring.messages import Message
from scoring.prf import ratio
from scoring.readers.spacy.documents import EMPTY_MORPH

# From this lead of token_acc over token_f on, a warning says that splitting tokens flatters a system.
_INFLATED = 0.2


def tokenization(sides: Sides, item: Item) -> ItemCounts:
    """Count right and wrong of token_acc, then tp, fp and fn of the tokens' characters.

    The latter where the gold knows its spaces.
    """
    gold, system = sides.gold, sides.system
    # spaCy cannot tell characters without spaces; it leaves such documents out. White space is no proper token.
    proper = ~system.blank & gold.knows_spaces[system.document]
    # token_acc is 1 - fp / (tp + fp), where tp is any system token inside one gold token.
    right = proper & (sides.alignment.single >= 0)
    accuracy = np.stack([per_document(right, system.first), per_document(proper & ~right, system.first)], axis=1)
    spans = np.zeros((len(sides), 3), dtype=np.int64)
    # Where tokens and spaces are equal, all proper tokens are tp; the others are compared by their characters.
    same = gold.knows_spaces & _same_texts(sides)
    spans[same, 0] = per_document(~gold.blank, gold.first)[same]
    other = np.flatnonzero(gold.knows_spaces & ~same)
    if len(other):
        spans += _compared_spans(sides, other)
    totals = totals_of("token", spans)
    totals |= {"token_acc_tp": int(accuracy[:, 0].sum()), "token_acc_fp": int(accuracy[:, 1].sum())}
    rows = np.hstack([accuracy, spans])
    return ItemCounts(rows, totals, warnings=_tokenization_warnings(rows))


def tokenization_scores(counts: Array, item: Item) -> Scores:
    right, wrong = counts[..., 0], counts[..., 1]
    # spaCy decides by token_acc whether there are scores at all.
    is_empty = right + wrong == 0
    of_tokens = prf("token", counts[..., 2:], beta_of(item), none_if_empty=False)
    scores = {"token_acc": ratio(right, right + wrong), **of_tokens}
    return {name: np.where(is_empty, np.nan, values) for name, values in scores.items()}


def token_attr(sides: Sides, item: Item) -> ItemCounts:
    """Count tp, fp and fn of the pairs of a gold token and its value."""
    attr = item["attr"]
    gold, system = getattr(sides.gold, attr), getattr(sides.system, attr)
    # Gold tokens without a value are not asked for.
    is_asked = ~says_nothing(sides, item)[gold]
    hedged = np.empty(0, dtype=np.int64)
    if sides.are_identical:
        # Each system token answers for the gold token of its own index.
        is_answered = is_asked & ~sides.gold.blank
        right = is_answered & (gold == system)
        flags: tuple[Flags, Flags, Flags] = right, is_answered & ~right, is_asked & ~right
        rows = np.stack([per_document(one, sides.gold.first) for one in flags], axis=1)
    else:
        token, value = _answers(sides, is_asked, system)
        # Sorted by gold token: those that stand twice have two different answers.
        hedged = np.unique(token[1:][token[1:] == token[:-1]])
        rows = _answer_rows(sides, token, value == gold[token], is_asked)
    return ItemCounts(rows, totals_of(attr, rows), warnings=_blank_warning(sides, is_asked, attr), hedged=hedged)


def token_attr_scores(counts: Array, item: Item) -> Scores:
    # It is called an accuracy, and is the F of the pairs.
    return {f"{item['attr']}_acc": prf("", counts)["_f"]}


def morph_per_feat(sides: Sides, item: Item) -> ItemCounts:
    """Count tp, fp and fn of the pairs of a gold token and one of its features, such as Number=Sing."""
    features = _Features(sides, says_nothing(sides, item))
    # Gold tokens without features, also those annotated as having none, are not asked for: there nothing is wrong.
    is_asked = features.has_any[sides.gold.morph]
    gold_token = np.flatnonzero(is_asked)
    token, value = _answers(sides, is_asked, sides.system.morph)
    # A system token without features says nothing, rather than something wrong.
    is_answer = features.has_any[value]
    # One entry for each feature of a token: the gold token and the feature.
    gold_of, gold_feature = features.of(gold_token, sides.gold.morph[gold_token])
    system_of, system_feature = features.of(token[is_answer], value[is_answer])
    right, wrong, missed = compare_sets(*coded_together((gold_of, gold_feature), (system_of, system_feature)))
    document, field = sides.gold.document, features.field
    outcomes = Outcomes(
        (document[system_of[right]], document[system_of[wrong]], document[gold_of[missed]]),
        (field[system_feature[right]], field[system_feature[wrong]], field[gold_feature[missed]]),
        features.fields,
        beta=beta_of(item),
    )
    rows = outcomes.rows(len(sides))
    totals = totals_of("morph_micro", rows)
    tables = {"morph_per_feat": partial(outcomes.table, len(sides))} if any(totals.values()) else {}
    return ItemCounts(rows, totals, tables, invented=outcomes.invented_names if tables else list)


def morph_per_feat_scores(counts: Array, item: Item) -> Scores:
    return prf("morph_micro", counts, beta_of(item))


class _Features:
    """The features of each morphological value of both sides, looked up by the value's code.

    `has_any` (codes,) tells whether a value has features. Features are numbered, and so are their fields, the part
    before "=": `field` (features,) gives the field of each, `fields` its name.
    """

    def __init__(self, sides: Sides, says_nothing: Flags) -> None:
        used = np.unique(np.concatenate([sides.gold.morph, sides.system.morph])).tolist()
        features: dict[str, int] = {}
        fields: dict[str, int] = {}
        n_codes = max(used, default=0) + 1
        # The features of a code are `_flat[_start[code] : _start[code] + _size[code]]`.
        self._start, self._size = np.zeros(n_codes, dtype=np.int64), np.zeros(n_codes, dtype=np.int64)
        flat: list[int] = []
        for code in used:
            text = sides.names[code]
            if text != EMPTY_MORPH and not says_nothing[code]:
                self._start[code] = len(flat)
                flat += [features.setdefault(feature, len(features)) for feature in text.split("|")]
                self._size[code] = len(flat) - self._start[code]
        self._flat = np.array(flat, dtype=np.int64)
        self.has_any = self._size > 0
        self.field = np.array(
            [fields.setdefault(feature.partition("=")[0], len(fields)) for feature in features], dtype=np.int64
        )
        self.fields = list(fields)

    def of(self, tokens: Integers, codes: Array) -> tuple[Integers, Integers]:
        """Return each token (n,) as often as its value has features, and these features."""
        sizes = self._size[codes]
        return np.repeat(tokens, sizes), self._flat[ranges(self._start[codes], sizes)]


def _answers(sides: Sides, is_asked: Flags, values: Array) -> tuple[Integers, Array]:
    """Return the different pairs of a gold token that is asked for and a system's value for it, by gold token.

    `values` (system tokens,) may hold 0 for no value. That is an answer too, and a wrong one.
    """
    single = sides.alignment.single
    answering = np.flatnonzero(~sides.system.blank & (single >= 0))
    answering = answering[is_asked[single[answering]]]
    rows = np.unique(coded(single[answering], values[answering]), return_index=True)[1]
    return single[answering[rows]], values[answering[rows]]


def _answer_rows(sides: Sides, token: Integers, is_right: Flags, is_asked: Flags) -> Integers:
    """Count different answers for gold tokens: (documents, 3).

    What is asked for and not answered rightly is fn.
    """
    document, n = sides.gold.document, len(sides)
    right = np.bincount(document[token[is_right]], minlength=n)
    wrong = np.bincount(document[token[~is_right]], minlength=n)
    return np.stack([right, wrong, per_document(is_asked, sides.gold.first) - right], axis=1)


def _same_texts(sides: Sides) -> Flags:
    """Return whether each document has equal tokens and equal spaces on both sides."""
    identical = np.flatnonzero(sides.alignment.identical)
    same = np.zeros(len(sides), dtype=bool)
    same[identical] = True
    gold, system = tokens_of(sides.gold, identical), tokens_of(sides.system, identical)
    same[sides.gold.document[gold[sides.gold.space[gold] != sides.system.space[system]]]] = False
    return same


def _compared_spans(sides: Sides, documents: Integers) -> Integers:
    """Compare the proper tokens of some documents by their characters: tp, fp and fn (all documents, 3).

    Each side counts characters in its own text, so that one blank more puts all later tokens of a document in the
    wrong. spaCy does so too.
    """
    columns = []
    for side in (sides.gold, sides.system):
        tokens = tokens_of(side, documents)
        start, end = character_spans(side, documents)
        proper = ~side.blank[tokens]
        columns.append((side.document[tokens][proper], start[proper], end[proper]))
    right, wrong, missed = compare_sets(*coded_together(*columns))
    gold, system = columns[0][0], columns[1][0]
    return np.stack(
        [sums_by_cell((len(sides),), document) for document in (system[right], system[wrong], gold[missed])], axis=1
    )


def _tokenization_warnings(rows: Array) -> list[str]:
    right, wrong, *counts = rows.sum(axis=0)
    accuracy, f = ratio(right, right + wrong), type_metrics(np.array(counts))["f"]
    if accuracy - f <= _INFLATED:
        return []
    return [
        Message(
            "splitting-pays",
            "{acc} is {accuracy:.3f}, but {token_f} {f:.3f}: splitting tokens never lowers {acc}",
            acc="token_acc",
            accuracy=float(accuracy),
            token_f="token_f",
            f=float(f),
        )
    ]


def _blank_warning(sides: Sides, is_asked: Flags, attr: str) -> list[str]:
    number = int((is_asked & sides.gold.blank).sum())
    if not number:
        return []
    message = Message(
        "blank-tokens",
        "{n} tokens of white space have a value of {attr}, which nobody can reach",
        n=number,
        attr=attr,
    )
    return about_gold([message])
