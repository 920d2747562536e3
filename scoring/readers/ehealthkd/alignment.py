r"""The sentences of brat files, and the alignment of a system's with the gold's as the programs of 2020 and 2021 do it.

They compare letters and digits alone, without case. A gold sentence that the system does not have next counts as one
without annotations, so that all in it is missing; what a system has beyond the gold's last sentence is not looked at.
After an *additional* sentence nothing of the gold is found any more.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.columns import Integers
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.ehealthkd.columns import Phrases
from scoring.readers.ehealthkd.sentences import Sentences
from scoring.readers.problems import Problems, cut

_LISTED = 20
# Altered texts cannot share the words of long phrases with the gold's; so many words are kept beside each other.
_MOST_WORDS = 2**22


def parse_lines_of_text(text: str) -> Sentences:
    r"""Return lines as `str.splitlines` ends them, without empty ones, stripped of white space at both ends.

    As the challenge's program does it: offsets count as if empty lines were not there, and a line of blanks is an
    empty sentence. Unlike in the files of 2019, form feeds, U+0085 and U+2028 end a line.

    >>> sentences = parse_lines_of_text("Uno\n\nDos\u2028Tres\n \n")
    >>> sentences.texts, sentences.lines
    (['Uno', 'Dos', 'Tres', ''], [1, 3, 4, 5])
    """
    numbered = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line]
    return Sentences([line.strip() for _, line in numbered], [number for number, _ in numbered])


@dataclass(frozen=True)
class Alignment:
    """A system's sentences brought to the places of the gold's."""

    sentences: Sentences  # one for each of the gold, the system's own where it has one; then those without a place
    place: Integers  # for each sentence of the system's file its index in `sentences`
    differing: list[int]  # indices of the sentences whose text is not that of the gold
    warnings: list[Finding]

    def moved(self, phrases: Phrases) -> Phrases:
        """Return the phrases of the system's file, each in its place."""
        return Phrases(
            phrases.ids,
            phrases.labels,
            phrases.label,
            self.place[phrases.sentence],
            phrases.first,
            phrases.starts,
            phrases.ends,
            phrases.line,
        )


def align_officially(gold: Sequence[str], system: Sentences, file: str) -> Alignment:
    """Return the alignment that the challenge's program finds; what it does not find is told in warnings.

    >>> aligned = align_officially(["Uno.", "Dos.", "Tres."], Sentences(["uno", "Tres.", "Cuatro."]), "output.txt")
    >>> aligned.sentences.texts, aligned.place, aligned.differing
    (['uno', 'Dos.', 'Tres.', 'Cuatro.'], array([0, 2, 3]), [0])
    >>> print(*aligned.warnings, sep="\\n")
    output.txt: sentence 2 of the input is not found: all in it is missing
    output.txt:3: sentence left out, because the input has none that it could be
    """
    texts, place, lost, k = list(gold), [], [], 0
    wanted = [_letters(text) for text in system.texts[: len(gold)]]
    for i, text in enumerate(gold):
        if k < len(wanted) and _letters(text) == wanted[k]:
            texts[i] = system.texts[k]
            place.append(i)
            k += 1
        else:
            lost.append(i)
    texts += system.texts[k:]
    place += range(len(gold), len(texts))
    warnings = [
        Finding(
            Message(
                "sentence-input-not-found", "sentence {i} of the input is not found: all in it is missing", i=i + 1
            ),
            file,
        )
        for i in lost
    ]
    message = Message("sentence-left-out-because", "sentence left out, because the input has none that it could be")
    spare = Problems(file, _LISTED)
    spare.add_lines(message, [*map(system.line, range(k, len(system.texts)))])
    return Alignment(
        sentences=Sentences(texts),
        place=np.array(place, dtype=np.int64),
        differing=[i for i, text in enumerate(gold) if texts[i] != text],
        warnings=cut(warnings, _LISTED, file) + spare.listed(),
    )


def too_many_words(phrases: Phrases, alignment: Alignment, file: str) -> list[Finding]:
    """Return the problem of phrases over so many words of altered sentences that they cannot all be kept.

    `phrases` are in their places, sentence by sentence.
    """
    head = phrases.first[:-1][np.diff(phrases.first) == 1]
    sentence = phrases.sentence[np.diff(phrases.first) == 1]
    number = 0
    for i in alignment.differing:
        of_sentence = slice(*np.searchsorted(sentence, [i, i + 1]).tolist())
        starts, ends = phrases.starts[head[of_sentence]], phrases.ends[head[of_sentence]]
        blanks = [place for place, char in enumerate(alignment.sentences.texts[i]) if char == " "]
        number += len(starts) + int(
            np.maximum(np.searchsorted(blanks, ends) - np.searchsorted(blanks, starts), 0).sum()
        )
    if number <= _MOST_WORDS:
        return []
    return [
        Finding(
            Message(
                "phrases-over-words-sentences",
                "phrases over {number:,} words of sentences that differ from the input: too many",
                number=number,
            ),
            file,
        )
    ]


def _letters(text: str) -> str:
    return "".join(char.lower() for char in text if char.isalnum())
