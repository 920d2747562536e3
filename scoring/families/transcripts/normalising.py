"""Turns a text into the words that are compared: the same steps for both sides, chosen by the organiser.

    text                "Uh, it's  GONNA rain"      case=lower punctuation=remove keep_marks=' map={"uh": "", …}
    1  form of Unicode  "Uh, it's  GONNA rain"
    2  small letters    "uh, it's  gonna rain"
    3  punctuation      "uh it's  gonna rain"
    4  words            uh  it's  gonna  rain       parted at white space, of any kind that Unicode has
    5  map              it's  going  to  rain       once, word by word

All texts go through the first steps as one, with a line feed between them: none of the steps looks across it.
"""

import unicodedata
from collections.abc import Mapping, Sequence

from scoring.family import Options
from scoring.spelling.strings import composed_words

Words = list[str]


def words_of(texts: Sequence[str], options: Options) -> list[Words]:
    """Return the words of each text.

    >>> options = {"unicode": "nfc", "case": "lower", "punctuation": "remove", "keep_marks": "'", "map": {"uh": ""}}
    >>> words_of(["Uh, it's raining.", ""], options)
    [["it's", 'raining'], []]
    """
    if not texts:
        return []
    joined = "\n".join(texts)
    if joined.count("\n") != len(texts) - 1:
        # A line feed inside of a text, as JSON can have it, parts words and not texts.
        joined = "\n".join(text.replace("\n", " ") for text in texts)
    if options["unicode"] != "none":
        joined = composed_words(joined, "NFKC" if options["unicode"] == "nfkc" else "NFC")
    if options["case"] == "lower":
        # Python's rule: ß stays, and the capital sigma at a word's end becomes ς. No folding.
        joined = joined.lower()
    if options["punctuation"] != "keep":
        marks = _marks(joined, options["keep_marks"])
        joined = joined.translate(dict.fromkeys(marks, " " if options["punctuation"] == "space" else None))
    words = [line.split() for line in joined.split("\n")]
    return [_mapped(of_text, options["map"]) for of_text in words] if options["map"] else words


def characters_of(words: Sequence[Words], options: Options) -> list[str]:
    """Return the characters of each utterance: its words with one blank between them, or none."""
    return list(map((" " if options["cer_spaces"] == "count" else "").join, words))


def _marks(text: str, kept: str) -> list[int]:
    """Return the code points of the punctuation that the text has, without those that are kept.

    Punctuation is what Unicode's categories P* have; symbols, such as $ and +, are none.
    """
    return [
        ord(character) for character in set(text).difference(kept) if unicodedata.category(character).startswith("P")
    ]


def _mapped(words: Words, replacements: Mapping[str, str]) -> Words:
    words_mapped: Words = []
    for word in words:
        if word in replacements:
            words_mapped += replacements[word].split()
        else:
            words_mapped.append(word)
    return words_mapped
