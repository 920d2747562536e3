"""Tests what first, later and interrupted starts do to the environment, and what they say."""

import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from evalsite import bootstrap

MANAGE = """
import sys
from evalsite import bootstrap
bootstrap.ensure_environment(sys.argv)
import leaf
print(sys.prefix, sys.argv[1:], leaf.VERSION)
"""
UNREACHABLE = {"PIP_NO_INDEX": "0", "PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_RETRIES": "1"}


def make_wheel(folder, version):
    info = f"leaf-{version}.dist-info"
    with zipfile.ZipFile(folder / f"leaf-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr("leaf.py", f"VERSION = {version!r}\n")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: leaf\nVersion: {version}\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")


def settings(project):
    """The environment of a start: no network, wheels from the folder above."""
    return os.environ | {
        "EVALSITE_BOOTSTRAP": "1",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_FIND_LINKS": str(project.parent),
        "PIP_NO_INDEX": "1",
    }


def run(project, *arguments, **environ):
    return subprocess.run(
        [sys.executable, str(project / "manage.py"), *arguments],
        env=settings(project) | environ,
        capture_output=True,
        text=True,
    )


def make_project(folder):
    """A small project with the real bootstrap, whose only requirement lies in the folder above."""
    make_wheel(folder, "1.0")
    make_wheel(folder, "2.0")
    project = folder / "a project"
    (project / "evalsite").mkdir(parents=True)
    (project / "evalsite" / "__init__.py").touch()
    shutil.copy(bootstrap.__file__, project / "evalsite")
    (project / "manage.py").write_text(MANAGE)
    (project / "requirements-laptop-lock.txt").write_text("leaf==1.0\n")
    return project


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path)


@pytest.fixture(scope="module")
def first_start(tmp_path_factory):
    """A project with what its first start did: made once, as it takes seconds."""
    project = make_project(tmp_path_factory.mktemp("first"))
    return project, run(project, "check", "--deploy")


@pytest.fixture
def installed(project, first_start):
    shutil.copytree(first_start[0] / ".venv", project / ".venv", symlinks=True)
    return project


@pytest.mark.thorough
def test_the_first_start_installs_and_goes_on_in_the_new_environment(first_start):
    project, first = first_start
    assert first.returncode == 0, first.stderr
    assert "Creating .venv" in first.stdout
    assert "Installing the 1 packages of requirements-laptop-lock.txt, once.\n" in first.stdout
    assert first.stdout.count("\n") == 3
    assert first.stdout.endswith(f"{project / '.venv'} ['check', '--deploy'] 1.0\n")


@pytest.mark.thorough
def test_a_later_start_installs_nothing(installed):
    assert run(installed, "check", **UNREACHABLE).stdout == f"{installed / '.venv'} ['check'] 1.0\n"


@pytest.mark.thorough
def test_new_requirements_are_installed_into_the_same_environment(installed):
    (installed / "requirements-laptop-lock.txt").write_text("leaf==2.0\n")
    start = run(installed)
    assert start.stdout.endswith("[] 2.0\n")
    assert ".venv anew" not in start.stdout


@pytest.mark.thorough
def test_tests_add_the_development_requirements_and_other_commands_leave_them(installed):
    (installed / "requirements-dev-lock.txt").write_text("leaf==1.0\n# and more\n")
    assert "packages of requirements-dev-lock.txt" in run(installed, "test").stdout
    for command in ("test", "check"):
        assert run(installed, command, **UNREACHABLE).stdout == f"{installed / '.venv'} ['{command}'] 1.0\n"


@pytest.mark.thorough
def test_a_package_whose_content_is_not_the_locked_one_is_refused(installed):
    (installed / "requirements-laptop-lock.txt").write_text(f"leaf==2.0 --hash=sha256:{'0' * 64}\n")
    refused = run(installed)
    assert refused.returncode == 1
    assert "DO NOT MATCH THE HASHES" in refused.stderr


