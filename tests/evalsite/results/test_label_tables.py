"""Tables of an evaluation as templates get them."""

import re
from types import SimpleNamespace

from django.template import Context

from evalsite.results.page.missing_interval import absence, reasons_of
from evalsite.results.templatetags import label_tables
from evalsite.results.templatetags.label_tables import confusion, label_table, worst_units
from scoring.families import FAMILIES
from scoring.scale import Scale
from scoring.significance.limits import undefined_in, without_interval
from scoring.table_columns import Column

RECORDS = [
    {"tag": "LOC", "docs": 2, "found": 3, "f1": 0.5, "seen": True},
    {"tag": "<all>", "docs": 2, "found": 7, "f1": 0.7, "seen": False},
    {"tag": "PER", "docs": 2, "found": 4, "f1": None, "seen": False},
]


def values(rows) -> list[list]:
    return [[cell.value for cell in cells] for cells in rows]


def test_all_columns_are_shown_unless_some_are_chosen():
    table = label_table(Context({}), RECORDS)
    assert [column.title for column in table["columns"]] == ["tag", "docs", "found", "f1", "seen"]
    assert [column.is_number for column in table["columns"]] == [False, True, True, True, False]
    assert values(table["rows"])[0] == ["LOC", 2, 3, 0.5, "yes"]


def test_chosen_columns_come_in_their_order_under_their_own_titles():
    columns = [Column("tag"), Column("f1", "F1"), Column("found", "items found"), Column("seen", is_shown=False)]
    table = label_table(Context({}), RECORDS, columns=columns)
    assert [column.title for column in table["columns"]] == ["tag", "F1", "items found"]
    assert values(table["rows"])[0] == ["LOC", 0.5, 3]


def test_a_column_that_the_table_lacks_is_left_out():
    table = label_table(Context({}), RECORDS, columns=[Column("tag"), Column("absent")])
    assert [column.title for column in table["columns"]] == ["tag"]


def test_a_whole_table_has_all_columns_under_their_keys_and_shares_as_the_score_that_ranks():
    scenario = SimpleNamespace(
        engine_family=FAMILIES["mat"],
        scale_of_column=lambda column: Scale(decimals=1, is_percent=True) if column.is_share else Scale(),
    )
    context = Context({"section": SimpleNamespace(scenario=scenario, result=None)})
    records = [{"tag": "LOC", "test_docs": 2, "fmeasure": 0.5}]
    table = label_table(context, records, table="by_tag", is_whole=True)
    assert [(column.title, column.scale.is_percent) for column in table["columns"]] == [
        ("tag", False),
        ("test docs", False),
        ("fmeasure", True),
    ]
    assert [column.title for column in label_table(context, records, table="by_tag")["columns"]] == ["tag", "F1"]


def test_the_row_that_sums_up_stands_apart():
    table = label_table(Context({}), RECORDS, [{"f1": (0.4, 0.6)}, {}, {}], total="<all>")
    assert [row[0] for row in values(table["rows"])] == ["LOC", "PER"]
    assert [row[0] for row in values(table["totals"])] == ["<all>"]
    assert table["rows"][0][3].interval == (0.4, 0.6)


def test_a_score_without_an_interval_says_why():
    reasons = ["few items", "all resamples agree", "in fewer than 500 resamples", "undefined in 9 of 10 resamples"]
    reasons += ["few units", "no decisions"]
    records = [{"tag": reason, "f1": 0.5, "recall": 0.25} for reason in reasons]
    table = label_table(Context({}), records, [{"f1": reason, "recall": [0.1, 0.3]} for reason in reasons])
    assert [cells[1].absence for cells in table["rows"]] == [
        ("(few items)", "Fewer than 10 in the gold: too few to say how far the score could move."),
        ("(no interval)", "The same on all resamples, which cannot tell how far the score could move."),
        ("(rare)", "In fewer than 500 resamples: too few to say how far the score could move."),
        ("(no interval)", "The score is undefined in 9 of 10 resamples."),
        ("(few items)", "In fewer than 10 units: too few to say how far the score could move."),
        ("(no interval)", "There is nothing in the data that this score could be computed from."),
    ]
    assert all(cells[1].interval is None for cells in table["rows"])
    assert all((cells[2].interval, cells[2].absence) == ([0.1, 0.3], None) for cells in table["rows"])
    assert table["has_few_items"]
    assert not label_table(Context({}), records[1:2], [{"f1": "all resamples agree"}])["has_few_items"]


