"""Finds the test files that a change can break, from what git says has changed and what imports it.

A changed module can break each module that imports it, and so on, up to the tests; where a test asks for a page by its
address, it imports nothing, so that the folder of tests that mirrors an affected module's folder is chosen as well. The
walk ends at modules through which everything imports everything (`_HUBS`): behind them the tests are chosen that import
the hub itself. Of a family all tests are chosen that are called after it, such as `test_labels.py`. A template can
break what the modules can that render it, alone or inside other templates; style sheets and scripts the tests in a
browser; documents the tests that name them; and what starts everything, such as the settings, all.

It finds no test that asks for a page of one app and looks at what another one does to it by a signal or a setting: CI
runs all tests.
"""

import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from tests.import_graph import ROOT, modules, named_imports

Graph = Mapping[str, set[str]]
_PACKAGES = ("scoring", "evalsite", "demo", "benchmarks", "tests")
# Through these every test would depend on every module: they name all families, all commands, or all addresses.
_HUBS = frozenset(
    {"scoring", "scoring.families", "scoring.cli.main", "evalsite.urls", "evalsite.api.api", "tests.factories"}
)
# Of these, those that most tests import: they tell nothing of what a test is about.
_USED_BY_ALL = frozenset({"scoring", "tests.factories"})
# The registry of families loads them by their names, so that nothing imports them; their readers have the same names.
_FAMILY = re.compile(r"scoring\.(?:families|readers)\.(\w+)")
_HOUSE_RULES = ("tests/test_*.py", "tests/evalsite/test_imports.py", "tests/evalsite/test_translations.py")
_FOR_ALL = re.compile(
    r"^(manage|evalsite/settings|evalsite/bootstrap|tests/conftest)\.py$|^pyproject\.toml$|^requirements"
)
_IN_TEMPLATES = re.compile(r"""["']([\w/.-]+\.(?:html|txt|xml))["']""")


def changed_files(since: str) -> list[str]:
    """Return the paths that differ from the common ancestor with a revision; what git does not know is among them."""
    ancestor = _git("merge-base", since, "HEAD").strip()
    changed = _git("diff", "--name-only", ancestor), _git("ls-files", "--others", "--exclude-standard")
    return sorted({path for lines in changed for path in lines.splitlines()})


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


class Breakage:
    """What of the project's tests a change can break."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.files = modules(*_PACKAGES, root=root)
        self.tests = [path.relative_to(root).as_posix() for path in sorted(root.glob("tests/**/test_*.py"))]

    def test_files(self, changed: Iterable[str]) -> list[str]:
        """Return the files with tests that a change of these paths can break."""
        paths = [*changed]
        if any(map(_FOR_ALL.search, paths)):
            return self.tests
        chosen = {test for path in paths for test in self._broken_by(path)}
        if paths:
            chosen |= {test for test in self.tests if any(Path(test).match(rule) for rule in _HOUSE_RULES)}
        return [path for path in self.tests if path in chosen]

    def _broken_by(self, path: str) -> Iterator[str]:
        if path.endswith("/conftest.py"):
            yield from (test for test in self.tests if test.startswith(path.removesuffix("conftest.py")))
        elif path.endswith(".py"):
            yield from self._broken_by_modules({name for name, file in self.files.items() if file == self.root / path})
        elif path.startswith("templates/"):
            yield from self._broken_by_modules(self._modules_that_render(path.removeprefix("templates/")))
            yield from self._beside(Path(path).parts[1:-1], "evalsite")
        elif path.startswith("static/"):
            yield from (test for test in self.tests if "/browser/" in test or test.endswith("test_look.py"))
        yield from self._that_name(path)

    def _broken_by_modules(self, names: set[str]) -> Iterator[str]:
        affected, hubs = self._affected(names)
        for name in affected:
            path = self.files[name].relative_to(self.root).as_posix()
            if path in self.tests:
                yield path
            else:
                package, *folders = Path(path).parts[:-1] or ("",)
                yield from self._beside(folders, package)
        families = {match[1] for match in map(_FAMILY.match, affected) if match}
        yield from (test for test in self.tests if families.intersection(re.split(r"[/_.]", test)))
        named = (hubs | {"scoring.families"}) - _USED_BY_ALL if families else hubs - _USED_BY_ALL
        yield from (test for test in self.tests if named & self.graph[_module(test)])

    def _affected(self, names: set[str]) -> tuple[set[str], set[str]]:
        """Return the modules that these can break, and the hubs at which the walk has ended."""
        affected, hubs, waiting = set(names), set(names & _HUBS), [*names]
        while waiting:
            for importer in self.importers.get(waiting.pop(), ()):
                if importer in _HUBS:
                    hubs.add(importer)
                elif importer not in affected:
                    affected.add(importer)
                    waiting.append(importer)
        return affected, hubs

    def _beside(self, folders: Iterable[str], package: str) -> Iterator[str]:
        """Yield the tests in the folder that mirrors this one, or else the nearest folder around it."""
        parts = [*folders]
        while parts:
            folder = "/".join(["tests", package, *parts]) + "/"
            if beside := [test for test in self.tests if test.startswith(folder)]:
                yield from beside
                return
            parts.pop()

    def _that_name(self, path: str) -> Iterator[str]:
        """Yield the tests in whose text the path stands, or its name where that is no usual one."""
        name = path if Path(path).name in ("README.md", "__init__.py") else Path(path).name
        yield from (test for test in self.tests if name in self.texts[test])

    def _modules_that_render(self, template: str) -> set[str]:
        names, waiting = {template}, [template]
        while waiting:
            name = waiting.pop()
            around = {other for other, parts in self.templates.items() if name in parts} - names
            names |= around
            waiting += around
        return {name for name, file in self.files.items() if names & {*_IN_TEMPLATES.findall(file.read_text())}}

    @cached_property
    def graph(self) -> Graph:
        return named_imports(self.files)

    @cached_property
    def importers(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for name, targets in self.graph.items():
            for target in targets:
                found.setdefault(target, set()).add(name)
        return found

    @cached_property
    def texts(self) -> dict[str, str]:
        return {test: (self.root / test).read_text(encoding="utf-8") for test in self.tests}

    @cached_property
    def templates(self) -> dict[str, set[str]]:
        """Return for each template those that it names, to extend or to include them."""
        folder = self.root / "templates"
        return {
            path.relative_to(folder).as_posix(): {*_IN_TEMPLATES.findall(path.read_text(encoding="utf-8"))}
            for path in sorted(folder.rglob("*.*"))
            if path.suffix in (".html", ".txt", ".xml")
        }


def _module(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".")
