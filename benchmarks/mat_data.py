"""Made-up mat-json documents of both sides, the same for the same seed: many, or one with spans that overlap."""

import argparse
import json
import random
import sys
from pathlib import Path

LABELS = ("LOC", "MISC", "ORG", "PER")
VOCABULARY = (
    "amber basin cedar delta ember fennel granite harbour island juniper kestrel lagoon meadow north orchard "
    "pebble quarry river saffron thistle umber valley walnut yarrow zephyr of in to and Marlow Tessin Orvale"
)
WORDS = VOCABULARY.split()

Span = tuple[int, int, str]  # first token, token behind the last, label
Annotations = list[tuple[int, int]]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="receives gold/ and system/")
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--overlapping", type=int, help="instead one document with so many spans", metavar="SPANS")
    parser.add_argument("--seed", type=int, default=12)
    arguments = parser.parse_args(argv)
    if arguments.overlapping:
        write_overlapping(arguments.folder, arguments.overlapping, seed=arguments.seed)
    else:
        write_documents(arguments.folder, arguments.documents, seed=arguments.seed)
    return 0


def write_documents(folder: Path, documents: int, *, words: int = 600, seed: int) -> None:
    """Writes `documents` documents of each side, with a gold span on every third word."""
    rng = random.Random(seed)
    for number in range(documents):
        gold = [_span(first, words, rng) for first in range(0, words, 3)]
        system = [found for span in gold for found in _found(span, words, rng)]
        _write_both(folder, f"{number:06}.json", rng.choices(WORDS, k=words), gold, system)


def write_overlapping(folder: Path, spans: int, *, seed: int) -> None:
    """Writes one document in which each of `spans` spans, half of them of either side, overlaps its neighbours."""
    rng = random.Random(seed)
    words = spans + 4
    gold = [(first, first + 3, rng.choice(LABELS)) for first in range(0, spans, 2)]
    system = [(first + rng.randint(-1, 1), last, rng.choice((label, *LABELS))) for first, last, label in gold[1:]]
    _write_both(folder, "0.json", rng.choices(WORDS, k=words), gold, system)


def _span(first: int, words: int, rng: random.Random) -> Span:
    return first, min(first + rng.randint(1, 2), words), rng.choice(LABELS)


def _found(span: Span, words: int, rng: random.Random) -> list[Span]:
    """What the system makes of a gold span, and with it something invented now and then."""
    first, last, label = span
    change = rng.random()
    found = []
    if change < 0.7:
        found.append(span)
    elif change < 0.8:
        found.append((first, last, rng.choice([other for other in LABELS if other != label])))
    elif change < 0.9:
        found.append((first, min(last + 1, words), label))
    if rng.random() < 0.05:
        found.append(_span(rng.randrange(words), words, rng))
    return found


def _write_both(folder: Path, name: str, words: list[str], gold: list[Span], system: list[Span]) -> None:
    tokens, start = [], 0
    for word in words:
        tokens.append((start, start + len(word)))
        start += len(word) + 1
    for side, spans in (("gold", gold), ("system", system)):
        path = folder / side / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_document(" ".join(words), tokens, spans))


def _document(signal: str, tokens: Annotations, spans: list[Span]) -> bytes:
    sets = [_set("lex", tokens)]
    for label in LABELS:
        found = {(tokens[first][0], tokens[last - 1][1]) for first, last, other in spans if other == label}
        sets.append(_set(label, sorted(found)))
    return json.dumps({"version": 2, "metadata": {}, "signal": signal, "asets": sets}).encode()


def _set(label: str, annotations: Annotations) -> dict[str, object]:
    return {"type": label, "hasID": False, "hasSpan": True, "attrs": [], "annots": annotations}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
