"""A family that has no templates of its own is shown all the same."""

from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string

SECTION = SimpleNamespace(
    scenario=None,
    result=SimpleNamespace(
        tables={
            "by_label": [{"label": "PER", "gold": 3, "f1": 0.25}],
            "by_text": [{"text": "one", "f1": 0.125}],
            "nothing": [],
        },
        table_intervals={"by_label": [{"f1": (0.2, 0.3)}]},
    ),
)


@pytest.mark.parametrize("sees_against_gold", [False, True])
def test_sums_by_label_are_shown_and_what_may_be_a_single_unit_waits_for_the_gold(sees_against_gold):
    context = {"section": SECTION, "sees_against_gold": sees_against_gold}
    page = render_to_string("results/summary/any.html", context)
    assert "<h3>By label</h3>" in page
    assert "[0.200, 0.300]" in page
    assert ("<h3>By text</h3>" in page) == sees_against_gold
    assert ("0.125" in page) == sees_against_gold
    assert "Nothing" not in page


def test_a_unit_is_shown_as_tables_and_texts():
    record = {"text": "a < b", "chains": [{"gold": "x", "system": None, "agrees": True}]}
    page = render_to_string("results/unit/any.html", {"unit": SimpleNamespace(record=record)})
    assert "<h2>Text</h2>" in page
    assert "a &lt; b" in page
    assert "<h2>Chains</h2>" in page
    assert ">yes<" in page
