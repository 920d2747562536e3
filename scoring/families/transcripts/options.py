"""Holds what an organiser may choose: how words are compared, and what ranks."""

import json
from collections.abc import Mapping
from typing import Any

from scoring.families.option_types import one_of, parsed
from scoring.families.transcripts.wording import OPTION_WORDS
from scoring.family import Options, choose, with_words
from scoring.messages import Message
from scoring.readers.transcripts import FORMATS

Replacements = dict[str, str]  # {word: what stands for it, any number of words with a blank between them}

_LONGEST_MARKS = 1000  # characters


def _parsed_map(given: Any) -> Replacements | None:
    """Return {word: its replacement}, sorted by word, from a mapping, its JSON, or texts "word = replacement"."""
    if given is None or given == "" or given == []:
        return None
    if isinstance(given, list):
        given = dict(map(_pair, given))
    try:
        value = json.loads(given) if isinstance(given, str) else given
    except (json.JSONDecodeError, RecursionError):
        value = None
    if not isinstance(value, Mapping) or not all(_is_replacement(*pair) for pair in value.items()):
        raise ValueError(
            Message("expected-replacements", "expected a JSON object of single words and their replacements")
        )
    return {word: " ".join(value[word].split()) for word in sorted(value)} or None


def _pair(text: object) -> tuple[str, str]:
    """Return the word and what stands for it, of a line of a form: "gonna = going to", or "uh =" for nothing."""
    word, sign, replacement = str(text).partition("=")
    if not sign or not _is_replacement(word.strip(), replacement):
        raise ValueError(
            Message(
                "expected-replacement",
                "expected a word, = and what stands for it; found {found!r}",
                found=str(text)[:40],
            )
        )
    return word.strip(), replacement


def _is_replacement(word: object, replacement: object) -> bool:
    return isinstance(word, str) and isinstance(replacement, str) and word.split() == [word]


def _parsed_marks(given: Any) -> str:
    if not isinstance(given, str) or len(given) > _LONGEST_MARKS:
        raise ValueError(Message("expected-characters", "expected characters, such as '-"))
    return given


# What each does to the words stands in normalising.py.
OPTIONS = with_words(
    OPTION_WORDS,
    one_of("wer", "mer", "wil", "cer", "ser").option(
        "headline", "the score that ranks; of all of them less is better", "The score that ranks"
    ),
    one_of("keep", "lower").option("case", "lower: capitals and small letters are the same", "Capitals"),
    one_of("keep", "remove", "space").option(
        "punctuation",
        "remove: punctuation is left out, so that don't becomes dont; space: it becomes a blank, which parts words",
        "Punctuation",
    ),
    parsed(_parsed_marks, "characters without blanks between them, such as '-").option(
        "keep_marks", "punctuation that stays in any case", "Punctuation that stays", default=""
    ),
    parsed(
        _parsed_map,
        'a JSON object of single words and their replacements, such as {"uh": "", "gonna": "going to"}',
        "texts",
    ).option(
        "map",
        "words that stand for others, or for nothing, on both sides, as gonna = going to; they are compared with words "
        "as the other options leave them",
        "Words that stand for others",
    ),
    one_of("nfc", "nfkc", "none").advanced(
        "unicode",
        "nfc: a letter with its accent is one character, however it is written; nfkc: also ligatures and wide letters "
        "are as others",
        "Form of Unicode",
    ),
    one_of("count", "ignore").advanced(
        "cer_spaces",
        "whether the character error rate counts the blank between two words as a character",
        "Blanks as characters",
    ),
    one_of("utterance", "speaker").unscored("unit", "what intervals and comparisons resample", "Unit of intervals"),
    one_of("auto", "field", "prefix", "none").minor(
        "speaker",
        "field: the gold says it, in a third column, a key or utt2spk; prefix: the id up to its first - or _; auto: "
        "field if the gold says it, else none",
        "Speakers",
    ),
    one_of("refuse", "delete").advanced(
        "missing",
        "utterances that a run lacks: refuse the run, or count all their words as deleted",
        "Missing utterances",
    ),
    one_of("auto", *FORMATS).unscored(
        "format", "of the runs; auto: recognised by name and content", "Format of the runs"
    ),
    one_of("auto", *FORMATS).minor(
        "gold_format", "of the gold; by default as of the runs", "Format of the gold", default=None
    ),
)


def configure(given: Mapping[str, object]) -> Options:
    """Return all options; without a value of its own the gold's format is that of the runs."""
    options = choose(OPTIONS, given)
    return options | {"gold_format": options["gold_format"] or options["format"]}


def headline(options: Options) -> str:
    """Return the score that ranks."""
    return str(options["headline"])


def unit(options: Options) -> tuple[str, str]:
    """Return what is resampled, in singular and plural."""
    return (
        Message.noun("speaker", "speakers") if options["unit"] == "speaker" else Message.noun("utterance", "utterances")
    )
