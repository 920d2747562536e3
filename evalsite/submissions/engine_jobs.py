"""The functions that the engine's children run for an upload (`evalsite.jobs.sandbox`).

A child has the engine and the standard library, no Django and no database: arguments and answers are plain values. A
file comes as two of them, `Named`: its path, and its owner's name for it.
"""

import json
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import scoring as engine
from evalsite.submissions.causes import problem_to_json
from scoring.cli.annotators import evaluations_of_annotators, one_annotator
from scoring.comparing.units import Cell, scores_of_units
from scoring.comparing.units import units_behind as units_of_cell
from scoring.errors import Unreadable
from scoring.families.parts import unread_of
from scoring.messages import Message, from_data, kind_of, some_of, to_data
from scoring.readers.archive import LIMITS, Files, Limits, Named, ZipArchive, open_files
from scoring.readers.archive.names import base_name, near_pairs
from scoring.readers.explanations import Explanation, Location, explain
from scoring.scale import Scale
from scoring.significance.draws import cache_weights, n_drawn

Arguments = dict[str, Any]
OnStep = Callable[[str], None]
N_TENTHS = 10  # of the scores between 0 and 1, in the distribution of a result
_NAMED = 10
# Kinds of problems of a file whose columns or keys are those of something else.
OTHER_COLUMNS = {
    "column-not-found-columns",
    "column-not-found-header",
    "column-not-found-header-did",
    "column-not-found-rename",
    "key-missing-rename",
    "no-column-first-line-tabs",
    "no-key-object",
    "no-key-object-did",
}
# An upload may inflate to so many times the gold, and to so many bytes however small the gold is.
_TIMES_GOLD = 20
_AT_ANY_GOLD = 20 * 2**20


