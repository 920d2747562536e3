"""Reads the settings of a bundle into rows that are not stored yet, with every problem and its line."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, TypeVar

import yaml
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.dateparse import parse_datetime, parse_duration
from django.utils.text import slugify
from django.utils.translation import gettext as _
from pydantic import ConfigDict, TypeAdapter

from evalsite.base.fields import LONGEST_TEXT
from evalsite.base.file_names import plain_name
from evalsite.base.validation import messages_of, require_valid
from evalsite.challenges.forms.own_fields import OwnFieldsField
from evalsite.challenges.forms.zones import is_zone
from evalsite.challenges.models import (
    Announcement,
    Download,
    EntryRules,
    FactSheet,
    Gold,
    GoldSplit,
    Page,
    Phase,
    Picture,
    Scenario,
    Task,
)
from evalsite.challenges.taking_part.own_fields import MAX_FIELDS, OwnField, is_number
from evalsite.challenges.texts.pictures import MOST_PICTURES
from evalsite.contrib.bundles.format import COMPUTED, FIELDS, VERSION, default_of, fields_of, is_in_a_file
from evalsite.contrib.bundles.parsing import computed, cut, data, entries, items, refuse_unknown, shown
from evalsite.contrib.bundles.problems import BundleError, BundleProblems
from evalsite.contrib.bundles.unpacked import Unpacked
from evalsite.desk.phases.forms import TAKEN
from evalsite.leaderboard.models import Combined
from evalsite.submissions.models import Submission

MOST_NAMED = 20  # rows that are named where another one was meant
LONGEST_LIST = 2**20  # bytes of addresses and domains
Entries = Mapping[str, tuple[yaml.Node, yaml.Node]]
Row = TypeVar("Row", bound=models.Model)
_OWN_FIELDS = TypeAdapter(list[OwnField], config=ConfigDict(extra="forbid", strict=False))


@dataclass
class Plan:
    """All rows of a task that is imported, not stored yet."""

    task: Task
    pages: list[Page] = field(default_factory=list)
    announcements: list[Announcement] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    settings: list[EntryRules | FactSheet] = field(default_factory=list)
    scenarios: list[Scenario] = field(default_factory=list)
    phases: list[Phase] = field(default_factory=list)
    combined: list[Combined] = field(default_factory=list)
    golds: list[Gold] = field(default_factory=list)
    runs: list[tuple[Submission, list[Scenario]]] = field(default_factory=list)
    downloads: list[Download] = field(default_factory=list)
    waiting: list[Gold] = field(default_factory=list)  # what another site has as gold, and is none here as it is
    refused: dict[Any, list[str]] = field(default_factory=dict)  # why, by the row's key
    files: dict[Any, str] = field(default_factory=dict)  # the member of each row with a file, by the row's key
    places: dict[Any, yaml.Node] = field(default_factory=dict)  # the node of what is checked later, by the row's key
    notes: list[str] = field(default_factory=list)  # what its maker should know


def read_plan(archive: Unpacked) -> Plan:
    """Return what the settings and the texts say; raise BundleError with all problems that were found."""
    root, problems = archive.root, BundleProblems()
    _require_version(root, problems)
    plan = _Reader(archive, problems).plan(root)
    if problems:
        raise BundleError(sorted(problems, key=lambda problem: problem.line or 0))
    return plan


def _require_version(root: yaml.MappingNode, problems: BundleProblems) -> None:
    read = {key.value: value for key, value in root.value if isinstance(key, yaml.ScalarNode)}
    version = read.get("evalsite_bundle")
    if version is None:
        problems.at(
            root, _("The key evalsite_bundle is missing: the version of the format, which is %(n)s.") % {"n": VERSION}
        )
    elif not isinstance(version, yaml.ScalarNode) or computed(version) != VERSION:
        problem = _("This site reads bundles of version %(n)s, not %(value)s. It may be an older site.")
        problems.at(version, problem % {"n": VERSION, "value": shown(version)})
    problems.raise_if_any()


class _Reader:
    def __init__(self, archive: Unpacked, problems: BundleProblems) -> None:
        self.archive, self.problems = archive, problems
        self.scenarios: dict[str, Scenario] = {}  # by the numbers with which the settings refer to them
        self.phases: dict[str, Phase] = {}  # by their addresses
        self.versions: set[tuple[Any, ...]] = set()  # of gold: phase, scenario and number, or that it is a candidate
        self.splits: dict[tuple[Any, ...], GoldSplit] = {}  # by phase, scenario, names and shown places

    def plan(self, root: yaml.MappingNode) -> Plan:
        parts = ("pages", "announcements", "pictures", "entry_rules", "fact_sheet", "scenarios", "phases", "downloads")
        task, read = self._row(Task, root, further=("evalsite_bundle", *parts))
        self.plan_ = plan = Plan(task)
        if "zone" in read and not is_zone(task.zone):
            self.problems.at(read["zone"][1], _("There is no time zone %(zone)s.") % {"zone": cut(task.zone)})
        for number, node in enumerate(self._items(read, "pages")):
            page, _read = self._row(Page, node, task=task)
            page.position, page.slug = number, page.slug or slugify(page.title)[:50] or "page"
            plan.pages.append(page)
        self._refuse_twice(read, "pages", plan.pages, "slug")
        plan.announcements = [
            self._row(Announcement, node, task=task)[0] for node in self._items(read, "announcements")
        ]
        self._pictures(read)
        if "entry_rules" in read:
            plan.settings.append(self._row(EntryRules, read["entry_rules"][1], task=task)[0])
        if "fact_sheet" in read:
            plan.settings.append(self._row(FactSheet, read["fact_sheet"][1], task=task)[0])
        for node in self._items(read, "scenarios"):
            scenario, _own = self._row(Scenario, node, task=task)
            plan.scenarios.append(scenario)
            self.scenarios[str(scenario.number)] = scenario
        self._refuse_twice(read, "scenarios", plan.scenarios, "number")
        for node in self._items(read, "phases"):
            self._phase(node)
        self._refuse_twice(read, "phases", plan.phases, "slug")
        for node in self._items(read, "downloads"):
            download, rest = self._row(Download, node, further=("phase",), task=task)
            download.phase = self._named(rest, "phase", self.phases)
            plan.downloads.append(download)
        return plan

    def _pictures(self, read: Entries) -> None:
        for node in self._items(read, "pictures"):
            self.plan_.pictures.append(self._row(Picture, node, task=self.plan_.task)[0])
        self._refuse_twice(read, "pictures", self.plan_.pictures, "name")
        if len(self.plan_.pictures) > MOST_PICTURES:
            self.problems.at(
                read["pictures"][0], _("A task may have at most %(most)s pictures.") % {"most": MOST_PICTURES}
            )

    def _phase(self, node: yaml.Node) -> None:
        plan, further = self.plan_, ("decided_by", "combined", "gold", "runs")
        phase, read = self._row(Phase, node, further=further, task=plan.task)
        plan.phases.append(phase)
        self.phases[phase.slug] = phase
        if phase.slug in TAKEN:
            self.problems.at(read["slug"][1], _("The site needs the address %(slug)s itself.") % {"slug": phase.slug})
        self._check_closings(phase, read)
        phase.decided_by = self._named(read, "decided_by", self.scenarios)
        if "combined" in read:
            combined, _own = self._row(Combined, read["combined"][1], phase=phase)
            plan.combined.append(combined)
            plan.places[phase.pk] = read["combined"][0]
        golds: list[Gold] = []
        for item in self._items(read, "gold"):
            gold, rest = self._row(Gold, item, further=("scenario", "split"), phase=phase)
            if scenario := self._named(rest, "scenario", self.scenarios, item):
                gold.scenario = scenario
                self._split(gold, rest, item)
                golds.append(gold)
                self._check_gold(gold, item)
        plan.golds += golds
        for item in self._items(read, "runs"):
            self._run(item, phase, golds)

    def _check_gold(self, gold: Gold, node: yaml.Node) -> None:
        version, candidate = ((gold.phase.pk, gold.scenario.pk, what) for what in (gold.version, gold.State.CANDIDATE))
        if version in self.versions:
            problem = _("Version %(version)s of the gold of scenario %(number)s is there twice.")
            self.problems.at(node, problem % {"version": gold.version, "number": gold.scenario.number})
        if gold.is_candidate and candidate in self.versions:
            self.problems.at(node, _("A scenario has one candidate in a phase, and this is a second one."))
        self.versions |= {version, candidate} if gold.is_candidate else {version}

    def _split(self, gold: Gold, read: Entries, node: yaml.Node) -> None:
        """Let versions on one split share it."""
        if ("split" in read) != bool(gold.part):
            self.problems.at(node, _("A gold that is split has both keys, part and split, and any other one neither."))
            return
        if not gold.part:
            return
        n_before, place = len(self.problems), read["split"][1]
        split, _own = self._row(GoldSplit, place, phase=gold.phase, scenario=gold.scenario)
        if len(self.problems) > n_before:
            return
        if not _is_split(split.names, split.shown):
            self.problems.at(place, _("A split has the names of all units, and the ascending places of some of them."))
            return
        units = gold.phase.pk, gold.scenario.pk, tuple(split.names), tuple(split.shown)
        same = self.splits.setdefault(units, split)
        for name, value in same.belongs_to(gold.part).items():
            setattr(gold, name, value)

    def _run(self, node: yaml.Node, phase: Phase, golds: Iterable[Gold]) -> None:
        run, read = self._row(Submission, node, further=("scenarios",), phase=phase)
        if run.reference not in Submission.SHOWN:
            self.problems.at(node, _("The reference of a run is baseline or human."))
        scored = {gold.scenario.number for gold in golds if gold.state == Gold.State.PUBLISHED}
        entered: dict[int, Scenario] = {}
        for item in self._items(read, "scenarios"):
            scenario = self._find(item, self.scenarios)
            if scenario and scenario.number not in scored:
                problem = _("The phase has no published gold for scenario %(number)s, so that no run can be scored.")
                self.problems.at(item, problem % {"number": scenario.number})
            elif scenario:
                entered[scenario.number] = scenario
        if "scenarios" not in read or not read["scenarios"][1].value:
            self.problems.at(node, _("The scenarios that the run enters are missing."))
        if not isinstance(run.facts, dict) or not all(
            isinstance(value, str | bool | None) or is_number(value) for value in run.facts.values()
        ):
            self.problems.at(node, _("The facts of a run are an object of texts, numbers and truth values."))
        self.plan_.runs.append((run, list(entered.values())))

    def _check_closings(self, phase: Phase, read: Entries) -> None:
        """Check the closings of before, which pages read as times."""
        moves = phase.former_closings
        try:
            if not isinstance(moves, list):
                raise ValueError
            for closing, moved_on in moves:
                if any(datetime.fromisoformat(text).tzinfo is None for text in (closing or moved_on, moved_on)):
                    raise ValueError
        except (ValueError, TypeError):
            phase.former_closings = []
            problem = _("A list of pairs of times is needed: a closing, and when it was moved.")
            self.problems.at(read["former_closings"][1], problem)

    # What all rows have.

    def _row(
        self, model: type[Row], node: yaml.Node, *, further: tuple[str, ...] = (), **values: models.Model
    ) -> tuple[Row, Entries]:
        """Return a row with the fields that the object says, and its entries, of which `further` are the caller's."""
        read = entries(node, self.problems)
        refuse_unknown(read, (*FIELDS[model], *further), self.problems)
        row = model(**values)
        refused = set()
        for column in fields_of(model):
            if column.name in read:
                if not self._set(row, column, read[column.name][1]):
                    refused.add(column.name)
            elif _is_needed(column):
                self.problems.at(node, _("The key %(key)s is missing.") % {"key": column.name})
                refused.add(column.name)
        self._validate(row, node, read, refused)
        return row, read

    def _set(self, row: models.Model, column: Any, node: yaml.Node) -> bool:
        """Set a field and return True, or note what is wrong with its value."""
        try:
            if isinstance(column, models.FileField):
                self._set_file(row, node)
                return True
            value = self._value(row, column, node)
            setattr(row, column.attname, column.clean(value, row) if value is not None or not column.null else None)
        except ValidationError as error:
            for message in error.messages:
                self.problems.at(node, f"{column.name}: {message}")
            return False
        return True

    def _set_file(self, row: Any, node: yaml.Node) -> None:
        path = self._path(node)
        self.plan_.files[row.pk], self.plan_.places[row.pk] = path, node
        if hasattr(row, "file_name"):
            row.file_name = plain_name(path)

    def _value(self, row: models.Model, column: Any, node: yaml.Node) -> Any:
        """Return the value of a field as it is stored; raise ValidationError."""
        if isinstance(column, models.JSONField):
            return self._json(column, node)
        if not isinstance(node, yaml.ScalarNode):
            raise ValidationError(_("One value is needed, not %(value)s.") % {"value": shown(node)})
        value = computed(node)
        if value is None and column.null:
            return None
        if isinstance(column, models.BooleanField) and not isinstance(value, bool):
            raise ValidationError(_("true or false is needed, not %(value)s.") % {"value": shown(node)})
        if isinstance(column, models.IntegerField) and (not isinstance(value, int) or isinstance(value, bool)):
            raise ValidationError(_("A whole number is needed, not %(value)s.") % {"value": shown(node)})
        if isinstance(column, models.BooleanField | models.IntegerField):
            return value
        if isinstance(column, models.DateTimeField):
            return _time(node)
        if isinstance(column, models.DurationField):
            return _span(node)
        return self._text(column, node) if is_in_a_file(type(row), column) else node.value

    def _json(self, column: Any, node: yaml.Node) -> Any:
        n_before = len(self.problems)
        value = data(node, self.problems)
        if column.name not in ("questions", "own") or len(self.problems) > n_before:
            return value
        try:
            rows = _OWN_FIELDS.validate_python(value)
        except ValueError:
            keys = "key, text, kind, choices, is_required"
            raise ValidationError(_("A list of fields is needed, each with %(known)s.") % {"known": keys}) from None
        return _own_fields(rows)

    def _text(self, column: Any, node: yaml.ScalarNode) -> str:
        path = self._path(node)
        if path not in self.archive:
            return ""
        most = LONGEST_LIST if column.name == "listed" else 4 * LONGEST_TEXT
        if self.archive.size(path) > most:
            raise ValidationError(_("%(path)s has more than %(n)s bytes.") % {"path": cut(path), "n": most})
        content = self.archive.content(path)
        try:
            text = content.decode()
        except UnicodeDecodeError as error:
            line = content[: error.start].count(b"\n") + 1
            values = {"path": cut(path), "line": line}
            raise ValidationError(_("%(path)s, line %(line)s: this is not UTF-8.") % values) from None
        if "\0" in text:
            raise ValidationError(_("%(path)s has a character that cannot be stored.") % {"path": cut(path)})
        if column.name != "listed" and len(text) > LONGEST_TEXT:
            raise ValidationError(
                _("%(path)s has more than %(n)s characters.") % {"path": cut(path), "n": LONGEST_TEXT}
            )
        return text

    def _path(self, node: yaml.Node) -> str:
        """Return the path that the scalar names; note a problem if there is no such member."""
        path = node.value if isinstance(node, yaml.ScalarNode) else ""
        if path not in self.archive:
            self.problems.at(node, _("There is no file %(path)s in the archive.") % {"path": shown(node)})
        return path

    def _validate(self, row: models.Model, node: yaml.Node, read: Entries, refused: set[str]) -> None:
        """Note what the rules of the row's model find wrong with it, each beside its key."""
        theirs = {field.name for field in row._meta.concrete_fields} - set(FIELDS[type(row)])  # set when it is stored
        try:
            require_valid(row, without=refused | theirs | COMPUTED)
        except ValidationError as error:
            for name, message in messages_of(error):
                self.problems.at(read[name][1] if name in read else node, message)
        except (TypeError, AttributeError):
            if not refused:  # a field without a value has been told already
                raise

    def _items(self, read: Entries, key: str) -> list[yaml.Node]:
        return list(items(read[key][1], self.problems)) if key in read else []

    def _named(self, read: Entries, key: str, rows: Mapping[str, Row], needed: yaml.Node | None = None) -> Row | None:
        """Return the row to which a key refers by its slug or number."""
        if key in read:
            return self._find(read[key][1], rows)
        if needed is not None:
            self.problems.at(needed, _("The key %(key)s is missing.") % {"key": key})
        return None

    def _find(self, node: yaml.Node, rows: Mapping[str, Row]) -> Row | None:
        if isinstance(node, yaml.ScalarNode) and node.value in rows:
            return rows[node.value]
        problem = _("There is no %(value)s here. Known are: %(known)s.")
        self.problems.at(node, problem % {"value": shown(node), "known": _listed(rows)})
        return None

    def _refuse_twice(self, read: Entries, key: str, rows: Iterable[models.Model], column: str) -> None:
        seen: dict[Any, int] = {}
        for row, node in zip(rows, self._items(read, key), strict=True):
            value, line = getattr(row, column), node.start_mark.line + 1
            if value in seen:
                problem = _("%(column)s %(value)s is there already, in line %(line)s.")
                self.problems.at(node, problem % {"column": column, "value": cut(str(value)), "line": seen[value]})
            seen.setdefault(value, line)


