"""Annotations that stand elsewhere than meant, and the way of counting that explains it.

Where a system gives the text of its spans, that text is compared with what stands under them; where it does not, spans
are expected to begin and end with words. If most fail, other ways of counting are tried: each gives other places, and
the one that makes nearly all succeed is the guess. So the guess is as good as the evidence for it.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from scoring.columns import Integers
from scoring.describing.contents import Contents, Layer, Spans
from scoring.describing.description import Oddity
from scoring.describing.guesses import FEWEST_WRONG, MOST_WRONG, Guess, best_guess
from scoring.describing.sampling import SLACK, SampledAnnotations
from scoring.describing.wording import quoted
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
_LONGER = 3  # times as long as all that is annotated is a document of which only the first line is


def odd_offsets(contents: Contents) -> Iterator[Oddity]:
    """Yield `offsets` where another count mends most spans, `span-text` where the text differs and none does."""
    for layer in contents.layers:
        if layer.spans is not None and len(layer):
            yield from _odd(layer, layer.spans)


def _odd(layer: Layer, spans: Spans) -> Iterator[Oddity]:
    if spans.stated is None and not _has_blanks(spans.texts):
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
        yield from _in_first_lines(sample)


def _in_first_lines(sample: SampledAnnotations) -> Iterator[Oddity]:
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
    yield Oddity(
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


def _oddity(sample: SampledAnnotations, guess: Guess) -> Oddity:
    wrong = np.flatnonzero(~sample.as_written)
    file, line = sample.layer.place_of(int(sample.index[wrong[0]]))
    what = guess.what
    if sample.stated is None:
        what = Message(
            "not-on-words", "begin or end inside a word or at a blank, and one way of counting puts them on words"
        )
    return Oddity(
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


def _other_text(sample: SampledAnnotations) -> Oddity:
    wrong = np.flatnonzero(~sample.as_written)
    file, line = sample.layer.place_of(int(sample.index[wrong[0]]))
    return Oddity(
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
