"""Guesses at where annotations are meant to stand: shifts, other units, offsets anew in each sentence."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice

import numpy as np

from scoring.columns import Flags, Integers
from scoring.describing import counting
from scoring.describing.sampling import SampledAnnotations
from scoring.messages import Message

MOST_WRONG = 0.5  # share that stands wrong, where everything is shifted
_MENDED = 0.8  # share of all that has to stand right in the other way of counting, and of those that stood wrong
_MENDED_WORDS = 0.9  # likewise by words alone, which fit more easily
_NEAR, _FAR = 64, 4_096  # characters around a span in which its text is looked for
_MOST_FOUND = 20  # places of one text in there
_MOST_WORDS_SHIFT = 3  # characters; words fit by chance in one of many shifts,
_MANY = 50  # but not so many annotations
_LOOKED_FOR = 40  # annotations with the longest texts, to tell offsets that begin anew in each sentence
_SHORTEST = 4  # characters of such a text
_MOST_IN_TEXT = 1_000  # places where it is looked at
FEWEST_WRONG = 3  # annotations that stand wrong; of fewer nothing can be told

_ELSEWHERE = Message("stand-elsewhere", "stand elsewhere than their text")


@dataclass(frozen=True)
class Guess:
    """Other places for all pieces, and what they would mean."""

    starts: Integers
    ends: Integers
    what: Message  # how the spans stand to their text: "stand one character behind their text"
    question: Message
    suggestion: Message
    is_by_one: bool = False  # at both ends or at one


def best_guess(sample: SampledAnnotations) -> Guess | None:
    """Return the guess that puts most spans right, if it mends enough; shifts are tried if most spans stand wrong."""
    fits = sample.as_written
    are_most_wrong = sample.n_wrong >= MOST_WRONG * len(sample)
    if fits.all():
        return None
    shifts = list(_shifts(sample, fits)) if are_most_wrong else []
    # By one, as people do; in another unit; by anything else.
    guesses = [guess for guess in shifts if guess.is_by_one] + [*_exchanged(sample), *_other_ways(sample)]
    guesses += [*_lengths(sample), *_tokens(sample)] if are_most_wrong else []
    guesses += [guess for guess in shifts if not guess.is_by_one]
    mended_by = [sample.fits(guess.starts, guess.ends) for guess in guesses]
    # Of equals the first.
    best = int(np.argmax([np.count_nonzero(flags) for flags in mended_by]))
    share = _MENDED if sample.stated is not None else _MENDED_WORDS
    if np.mean(mended_by[best]) >= share and np.mean(mended_by[best][~fits]) >= share:
        return guesses[best]
    return _by_sentence(sample) or _by_line(sample) if are_most_wrong else None


def _exchanged(sample: SampledAnnotations) -> Iterator[Guess]:
    """Yield ends for starts, where some spans end before they begin."""
    starts, ends = sample.spans.starts, sample.spans.ends
    if (ends < starts).any():
        yield Guess(
            ends,
            starts,
            Message("end-before-beginning", "end before they begin"),
            Message("end-comes-first", "does the end come first?"),
            Message("start-before-end", "write the start before the end"),
        )


def _lengths(sample: SampledAnnotations) -> Iterator[Guess]:
    """Yield ends as far behind the starts as they say."""
    starts, ends = sample.spans.starts, sample.spans.ends
    yield Guess(
        starts,
        starts + ends,
        _ELSEWHERE,
        Message("are-lengths", "are the second numbers lengths?"),
        Message("add-start-to-length", "write start and end: add the start to each length"),
    )


def _tokens(sample: SampledAnnotations) -> Iterator[Guess]:
    """Yield the places of words for their numbers, where the text of spans tells whether they stand there."""
    if sample.stated is None:
        return
    most = int(sample.spans.ends.max(initial=0))
    for pattern in _WORDS:
        places = {
            k: np.array(
                [_without_signs(word) for word in islice(pattern.finditer(sample.spans.texts[k]), most)] or [(0, 0)],
                dtype=np.int64,
            )
            for k in np.unique(sample.spans.document).tolist()
        }
        moved = _moved_by_document(sample, sample.spans.starts, sample.spans.ends, partial(_at_words, places))
        yield Guess(*moved, _ELSEWHERE, _COUNT_TOKENS, _COUNT_CHARACTERS)


def _without_signs(word: re.Match[str]) -> tuple[int, int]:
    """Return where a word stands, without the signs around it."""
    letters = _LETTERS.search(word[0])
    return (word.start() + letters.start(), word.start() + letters.end()) if letters else word.span()


def _at_words(places: Mapping[int, Integers], document: int, at: Integers, are_ends: bool) -> Integers:
    words = places[document]
    return np.asarray(words[np.clip(at - are_ends, 0, len(words) - 1), int(are_ends)])


_LETTERS = re.compile(r"\w(?:.*\w)?")
_WORDS = (re.compile(r"\S+"), re.compile(r"\w+|[^\w\s]"))
_COUNT_TOKENS = Message("offsets-count-tokens", "do your offsets count tokens?")
_COUNT_CHARACTERS = Message("count-characters", "count characters")


def _shifts(sample: SampledAnnotations, fits: Flags) -> Iterator[Guess]:
    """Yield shifts of both ends, each by a constant: the one that the texts tell, or all small ones."""
    starts, ends = sample.spans.starts, sample.spans.ends
    if sample.stated is None:
        shifts = [(-1, -1), (0, 1), (1, 1), (-1, 0), (0, -1), (1, 0)]
        farthest = _NEAR if len(sample) >= _MANY else _MOST_WORDS_SHIFT
        shifts += [(d, d) for far in range(2, farthest + 1) for d in (-far, far)]
    else:
        shifts = [shift for radius in (_NEAR, _FAR) for shift in _voted(sample, fits, radius)]
    for start, end in shifts:
        words = _SHIFTED.get((start, end), _moved(start, end))
        yield Guess(starts + start, ends + end, *words, is_by_one=max(abs(start), abs(end)) == 1)


_SHIFTED = {
    (-1, -1): (
        Message("stand-one-away", "stand one character away from their text"),
        Message("offsets-from-1", "are your offsets counted from 1?"),
        Message("count-from-0", "count from 0: subtract 1 from all offsets"),
    ),
    (0, 1): (
        Message("end-one-before", "end one character before their text does"),
        Message("ends-name-last", "do your ends name the last character?"),
        Message("add-1-to-ends", "let an end name the character behind the last one: add 1 to all ends"),
    ),
    (-1, 0): (
        Message("begin-one-behind", "begin one character behind the beginning of their text"),
        Message(
            "offsets-from-1-ends-name-last", "are your offsets counted from 1, with ends that name the last character?"
        ),
        Message(
            "subtract-1-from-starts", "count from 0, with ends behind the last character: subtract 1 from all starts"
        ),
    ),
    (0, -1): (
        Message("end-one-behind", "end one character behind their text"),
        Message("ends-name-second", "do your ends name the second character behind the last one?"),
        Message("subtract-1-from-ends", "subtract 1 from all ends"),
    ),
}


def _moved(start: int, end: int) -> tuple[Message, Message, Message]:
    """Return the words for places that are wrong by so much."""
    if start == end:
        return (*_shifted(start), _move(start, Message.word("offsets")))
    moves = [
        _move(shift, name) for shift, name in ((start, Message.word("starts")), (end, Message.word("ends"))) if shift
    ]
    return (
        Message("begin-and-end-away", "begin {start} and end {end}", start=_away(start), end=_away(end)),
        Message("ends-counted-otherwise", "are starts and ends counted in different ways?"),
        Message.listed(moves),
    )


def _shifted(shift: int) -> tuple[Message, Message]:
    """Return where texts stand of which both ends are wrong by so much, and the question."""
    if shift < 0:
        return (
            Message.counted(
                "stand-behind",
                "stand {n:,} character behind their text",
                "stand {n:,} characters behind their text",
                -shift,
            ),
            Message("counted-before-text", "was something before the text counted too?"),
        )
    return (
        Message.counted(
            "stand-before", "stand {n:,} character before their text", "stand {n:,} characters before their text", shift
        ),
        Message("left-out-before-text", "was something before the text left out?"),
    )


def _away(shift: int) -> Message:
    if shift == 0:
        return Message("where-text-does", "where their text does")
    if shift < 0:
        return Message.counted("behind-it", "{n:,} character behind it", "{n:,} characters behind it", -shift)
    return Message.counted("before-it", "{n:,} character before it", "{n:,} characters before it", shift)


def _move(shift: int, places: Message) -> Message:
    """Return what mends it.

    >>> _move(-12, Message.word("offsets")), _move(2, Message.word("ends"))
    ('subtract 12 from all offsets', 'add 2 to all ends')
    """
    if shift < 0:
        return Message("subtract-from-all", "subtract {n:,} from all {places}", n=-shift, places=places)
    return Message("add-to-all", "add {n:,} to all {places}", n=shift, places=places)


def _voted(sample: SampledAnnotations, fits: Flags, radius: int) -> list[tuple[int, int]]:
    """Return what most texts that stand elsewhere would have to be moved by: at most the two commonest shifts."""
    spans = sample.spans
    votes: Counter[tuple[int, int]] = Counter()
    single = np.diff(spans.first) == 1
    for k in np.flatnonzero(single & ~fits).tolist():
        text, expected = spans.texts[sample.documents[k]], _lowered((sample.stated or ())[k].strip())
        start, end = int(spans.starts[spans.first[k]]), int(spans.ends[spans.first[k]])
        origin = max(0, start - radius)
        # The end as the file has it may be anywhere.
        window = _lowered(text[origin : start + len(expected) + radius])
        votes.update({(origin + at - start, origin + at + len(expected) - end) for at in _places_of(window, expected)})
    # Of equally common ones the smaller, and of those backwards first.
    common = sorted(votes.items(), key=lambda vote: (-vote[1], abs(vote[0][0]) + abs(vote[0][1]), vote[0]))
    return [shift for shift, _ in common[:2]]


def _places_of(text: str, expected: str, most: int = _MOST_FOUND) -> Iterator[int]:
    """Yield the first places at which a text stands in another."""
    at = -1
    for _ in range(most):
        at = text.find(expected, at + 1) if expected else -1
        if at < 0:
            return
        yield at


def _lowered(text: str) -> str:
    """Return the text in lower case, if that leaves all places as they are."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text


