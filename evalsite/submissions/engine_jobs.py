"""The functions that the engine's children run for an upload (`evalsite.jobs.sandbox`).

A child has the engine and the standard library, no Django and no database: arguments and answers are plain values. A
file comes as two of them, `Named`: its path, and its owner's name for it.
"""

import json
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import numpy as np

import scoring as engine
from evalsite.submissions.causes import finding_to_json
from evalsite.submissions.serving import (
    has_files,
    keys_of_gold,
    keys_of_upload,
    served,
    share_of_keys,
    shares_of_files,
    told_of_sisters,
)
from scoring import lazy
from scoring.cli.annotators import evaluations_of_annotators, one_annotator
from scoring.comparing.units import Cell, scores_of_units
from scoring.comparing.units import units_behind as units_of_cell
from scoring.families.parts import unread_of
from scoring.findings import Unreadable
from scoring.messages import Message, some_of, to_data
from scoring.readers.archive import LIMITS, Files, Limits, Named, ZipArchive, open_files
from scoring.readers.archive.names import base_name, near_pairs
from scoring.readers.explanations import Explanation, Location, explain
from scoring.scale import Scale
from scoring.significance.draws import cache_weights, n_drawn

Arguments = dict[str, Any]
OnStep = Callable[[str], None]
N_TENTHS = 10  # of the scores between 0 and 1, in the distribution of a result
_NAMED = 10
_NEARLY_ALL = 0.9  # of the ids of a file
COMPARISONS = "comparisons"  # what `load` loads for tests of systems against each other
# Parts of SciPy that the engine itself loads when a run of a family needs them, or a comparison does.
_LOADED_LATE = {
    "mat": ("scipy.optimize", "scipy.sparse.csgraph"),
    "coreference": ("scipy.sparse.csgraph",),
    COMPARISONS: ("scipy.special",),
}
# An upload may inflate to so many times the gold, and to so many bytes however small the gold is.
_TIMES_GOLD = 20
_AT_ANY_GOLD = 20 * 2**20


def prepare() -> None:
    """Load in the server what all children use, before the first child, so that not each of them has to."""
    np.ones((64, 64)) @ np.ones((64, 64))  # linear algebra allocates its working memory at the first use


def load(arguments: dict[str, str]) -> None:
    """Load in the server what the first child of a family needs, so that later ones are born with it.

    Takes `name`, of a family or COMPARISONS. A site has tasks of few families, and all of them take a second.
    """
    name = arguments["name"]
    for module in _LOADED_LATE.get(name, ()):
        import_module(module)
    if name in engine.FAMILIES:
        _try_out(engine.FAMILIES[name])


def _try_out(family: engine.Family) -> None:
    with tempfile.TemporaryDirectory() as folder, suppress(engine.ScoringError):
        example = Path(folder, "example.zip")  # as most uploads are
        with zipfile.ZipFile(example, "w", zipfile.ZIP_DEFLATED) as archive:
            for path, content in family.example(family.configure({})).items():
                archive.writestr(path, content)
        evaluation = engine.evaluate(family.name, gold=example, system=example, n_resamples=1000)
        json.dumps(_numbers(evaluation, evaluation.as_dict(), family))


