"""The fewest edits between reference and transcript, of all utterances at once, as columns.

Each edit costs 1. Of the cheapest alignments the one is taken that RapidFuzz gives, and jiwer with it: with the common
beginning and end taken away, and D[i][j] the least edits between the first i of the reference and the first j of the
transcript, it goes back from the end:

    D[i][j] = D[i-1][j] + 1        deletion        i -= 1
    D[i][j-1] < D[i-1][j-1]        insertion       j -= 1
    else                           hit or substitution, both

so `a b` against `b c` is two substitutions, and not a deletion and an insertion. The same in plain Python:
tests/scoring/plain/transcripts.py. (sclite weighs a substitution 4, and a deletion or insertion 3.)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any

import numpy as np

from scoring import lazy
from scoring.columns import Integers, sums_by_cell
from scoring.errors import ConfigurationError
from scoring.families.transcripts.normalising import Words
from scoring.messages import Message

NONE = -1  # stands for the word that a deletion has not in the transcript, or an insertion not in the reference
SUBSTITUTION, DELETION, INSERTION = range(3)
N_EDITS = 3
_KINDS = {"replace": SUBSTITUTION, "delete": DELETION, "insert": INSERTION}

_STEPS = {"equal": "hit", "replace": "substitution", "delete": "deletion", "insert": "insertion"}

Step = tuple[str, str | None, str | None]  # what became of a word; the reference's and the transcript's, None for none
# (kind, place in the reference, place in the transcript) of each edit of one utterance.
_Edit = tuple[str, int, int]


@dataclass(frozen=True)
class Edits:
    """The e edits of all utterances, by utterance and then by place."""

    utterance: Integers  # (e,)
    kind: Integers  # (e,) SUBSTITUTION, DELETION or INSERTION
    reference: Integers  # (e,) code of the reference's word; NONE for an insertion
    system: Integers  # (e,) code of the transcript's word; NONE for a deletion

    def by_utterance(self, n_utterances: int) -> Integers:
        """Return how many of each kind: (utterances, 3)."""
        return sums_by_cell((n_utterances, N_EDITS), self.utterance, self.kind)


def align_words(gold: Sequence[Words], system: Sequence[Words]) -> tuple[Edits, list[str]]:
    """Align n utterances of both sides: return the edits, and the word of each code that they name.

    RapidFuzz tells words apart by their hashes of 64 bits, which begin with a secret of the process: nobody can make
    two words that it takes for one, and by chance it happens less often than a computer errs. Numbers in their place
    would be looked up for every word, and not only for those that went wrong.

    >>> edits, words = align_words([["the", "cat"], ["hello", "there"]], [["a", "cat"], ["hello"]])
    >>> edits.kind, edits.reference, edits.system, words
    (array([0, 1]), array([0, 1]), array([ 2, -1]), ['the', 'there', 'a'])

    ConfigurationError if RapidFuzz is not installed.
    """
    edits_of = _levenshtein().editops
    pairs = enumerate(zip(gold, system, strict=True))
    edits = [(k, edits_of(*both).as_list()) for k, both in pairs if both[0] != both[1]]
    utterance = np.repeat([k for k, _ in edits], [len(edits) for _, edits in edits]).astype(np.int64)
    every: list[_Edit] = list(chain.from_iterable(edits for _, edits in edits))
    kind = np.fromiter((_KINDS[edit[0]] for edit in every), np.int64, len(every))
    placed = list(zip(utterance.tolist(), every, strict=True))
    lost = [gold[k][place] for k, (name, place, _) in placed if name != "insert"]
    heard = [system[k][place] for k, (name, _, place) in placed if name != "delete"]
    code: dict[str, int] = {}
    codes = np.array([code.setdefault(word, len(code)) for word in chain(lost, heard)], dtype=np.int64)
    reference, transcript = np.full(len(every), NONE), np.full(len(every), NONE)
    reference[kind != INSERTION] = codes[: len(lost)]
    transcript[kind != DELETION] = codes[len(lost) :]
    return Edits(utterance, kind, reference, transcript), list(code)


def count_edits(gold: Sequence[str], system: Sequence[str]) -> Integers:
    """Count substitutions, deletions and insertions of characters in each utterance: (n, 3).

    >>> count_edits(["the cat", ""], ["a cat", "uh"])
    array([[1, 2, 0],
           [0, 0, 2]])
    """
    stretches_of = _levenshtein().opcodes
    kinds = np.zeros((len(gold), N_EDITS), dtype=np.int64)
    for k, (reference, transcript) in enumerate(zip(gold, system, strict=True)):
        if reference != transcript:
            kinds[k] = _sums(stretches_of(reference, transcript).as_list())
    return kinds


def steps(reference: Sequence[str], system: Sequence[str]) -> list[Step]:
    """Align one utterance word by word; hits are among the edits.

    >>> steps(["the", "cat", "sat"], ["a", "cat"])
    [('substitution', 'the', 'a'), ('hit', 'cat', 'cat'), ('deletion', 'sat', None)]
    """
    steps_made: list[Step] = []
    for tag, start, end, start_in_system, end_in_system in _levenshtein().opcodes(reference, system).as_list():
        words, other = reference[start:end], system[start_in_system:end_in_system]
        # What stands in the place of something has as many words.
        steps_made += [(_STEPS[tag], *pair) for pair in zip_longest(words, other)]
    return steps_made


def _sums(stretches: Sequence[tuple[str, int, int, int, int]]) -> tuple[int, int, int]:
    """Count substitutions, deletions and insertions of one utterance, from stretches of one kind: these are fewer."""
    substituted = deleted = inserted = 0
    for tag, start, end, start_in_system, end_in_system in stretches:
        if tag == "replace":
            substituted += end - start
        elif tag == "delete":
            deleted += end - start
        elif tag == "insert":
            inserted += end_in_system - start_in_system
    return substituted, deleted, inserted


def _levenshtein() -> Any:
    try:
        return lazy.load("rapidfuzz.distance", "Levenshtein")
    except ImportError:
        raise ConfigurationError(
            Message(
                "family-needs-package",
                "the family {family} needs the package {package}",
                family="transcripts",
                package="rapidfuzz",
            )
        ) from None
