"""Where the files of a scenario lie in an upload."""

import os
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from scoring.errors import Problem, SubmissionError
from scoring.readers.archive.names import base_name, by_base_name, near_pairs

# The folders of the challenge's own distribution: one upload then fills all three scenarios.
FOLDERS = {1: "scenario1-main", 2: "scenario2-taskA", 3: "scenario3-taskB"}
_STEMS = ("output", "input", "output_a", "output_b")
_ANNOTATIONS = ("output_a", "output_b")
# File managers put the folder that they pack around the files, and people pack twice.
_ENCLOSING_FOLDERS = 3
_LISTED = 5


def find(paths: Iterable[str], scenario: int) -> dict[str, str]:
    """{stem: path} of the scenario's files, at the top or in the official folder, inside any enclosing ones.

    A file that is at neither place is taken from wherever it lies, if no other has its name. Stems are `input`,
    `output`, `output_a` and `output_b`.

    >>> find(["run/scenario2-taskA/output_a_scenario2.txt", "run/notes.txt"], scenario=2)
    {'output_a': 'run/scenario2-taskA/output_a_scenario2.txt'}
    >>> find(["run/A/output_a_scenario1.txt", "run/B/output_b_scenario1.txt"], scenario=1)
    {'output_a': 'run/A/output_a_scenario1.txt', 'output_b': 'run/B/output_b_scenario1.txt'}
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
    found = at_top or in_official
    return found | _elsewhere(known, scenario, without=found)


def _elsewhere(paths: set[str], scenario: int, without: Mapping[str, str]) -> dict[str, str]:
    """{stem: path} of the files that only their names tell, without those that were found where they are expected."""
    places = by_base_name(sorted(paths))
    found = {}
    for stem in _STEMS:
        named = places.get(_name(stem, scenario), [])
        if stem in without or not named:
            continue
        if len(named) == 1:
            found[stem] = named[0]
        elif stem in _ANNOTATIONS:
            # Sentences, which may be left out, are then taken from the gold.
            listed = ", ".join(named[:_LISTED]) + (", …" if len(named) > _LISTED else "")
            raise SubmissionError(Problem(f"{len(named)} files have this name, keep one of them: {listed}", named[0]))
    return found


def scenarios(paths: Iterable[str]) -> list[int]:
    """The scenarios that an upload enters: those with a file of phrases or relations.

    Sentences alone enter none, because every participant is given them.
    """
    known = set(paths)
    return [number for number in FOLDERS if set(_ANNOTATIONS) & find(known, number).keys()]


def names(scenario: int) -> tuple[str, ...]:
    """The names that the files of phrases and relations have to have."""
    return tuple(_name(stem, scenario) for stem in _ANNOTATIONS)


def missing(paths: Iterable[str], present: Mapping[str, str], stem: str, scenario: int) -> Problem:
    """The problem of a file that is needed and not there; it names where the file is expected.

    `present` are the files of the scenario that are there, as `find` gives them, and `paths` all of the upload.
    """
    name = _name(stem, scenario)
    others = set(map(base_name, paths)) - _all_names()
    near = near_pairs([_name(each, scenario) for each in _STEMS if each not in present], others)
    if name in near:
        return Problem(f"missing file {name}: is it the file called {near[name]}? Rename it", name)
    if not present:
        message = f"missing file {name}: there is no file of scenario {scenario} in the upload"
        return Problem(message, name)
    folder = PurePosixPath(next(iter(present.values()))).parent
    return Problem(f"missing file {name}: put it beside the others", str(folder / name))


def _top(paths: set[str]) -> str:
    """The folders that enclose all files of the challenge, with a slash at the end; "" if there are none."""
    named = _all_names()
    folders = [path.parts[:-1] for path in map(PurePosixPath, paths) if path.name in named]
    common = os.path.commonprefix([folder[:_ENCLOSING_FOLDERS] for folder in folders])
    return "".join(f"{part}/" for part in common)


def _all_names() -> set[str]:
    return {_name(stem, scenario) for stem in _STEMS for scenario in FOLDERS}


def _in_folder(paths: set[str], folder: str, scenario: int) -> dict[str, str]:
    expected = {stem: folder + _name(stem, scenario) for stem in _STEMS}
    return {stem: path for stem, path in expected.items() if path in paths}


def _name(stem: str, scenario: int) -> str:
    return f"{stem}_scenario{scenario}.txt"
