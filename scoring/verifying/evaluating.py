"""Scores all runs of an archive again, and compares every stored figure of their evaluations."""

import hashlib
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from scoring.engine import evaluate
from scoring.errors import ConfigurationError, ScoringError
from scoring.evaluation import Evaluation
from scoring.families import FAMILIES
from scoring.readers.archive import Named
from scoring.signature import version_of
from scoring.subset import Subset
from scoring.verifying.contents import Contents, Gold, Run, StoredEvaluation
from scoring.verifying.differences import Difference, differing
from scoring.verifying.opening import Archive

Key = tuple[str, str, int, int, str]  # run, phase, scenario, version of the gold, engine


@dataclass
class Recomputation:
    """What was found so far, and the recomputed evaluations as files of a folder, for boards."""

    folder: Path
    differences: list[Difference] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)  # what could not be computed again, and why
    entries: dict[Key, dict[str, Any]] = field(default_factory=dict)
    n_figures: int = 0

    def compare(self, file: str, about: str, stored: Any, recomputed: Any) -> None:
        self.n_figures += _n_leaves(recomputed)
        self.differences += (Difference(file, about, *difference) for difference in differing(stored, recomputed))

    def path_of(self, key: Key) -> Path:
        return self.folder / f"{hashlib.sha256(repr(key).encode()).hexdigest()}.npz"


def _n_leaves(value: Any) -> int:
    if isinstance(value, Mapping):
        return sum(map(_n_leaves, value.values()))
    return sum(map(_n_leaves, value)) if isinstance(value, list | tuple) else 1


def verify_evaluations(
    archive: Archive, contents: Contents, recomputation: Recomputation, at: Callable[[float, str], None]
) -> None:
    """Score each run for each of its stored evaluations; a run's file is unpacked once, and each gold once."""
    ordered = sorted(contents.evaluations, key=lambda evaluation: evaluation.run)
    done = 0
    for number, evaluations in groupby(ordered, key=lambda evaluation: evaluation.run):
        run, of_run = contents.runs[number], list(evaluations)
        at(done / len(ordered), f"run {number}")
        done += len(of_run)
        target = recomputation.folder / "run"
        if not _unpacked(archive, run.file, target, f"run {number}", recomputation):
            continue
        with target.open("rb") as stream:
            if (digest := hashlib.file_digest(stream, "sha256").hexdigest()) != run.sha256:
                recomputation.problems.append(f"{run.file}: its SHA-256 is {digest}, and archive.json has {run.sha256}")
        for evaluation in of_run:
            if not evaluation.judged:
                _verify(archive, contents, evaluation, Named(str(target), run.file_name), recomputation)
            elif scores := _judged(archive, evaluation, recomputation):
                _verify(archive, contents, evaluation, scores, recomputation)


def _judged(archive: Archive, evaluation: StoredEvaluation, recomputation: Recomputation) -> Named | None:
    """Return the scores that a judge has posted for the run, which are scored in place of its file."""
    name, file_name, sha256 = (evaluation.judged.get(key) for key in ("file", "file_name", "sha256"))
    target = recomputation.folder / "judged"
    if (
        not isinstance(name, str)
        or not isinstance(file_name, str)
        or not isinstance(evaluation.judged.get("options"), dict)
    ):
        recomputation.problems.append(
            f"archive.json: run {evaluation.run}, judged: expected file, file_name, sha256 and options"
        )
        return None
    if not _unpacked(archive, name, target, f"scores of run {evaluation.run}", recomputation):
        return None
    if (digest := hashlib.sha256(target.read_bytes()).hexdigest()) != sha256:
        recomputation.problems.append(f"{name}: its SHA-256 is {digest}, and archive.json has {sha256}")
    return Named(str(target), file_name)


def _unpacked(archive: Archive, name: str | None, target: Path, about: str, recomputation: Recomputation) -> bool:
    if name is None:
        recomputation.skipped.append(f"{about}: the site had lost its file")
        return False
    try:
        archive.extract(name, target)
    except ConfigurationError as error:
        recomputation.problems.append(str(error))
        return False
    return True