def _other_ways(sample: SampledAnnotations) -> Iterator[Guess]:
    """Yield all pieces at the places that other ways of counting give."""
    spans = sample.spans
    # Where blanks were left out, the place meant is behind the one written, but hardly at twice of it.
    most = 2 * int(spans.ends.max(initial=0)) + _FAR
    points = {k: counting.code_points(spans.texts[k][:most]) for k in np.unique(spans.document).tolist()}
    starts, ends = spans.starts, spans.ends
    if spans.in_utf16:
        # What the file says, in its own unit.
        counted = {k: counting.starts_of_characters(counting.in_utf16(of_text)) for k, of_text in points.items()}
        starts, ends = _moved_by_document(
            sample, starts, ends, lambda k, at, are_ends: counted[k][np.clip(at, 0, len(points[k]))]
        )
    for way in counting.UTF16_WAYS if spans.in_utf16 else counting.WAYS:
        begins = {k: counting.starts_of_characters(way.widths(of_text)) for k, of_text in points.items()}
        moved = _moved_by_document(sample, starts, ends, partial(_places, begins))
        yield Guess(*moved, _ELSEWHERE, way.question, way.suggestion)


def _places(begins: Mapping[int, Integers], document: int, at: Integers, are_ends: bool) -> Integers:
    """Return the code points at places of a document that are counted so."""
    return counting.places(at, begins[document], are_ends=are_ends)


