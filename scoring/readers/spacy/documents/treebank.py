"""A CoNLL-U file as the metrics of Universal Dependencies see it: its text, tokens, words and sentences.

A token is a piece of the text; a word is what the tree is made of. Most tokens are one word; a multiword token, which
has a line of its own (2-3), is several, whose forms need not be in the text. The text is that of all tokens without
blanks, so that it is the same however it is cut.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Flags, Integers

Codes = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Treebank:
    """Words and tokens are counted over the whole file; texts are codes of the file's documents."""

    text: str  # the characters of all tokens
    token_start: Integers  # (tokens + 1,) the first character of each, and the end
    sentence_start: Integers  # (sentences + 1,) likewise
    document_start: Integers  # (documents,) likewise; of a system's file not known
    token_line: Integers  # (tokens,) of the file, from 1

    # Of each word: (words,).
    token: Integers  # in which it is
    is_part: Flags  # whether it is one of a multiword token, which may have one word only
    forms: Sequence[str]
    head: Integers  # the word that it depends on; -1 for a root
    upos: Codes
    xpos: Codes
    feats: Codes  # universal features only, sorted; UNSET without any
    lemma: Codes
    lacks_lemma: Flags
    deprel: Codes  # without subtype
    is_content: Flags
    is_functional: Flags

    def with_documents(self, first_sentence: Integers) -> Self:
        """Return the same with documents that begin with these sentences (documents,)."""
        return replace(self, document_start=self.sentence_start[first_sentence])

    def document_of(self, character: Integers) -> Integers:
        """Return in which document each character is."""
        return np.searchsorted(self.document_start, character, side="right") - 1