def test_a_score_of_the_run_without_an_interval_says_why_too():
    undefined = without_interval("mcc", undefined_in(900, 1000))
    reasons = reasons_of([undefined, "a warning that was stored as text"])
    facts = {"n_units": 30, "n_resamples": 1000, "confidence_level": 0.95}
    assert absence(0.5, ("item", "items"), reasons["mcc"], **facts) == (
        "(no interval)",
        "The score is undefined in 900 of 1,000 resamples.",
    )
    assert absence(1, ("item", "items"), "", **facts)[1].startswith("All 30 items agree;")


def test_results_stored_before_there_were_reasons_show_the_score_alone():
    table = label_table(Context({}), [{"tag": "LOC", "f1": 0.5}], [{}])
    assert (table["rows"][0][1].interval, table["rows"][0][1].absence) == (None, None)


def test_of_very_many_labels_the_rest_is_counted(monkeypatch):
    monkeypatch.setattr(label_tables, "MOST_ROWS", 1)
    table = label_table(Context({}), RECORDS, total="<all>")
    assert (len(table["rows"]), len(table["totals"]), table["n_left_out"]) == (1, 1, 1)


PAIRS = [
    {"gold_label": "A", "system_label": "A", "count": 3},
    {"gold_label": "A", "system_label": None, "count": 1},
    {"gold_label": "B", "system_label": "A", "count": 2},
    {"gold_label": None, "system_label": "C", "count": 1},
]


def counted(table) -> dict:
    return {
        (gold, system): cell.count
        for gold, cells, _ in table["rows"]
        for system, cell in zip(table["systems"], cells, strict=True)
        if cell.count
    }


def test_a_confusion_has_what_is_missing_and_spurious_last():
    table = confusion(Context({}), PAIRS, "gold_label", "system_label", "count")
    assert table["systems"] == ["A", "C", None]
    assert [(gold, total) for gold, _, total in table["rows"]] == [("A", 4), ("B", 2), (None, 1)]
    assert counted(table) == {("A", "A"): 3, ("A", None): 1, ("B", "A"): 2, (None, "C"): 1}
    assert [cell.shade for cell in table["rows"][0][1]] == [7, 0, 2]


def test_rare_labels_of_a_confusion_fall_together(monkeypatch):
    monkeypatch.setattr(label_tables, "MOST_LABELS", 1)
    table = confusion(Context({}), PAIRS, "gold_label", "system_label", "count")
    others = table["others"]
    assert counted(table) == {("A", "A"): 3, ("A", None): 1, (others, "A"): 2, (None, others): 1}
    assert table["n_folded"] == 2


def worst(records, **arguments) -> list:
    """The names of the units."""
    context = {"section": SimpleNamespace(has_unit_pages=False, scenario=None), "submission": None}
    return [re.search(">([^<]+)<", row)[1] for row in worst_units(context, records, **arguments)["rows"]]


def test_units_come_by_rising_score_then_by_falling_mistakes_and_without_score_last():
    records = [
        {"unit": "good", "f1": 0.9, "missing": 9},
        {"unit": "none", "f1": None, "missing": 0},
        {"unit": "bad", "f1": 0.1, "missing": 1},
        {"unit": "worse", "f1": 0.1, "missing": 3},
    ]
    assert worst(records) == ["worse", "bad", "good", "none"]
