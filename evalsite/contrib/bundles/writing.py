"""Writes a task as a bundle: its settings, texts and files as the members of an archive, each in chunks."""

import hashlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from typing import Any

import yaml
from django.db import models
from django.db.models.fields.files import FieldFile
from django.utils.duration import duration_string

from evalsite.base.file_names import plain_name
from evalsite.challenges.models import EntryRules, FactSheet, Gold, Phase, Task
from evalsite.challenges.storage.zip_streams import Member, chunks_of
from evalsite.contrib.bundles.format import TEXTS, VERSION, default_of, fields_of, is_in_a_file
from evalsite.contrib.bundles.problems import SETTINGS
from evalsite.contrib.bundles.unpacking.archive import DIGESTS
from evalsite.leaderboard.models import Combined
from evalsite.submissions.models import Submission

Settings = dict[str, Any]


class Bundle:
    """A task as it is now: the database is read at once, and files when it is their turn."""

    def __init__(self, task: Task) -> None:
        parts = _Parts(task)
        self.texts: dict[str, bytes] = {SETTINGS: _as_yaml(parts.settings()), **parts.texts}
        self.files = parts.files

    def members(self) -> Iterator[Member]:
        """Yield the members, the settings first; equal tasks have equal ones. It raises OSError for a missing file."""
        for path, text in self.texts.items():
            yield path, [text]
        for path, file in self.files.items():
            yield path, chunks_of(file.open("rb"))

    def missing(self) -> list[str]:
        """Return the paths of files that are not stored any more, so that there is no whole bundle."""
        return [path for path, file in self.files.items() if not file.storage.exists(file.name or "")]


def with_digests(members: Iterable[Member]) -> Iterator[Member]:
    """Yield the members, and behind them their SHA-256 as the program sha256sum writes and checks them."""
    lines: list[str] = []
    for path, chunks in members:
        digest = hashlib.sha256()
        yield path, _digested(chunks, digest)
        lines.append(f"{digest.hexdigest()}  {path}\n")
    yield DIGESTS, ["".join(lines).encode()]


def _digested(chunks: Iterable[bytes], digest: Any) -> Iterator[bytes]:
    for chunk in chunks:
        digest.update(chunk)
        yield chunk


def _as_yaml(settings: Settings) -> bytes:
    text: str = yaml.dump(settings, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)
    return text.encode()


