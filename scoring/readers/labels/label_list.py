"""The list of labels: what counts as the same label, their order, and the number of each."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from scoring.spelling.strings import composed, nearest

# The label of all items of a gold that was made of an input alone. No file of an organiser has it by chance.
UNKNOWN = "\x01"
_WORD = re.compile(r"[^\W_]+")
_LONGEST_TEXT = 300  # characters in which a label is looked for
_MOST_WORDS = 4  # of a label
_SHORTEST = 3  # characters of a label that begins another one
_ALIKE = 0.7  # of two labels one of which is misspelt; "other" is no misspelt "order"
_INTEGER = re.compile(r"[+-]?[0-9]{1,1000}")


@dataclass(frozen=True)
class LabelList:
    """L labels in their order."""

    names: tuple[str, ...]  # (L,)
    ignores_case: bool
    is_given: bool  # whether the organiser listed them, so that messages may name them
    is_open: bool = False  # whether any label will do, since the gold is an input of which nobody knows the labels

    @cached_property
    def code_of(self) -> dict[str, int]:
        """Return the place of each label, folded where case is ignored."""
        return {self.fold(name): code for code, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def fold(self, label: str) -> str:
        """Return what two spellings of one label have in common."""
        return folded(label) if self.ignores_case else label

    def code(self, label: str) -> int | None:
        """Return its place; None if it is not in the list."""
        return self.code_of.get(self.fold(label))

    def meant_by(self, label: str) -> str | None:
        """Return the label that was meant by one that is not in the list: the only one in its words, or a similar one.

        >>> made(["ask", "thank", "no reply"], ignores_case=False).meant_by("The label is: **Thank**.")
        'thank'
        >>> [made(["order", "negative"], ignores_case=False).meant_by(label) for label in ("other", "neg", "ordering")]
        [None, 'negative', 'order']
        """
        label = composed(label[:_LONGEST_TEXT], "NFKC")
        words = _WORD.findall(folded(label))
        places = {
            name
            for start, word in enumerate(words)
            if word in self._first_words
            for end in range(start + 1, min(start + _MOST_WORDS, len(words)) + 1)
            if (name := self._by_words.get(" ".join(words[start:end])))
        }
        if places:
            return places.pop() if len(places) == 1 else None
        names, written = [name for name in self.names if len(name) >= _SHORTEST], folded(label)
        begun = [name for name in names if written.startswith(folded(name)) or _begins(folded(name), written)]
        return begun[0] if len(begun) == 1 else nearest(label, self.names, _ALIKE)

    @cached_property
    def _by_words(self) -> dict[str, str]:
        """Return {words of a label, folded: the label}."""
        return {" ".join(_WORD.findall(folded(name))): name for name in reversed(self.names)}

    @cached_property
    def _first_words(self) -> set[str]:
        return {words.partition(" ")[0] for words in self._by_words}

    def extended(self, labels: Iterable[str]) -> "LabelList":
        """Add further labels, in the order of all together."""
        return made([*self.names, *labels], ignores_case=self.ignores_case)


def _begins(name: str, label: str) -> bool:
    """Return whether a label is the beginning of a name."""
    return len(label) >= _SHORTEST and name.startswith(label)


def made(labels: Iterable[str], *, ignores_case: bool) -> LabelList:
    """Make the list of all different labels, in the spelling that comes first.

    >>> made(["10", "9", "-1"], ignores_case=False).names, made(["b", "A", "B"], ignores_case=True).names
    (('-1', '9', '10'), ('A', 'b'))
    """
    spelling: dict[str, str] = {}
    for label in labels:
        spelling.setdefault(folded(label) if ignores_case else label, label)
    names = tuple(in_order([*spelling.values()]))
    return LabelList(names, ignores_case, is_given=False, is_open=names == (UNKNOWN,))


def of_hierarchy(pairs: Iterable[str]) -> list[tuple[str, str]]:
    """Return (parent, child) of pairs such as "Ethos > Doubt".

    >>> of_hierarchy(["Ethos > Doubt"])
    [('Ethos', 'Doubt')]
    """
    return [(above.strip(), below.strip()) for above, _, below in (pair.partition(">") for pair in pairs)]


def in_order(labels: Sequence[str]) -> list[str]:
    """Sort by values if all are integers, else by code points."""
    if all(map(_INTEGER.fullmatch, labels)):
        return sorted(labels, key=lambda label: (int(label), label))
    return sorted(labels)


def folded(label: str) -> str:
    """Take away differences of case."""
    return composed(label.casefold())