def _verify(
    archive: Archive, contents: Contents, row: StoredEvaluation, system: Named, recomputation: Recomputation
) -> None:
    gold = contents.golds[row.phase, row.scenario, row.gold]
    about = f"run {row.run}, scenario {row.scenario}"
    family = contents.scenarios[row.scenario].family
    options = contents.scenarios[row.scenario].options | row.judged.get("options", {})
    if family not in FAMILIES:
        recomputation.skipped.append(
            f"{row.file}: there is no family {family} here: install the package that brings it"
        )
        return
    if row.engine != version_of(FAMILIES[family]):
        recomputation.skipped.append(f"{row.file}: by the engine {row.engine}: verify it with that one")
        return
    place = recomputation.folder / f"gold-{hashlib.sha256((gold.file or '').encode()).hexdigest()}"
    if not place.exists() and not _unpacked(archive, gold.file, place, f"gold of {row.phase}", recomputation):
        return
    if any(option.is_local and option.key in options for option in FAMILIES[family].options):
        recomputation.problems.append(f"archive.json: scenario {row.scenario}: an option names a file of this machine")
        return
    try:
        stored = archive.json(row.file)
        evaluation = _evaluate(family, options, Named(str(place), gold.file_name), system, gold, stored)
    except ConfigurationError as error:
        recomputation.problems.append(f"{row.file}: {error}")
        return
    except ScoringError as error:
        recomputation.problems.append(f"{row.file}: the run cannot be scored on the gold: {error}")
        return
    figures = figures_of(evaluation)
    figures["tables"] = _stored_tables(figures["tables"], FAMILIES[family].table_notes.item_tables, stored)
    recomputation.compare(row.file, about, stored, figures)
    run = contents.runs[row.run]
    key = (run.run, row.phase, row.scenario, row.gold, row.engine)
    evaluation.save(recomputation.path_of(key))
    recomputation.entries[key] = entry_of(evaluation, run)


def _stored_tables(tables: dict[str, Any], of_items: Collection[str], stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables that a site stores: of those of single items it says only which are empty."""
    kept = {name: table for name, table in tables.items() if name not in of_items}
    named = stored.get("tables")
    listed = [name for name in of_items if isinstance(named, Mapping) and name in named]
    return kept | {name: tables.get(name, []) for name in listed}


def _evaluate(family: str, options: dict[str, Any], gold: Named, system: Named, row: Gold, stored: Any) -> Evaluation:
    """Score the run as the site does; how often is drawn is the archive's choice, within bounds."""
    if not isinstance(stored, Mapping):
        raise ConfigurationError("expected an object")
    n_resamples, level = stored.get("n_resamples"), stored.get("confidence_level")
    if not isinstance(n_resamples, int) or not 0 <= n_resamples <= _MOST_RESAMPLES:
        raise ConfigurationError(f"n_resamples: expected a number up to {_MOST_RESAMPLES:,}, found {n_resamples!r}")
    if not isinstance(level, float):
        raise ConfigurationError(f"confidence_level: expected a share, found {level!r}")

    def score(**keeping: Any) -> Evaluation:
        return evaluate(
            family,
            gold=gold,
            system=system,
            options=options,
            n_resamples=n_resamples,
            confidence_level=level,
            drop_marks=True,
            gold_labels_only=True,
            **_of_part(row),
            **keeping,
        )

    if row.keeps:
        with suppress(ConfigurationError):
            return score(keep=row.keeps.get("scores", ()), keep_seed=row.keeps.get("seed"))
    return score()


def _of_part(row: Gold) -> dict[str, Any]:
    """Return what `evaluate` takes for the part of a gold that is split; ConfigurationError where it is none."""
    if not row.part:
        return {}
    try:
        subset = Subset(**row.part["subset"])
        is_one = all(isinstance(place, int) and 0 <= place < subset.of for place in subset.places)
        if not (is_one and len(subset.places) == len(subset.names) and isinstance(subset.digest, str)):
            raise ValueError
        return {"subset": subset, "seed": row.part["seed"]}
    except (KeyError, TypeError, ValueError):
        raise ConfigurationError(f"archive.json: the part of gold version {row.version} is none") from None


_MOST_RESAMPLES = 100_000


def figures_of(evaluation: Evaluation) -> dict[str, Any]:
    """Return all figures that a site stores of an evaluation, as plain values."""
    values = evaluation.as_dict()
    reasons, intervals = values["table_interval_reasons"], values["table_intervals"]
    return {
        "headline": values["scores"][evaluation.headline],
        **{name: values[name] for name in ("scores", "intervals", "interval_methods", "counts")},
        "warnings": [str(warning) for warning in evaluation.warnings],
        "signature": evaluation.signature,
        "gold_digest": evaluation.gold_digest,
        "n_units": len(evaluation.units),
        "n_resamples": evaluation.n_resamples,
        "confidence_level": evaluation.confidence_level,
        "tables": values["tables"],
        "table_intervals": {
            table: [
                {column: str(why) for column, why in reasons[table][place].items()} | ends
                for place, ends in enumerate(rows)
            ]
            for table, rows in intervals.items()
        },
    }


def entry_of(evaluation: Evaluation, run: Run) -> dict[str, Any]:
    """Return what a board's entry takes over from the evaluation of its run."""
    figures = {
        "headline": evaluation.scores[evaluation.headline],
        "scores": {name: value for name, value in evaluation.scores.items() if value is not None},
        "lows": {name: low for name, (low, _) in evaluation.intervals.items()},
        "highs": {name: high for name, (_, high) in evaluation.intervals.items()},
        "interval_method": evaluation.interval_methods.get(evaluation.headline, ""),
        "n_units": len(evaluation.units),
        "n_resamples": evaluation.n_resamples,
        "confidence_level": evaluation.confidence_level,
        "signature": evaluation.signature,
        "date": run.arrived,
    }
    return figures
