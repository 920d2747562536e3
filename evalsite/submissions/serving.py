"""Tells which scenarios files serve where their sender names none: one rule for the page, the open check and the API.

Scenarios of a phase are compared with each other: one is left aside whose column, annotations or ids are not in the
files, while those of another are there, whatever else is wrong with them. Where none has what it needs, all are kept.
As `evalsite.submissions.engine_jobs`, whose children run it, it knows neither Django nor the database.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import scoring as engine
from scoring.family import FOLDER_KEY
from scoring.messages import Message, from_data, kind_of
from scoring.readers.archive import Files, Named, open_files
from scoring.readers.hints import ABOUT_HEADING
from scoring.readers.parts import SomeFiles

# What one scenario reads is no other kind of file: the others miss what they need in it.
_NO_COLUMN = ABOUT_HEADING | {"no-column-first-line-tabs", "is-of-other-kind", "is-of-other-kind-line"}
_NO_KEY = frozenset({"key-missing-rename", "no-key-object", "no-key-object-did"})
_ONCE_FIXED = "left-once-fixed"
_NEVER_USED = "labels-never-used"
_NO_LABEL = frozenset({"unknown-label-did-you", "unknown-label-listed", "unknown-label-several", "unknown-label-none"})
_OF_SISTER = "label-of-sister"
_NEARLY_ALL = 0.9  # of the labels that are unknown
_OTHER_IDS = "ids"  # the oddity of runs for another scenario
_REACHED, _OF_OTHER_TYPES = "_reached", "left_aside"  # counts: "…_reached", of units that have something to score

_MOST_FILES = 20  # that are looked at one by one

Part = dict[str, Any]
Scenarios = Sequence[Mapping[str, Any]]


def served(parts: Sequence[Part], scenarios: Scenarios, files: Files) -> tuple[list[Part], list[int]]:
    """Return the parts of the scenarios that files are for, and the indices of those that are left aside.

    A part is what checking and describing one scenario gave; those with nothing wrong have a description.
    """
    rules: Sequence[Callable[[Part, Mapping[str, Any], Files], bool]] = (
        _has_columns,
        _has_columns_once_mended,
        _has_labels,
        _has_annotations,
        _names_layers,
        _has_ids,
        _uses_labels,
    )
    kept = list(parts)
    by_names = {part["scenario"] for part in parts if _is_told_by_names(scenarios[part["scenario"]])}
    by_names |= _with_own_files(scenarios, files)
    for rule in rules:
        kept = [
            part for part in kept if part["scenario"] in by_names or rule(part, scenarios[part["scenario"]], files)
        ] or kept
    serving = {part["scenario"] for part in kept}
    return kept, [part["scenario"] for part in parts if part["scenario"] not in serving]


def has_files(files: Files, scenario: Mapping[str, Any]) -> bool:
    """Return whether an upload has the files of a scenario, as far as their names or folders can tell."""
    family = _family(scenario)
    tells = family.files.has_files
    return tells is None or tells(files, family.configure(scenario["options"]))


def keys_of_upload(family: engine.Family, files: Files, options: Mapping[str, Any]) -> set[str]:
    """Return the keys of the input that an upload repeats; none where it cannot be read."""
    if family.files.input_keys is None:
        return set()
    try:
        return family.files.input_keys(files, family.configure(options), "system")
    except engine.ScoringError:
        return set()


def share_of_keys(keys: set[str], family: engine.Family, gold: Sequence[str], options: Mapping[str, Any]) -> float:
    """Return the share of an upload's keys that the input of this gold has."""
    return len(keys & keys_of_gold(family, gold, options)) / len(keys)


def keys_of_gold(family: engine.Family, gold: Sequence[str], options: Mapping[str, Any]) -> set[str]:
    """Return the keys of this gold's input; none where it cannot be read."""
    if family.files.input_keys is None:
        return set()
    try:
        return family.files.input_keys(open_files(Named(*gold)), family.configure(options), "gold")
    except (engine.ScoringError, OSError):
        return set()


def told_of_sisters(
    problems: Sequence[engine.Finding], scenario: Mapping[str, Any], scenarios: Scenarios
) -> list[engine.Finding]:
    """Return the problems of a scenario; unknown labels that are nearly all another scenario's are told to be so."""
    quoted = [str(one.values["label"]) for problem in problems for one in _singly(problem) if one.kind in _NO_LABEL]
    for sister in scenarios:
        labels = {repr(label) for label in sister["options"].get("labels") or () if sister is not scenario}
        n = sum(1 for label in quoted if _first_of(label) in labels)
        if n and n >= _NEARLY_ALL * len(quoted):
            return [_told_of(problem, sister["number"]) for problem in problems]
    return [*problems]


def _singly(problem: engine.Finding) -> Sequence[engine.Finding]:
    return problem.rest or [problem]


def _first_of(quoted: str) -> str:
    """Return the first of several labels in a cell, quoted.

    >>> _first_of("'pool;parks'"), _first_of("'pool'")
    ("'pool'", "'pool'")
    """
    return re.sub(r"[;,|].*'", "'", quoted)


