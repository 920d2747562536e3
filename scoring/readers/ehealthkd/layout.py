"""Finds where the tables of a scenario lie in an upload by the rules of 2019."""

import os
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.archive.names import base_name, by_base_name, near_pairs

# The names of training and development files in place of `scenarioN`, as the challenges published them; such files are
# those of whatever scenario is asked for.
_PHASES = ("develop", "development", "dev", "training", "train", "trial", "example", "test")
# File managers put the folder that they pack around the files, and people pack twice.
_ENCLOSING_FOLDERS = 3
_LISTED = 5


FOLDERS = {1: "scenario1-main", 2: "scenario2-taskA", 3: "scenario3-taskB"}  # of the challenge's own distribution
_STEMS = ("output", "input", "output_a", "output_b")  # of all files: `stem_scenarioN.txt`
_TO_BE_FOUND = ("output_a", "output_b")


def find(paths: Iterable[str], scenario: int) -> dict[str, str]:
    """Find the scenario's files, at the top or in the official folder, inside any enclosing ones: {stem: path}.

    A file that is at neither place is taken from wherever it lies, if no other has its name. Where no file is named
    after a scenario, those of one phase are taken, such as `input_develop.txt`. The stems are `input`, `output`,
    `output_a` and `output_b`.

    >>> find(["run/scenario2-taskA/output_a_scenario2.txt", "run/notes.txt"], scenario=2)
    {'output_a': 'run/scenario2-taskA/output_a_scenario2.txt'}
    >>> find(["run/A/output_a_scenario1.txt", "run/B/output_b_scenario1.txt"], scenario=1)
    {'output_a': 'run/A/output_a_scenario1.txt', 'output_b': 'run/B/output_b_scenario1.txt'}
    >>> find(["development/output_a_develop.txt"], scenario=3)
    {'output_a': 'development/output_a_develop.txt'}
    """
    all_paths = set(paths)
    top = _top(all_paths)
    if top is None and (lowered := _in_small_letters(all_paths)):
        return {stem: lowered[path] for stem, path in find(lowered, scenario).items()}
    if top is None:
        return _of_a_phase(all_paths)
    at_top = _in_folder(all_paths, top, scenario)
    in_official = _in_folder(all_paths, f"{top}{FOLDERS[scenario]}/", scenario)
    if at_top and in_official:
        folder = FOLDERS[scenario]
        raise SubmissionError(
            Finding(
                Message(
                    "files-scenario-both-here",
                    "the files of scenario {scenario} are both here and in {folder}/: keep one of them",
                    scenario=scenario,
                    folder=folder,
                ),
                next(iter(at_top.values())),
            )
        )
    in_place = at_top or in_official
    return in_place | _elsewhere(all_paths, _task(scenario), without=in_place)


def _in_small_letters(paths: set[str]) -> dict[str, str]:
    """Return {path with its file's name in small letters: path} where that makes files of the challenge; else {}."""
    lowered = {path.removesuffix(base_name(path)) + base_name(path).lower(): path for path in paths}
    return lowered if len(lowered) == len(paths) and _top({*lowered}) is not None else {}


def _elsewhere(paths: set[str], task: str, without: Mapping[str, str]) -> dict[str, str]:
    """Find files that only their names tell, without those that were found where they are expected: {stem: path}."""
    places = by_base_name(sorted(paths))
    elsewhere = {}
    for stem in _STEMS:
        named = places.get(_name(stem, task), [])
        if stem in without or not named:
            continue
        if len(named) == 1:
            elsewhere[stem] = named[0]
        elif stem not in ("input", "output"):
            # Sentences, which may be left out, are then taken from the gold.
            listed = ", ".join(named[:_LISTED]) + (", …" if len(named) > _LISTED else "")
            raise SubmissionError(
                Finding(
                    Message(
                        "files-have-name-keep",
                        "{n} files have this name, keep one of them: {listed}",
                        n=len(named),
                        listed=listed,
                    ),
                    named[0],
                )
            )
    return elsewhere


def _of_a_phase(paths: set[str]) -> dict[str, str]:
    """Find the files of a phase, wherever they lie: {stem: path}; those of several phases cannot be told apart."""
    named = {phase: files for phase in _PHASES if (files := _elsewhere(paths, phase, without={}))}
    if len(named) > 1:
        examples = [next(iter(files.values())) for files in named.values()]
        message = Message(
            "files-several-phases-keep",
            "files of several phases, keep those of one: {examples}",
            examples=", ".join(examples),
        )
        raise SubmissionError(Finding(message, examples[0]))
    return next(iter(named.values()), {})


def scenarios(paths: Iterable[str]) -> list[int]:
    """Return the scenarios that an upload enters: those with a file of phrases or relations that are to be found.

    Sentences alone enter none, because every participant is given them.
    """
    all_paths = set(paths)
    return [number for number in FOLDERS if set(_TO_BE_FOUND) & find(all_paths, number).keys()]


def names(scenario: int) -> tuple[str, ...]:
    """Return the names that the files of what is to be found have to have."""
    return tuple(_name(stem, _task(scenario)) for stem in _TO_BE_FOUND)


def missing(paths: Iterable[str], present: Mapping[str, str], stem: str, scenario: int) -> Finding:
    """Return the problem of a file that is needed and not there; it names where the file is expected.

    `present` are the files of the scenario that are there, as `find` gives them, and `paths` all of the upload.
    """
    task = next((_task_of(path, stem_there) for stem_there, path in present.items()), _task(scenario))
    name = _name(stem, task)
    others = set(map(base_name, paths)) - _all_names()
    near = near_pairs([_name(other, task) for other in _STEMS if other not in present], others)
    if name in near:
        return Finding(
            Message(
                "missing-file-file-called",
                "missing file {name}: is it the file called {near}? Rename it",
                name=name,
                near=near[name],
            ),
            name,
        )
    if not present:
        message = Message(
            "missing-file-there-no",
            "missing file {name}: there is no file of scenario {scenario} in the upload",
            name=name,
            scenario=scenario,
        )
        return Finding(message, name)
    folder = PurePosixPath(next(iter(present.values()))).parent
    return Finding(
        Message("missing-file-put-beside-others", "missing file {name}: put it beside the others", name=name),
        str(folder / name),
    )


def missing_file(name: str) -> Message:
    """Say that a file is missing."""
    return Message("missing-file", "missing file {name}", name=name)


def _top(paths: set[str]) -> str | None:
    """Return the folders that enclose all files of the challenge, with a slash at the end; "" without any.

    None if no file is named after a scenario.
    """
    named = _all_names()
    folders = [path.parts[:-1] for path in map(PurePosixPath, paths) if path.name in named]
    if not folders:
        return None
    common = os.path.commonprefix([folder[:_ENCLOSING_FOLDERS] for folder in folders])
    return "".join(f"{part}/" for part in common)


def _all_names() -> set[str]:
    return {_name(stem, _task(scenario)) for stem in _STEMS for scenario in FOLDERS}


def _in_folder(paths: set[str], folder: str, scenario: int) -> dict[str, str]:
    expected = {stem: folder + _name(stem, _task(scenario)) for stem in _STEMS}
    return {stem: path for stem, path in expected.items() if path in paths}


def _task(scenario: int) -> str:
    return f"scenario{scenario}"


def _task_of(path: str, stem: str) -> str:
    """Return what stands in a file's name for the scenario."""
    return base_name(path).lower().removeprefix(f"{stem}_").removesuffix(".txt")


def _name(stem: str, task: str) -> str:
    return f"{stem}_{task}.txt"
