"""The baseline: pronouns, capitalised names and what follows an article are mentions, equal strings are one entity."""

from itertools import accumulate

from demo.coreference.documents import Document

PRONOUNS = {"he", "she", "it", "they", "him", "her", "them", "his", "its", "their"}
ARTICLES = {"the", "a", "an"}
# Beside these a noun group may go on.
ENDS = {
    *("of", "in", "on", "to", "and", "that", "was", "had", "has", "with", "from", "at", "for", "is", "but", "by", "as"),
    *("who", "which", "until", "about", "into", "since", "will", "told", "said", "he", "she", "it", "before", "so"),
}
DAYS = {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
LONGEST = 3


def look_up(document: Document) -> dict[tuple[int, int], str]:
    words = document.words
    starts = {0, *accumulate(map(len, document.sentences))}
    chains = {}
    i = 0
    while i < len(words):
        last = i if words[i].lower() in PRONOUNS else _last_of_name(words, i, i in starts)
        if last is None and words[i].lower() in ARTICLES:
            last = _last_of_group(words, i)
        if last is None:
            i += 1
            continue
        chains[i, last] = " ".join(words[i : last + 1]).lower()
        i = last + 1
    return chains


def _last_of_name(words: list[str], first: int, is_start: bool) -> int | None:
    """The end of a run of capitalised words; a single one at the start of a sentence may be anything."""
    last = first
    while last < len(words) and words[last][0].isupper() and words[last] not in DAYS:
        last += 1
    return None if last == first + is_start or last == first else last - 1


def _last_of_group(words: list[str], first: int) -> int | None:
    last = first
    while last + 1 < len(words) and last - first < LONGEST - 1 and words[last + 1].isalpha():
        if words[last + 1] in ENDS or words[last + 1][0].isupper():
            break
        last += 1
    return None if last == first else last
