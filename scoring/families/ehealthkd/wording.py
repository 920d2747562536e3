"""What people read about the family before they upload: titles, the layout of the files, and an example."""

from collections.abc import Collection

from scoring.family import Options, Use

TITLE = "eHealth-KD 2019: key phrases and relations"

USES = (
    Use(
        "phrases-and-relations",
        "Key phrases and relations",
        "Systems mark the key phrases of sentences and name the relations between them.",
        {"scenario": 1},
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

_PHRASES_COUNTED = {
    "correct_A": "Phrases, correct",
    "incorrect_A": "Phrases, other label",
    "partial_A": "Phrases, other extent",
    "missing_A": "Phrases, missing",
    "spurious_A": "Phrases, spurious",
}
_RELATIONS_COUNTED = {
    "correct_B": "Relations, correct",
    "missing_B": "Relations, missing",
    "spurious_B": "Relations, spurious",
}
_SENTENCES_COUNTED = {
    "scored_sentences": "Sentences scored",
    "tolerated_sentences": "Sentences with other blanks or accents",
}

LAYOUT = """\
Text files in UTF-8, at the top of the upload or in the folders scenario1-main, scenario2-taskA and
scenario3-taskB, alone or in one zip archive. For scenario N:
output_a_scenarioN.txt, key phrases, a line each: ID, spans, label and text, separated by tabs. Spans are
START END in characters of the input file, counted from 0, with ; between them.
output_b_scenarioN.txt, relations, a line each: label, ID of the source and ID of the target, separated
by tabs.
output_scenarioN.txt, the sentences as in the input; it may be left out.
Scenario 2 may do without the relations, scenario 3 without the phrases: the given ones are taken then.
"""

# For organisers.
GOLD_LAYOUT = """\
For scenario N three files, none of which may be left out, also where phrases or relations alone are scored:
input_scenarioN.txt, the sentences, one on a line;
output_a_scenarioN.txt, all their key phrases, and output_b_scenarioN.txt, all relations, both written as in a run.
One zip archive may hold several scenarios, in the folders scenario1-main, scenario2-taskA and scenario3-taskB.
"""

# Made up: the challenge's own corpus comes under terms that do not let us show its text.
_SENTENCES = "Las vías respiratorias del niño\nOtra frase con cáncer de piel\n"
_PHRASES = """\
1\t4 8;9 22\tConcept\tvías respiratorias
2\t27 31\tConcept\tniño
3\t32 36\tReference\tOtra
"""
_RELATIONS = "part-of\t1\t2\n"


def count_titles(counts: Collection[str], options: Options) -> dict[str, str]:
    """Titles of the counts; phrases or relations that the scenario gives, or does not score, are left out."""
    phrases = {} if options["scenario"] == 3 else _PHRASES_COUNTED
    relations = {} if options["scenario"] == 2 else _RELATIONS_COUNTED
    return phrases | relations | _SENTENCES_COUNTED


def repeated_scores(options: Options) -> frozenset[str]:
    """Of phrases in scenario 2, and of relations in scenario 3: nothing else is scored there."""
    part = {2: "_a", 3: "_b"}.get(options["scenario"])
    return frozenset(name for name in SCORE_TITLES if part and name.endswith(part))


def example(options: Options) -> dict[str, bytes]:
    """A small upload of the chosen scenario that the layout allows: {path: content}."""
    scenario = options["scenario"]
    texts = {"input": _SENTENCES, "output_a": _PHRASES, "output_b": _RELATIONS}
    return {f"{stem}_scenario{scenario}.txt": text.encode() for stem, text in texts.items()}
