"""Apps of contrib are whole in their folders, hang on the core by its extension points, and can be taken out."""

import re
import tomllib
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.apps import apps
from django.template import engines
from django.urls import URLPattern, get_resolver
from django.utils.module_loading import import_string

from evalsite.api import version_1
from evalsite.base.contrib import (
    ContribConfig,
    Place,
    Trait,
    board_pages,
    check_requirements,
    desk_sections,
    installed,
    job_handlers,
    names_with,
)
from evalsite.desk.navigation import sections
from tests.other_sites import OtherSites

ROOT = Path(__file__).resolve().parents[3]
APPS = sorted(path.parent.name for path in (ROOT / "evalsite/contrib").glob("*/apps.py"))
CORE_TEMPLATES = [
    path for path in (ROOT / "templates").rglob("*.html") if ROOT / "templates/contrib" not in path.parents
]
CORE_CODE = [path for path in (ROOT / "evalsite").rglob("*.py") if ROOT / "evalsite/contrib" not in path.parents]


@pytest.fixture(scope="module")
def other_sites():
    with OtherSites() as sites:
        yield sites


def test_every_app_of_contrib_says_what_it_adds():
    folders = {path.name for path in (ROOT / "evalsite/contrib").iterdir() if path.is_dir()} - {"__pycache__"}
    assert folders == set(APPS)
    assert all(isinstance(apps.get_app_config(config.label), ContribConfig) for config in installed())


@pytest.mark.parametrize("place", list(Place))
def test_each_place_stands_in_one_template_of_the_core(place):
    tag = re.compile(rf'{{% panels "{re.escape(place)}" %}}')
    assert len([path for path in CORE_TEMPLATES if tag.search(path.read_text(encoding="utf-8"))]) == 1


def test_panels_name_templates_of_their_own_app():
    for config in installed():
        for panel in config.panels:
            assert panel.template.startswith(f"contrib/{config.label}/")
            engines["django"].get_template(panel.template)


def test_addresses_and_sections_that_an_app_names_exist():
    names = {name for name in get_resolver().reverse_dict if isinstance(name, str)}
    names |= {f"api:{address.name}" for address in version_1.urlpatterns}
    assert {name for trait in Trait for name in names_with(trait)} <= names
    assert {page.name for page in board_pages().values() if page.is_open} <= names
    core = {section.name for section in sections()}
    assert all(section.name in names and section.after in core for section in desk_sections())


def test_check_names_an_app_that_another_one_needs(monkeypatch):
    assert check_requirements() == []
    monkeypatch.setattr(type(apps.get_app_config("decisions")), "requires", ["nowhere"])
    [error] = check_requirements()
    assert "evalsite.contrib.decisions needs the app 'nowhere'" in error.msg


def test_the_example_of_the_documentation_is_a_whole_app(other_sites, tmp_path):
    """Each file is made out of the code that follows its name on the page."""
    text = (ROOT / "docs/contrib.md").read_text(encoding="utf-8")
    for name, code in re.findall(r"`(runs_so_far/[\w./]+)`[^`]*```\w+\n(.*?)```", text, re.S):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(code, encoding="utf-8")
    (tmp_path / "runs_so_far/__init__.py").touch()
    outcome = other_sites.outcome(
        "tests/evalsite/example_walk.py", tmp_path, EVALSITE_DATA_DIR=str(tmp_path), EVALSITE_APPS="runs_so_far"
    )
    assert outcome.status == 0, outcome.output


def test_the_core_names_no_app_of_contrib():
    """Code and templates of the core have no word of one: not its modules, templates or addresses."""
    names = {address.name for config in installed() for address in addresses_of(config)}
    addresses, longer = "|".join(names), "|".join(name for name in names if "_" in name)  # which are no words beside
    named = re.compile(
        rf"""(?:url |reverse\w*\()["'](?:{addresses})["']|["'](?:{longer})["']|evalsite\.contrib\.|["']contrib/"""
    )
    files = (*CORE_TEMPLATES, *(path for path in CORE_CODE if path.name not in ("settings.py", "contrib.py")))
    assert [str(path) for path in files if named.search(path.read_text(encoding="utf-8"))] == []


def addresses_of(config: ContribConfig) -> list[URLPattern]:
    """Return the addresses that the app has, none where it has no module of them."""
    return import_module(f"{config.name}.urls").urlpatterns if find_spec(f"{config.name}.urls") else []


def test_the_import_rule_lets_apps_import_what_they_require():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    [rule] = [contract for contract in contracts if contract["type"] == "independence"]
    assert set(rule["ignore_imports"]) == {
        f"{config.name}.** -> evalsite.contrib.{name}.**" for config in installed() for name in config.requires
    }


def without_those_that_need(name: str) -> str:
    """Return the value of EVALSITE_WITHOUT that takes an app out, and with it all that cannot do without."""
    return ",".join([name, *(config.label for config in installed() if name in config.requires)])


@pytest.mark.thorough
@pytest.mark.parametrize("without", [*map(without_those_that_need, APPS), "contrib"])
def test_a_site_without_an_app_is_in_order_and_shows_task_board_run_and_desk(without, other_sites, tmp_path):
    outcome = other_sites.outcome(
        "tests/evalsite/core_walk.py", EVALSITE_DATA_DIR=str(tmp_path), EVALSITE_WITHOUT=without
    )
    assert outcome.status == 0, outcome.output


def test_each_kind_of_background_job_has_a_handler():
    assert job_handlers()
    assert all(callable(import_string(path)) for path in job_handlers().values())
