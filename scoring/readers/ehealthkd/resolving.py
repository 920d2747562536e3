"""Tells what raw columns refer to: offsets resolved to sentences, and IDs of relations to phrases."""

from collections.abc import Iterator

import numpy as np

from scoring.columns import Flags, Integers, coded, is_first, starts_run
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.ehealthkd.columns import Ids, Phrases, RawPhrases, RawRelations, Relations
from scoring.readers.ehealthkd.sentences import Sentences


def resolve_phrases(raw: RawPhrases, sentences: Sentences, file: str) -> tuple[Phrases, list[Finding]]:
    """Return phrases with spans local to their sentences, and the problems of those that begin behind the text.

    If there are problems, there are no phrases.
    """
    # The start of the span listed first decides on the sentence, wherever the other spans lie. On a newline, it
    # belongs to the next sentence: side="right" counts the sentences that end there or before.
    start = raw.starts[raw.first[:-1]]
    sentence = np.searchsorted(sentences.ends, start, side="right")
    beyond = np.flatnonzero(sentence == len(sentences.texts))
    if len(beyond):
        length = int(sentences.ends[-1]) if sentences.texts else 0
        return _NO_PHRASES, [_beyond(int(start[k]), length, file, int(raw.lines[k])) for k in beyond]
    shift = np.repeat(sentences.starts[sentence], np.diff(raw.first))
    starts, ends = _sorted_spans(raw.first, sentence, raw.starts - shift, raw.ends - shift)
    return Phrases(raw.ids, raw.labels, raw.label, sentence, raw.first, starts, ends, raw.lines - 1), []


def _beyond(start: int, length: int, file: str, line: int) -> Finding:
    message = Message(
        "start-past-end",
        "START {start} lies past the end of the text, which has {length} characters.",
        start=start,
        length=length,
    )
    return Finding(message, file, line)


def repeated_ids(raw: RawPhrases, file: str) -> list[Finding]:
    """Return the problems of the phrases whose ID an earlier line has used."""
    # IDs mostly count upwards, and then none is repeated.
    if (raw.ids[1:] > raw.ids[:-1]).all():
        return []
    return [
        Finding(
            Message("id-used-twice-give", "ID {id} is used twice: give each phrase its own.", id=raw.ids[k]),
            file,
            int(raw.lines[k]),
        )
        for k in np.flatnonzero(~is_first(raw.ids))
    ]


def repeated_in_all(n: int, of: int, example: object) -> Message:
    """Say of how many phrases the ID is that of an earlier one."""
    return Message(
        "ids-repeat",
        "{n:,} of {of:,} phrases have an ID that an earlier one has, such as {id}, so that relations do not tell which"
        " one they join.",
        n=n,
        of=of,
        id=example,
    )


def number_through() -> Message:
    """Say how phrases that begin to count anew in each sentence are to be numbered."""
    return Message("number-through", "number the phrases through the whole file, and not anew in each sentence")


def resolve_relations(
    raw: RawRelations, phrases: Phrases, file: str, sign: str = ""
) -> tuple[Relations, list[Finding]]:
    """Return the relations inside one sentence, and the problems of IDs that no phrase has.

    If there are problems, there are no relations. Relations between two sentences are left out, as the challenge's
    program does; `odd_relations` warns of them. The file writes `sign` before an ID.
    """
    phrase_ids = _PhraseIds(phrases)
    source, has_source = phrase_ids.look_up(raw.source)
    target, has_target = phrase_ids.look_up(raw.target)
    if not (has_source.all() and has_target.all()):
        return _NO_RELATIONS, list(_unknown_ids(raw, has_source, has_target, file, sign))
    is_inside = phrases.sentence[source] == phrases.sentence[target]
    inside = np.flatnonzero(is_inside)
    label, source, target = raw.label[inside], source[inside], target[inside]
    is_new = is_first(coded(source, target, label))
    return Relations(raw.labels, label, source, target, raw.lines[inside] - 1, is_new, raw.lines[~is_inside] - 1), []


