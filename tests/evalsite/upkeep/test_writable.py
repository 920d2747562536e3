"""What the site runs, and serves to everybody, lies where it cannot write."""

import os
import sys
from pathlib import Path

import pytest

from evalsite.upkeep import writable


@pytest.fixture
def static(settings, tmp_path, monkeypatch):
    """A folder of static files for which whoever asks is root, and no code."""
    settings.STATIC_ROOT, settings.DATA_DIR = tmp_path / "collected" / "site", tmp_path / "data"
    settings.STATIC_ROOT.mkdir(parents=True)
    monkeypatch.setattr(writable, "_ROOT", os.geteuid())
    monkeypatch.setattr(writable, "_code", set)
    # What is above the test's own folder is not the test's to say.
    monkeypatch.setattr(writable, "_is_shared", lambda path: not path.is_relative_to(tmp_path))
    script = settings.STATIC_ROOT / "js" / "theme.js"
    script.parent.mkdir()
    script.touch(0o644)
    return script


def asked() -> list[str]:
    return [error.id for error in writable.check_writable()]


def test_static_files_that_are_root_s_alone_are_in_order(static):
    assert asked() == []


def test_static_files_in_the_data_folder_are_an_error(static, settings):
    settings.DATA_DIR = static.parent.parent.parent
    assert asked() == ["evalsite.E001"]


@pytest.mark.parametrize("depth", range(4))
def test_a_static_file_or_folder_that_others_may_write_is_an_error(static, depth):
    (static, *static.parents)[depth].chmod(0o775)
    assert asked() == ["evalsite.E002"]


def test_static_files_of_another_user_are_an_error_that_says_how_to_mend_it(static, settings, monkeypatch):
    monkeypatch.setattr(writable, "_ROOT", os.geteuid() + 1)
    (error,) = writable.check_writable()
    assert error.id == "evalsite.E002"
    assert f"chown -R root: {settings.STATIC_ROOT}" in error.hint


def test_the_site_s_user_is_told_what_it_may_write_itself(static, monkeypatch):
    monkeypatch.setattr(writable, "_ROOT", -1)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert asked() == []
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) == static)
    (error,) = writable.check_writable()
    assert str(static) in error.msg


def test_code_that_can_be_changed_is_an_error(static, monkeypatch, tmp_path):
    module = tmp_path / "module.py"
    module.touch(0o644)
    monkeypatch.setattr(writable, "_code", lambda: {module})
    assert asked() == []
    module.chmod(0o666)
    assert asked() == ["evalsite.E003"]


def test_code_is_what_was_loaded_with_its_folders_and_the_templates(settings):
    code = writable._code()
    assert {Path(writable.__file__), Path(sys.modules["django"].__file__).parent} <= code
    assert {settings.BASE_DIR, settings.BASE_DIR / "templates" / "base.html"} <= code


def test_the_process_that_serves_pages_logs_what_it_may_write(static, monkeypatch, caplog):
    monkeypatch.setattr(writable, "_ROOT", -1)
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) == static)
    writable.log_at_start()
    assert str(static) in caplog.text


def test_pages_that_are_served_by_root_are_logged(static, caplog):
    writable.log_at_start()
    assert "served by root" in caplog.text