def check(arguments: Arguments, on_step: OnStep) -> dict[str, Any]:
    """Return the problems of an upload, scenario by scenario; the archive is opened once.

    Takes `upload`, a file, and `own_archive`, the name of the archive if the site has packed it; `scenarios`, each with
    `number`, `family`, `options`, `is_judged` and `gold`, a file or None, and whether it `is_input`, without answers;
    `chosen`, indices of these, or none to take all whose files are there; `at_once`, bytes above which only names are
    looked at; `describes`, whether to say what was read where there is no problem; `gold_is_open`, whether everybody
    may read the gold; `hides_labels`, whether to tell nothing by labels that only the gold names.

    Gives `parts`: each with `scenario`, an index or None, `problems`, `causes`, `description` as a dictionary or None,
    and `gold_error` where the gold is to blame. Gives also `digest`, of all files, where they were described, and
    `left_aside`, indices of the scenarios that the files are not for.
    """
    scenarios = arguments["scenarios"]
    own_archive = arguments["own_archive"]
    # What a judge reads may be of any size that an upload has.
    is_judged = any(scenario["is_judged"] for scenario in scenarios)
    limits = LIMITS if is_judged else _limits_of_check(scenario["gold"] for scenario in scenarios)
    try:
        files = open_files(Named(*arguments["upload"]), limits, drop_marks=True)
        chosen = arguments["chosen"] or _entered(files, scenarios)
    except engine.SubmissionError as error:
        raise_faults(error)
        return {"parts": [_part(None, error.problems, None, own_archive)]}
    if not chosen:
        return {"parts": [_nothing_found(files, scenarios, own_archive)]}
    if files.n_bytes > arguments["at_once"]:
        return {"parts": [_part(index, [], None, None) for index in chosen]}
    describes = arguments["describes"]
    is_open = not arguments["chosen"] and len(chosen) > 1
    checked = partial(
        _check_scenario,
        scenarios=scenarios,
        describes=describes or is_open,
        gold_is_open=arguments["gold_is_open"],
        hides_labels=arguments["hides_labels"],
    )
    parts = [checked(index, scenarios[index], files, own_archive) for index in chosen]
    parts, left_aside = served(parts, scenarios, files) if is_open else (parts, [])
    if not describes:
        parts = [part | {"description": None} for part in parts]
    elif not arguments["chosen"]:
        _tell_unread(parts, scenarios, files)
    is_read = any(part["description"] for part in parts)
    return {"parts": parts, "left_aside": left_aside, "digest": files.digest(files) if is_read else ""}


def _entered(files: Files, scenarios: Sequence[dict[str, Any]]) -> list[int]:
    """Return the scenarios for which the upload has files; where names of files cannot tell, what they say does."""
    return [index for index, scenario in enumerate(scenarios) if has_files(files, scenario)]


def _check_scenario(
    index: int,
    scenario: dict[str, Any],
    files: Files,
    own_archive: str | None,
    *,
    scenarios: Sequence[dict[str, Any]],
    describes: bool,
    gold_is_open: bool,
    hides_labels: bool,
) -> dict[str, Any]:
    """Check the upload in one scenario, and with `describes` describe what was read."""
    if scenario["gold"] is None:
        problem = engine.Finding(
            Message(
                "scenario-takes-no-submissions",
                "Scenario {scenario} takes no submissions in this phase.",
                scenario=scenario["number"],
            )
        )
        return _part(index, [problem], files, own_archive)
    family, options = scenario["family"], scenario["options"]
    if scenario["is_judged"]:  # what it is to have, the judge knows
        empty = [] if files.n_bytes else [engine.Finding(Message("file-empty", "the file is empty"))]
        return _part(index, empty, files, own_archive)
    sides = {"gold": Named(*scenario["gold"]), "system": files, "options": options, "hides_labels": hides_labels}
    try:
        if describes:
            read = engine.describe(family, **sides, gold_is_open=gold_is_open)
            read = lazy.load("scoring.descriptions", "without_gold")(read) if scenario["is_input"] else read
            return _part(index, [], files, own_archive) | {"description": to_data(read.as_dict())}
        if problems := engine.check(family, **sides):
            raise engine.SubmissionError(problems)
    except engine.SubmissionError as error:
        raise_faults(error)
        return _part(index, told_of_sisters(error.problems, scenario, scenarios), files, own_archive)
    except (engine.GoldError, engine.ConfigurationError) as error:
        raise_faults(error)
        # The participant cannot mend it: the run is taken, and the organiser gets a mail when its scoring fails.
        return _part(index, [], files, own_archive) | {"gold_error": to_data(error.message)}
    return _part(index, [], files, own_archive)


def raise_faults(error: engine.ScoringError) -> None:
    """Raise the system's error where it did not let a file be read.

    The site has put the files here, so nobody who made one is to blame.
    """
    for problem in getattr(error, "problems", []):
        if isinstance(problem, Unreadable):
            raise problem.error


