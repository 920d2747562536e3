"""Tests which units stand behind a count, and in which order they follow each other, on three made-up sentences."""

import numpy as np
import pytest

import scoring as engine
from scoring.comparing.units import Cell, units_behind, units_of_total, worst_first
from scoring.labels import NOT_IN_GOLD
from scoring.readers.archive import open_files

SENTENCES = "dolor agudo\n" * 3
OPTIONS = {"scenario": "1"}


def files(phrases: str) -> dict[str, str]:
    return {
        "input_scenario1.txt": SENTENCES,
        "output_a_scenario1.txt": phrases,
        "output_b_scenario1.txt": "",
    }


GOLD = files(
    "1\t0 5\tConcept\tx\n2\t6 11\tPredicate\tx\n3\t12 17\tConcept\tx\n4\t18 23\tConcept\tx\n5\t24 29\tConcept\tx\n"
)
# The first sentence is right; of the second one phrase is missing and one another's; in the third one is invented.
RUN = files(
    "1\t0 5\tConcept\tx\n2\t6 11\tPredicate\tx\n3\t12 17\tPredicate\tx\n4\t24 29\tConcept\tx\n5\t30 35\tOddity\tx\n"
)


@pytest.fixture
def folders(tmp_path):
    for name, content in (("gold", GOLD), ("run", RUN)):
        (tmp_path / name).mkdir()
        for path, text in content.items():
            (tmp_path / name / path).write_text(text)
    return tmp_path / "gold", tmp_path / "run"


@pytest.fixture
def evaluation(folders):
    gold, run = folders
    return engine.evaluate("ehealthkd", gold=gold, system=run, options=OPTIONS, gold_labels_only=True)


@pytest.fixture
def behind(folders, evaluation):
    gold, run = map(open_files, folders)

    def numbers(table: str, row: str, column: str, *, folds: bool = True) -> list[int]:
        cell = Cell(table, row, column)
        return units_behind("ehealthkd", gold, run, evaluation.options, cell, folds=folds).tolist()

    return numbers


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (("entity_labels", "Concept", "missing"), [0, 1, 0]),
        (("entity_labels", "Concept", "gold"), [1, 2, 1]),
        (("entity_labels", NOT_IN_GOLD, "spurious"), [0, 0, 1]),
        (("label_confusion", "Concept", "Concept"), [1, 0, 1]),
        (("label_confusion", "Concept", "Predicate"), [0, 1, 0]),
        (("label_confusion", "Concept", ""), [0, 1, 0]),
        (("label_confusion", "", NOT_IN_GOLD), [0, 0, 1]),
    ],
)
def test_a_cell_is_found_unit_by_unit(behind, cell, expected):
    assert behind(*cell) == expected


def test_an_invented_label_goes_by_its_name_where_tables_list_it(behind):
    assert behind("label_confusion", "", "Oddity", folds=False) == [0, 0, 1]


@pytest.mark.parametrize(
    "cell",
    [
        ("entity_labels", "Nothing", "missing"),
        ("entity_labels", "Concept", "f1"),
        ("no_table", "Concept", "missing"),
        ("sentences", "1", "correct_A"),
        ("label_confusion", "Predicate", "Concept"),
    ],
)
def test_what_is_no_count_of_a_table_is_not_found(behind, cell):
    with pytest.raises(KeyError):
        behind(*cell)


def test_a_total_is_read_off_the_counts_of_the_units(evaluation):
    assert units_of_total(evaluation, "missing_A").tolist() == [0, 1, 0]
    assert units_of_total(evaluation, "sentences") is None


def test_the_worst_unit_comes_first_and_of_equal_ones_that_with_more_mistakes(evaluation):
    # F1 of the sentences: 1, 0 and 2/3.
    assert worst_first(evaluation).tolist() == [1, 2, 0]


@pytest.mark.parametrize("family", engine.FAMILIES)
def test_what_breaks_ties_are_kinds_of_the_family(family):
    record = engine.FAMILIES[family]
    assert set(record.counts.mistakes) <= set(record.kinds)


def test_totals_and_tables_by_label_name_columns_of_their_rows():
    mat = engine.FAMILIES["mat"]
    assert mat.table_notes.behind("by_tag")["reftotal"] == (0, 1, 2)
    assert mat.counts.totals({})["token_match"] == (5,)
    assert engine.FAMILIES["spacy"].table_notes.behind("nervaluate_per_type") == {}


def test_units_that_are_equal_in_all_stand_in_the_order_of_the_gold(evaluation):
    rows = np.zeros_like(evaluation.rows)
    object.__setattr__(evaluation, "rows", rows)
    # Without any count each score is 0: the order of the gold remains.
    assert worst_first(evaluation).tolist() == [0, 1, 2]
