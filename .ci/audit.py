"""Asks whether a locked package has a known vulnerability: `.venv/bin/python .ci/audit.py [ADVISORIES]`.

ADVISORIES, or the variable of that name, is a copy of advisories in OSV's format: a zip or a folder of JSON or YAML,
such as https://osv-vulnerabilities.storage.googleapis.com/PyPI/all.zip or a checkout of pypa/advisory-database. Without
one pip-audit asks the registry.

Ends with 1 where a package has a vulnerability that ALLOWED does not name. Where nobody could be asked, the one who was
asked knows too few of the packages, or the copy is old, it says so in its last line and ends with 0, as a check that
cannot be made is none that has failed. pip-audit itself then says "No known vulnerabilities found".
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import venv
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import yaml
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ["requirements-lock.txt", "requirements-production-lock.txt", "requirements-dev-lock.txt"]
TOOL = "pip-audit==2.10.1"
PATIENCE = 300  # seconds for each command
OLDEST = timedelta(days=30)  # of the newest advisory of a copy
# Vulnerabilities that do not concern the site, by any of their names, with the reason.
ALLOWED: dict[str, str] = {}


@dataclass(frozen=True)
class Found:
    """A vulnerability of a locked package."""

    package: str
    version: str
    names: tuple[str, ...]  # the advisory's own first
    mended: tuple[str, ...]  # the versions without it

    def __str__(self) -> str:
        mended = ", ".join(self.mended) or "no version yet"
        return f"{self.package} {self.version}: {', '.join(self.names)}, mended in {mended}"


def main(arguments: list[str]) -> int:
    copy = arguments[0] if arguments else os.environ.get("ADVISORIES", "")
    if copy:
        return audited_by_copy(Path(copy), datetime.now(UTC))
    try:
        answers = ask()
    except (subprocess.SubprocessError, OSError, ValueError) as error:
        return not_audited(f"pip-audit could not ask: {error}")
    if says_of(_found_by_registry(answers)):
        return 1
    unknown = [each["name"] for each in answers if "skip_reason" in each]
    if unknown or not answers:
        return not_audited(f"{len(unknown)} of {len(answers)} packages are unknown to the registry's advisories")
    print(f"AUDITED: none of {len(answers)} packages has a known vulnerability.")
    return 0


def audited_by_copy(path: Path, now: datetime) -> int:
    packages = locked(*(ROOT / lock for lock in LOCKS))
    advisories = list(read(path))
    if says_of(vulnerabilities(packages, advisories)):
        return 1
    newest = max((_moment(each["modified"]) for each in advisories), default=None)
    if newest is None or now - newest > OLDEST:
        reason = f"the newest of {len(advisories)} advisories is of {newest:%Y-%m-%d}" if newest else f"{path} is empty"
        return not_audited(reason, "What became known since then is not known here.")
    print(f"AUDITED: none of {len(packages)} packages has a vulnerability that was known on {newest:%Y-%m-%d}.")
    return 0


def locked(*files: Path) -> dict[str, str]:
    """Return the version of each package that the lock files name."""
    pinned = re.compile(r"^([\w.-]+)==([^\s;\\]+)", re.MULTILINE)
    return {canonicalize_name(name): version for file in files for name, version in pinned.findall(file.read_text())}


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the advisories of a zip or a folder; those that were withdrawn are none."""
    for content, is_json in _contents(path):
        advisory = json.loads(content) if is_json else yaml.load(content, yaml.CSafeLoader)
        if isinstance(advisory, dict) and "affected" in advisory and not advisory.get("withdrawn"):
            yield advisory


def _contents(path: Path) -> Iterator[tuple[bytes, bool]]:
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.suffix in (".json", ".yaml"):
                yield file.read_bytes(), file.suffix == ".json"
        return
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith((".json", ".yaml")):
                yield archive.read(name), name.endswith(".json")


def vulnerabilities(packages: dict[str, str], advisories: Iterable[dict[str, Any]]) -> list[Found]:
    found = []
    for advisory in advisories:
        for affected in advisory["affected"]:
            package = affected.get("package", {})
            name = canonicalize_name(package.get("name", ""))
            if package.get("ecosystem") == "PyPI" and name in packages and is_affected(packages[name], affected):
                names = (advisory["id"], *advisory.get("aliases", []))
                found.append(Found(name, packages[name], names, _mended_in(affected)))
    return found


def is_affected(version: str, affected: dict[str, Any]) -> bool:
    """Whether the version is one of those named, or lies in a range: https://ossf.github.io/osv-schema/."""
    own = Version(version)
    if any(_version(each) == own for each in affected.get("versions", [])):
        return True
    return any(_lies_in(own, each["events"]) for each in affected.get("ranges", []) if each["type"] != "GIT")


def _lies_in(own: Version, events: list[dict[str, str]]) -> bool:
    """By the last event that is not beyond the version; what cannot be compared counts as if it were not there."""
    is_in = False
    for kind, version in sorted(_events(events), key=lambda each: each[1]):
        if kind == "introduced" and own >= version:
            is_in = True
        elif (kind == "fixed" and own >= version) or (kind == "last_affected" and own > version):
            is_in = False
    return is_in


def _events(events: list[dict[str, str]]) -> Iterator[tuple[str, Version]]:
    for event in events:
        for kind, value in event.items():
            if (version := _version(value)) is not None:
                yield kind, version


def _version(value: str) -> Version | None:
    try:
        return Version(str(value))
    except InvalidVersion:
        return None


def _mended_in(affected: dict[str, Any]) -> tuple[str, ...]:
    events = [event for each in affected.get("ranges", []) if each["type"] != "GIT" for event in each["events"]]
    return tuple(str(event["fixed"]) for event in events if "fixed" in event)


def _moment(value: str | datetime) -> datetime:
    """YAML has made a time of it."""
    moment = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def says_of(found: Iterable[Found]) -> bool:
    """Print the vulnerabilities; returns whether there are any that are not allowed."""
    is_vulnerable = False
    for each in found:
        reason = next((ALLOWED[name] for name in each.names if name in ALLOWED), "")
        print(f"{each} (allowed: {reason})" if reason else each)
        is_vulnerable |= not reason
    return is_vulnerable


def ask() -> list[dict[str, Any]]:
    """What the registry says of each package: its vulnerabilities, or why it was skipped."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        pip = [f"{folder}/bin/pip", "install", "--quiet", "--disable-pip-version-check", TOOL]
        subprocess.run(pip, check=True, timeout=PATIENCE)
        audit = [f"{folder}/bin/pip-audit", "--require-hashes", "--disable-pip", "--progress-spinner", "off"]
        done = subprocess.run(
            [*audit, "--format", "json", *(f"--requirement={ROOT / lock}" for lock in LOCKS)],
            timeout=PATIENCE,
            capture_output=True,
            text=True,
        )
    if not done.stdout:  # its status is 1 for a vulnerability as for a failure
        raise ValueError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "it said nothing")
    answers: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    return answers


def _found_by_registry(answers: Iterable[dict[str, Any]]) -> Iterator[Found]:
    for package in answers:
        for each in package.get("vulns", []):
            names = (each["id"], *each.get("aliases", []))
            yield Found(package["name"], package["version"], names, tuple(each["fix_versions"]))


def not_audited(reason: str, follows: str = "Nothing is known of the packages' vulnerabilities.") -> int:
    print(f"NOT AUDITED: {reason}. {follows}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
