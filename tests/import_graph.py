"""Finds circles among the imports that modules of engine and site run while they are loaded."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
Graph = Mapping[str, set[str]]


def modules(*packages: str, root: Path = ROOT) -> dict[str, Path]:
    """Return the file of each module below folders of the project, but for migrations and templates of code."""
    files = {}
    for package in packages:
        for path in sorted(Path(root, package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            if "migrations" not in parts and all(part.isidentifier() for part in parts):
                files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return files


def import_graph(files: Mapping[str, Path]) -> dict[str, set[str]]:
    """Return for each module those that are loaded before its own import of them ends.

    These are the modules that it names, and the packages around them: a package's `__init__` runs first. The packages
    around itself have begun before it, and nothing is asked of them.
    """
    graph = {}
    for name, targets in _named(files).items():
        outer = {package for target in targets for package in _packages(target)} - set(_packages(name))
        graph[name] = (targets | outer) & files.keys() - {name}
    return graph


def named_imports(files: Mapping[str, Path]) -> dict[str, set[str]]:
    """Return for each module those that it names, without the packages around them."""
    return {name: targets & files.keys() - {name} for name, targets in _named(files).items()}


def _named(files: Mapping[str, Path]) -> dict[str, set[str]]:
    return {
        name: {target for node in _imports(ast.parse(path.read_text())) for target in _loaded(node, files)}
        for name, path in files.items()
    }


def circles(graph: Graph) -> list[list[str]]:
    """Return the groups of modules that need each other (Tarjan's strongly connected components of two and more)."""
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    groups: list[list[str]] = []

    def visit(name: str) -> None:
        numbers[name] = lowest[name] = len(numbers)
        stack.append(name)
        for target in sorted(graph[name]):
            if target not in numbers:
                visit(target)
                lowest[name] = min(lowest[name], lowest[target])
            elif target in stack:
                lowest[name] = min(lowest[name], numbers[target])
        if lowest[name] == numbers[name]:
            place = stack.index(name)
            groups.append(sorted(stack[place:]))
            del stack[place:]

    for name in sorted(graph):
        if name not in numbers:
            visit(name)
    return [group for group in groups if len(group) > 1]


def _packages(name: str) -> Iterator[str]:
    while "." in name:
        name = name.rpartition(".")[0]
        yield name


def _imports(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports that run while the module is loaded: none inside of functions, or for types alone."""
    waiting: list[ast.AST] = [*tree.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            waiting += node.orelse
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            waiting += ast.iter_child_nodes(node)


def _loaded(node: ast.Import | ast.ImportFrom, files: Iterable[str]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    module = node.module or ""
    for alias in node.names:
        inner = f"{module}.{alias.name}"
        yield inner if inner in files else module
