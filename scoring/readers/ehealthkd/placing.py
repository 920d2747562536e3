"""Phrases put into their sentences, and relations onto their phrases."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from scoring.errors import Problem
from scoring.readers.ehealthkd.columns import Integers, Phrases, Relations
from scoring.readers.ehealthkd.parsing import RawPhrases, RawRelations
from scoring.readers.ehealthkd.sentences import Sentences

PHRASE_LABELS = ("Concept", "Action", "Predicate", "Reference")
RELATION_LABELS = (
    "is-a",
    "same-as",
    "has-property",
    "part-of",
    "causes",
    "entails",
    "in-time",
    "in-place",
    "in-context",
    "subject",
    "target",
    "domain",
    "arg",
)
WARNED = 20


def place_phrases(raw: RawPhrases, sentences: Sentences, file: str) -> tuple[Phrases, list[Problem]]:
    """Phrases with local spans, and the problems of those that begin behind the text.

    The start of the span listed first decides on the sentence; on a newline, it belongs to the next one.
    """
    begin = raw.starts[raw.first[:-1]]
    sentence = np.searchsorted(sentences.ends, begin, side="right")
    beyond = np.flatnonzero(sentence == len(sentences.texts))
    if len(beyond):
        length = int(sentences.ends[-1]) if sentences.texts else 0
        message = "START {} lies past the end of the text, which has {} characters."
        return _NO_PHRASES, [Problem(message.format(begin[k], length), file, int(raw.lines[k])) for k in beyond]
    shift = np.repeat(sentences.starts[sentence], np.diff(raw.first))
    starts, ends = raw.starts - shift, raw.ends - shift
    _sort_spans(raw.first, sentence, starts, ends)
    return Phrases(raw.ids, raw.labels, raw.label, sentence, raw.first, starts, ends), []


def odd_phrases(phrases: Phrases, sentences: Sentences, file: str) -> list[Problem]:
    """What is accepted, and yet hardly meant: odd spans, and labels outside the official set."""
    owner = np.repeat(np.arange(len(phrases)), np.diff(phrases.first))
    length = sentences.lengths[phrases.sentence[owner]]
    return [
        *_at_lines("END lies past the sentence", owner[phrases.ends > length], file),
        *_at_lines("START lies before the sentence", owner[phrases.starts < 0], file),
        *_at_lines("a span is empty or reversed", owner[phrases.ends <= phrases.starts], file),
        *_odd_labels(phrases.labels, phrases.label, PHRASE_LABELS, file),
    ]


def repetitions(raw: RawPhrases, file: str) -> list[Problem]:
    """The phrases whose ID an earlier line has used."""
    if (raw.ids[1:] > raw.ids[:-1]).all():
        return []
    _, first = np.unique(raw.ids, return_index=True)
    repeated = np.ones(len(raw.ids), dtype=bool)
    repeated[first] = False
    return [
        Problem(f"ID {raw.ids[k]} is used twice: give each phrase its own.", file, int(raw.lines[k]))
        for k in np.flatnonzero(repeated)
    ]


def resolve_relations(raw: RawRelations, phrases: Phrases, file: str) -> tuple[Relations, list[Problem]]:
    """The relations inside one sentence, and the problems of IDs that no phrase has.

    An ID stands in the sentence of the last phrase that uses it, and there for the first that does.
    """
    known = _Lookup(phrases)
    source, has_source = known.find(raw.source)
    target, has_target = known.find(raw.target)
    if not (has_source.all() and has_target.all()):
        return _NO_RELATIONS, list(_unknown(raw, has_source, has_target, file))
    inside = np.flatnonzero(phrases.sentence[source] == phrases.sentence[target])
    label, source, target = raw.label[inside], source[inside], target[inside]
    is_new = _is_new(label, source * len(phrases) + target)
    return Relations(raw.labels, label, source, target, inside, is_new), []


def odd_relations(raw: RawRelations, relations: Relations, file: str) -> list[Problem]:
    """What is accepted, and yet does not count or is hardly meant."""
    outside = np.setdiff1d(np.arange(len(raw.lines)), relations.line, assume_unique=True)
    found = [
        *_at_lines("the relation joins two sentences and is left out", outside, file),
        *_odd_labels(raw.labels, raw.label, RELATION_LABELS, file),
    ]
    n_repeated = len(relations) - int(np.count_nonzero(relations.is_new))
    if n_repeated:
        found.append(Problem(f"relations that repeat another one and do not count: {n_repeated}", file))
    return found


def at_most(problems: list[Problem], number: int, file: str) -> list[Problem]:
    """The first of them, and how many more there are."""
    if len(problems) <= number:
        return problems
    return [*problems[:number], Problem(f"and {len(problems) - number} more", file)]


def _is_new(label: Integers, pair: Integers) -> NDArray[np.bool_]:
    """False where label and pair of phrases have come before."""
    is_new = np.zeros(len(pair), dtype=bool)
    if len(pair):
        n_labels = int(label.max()) + 1
        if int(pair.max()) >= 2**62 // n_labels:
            _, pair = np.unique(pair, return_inverse=True)
        _, first = np.unique(pair * n_labels + label, return_index=True)
        is_new[first] = True
    return is_new


class _Lookup:
    """From IDs to indices of phrases."""

    def __init__(self, phrases: Phrases) -> None:
        order = np.argsort(phrases.ids, kind="stable")
        self._ids = phrases.ids[order]
        self._last = order
        if len(order) and (self._ids[1:] == self._ids[:-1]).any():
            self._last = _first_with(phrases)[order]

    def find(self, ids: NDArray[np.generic]) -> tuple[Integers, NDArray[np.bool_]]:
        """The phrase of each ID, and whether there is one."""
        if not len(self._ids):
            return np.zeros(len(ids), dtype=np.int64), np.zeros(len(ids), dtype=bool)
        place = np.searchsorted(self._ids, ids, side="right") - 1
        found = (place >= 0) & (self._ids[place] == ids)
        return self._last[place], found.astype(bool)


def _first_with(phrases: Phrases) -> Integers:
    """For each phrase the first one of its sentence that has its ID."""
    first: dict[tuple[int, int], int] = {}
    keys = zip(phrases.sentence.tolist(), phrases.ids.tolist(), strict=True)
    return np.array([first.setdefault(key, k) for k, key in enumerate(keys)], dtype=np.int64)


def _sort_spans(first: Integers, sentence: Integers, starts: Integers, ends: Integers) -> None:
    """Spans by start, in place; in the first sentence of a file they keep the order listed."""
    falls = np.flatnonzero(starts[1:] < starts[:-1]) + 1
    owner = np.searchsorted(first, falls, side="right") - 1
    inside = first[owner] != falls
    for k in np.unique(owner[inside]):
        if sentence[k] > 0:
            own = slice(first[k], first[k + 1])
            order = np.argsort(starts[own], kind="stable")
            starts[own], ends[own] = starts[own][order], ends[own][order]


def _unknown(
    raw: RawRelations, has_source: NDArray[np.bool_], has_target: NDArray[np.bool_], file: str
) -> Iterator[Problem]:
    for k in np.flatnonzero(~(has_source & has_target)):
        for ids, found, end in ((raw.source, has_source, "source"), (raw.target, has_target, "target")):
            if not found[k]:
                yield Problem(f"There is no phrase with the {end} ID {ids[k]}.", file, int(raw.lines[k]))


def _at_lines(message: str, indices: Integers, file: str) -> list[Problem]:
    """One warning a line."""
    return at_most([Problem(message, file, int(k) + 1) for k in np.unique(indices)], WARNED, file)


def _odd_labels(labels: list[str], label: Integers, official: tuple[str, ...], file: str) -> list[Problem]:
    odd = [code for code, name in enumerate(labels) if name not in official]
    found = [
        Problem(
            f"the label {labels[code][:_SHOWN]!r} is none of the official ones",
            file,
            int(np.argmax(label == code)) + 1,
        )
        for code in odd[:WARNED]
    ]
    return found + ([Problem(f"and {len(odd) - WARNED} more labels", file)] if odd[WARNED:] else [])


_SHOWN = 40
_NONE = np.zeros(0, dtype=np.int64)
_NO_PHRASES = Phrases(_NONE, [], _NONE, _NONE, np.zeros(1, dtype=np.int64), _NONE, _NONE)
_NO_RELATIONS = Relations([], _NONE, _NONE, _NONE, _NONE, _NONE.astype(bool))
