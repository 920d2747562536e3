"""One document by itself: everything that is wrong with it, or its regular form (document.py).

All that the format allows is taken, such as spans as objects; of everything else it is said what is wrong.

Functions that read a value return what they made of it and a list of problems in words. Only values without problems
are used.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from scoring.messages import Message
from scoring.readers.json_text import refuse_other_letters
from scoring.readers.spacy.documents.document import KEYS, LARGEST_INTEGER, Document, is_text_of
from scoring.readers.spacy.documents.trees import in_cycles

Row = list[Any]  # [start, end, label, kb_id]; end exclusive, in tokens or, where it is said, in characters

_TOKEN = Message.word("token")


def id_of(raw: Document) -> str | None:
    """Return the id as a text, which ids are compared as: 7 and "7" are the same. None if there is none."""
    value = raw.get("id")
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        return None
    return str(value)


def unknown_keys(raw: Document) -> list[str]:
    """Return problems of keys that mean nothing here: an unknown key is nearly always a misspelt one."""
    return [
        Message("unknown-key", "unknown key {key!r}{hint}", key=key, hint=_meant(key))
        for key in raw
        if key not in KEYS | _ALIAS_KEYS and not key.startswith("_")
    ]


def _meant(key: str) -> str:
    """Return which key an unknown one may be: one that it begins as, such as ents for entities."""
    near = next((name for name in sorted(KEYS) if key.lower().startswith(name[:3])), None)
    return Message("did-you-mean-name", "; did you mean {near!r}?", near=near) if near else ""


def regular_form(raw: Document) -> tuple[Document, list[str]]:
    """Return the document in its regular form (document.py), and what is wrong with it; `raw` has an "id"."""
    words, problems = _words(raw.get("words"))
    if problems:
        return {}, problems
    document: Document = {"id": str(raw["id"]), "words": words}
    for key in ("spaces", "tags", "pos", "lemmas", "morphs", "heads", "deps", "sent_starts"):
        values, more = _entries(key, raw.get(key), len(words))
        problems += more
        if values is not None:
            document[key] = values
    problems += _tree_problems(document, deps_alone=raw.get("deps") is not None and raw.get("heads") is None)
    for key, read in (("ents", _entities), ("ents_missing", _missing), ("spans", _groups), ("cats", categories)):
        if raw.get(key) is not None:
            document[key], more = read(raw[key], len(words))
            problems += [_IN_CHARACTERS] if more and key == "ents" and _are_characters(raw[key], document) else more
    problems += _touching(document) + _text_problems(raw.get("text"), document)
    return document, problems


_IN_CHARACTERS = Message(
    "spans-in-characters",
    '"ents" look counted in characters; beside "words" they count tokens: leave "words" and "spaces" out, or count'
    " tokens",
)


def _are_characters(value: Any, document: Document) -> bool:
    """Return whether all spans of a document with words begin and end with these where they count characters."""
    rows, problems = span_rows(value, '"ents"')
    words = document["words"]
    places = character_places(words, document.get("spaces") or [True] * len(words))
    starts, ends = {start for start, _ in places}, {end for _, end in places}
    return bool(rows) and not problems and all(row[0] in starts and row[1] in ends for row in rows)


def character_places(words: list[str], spaces: list[bool]) -> list[tuple[int, int]]:
    """Return the first character of each token and the one after its last."""
    offsets, start = [], 0
    for word, space in zip(words, spaces, strict=True):
        offsets.append((start, start + len(word)))
        start += len(word) + space
    return offsets


def span_rows(value: Any, name: str) -> tuple[list[Row], list[str]]:
    """Return the spans of a list as rows, in whatever unit they count.

    Whether they lie inside the text is not looked at.
    """
    if not isinstance(value, list):
        return [], [Message("must-list-spans", "{name} must be a list of spans", name=name)]
    rows: list[Row] = []
    problems: list[str] = []
    for entry in value:
        row = _row(entry)
        if row is None:
            problems.append(
                Message(
                    "must-list-start-end",
                    "{name} must be a list of [start, end, label], not {entry}",
                    name=name,
                    entry=_shown(entry),
                )
            )
        else:
            rows.append(row)
    return rows, problems


def categories(value: Any, n_words: int = 0) -> tuple[dict[str, float], list[str]]:
    """Return the values of categories. `n_words` says nothing about them; all readers of a key take it."""
    if not isinstance(value, dict):
        return {}, [Message("cats-must-object-labels", '"cats" must be an object of labels and numbers')]
    bad = [label for label, number in value.items() if not _is_finite(number)]
    return value, [
        Message("value-category-must-finite", "value of category {label!r} must be a finite number", label=label)
        for label in bad
    ]


def overlaps(rows: list[Row]) -> list[str]:
    """Return problems of entities that overlap another one, whatever unit they count in."""
    problems: list[str] = []
    end = -math.inf
    for row in sorted(rows, key=lambda row: row[:2]):
        if row[0] < end:
            problems.append(
                Message(
                    "entity-overlaps-another-entity",
                    "entity {row}..{row_2} overlaps another entity",
                    row=row[0],
                    row_2=row[1],
                )
            )
        end = max(end, row[1])
    return problems


def is_integer(value: object) -> bool:
    """Return whether it is an integer; booleans are none in JSON, as they are in Python."""
    return type(value) is int and abs(value) < LARGEST_INTEGER


# Keys that are allowed beside KEYS, because Doc.to_json() writes them. Without tokens of that form they say nothing.
_ALIAS_KEYS = {"tokens", "sents"}
# What spaCy's own `is_sent_start` may be, in place of 1, -1 and 0.
_SENT_STARTS = {True: 1, False: -1, None: 0}


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_text_or_null(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_sent_start(value: object) -> bool:
    return value is None or isinstance(value, bool) or (is_integer(value) and value in (-1, 0, 1))


def _is_finite(value: object) -> bool:
    return type(value) in (int, float) and abs(value) < LARGEST_INTEGER  # type: ignore[arg-type]


# Of each list with one entry per word: what an entry may be, as a test and in words.
_STRINGS = Message.word("strings")
_ENTRIES: dict[str, tuple[Callable[[object], bool], str]] = {
    "words": (_is_text, _STRINGS),
    "spaces": (_is_flag, Message("true-false", "true and false")),
    "tags": (_is_text_or_null, _STRINGS),
    "pos": (_is_text_or_null, _STRINGS),
    "lemmas": (_is_text_or_null, _STRINGS),
    "morphs": (_is_text_or_null, _STRINGS),
    "heads": (is_integer, Message.word("integers")),
    "deps": (_is_text, _STRINGS),
    "sent_starts": (_is_sent_start, Message.word("1, 0 and -1")),
}


def _words(value: Any) -> tuple[list[str], list[str]]:
    if value is None:
        return [], [Message("no-words", 'no "words"')]
    if not isinstance(value, list) or not all(map(_is_text, value)):
        return [], [Message("words-must-list-strings", '"words" must be a list of strings')]
    return value, [Message("word-empty", "word {i} is empty", i=i) for i, word in enumerate(value) if word == ""]


def _entries(key: str, value: Any, n_words: int) -> tuple[list[Any] | None, list[str]]:
    """Return the list of a key with one entry per word; None where it is null, absent or wrong."""
    if value is None:
        return None, []
    allows, entries = _ENTRIES[key]
    if not isinstance(value, list) or not all(map(allows, value)):
        return None, [Message("must-list", '"{key}" must be a list of {entries}', key=key, entries=entries)]
    if len(value) != n_words:
        return None, [
            Message(
                "entries-words", '"{key}" has {n} entries for {n_words} words', key=key, n=len(value), n_words=n_words
            )
        ]
    if key == "sent_starts":
        value = [start if type(start) is int else _SENT_STARTS[start] for start in value]
    return value, []


def _tree_problems(document: Document, *, deps_alone: bool) -> list[str]:
    """Return problems of heads: labels need them, and they lie inside the document and lead to a root.

    spaCy does not look for cycles.
    """
    if deps_alone:
        return [Message("deps-without-heads-say", '"deps" without "heads": say which token each label leads to')]
    if not document.get("heads"):
        return []
    heads = document["heads"]
    if counted := counted_otherwise(heads):
        return [counted]
    outside = [i for i, head in enumerate(heads) if not 0 <= head < len(heads)]
    if outside:
        return [
            Message("head-token-lies-outside", "head {head} of token {i} lies outside the document", head=heads[i], i=i)
            for i in outside
        ]
    # Where no head comes after its token there cannot be a cycle.
    if all(head <= token for token, head in enumerate(heads)):
        return []
    if not in_cycles(np.array(heads), np.array([0, len(heads)])).any():
        return []
    return [Message("heads-token-cycle", "heads: token {in_cycle} is in a cycle", in_cycle=_in_cycle(heads))]


def counted_otherwise(heads: list[int]) -> Message | None:
    """Return how the heads of a document are counted, where they are no trees as they are and are so in another way.

    >>> counted_otherwise([1, 1, 0]), counted_otherwise([-1, 0, 0])
    (None, '"heads": does -1 stand for none? Let a root be its own head')
    """
    if _are_trees(heads):
        return None
    ways = (
        ([place if head == -1 else head for place, head in enumerate(heads)], _MINUS_ONE),
        ([place if head == 0 else head - 1 for place, head in enumerate(heads)], _FROM_ONE),
        ([head - 1 for head in heads], _FROM_ONE),
        ([place + head for place, head in enumerate(heads)], _RELATIVE),
    )
    return next((words for other, words in ways if _are_trees(other)), None)


def _are_trees(heads: list[int]) -> bool:
    """Return whether all heads are tokens, and all ways up from them end at a root."""
    if not all(0 <= head < len(heads) for head in heads):
        return False
    return not in_cycles(np.array(heads), np.array([0, len(heads)])).any()


_MINUS_ONE = Message("heads-minus-one", '"heads": does -1 stand for none? Let a root be its own head')
_FROM_ONE = Message(
    "heads-from-one",
    '"heads" are no trees: are they counted from 1? Count tokens from 0, and let a root be its own head',
)
_RELATIVE = Message(
    "heads-relative",
    '"heads" are no trees: are they counted from each token? Name the token that is the head, from 0',
)


def _in_cycle(heads: list[int]) -> int:
    """Return the first token of the first cycle that the ways up from the tokens run into.

    >>> _in_cycle([0, 3, 1, 2])
    1
    """
    # The token from which the way up first came to each token.
    came_from: dict[int, int] = {}
    for start in range(len(heads)):
        token = start
        while token not in came_from:
            came_from[token] = start
            token = heads[token]
        # A way that meets itself has run into a cycle, unless it has ended at a root.
        if came_from[token] == start and heads[token] != token:
            break
    return min(_cycle(token, heads))


def _cycle(token: int, heads: list[int]) -> Iterator[int]:
    """Yield all tokens of the cycle that a token belongs to."""
    yield token
    other = heads[token]
    while other != token:
        yield other
        other = heads[other]


def _entities(value: Any, n_words: int) -> tuple[list[Row], list[str]]:
    """Return the named entities, which may not overlap."""
    rows, problems = _rows_inside(value, '"ents"', n_words)
    return rows, problems + overlaps(rows)


def _groups(value: Any, n_words: int) -> tuple[dict[str, list[Row]], list[str]]:
    """Return the spans of each group in the order of the file; they may overlap."""
    if not isinstance(value, dict):
        return {}, [Message("spans-must-object-keys", '"spans" must be an object of keys and lists of spans')]
    groups, problems = {}, []
    for key, spans in value.items():
        groups[key], more = _rows_inside(spans, Message("spans-group", '"spans", group {key!r},', key=key), n_words)
        problems += more
    return groups, problems


def _rows_inside(value: Any, name: str, n_words: int) -> tuple[list[Row], list[str]]:
    """Return the spans of a list, each inside a document of so many words and not empty."""
    rows, problems = span_rows(value, name)
    inside = [row for row in rows if 0 <= row[0] < row[1] <= n_words]
    return inside, problems + all_misplaced(rows, n_words, _TOKEN)


def all_misplaced(rows: list[Row], length: int, unit: str) -> list[str]:
    """Return what is wrong with spans that have nothing of a document of this length: lengths for ends are told once.

    >>> all_misplaced([(3, 2, "A"), (9, 4, "A"), (14, 3, "A")], 20, _TOKEN)
    ['spans such as 3..2 end before they begin: is the second number a length? Write start and end']
    """
    wrong = [row for row in rows if not 0 <= row[0] < row[1] <= length]
    turned = [row for row in wrong if row[1] < row[0]]
    lengths = [[row[0], row[0] + row[1], *row[2:]] for row in rows]
    are_lengths = all(0 <= start < end <= length for start, end, *_ in lengths) and not overlaps(lengths)
    if turned and are_lengths and (overlaps([[row[1], row[0], *row[2:]] for row in turned]) or len(turned) < len(rows)):
        return [have_lengths(turned[0][0], turned[0][1])]
    return [misplaced(start, end, length, unit) for start, end, *_ in wrong]


HAVE_LENGTHS, ARE_EXCHANGED = "spans-have-lengths", "span-exchanged"


def have_lengths(start: int, end: int) -> Message:
    return Message(
        "spans-have-lengths",
        "spans such as {start}..{end} end before they begin: is the second number a length? Write start and end",
        start=start,
        end=end,
    )


def misplaced(start: int, end: int, length: int, unit: str) -> str:
    """Return what is wrong with a span, in units from 0, that has nothing of a document of this length.

    >>> misplaced(11, 11, 21, Message.word("token"))
    'span 11..11 is empty: if your ends name the last token, add 1 to each'
    """
    if 0 <= start == end < length:
        return Message(
            "span-empty-ends",
            "span {start}..{end} is empty: if your ends name the last {unit}, add 1 to each",
            start=start,
            end=end,
            unit=unit,
        )
    if 0 <= end < start <= length:
        return Message(
            "span-exchanged", "span {start}..{end} ends before it begins: exchange start and end", start=start, end=end
        )
    return Message(
        "span-lies-outside-document",
        "span {start}..{end} lies outside the document (length {n_words})",
        start=start,
        end=end,
        n_words=length,
    )


def _row(entry: Any) -> Row | None:
    """Return a span from a list or an object; None if it is neither."""
    if isinstance(entry, dict):
        if refuse_other_letters(entry, "kb_id"):
            return None
        kb = entry.get("kb_id")
        entry = [entry.get("start"), entry.get("end"), entry.get("label"), "" if kb is None else kb]
    if not isinstance(entry, list) or len(entry) not in (3, 4):
        return None
    start, end, label, kb = [*entry, ""][:4]
    if not (is_integer(start) and is_integer(end) and _is_text(label) and _is_text(kb)):
        return None
    return [start, end, label, kb]


def _missing(value: Any, n_words: int) -> tuple[list[list[int]], list[str]]:
    """Return the ranges of tokens whose entity status is unknown."""
    form = Message("ents-missing-must-list", '"ents_missing" must be a list of [start, end]')
    if not isinstance(value, list):
        return [], [form]
    ranges: list[list[int]] = []
    problems: list[str] = []
    for entry in value:
        if not isinstance(entry, list) or len(entry) != 2 or not all(map(is_integer, entry)):
            problems.append(Message("form-entry-not", "{form}, not {entry}", form=form, entry=_shown(entry)))
        elif not 0 <= entry[0] < entry[1] <= n_words:
            problems.append(misplaced(entry[0], entry[1], n_words, _TOKEN))
        else:
            ranges.append(entry)
    return ranges, problems


def _touching(document: Document) -> list[str]:
    """Return problems of entities with a token whose entity status is said to be unknown."""
    # A byte for each token: searching in bytes takes no time, whatever the lengths of the entities.
    missing = bytearray(len(document["words"]))
    for start, end in document.get("ents_missing", []):
        missing[start:end] = b"\1" * (end - start)
    return [
        Message(
            "entity-touches-token-ents", 'entity {start}..{end} touches a token of "ents_missing"', start=start, end=end
        )
        for start, end, *_ in document.get("ents", [])
        if missing.find(1, start, end) >= 0
    ]


def _text_problems(text: Any, document: Document) -> list[str]:
    """Check a text beside the words: somebody who gives both wants to know if they differ."""
    if text is None:
        return []
    if not isinstance(text, str):
        return [Message("text-must-string", '"text" must be a string')]
    if not is_text_of(text, document["words"], document.get("spaces")):
        return [Message("text-not-made-words", '"text" is not made of "words" and "spaces"')]
    return []


_LONGEST_SHOWN = 60


def _shown(value: object) -> str:
    """Return any value, short enough for a message."""
    try:
        text = repr(value)
    except RecursionError:
        # The parser takes lists a little deeper inside each other than Python shows them.
        return Message("value-nested-too-deeply", "a value nested too deeply")
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