def _tell_unread(parts: Sequence[dict[str, Any]], scenarios: Sequence[dict[str, Any]], files: Files) -> None:
    """Add an oddity to the first description, where files or rows belong to no language."""
    described = [part for part in parts if part["description"]]
    unread = None
    with suppress(engine.SubmissionError):  # the scenario's tables have another layout
        unread = unread_of(files, [scenario["options"] for scenario in scenarios])
    if not described or unread is None:
        return
    if unread.of_what == "files":
        message = Message(
            "files-none-languages-such",
            "{n} of {of} files are of none of the languages, such as {example}",
            n=unread.n,
            of=unread.of,
            example=unread.example,
        )
        suggestion = Message(
            "name-folders-files-task",
            "name folders or files as the task does: {listed}",
            listed=some_of(unread.parts, _NAMED),
        )
    else:
        message = Message(
            "rows-none-languages-such",
            "{n} of {of} rows are of none of the languages, such as those of {example}",
            n=unread.n,
            of=unread.of,
            example=unread.example,
        )
        suggestion = Message(
            "name-languages-task-does",
            "name languages as the task does: {listed}",
            listed=some_of(unread.parts, _NAMED),
        )
    file = unread.example if unread.of_what == "files" else None
    oddity = engine.Finding.odd("unread", message, unread.n, unread.of, file, suggestion=suggestion)
    described[0]["description"]["oddities"].insert(0, to_data(oddity.as_dict()))


def _part(
    scenario: int | None, problems: Sequence[engine.Finding], files: Files | None, own_archive: str | None
) -> dict[str, Any]:
    """Return the answer for one scenario, without the name of an archive that the site itself has packed."""
    shown = [
        replace(problem, file=None) if own_archive and problem.file == own_archive else problem for problem in problems
    ]
    return _told_part(scenario, shown, explain(shown, files) if shown else [])


def _told_part(
    scenario: int | None, problems: Sequence[engine.Finding], causes: Sequence[Explanation]
) -> dict[str, Any]:
    return {
        "scenario": scenario,
        "problems": [finding_to_json(problem) for problem in problems],
        "causes": [to_data(asdict(cause)) for cause in causes],
        "description": None,
        "gold_error": "",
    }


def _nothing_found(files: Files, scenarios: Sequence[dict[str, Any]], own_archive: str | None) -> dict[str, Any]:
    """Return the problem that no scenario's files were found, with the nearest names or all of them."""
    expected = [name for scenario in scenarios for name in _expected(scenario)]
    # Files of several languages have equal names in different folders.
    names = sorted(files if any("/" in name for name in expected) else map(base_name, files))
    asked = _names([scenario["number"] for scenario in scenarios])
    if near := near_pairs(expected, names):
        problem = engine.Finding(
            Message(
                "no-file-was-found-but",
                "No file of {asked} was found, but names that are nearly right. Rename these files.",
                asked=asked,
            )
        )
        return _renaming(problem, {other: name for name, other in near.items()})
    are_folders = bool(names) and all(name.endswith("/") for name in expected)
    shares = shares_of_files(files, scenarios) if are_folders else {}
    meant = {path: _name_in(expected, of_scenarios, path) for path, of_scenarios in shares.items()}
    if meant and all(meant.values()) and len({*meant.values()}) == len(meant):
        message = Message(
            "no-file-was-found-but-ids",
            "No file of {asked} was found by its name, but the ids tell what the files are for. Rename them.",
            asked=asked,
        )
        return _renaming(engine.Finding(message), meant)
    values = {"asked": asked, "listed": some_of(names, _NAMED), "listed_2": some_of(expected, _NAMED)}
    message = Message(
        "no-file-was-found", "No file of {asked} was found: the upload has {listed}; expected are {listed_2}.", **values
    )
    if len(files) == 1 and sum(sum(of_scenarios) for of_scenarios in shares.values()) >= _NEARLY_ALL:
        message = Message(
            "one-table-of-languages",
            "No file of {asked} was found. The table has the items of several of them: add a column {column} that says"
            " {name}, for example, in each row; or divide it into files such as {path}.",
            asked=asked,
            column="language",
            name=expected[0].rstrip("/"),
            path=expected[0].rstrip("/") + PurePosixPath(names[0]).suffix,
        )
    elif are_folders:
        message = Message(
            "no-folder-was-found",
            "No file of {asked} was found: the upload has {listed}; expected are {listed_2}. Put each file into the"
            " folder of what it is for, or name it so: {path} or {name}, for example.",
            **values,
            path=expected[0] + base_name(names[0]),
            name=expected[0].rstrip("/") + PurePosixPath(names[0]).suffix,
        )
    return _part(None, [engine.Finding(message)], files, own_archive)


