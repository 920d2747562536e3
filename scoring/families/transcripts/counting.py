"""A row of edits for each utterance, or for each speaker.

How it goes, on two utterances
------------------------------
    reference    the cat sat on the mat     hello there world
    transcript   the cat sat on a   mat     hello       world
                  H   H   H   H S    H        H     D     H

    words        H 5, S 1, D 0, I 0         H 2, S 0, D 1, I 0
    characters   H 19, S 1, D 2, I 0        H 11, S 0, D 6, I 0

The rows hold both lines, a 1 for the utterance and a 1 if it has any error; with `unit=speaker` the rows of a
speaker's utterances are added. Which words were taken for which is kept as columns (`aligning.py`), for the tables.
"""

from dataclasses import dataclass

import numpy as np

from scoring.columns import Array, Integers
from scoring.families.transcripts.aligning import Edits, align_words, count_edits
from scoring.families.transcripts.normalising import characters_of
from scoring.families.transcripts.scores import KINDS, TOTALS
from scoring.families.transcripts.sides import Gold, System
from scoring.family import Counted, Options, about_gold
from scoring.messages import Message
from scoring.readers.gc_pause import without_collector


@dataclass(frozen=True)
class Matches:
    """Everything that the tables are made from."""

    ids: list[str]  # (n,) of the utterances
    speakers: list[str]  # their names, in the order of their first utterances; empty where they are not told
    speaker: Integers | None  # (n,) index into `speakers`
    rows: Integers  # (n, kinds)
    edits: Edits
    words: list[str]  # of each code of the edits
    unit: Integers  # (n,) index of the unit of resampling in which each utterance is
    n_units: int


def count(gold: Gold, system: System, options: Options) -> Counted:
    """Align all utterances; ConfigurationError if RapidFuzz is not installed."""
    with without_collector():
        matches = _matches(gold, system, options)
    by_speaker = options["unit"] == "speaker"
    rows = np.zeros((matches.n_units, len(KINDS)), dtype=np.int64)
    np.add.at(rows, matches.unit, matches.rows)
    return Counted(
        units=matches.speakers if by_speaker else matches.ids,
        rows=rows,
        totals=_totals(matches, system),
        warnings=_warnings(gold, system),
        matches=matches,
    )


def _matches(gold: Gold, system: System, options: Options) -> Matches:
    n = len(gold.words)
    edits, words = align_words(gold.words, system.words)
    by_word = edits.by_utterance(n)
    references, transcripts = (characters_of(side.words, options) for side in (gold, system))
    by_character = count_edits(references, transcripts)
    n_words = np.fromiter(map(len, gold.words), np.int64, n)
    n_characters = np.fromiter(map(len, references), np.int64, n)
    rows = np.column_stack(
        [
            n_words - by_word[:, 0] - by_word[:, 1],
            by_word,
            n_characters - by_character[:, 0] - by_character[:, 1],
            by_character,
            np.ones(n, dtype=np.int64),
            by_word.any(axis=1),
        ]
    )
    speakers = gold.read.speakers
    names = list(dict.fromkeys(speakers or ()))
    place = {name: k for k, name in enumerate(names)}
    speaker = None if speakers is None else np.array([place[name] for name in speakers], dtype=np.int64)
    is_by_speaker = options["unit"] == "speaker" and speaker is not None
    return Matches(
        ids=gold.read.ids,
        speakers=names,
        speaker=speaker,
        rows=rows,
        edits=edits,
        words=words,
        unit=speaker if is_by_speaker and speaker is not None else np.arange(n),
        n_units=len(names) if is_by_speaker else n,
    )


def _totals(matches: Matches, system: System) -> dict[str, int | float]:
    sums: Array = matches.rows.sum(axis=0)
    totals: dict[str, int | float] = {name: int(sums[list(kinds)].sum()) for name, kinds in TOTALS.items()}
    return totals | {
        "speakers": len(matches.speakers),
        "missing_utterances": _n_missing(system),
        "empty_transcripts": _n_empty(system),
    }


def _n_missing(system: System) -> int:
    return system.read.texts.count(None)


def _n_empty(system: System) -> int:
    """Count transcripts that are there and have no word."""
    return sum(not words for words in system.words) - _n_missing(system)


def _warnings(gold: Gold, system: System) -> list[str]:
    warnings: list[str] = []
    if missing := _n_missing(system):
        warnings.append(
            Message.counted(
                "utterances-missing",
                "1 utterance is missing: its words count as deleted",
                "{n} utterances are missing: their words count as deleted",
                missing,
            )
        )
    if empty := _n_empty(system):
        warnings.append(Message.counted("empty-transcripts", "1 empty transcript", "{n} empty transcripts", empty))
    if n := system.read.n_with_ids:
        warnings.append(
            Message(
                "id-read-as-word",
                "{n} of {of} lines hold the id of an utterance, which was read as a word",
                n=n,
                of=len(system.words),
            )
        )
    if system.read.odd:
        warnings.append(system.read.odd.said)
    return warnings + (about_gold([gold.read.odd.said]) if gold.read.odd else [])
