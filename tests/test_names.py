"""A class is called by what it is, and not by a participle that says nothing where it is imported."""

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