def _moved_by_document(
    sample: SampledAnnotations, starts: Integers, ends: Integers, move: Callable[[int, Integers, bool], Integers]
) -> tuple[Integers, Integers]:
    """Move starts and ends document by document; `move` is given a document, places, and whether they are ends."""
    order = np.argsort(sample.piece_document, kind="stable")
    documents, first = np.unique(sample.piece_document[order], return_index=True)
    new_starts, new_ends = starts.copy(), ends.copy()
    for document, pieces in zip(documents.tolist(), np.split(order, first[1:]), strict=True):
        new_starts[pieces], new_ends[pieces] = move(document, starts[pieces], False), move(document, ends[pieces], True)
    return new_starts, new_ends


def _by_sentence(sample: SampledAnnotations) -> Guess | None:
    """Guess that offsets begin anew in each sentence: the first annotations stand so in one of the first sentences."""
    spans = sample.spans
    if spans.sentences is None or sample.stated is None or len(spans.sentences) < 2:
        return None
    text = _lowered(spans.texts[0])
    starts, ends = spans.starts[spans.first[:-1]], spans.ends[spans.first[1:] - 1]
    # Long texts are in few places by chance.
    single = [k for k in np.flatnonzero(np.diff(spans.first) == 1).tolist() if len(sample.folded[k]) >= _SHORTEST]
    longest = sorted(single, key=lambda k: -len(sample.folded[k]))[:_LOOKED_FOR]
    are_in_sentence = [_is_in_sentence(text, sample.folded[k], int(starts[k]), spans.sentences) for k in longest]
    if sum(are_in_sentence) < max(FEWEST_WRONG, _MENDED * len(are_in_sentence)):
        return None
    return Guess(
        starts,
        ends,
        _ELSEWHERE,
        Message("anew-in-each-sentence", "do your offsets begin anew in each sentence?"),
        Message("count-whole-text", "count from the beginning of the whole text, each line end as one character"),
    )


