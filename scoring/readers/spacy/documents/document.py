"""One document as it stands in JSON Lines. The readers of all other formats make such documents too."""

from itertools import chain, repeat
from typing import Any

# {key: value} with the keys below. In its *regular form*, "id" is a text or an integer, "words" is a list of texts of
# which none is empty, each other list of tokens is as long as "words", and spans are lists [start, end, label] or
# [start, end, label, kb_id]. What else may be written is brought into that form by careful.py.
Document = dict[str, Any]

KEYS = frozenset(
    ("id", "words", "spaces", "text", "tags", "pos", "lemmas", "morphs", "heads", "deps", "sent_starts")
    + ("ents", "ents_missing", "spans", "cats")
)

# A list of the tags that a file in columns has, as they are written. No file in JSON has such a key: it has half of a
# surrogate pair.
WRITTEN_TAGS = "\ud800tags"
KEYS = KEYS | {WRITTEN_TAGS}

# Integers from here on are refused: one of the two JSON parsers reads longer ones as floats, so that results would
# depend on which is installed.
LARGEST_INTEGER = 2**63


def is_text_of(text: str, words: list[str], spaces: list[bool] | None) -> bool:
    """Tell whether a text is the words with their blanks, blanks at the end aside; unknown spaces are blanks."""
    blanks = repeat(" ") if spaces is None else [" " if space else "" for space in spaces]
    return text.rstrip(" ") == "".join(chain.from_iterable(zip(words, blanks, strict=False))).rstrip(" ")