def prepare() -> None:
    """Load and try in the server what children use, before the first child, so that not each of them has to."""
    np.ones((64, 64)) @ np.ones((64, 64))  # linear algebra allocates its working memory at the first use
    for family in engine.FAMILIES.values():
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
    `number`, `family`, `options`, `is_judged` and `gold`, a file or None; `chosen`, indices of these, or none to take
    all whose files are there; `at_once`, bytes above which only names are looked at; `describes`, whether to say what
    was read where there is no problem; `gold_is_open`, whether everybody may read the gold; `hides_labels`, whether to
    tell nothing by labels that only the gold names.

    Gives `parts`: each with `scenario`, an index or None, `problems`, `causes`, `description` as a dictionary or None,
    and `gold_error` where the gold is to blame. Gives also `digest`, of all files, where they were described.
    """
    scenarios = arguments["scenarios"]
    own_archive = arguments["own_archive"]
    # What a judge reads may be of any size that an upload has.
    is_judged = any(each["is_judged"] for each in scenarios)
    limits = LIMITS if is_judged else _limits_of_check(each["gold"] for each in scenarios)
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
    checked = partial(
        _checked,
        describes=describes,
        gold_is_open=arguments["gold_is_open"],
        hides_labels=arguments["hides_labels"],
    )
    parts = [checked(index, scenarios[index], files, own_archive) for index in chosen]
    if not arguments["chosen"]:
        parts = _meant(parts, scenarios, files)
    if describes and not arguments["chosen"]:
        _tell_unread(parts, scenarios, files)
    is_read = any(part["description"] for part in parts)
    return {"parts": parts, "digest": files.digest(files) if is_read else ""}


def _entered(files: Files, scenarios: Sequence[dict[str, Any]]) -> list[int]:
    """Return the scenarios for which the upload has files; where names of files cannot tell, what they say does."""
    return [index for index, each in enumerate(scenarios) if _has_files(files, each)]


def _has_files(files: Files, scenario: dict[str, Any]) -> bool:
    family = engine.family_of(scenario["family"], scenario["options"])
    has_files = family.files.has_files
    return has_files is None or has_files(files, family.configure(scenario["options"]))


def _meant(parts: list[dict[str, Any]], scenarios: Sequence[dict[str, Any]], files: Files) -> list[dict[str, Any]]:
    """Leave out scenarios that the upload is not for by its columns or its ids, if there is another that it is for."""
    meant = [part for part in parts if not part["problems"] or _is_for(part, scenarios[part["scenario"]], files)]
    return meant or parts


def _is_for(part: dict[str, Any], scenario: dict[str, Any], files: Files) -> bool:
    """Return whether an upload with problems seems to be for the scenario: columns are found, and an id of its own."""
    family = engine.family_of(scenario["family"], scenario["options"])
    if family.files.has_files is not None or scenario["gold"] is None:
        return True
    if all(kind_of(from_data(problem["message"])) in OTHER_COLUMNS for problem in part["problems"]):
        return False
    keys = _keys_of_upload(family, files, scenario["options"])
    return not keys or _share(keys, family, scenario["gold"], scenario["options"]) > 0


def _checked(
    index: int,
    scenario: dict[str, Any],
    files: Files,
    own_archive: str | None,
    *,
    describes: bool,
    gold_is_open: bool,
    hides_labels: bool,
) -> dict[str, Any]:
    """Check the upload in one scenario, and with `describes` describe what was read."""
    if scenario["gold"] is None:
        problem = engine.Problem(
            Message(
                "scenario-takes-no-submissions",
                "Scenario {scenario} takes no submissions in this phase.",
                scenario=scenario["number"],
            )
        )
        return _part(index, [problem], files, own_archive)
    family, options = scenario["family"], scenario["options"]
    if scenario["is_judged"]:  # what it is to have, the judge knows
        empty = [] if files.n_bytes else [engine.Problem(Message("file-empty", "the file is empty"))]
        return _part(index, empty, files, own_archive)
    sides = {"gold": Named(*scenario["gold"]), "system": files, "options": options, "hides_labels": hides_labels}
    try:
        if describes:
            read = engine.describe(family, **sides, gold_is_open=gold_is_open)
            return _part(index, [], files, own_archive) | {"description": to_data(read.as_dict())}
        if problems := engine.check(family, **sides):
            raise engine.SubmissionError(problems)
    except engine.SubmissionError as error:
        raise_faults(error)
        return _part(index, error.problems, files, own_archive)
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
        unread = unread_of(files, [each["options"] for each in scenarios])
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
    oddity = engine.Oddity("unread", message, unread.n, unread.of, file, suggestion=suggestion)
    described[0]["description"]["oddities"].insert(0, to_data(asdict(oddity)))


def _part(
    scenario: int | None, problems: Sequence[engine.Problem], files: Files | None, own_archive: str | None
) -> dict[str, Any]:
    """Return the answer for one scenario, without the name of an archive that the site itself has packed."""
    found = [replace(each, file=None) if own_archive and each.file == own_archive else each for each in problems]
    return _told_part(scenario, found, explain(found, files) if found else [])


def _told_part(
    scenario: int | None, problems: Sequence[engine.Problem], causes: Sequence[Explanation]
) -> dict[str, Any]:
    return {
        "scenario": scenario,
        "problems": [problem_to_json(problem) for problem in problems],
        "causes": [to_data(asdict(cause)) for cause in causes],
        "description": None,
        "gold_error": "",
    }


def _nothing_found(files: Files, scenarios: Sequence[dict[str, Any]], own_archive: str | None) -> dict[str, Any]:
    """Return the problem that no scenario's files were found, with the nearest names or all of them."""
    expected = [name for each in scenarios for name in _expected(each)]
    # Files of several languages have equal names in different folders.
    found = sorted(files if any("/" in name for name in expected) else map(base_name, files))
    asked = _names([each["number"] for each in scenarios])
    if near := near_pairs(expected, found):
        problem = engine.Problem(
            Message(
                "no-file-was-found-but",
                "No file of {asked} was found, but names that are nearly right. Rename these files.",
                asked=asked,
            )
        )
        places = [Location(other, Message("name-to", "to {name}", name=name)) for name, other in near.items()]
        return _told_part(None, [problem], [Explanation(problem.message, "", places=places)])
    problem = engine.Problem(
        Message(
            "no-file-was-found",
            "No file of {asked} was found: the upload has {listed}; expected are {listed_2}.",
            asked=asked,
            listed=some_of(found, _NAMED),
            listed_2=some_of(expected, _NAMED),
        )
    )
    return _part(None, [problem], files, own_archive)


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
    `options`, `own`, its gold or None, and `others` with `options` and `gold`.
    """
    files = open_files(
        Named(*arguments["upload"]), limits_beside(each["own"] for each in arguments["scenarios"]), drop_marks=True
    )
    return [_repeated(files, scenario, arguments["share"]) for scenario in arguments["scenarios"]]


def _repeated(files: Files, scenario: dict[str, Any], least: float) -> int | None:
    family = engine.family_of(scenario["family"], scenario["options"])
    keys = _keys_of_upload(family, files, scenario["options"])
    own = scenario["own"]
    if not keys or (own and _share(keys, family, own, scenario["options"]) > least):
        return None
    shares = [_share(keys, family, other["gold"], other["options"]) for other in scenario["others"]]
    best = max(range(len(shares)), key=shares.__getitem__, default=None)
    return best if best is not None and shares[best] > least else None


def _keys_of_upload(family: engine.Family, files: Files, options: dict[str, Any]) -> set[str]:
    if family.files.input_keys is None:
        return set()
    try:
        return family.files.input_keys(files, family.configure(options), "system")
    except engine.ScoringError:
        # What cannot be read has no keys.
        return set()


def _share(keys: set[str], family: engine.Family, gold: Sequence[str], options: dict[str, Any]) -> float:
    """Return the share of the upload's input that is this gold's."""
    if family.files.input_keys is None:
        return 0
    try:
        return len(keys & family.files.input_keys(open_files(Named(*gold)), family.configure(options), "gold")) / len(
            keys
        )
    except (engine.ScoringError, OSError):
        return 0


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
        found = evaluations_of_annotators(
            arguments["family"],
            Named(*arguments["gold"]),
            arguments["options"],
            n_resamples=arguments["n_resamples"],
        )
    except engine.ConfigurationError:
        return {}
    return asdict(one_annotator(found))


def _numbers(evaluation: engine.Evaluation, numbers: dict[str, Any], family: engine.Family) -> dict[str, Any]:
    """Return the fields of a stored result; `numbers` are the evaluation's values."""
    # A score that is no function of sums has no value for a single unit either.
    found = scores_of_units(evaluation)
    of_units = np.empty(0) if found is None else found
    return {
        "headline": numbers["scores"][evaluation.headline],
        "scores": numbers["scores"],
        "intervals": numbers["intervals"],
        "interval_methods": numbers["interval_methods"],
        "counts": numbers["counts"],
        "tables": _kept(numbers["tables"], family),
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


def _kept(tables: dict[str, Any], family: engine.Family) -> dict[str, Any]:
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
        found = units_of_cell(arguments["family"], gold, system, arguments["options"], cell, folds=folds)
        if part := arguments.get("part"):
            if len(found) != part["subset"]["of"]:  # a run may leave out units by its family's rules
                return {"numbers": None}
            found = found[part["subset"]["places"]]
        return {"numbers": found.tolist()}
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
