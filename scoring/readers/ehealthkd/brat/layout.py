"""Finds where the pair of brat files of a scenario lies in an upload of 2020 or 2021: sentences and annotations."""

from collections.abc import Iterable
from pathlib import PurePosixPath

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message

# The folders of both editions; the fourth scenario is that of 2020 alone.
FOLDERS = {1: "scenario1-main", 2: "scenario2-taskA", 3: "scenario3-taskB", 4: "scenario4-transfer"}
# What the pair is called in 2020 and in 2021. Other names are those of training and development files.
_STEMS = ("scenario", "output")
_TEXT, _ANNOTATIONS = ".txt", ".ann"
# The sentences that participants of 2021 were given, with annotations that are none or those of scenario 3.
_INPUT = "input"
_LISTED = 5


def find_pair(paths: Iterable[str], scenario: int) -> dict[str, str]:
    """Find the scenario's files, as far as they are there: {"annotations": path, "text": path}.

    The pair lies in the official folder of the scenario, whatever folders are around that. If none of the official
    folders has one, it may lie anywhere: first `scenario.ann` or `output.ann`, else one of any name, if it is the only
    one. Both files have one name; the sentences may also be called `input.txt` or have the name of 2021 or 2020.

    >>> find_pair(["run1/scenario2-taskA/scenario.ann", "run1/scenario2-taskA/scenario.txt"], 2)
    {'annotations': 'run1/scenario2-taskA/scenario.ann', 'text': 'run1/scenario2-taskA/scenario.txt'}
    >>> find_pair(["training/cord.50.ann"], 1)
    {'annotations': 'training/cord.50.ann'}
    """
    all_paths = set(paths)
    inside, loose = _places(all_paths, scenario)
    official = [path for path in loose if _stem(path) in _STEMS]
    if inside and official:
        message = Message(
            "files-scenario-both-here",
            "the files of scenario {scenario} are both here and in {folder}/: keep one of them",
            scenario=scenario,
            folder=FOLDERS[scenario],
        )
        raise SubmissionError(Finding(message, official[0]))
    annotations = _only(inside or official or loose)
    if annotations is None:
        return {key: path for key, path in [("text", _text(all_paths, scenario))] if path}
    texts = [
        str(PurePosixPath(annotations).with_name(f"{stem}{_TEXT}")) for stem in (_stem(annotations), *_STEMS, _INPUT)
    ]
    text = next((path for path in texts if path in all_paths), None)
    return {"annotations": annotations} | ({"text": text} if text else {})


def scenarios_of_pairs(paths: Iterable[str]) -> list[int]:
    """Return the scenarios that an upload enters: those with annotations, or all if these lie in no official folder."""
    all_paths = set(paths)
    return [scenario for scenario in FOLDERS if "annotations" in find_pair(all_paths, scenario)]


def pair_names(scenario: int, rules: str) -> tuple[str, str]:
    """Name annotations and sentences, as the edition has them: for 2020 `scenario.ann` and `scenario.txt`."""
    stem = _STEMS[0] if rules == "2020" else _STEMS[1]
    return f"{FOLDERS[scenario]}/{stem}{_ANNOTATIONS}", f"{FOLDERS[scenario]}/{stem}{_TEXT}"


def missing_of_pair(present: dict[str, str], kind: str, scenario: int, rules: str) -> Finding:
    """Return the problem of a file that is needed and not there, "annotations" or "text"."""
    annotations, text = pair_names(scenario, rules)
    if not present:
        name = annotations if kind == "annotations" else text
        return Finding(
            Message(
                "missing-file-there-no",
                "missing file {name}: there is no file of scenario {scenario} in the upload",
                name=name,
                scenario=scenario,
            ),
            name,
        )
    beside = PurePosixPath(next(iter(present.values())))
    path = beside.with_suffix(_ANNOTATIONS if kind == "annotations" else _TEXT)
    if beside.stem == _INPUT:
        path = path.with_name(PurePosixPath(annotations if kind == "annotations" else text).name)
    return Finding(
        Message(
            "missing-file-put-beside", "missing file {name}: put it beside {name_2}", name=path.name, name_2=beside.name
        ),
        str(path),
    )


def _places(paths: set[str], scenario: int) -> tuple[list[str], list[str]]:
    """Return the annotations in the scenario's own folder, and those in no official folder."""
    named = sorted(path for path in paths if path.endswith(_ANNOTATIONS) and _stem(path) != _INPUT)
    inside = [path for path in named if FOLDERS[scenario] in PurePosixPath(path).parts[:-1]]
    loose = [path for path in named if not set(PurePosixPath(path).parts[:-1]) & set(FOLDERS.values())]
    return inside, loose


def _text(paths: set[str], scenario: int) -> str | None:
    """Return the sentences of a scenario without annotations."""
    places = [
        path
        for path in sorted(paths)
        if path.endswith(_TEXT)
        and _stem(path) in (*_STEMS, _INPUT)
        and (FOLDERS[scenario] in (parts := PurePosixPath(path).parts[:-1]) or not {*parts} & {*FOLDERS.values()})
    ]
    return places[0] if len(places) == 1 else None


def _only(paths: list[str]) -> str | None:
    """Return the one of them that has a name of the challenge, or else the only one."""
    official = [path for path in paths if _stem(path) in _STEMS]
    chosen = official or paths
    if len(chosen) > 1:
        listed = ", ".join(chosen[:_LISTED]) + (", …" if len(chosen) > _LISTED else "")
        raise SubmissionError(
            Finding(
                Message(
                    "files-could-meant-keep",
                    "{n} files could be meant, keep one of them: {listed}",
                    n=len(chosen),
                    listed=listed,
                ),
                chosen[0],
            )
        )
    return chosen[0] if chosen else None


def _stem(path: str) -> str:
    return PurePosixPath(path).stem
