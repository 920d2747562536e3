"""Tokenization, and what is said of single tokens: tags, parts of speech, lemmas, morphology."""

from functools import partial

import numpy as np

from scoring.families.spacy.parts import Part, Sides, character_spans, tokens_of
from scoring.families.spacy.prf_counts import (
    Outcomes,
    Scores,
    codes_alike,
    compare_sets,
    per_document,
    prf,
    totals_of,
    type_metrics,
)
from scoring.families.spacy.score_config import Item
from scoring.family import Array
from scoring.prf import ratio
from scoring.readers.spacy.documents import EMPTY_MORPH
from scoring.readers.spacy.documents.columns import Flags, Integers, ranges

_INFLATED = 0.2


def tokenization(sides: Sides, item: Item) -> Part:
    """Right and wrong of token_acc, then tp, fp and fn of the tokens' characters, where the gold knows its spaces."""
    gold, system = sides.gold, sides.system
    proper = ~system.blank & gold.knows_spaces[system.document]
    right = proper & (sides.alignment.single >= 0)
    accuracy = np.stack([per_document(right, system.first), per_document(proper & ~right, system.first)], axis=1)
    spans = np.zeros((len(sides), 3), dtype=np.int64)
    same = gold.knows_spaces & _same_texts(sides)
    spans[same, 0] = per_document(~gold.blank, gold.first)[same]
    other = np.flatnonzero(gold.knows_spaces & ~same)
    if len(other):
        spans += _compared_spans(sides, other)
    totals = totals_of("token", spans)
    totals |= {"token_acc_tp": int(accuracy[:, 0].sum()), "token_acc_fp": int(accuracy[:, 1].sum())}
    rows = np.hstack([accuracy, spans])
    return Part(rows, totals, warnings=_tokenization_warnings(rows))


def tokenization_scores(counts: Array, item: Item) -> Scores:
    right, wrong = counts[..., 0], counts[..., 1]
    nothing = right + wrong == 0
    scores = {"token_acc": ratio(right, right + wrong), **prf("token", counts[..., 2:], none_if_empty=False)}
    return {name: np.where(nothing, np.nan, values) for name, values in scores.items()}


def token_attr(sides: Sides, item: Item) -> Part:
    """tp, fp and fn of the pairs of a gold token and its value."""
    attr = item["attr"]
    gold, system = getattr(sides.gold, attr), getattr(sides.system, attr)
    has = gold != 0
    hedged = np.empty(0, dtype=np.int64)
    if sides.are_identical:
        answered = has & ~sides.gold.blank
        right = answered & (gold == system)
        first = sides.gold.first
        marks: tuple[Flags, Flags, Flags] = right, answered & ~right, has & ~right
        rows = np.stack([per_document(marked, first) for marked in marks], axis=1)
    else:
        token, value = _answers(sides, has, system)
        hedged = np.unique(token[1:][token[1:] == token[:-1]])
        rows = _pair_rows(sides, token, value == gold[token], has)
    return Part(rows, totals_of(attr, rows), warnings=_blank_warning(sides, has, attr), hedged=hedged)


def token_attr_scores(counts: Array, item: Item) -> Scores:
    return {f"{item['attr']}_acc": prf("", counts)["_f"]}


def morph_per_feat(sides: Sides, item: Item) -> Part:
    """tp, fp and fn of the pairs of a gold token and one of its features."""
    features = _Features(sides)
    gold_token = np.flatnonzero(features.has[sides.gold.morph])
    usable = features.has[sides.gold.morph]
    token, value = _answers(sides, usable, sides.system.morph)
    answered = features.has[value]
    gold_at, gold_feature = features.of(gold_token, sides.gold.morph[gold_token])
    system_at, system_feature = features.of(token[answered], value[answered])
    keys = codes_alike((gold_at, gold_feature), (system_at, system_feature))
    right, wrong, missed = compare_sets(*keys)
    document = sides.gold.document
    outcomes = Outcomes(
        (document[system_at[right]], document[system_at[wrong]], document[gold_at[missed]]),
        tuple(features.field[found] for found in (system_feature[right], system_feature[wrong], gold_feature[missed])),  # type: ignore[arg-type]
        features.fields,
    )
    rows = outcomes.rows(len(sides))
    totals = totals_of("morph_micro", rows)
    tables = {"morph_per_feat": partial(outcomes.table, len(sides))} if any(totals.values()) else {}
    return Part(rows, totals, tables)


