"""Holds what people read: the layout of both sides, an example of a run, the titles of scores and counts."""

from collections.abc import Collection, Mapping

from scoring.family import HiddenMeaning, Options, OptionWords, Use
from scoring.messages import Message

TITLE = "Transcripts: word and character error rates"

USES = (
    Use(
        "speech-recognition",
        "Speech recognition",
        "Systems write down what is said in recordings.",
        {"case": "lower", "punctuation": "remove", "keep_marks": "'"},
    ),
    Use(
        "character-recognition",
        "Handwriting and character recognition",
        "Systems read the text of pages or lines in images.",
        {"headline": "cer"},
    ),
    Use(
        "text-normalisation",
        "Text normalisation",
        "Systems write old, spoken or careless text in the words of the standard.",
    ),
    Use(
        "spoken-dialogue",
        "Spoken dialogue",
        "Systems write down turns of several speakers; intervals resample the speakers.",
        {"case": "lower", "punctuation": "remove", "keep_marks": "'", "unit": "speaker"},
    ),
)

LAYOUT = """\
One file, alone or in a zip archive, in UTF-8, with a line for each utterance. The format is told by the name:
.tsv      the id, a tab and the text; a first line "id", tab, "text" may name the columns
text      as in Kaldi: the id, a blank and the text; the id alone for silence
.trn      as in sclite: the text and the id in parentheses at the end of the line
.jsonl    {"id": "u1", "text": "what was said"}
others    the text alone, one line for each utterance in the order of the gold; an empty line for silence
Write the text as your system gives it: capitals, punctuation and fillers are treated alike on both sides, as the
task says. Files with times (CTM, STM) are not read: times would need a rule for overlaps.
"""

# For organisers.
GOLD_LAYOUT = """\
One file with the reference of each utterance, in a format that runs may have too: tab-separated (.tsv), Kaldi's text,
sclite's .trn, JSON Lines (.jsonl), or plain lines.
The speaker of an utterance stands in a third column, at the key "speaker", in Kaldi's utt2spk in the same folder, or
before the first - or _ of the id.
Give the references as they are, and let the options take away what is not to count: participants cannot see what was
done to a text before.
"""

SCORE_TITLES = {
    "wer": "Word error rate",
    "cer": "Character error rate",
    "mer": "Match error rate",
    "wil": "Word information lost",
    "ser": "Sentence error rate",
}

_COUNT_TITLES = Message.words(
    {
        "utterances": "Utterances",
        "words": "Words of the references",
        "hits": "Words found",
        "substitutions": "Words taken for others",
        "deletions": "Words missing",
        "insertions": "Words added",
        "characters": "Characters of the references",
        "char_substitutions": "Characters taken for others",
        "char_deletions": "Characters missing",
        "char_insertions": "Characters added",
        "wrong_utterances": "Utterances with errors",
        "speakers": "Speakers",
        "missing_utterances": "Utterances not in the run",
        "empty_transcripts": "Transcripts without a word",
    }
)


def count_titles(counts: Collection[str], options: Options) -> dict[str, str]:
    """Name the counts, in the order of display."""
    return dict(_COUNT_TITLES)


_MOST_REPLACEMENTS = 10


def _replacements_said(pairs: Mapping[str, str]) -> str:
    """Say the first words that stand for others, or for nothing."""
    shown = [f"{word} → {other or '∅'}" for word, other in pairs.items()]
    return ", ".join(shown[:_MOST_REPLACEMENTS]) + (", …" if len(shown) > _MOST_REPLACEMENTS else "")


OPTION_WORDS: OptionWords = {
    "headline": {
        "wer": HiddenMeaning("word error rate"),
        "mer": HiddenMeaning("match error rate"),
        "wil": HiddenMeaning("word information lost"),
        "cer": HiddenMeaning("character error rate"),
        "ser": HiddenMeaning("sentence error rate"),
    },
    "case": {"keep": "capitals count", "lower": "without regard to capitals"},
    "punctuation": {"keep": "punctuation counts", "remove": "without punctuation", "space": "punctuation parts words"},
    "unicode": {
        "nfc": HiddenMeaning("letters with their accents are one character"),
        "nfkc": "ligatures and wide letters are as others",
        "none": "characters as they are written",
    },
    "cer_spaces": {
        "count": HiddenMeaning("blanks between words are characters"),
        "ignore": "characters without blanks",
    },
    "unit": {"utterance": HiddenMeaning("utterances"), "speaker": HiddenMeaning("speakers")},
    "speaker": {
        "auto": HiddenMeaning("as the gold says them, if it does"),
        "field": "speakers as the gold says them",
        "prefix": "speakers by the beginning of the id",
        "none": HiddenMeaning("none"),
    },
    "missing": {"refuse": "every utterance is needed", "delete": "missing utterances count as deleted"},
    "format": {
        "auto": HiddenMeaning("recognised by names and content"),
        "lines": "plain lines",
        "tsv": "columns",
        "kaldi": "Kaldi",
        "trn": "trn",
        "jsonl": "JSON Lines",
    },
    "gold_format": {
        "auto": HiddenMeaning("recognised by names and content"),
        "lines": HiddenMeaning("plain lines"),
        "tsv": HiddenMeaning("columns"),
        "kaldi": HiddenMeaning("Kaldi"),
        "trn": HiddenMeaning("trn"),
        "jsonl": HiddenMeaning("JSON Lines"),
    },
    "keep_marks": lambda marks: (
        Message("kept-marks-said", "of punctuation {marks} stays", marks=marks) if marks else ""
    ),
    "map": _replacements_said,
}
