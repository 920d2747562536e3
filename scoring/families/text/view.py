"""One segment, or the segments of one document: references and text, with the words that differ marked."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from scoring import lazy
from scoring.families.text.counting import Matches, count
from scoring.families.text.options import resolve_options
from scoring.families.text.tables import tables
from scoring.family import Files, Options, Record
from scoring.readers.text import Gold, System, read_gold, read_system

_WORDS = re.compile(r"\s+|\w+|[^\w\s]")
_CHARACTERS = re.compile(r"\s+|\S")
# Between Chinese or Japanese words there is no blank: characters are compared.
_WITHOUT_BLANKS = ("zh", "char", "ja-mecab")
# Comparing takes time and memory by the product of both lengths; longer texts are shown without marks.
_MOST_PRODUCT = 20_000_000


def unit_record(gold_files: Files, system_files: Files, unit: str, options: Options) -> Record:
    """Return what the page of a unit shows; KeyError if there is no such unit.

    `segments`: the segments of the unit, each with its row of the table of segments as `scores`, the pieces of the
    `system`'s text and those of each of the `references`. A piece is {"text", "differs"}; what is marked of the
    system's text is not in its nearest reference, whose index is `nearest`, and what is marked of a reference is not in
    the system's text.
    """
    gold = read_gold(gold_files, options)
    system = read_system(system_files, gold, options)
    names = gold.documents if options["unit"] == "document" else gold.ids
    wanted = [k for k, name in enumerate(names or []) if name == unit]
    if not wanted:
        raise KeyError(unit)
    gold_part = Gold(
        gold.paths,
        [gold.ids[k] for k in wanted],
        [gold.references[k] for k in wanted],
        gold.documents and [gold.documents[k] for k in wanted],
        gold.sources and [gold.sources[k] for k in wanted],
    )
    system_part = System(system.file, [system.texts[k] for k in wanted])
    chosen = resolve_options(gold, options) | {"unit": "segment"}
    matches: Matches = count(gold_part, system_part, chosen).matches
    rows = tables(matches, chosen)["segments"].records
    pattern = _CHARACTERS if options["tokenize"] in _WITHOUT_BLANKS else _WORDS
    return {
        "segments": [
            {"segment": row["segment"], "document": row["document"], "scores": _scores(row, options["headline"])}
            | _compared(text, references, pattern)
            for row, text, references in zip(rows, system_part.texts, gold_part.references, strict=True)
        ]
    }


def _scores(row: Record, headline: str) -> Record:
    """Return the scores of a segment, first the one that ranks."""
    return {headline: row[headline]} | {name: row[name] for name in row if name not in ("segment", "document")}


@dataclass(frozen=True)
class _Compared:
    """A reference beside the text."""

    n_common: int  # words
    of_reference: list[Record]  # pieces
    of_system: list[Record]


def _compared(text: str, references: Sequence[str], pattern: re.Pattern[str]) -> Record:
    """Return the pieces of a text and of its references, and which of these is the nearest."""
    compared = [_compare_pieces(reference, text, pattern) for reference in references]
    nearest = max(range(len(compared)), key=lambda k: compared[k].n_common)
    return {
        "text": text,
        "system": compared[nearest].of_system,
        "references": [pair.of_reference for pair in compared],
        "nearest": nearest,
    }


def _compare_pieces(reference: str, text: str, pattern: re.Pattern[str]) -> _Compared:
    ours, theirs = pattern.findall(reference), pattern.findall(text)
    words = [[word for word in side if not word.isspace()] for side in (ours, theirs)]
    if len(words[0]) * len(words[1]) > _MOST_PRODUCT:
        return _Compared(0, _pieces(ours, None), _pieces(theirs, None))
    opcodes: Callable[[Sequence[str], Sequence[str]], Any] = lazy.load("rapidfuzz.distance.LCSseq", "opcodes")
    equal = [step for step in opcodes(*words) if step.tag == "equal"]
    in_reference = {k for step in equal for k in range(step.src_start, step.src_end)}
    in_system = {k for step in equal for k in range(step.dest_start, step.dest_end)}
    return _Compared(len(in_reference), _pieces(ours, in_reference), _pieces(theirs, in_system))


def _pieces(parts: Sequence[str], common: set[int] | None) -> list[Record]:
    """Join words and blanks as long as they are alike; `common` are the words, by number, on both sides.

    >>> _pieces(["the", " ", "old", " ", "mill"], {0})
    [{'text': 'the ', 'differs': False}, {'text': 'old mill', 'differs': True}]
    """
    n_words = sum(not part.isspace() for part in parts)
    # A word's flag, and one before the first and behind the last of them.
    differs = [False, *(common is not None and k not in common for k in range(n_words)), False]
    flags = []
    number = 0
    for part in parts:
        if part.isspace():
            flags.append(differs[number] and differs[number + 1])
        else:
            number += 1
            flags.append(differs[number])
    groups = groupby(zip(flags, parts, strict=True), key=itemgetter(0))
    return [{"text": "".join(part for _, part in group), "differs": flag} for flag, group in groups]
