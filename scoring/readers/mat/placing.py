"""Annotations as read become spans and tokens: what counts is chosen, and every place is checked."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.errors import Problem
from scoring.readers.mat.checks import Texts, label_problems, misplaced, overlap_problems, place_problems
from scoring.readers.mat.collecting import Collected
from scoring.readers.mat.columns import Integers, Spans, Tokens
from scoring.readers.mat.offsets import is_longer_in_utf16, to_code_points
from scoring.readers.mat.types import Types


@dataclass(frozen=True)
class Placed:
    spans: Spans
    labels: list[str]
    tokens: Tokens
    n_ignored: int
    problems: list[Problem]


def place(
    collected: Collected,
    types: Types,
    texts: Texts,
    *,
    in_utf16: bool,
    with_tokens: bool,
    known_labels: Sequence[str] = (),
) -> Placed:
    """What counts of it; labels begin with those known, new ones follow in code-point order.

    Where there are problems, the columns hold what has them.
    """
    is_content, is_token = _of_types(collected, types)
    is_ignored = ~is_content & ~is_token
    if not with_tokens:
        is_token = np.zeros_like(is_token)
    start, end = _in_code_points(collected, texts) if in_utf16 else (collected.start, collected.end)
    wrong = misplaced(collected, start, end, texts.lengths)
    problems = place_problems(collected, wrong, is_content | is_token, texts)
    labels, code = _labels(collected, is_content, known_labels)
    spans = Spans(collected.document[is_content], code, start[is_content], end[is_content])
    is_token &= ~(wrong.empty | wrong.outside)
    tokens = _sorted(Tokens(collected.document[is_token], start[is_token], end[is_token]))
    problems += overlap_problems(tokens, texts) + label_problems(labels, spans.document, spans.label, texts)
    return Placed(spans, labels, tokens, int(is_ignored.sum()), problems)


def _of_types(collected: Collected, types: Types) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """For each annotation whether its type is content, and whether it is a token's."""
    content = np.array([types.is_content(name) for name in collected.types], dtype=np.bool_)
    token = np.array([types.is_token(name) for name in collected.types], dtype=np.bool_)
    return content[collected.type], token[collected.type]


def _in_code_points(collected: Collected, texts: Texts) -> tuple[Integers, Integers]:
    start, end = collected.start.copy(), collected.end.copy()
    first = np.searchsorted(collected.document, np.arange(len(texts.names) + 1)).tolist()
    for number, text in enumerate(texts.signals):
        if text is not None and is_longer_in_utf16(text):
            own = slice(first[number], first[number + 1])
            start[own], end[own] = to_code_points(text, start[own]), to_code_points(text, end[own])
    return start, end


def _labels(collected: Collected, is_content: NDArray[np.bool_], known: Sequence[str]) -> tuple[list[str], Integers]:
    """The labels of content annotations, and the code of each annotation's label among them."""
    old = collected.label[is_content]
    used = np.flatnonzero(np.bincount(old, minlength=len(collected.labels))).tolist()
    labels = [*known, *sorted({collected.labels[code] for code in used}.difference(known))]
    codes = {label: code for code, label in enumerate(labels)}
    new = np.array([codes.get(label, -1) for label in collected.labels], dtype=np.int64)
    return labels, new[old]


def _sorted(tokens: Tokens) -> Tokens:
    """By document, then start; most files are written so."""
    if np.all((np.diff(tokens.document) > 0) | (np.diff(tokens.start) >= 0)):
        return tokens
    order = np.lexsort((tokens.end, tokens.start, tokens.document))
    return Tokens(tokens.document[order], tokens.start[order], tokens.end[order])
