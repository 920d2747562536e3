"""A kind of oddity has its place in the order of telling, and a row in the documentation."""

import ast
import re
from pathlib import Path

from scoring.describing.description import KINDS
from tests.forgotten import assert_all_are_listed
from tests.import_graph import modules

PAGE = Path(__file__).parents[3] / "docs/description.md"


def test_each_kind_that_is_asked_about_has_its_place():
    calls = [
        node
        for path in modules("scoring").values()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args
    ]
    asked = {call.args[0].value for call in calls if call.func.attr == "odd" and isinstance(call.args[0], ast.Constant)}
    assert asked - {*KINDS} == set(), "place it in KINDS of scoring/describing/description.py, the most telling first"
    assert {"empty", "encoding"} <= asked


def test_each_kind_has_a_row_in_the_documentation():
    rows = re.findall(r"^\| `([\w-]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert_all_are_listed(KINDS, rows, "add a row to “The kinds” in docs/description.md")
