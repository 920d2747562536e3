"""Texts as integers: each different text of a corpus is kept once."""

from typing import Self

# The code of a text that is not set.
UNSET = 0
# The canonical form of tokens that are annotated as having no morphological features. Where nothing is annotated, the
# code is UNSET.
EMPTY_MORPH = "_"


class Strings(dict[str | None, int]):
    """The code of each text, given out as texts come; 0 stands for "" and for None.

    `strings[text]` of a new text enters it; TypeError if it is no text at all.

    >>> strings = Strings()
    >>> strings["PER"], strings["LOC"], strings["PER"], strings[None], strings.texts
    (1, 2, 1, 0, ['', 'PER', 'LOC'])
    """

    def __init__(self) -> None:
        super().__init__({"": UNSET, None: UNSET})
        # The text of each code.
        self.texts = [""]

    def __missing__(self, text: str | None) -> int:
        if type(text) is not str:
            raise TypeError(f"{text!r} is no text")
        code = self[text] = len(self.texts)
        self.texts.append(text)
        return code

    def copy(self) -> Self:
        """Return the same codes, to which one system's texts can be added without changing those of the gold."""
        other = type(self)()
        other.update(self)
        other.texts = self.texts.copy()
        return other


class Morphs(dict[str | None, int]):
    """The code of morphological features as they are written; None is unset.

    It is that of their canonical form, in which features are sorted and the values inside them too: spaCy compares
    features so, and their order says nothing. "" and "_" are both annotated as having none.
    """

    def __init__(self, strings: Strings) -> None:
        super().__init__({None: UNSET, "": strings[EMPTY_MORPH]})
        self._strings = strings

    def __missing__(self, feats: str | None) -> int:
        if type(feats) is not str:
            raise TypeError(f"{feats!r} is no text")
        code = self[feats] = self._strings[_canonical(feats)]
        return code


def _canonical(feats: str) -> str:
    """Return the canonical form.

    >>> _canonical("Number=Sing|Gender=Masc,Fem")
    'Gender=Fem,Masc|Number=Sing'
    """
    if feats == EMPTY_MORPH:
        return feats
    values: dict[str, str] = {}
    for feature in filter(None, feats.split("|")):
        field, equals, value = feature.partition("=")
        # Of a field that stands twice the last value counts, as in spaCy.
        values[field] = equals + ",".join(sorted(value.split(",")))
    return "|".join(sorted(field + value for field, value in values.items())) or EMPTY_MORPH
