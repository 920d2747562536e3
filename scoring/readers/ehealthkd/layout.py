"""Where the files of a scenario lie in an upload."""

import os
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from scoring.errors import Problem, SubmissionError

# The folders of the challenge's own distribution: one upload then fills all three scenarios.
FOLDERS = {1: "scenario1-main", 2: "scenario2-taskA", 3: "scenario3-taskB"}
_STEMS = ("output", "input", "output_a", "output_b")
# File managers put the folder that they pack around the files, and people pack twice.
_ENCLOSING_FOLDERS = 3


def find(paths: Iterable[str], scenario: int) -> dict[str, str]:
    """{stem: path} of the scenario's files, at the top or in the official folder, inside any enclosing ones.

    Stems are `input`, `output`, `output_a` and `output_b`.

    >>> find(["run/scenario2-taskA/output_a_scenario2.txt", "run/notes.txt"], scenario=2)
    {'output_a': 'run/scenario2-taskA/output_a_scenario2.txt'}
    """
    known = set(paths)
    top = _top(known)
    at_top = _in_folder(known, top, scenario)
    in_official = _in_folder(known, f"{top}{FOLDERS[scenario]}/", scenario)
    if at_top and in_official:
        raise SubmissionError(
            Problem(
                f"the files of scenario {scenario} are both here and in {FOLDERS[scenario]}/: keep one of them",
                next(iter(at_top.values())),
            )
        )
    return at_top or in_official


def scenarios(paths: Iterable[str]) -> list[int]:
    """The scenarios that an upload enters: those with a file of phrases or relations.

    Sentences alone enter none, because every participant is given them.
    """
    known = set(paths)
    return [number for number in FOLDERS if {"output_a", "output_b"} & find(known, number).keys()]


def missing(present: Mapping[str, str], stem: str, scenario: int) -> Problem:
    """The problem of a file that is needed and not there; it names where the file is expected.

    `present` are the files of the scenario that are there, as `find` gives them.
    """
    name = _name(stem, scenario)
    if not present:
        message = (
            f"missing file {name}: there is no file of scenario {scenario}, "
            f"neither at the top nor in {FOLDERS[scenario]}/"
        )
        return Problem(message, name)
    folder = PurePosixPath(next(iter(present.values()))).parent
    return Problem(f"missing file {name}: put it beside the others", str(folder / name))


def _top(paths: set[str]) -> str:
    """The folders that enclose all files of the challenge, with a slash at the end; "" if there are none."""
    names = {_name(stem, scenario) for stem in _STEMS for scenario in FOLDERS}
    folders = [path.parts[:-1] for path in map(PurePosixPath, paths) if path.name in names]
    common = os.path.commonprefix([folder[:_ENCLOSING_FOLDERS] for folder in folders])
    return "".join(f"{part}/" for part in common)


def _in_folder(paths: set[str], folder: str, scenario: int) -> dict[str, str]:
    expected = {stem: folder + _name(stem, scenario) for stem in _STEMS}
    return {stem: path for stem, path in expected.items() if path in paths}


def _name(stem: str, scenario: int) -> str:
    return f"{stem}_scenario{scenario}.txt"