class _PhraseIds:
    """Turns IDs into indices of phrases.

    An ID may be used twice by a system. It then denotes the first phrase with it in the sentence of the *last* phrase
    with it: the challenge's program notes the sentence of each ID while it reads, so that the last line stays, and
    then looks for the ID in that sentence from the beginning.
    """

    def __init__(self, phrases: Phrases) -> None:
        # By ID, and of equal IDs by their lines.
        order = np.argsort(phrases.line, kind="stable")
        order = order[np.argsort(phrases.ids[order], kind="stable")]
        self._ids = phrases.ids[order]  # (phrases,) sorted
        self._phrase = order  # (phrases,) what each of these IDs denotes; of equal IDs the last entry counts
        if len(order) and (self._ids[1:] == self._ids[:-1]).any():
            self._phrase = _first_with_id(phrases)[order]

    def look_up(self, ids: Ids) -> tuple[Integers, Flags]:
        """Return the phrase that each ID (n,) denotes, and whether there is one; where not, the index means nothing."""
        if not len(self._ids):
            return np.zeros(len(ids), dtype=np.int64), np.zeros(len(ids), dtype=bool)
        # The last of equal IDs; -1 where all IDs are greater, which takes the last entry and compares unequal.
        rank = np.searchsorted(self._ids, ids, side="right") - 1
        exists = (rank >= 0) & (self._ids[rank] == ids)
        return self._phrase[rank], exists.astype(bool)


def _first_with_id(phrases: Phrases) -> Integers:
    """Return for each phrase the first one of its sentence that has its ID."""
    # By sorting and not by a dictionary: IDs may be chosen so that all of them meet in one place of it.
    key = coded(phrases.sentence, np.unique(phrases.ids, return_inverse=True)[1])
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    return np.asarray(first[group], dtype=np.int64)


def _sorted_spans(first: Integers, sentence: Integers, starts: Integers, ends: Integers) -> tuple[Integers, Integers]:
    """Sort the spans of each phrase by start, but not in the first sentence of the file: starts and ends.

    There the challenge's program leaves them as they are listed, and since it compares lists of spans, the order
    decides on whether two phrases are equal. Spans are `first`, `starts` and `ends` of `Phrases`.

    >>> first, starts, ends = np.array([0, 2, 4]), np.array([9, 4, 9, 4]), np.array([22, 8, 22, 8])
    >>> _sorted_spans(first, np.array([0, 1]), starts, ends)
    (array([9, 4, 4, 9]), array([22,  8,  8, 22]))
    """
    # Spans that start before the one listed in front of them, unless that belongs to another phrase: there are few.
    falls = np.flatnonzero(starts[1:] < starts[:-1]) + 1
    owner = np.searchsorted(first, falls, side="right") - 1
    inside = owner[first[owner] != falls]
    unsorted = inside[starts_run(inside)]
    order = np.arange(len(starts))
    for k in unsorted[sentence[unsorted] > 0]:
        of_phrase = slice(first[k], first[k + 1])
        order[of_phrase] = first[k] + np.argsort(starts[of_phrase], kind="stable")
    return starts[order], ends[order]


_SOURCE, _TARGET = Message.word("source"), Message.word("target")


def _unknown_ids(raw: RawRelations, has_source: Flags, has_target: Flags, file: str, sign: str) -> Iterator[Finding]:
    for k in np.flatnonzero(~(has_source & has_target)):
        for ids, exists, end in ((raw.source, has_source, _SOURCE), (raw.target, has_target, _TARGET)):
            if not exists[k]:
                yield Finding(
                    Message(
                        "there-no-phrase-id",
                        "There is no phrase with the {end} ID {sign}{id}.",
                        end=end,
                        sign=sign,
                        id=ids[k],
                    ),
                    file,
                    int(raw.lines[k]),
                )


_NONE = np.zeros(0, dtype=np.int64)
_NO_PHRASES = Phrases(_NONE, [], _NONE, _NONE, np.zeros(1, dtype=np.int64), _NONE, _NONE, _NONE)
_NO_RELATIONS = Relations([], _NONE, _NONE, _NONE, _NONE, _NONE.astype(bool), _NONE)
