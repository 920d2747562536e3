"""Tells what is odd in a gold that scores perfectly against itself."""

from collections import Counter
from collections.abc import Iterator

from scoring.family import Files, Options
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.text import Gold, read_gold

_ENOUGH_TOKENIZED = 100


def gold_remarks(files: Files, options: Options) -> list[Finding]:
    """Return what its maker should look at before anything is ranked by it."""
    gold = read_gold(files, options)
    return [Finding(message, gold.paths[0]) for message in _remarks(gold, options)]


def _remarks(gold: Gold, options: Options) -> Iterator[str]:
    if gold.odd:
        yield gold.odd.said
    n_tokenized = sum(1 for references in gold.references for text in references if text.endswith(" ."))
    if n_tokenized >= _ENOUGH_TOKENIZED:
        yield Message(
            "references-tokenized",
            "{n} references end in a blank and a full stop: are they detokenized?",
            n=n_tokenized,
        )
    n_twice = sum(times - 1 for times in Counter(tuple(texts) for texts in gold.references).values())
    if 2 * n_twice > len(gold.ids):
        yield Message(
            "references-repeated",
            "{n} of {of} segments have the same references as an earlier one",
            n=n_twice,
            of=len(gold.ids),
        )