def _is_in_sentence(text: str, expected: str, start: int, sentences: Integers) -> bool:
    """Return whether a text stands in some sentence at this offset from the beginning of the sentence."""
    at = np.fromiter(_places_of(text, expected, _MOST_IN_TEXT), np.int64)
    origin = sentences[np.searchsorted(sentences, at, side="right") - 1]
    return bool((at - origin == start).any())


_FEWEST_IN_LINES = 20  # annotations, to tell offsets that begin anew in each line
_MOST_LINES, _MOST_LINES_OF_WORDS = 20, 6  # of a text, in one of which an annotation fits by no chance


def _by_line(sample: SampledAnnotations) -> Guess | None:
    """Guess that offsets begin anew in each line or paragraph: nearly all annotations stand right in some line."""
    if len(sample) < _FEWEST_IN_LINES:
        return None
    most = _MOST_LINES_OF_WORDS if sample.stated is None else _MOST_LINES
    texts = sample.spans.texts
    lines = {k: _lines(texts[k], most) for k in np.unique(sample.spans.document).tolist()}
    if sum(len(of_text) for of_text in lines.values()) < 2 * len(lines):
        return None
    starts, ends = sample.spans.starts, sample.spans.ends
    fits = np.zeros(len(sample), dtype=np.bool_)
    for number in range(most):
        # Behind the last line, and for annotations that reach over the end of this one, a place where nothing fits.
        begins, sizes = np.array(
            [lines[k][number] if number < len(lines[k]) else (0, 0) for k in sample.piece_document.tolist()],
            dtype=np.int64,
        ).T
        is_inside = ends <= sizes
        fits |= sample.fits(np.where(is_inside, begins + starts, -1), np.where(is_inside, begins + ends, -1))
    if np.mean(fits) < _MENDED_WORDS:
        return None
    return Guess(
        starts,
        ends,
        _ELSEWHERE,
        Message("anew-in-lines", "do your offsets begin anew in each line or paragraph?"),
        Message("count-from-beginning", "count from the beginning of the whole text"),
    )


def _lines(text: str, most: int) -> list[tuple[int, int]]:
    """Return where each line that is not empty begins, and its length; none of a text that has more of them.

    >>> _lines("one\\n\\nthree", 3)
    [(0, 3), (5, 5)]
    """
    lines = [*islice(_LINE.finditer(text), most + 1)]
    return [(line.start(), len(line[0])) for line in lines] if len(lines) <= most else []


_LINE = re.compile(r"[^\r\n]+")