UV = """#!/bin/sh
exec "$(dirname "$0")/python" -c '
import json, os, subprocess, sys
with open("{calls}", "a") as file:
    print(json.dumps([sys.argv[1:], os.environ.get("SSL_CERT_FILE")]), file=file)
sys.exit({status} or subprocess.call([sys.executable, "-m", "pip", "install", "--quiet", "-r", sys.argv[-1]]))
' "$@"
"""


def lock_uv(project, *, status=0, right_hash=True):
    """Lock a program in uv's place, which installs by pip or ends with this status; return where it notes its calls."""
    calls = project.parent / "calls"
    wheel = project.parent / "uv-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        program = zipfile.ZipInfo("uv-1.0.data/scripts/uv")
        program.external_attr = 0o100755 << 16  # an executable file
        archive.writestr(program, UV.format(calls=calls, status=status))
        archive.writestr("uv-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: uv\nVersion: 1.0\n")
        archive.writestr("uv-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr("uv-1.0.dist-info/RECORD", "")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest() if right_hash else "0" * 64
    lock = f"leaf==1.0\nuv==1.0 \\\n    --hash=sha256:{digest}\nzebra==1.0\n"
    (project / "requirements-dev-lock.txt").write_text(lock)
    (project / "requirements-laptop-lock.txt").write_text("leaf==2.0\n")
    return calls


@pytest.mark.thorough
def test_uv_installs_what_is_locked_by_the_settings_of_pip(installed):
    calls = lock_uv(installed)
    start = run(installed, PIP_EXTRA_INDEX_URL="file:///one file:///two", PIP_CERT="/a.pem")
    assert start.stdout.endswith("[] 2.0\n"), start.stderr
    [(words, certificates)] = map(json.loads, calls.read_text().splitlines())
    assert words[:3] == ["pip", "install", "--require-hashes"]
    assert words[-2:] == ["-r", str(installed / "requirements-laptop-lock.txt")]
    options = " ".join(words)
    assert "--index file:///one --index file:///two" in options
    assert f"--find-links {installed.parent}" in options
    assert "--no-index" in words
    assert certificates == "/a.pem"


@pytest.mark.thorough
@pytest.mark.parametrize("fault", [{"status": 2}, {"right_hash": False}])
def test_pip_installs_where_uv_cannot(installed, fault):
    lock_uv(installed, **fault)
    start = run(installed)
    assert start.stdout.endswith("[] 2.0\n"), start.stderr


def test_the_lock_of_development_has_uv_for_the_usual_machines():
    locked = bootstrap.locked_uv(Path(bootstrap.ROOT, bootstrap.DEVELOPMENT))
    assert re.fullmatch(r"uv==\S+ (\\\n    --hash=sha256:\w{64} ?){10,}\n", locked)


NAMES = ("requirements-laptop", "requirements-production", "requirements-dev")
PINNED = re.compile(r"^([\w.-]+)(?:\[\S+\])?(==[^\s;]+)", re.MULTILINE)


def lock(name):
    return Path(bootstrap.ROOT, f"{name}-lock.txt").read_text()


def required(name):
    """Return what the file and those that it includes require."""
    text = Path(bootstrap.ROOT, f"{name}.txt").read_text()
    included = [each for other in re.findall(r"^-r (\S+)\.txt$", text, re.MULTILINE) for each in required(other)]
    return included + [(package.lower(), version) for package, version in PINNED.findall(text)]


@pytest.mark.parametrize("name", NAMES)
def test_every_package_is_locked_with_hashes_and_without_the_registry_s_address(name):
    entries = re.split(r"^(?=\w)", lock(name), flags=re.MULTILINE)[1:]
    pattern = r"[\w.-]+(\[[\w,-]+\])?==\S+ .*(\n    --hash=sha256:\w{64}( \\)?)+\n"
    assert [each for each in entries if not re.fullmatch(pattern, each)] == []
    assert "://" not in lock(name)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_required_is_locked_and_in_the_versions_of_development(name):
    locked = set(PINNED.findall(lock(name)))
    assert set(required(name)) <= locked, "run .ci/lock"
    assert locked <= set(PINNED.findall(lock("requirements-dev"))), "run .ci/lock"


def test_a_server_gets_no_broker_of_a_laptop_and_no_build_tool():
    packages = {package for package, _ in PINNED.findall(lock("requirements-production"))}
    assert packages.isdisjoint({"fakeredis", "setuptools"})


@pytest.mark.thorough
def test_an_interrupted_installation_is_begun_anew(installed):
    bootstrap.write_stamp(installed / ".venv", bootstrap.INSTALLING)
    for module in installed.glob(".venv/lib/*/site-packages/leaf.py"):
        module.unlink()
    start = run(installed)
    assert "Making .venv anew" in start.stdout
    assert start.stdout.endswith("[] 1.0\n")


def test_an_environment_that_is_a_link_is_not_emptied(installed, tmp_path):
    others = tmp_path / "somebody else's"
    shutil.move(installed / ".venv", others)
    (installed / ".venv").symlink_to(others)
    bootstrap.write_stamp(others, bootstrap.INSTALLING)
    start = run(installed)
    assert start.returncode == 1
    assert "Remove the link" in start.stderr
    assert (others / "pyvenv.cfg").exists()


@pytest.mark.thorough
def test_an_environment_whose_interpreter_is_gone_is_made_anew(installed):
    for python in (installed / ".venv" / "bin").glob("python*"):
        python.unlink()
    (installed / ".venv" / "bin" / "python").symlink_to("/nonexistent/python3")
    assert run(installed).stdout.endswith("[] 1.0\n")


@pytest.mark.thorough
def test_an_unreachable_index_is_named_and_costs_nothing_that_was_installed(installed):
    (installed / "requirements-laptop-lock.txt").write_text("leaf==3.0\n")
    failed = run(installed, **UNREACHABLE)
    assert failed.returncode == 1
    assert "leaf==3.0" in failed.stderr
    assert "package index cannot be reached" in failed.stderr

    (installed / "requirements-laptop-lock.txt").write_text("leaf==1.0\n")
    again = run(installed, **UNREACHABLE)
    assert again.stdout.endswith("[] 1.0\n")
    assert ".venv anew" not in again.stdout


@pytest.mark.thorough
def test_a_second_start_waits_for_the_first(installed):
    (installed / "requirements-laptop-lock.txt").write_text("leaf==2.0\n")
    command = [sys.executable, str(installed / "manage.py")]
    with bootstrap.alone(installed):
        process = subprocess.Popen(command, env=settings(installed), stdout=subprocess.PIPE, text=True)
        assert process.stdout.readline() == "Another start is preparing .venv; waiting for it.\n"
    output, _ = process.communicate()
    assert output.endswith("[] 2.0\n")


def test_switched_off_it_touches_nothing(project):
    start = run(project, EVALSITE_BOOTSTRAP="0")
    assert "No module named 'leaf'" in start.stderr
    assert not (project / ".venv").exists()


def test_an_environment_that_cannot_be_made_is_named_with_the_way_out(project):
    (project / ".venv").touch()
    failed = run(project)
    assert failed.returncode == 1
    assert re.search(r"\.venv could not be made; see above\.\n.*EVALSITE_BOOTSTRAP=0", failed.stderr)


def test_a_python_without_venv_is_told_which_package_has_it(tmp_path, monkeypatch):
    monkeypatch.setattr(bootstrap.importlib.util, "find_spec", lambda name: None if name == "ensurepip" else name)
    with pytest.raises(SystemExit, match="apt install python{}.{}-venv".format(*sys.version_info)):
        bootstrap.create(str(tmp_path / ".venv"))


def test_an_old_python_is_told_so_in_one_sentence(monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    with pytest.raises(SystemExit, match=r"^Evalsite needs Python 3\.11 or newer; \S+ is Python 3\.9\.$"):
        bootstrap.ensure_environment(["manage.py"])


@pytest.mark.parametrize("name", ["manage.py", "evalsite/__init__.py", "evalsite/bootstrap.py"])
def test_an_old_python_can_read_what_tells_it_so(name):
    ast.parse(Path(bootstrap.ROOT, name).read_text(), feature_version=(3, 6))