def _listed(names: Iterable[str]) -> str:
    """Return the first names: there may be thousands, and a problem for each that is none of them."""
    first = list(islice(names, MOST_NAMED + 1))
    return ", ".join([*first[:MOST_NAMED], *("…" for _name in first[MOST_NAMED:])]) or "–"


def _is_needed(column: Any) -> bool:
    if isinstance(column, models.FileField):
        return True
    if column.name in COMPUTED:
        return False
    has_default = column.has_default() or getattr(column, "auto_now_add", False) or getattr(column, "auto_now", False)
    return not (column.null or column.blank or has_default or default_of(column) not in (None, ""))


def _time(node: yaml.ScalarNode) -> datetime:
    try:
        moment = parse_datetime(node.value)
        if moment is not None and moment.tzinfo is not None:
            return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValidationError(_("There is no such time: %(value)s.") % {"value": shown(node)}) from None
    problem = _("A time with its zone is needed, such as 2026-09-01 12:00:00Z, not %(value)s.")
    raise ValidationError(problem % {"value": shown(node)})


def _span(node: yaml.ScalarNode) -> timedelta:
    try:
        duration = parse_duration(node.value)
    except (ValueError, OverflowError):
        duration = None
    if duration is None:
        problem = _("A span of time is needed, such as 1 00:00:00 for a day, not %(value)s.")
        raise ValidationError(problem % {"value": shown(node)})
    return duration


def _own_fields(rows: Iterable[OwnField]) -> list[dict[str, Any]]:
    """Return the rows as the desk would store them; raise ValidationError."""
    lines = [
        {"key": row.key, "text": row.text, "kind": row.kind, "choices": row.choices, "is_required": row.is_required}
        for row in rows
    ]
    if len(lines) > MAX_FIELDS:
        raise ValidationError(_("At most %(n)d fields are taken.") % {"n": MAX_FIELDS})
    return list(OwnFieldsField().clean(lines))


def _is_split(names: Any, shown: Any) -> bool:
    """Return whether these are names, and ascending places of some of them."""
    are_lists = isinstance(names, list) and isinstance(shown, list)
    if not are_lists or not all(isinstance(name, str) for name in names):
        return False
    return all(type(place) is int and 0 <= place < len(names) for place in shown) and shown == sorted(set(shown))
