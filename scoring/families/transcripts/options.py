"""What an organiser may choose: how words are compared, and what ranks."""

import json
from collections.abc import Mapping
from typing import Any

from scoring.family import Option, Options, choose
from scoring.readers.transcripts import FORMATS

Replacements = dict[str, str]  # {word: what stands for it, any number of words with a blank between them}

_LONGEST_MARKS = 1000  # characters


def _parsed_map(given: Any) -> Replacements | None:
    """{word: its replacement}, sorted by word, from a mapping, its JSON, or texts "word = replacement"; or None."""
    if given is None or given == "" or given == []:
        return None
    if isinstance(given, list):
        given = dict(map(_pair, given))
    try:
        found = json.loads(given) if isinstance(given, str) else given
    except (json.JSONDecodeError, RecursionError):
        found = None
    if not isinstance(found, Mapping) or not all(_is_replacement(*pair) for pair in found.items()):
        raise ValueError("expected a JSON object of single words and their replacements")
    return {word: " ".join(found[word].split()) for word in sorted(found)} or None


def _pair(text: object) -> tuple[str, str]:
    """The word and what stands for it, of a line of a form: "gonna = going to", or "uh =" for nothing."""
    word, sign, replacement = str(text).partition("=")
    if not sign or not _is_replacement(word.strip(), replacement):
        raise ValueError(f"expected a word, = and what stands for it; found {str(text)[:40]!r}")
    return word.strip(), replacement


def _is_replacement(word: object, replacement: object) -> bool:
    return isinstance(word, str) and isinstance(replacement, str) and word.split() == [word]


def _parsed_marks(given: Any) -> str:
    if not isinstance(given, str) or len(given) > _LONGEST_MARKS:
        raise ValueError("expected characters, such as '-")
    return given


# What each does to the words stands in normalising.py.
OPTIONS = (
    Option(
        "headline",
        "wer",
        ("wer", "mer", "wil", "cer", "ser"),
        "the score that ranks; of all of them less is better",
        title="The score that ranks",
    ),
    Option(
        "case",
        "keep",
        ("keep", "lower"),
        "lower: capitals and small letters are the same",
        title="Capitals",
    ),
    Option(
        "punctuation",
        "keep",
        ("keep", "remove", "space"),
        "remove: punctuation is left out, so that don't becomes dont; space: it becomes a blank, which parts words",
        title="Punctuation",
    ),
    Option(
        "keep_marks",
        "",
        (),
        "punctuation that stays in any case",
        parse=_parsed_marks,
        values="characters without blanks between them, such as '-",
        title="Punctuation that stays",
    ),
    Option(
        "map",
        None,
        (),
        "words that stand for others, or for nothing, on both sides, as gonna = going to; they are compared with words "
        "as the other options leave them",
        parse=_parsed_map,
        values='a JSON object of single words and their replacements, such as {"uh": "", "gonna": "going to"}',
        title="Words that stand for others",
        takes="texts",
    ),
    Option(
        "unicode",
        "nfc",
        ("nfc", "nfkc", "none"),
        "nfc: a letter with its accent is one character, however it is written; nfkc: also ligatures and wide letters "
        "are as others",
        title="Form of Unicode",
        is_advanced=True,
    ),
    Option(
        "cer_spaces",
        "count",
        ("count", "ignore"),
        "whether the character error rate counts the blank between two words as a character",
        title="Blanks as characters",
        is_advanced=True,
    ),
    Option(
        "unit",
        "utterance",
        ("utterance", "speaker"),
        "what intervals and comparisons resample",
        changes_scores=False,
        title="Unit of intervals",
    ),
    Option(
        "speaker",
        "auto",
        ("auto", "field", "prefix", "none"),
        "field: the gold says it, in a third column, a key or utt2spk; prefix: the id up to its first - or _; auto: "
        "field if the gold says it, else none",
        changes_scores=False,
        title="Speakers",
        is_advanced=True,
    ),
    Option(
        "missing",
        "refuse",
        ("refuse", "delete"),
        "utterances that a run lacks: refuse the run, or count all their words as deleted",
        title="Missing utterances",
        is_advanced=True,
    ),
    Option(
        "format",
        "auto",
        ("auto", *FORMATS),
        "of the runs; auto: told by name and content",
        changes_scores=False,
        title="Format of the runs",
    ),
    Option(
        "gold_format",
        None,
        ("auto", *FORMATS),
        "of the gold; by default as of the runs",
        changes_scores=False,
        title="Format of the gold",
        is_advanced=True,
    ),
)


def configure(given: Mapping[str, object]) -> Options:
    """All options; without a value of its own the gold's format is that of the runs."""
    options = choose(OPTIONS, given)
    return options | {"gold_format": options["gold_format"] or options["format"]}


def headline(options: Options) -> str:
    """The score that ranks."""
    return str(options["headline"])


def unit(options: Options) -> tuple[str, str]:
    """What is resampled, in singular and plural."""
    return ("speaker", "speakers") if options["unit"] == "speaker" else ("utterance", "utterances")
