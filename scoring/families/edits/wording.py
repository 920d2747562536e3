"""Holds what people read: the layout of both sides, the titles of scores and counts, options in words."""

from collections.abc import Collection, Mapping, Sequence

from scoring.families.f_beta import ANY, f_beta_titles
from scoring.family import HiddenMeaning, Options, OptionWords, Use
from scoring.messages import Message

TITLE = "Edits of sentences: ERRANT, M2"

USES = (
    Use(
        "error-edits",
        "Grammar and spelling, by edits",
        "Systems correct sentences, and each single edit counts, as ERRANT extracts it.",
    ),
    Use(
        "corrected-sentences",
        "Grammar and spelling, by corrected sentences",
        "Systems write corrected sentences, whose edits are found beside the gold's, as the M2 scorer does.",
        {"protocol": "m2scorer"},
    ),
)

LAYOUT = """\
One file in UTF-8 in the M2 format, alone or in a folder or zip archive, with all sentences of the task in their order:
a line of S, a blank and the tokens; then a line for each edit; then an empty line.
An edit: A, a blank, the first token and the one behind the last (from 0), and with ||| between them its type, the
correction (-NONE- leaves the tokens out), two fields that are not read, and 0:
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A sentence without edits has none of these lines, or one of the type noop. errant_parallel makes such a file from
sentences and their corrections. Edits of a sentence must not overlap.
For the M2 scorer instead: plain text in UTF-8 with the corrected sentences, one a line, in the order and the
tokenization of the task, tokens with blanks between them. A sentence without errors stands there as it is.
"""

# For organisers.
GOLD_LAYOUT = """\
One M2 file in UTF-8, as errant_parallel or annotators make it: a line of S and the tokens of a sentence, then a line
for each edit: A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
The last field names the annotator; of several the one that fits a run best counts. Corrections of an edit that are as
good as each other stand with || between them. An annotator who changes nothing has one edit of the type noop.
"""

_TITLES = {"precision": "Precision", "recall": "Recall"}
_F_BETA = {"fbeta": lambda beta: Message("f-beta", "F{beta}", beta=beta)}
# Whatever the options.
SCORE_TITLES = f_beta_titles(_F_BETA, ANY) | _TITLES

_COUNT_TITLES = Message.words(
    {
        "sentences": "Sentences",
        "gold_edits": "Edits of the gold",
        "system_edits": "Edits of the run",
        "tp": "Right edits",
        "fp": "Wrong edits",
        "fn": "Missed edits",
    }
)


def titles(options: Options) -> dict[str, str]:
    """Return what people call the scores."""
    return f_beta_titles(_F_BETA, options["beta"]) | _TITLES


def count_titles(counts: Collection[str], options: Options) -> dict[str, str]:
    """Name the counts, in the order of display."""
    return dict(_COUNT_TITLES)


def _excluded_said(types: Sequence[str] | None) -> str:
    return Message("excluded-said", "without edits of the types {types}", types=", ".join(types)) if types else ""


def _beta_said(beta: float) -> str:
    return Message("f-said", "ranked by F{beta}", beta=str(beta))


_LEVEL_WORDS: Mapping[str, str] = {
    "correction": "the same tokens and correction",
    "classification": "the same tokens, correction and type",
    "spans": "the same tokens, however they are corrected",
    "tokens": "single tokens, however they are corrected",
}
OPTION_WORDS: OptionWords = {
    "protocol": {"m2scorer": "edits of corrected sentences, found as the M2 scorer does"},
    "level": _LEVEL_WORDS,
    "beta": _beta_said,
    "only": {
        "all": HiddenMeaning("all edits"),
        "single": "edits of one token alone",
        "multi": "edits that have several tokens on a side",
    },
    "exclude": _excluded_said,
}