def _renaming(problem: engine.Finding, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the answer that files, by their paths, are to have these names."""
    places = [Location(path, Message("name-to", "to {name}", name=name)) for path, name in names.items()]
    return _told_part(None, [problem], [Explanation(problem.message, "", places=places)])


def _name_in(folders: Sequence[str], shares: Sequence[float], path: str) -> str:
    """Return what a file is to be called that has most ids of one scenario; "" where it has of none or of several."""
    best = max(range(len(shares)), key=shares.__getitem__)
    is_one = shares[best] >= _NEARLY_ALL and shares.count(shares[best]) == 1
    return folders[best].rstrip("/") + PurePosixPath(path).suffix if is_one else ""


def _expected(scenario: dict[str, Any]) -> tuple[str, ...]:
    family = engine.family_of(scenario["family"], scenario["options"])
    return family.files.file_names(family.configure(scenario["options"])) if family.files.file_names else ()


def _names(numbers: Sequence[int]) -> str:
    if len(numbers) == 1:
        return Message("number-scenario", "scenario {number}", number=numbers[0])
    return Message(
        "numbers-number-scenario",
        "scenario {numbers} or {number}",
        numbers=", ".join(map(str, numbers[:-1])),
        number=numbers[-1],
    )


def repeated_input(arguments: Arguments, on_step: OnStep) -> list[int | None]:
    """Return for each of `scenarios` the index of its `others` whose input the upload repeats instead of its own.

    Takes `upload`, a file, `share`, more of which tells whose input it is, and `scenarios`, each with `family`,
    `options`, `own`, its gold or None, and `others` with `options`, `gold` and `is_sister`: whether it is of the same
    phase, whose scenarios go before other phases.
    """
    files = open_files(
        Named(*arguments["upload"]),
        limits_beside(scenario["own"] for scenario in arguments["scenarios"]),
        drop_marks=True,
    )
    return [_repeated(files, scenario, arguments["share"]) for scenario in arguments["scenarios"]]


def _repeated(files: Files, scenario: dict[str, Any], least: float) -> int | None:
    family = engine.family_of(scenario["family"], scenario["options"])
    keys = keys_of_upload(family, files, scenario["options"])
    own_keys = keys_of_gold(family, scenario["own"], scenario["options"]) if scenario["own"] else set()
    if not keys:
        return None
    if len(keys & own_keys) > least * len(keys):
        # Phases may share ids: then it was made for the one that has these and no others.
        whole = [keys_of_gold(family, other["gold"], other["options"]) for other in scenario["others"]]
        return whole.index(keys) if keys != own_keys and keys in whole else None
    shares = [share_of_keys(keys, family, other["gold"], other["options"]) for other in scenario["others"]]
    sisters = [other["is_sister"] and share > least for other, share in zip(scenario["others"], shares, strict=True)]
    best = max(range(len(shares)), key=lambda index: (sisters[index], shares[index]), default=None)
    return best if best is not None and shares[best] > least else None


def evaluate(arguments: Arguments, on_step: OnStep) -> dict[str, Any]:
    """Score an upload; write the evaluation to a file, and return what pages show of it.

    Takes `family`, `options`, `n_resamples`, the files `gold` and `system`, the `part` of the gold, and the path
    `evaluation`; perhaps `keeps`, with the `scores` whose resamples are kept and their `seed`. A child that scores an
    upload for several scenarios, one after the other, opens its archive once.

    Gives `numbers`, or `problems` and `causes` of a refusal, or `error` where the organiser has to mend something; with
    the numbers also `has_drawn`, whether the resamples had to be drawn here.
    """
    files: Files | None = None
    n_drawn_before = n_drawn()
    try:
        gold = Named(*arguments["gold"])
        files = _opened_once(Named(*arguments["system"]), limits_beside([gold]))
        evaluation = _evaluated(arguments, gold, files, on_step)
    except engine.SubmissionError as error:
        raise_faults(error)
        part = _part(None, error.problems, files, None)
        return {"problems": part["problems"], "causes": part["causes"]}
    except (engine.GoldError, engine.ConfigurationError) as error:
        raise_faults(error)
        return {"error": to_data(error.message)}
    values = evaluation.as_dict()
    evaluation.save(arguments["evaluation"], values)
    numbers = _numbers(evaluation, values, engine.FAMILIES[arguments["family"]])
    return {"numbers": numbers, "has_drawn": n_drawn() > n_drawn_before}


def _evaluated(arguments: Arguments, gold: Named, files: Files, on_step: OnStep) -> engine.Evaluation:
    evaluate = partial(
        engine.evaluate,
        arguments["family"],
        gold=gold,
        system=files,
        options=arguments["options"],
        n_resamples=arguments["n_resamples"],
        on_step=on_step,
        gold_labels_only=True,
        **of_part(arguments),
    )
    if keeps := arguments.get("keeps"):
        # The gold may lack a score of the combined board, which says so; the run is scored all the same.
        with suppress(engine.ConfigurationError):
            return evaluate(keep=keeps["scores"], keep_seed=keeps["seed"])
    return evaluate()


def of_part(arguments: Arguments) -> dict[str, Any]:
    """Return what `engine.evaluate` takes for `part`, the part of a split gold (`Gold.part_for_engine`), if there is
    one."""
    part = arguments.get("part")
    return {"subset": engine.Subset(**part["subset"]), "seed": part["seed"]} if part else {}


_opened: dict[str, Files] = {}  # the upload that was opened last, by its path; a child has no other one


def _opened_once(file: Named, limits: Limits) -> Files:
    """Return what `open_files` gives; the limits of two scenarios differ in `total_bytes` alone."""
    if file.path not in _opened:
        _opened.clear()
        _opened[file.path] = open_files(file, limits, drop_marks=True)
    files = _opened[file.path]
    return files.within(limits.total_bytes) if isinstance(files, ZipArchive) else files.again()


def keep_draws(arguments: Arguments) -> None:
    """Draw in the server the resamples that scorings on one gold share, by `seed`, `n_units` and `n_resamples`."""
    cache_weights(arguments["seed"], arguments["n_units"], arguments["n_resamples"])


def annotators(arguments: Arguments, on_step: OnStep) -> dict[str, Any]:
    """Return what one annotator of a gold scores against the others: the fields of a `OneAnnotator`.

    Takes `family`, `options`, `n_resamples` and `gold`, a file. Gives {} where the gold has no ratings of several.
    """
    try:
        evaluations = evaluations_of_annotators(
            arguments["family"],
            Named(*arguments["gold"]),
            arguments["options"],
            n_resamples=arguments["n_resamples"],
        )
    except engine.ConfigurationError:
        return {}
    return asdict(one_annotator(evaluations))


def _numbers(evaluation: engine.Evaluation, numbers: dict[str, Any], family: engine.Family) -> dict[str, Any]:
    """Return the fields of a stored result; `numbers` are the evaluation's values."""
    # A score that is no function of sums has no value for a single unit either.
    scores = scores_of_units(evaluation)
    of_units = np.empty(0) if scores is None else scores
    return {
        "headline": numbers["scores"][evaluation.headline],
        "scores": numbers["scores"],
        "intervals": numbers["intervals"],
        "interval_methods": numbers["interval_methods"],
        "counts": numbers["counts"],
        "tables": _without_item_tables(numbers["tables"], family),
        "is_folded": True,
        "table_intervals": _with_reasons(numbers["table_intervals"], numbers["table_interval_reasons"]),
        "distribution": distribution(of_units, evaluation.scale(evaluation.headline)),
        "warnings": to_data(numbers["warnings"]),
        "signature": evaluation.signature,
        "gold_digest": evaluation.gold_digest,
        "seed": evaluation.seed,
        "n_units": len(evaluation.units),
        "n_resamples": evaluation.n_resamples,
        "confidence_level": evaluation.confidence_level,
    }


def _with_reasons(
    intervals: dict[str, list[dict[str, Any]]], reasons: dict[str, list[dict[str, str]]]
) -> dict[str, list[dict[str, Any]]]:
    """Return {table: for each row {column: its interval, or the reason why it has none}}."""
    return {
        table: [why | ends for why, ends in zip(reasons[table], rows, strict=True)] for table, rows in intervals.items()
    }


def distribution(values: np.ndarray, scale: Scale | None = None) -> list[int]:
    """Count unit scores (n,) between 0 and 1: exactly 0, the ten tenths between, 1 and more; NaN is left out.

    The tenths of scores that go further are of their maximum, such as 100. Scores without bounds give [].
    """
    scale = scale or Scale()
    if not (scale.is_share or (scale.full and not scale.is_open)):
        return []
    defined = values[~np.isnan(values)] / (scale.full or 1.0)
    between = defined[(defined > 0) & (defined < 1)]
    tenths = np.bincount((between * N_TENTHS).astype(int), minlength=N_TENTHS)
    return [int((defined <= 0).sum()), *tenths.tolist(), int((defined >= 1).sum())]


def _without_item_tables(tables: dict[str, Any], family: engine.Family) -> dict[str, Any]:
    """Return the tables without those of single items, which the file has; an empty one is kept to say so."""
    kept = {name: table for name, table in tables.items() if name not in family.table_notes.item_tables}
    return kept | {name: [] for name in family.table_notes.item_tables if not tables.get(name)}


def unit_record(arguments: Arguments, on_step: OnStep) -> dict[str, Any]:
    """Return what the page of one unit shows: `family`, `options`, the files `gold` and `system`, and the unit's
    `name`.

    Gives `record`, or `error` where a file cannot be read.
    """
    make = engine.family_of(arguments["family"], arguments["options"]).views.unit_record
    try:
        gold, system = _both_opened(arguments)
        return {"record": make and make(gold, system, arguments["name"], arguments["options"])}
    except (engine.ScoringError, OSError) as error:
        return {"error": str(error)}


def units_behind(arguments: Arguments, on_step: OnStep) -> dict[str, Any]:
    """Count the items of a table's cell in each unit.

    Takes what `unit_record` takes, but instead of `name` the `cell` (table, row, column) and `folds`, whether the
    tables fold labels. Gives `numbers`, one for each unit of the `part`, None where there is no such cell; or `error`
    where a file cannot be read.
    """
    try:
        gold, system = _both_opened(arguments)
        cell, folds = Cell(*arguments["cell"]), arguments["folds"]
        units = units_of_cell(arguments["family"], gold, system, arguments["options"], cell, folds=folds)
        if part := arguments.get("part"):
            if len(units) != part["subset"]["of"]:  # a run may leave out units by its family's rules
                return {"numbers": None}
            units = units[part["subset"]["places"]]
        return {"numbers": units.tolist()}
    except KeyError:
        return {"numbers": None}
    except (engine.ScoringError, OSError) as error:
        return {"error": str(error)}


def _both_opened(arguments: Arguments) -> tuple[Files, Files]:
    gold, system = Named(*arguments["gold"]), Named(*arguments["system"])
    return open_files(gold), open_files(system, limits_beside([gold]), drop_marks=True)


def limits_beside(golds: Iterable[Sequence[str] | None]) -> Limits:
    """Return the archive's limits, narrowed to what a run on the largest of these golds can need."""
    return _limits_beside([_inflated(path).n_bytes for path, _name in filter(None, golds)])


def _limits_of_check(golds: Iterable[Sequence[str] | None]) -> Limits:
    """Narrow also the number of members to what an upload for all of these golds can need."""
    sizes = [_inflated(path) for path, _name in filter(None, golds)]
    return _limits_beside([size.n_bytes for size in sizes]).beside(sum(size.n_files for size in sizes))


def _limits_beside(sizes: Sequence[int]) -> Limits:
    most = _TIMES_GOLD * max(sizes, default=0) + _AT_ANY_GOLD
    return replace(LIMITS, total_bytes=min(LIMITS.total_bytes, most))


class _Inflated(NamedTuple):
    """The size of a gold."""

    n_bytes: int
    n_files: int


def _inflated(path: str) -> _Inflated:
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            return _Inflated(sum(member.file_size for member in members), len(members))
    except zipfile.BadZipFile:
        return _Inflated(Path(path).stat().st_size, 1)
    except FileNotFoundError:  # reading it will say so; no upload is too large because of that
        return _Inflated(LIMITS.total_bytes, LIMITS.members)
