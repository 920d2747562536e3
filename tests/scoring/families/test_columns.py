"""Every column of a table that pages show is declared once, and no column is declared that no table has."""

import json
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache

import numpy as np
import pytest

import scoring
from scoring.families.parts import for_part
from scoring.family import Table
from scoring.readers.archive import Made, open_files

_SPACY = ("tokenization", "ner", "cats", "links", "nervaluate", "seqeval", "morph_per_feat")
_TUPLES = {"gold_format": "table", "system_format": "table", "fields": "aspect,opinion", "beta": "2"}
# Beside those of its uses, options with which the specimens of a family have all of its tables, with all columns.
OPTIONS: dict[str, list[dict[str, str]]] = {
    "labels": [{"beta": "2", "slices": "domain"}]
    + [{"task": task, "slices": "domain"} for task in ("multi", "graded", "soft")],
    "mat": [
        {"beta": "2", "overlap": "true", "confidence_data": "true", "pairing": "2.x"},
        _TUPLES | {"values": "VA#1,VA#2", "value_range": "1,9"},
        _TUPLES | {"columns": "document,label,start,end", "overlap": "true"},
    ],
    "numbers": [
        of_kind | further
        for of_kind in ({"tolerance": "0.5"}, {"kind": "binary"})
        for further in ({"slices": "domain"}, {"columns": "a,b"})
    ],
    "qac": [{"beta": "2"}],
    "spacy": [{"scores": json.dumps([{"name": name} for name in _SPACY]), "beta": "2"}],
}
# Tables that no page shows as they are: of single items, or drawn in another way.
UNDECLARED = {
    "coreference": {"metrics", "errors"},
    "ehealthkd": {"label_confusion", "phrases", "relations"},
    "given": {"units"},
    "labels": {"confusion"},
    "mat": {"details", "confusion"},
    "qac": {"answers"},
    "ranking": {"questions"},
    "spacy": {"ents_confusion", "descriptions", "errors"},
    "text": {"segments", "documents", "signatures"},
    "transcripts": {"utterances", "confusions", "deletions", "insertions"},
}
OURS = [name for name, family in scoring.FAMILIES.items() if family.package is None]


def options_of(name: str) -> list[dict]:
    return [{}, *OPTIONS.get(name, ()), *(dict(use.options) for use in scoring.FAMILIES[name].offer.uses)]


@cache
def evaluations(name: str) -> list[scoring.Evaluation]:
    return [_evaluation(name, options) for options in options_of(name)]


def _evaluation(name: str, options: dict) -> scoring.Evaluation:
    family = for_part(scoring.FAMILIES[name], options)
    small = family.offer.specimen(family.configure(options))
    return scoring.evaluate(name, gold=Made(small.gold), system=Made(small.run), options=options)


def columns_of_tables(name: str) -> Iterator[tuple[str, str]]:
    """The tables and columns of all evaluations of a family's specimens."""
    for evaluation in evaluations(name):
        for table, records in evaluation.tables.items():
            yield from ((table, key) for key in (records[0] if records else ()))


@pytest.mark.parametrize("name", OURS)
def test_each_column_of_a_table_is_declared(name):
    family = scoring.FAMILIES[name]
    scores = {score for evaluation in evaluations(name) for score in evaluation.scores}
    left_out = [
        f"{table}.{key}"
        for table, key in dict.fromkeys(columns_of_tables(name))
        if table not in UNDECLARED.get(name, ())
        and key not in {column.key for column in family.columns(table)} | scores
    ]
    assert left_out == [], f"declare it in COLUMNS of scoring/families/{name}/tables.py"


@pytest.mark.parametrize("name", OURS)
def test_each_declared_column_is_one_of_a_table(name):
    declared = scoring.FAMILIES[name].table_notes.columns
    there = {
        (next((pattern for pattern in declared if fnmatchcase(table, pattern)), ""), key)
        for table, key in columns_of_tables(name)
    }
    assert [
        (table, column.key) for table in declared for column in declared[table] if (table, column.key) not in there
    ] == []


def tables_of(name: str, options: dict) -> dict[str, Table]:
    """The tables of a specimen with what their intervals are made of."""
    family = for_part(scoring.FAMILIES[name], options)
    chosen = family.configure(options)
    small = family.offer.specimen(chosen)
    gold = family.read_gold(open_files(Made(small.gold)), chosen)
    chosen = family.resolve_options(gold, chosen) if family.resolve_options else chosen
    system = family.read_system(open_files(Made(small.run)), gold, chosen)
    return family.tables(family.count(gold, system, chosen).matches, chosen)


@pytest.mark.parametrize("name", OURS)
def test_shares_of_a_table_by_label_are_shares_of_decisions(name):
    family = scoring.FAMILIES[name]
    without = [
        f"{key}.{column.key}"
        for options in options_of(name)
        for key, table in tables_of(name, options).items()
        if table.proportions is not None
        for column in family.columns(key)
        if column.is_share and column.key in table.records[0]
        if column.key not in table.proportions(np.ones((1, table.rows.shape[-1])))
    ]
    assert without == [], "name its proportion, or resamples give it an interval that is too short"


@pytest.mark.parametrize("name", OURS)
def test_a_table_declares_each_column_once(name):
    for table, columns in scoring.FAMILIES[name].table_notes.columns.items():
        keys = [column.key for column in columns]
        assert sorted(set(keys)) == sorted(keys), table
