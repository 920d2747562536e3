"""The plan of the demo task in the eHealth-KD format."""

from dataclasses import replace

from demo import ehealthkd
from demo.plan import DownloadPlan, File, Run, ScenarioPlan, System, TaskPlan, input_of, runs_of, zip_of
from scoring.readers.ehealthkd import FOLDERS_OF_PAIRS
from scoring.readers.ehealthkd.converting import pair_of_tables

_DESCRIPTION = """\
This task is a **demonstration with synthetic data**. Its sentences were put together by a program from templates in the
manner of a health encyclopedia; they are no medical advice, and no team or score is real. The format and the measures
are those of the eHealth Knowledge Discovery challenge of IberLEF 2019, and in the last scenario those of 2020.

Systems read Spanish sentences about health and find

- **key phrases** (subtask A) of four kinds: *Concept*, *Action*, *Predicate* and *Reference*;
- **relations** between them (subtask B) of thirteen kinds, such as *is-a*, *causes*, *subject* and *target*.

A phrase that overlaps a gold phrase without matching it exactly earns half a point. Sentences without gold phrases are
not scored. F1 ranks; the intervals come from resampling the sentences.
"""


# What is scored once more by the rules of 2020, as the scenario that only this edition has.
_AGAIN, _IN_2020 = 1, 4


def _scenario(number: int, name: str, description: str, *shown_scores: str, rules: str = "2019") -> ScenarioPlan:
    options = {"scenario": str(number)} | ({"rules": rules} if rules != "2019" else {})
    return ScenarioPlan(name, description, "ehealthkd", options, shown_scores)


def _gold(phase: str, number: int) -> File:
    return File("gold.zip", zip_of(_with_pair(ehealthkd.gold(phase))))


def _with_pair(files: dict[str, str]) -> dict[str, str]:
    """With the first scenario's files once more, as a pair of brat files in the folder of the fourth."""
    names = [f"{ehealthkd.FOLDERS[_AGAIN]}/{stem}_scenario{_AGAIN}.txt" for stem in ("input", "output_a", "output_b")]
    sentences, phrases, relations = (files[name].encode() for name in names)
    text, annotations = pair_of_tables(sentences, phrases, relations, (names[0], names[1], names[2]))
    folder = FOLDERS_OF_PAIRS[_IN_2020]
    return files | {f"{folder}/scenario.txt": text or "", f"{folder}/scenario.ann": annotations}


def _entering_again(systems: list[System]) -> list[System]:
    """The last run of each team that enters the first scenario enters the fourth as well."""
    last = {system.team: system.run for system in systems if _AGAIN in system.scenarios}
    return [
        replace(system, scenarios=(*system.scenarios, _IN_2020), content=_with_pair(system.content))
        if last.get(system.team) == system.run and isinstance(system.content, dict) and _AGAIN in system.scenarios
        else system
        for system in systems
    ]


def _downloads(phase: str) -> list[DownloadPlan]:
    text = f"{FOLDERS_OF_PAIRS[_IN_2020]}/scenario.txt"
    given = ehealthkd.inputs(phase) | {text: _with_pair(ehealthkd.gold(phase))[text]}
    return [input_of(phase, "The sentences of all scenarios, and for scenario 3 the key phrases.", given)]


def _runs(phase: str) -> list[Run]:
    """The baseline first."""
    return runs_of(sorted(_entering_again(ehealthkd.systems(phase)), key=lambda system: not system.reference))


TASK = TaskPlan(
    slug="ehealthkd-demo",
    title="Knowledge discovery in Spanish health texts",
    data_language="es",
    summary="Find key phrases and the relations between them. Synthetic data in the format of eHealth-KD 2019.",
    description=_DESCRIPTION,
    scenarios=(
        _scenario(
            1,
            "Phrases and relations",
            "Both subtasks in sequence, from the sentences alone.",
            *("f1", "precision", "recall", "f1_a", "f1_b"),
        ),
        _scenario(2, "Key phrases", "Subtask A alone.", "f1", "precision", "recall"),
        _scenario(
            3,
            "Relations",
            "Subtask B alone: the gold key phrases are given.",
            *("f1", "precision", "recall"),
        ),
        _scenario(
            _IN_2020,
            "As in 2020",
            "The sentences of the first scenario once more, in the files of 2020 and by its rules: phrases that only "
            "overlap need the same label.",
            *("f1", "precision", "recall", "f1_a", "f1_b"),
            rules="2020",
        ),
    ),
    gold=_gold,
    downloads=_downloads,
    runs=_runs,
)
