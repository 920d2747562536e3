"""The style sheet cut from Bootstrap has all that the pages use, and fonts come without moving the page."""

import re
import runpy
from pathlib import Path

import pytest
from django.conf import settings

STATIC = settings.BASE_DIR / "static"


@pytest.fixture(scope="module")
def trim() -> dict:
    return runpy.run_path(str(settings.BASE_DIR / "scripts/trim_bootstrap.py"))


def classes(file: Path) -> set[str]:
    return set(
        re.findall(r"\.([a-zA-Z][\w-]*)", re.sub(r"url\(.*?\)|/\*.*?\*/", "", file.read_text(), flags=re.DOTALL))
    )


def test_every_class_of_bootstrap_that_a_page_uses_has_its_rule(trim):
    used = trim["used_classes"]() & classes(trim["SOURCE"])

    assert {"btn", "btn-primary", "form-control", "form-select", "form-check", "visually-hidden", "lead"} <= used
    assert used <= classes(trim["TARGET"])


def test_the_served_style_sheet_is_what_the_script_makes(trim):
    assert trim["TARGET"].read_text() == trim["made"](), "run: python scripts/trim_bootstrap.py"


def test_the_style_sheet_of_bootstrap_is_small_and_keeps_its_licence(trim):
    css = trim["TARGET"].read_text()

    assert len(css) < 30_000
    assert "Licensed under MIT" in css
    defined = set(re.findall(r"(--bs-[\w-]+):", trim["SOURCE"].read_text()))
    read = set(re.findall(r"var\((--bs-[\w-]+)\)", css)) & defined
    assert [variable for variable in sorted(read) if f"{variable}:" not in css] == []