def _told_of(problem: engine.Finding, number: int) -> engine.Finding:
    if problem.rest:
        return replace(problem, rest=tuple(_told_of(one, number) for one in problem.rest))
    if problem.kind not in _NO_LABEL:
        return problem
    message = Message(
        _OF_SISTER,
        "label {label} is one of scenario {number}, and not of this one",
        label=problem.values["label"],
        number=number,
    )
    return replace(problem, message=message, kind="")


def shares_of_files(files: Files, scenarios: Scenarios) -> dict[str, list[float]]:
    """Return {path: which share of its ids each of the scenarios has}, whatever the file's name and folder are."""
    of_golds = [keys_of_gold(_family(one), one["gold"], one["options"]) if one["gold"] else set() for one in scenarios]
    shares = {}
    for path in [*files][:_MOST_FILES]:
        file = SomeFiles(files, [path])
        of_file = [_keys_wherever(file, scenario) for scenario in scenarios]
        shares[path] = [
            len(keys & of_gold) / len(keys) if keys else 0.0 for keys, of_gold in zip(of_file, of_golds, strict=True)
        ]
    return shares


def _keys_wherever(file: Files, scenario: Mapping[str, Any]) -> set[str]:
    """Return the keys of a file as those of an upload to a task without folders."""
    options = {key: value for key, value in scenario["options"].items() if key != FOLDER_KEY}
    return keys_of_upload(engine.family_of(scenario["family"], options), file, options)


def _is_told_by_names(scenario: Mapping[str, Any]) -> bool:
    """Return whether a scenario's files bear its name, so that they are for it even where nothing is in them."""
    family = _family(scenario)
    return bool(family.files.has_files or scenario["gold"] is None or scenario["is_judged"])


def _with_own_files(scenarios: Scenarios, files: Files) -> set[int]:
    """Return the scenarios of which one of several files names the layers, and those of no other scenario."""
    if not 1 < len(files) <= _MOST_FILES:
        return set()
    naming = {k: names for k, scenario in enumerate(scenarios) if (names := _family(scenario).files.names_layers)}
    of_files = []
    for path in files:
        file = SomeFiles(files, [path])
        of_files.append(
            [k for k, names in naming.items() if names(file, _family(scenarios[k]).configure(scenarios[k]["options"]))]
        )
    return {numbers[0] for numbers in of_files if len(numbers) == 1}


def _has_columns(part: Part, scenario: Mapping[str, Any], files: Files) -> bool:
    messages = [from_data(problem["message"]) for problem in part["problems"]]
    if any(kind_of(message) in _NO_COLUMN for message in messages):
        return False
    absent = next((message for message in messages if kind_of(message) in _NO_KEY), None)
    # Of JSON each object has its keys: one that lacks the scenario's is a slip, unless it is nowhere.
    return absent is None or any(_key(absent) in files[path] for path in files)


def _has_columns_once_mended(part: Part, scenario: Mapping[str, Any], files: Files) -> bool:
    """Return whether no column is missing still where what the problems advise is done."""
    messages = [from_data(problem["message"]) for problem in part["problems"]]
    return all(
        kind_of(message) != _ONCE_FIXED or kind_of(message.values["problem"]) not in _NO_COLUMN for message in messages
    )


def _has_labels(part: Part, scenario: Mapping[str, Any], files: Files) -> bool:
    return all(kind_of(from_data(problem["message"])) != _OF_SISTER for problem in part["problems"])


def _key(message: Any) -> bytes:
    """Return a key as JSON has it, of a message that quotes its name or not."""
    values = message.values
    name = values["key"] if "key" in values else str(values["name"])[1:-1]
    return json.dumps(str(name), ensure_ascii=False).encode()


def _has_annotations(part: Part, scenario: Mapping[str, Any], files: Files) -> bool:
    """Return whether anything in the files is of the scenario: ids that it has, and layers or types of annotations.

    Where formats name neither, nothing at all may be what a system found.
    """
    description = part["description"]
    if not description:
        return True
    counts = description["counts"]
    is_reached = any(n for name, n in counts.items() if name.endswith(_REACHED))
    has_others = bool(_family(scenario).files.names_layers or counts.get(_OF_OTHER_TYPES))
    has_ids = all(oddity["kind"] != _OTHER_IDS for oddity in description["oddities"])
    return has_ids and (is_reached or not has_others)


def _names_layers(part: Part, scenario: Mapping[str, Any], files: Files) -> bool:
    """Return whether what the scenario scores is named, which tells runs with nothing in them apart."""
    family = _family(scenario)
    names = family.files.names_layers
    return names is None or names(files, family.configure(scenario["options"]))


def _has_ids(part: Part, scenario: Mapping[str, Any], files: Files) -> bool:
    if not part["problems"]:
        return True
    family = _family(scenario)
    keys = keys_of_upload(family, files, scenario["options"])
    return not keys or share_of_keys(keys, family, scenario["gold"], scenario["options"]) > 0


def _uses_labels(part: Part, scenario: Mapping[str, Any], files: Files) -> bool:
    """Return whether no label that the scenario has often is missing altogether, where that can be told."""
    oddities = part["description"]["oddities"] if part["description"] else []
    return all(kind_of(from_data(oddity["message"])) != _NEVER_USED for oddity in oddities)


def _family(scenario: Mapping[str, Any]) -> engine.Family:
    return engine.family_of(scenario["family"], scenario["options"])
