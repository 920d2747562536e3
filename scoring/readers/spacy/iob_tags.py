"""Entities from one tag per token: IOB, BIO, BILUO, BIOES."""

from collections.abc import Mapping, Sequence
from typing import Any

Entity = list[int | str]  # [start, end, type]


def decode(tags: Sequence[str]) -> tuple[list[Entity], list[int]]:
    """Return the entities, and the tokens whose tags continue nothing and so begin an entity of their own.

    B, U and S begin; L, E, U and S end; I, L and E continue an open entity of their type and otherwise begin
    one, as the evaluation program of CoNLL (conlleval) reads them.

    >>> decode(["B-PER", "I-PER", "O", "I-LOC"])
    ([[0, 2, 'PER'], [3, 4, 'LOC']], [3])
    """
    entities: list[Entity] = []
    continuing_nothing: list[int] = []
    begin, open_type = 0, None
    # The tag at the end closes an entity that reaches to the last token.
    for i, tag in enumerate([*tags, "O"]):
        prefix, _, type_ = tag.partition("-")
        continues = prefix in _CONTINUING and open_type == type_
        if open_type is not None and not continues:
            entities.append([begin, i, open_type])
            open_type = None
        if prefix in _IN_ENTITY and not continues:
            begin, open_type = i, type_
            if prefix in _CONTINUING:
                continuing_nothing.append(i)
        if prefix in _ENDING and open_type is not None:
            entities.append([begin, i + 1, open_type])
            open_type = None
    return entities, continuing_nothing


def is_tag(text: str) -> bool:
    """Return whether it is O, or one of the letters B I L U E S with a hyphen and a type."""
    return text == "O" or (text[:1] in _IN_ENTITY and text[1:2] == "-" and len(text) > 2)


def tag_form(options: Mapping[str, Any]) -> str:
    """Return the option of this name; evaluations that were stored before there was one do not have it."""
    return options.get("tag_form") or "prefix"


def prefixed(tag: str, form: str) -> str:
    """Put a tag's letter in front; `form` is "suffix" where it has to stand at the end, and "" comes of others.

    >>> prefixed("PER-B", "suffix"), prefixed("O", "suffix"), prefixed("B-PER", "prefix")
    ('B-PER', 'O', 'B-PER')
    """
    if form == "prefix" or tag == "O":
        return tag
    return f"{tag[-1]}-{tag[:-2]}" if tag[-2:-1] == "-" else ""


# The letters of each scheme that can be asked for.
SCHEMES = {"IOB1": "IOB", "IOB2": "IOB", "IOE1": "IOE", "IOE2": "IOE", "IOBES": "IOBES", "BILOU": "BILOU"}

# Begin, inside, last, unit, end, single: the letters of IOB, BILUO and BIOES, which mean the same wherever they occur.
_IN_ENTITY = frozenset("BILUES")
_CONTINUING = frozenset("ILE")
_ENDING = frozenset("LEUS")
