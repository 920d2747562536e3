"""Holds what people read: the layout of both sides, an example of a run, the titles of scores and counts."""

from collections.abc import Collection

from scoring.family import Options, Use

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

_COUNT_TITLES = {
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


def count_titles(counts: Collection[str], options: Options) -> dict[str, str]:
    """Titles of the counts, in the order of display."""
    return dict(_COUNT_TITLES)
