"""Reads the bundles of CodaLab and Codabench as far as they map, and says what did not; no program in them is run."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import yaml
from django.core.exceptions import ValidationError
from django.utils.dateparse import parse_datetime
from django.utils.text import slugify
from django.utils.translation import gettext as _

from evalsite.base.fields import LONGEST_TEXT
from evalsite.base.file_names import plain_name
from evalsite.base.validation import messages_of, require_valid
from evalsite.challenges.models import Download, EntryRules, FactSheet, Gold, Page, Phase, Scenario, Task
from evalsite.contrib.bundles.competition_facts import facts_of
from evalsite.contrib.bundles.parsing import computed, cut, shown, shown_value
from evalsite.contrib.bundles.problems import BundleError, BundleProblems
from evalsite.contrib.bundles.rows import Plan
from evalsite.contrib.bundles.unpacked import Unpacked
from evalsite.contrib.bundles.unpacking.child import HTML, PROGRAMS
from evalsite.desk.phases.forms import TAKEN
from evalsite.desk.scenarios.uses import Way
from scoring.findings import Finding

MAX_PARTS = 100  # phases, pages, tasks, columns
MOST_A_DAY = timedelta(days=1)
MIGRATING = ("auto_migrate_to_this_phase", "auto_migration")  # as Codabench and CodaLab call it
Fields = Mapping[str, yaml.Node]
_DAY = re.compile(r"(\d{1,2})-(\d{1,2})-(\d{4})")  # month, day, year, as Codabench writes them


class WayNeeded(BundleError):
    """Nobody has chosen yet how the runs of a competition are scored here."""


def read_competition(archive: Unpacked, way: Way | None) -> Plan:
    """Return what maps of a competition, scored as `way` says; raise BundleError with all problems."""
    if way is None:
        problem = _(
            "This is a bundle of CodaLab or Codabench. Choose what its systems do: its scoring program is "
            "named here but never run."
        )
        raise WayNeeded([Finding(problem, archive.settings)])
    problems = BundleProblems(archive.settings)
    root = _fields(archive.root, problems)
    plan = _Competition(archive, problems, way).plan(root)
    problems.raise_if_any()
    return plan


def _fields(node: yaml.Node, problems: BundleProblems) -> dict[str, yaml.Node]:
    """Return the values of an object; of a key that is there twice the last one counts, as on those sites."""
    if isinstance(node, yaml.MappingNode):
        return {key.value: value for key, value in node.value if isinstance(key, yaml.ScalarNode)}
    problems.at(node, _("An object of keys and values is needed, not %(value)s.") % {"value": shown(node)})
    return {}


class _Competition:
    def __init__(self, archive: Unpacked, problems: BundleProblems, way: Way) -> None:
        self.archive, self.problems, self.way = archive, problems, way
        self.programs: dict[str, set[str]] = {}
        self.n_facts = 0

    def plan(self, root: Fields) -> Plan:
        title = self._text(root, "title")
        if not title:
            self.problems.at(None, _("The key %(key)s is missing.") % {"key": "title"})
        self.plan_ = plan = Plan(Task(title=title[:200], slug=slugify(title)[:44] or "task"))
        plan.task.summary = (" ".join(self._description(root, title).split()) or title)[:300]
        self._pages(root)
        self._entering(root)
        self._facts(root)
        self.tasks = {self._text(task, "index"): task for task in self._list(root, "tasks")}
        phases = sorted(self._phases(root), key=lambda pair: pair[0].opens)
        self._closings([phase for phase, _own in phases], root)
        for phase, fields in phases:
            self._data(phase, fields)
        self._validate()
        self._report(root)
        return plan

    def _pages(self, root: Fields) -> None:
        """Take the pages, the first one as the description of the task."""
        named = [(self._text(page, "title"), self._text(page, "file")) for page in self._list(root, "pages")]
        if "html" in root:  # CodaLab
            html = _fields(root["html"], self.problems)
            names = sorted(html, key=lambda name: name != "overview")
            named += [(name.capitalize(), shown_value(html[name])) for name in names if name != "terms"]
        for title, path in named[:MAX_PARTS]:
            text = self._page(path)
            if not self.plan_.task.description and text:
                self.plan_.task.description = text
            elif text:
                slug = self._free(slugify(title)[:50] or "page", (page.slug for page in self.plan_.pages))
                page = Page(title=title[:100] or slug, slug=slug, text=text, position=len(self.plan_.pages))
                self.plan_.pages.append(page)

    def _entering(self, root: Fields) -> None:
        html = _fields(root["html"], self.problems) if "html" in root else {}
        terms = self._page(self._text(root, "terms") or shown_value(html.get("terms")))
        needs_approval = self._truth(root, "has_registration") or (
            "version" in root and not self._truth(root, "registration_auto_approve")
        )
        way = EntryRules.Way.APPROVAL if needs_approval else EntryRules.Way.OPEN
        if terms or needs_approval:
            self.plan_.settings.append(EntryRules(terms=terms, way=way))

    def _facts(self, root: Fields) -> None:
        fields, left = facts_of(root.get("fact_sheet"))
        self.n_facts = len(fields)
        if fields:
            self.plan_.settings.append(FactSheet(own=fields))
        if left:
            note = _("Ignored: %(keys)s of the fact sheet, which has at most %(n)s fields here.")
            self.plan_.notes.append(note % {"keys": ", ".join(map(cut, left[:MAX_PARTS])), "n": len(fields)})

    def _phases(self, root: Fields) -> list[tuple[Phase, Fields]]:
        if "phases" not in root:
            self.problems.at(None, _("The key %(key)s is missing.") % {"key": "phases"})
            return []
        node = root["phases"]
        nodes = [value for _key, value in node.value] if isinstance(node, yaml.MappingNode) else node.value
        if not isinstance(nodes, list) or len(nodes) > MAX_PARTS:
            self.problems.at(node, _("A list of at most %(n)s phases is needed.") % {"n": MAX_PARTS})
            return []
        return [self._phase(node) for node in nodes]

    def _phase(self, node: yaml.Node) -> tuple[Phase, Fields]:
        fields = _fields(node, self.problems)
        name = self._text(fields, "name") or self._text(fields, "label") or _("Phase")
        taken = {*(phase.slug for phase in self.plan_.phases), *TAKEN}
        slug = self._free(slugify(name)[:44] or "phase", taken)
        text = self._description(fields, name)
        opens = self._time(fields, "start") or self._time(fields, "start_date")
        if opens is None:
            self.problems.at(node, _("The phase %(name)s has no time at which it opens.") % {"name": cut(name)})
        phase = Phase(name=name[:100], slug=slug, description=text, opens=opens or datetime.now(UTC))
        phase.closes = self._time(fields, "end")
        phase.counts_is_usual = True
        phase.total_limit = self._limit(fields, "max_submissions")
        phase.window_limit = self._limit(fields, "max_submissions_per_day") or phase.window_limit
        phase.window = MOST_A_DAY
        self.plan_.phases.append(phase)
        return phase, fields

    def _closings(self, phases: Sequence[Phase], root: Fields) -> None:
        """Close each phase when the next one opens, as these sites do, and the last one when the competition ends."""
        ends = [*(phase.opens for phase in phases[1:]), self._time(root, "end_date")]
        for phase, end in zip(phases, ends, strict=False):
            if phase.closes is None and end and end > phase.opens:
                phase.closes = end

    def _validate(self) -> None:
        """Note what the rules of the models find wrong with the rows; golds are validated when they are stored."""
        plan = self.plan_
        rows = (plan.task, *plan.pages, *plan.settings, *plan.scenarios, *plan.phases, *plan.downloads)
        for row in rows:
            try:
                require_valid(row)
            except ValidationError as error:
                for name, message in messages_of(error):
                    self.problems.at(None, ": ".join(filter(None, (cut(_called(row)), name, message))))

    def _data(self, phase: Phase, fields: Fields) -> None:
        """Take what participants download; try what is to be found as the gold of a scenario for each task."""
        for key, title in (("public_data", _("Data")), ("starting_kit", _("Starting kit"))):
            if path := self._file(fields, key):
                download = Download(title=title, phase=phase, available_from=phase.opens)
                download.file_name = plain_name(path)
                self.plan_.files[download.pk] = path
                self.plan_.downloads.append(download)
        keys = [node.value for node in self._nodes(fields, "tasks") if isinstance(node, yaml.ScalarNode)]
        tasks = [self.tasks[key] for key in keys if key in self.tasks] or [fields]
        self._note_programs(fields)
        for number, task in enumerate(tasks[:MAX_PARTS], start=1):
            self._note_programs(task)
            scenario = self._scenario(number, self._text(task, "name") if len(tasks) > 1 else "")
            if path := self._file(task, "reference_data"):
                gold = Gold(phase=phase, scenario=scenario, version=1, file_name=plain_name(path))
                self.plan_.files[gold.pk] = path
                self.plan_.golds.append(gold)

    def _scenario(self, number: int, name: str) -> Scenario:
        if number > len(self.plan_.scenarios):
            use, family = self.way.use, self.way.family
            named = {"name": (name or self.way.title)[:100], "family": family.name, "use": use.key}
            scenario = Scenario(task=self.plan_.task, number=number, options=dict(use.options), **named)
            self.plan_.scenarios.append(scenario)
        return self.plan_.scenarios[number - 1]

    def _note_programs(self, fields: Fields) -> None:
        for key in PROGRAMS:
            if text := self._text(fields, key):
                self.programs.setdefault(key, set()).add(text)

    def _report(self, root: Fields) -> None:
        """Say what was made of the bundle, and what of it is left."""
        plan = self.plan_
        self._note_programs(root)
        counted = {"phases": len(plan.phases), "pages": len(plan.pages), "downloads": len(plan.downloads)}
        plan.notes.append(_("Imported: phases %(phases)s, pages %(pages)s, downloads %(downloads)s.") % counted)
        if self.n_facts:
            plan.notes.append(_("Imported: fields of the fact sheet %(n)s.") % {"n": self.n_facts})
        plan.notes.append(_("Scored as “%(way)s”, as you have chosen.") % {"way": self.way.title})
        for key, values in sorted(self.programs.items()):
            ignored = {"key": key, "values": ", ".join(sorted(map(cut, values))[:5])}
            plan.notes.append(_("Ignored: %(key)s (%(values)s). This site never runs scoring programs.") % ignored)
        if columns := self._columns(root):
            note = _("Columns of its leaderboard: %(columns)s. The board shows the scores of the scenario instead.")
            plan.notes.append(note % {"columns": ", ".join(columns)})
        keys = {*PROGRAMS, "title", "description", "version", "pages", "html", "terms", "tasks", "phases", "end_date"}
        keys |= {"has_registration", "registration_auto_approve", "leaderboard", "leaderboards", "fact_sheet"}
        if left := [cut(key) for key in root if key not in keys]:
            plan.notes.append(_("Ignored: %(keys)s.") % {"keys": ", ".join(left[:MAX_PARTS])})
        if any("input_data" in _fields(node, self.problems) for node in self._maps(root)):
            plan.notes.append(_("Ignored: input_data, which these sites give to programs and not to participants."))
        if any(self._truth(_fields(node, self.problems), key) for node in self._maps(root) for key in MIGRATING):
            plan.notes.append(_("Ignored: %(key)s. Runs stay in their phase here.") % {"key": "auto_migrate"})

    def _maps(self, root: Fields) -> Iterable[yaml.Node]:
        for key in ("tasks", "phases"):
            node = root.get(key)
            values = node.value if node is not None and isinstance(node.value, list) else []
            for entry in values[:MAX_PARTS]:
                value = entry[1] if isinstance(entry, tuple) else entry
                if isinstance(value, yaml.MappingNode):
                    yield value

    def _columns(self, root: Fields) -> list[str]:
        nodes = [_fields(node, self.problems).get("columns") for node in self._nodes(root, "leaderboards")]
        if "leaderboard" in root:
            nodes.append(_fields(root["leaderboard"], self.problems).get("columns"))
        titles = []
        for node in nodes:
            values = node.value if node is not None and isinstance(node.value, list) else []
            for entry in values[:MAX_PARTS]:
                fields = _fields(entry[1] if isinstance(entry, tuple) else entry, self.problems)
                titles.append(cut(self._text(fields, "title") or self._text(fields, "label") or "–"))
        return [*dict.fromkeys(titles)]

    # Values, wherever they stand.

    def _text(self, fields: Fields, key: str) -> str:
        return shown_value(fields.get(key))

    def _truth(self, fields: Fields, key: str) -> bool:
        return key in fields and computed(fields[key]) is True

    def _list(self, fields: Fields, key: str) -> list[Fields]:
        return [_fields(node, self.problems) for node in self._nodes(fields, key)]

    def _nodes(self, fields: Fields, key: str) -> list[yaml.Node]:
        node = fields.get(key)
        return node.value[:MAX_PARTS] if isinstance(node, yaml.SequenceNode) else []

    def _limit(self, fields: Fields, key: str) -> int | None:
        value = computed(fields[key]) if key in fields and isinstance(fields[key], yaml.ScalarNode) else None
        return value if isinstance(value, int) and 0 < value < 10**6 else None

    def _time(self, fields: Fields, key: str) -> datetime | None:
        """Return a time, in UTC where it has no zone; note one that does not exist."""
        text = self._text(fields, key)
        if not text or text in ("null", "~"):
            return None
        if day := _DAY.fullmatch(text):
            text = f"{day[3]}-{day[1]:0>2}-{day[2]:0>2}"
        try:
            time = parse_datetime(text) or datetime.fromisoformat(text)
            return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
        except (ValueError, OverflowError):
            self.problems.at(fields[key], _("There is no such time: %(value)s.") % {"value": shown(fields[key])})
            return None

    def _page(self, path: str) -> str:
        if not path:
            return ""
        if path not in self.archive:
            self.plan_.notes.append(_("The page %(path)s is not in the archive.") % {"path": cut(path)})
            return ""
        is_html = path.lower().endswith(HTML)
        if path not in self.archive.pages if is_html else self.archive.size(path) > 4 * LONGEST_TEXT:
            self.plan_.notes.append(_("The page %(path)s is too large.") % {"path": cut(path)})
            return ""
        if is_html:
            return self.archive.pages[path][:LONGEST_TEXT]
        return self.archive.content(path).decode(errors="replace").replace("\0", "")[:LONGEST_TEXT]

    def _description(self, fields: Fields, title: str) -> str:
        text = self._text(fields, "description")
        if text and text not in self.archive.texts:
            self.plan_.notes.append(_("The description of %(title)s is too large.") % {"title": cut(title)})
        return self.archive.texts.get(text, "")[:LONGEST_TEXT]

    def _file(self, fields: Fields, key: str) -> str:
        """Return the path of a file of the archive; a folder is packed as one."""
        path = self._text(fields, key).rstrip("/")
        if not path or path in self.archive:
            return path
        if path not in self.archive.folders:
            note = _("%(key)s: %(path)s is not in the archive, or too large.")
            self.plan_.notes.append(note % {"key": key, "path": cut(path)})
            return ""
        return self.archive.folders[path]

    def _free(self, slug: str, taken: Iterable[str]) -> str:
        used, wanted = set(taken), slug
        number = 1
        while slug in used:
            number += 1
            slug = f"{wanted[:44]}-{number}"
        return slug


def _called(row: Any) -> str:
    return str(getattr(row, "title", "") or getattr(row, "name", ""))