class _Dumper(yaml.SafeDumper):
    """Writes no anchors: where two values are one object, both are written out."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


class _Parts:
    """The texts and files that the settings of a task name, collected while these are written."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.texts: dict[str, bytes] = {}
        self.files: dict[str, FieldFile] = {}
        self._golds: dict[tuple[str, str], str] = {}  # paths by digest and name: scenarios share files

    def settings(self) -> Settings:
        task = self.task
        optional: dict[str, Any] = {
            "pages": [
                self._row(page, f"texts/pages/{page.slug or number}")
                for number, page in enumerate(task.pages.order_by("position", "pk"), start=1)
            ],
            "announcements": [
                self._row(news, f"texts/announcements/{number}")
                for number, news in enumerate(_sorted(task.announcements.all(), "created", "title"), start=1)
            ],
            "pictures": [self._row(picture, "pictures") for picture in _sorted(task.pictures.all(), "name")],
            "entry_rules": self._only(EntryRules, "texts"),
            "fact_sheet": self._only(FactSheet, "texts"),
            "scenarios": [
                self._row(scenario, f"texts/scenarios/{scenario.number}")
                for scenario in task.scenarios.order_by("number")
            ],
            "phases": list(map(self._phase, _sorted(task.phases.all(), "opens", "slug"))),
            "downloads": self._downloads(),
        }
        filled = {name: value for name, value in optional.items() if value not in (None, [])}
        return {"evalsite_bundle": VERSION, **self._row(task, "texts"), **filled}

    def _only(self, model: type[models.Model], place: str) -> Settings | None:
        row = model._default_manager.filter(task=self.task).first()
        return self._row(row, place) if row else None

    def _phase(self, phase: Phase) -> Settings:
        settings = self._row(phase, f"texts/phases/{phase.slug}")
        if phase.decided_by:
            settings["decided_by"] = phase.decided_by.number
        if combined := Combined.objects.filter(phase=phase).first():
            settings["combined"] = self._row(combined, "texts")
        golds = phase.golds.select_related("scenario").order_by("scenario__number", "version")
        if rows := list(map(self._gold, golds)):
            settings["gold"] = rows
        shown = phase.submissions.filter(reference__in=Submission.SHOWN, withdrawn=None)
        if runs := [
            self._run(run, number) for number, run in enumerate(_sorted(shown, "created", "method", "sha256"), start=1)
        ]:
            settings["runs"] = runs
        return settings

    def _gold(self, gold: Gold) -> Settings:
        name, number = plain_name(gold.file_name or gold.file.name), gold.scenario.number
        place = f"gold/{gold.phase.slug}/{number}/v{gold.version}"
        settings = {"scenario": number, **self._row(gold, place)}
        if gold.split:
            settings["split"] = self._row(gold.split, place)
        settings["file"] = self._golds.setdefault((gold.sha256, name), settings["file"])
        if not settings["file"].startswith(f"{place}/"):
            del self.files[f"{place}/{name}"]
        return settings

    def _run(self, run: Submission, number: int) -> Settings:
        entered = sorted(set(run.scorings.values_list("scenario__number", flat=True)))
        return {**self._row(run, f"runs/{run.phase.slug}/{number}"), "scenarios": entered}

    def _downloads(self) -> list[Settings]:
        rows = _sorted(
            self.task.downloads.select_related("phase"), "available_from", "title", "description", "file_name"
        )
        rows.sort(key=lambda download: download.phase.slug if download.phase else "")
        written = []
        for number, download in enumerate(rows, start=1):
            slug = download.phase.slug if download.phase else ""
            further = {"phase": slug} if slug else {}
            written.append({**self._row(download, f"data/{slug or 'task'}/{number}"), **further})
        return written

    def _row(self, row: models.Model, place: str) -> Settings:
        """Return the fields of a row that are not as they are without being said; note its texts and its file."""
        settings: Settings = {}
        for field in fields_of(type(row)):
            value = getattr(row, field.attname)
            if isinstance(value, FieldFile):
                settings[field.name] = self._file(row, value, place)
            elif value != default_of(field):
                settings[field.name] = (
                    self._text(field, value, place) if is_in_a_file(type(row), field) else plain(value)
                )
        return settings

    def _text(self, field: Any, text: str, place: str) -> str:
        """Return the path of a text; that of a page has the name of the page."""
        stem = place if field.name == "text" else f"{place}/{field.name}"
        language = f".{self.task.language}" if self.task.language and field.name not in TEXTS else ""
        path = f"{stem}{language}{TEXTS.get(field.name, '.md')}"
        self.texts[path] = text.encode()
        return path

    def _file(self, row: Any, file: FieldFile, place: str) -> str:
        name = getattr(row, "name", "") or row.file_name or file.name
        path = f"{place}/{plain_name(name)}"
        self.files[path] = file
        return path


def _sorted(rows: Iterable[Any], *names: str) -> list[Any]:
    """Sort by what is the same wherever the task is: keys are not, nor the order of texts in databases."""
    return sorted(rows, key=attrgetter(*names))


def plain(value: Any) -> Any:
    """Return the value as YAML knows it: times in UTC, the keys of objects in order."""
    if isinstance(value, datetime):
        return value.astimezone(UTC)
    if isinstance(value, timedelta):
        return duration_string(value)
    if isinstance(value, dict):
        return {key: plain(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return list(map(plain, value))
    return value
