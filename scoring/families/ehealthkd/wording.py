"""Holds what people read about the family before they upload: titles, the layout of the files, and an example."""

from collections.abc import Collection

from scoring.family import HiddenMeaning, Options, OptionWords, Use
from scoring.messages import Message

TITLE = "eHealth-KD: key phrases and relations"

USES = (
    Use(
        "phrases-and-relations",
        "Key phrases and relations",
        "Systems mark the key phrases of sentences and name the relations between them.",
        # Nothing, so that it is that of the fourth scenario of 2020 too.
    ),
    Use("key-phrases", "Key phrases alone", "Systems mark the key phrases of sentences.", {"scenario": 2}),
    Use(
        "relations",
        "Relations between given phrases",
        "The key phrases are given; systems name the relations between them.",
        {"scenario": 3},
    ),
)

SCORE_TITLES = {
    "f1": "F1",
    "precision": "Precision",
    "recall": "Recall",
    "f1_a": "F1, phrases",
    "precision_a": "Precision, phrases",
    "recall_a": "Recall, phrases",
    "f1_b": "F1, relations",
    "precision_b": "Precision, relations",
    "recall_b": "Recall, relations",
}

_PHRASES_COUNTED = Message.words(
    {
        "correct_A": "Phrases, correct",
        "incorrect_A": "Phrases, other label",
        "partial_A": "Phrases, other extent",
        "missing_A": "Phrases, missing",
        "spurious_A": "Phrases, spurious",
    }
)
_RELATIONS_COUNTED = Message.words(
    {
        "correct_B": "Relations, correct",
        "missing_B": "Relations, missing",
        "spurious_B": "Relations, spurious",
    }
)
_SENTENCES_COUNTED = Message.words(
    {
        "scored_sentences": "Sentences scored",
        "tolerated_sentences": "Sentences with other blanks or accents",
    }
)

LAYOUT = """\
Text files in UTF-8, at the top of the upload or in the folders scenario1-main, scenario2-taskA and
scenario3-taskB, alone or in one zip archive. For scenario N:
output_a_scenarioN.txt, key phrases, a line each: ID, spans, label and text, separated by tabs. Spans are
START END in characters of the input file, counted from 0, with ; between them.
output_b_scenarioN.txt, relations, a line each: label, ID of the source and ID of the target, separated
by tabs.
output_scenarioN.txt, the sentences as in the input; it may be left out.
Scenario 2 may do without the relations, scenario 3 without the phrases: the given ones are taken then.

By the rules of 2020 and 2021 there is instead, in the folder of each scenario, a pair of files as brat has it:
scenario.ann (2021: output.ann), with lines such as T1, tab, Concept 4 8;9 22, tab, text for a phrase, and
R1, tab, is-a Arg1:T1 Arg2:T2 or *, tab, same-as T1 T2 for a relation; and scenario.txt (output.txt), the
sentences, which may be left out. The fourth scenario of 2020 lies in scenario4-transfer.
"""

# For organisers.
GOLD_LAYOUT = """\
For scenario N three files, none of which may be left out, also where phrases or relations alone are scored:
input_scenarioN.txt, the sentences, one on a line;
output_a_scenarioN.txt, all their key phrases, and output_b_scenarioN.txt, all relations, both written as in a run.
One zip archive may hold several scenarios, in the folders scenario1-main, scenario2-taskA and scenario3-taskB.
Files of training and development may keep their names, such as input_develop.txt: they are those of every scenario.

By the rules of 2020 and 2021 both files of a pair, written as in a run.
"""


def count_titles(counts: Collection[str], options: Options) -> dict[str, str]:
    """Name the counts; phrases or relations that the scenario gives, or does not score, are left out."""
    phrases = {} if options["scenario"] == 3 else _PHRASES_COUNTED
    relations = {} if options["scenario"] == 2 else _RELATIONS_COUNTED
    return phrases | relations | _SENTENCES_COUNTED


def repeated_scores(options: Options) -> frozenset[str]:
    """Return the scores of phrases in scenario 2, and of relations in scenario 3: nothing else is scored there."""
    part = {2: "_a", 3: "_b"}.get(options["scenario"])
    return frozenset(name for name in SCORE_TITLES if part and name.endswith(part))


OPTION_WORDS: OptionWords = {
    "scenario": {
        "1": "phrases and relations",
        "2": "phrases alone",
        "3": "relations alone",
        "4": "phrases and relations of another domain",
    },
    "rules": {
        "2019": "a phrase with another extent is half right, whatever its label, as in the program of 2019",
        "2020": "a phrase with another extent is half right if its label is right, as in the program of 2020",
        "2021": "a phrase with another extent is half right if its label is right, as in the program of 2021",
        "documented": "a phrase with another extent is half right if its label is right, as on the page of 2019",
    },
    "sentences": {"official": "altered and missing sentences as in the challenge's program"},
    "details": {"false": HiddenMeaning("no"), "true": HiddenMeaning("yes")},
}
