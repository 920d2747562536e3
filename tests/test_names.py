"""Classes are called by what they are, and tables for spreadsheets written in one place."""

import ast

from tests.import_graph import modules

_PARTICIPLES = {"Found", "Chosen", "Known", "Given", "Said", "Told", "Kept"}


def test_no_class_of_the_site_is_named_by_a_bare_participle():
    named = {
        f"{module}.{node.name}"
        for module, path in modules("evalsite").items()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef) and node.name in _PARTICIPLES
    }
    assert named == set()


def test_tables_for_spreadsheets_are_written_in_one_place():
    writers = {module for module, path in modules("evalsite").items() if "csv.writer(" in path.read_text()}
    assert writers == set(), "use evalsite.base.spreadsheets, whose cells no spreadsheet program calculates"
