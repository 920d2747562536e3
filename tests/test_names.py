"""Classes and variables are called by what they are, and tables for spreadsheets written in one place."""

import ast
from collections.abc import Iterator

from tests.import_graph import modules

_PARTICIPLES = {"Found", "Chosen", "Known", "Given", "Said", "Told", "Kept"}

_SAY_NOTHING = {"found", "each", "own", "said", "known", "told"}

# Words that are no names of functions: what it returns or does is missing.
_NO_FUNCTIONS = {
    *_SAY_NOTHING,
    *("all", "both", "further", "given", "here", "kept", "one", "other", "others", "rest", "there", "usual"),
    *("by", "with"),
}


def test_no_variable_is_named_by_a_word_that_fits_any():
    named = {
        f"{module}:{line}: {name}"
        for package in ("scoring", "evalsite")
        for module, path in modules(package).items()
        for line, name in _variables(ast.parse(path.read_text()))
        if name in _SAY_NOTHING
    }
    assert named == set()


def test_no_function_is_named_by_a_word_without_a_noun_or_a_verb():
    named = {
        f"{module}:{node.lineno}: {node.name}"
        for package in ("scoring", "evalsite")
        for module, path in modules(package).items()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef) and not node.decorator_list and node.name.lstrip("_") in _NO_FUNCTIONS
    }
    assert named == set()


def _variables(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the variables and arguments of functions with their lines."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.Lambda):
            for node in ast.walk(function):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.lineno, node.id
                elif isinstance(node, ast.arg):
                    yield node.lineno, node.arg


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
