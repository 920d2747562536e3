"""Has a child process with a check's limits open a bundle, and gives what is in it: settings, texts and files."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml
from django.utils.translation import gettext as _

import scoring
from evalsite.challenges.gold.checks import require_perfect
from evalsite.challenges.models import Scenario
from evalsite.contrib.bundles.problems import BundleError
from evalsite.contrib.bundles.unpacking import child
from evalsite.contrib.bundles.unpacking.archive import BOUNDS
from evalsite.contrib.bundles.unpacking.settings_file import from_table
from evalsite.jobs import sandbox
from evalsite.jobs.sandbox import LimitBroken, Limits
from evalsite.submissions.causes import finding_from_json
from evalsite.submissions.checking import limits
from evalsite.submissions.uploads import Upload
from evalsite.translating.engine import from_engine
from scoring.findings import Finding


@dataclass(frozen=True)
class Unpacked:
    """A bundle as files in a folder: of its members those that the settings name, by their paths."""

    settings: str  # name of the file that has them
    root: yaml.MappingNode
    folder: Path
    files: Mapping[str, Mapping[str, Any]]  # by path: `file`, `size` and `sha256`; equal members are one file
    most_stored: int  # bytes of the files of all rows, so that a member that many rows name is no bomb either
    folders: Mapping[str, str]  # of a competition: by the path of a folder that of a file
    pages: Mapping[str, str]  # Markdown by the path of an HTML page
    texts: Mapping[str, str]  # Markdown by the text of a description

    def __contains__(self, path: str) -> bool:
        return path in self.files

    def size(self, path: str) -> int:
        return int(self.files[path]["size"])

    def content(self, path: str) -> bytes:
        """Return the content of a member whose size the caller has bounded."""
        return (self.folder / self.files[path]["file"]).read_bytes()

    def upload(self, path: str) -> Upload:
        """Return a member as if it had been uploaded."""
        copy = self.files[path]
        return Upload(self.folder / copy["file"], path.rpartition("/")[2], copy["size"], copy["sha256"])


def limits_of_check() -> Limits:
    """Return the limits of a check for what a stranger has sent; files may be as large as members."""
    return replace(limits.of_check(), file_bytes=BOUNDS.member_bytes)


def limits_of_command() -> Limits:
    """Return the limits for whoever runs the site, whose bundles may be larger."""
    return replace(limits.of_scoring(), file_bytes=BOUNDS.member_bytes)


@contextmanager
def unpacked(path: Path, name: str, within: Limits) -> Iterator[Unpacked]:
    """Yield an archive's settings and files; raise BundleError for one that is damaged, too large or takes too long."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = {"path": str(path), "name": name, "folder": folder}
        try:
            answer = sandbox.run(child.unpack, arguments, within, reads=[str(path)], writes=[folder])
        except LimitBroken as error:
            raise BundleError([Finding(_broken(error), name)]) from None
        if answer["problems"]:
            raise BundleError(map(_translated, answer["problems"]))
        root = from_table(answer["nodes"])
        assert isinstance(root, yaml.MappingNode)
        most = BOUNDS.inflated_bytes(path.stat().st_size)
        more = {key: answer.get(key, {}) for key in ("folders", "pages", "texts")}
        yield Unpacked(answer["settings"], root, Path(folder), answer["files"], most, **more)


def _broken(error: LimitBroken) -> str:
    if error.kind == "time":
        return _("Reading this archive took too long, so it was stopped.")
    return _("Reading this archive took too much memory or disk space, so it was stopped.")


def _translated(stored: Mapping[str, Any]) -> Finding:
    problem = finding_from_json(stored)
    return replace(problem, message=from_engine(problem.message), kind="")


def score_gold(
    upload: Upload, scenario: Scenario, within: Limits, *, is_input: bool, may_guess: bool = False
) -> tuple[str, list[str], dict[str, Any] | None]:
    """Return digest, units and size of a gold, which a child scores against itself; raise scoring.GoldError.

    What `is_input` has no answers: a sample is scored on it, its score means nothing, and it has neither digest nor
    size. Where it `may_guess`, the scenario gets the options by which alone the gold is read.
    """
    how = {"is_input": is_input, "may_guess": may_guess}
    arguments = {"family": scenario.family, "options": scenario.options, "gold": upload.named, **how}
    try:
        answer = sandbox.run(child.score_gold, arguments, within, loads=[scenario.family], reads=[str(upload.path)])
    except LimitBroken:
        problem = _("Scoring this gold against itself took too much time or memory, so it was stopped.")
        raise scoring.GoldError(problem) from None
    if answer["problems"]:
        raise scoring.GoldError(map(finding_from_json, answer["problems"]))
    scenario.options |= answer.get("guessed", {})
    if is_input:
        return "", answer["units"], None
    require_perfect(scenario, answer["headline"], answer["score"], answer["options"])
    return answer["digest"], answer["units"], answer["size"]
