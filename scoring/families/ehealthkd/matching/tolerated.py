"""Sentences that a system returns with other blanks or another composition of characters, and what that moves.

Some runs come from programs that turn a no-break space into a blank or compose an accent. Their sentences are
*tolerated* (`scoring.readers.ehealthkd.sentences`) and scored as if the participant had kept the text: phrases are
cut at the blanks of the folded text, and the positions of both sides are moved to it.
"""

import unicodedata
from dataclasses import replace

import numpy as np

from scoring.readers.ehealthkd import Gold, Phrases, Sentences, System, fold


def matched_texts(gold: Gold, system: System) -> list[str]:
    """Return the sentences that phrases are matched in: the gold's, folded where the system's are tolerated."""
    texts = gold.sentences.texts
    # Where the challenge's program is followed, a system may have more sentences; they are not scored.
    n_more = len(system.sentences.texts) - len(texts)
    if n_more > 0:
        texts = texts + [""] * n_more
    if system.has_phrases and system.comparison.tolerated:
        texts = list(texts)
        for i in system.comparison.tolerated:
            texts[i] = fold(texts[i])
    return texts


def moved_phrases(phrases: Phrases, sentences: Sentences, system: System) -> Phrases:
    """Return phrases of either side, in its own `sentences`, with positions of the folded text where that is tolerated.

    If the system has no phrases of its own, both sides' are the gold's and nothing is moved.
    """
    if not system.has_phrases:
        return phrases
    # Only composition moves a position: a blank of another kind is one character as well.
    decomposed = {
        i: sentences.texts[i]
        for i in system.comparison.tolerated
        if not unicodedata.is_normalized("NFC", sentences.texts[i])
    }
    return _moved(phrases, decomposed) if decomposed else phrases


def _moved(phrases: Phrases, decomposed: dict[int, str]) -> Phrases:
    """Move the positions of phrases in these sentences: {index of the sentence: its text}."""
    sentence = np.repeat(phrases.sentence, np.diff(phrases.first))  # of each span
    starts, ends = phrases.starts.copy(), phrases.ends.copy()
    for k in np.flatnonzero(np.isin(sentence, list(decomposed))).tolist():
        starts[k] = _composed(decomposed[int(sentence[k])], int(starts[k]))
        ends[k] = _composed(decomposed[int(sentence[k])], int(ends[k]))
    return replace(phrases, starts=starts, ends=ends)


def _composed(text: str, position: int) -> int:
    r"""Return where a position of the text lies in its composed form (NFC).

    A position before the text stays, one behind it keeps its distance to the end.

    >>> [_composed("nin\u0303o", position) for position in (-1, 2, 4, 5, 7)]
    [-1, 2, 3, 4, 6]
    """
    if position <= 0:
        return position
    composed = unicodedata.normalize("NFC", text[:position])
    return len(composed) + max(0, position - len(text))
