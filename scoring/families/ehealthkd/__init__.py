"""The eHealth-KD challenge: key phrases are matched first, then the relations between them."""

from functools import partial
from pathlib import Path

from scoring.families.ehealthkd.counting import count
from scoring.families.ehealthkd.scores import KINDS, metrics
from scoring.families.ehealthkd.tables import tables
from scoring.family import Counted, Family, Files, Option, Options, choose
from scoring.readers.archive import open_files
from scoring.readers.ehealthkd import Gold, System, read_gold, read_system, scenarios

_OPTIONS = (
    Option("scenario", 1, (1, 2, 3), "1 phrases and relations, 2 phrases alone, 3 relations alone"),
    Option(
        "rules",
        "2019",
        ("2019", "documented"),
        "2019: as the challenge's program runs; documented: a partial match needs the same label",
    ),
    Option("details", False, (False, True), "add the tables of phrases and relations", changes_scores=False),
)

_LAYOUT = """\
Text files in UTF-8, at the top of the upload or in the folders scenario1-main, scenario2-taskA and
scenario3-taskB, alone or in one zip archive. For scenario N:
output_a_scenarioN.txt, key phrases, a line each: ID, spans, label and text, separated by tabs. Spans are
START END in characters of the input file, counted from 0, with ; between them.
output_b_scenarioN.txt, relations, a line each: label, ID of the source and ID of the target, separated
by tabs.
output_scenarioN.txt, the sentences as in the input; it may be left out.
Scenario 2 may do without the relations, scenario 3 without the phrases: the given ones are taken then.
"""


def _read_gold(files: Files, options: Options) -> Gold:
    return read_gold(files, options["scenario"])


def _read_system(files: Files, gold: Gold, options: Options) -> System:
    return read_system(files, gold, options["scenario"])


def _count(gold: Gold, system: System, options: Options) -> Counted:
    counted = count(gold, system, options["rules"])
    scores = metrics(counted.rows.sum(axis=0), options)
    if not scores["f1"]:
        counted.warnings.append("nothing of the gold was found: F1 is 0")
    return counted


def _has_files(path: str | Path, options: Options) -> bool:
    return options["scenario"] in scenarios(open_files(path))


_EXAMPLE_SENTENCES = "Las vías respiratorias del niño\nOtra frase con cáncer de piel\n"
_EXAMPLE_PHRASES = """\
1\t4 8;9 22\tConcept\tvías respiratorias
2\t27 31\tConcept\tniño
3\t32 36\tReference\tOtra
"""
_EXAMPLE_RELATIONS = "part-of\t1\t2\n"


def _example(options: Options) -> dict[str, bytes]:
    scenario = options["scenario"]
    texts = {"input": _EXAMPLE_SENTENCES, "output_a": _EXAMPLE_PHRASES, "output_b": _EXAMPLE_RELATIONS}
    return {f"{stem}_scenario{scenario}.txt": text.encode() for stem, text in texts.items()}


EHEALTHKD = Family(
    name="ehealthkd",
    title="eHealth-KD 2019: key phrases and relations",
    unit=lambda options: ("sentence", "sentences"),
    options=_OPTIONS,
    headline=lambda options: "f1",
    score_titles={
        "f1": "F1",
        "precision": "Precision",
        "recall": "Recall",
        "f1_a": "F1, phrases",
        "precision_a": "Precision, phrases",
        "recall_a": "Recall, phrases",
        "f1_b": "F1, relations",
        "precision_b": "Precision, relations",
        "recall_b": "Recall, relations",
    },
    main_scores=("precision", "recall", "f1_a", "f1_b"),
    kinds=KINDS,
    layout=_LAYOUT,
    example=_example,
    configure=partial(choose, _OPTIONS),
    read_gold=_read_gold,
    read_system=_read_system,
    count=_count,
    metrics=metrics,
    tables=tables,
    has_files=_has_files,
    item_tables=("phrases", "relations"),
)
