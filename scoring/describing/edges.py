"""Spans of tokens that begin or end one token off: annotations end with words, and seldom with a comma.

Where a span stands one token too far, its edges are the signs and small words around what was meant. If another way of
counting has far fewer of them at its edges, it is the guess. Without the gold there is no better evidence; so it is
said only where nearly all that was odd is gone.
"""

from collections.abc import Iterator, Sequence

from scoring.columns import sampled
from scoring.describing.contents import Contents, Layer
from scoring.describing.wording import quoted
from scoring.findings import Finding
from scoring.messages import Message

_LOOKED_AT = 2_000
_FEWEST = 20  # spans
_SIGNS = 0.1  # share of spans at whose edge a sign of punctuation stands; usual runs have hardly any
_LEFT = 0.2  # of these, that another way of counting may leave

_WAYS = (  # tokens to be added to the first and the last one, the question, and the mend
    (
        -1,
        -1,
        Message("tokens-from-one", "are your tokens counted from 1?"),
        Message("count-tokens-from-zero", "count from 0: subtract 1 from all"),
    ),
    (
        0,
        -1,
        Message("ends-one-behind", "do your ends name the token behind the next one?"),
        Message("subtract-from-ends", "subtract 1 from all ends"),
    ),
    (1, 1, Message("tokens-before", "are your tokens counted from -1?"), Message("add-to-tokens", "add 1 to all")),
)


def odd_edges(contents: Contents) -> Iterator[Finding]:
    """Yield `offsets` where spans of tokens begin or end with punctuation, and another count mends nearly all."""
    for layer in contents.layers:
        if layer.edges is not None and len(layer) >= _FEWEST:
            yield from _odd(layer)


def _odd(layer: Layer) -> Iterator[Finding]:
    assert layer.edges is not None
    chosen = sampled(len(layer), _LOOKED_AT)
    written = layer.edges(chosen, 0, 0)
    wrong = [k for k, edges in enumerate(written) if _is_off(edges)]
    if len(wrong) < _SIGNS * len(chosen):
        return
    for first, last, question, suggestion in _WAYS:
        if sum(map(_is_off, layer.edges(chosen, first, last))) > _LEFT * len(wrong):
            continue
        file, line = layer.place_of(int(chosen[wrong[0]]))
        message = Message(
            "edges-off",
            "{n:,} of {of:,} {things} begin or end with punctuation, as in {example}, and one way of counting puts"
            " nearly all on words: {question}",
            n=len(wrong),
            of=len(chosen),
            things=Message.word(layer.name[1]),
            example=quoted(" … ".join(dict.fromkeys(written[wrong[0]]))),
            question=question,
        )
        yield Finding.odd("offsets", message, len(wrong), len(chosen), file, line, suggestion)
        return


def _is_off(edges: tuple[str, str]) -> bool:
    return not all(any(map(str.isalnum, word)) for word in edges)


def word_at(words: Sequence[str], place: int) -> str:
    """Return the word at a place; "" outside of the text.

    >>> word_at(["a", "b"], 1), word_at(["a", "b"], -1)
    ('b', '')
    """
    return words[place] if 0 <= place < len(words) else ""
