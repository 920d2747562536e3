"""Texts as integers: each different text of a corpus is kept once."""

from typing import Self

UNSET = 0


class Strings(dict[str | None, int]):
    """The code of each text, given out as texts come; 0 stands for "" and for None.

    `strings[text]` of a new text enters it; TypeError if it is no text at all.
    """

    def __init__(self) -> None:
        super().__init__({"": UNSET, None: UNSET})
        self.texts = [""]

    def __missing__(self, text: str | None) -> int:
        if type(text) is not str:
            raise TypeError(f"{text!r} is no text")
        code = self[text] = len(self.texts)
        self.texts.append(text)
        return code

    def copy(self) -> Self:
        """The same codes, to which one system's texts can be added without changing those of the gold."""
        other = type(self)()
        other.update(self)
        other.texts = self.texts.copy()
        return other


class Morphs(dict[str | None, int]):
    """The code of the canonical form of morphological features as they are written; None is unset.

    Features are sorted, and the values inside them too, so that their order says nothing.
    """

    def __init__(self, strings: Strings) -> None:
        super().__init__({None: UNSET, "": strings[EMPTY_MORPH]})
        self._strings = strings

    def __missing__(self, feats: str | None) -> int:
        if type(feats) is not str:
            raise TypeError(f"{feats!r} is no text")
        code = self[feats] = self._strings[_canonical(feats)]
        return code


EMPTY_MORPH = "_"


def _canonical(feats: str) -> str:
    if feats == EMPTY_MORPH:
        return feats
    values: dict[str, str] = {}
    for feature in filter(None, feats.split("|")):
        field, equals, value = feature.partition("=")
        values[field] = equals + ",".join(sorted(value.split(",")))
    return "|".join(sorted(field + value for field, value in values.items())) or EMPTY_MORPH
