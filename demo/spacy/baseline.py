"""The baseline: what each word was most often in the training announcements; for trees, where its heads were."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from typing import TypeVar

from demo.spacy.documents import Document, documents_of
from demo.spacy.notices import LABELS

Value = TypeVar("Value")

LONGEST = 4  # words of a name


@cache
def _tags() -> dict[str, str]:
    return _most_frequent((word.lower(), tag) for each in documents_of("training") for word, tag in _tagged(each))


@cache
def _names() -> dict[str, str]:
    return _most_frequent(
        (" ".join(each.words[start:end]).lower(), label)
        for each in documents_of("training")
        for start, end, label in each.ents
    )


@cache
def _deps() -> dict[str, str]:
    return _most_frequent(
        pair
        for each in documents_of("training")
        for pair in zip(each.tags, each.deps, strict=True)
        if pair[1] != "ROOT"
    )


@cache
def _habits() -> dict[str, tuple[bool, str]]:
    """For each tag whether its heads mostly come after it, and their tag."""
    return _most_frequent(
        (tag, (head > i, each.tags[head]))
        for each in documents_of("training")
        for i, (tag, head) in enumerate(zip(each.tags, each.heads, strict=True))
        if head != i
    )


@cache
def _shares() -> dict[str, dict[str, float]]:
    """For words of at least two training announcements: how many of those have each category."""
    holders = defaultdict(list)
    for each in documents_of("training"):
        for word in {word.lower() for word in each.words}:
            holders[word].append(each)
    return {
        word: {label: sum(label in each.cats for each in found) / len(found) for label in LABELS}
        for word, found in holders.items()
        if len(found) > 1
    }


def tags(document: Document) -> list[str]:
    return [_tags().get(word.lower(), "NNP" if word[0].isupper() else "NN") for word in document.words]


def ents(document: Document) -> list[tuple[int, int, str]]:
    """The longest name at each word, from left to right."""
    words = [word.lower() for word in document.words]
    found: list[tuple[int, int, str]] = []
    i = 0
    while i < len(words):
        ends = [end for end in range(i + LONGEST, i, -1) if " ".join(words[i:end]) in _names()]
        if ends:
            end = min(ends[0], len(words))
            found.append((i, end, _names()[" ".join(words[i:end])]))
            i = end
        else:
            i += 1
    return found


def tree(document: Document) -> tuple[list[int], list[str]]:
    """A word hangs on the nearest word of the tag and on the side on which the heads of its own tag mostly are."""
    tagged = tags(document)
    heads: list[int] = []
    deps: list[str] = []
    start = 0
    for end in [i + 1 for i, word in enumerate(document.words) if word == "."]:
        root = _main_verb(tagged, start, end)
        found = {i: _nearest(tagged, i, start, end, root) for i in range(start, end)}
        heads += [found[i] if _reaches(found, i, root) else root for i in range(start, end)]
        deps += ["ROOT" if i == root else _deps().get(tagged[i], "dep") for i in range(start, end)]
        start = end
    return heads, deps


def _main_verb(tagged: list[str], start: int, end: int) -> int:
    """The last one of the first verbs that stand together, such as "will be diverted"."""
    verbs = [i for i in range(start, end) if tagged[i].startswith("VB")]
    root = verbs[0] if verbs else start
    while root + 1 in verbs:
        root += 1
    return root


def _nearest(tagged: list[str], i: int, start: int, end: int, root: int) -> int:
    is_after, head_tag = _habits().get(tagged[i], (True, ""))
    places = range(i + 1, end) if is_after else range(i - 1, start - 1, -1)
    return root if i == root else next((place for place in places if tagged[place] == head_tag), root)


def _reaches(heads: dict[int, int], i: int, root: int) -> bool:
    """Whether a word's way up ends at the root; those of a circle hang on it instead."""
    for _ in heads:
        i = heads[i]
    return i == root


def cats(document: Document) -> dict[str, float]:
    """The mean of the three words that speak most for a category."""
    known = [_shares()[word] for word in sorted({word.lower() for word in document.words}) if word in _shares()]
    return {label: round(sum(sorted(share[label] for share in known)[-3:]) / 3, 4) for label in LABELS}


def _tagged(document: Document) -> list[tuple[str, str]]:
    return list(zip(document.words, document.tags, strict=True))


def _most_frequent(pairs: Iterable[tuple[str, Value]]) -> dict[str, Value]:
    seen: dict[str, Counter[Value]] = defaultdict(Counter)
    for key, value in pairs:
        seen[key][value] += 1
    return {key: values.most_common(1)[0][0] for key, values in seen.items()}
