"""The steps of an evaluation by the chosen rules: those of 2018 are another task's, all others share theirs."""

from collections.abc import Mapping
from typing import Any

from scoring.columns import Array, Floats
from scoring.errors import Problem
from scoring.families.ehealthkd.counting import Matches, count, fold_labels
from scoring.families.ehealthkd.options import pairing_of
from scoring.families.ehealthkd.rules_2018.counting import KINDS_2018, Matches2018, count_2018, metrics_2018
from scoring.families.ehealthkd.rules_2018.tables import fold_labels_2018, tables_2018
from scoring.families.ehealthkd.rules_2018.view import unit_record_2018
from scoring.families.ehealthkd.scores import KINDS, metrics
from scoring.families.ehealthkd.tables import tables
from scoring.families.ehealthkd.view import unit_record
from scoring.family import Counted, Files, Folded, Options, Record, Table
from scoring.readers.ehealthkd import differing_texts, read_gold, read_system
from scoring.readers.ehealthkd.tables_2018 import read_gold_2018, read_system_2018


def is_2018(options: Options) -> bool:
    return bool(options["rules"] == "2018")


def read_gold_by_rules(files: Files, options: Options) -> Any:
    if is_2018(options):
        return read_gold_2018(files, options["scenario"], pairing_of(options))
    return read_gold(files, options["scenario"], pairing_of(options), options["rules"])


def read_system_by_rules(files: Files, gold: Any, options: Options) -> Any:
    if is_2018(options):
        return read_system_2018(files, gold, options["scenario"], pairing_of(options))
    return read_system(files, gold, options["scenario"], pairing_of(options), options["rules"])


def count_by_rules(gold: Any, system: Any, options: Options) -> Counted:
    return count_2018(gold, system, options) if is_2018(options) else count(gold, system, options)


def metrics_by_rules(counts: Array, options: Options) -> dict[str, Floats]:
    return metrics_2018(counts, options) if is_2018(options) else metrics(counts, options)


def tables_by_rules(matches: Matches | Matches2018, options: Options) -> dict[str, Table]:
    return tables_2018(matches, options) if isinstance(matches, Matches2018) else tables(matches, options)


def fold_labels_by_rules(matches: Matches | Matches2018) -> Folded:
    return fold_labels_2018(matches) if isinstance(matches, Matches2018) else fold_labels(matches)


def kinds_by_rules(options: Options) -> tuple[str, ...]:
    return KINDS_2018 if is_2018(options) else KINDS


def totals_by_rules(options: Options) -> Mapping[str, tuple[int, ...]]:
    return {kind: (place,) for place, kind in enumerate(kinds_by_rules(options))}


def unit_record_by_rules(gold: Files, system: Files, unit: str, options: Options) -> Record:
    return (unit_record_2018 if is_2018(options) else unit_record)(gold, system, unit, options)


def gold_remarks(files: Files, options: Options) -> list[Problem]:
    """The files of 2018 have no texts that could differ from those under the spans."""
    return [] if is_2018(options) else differing_texts(files, options["scenario"], options["rules"])