def morph_per_feat_scores(counts: Array, item: Item) -> Scores:
    return prf("morph_micro", counts)


class _Features:
    """The features of each morphological code: `has` any, and which; `field` gives each feature its field."""

    def __init__(self, sides: Sides) -> None:
        used = np.unique(np.concatenate([sides.gold.morph, sides.system.morph])).tolist()
        features: dict[str, int] = {}
        fields: dict[str, int] = {}
        size = max(used, default=0) + 1
        self._first, self._number = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
        flat: list[int] = []
        for code in used:
            text = sides.names[code]
            if text and text != EMPTY_MORPH:
                self._first[code] = len(flat)
                flat += [features.setdefault(feature, len(features)) for feature in text.split("|")]
                self._number[code] = len(flat) - self._first[code]
        self._flat = np.array(flat, dtype=np.int64)
        self.has = self._number > 0
        self.field = np.array(
            [fields.setdefault(feature.partition("=")[0], len(fields)) for feature in features], dtype=np.int64
        )
        self.fields = list(fields)

    def of(self, tokens: Integers, codes: Array) -> tuple[Integers, Integers]:
        """Each token as often as it has features, and these."""
        numbers = self._number[codes]
        return np.repeat(tokens, numbers), self._flat[ranges(self._first[codes], numbers)]


def _answers(sides: Sides, usable: Flags, values: Array) -> tuple[Integers, Array]:
    """The different pairs of a usable gold token and a system's value for it, sorted; white space does not answer."""
    single = sides.alignment.single
    answering = np.flatnonzero(~sides.system.blank & (single >= 0))
    answering = answering[usable[single[answering]]]
    width = int(values.max(initial=0)) + 1
    pairs = np.unique(single[answering] * width + values[answering])
    return pairs // width, pairs % width


def _pair_rows(sides: Sides, token: Integers, is_right: Flags, has: Flags) -> Integers:
    document, n = sides.gold.document, len(sides)
    right = np.bincount(document[token[is_right]], minlength=n)
    wrong = np.bincount(document[token[~is_right]], minlength=n)
    return np.stack([right, wrong, per_document(has, sides.gold.first) - right], axis=1)


def _same_texts(sides: Sides) -> Flags:
    """Documents with equal tokens and equal spaces."""
    alike = np.flatnonzero(sides.alignment.identical)
    same = np.zeros(len(sides), dtype=bool)
    same[alike] = True
    gold, system = tokens_of(sides.gold, alike), tokens_of(sides.system, alike)
    same[sides.gold.document[gold[sides.gold.space[gold] != sides.system.space[system]]]] = False
    return same


def _compared_spans(sides: Sides, documents: Integers) -> Integers:
    columns = []
    for side in (sides.gold, sides.system):
        tokens = tokens_of(side, documents)
        start, end = character_spans(side, documents)
        proper = ~side.blank[tokens]
        columns.append((side.document[tokens][proper], start[proper], end[proper]))
    right, wrong, missed = compare_sets(*codes_alike(*columns))
    gold, system = columns[0][0], columns[1][0]
    found = (system[right], system[wrong], gold[missed])
    return np.stack([np.bincount(document, minlength=len(sides)) for document in found], axis=1)


def _tokenization_warnings(rows: Array) -> list[str]:
    right, wrong, *counts = rows.sum(axis=0)
    accuracy, f = ratio(right, right + wrong), type_metrics(np.array(counts))["f"]
    if accuracy - f <= _INFLATED:
        return []
    return [f"token_acc is {accuracy:.3f}, but token_f {f:.3f}: splitting tokens never lowers token_acc"]


def _blank_warning(sides: Sides, has: Flags, attr: str) -> list[str]:
    number = int((has & sides.gold.blank).sum())
    if not number:
        return []
    return [f"gold: {number} tokens of white space have a value of {attr}, which nobody can reach"]
