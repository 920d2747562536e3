"""Annotations that stand elsewhere than meant, and the way of counting that explains it.

Where a system gives the text of its spans, that text is compared with what stands under them; where it does not, spans
are expected to begin and end with words. If most fail, other ways of counting are tried: each gives other places, and
the one that makes nearly all succeed is the guess. So the guess is as good as the evidence for it.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from scoring.columns import Integers
from scoring.describing.contents import Contents, Layer, Spans
from scoring.describing.guesses import FEWEST_WRONG, MOST_WRONG, Guess, best_guess
from scoring.describing.sampling import SLACK, SampledAnnotations
from scoring.describing.wording import quoted
from scoring.findings import Finding
from scoring.messages import Message

# Usual runs are looked at whole; of a larger one so many annotations tell the same, and reading it takes longer.
_MOST_LOOKED_AT = 2_000
_SMALL_SAMPLE = 300  # annotations that tell whether a run is in order, and by which ways of counting are tried
_EARLY, _FEWEST_EARLY = 2**19, 100  # characters of a long text, and annotations in them, that ways are tried on
# Ways of counting displace only what follows some character; of such a way a smaller share is evidence enough.
_SOME = 0.05
_MANY = 0.2  # share that stands on no words, where offsets begin anew in each line: those of first lines stand right
_BLANKS = 0.05  # share of blanks in a text of words
_LOOKED_AT = 20_000  # characters, to learn whether a text has blanks
_FEWEST_IN_LINES = 20  # annotations, to tell offsets that begin anew in each line
_MOSTLY = 0.8  # of the spans, that are whole texts
_AT_THE_BEGINNING, _LONG_TEXT = 8, 80  # characters
_WITH_SIGNS = 1.3  # times as many tokens as words between blanks
_LONGER = 3  # times as long as all that is annotated is a document of which only the first line is


def odd_offsets(contents: Contents) -> Iterator[Finding]:
    """Yield `offsets` where another count mends most spans, `span-text` where the text differs and none does."""
    for layer in contents.layers:
        if layer.spans is not None and len(layer):
            yield from _odd(layer, layer.spans)


def _odd(layer: Layer, spans: Spans) -> Iterator[Finding]:
    if spans.stated is None and not _has_blanks(spans.texts):
        return
    whole = _are_whole_texts(spans)
    if whole >= max(_FEWEST_IN_LINES, _MOSTLY * len(spans.document)):
        yield _of_whole_texts(layer, whole)
        return
    # Most runs are in order, and a glance tells so.
    small = SampledAnnotations.draw(layer, spans, _SMALL_SAMPLE)
    if small.n_wrong < _SOME / 2 * len(small):
        return
    sample = SampledAnnotations.draw(layer, spans, _MOST_LOOKED_AT)
    if sample.n_wrong < FEWEST_WRONG or sample.n_wrong < _SOME * len(sample):
        return
    # Ways of counting are tried on few, and at the beginning of a long text, whose characters have to be counted.
    early = SampledAnnotations.draw(layer, spans, _SMALL_SAMPLE, before=_EARLY)
    tried = early if len(early) >= _FEWEST_EARLY else small
    if guess := best_guess(tried):
        yield _oddity(sample, guess)
    elif spans.stated is not None and sample.n_wrong >= MOST_WRONG * len(sample):
        yield _other_text(sample)
    elif spans.stated is None and sample.n_wrong >= _MANY * len(sample):
        anew = [*_in_tokens(sample)] or [*_in_first_lines(sample)] or [*_single_characters(sample)]
        yield from anew
        if not anew and sample.n_wrong >= max(MOST_WRONG * len(sample), _FEWEST_IN_LINES):
            yield _inside_words(sample)


def _single_characters(sample: SampledAnnotations) -> Iterator[Finding]:
    """Yield `offsets` where nearly all annotations are one character of a word."""
    spans = sample.spans
    n, of = int(np.count_nonzero(spans.ends - spans.starts == 1)), len(spans.starts)
    if n < max(_FEWEST_IN_LINES, _MOSTLY * of) or sample.n_wrong < MOST_WRONG * len(sample):
        return
    message = Message(
        "spans-of-one-character",
        "{n:,} of {of:,} {things} are a single character.",
        n=n,
        of=of,
        things=_things(sample),
    )
    suggestion = Message(
        "ends-lost", "were their ends lost on the way? let an end name the character behind the last one"
    )
    yield Finding.odd("offsets", message, n, of, sample.layer.file, suggestion=suggestion)


def _are_whole_texts(spans: Spans) -> int:
    """Count the spans that take in the whole of a text of several words, but for blanks at its ends."""
    if len(spans.first) != len(spans.starts) + 1 or len(spans.texts) < 2:
        return 0  # in pieces, or beside one text for all
    at_beginning = np.flatnonzero(spans.starts < _AT_THE_BEGINNING)
    documents, which = np.unique(spans.document[at_beginning], return_inverse=True)
    lengths = np.array([len(spans.texts[k].strip()) for k in documents.tolist()], dtype=np.int64)[which]
    sizes = (spans.ends - spans.starts)[at_beginning]
    return int(np.count_nonzero((sizes >= lengths) & (lengths >= _LONG_TEXT)))


def _of_whole_texts(layer: Layer, n: int) -> Finding:
    of = len(layer)
    message = Message(
        "spans-whole-texts", "{n:,} of {of:,} {things} are whole texts.", n=n, of=of, things=Message.word(layer.name[1])
    )
    suggestion = Message("spans-in-texts", "were the spans inside the texts lost on the way?")
    return Finding.odd("offsets", message, n, of, layer.file, suggestion=suggestion)


def _in_first_lines(sample: SampledAnnotations) -> Iterator[Finding]:
    """Yield `offsets` where all documents have several lines, and no annotation stands behind the length of one."""
    spans = sample.spans
    documents, which = np.unique(sample.piece_document, return_inverse=True)
    last = np.zeros(len(documents), dtype=np.int64)
    np.maximum.at(last, which, spans.ends)
    texts = [spans.texts[k] for k in documents.tolist()]
    longest = np.array([max(map(len, text.split("\n"))) for text in texts], dtype=np.int64)
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    has_several = lengths >= _LONGER * longest
    n = int(np.count_nonzero(has_several))
    per_document = np.bincount(which, minlength=len(documents))
    # Of many annotations none behind the first third: chance would have put some of them there.
    if n < FEWEST_WRONG or (last > longest)[has_several].any() or per_document[has_several].sum() < _FEWEST_IN_LINES:
        return
    yield Finding.odd(
        "offsets",
        Message(
            "anew-in-each-line",
            "All {things} of {n:,} texts stand within the length of one line, though the texts have several: do your"
            " offsets begin anew in each line?",
            things=Message.word(sample.layer.name[1]),
            n=n,
        ),
        n=n,
        of=n,
        file=sample.layer.file,
        suggestion=Message("count-from-beginning", "count from the beginning of the whole text"),
    )


def _in_tokens(sample: SampledAnnotations) -> Iterator[Finding]:
    """Yield `offsets` where no annotation stands behind as many characters as its text has words."""
    spans = sample.spans
    documents, which = np.unique(sample.piece_document, return_inverse=True)
    last = np.zeros(len(documents), dtype=np.int64)
    np.maximum.at(last, which, spans.ends)
    n_words = np.array([len(spans.texts[k].split()) for k in documents.tolist()], dtype=np.int64)
    # With signs counted apart a text has some more.
    if len(sample) < _FEWEST_IN_LINES or (last > _WITH_SIGNS * n_words).any() or sample.n_wrong < _MANY * len(sample):
        return
    yield Finding.odd(
        "offsets",
        Message(
            "no-more-than-words",
            "None of {of:,} {things} stands behind as many characters as its text has words, and {n:,} begin or end"
            " inside one: do your offsets count tokens?",
            of=len(sample),
            things=_things(sample),
            n=sample.n_wrong,
        ),
        n=sample.n_wrong,
        of=len(sample),
        file=sample.layer.file,
        suggestion=Message("count-characters", "count characters"),
    )


def _inside_words(sample: SampledAnnotations) -> Finding:
    """Return what is odd where no way of counting puts spans on words."""
    file, line = sample.layer.place_of(int(sample.index[np.flatnonzero(~sample.as_written)[0]]))
    message = Message(
        "spans-on-no-words",
        "{n:,} of {of:,} {things} begin or end inside a word or at a blank, and no way of counting explains it.",
        n=sample.n_wrong,
        of=len(sample),
        things=_things(sample),
    )
    suggestion = Message("spans-of-other-texts", "are these the spans of other documents, or of another version?")
    return Finding.odd("offsets", message, sample.n_wrong, len(sample), file, line, suggestion=suggestion)


def _oddity(sample: SampledAnnotations, guess: Guess) -> Finding:
    wrong = np.flatnonzero(~sample.as_written)
    file, line = sample.layer.place_of(int(sample.index[wrong[0]]))
    what = guess.what
    if sample.stated is None:
        what = Message(
            "not-on-words", "begin or end inside a word or at a blank, and one way of counting puts them on words"
        )
    return Finding.odd(
        "offsets",
        Message(
            "stand-wrong",
            "{n:,} of {of:,} {things} {what}: {question} {example}",
            n=len(wrong),
            of=len(sample),
            things=_things(sample),
            what=what,
            question=guess.question,
            example=_example(sample, wrong),
        ),
        n=len(wrong),
        of=len(sample),
        file=file,
        line=line,
        suggestion=guess.suggestion,
    )


def _other_text(sample: SampledAnnotations) -> Finding:
    wrong = np.flatnonzero(~sample.as_written)
    file, line = sample.layer.place_of(int(sample.index[wrong[0]]))
    return Finding.odd(
        "span-text",
        Message(
            "other-text",
            "{n:,} of {of:,} {things} have a text that does not stand at their offsets, and no way of counting explains"
            " it. {example}",
            n=len(wrong),
            of=len(sample),
            things=_things(sample),
            example=_example(sample, wrong),
        ),
        n=len(wrong),
        of=len(sample),
        file=file,
        line=line,
        suggestion=Message("compare-texts", "compare texts and offsets; do both come from this input?"),
    )


def _things(sample: SampledAnnotations) -> Message:
    """Return what was looked at."""
    things, n = Message.word(sample.layer.name[1]), len(sample.layer)
    return Message("sample-of", "{things} (a sample of {n:,})", things=things, n=n) if n > len(sample) else things


def _example(sample: SampledAnnotations, wrong: Integers) -> Message:
    """Return what stands at the place of the first one that is wrong."""
    k = int(wrong[0])
    spans = sample.spans
    start, end = int(spans.starts[spans.first[k]]), int(spans.ends[spans.first[k + 1] - 1])
    text = spans.texts[sample.documents[k]]
    marked = quoted(text[max(0, start) : min(max(0, end), max(0, start) + SLACK)])
    place = Message.word("there")
    if not spans.in_utf16:
        place = Message("from-to", "from {start} to {end}", start=start, end=end)
    if sample.stated is None:
        return Message("found-there", "For example, {found} stands {place}.", found=marked, place=place)
    return Message(
        "found-there-not",
        "For example, {found} stands {place}, and not {stated}.",
        found=marked,
        place=place,
        stated=quoted(sample.stated[k].strip()),
    )


def _has_blanks(texts: Sequence[str]) -> bool:
    """Return whether words stand between blanks, as in most languages; a glance at the first texts."""
    seen = blank = 0
    for text in texts:
        piece = text[: _LOOKED_AT - seen]
        seen += len(piece)
        blank += sum(map(str.isspace, piece))
        if seen >= _LOOKED_AT:
            break
    return blank >= _BLANKS * seen > 0
