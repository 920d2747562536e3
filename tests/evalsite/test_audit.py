"""Known vulnerabilities of locked packages are found in a copy of the advisories; without one nothing is claimed."""

import json
import runpy
import zipfile
from datetime import UTC, datetime

import pytest
from django.conf import settings

NOW = datetime(2026, 11, 24, tzinfo=UTC)


@pytest.fixture
def audit(monkeypatch):
    """The command's functions, for a site that has locked a single package."""
    functions = runpy.run_path(str(settings.BASE_DIR / ".ci" / "audit.py"))
    monkeypatch.setitem(functions["main"].__globals__, "locked", lambda *files: {"some-package": "2.1.0"})
    return functions


def advisory(**affected) -> dict:
    package = {"ecosystem": "PyPI", "name": "Some_Package"}
    found = [{"package": package, **affected}]
    return {"id": "PYSEC-1", "aliases": ["CVE-1"], "modified": "2026-11-20T10:00:00.5Z", "affected": found}


def events(*pairs: tuple[str, str], kind: str = "ECOSYSTEM") -> dict:
    return {"ranges": [{"type": kind, "events": [{name: version} for name, version in pairs]}]}


@pytest.fixture
def copy(tmp_path):
    """Writes a zip as the public export is, with these advisories."""

    def write(*advisories: dict):
        path = tmp_path / "all.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for number, each in enumerate(advisories):
                archive.writestr(f"{number}.json", json.dumps(each))
        return path

    return write


@pytest.mark.parametrize(
    ("affected", "is_affected"),
    [
        ({"versions": ["2.0", "2.1"]}, True),
        ({"versions": ["2.0", "2.1.1"]}, False),
        ({"versions": ["no version"]}, False),
        (events(("introduced", "0")), True),
        (events(("introduced", "0"), ("fixed", "2.1.0")), False),
        (events(("introduced", "0"), ("fixed", "2.10")), True),
        (events(("introduced", "0"), ("last_affected", "2.1")), True),
        (events(("introduced", "0"), ("last_affected", "2.0.9")), False),
        (events(("introduced", "2.0"), ("fixed", "2.0.5"), ("introduced", "2.1"), ("fixed", "2.1.3")), True),
        (events(("introduced", "2.2"), ("fixed", "2.2.3"), ("introduced", "1.0"), ("fixed", "1.5")), False),
        (events(("introduced", "2.1.0rc1"), ("fixed", "2.1.0.post1")), True),
        (events(("introduced", "0"), kind="GIT"), False),
        ({}, False),
    ],
)
def test_a_version_is_compared_with_what_is_affected(audit, affected, is_affected):
    assert audit["is_affected"]("2.1.0", affected) is is_affected


def test_a_vulnerable_package_fails_and_is_named_with_the_version_that_mends_it(audit, copy, capsys):
    path = copy(advisory(**events(("introduced", "2.0"), ("fixed", "2.1.4"))))
    assert audit["audited_by_copy"](path, NOW) == 1
    assert capsys.readouterr().out == "some-package 2.1.0: PYSEC-1, CVE-1, mended in 2.1.4\n"


def test_what_is_allowed_with_a_reason_is_said_and_does_not_fail(audit, copy, capsys, monkeypatch):
    monkeypatch.setitem(audit["ALLOWED"], "CVE-1", "it is about Windows")
    assert audit["audited_by_copy"](copy(advisory(versions=["2.1.0"])), NOW) == 0
    assert "(allowed: it is about Windows)\nAUDITED: " in capsys.readouterr().out


@pytest.mark.parametrize("field", ["withdrawn", "ecosystem", "name"])
def test_other_packages_and_withdrawn_advisories_do_not_count(audit, copy, capsys, field):
    other = advisory(versions=["2.1.0"])
    changed = other if field == "withdrawn" else other["affected"][0]["package"]
    changed[field] = "2026-11-21T00:00:00Z" if field == "withdrawn" else "other"
    assert audit["audited_by_copy"](copy(other, advisory(versions=["1.0"])), NOW) == 0
    expected = "AUDITED: none of 1 packages has a vulnerability that was known on 2026-11-20.\n"
    assert capsys.readouterr().out == expected


@pytest.mark.parametrize("advisories", [[], [advisory(versions=[]) | {"modified": "2026-10-01T00:00:00Z"}]])
def test_an_old_or_empty_copy_audits_nothing(audit, copy, capsys, advisories):
    assert audit["audited_by_copy"](copy(*advisories), NOW) == 0
    assert capsys.readouterr().out.startswith("NOT AUDITED: ")


def test_a_folder_of_yaml_is_read_as_well(audit, tmp_path):
    (tmp_path / "vulns").mkdir()
    (tmp_path / "README.md").write_text("# Advisories")
    (tmp_path / "vulns" / "PYSEC-1.yaml").write_text(
        "id: PYSEC-1\nmodified: 2026-11-20T10:00:00.5Z\naffected:\n- package: {ecosystem: PyPI, name: some.package}\n"
        '  versions:\n  - "2.1.0"\n'
    )
    assert audit["audited_by_copy"](tmp_path, NOW) == 1


def test_the_versions_are_those_of_the_lock_files(tmp_path):
    locked = runpy.run_path(str(settings.BASE_DIR / ".ci" / "audit.py"))["locked"]
    lock = tmp_path / "lock.txt"
    lock.write_text("# made\nZope.Thing==1.0 \\\n    --hash=sha256:aa\nfor-windows==2.0 ; sys_platform == 'win32' \\\n")
    assert locked(lock) == {"zope-thing": "1.0", "for-windows": "2.0"}
