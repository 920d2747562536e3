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
from evalsite.bundles.parsing import computed, cut, shown
from evalsite.bundles.problems import BundleError, BundleProblems
from evalsite.bundles.rows import Plan
from evalsite.bundles.unpacked import Unpacked
from evalsite.bundles.unpacking.child import HTML
from evalsite.challenges.models import Download, EntryRules, Gold, Page, Phase, Scenario, Task
from evalsite.desk.phases.forms import TAKEN
from evalsite.desk.scenarios.uses import Way
from scoring.errors import Problem

MOST = 100  # phases, pages, tasks, columns
MOST_A_DAY = timedelta(days=1)
Fields = Mapping[str, yaml.Node]
_DAY = re.compile(r"(\d{1,2})-(\d{1,2})-(\d{4})")  # month, day, year, as Codabench writes them
_PROGRAMS = ("scoring_program", "ingestion_program", "docker_image", "competition_docker_image", "queue")


def read_competition(archive: Unpacked, way: Way | None) -> Plan:
    """Return what maps of a competition, scored as `way` says; raise BundleError with all problems."""
    if way is None:
        problem = _(
            "This is a bundle of CodaLab or Codabench. Choose what its systems do: its scoring program is named here, "
            "and never run."
        )
        raise BundleError([Problem(problem, archive.settings)])
    found = BundleProblems(archive.settings)
    root = _fields(archive.root, found)
    plan = _Competition(archive, found, way).plan(root)
    found.raise_if_any()
    return plan


def _fields(node: yaml.Node, found: BundleProblems) -> dict[str, yaml.Node]:
    """Return the values of an object; of a key that is there twice the last one counts, as on those sites."""
    if isinstance(node, yaml.MappingNode):
        return {key.value: value for key, value in node.value if isinstance(key, yaml.ScalarNode)}
    found.at(node, _("An object of keys and values is needed, not %(value)s.") % {"value": shown(node)})
    return {}


class _Competition:
    def __init__(self, archive: Unpacked, found: BundleProblems, way: Way) -> None:
        self.archive, self.found, self.way = archive, found, way
        self.programs: dict[str, set[str]] = {}

    def plan(self, root: Fields) -> Plan:
        title = self._text(root, "title")
        if not title:
            self.found.at(None, _("The key %(key)s is missing.") % {"key": "title"})
        self.plan_ = plan = Plan(Task(title=title[:200], slug=slugify(title)[:44] or "task"))
        plan.task.summary = (" ".join(self._description(root, title).split()) or title)[:300]
        self._pages(root)
        self._entering(root)
        self.tasks = {self._text(each, "index"): each for each in self._list(root, "tasks")}
        phases = sorted(self._phases(root), key=lambda pair: pair[0].opens)
        self._closings([phase for phase, _own in phases], root)
        for phase, own in phases:
            self._data(phase, own)
        self._validate()
        self._report(root)
        return plan

    def _pages(self, root: Fields) -> None:
        """Take the pages, the first one as the description of the task."""
        named = [(self._text(each, "title"), self._text(each, "file")) for each in self._list(root, "pages")]
        if "html" in root:  # CodaLab
            html = _fields(root["html"], self.found)
            names = sorted(html, key=lambda name: name != "overview")
            named += [(name.capitalize(), shown_value(html[name])) for name in names if name != "terms"]
        for title, path in named[:MOST]:
            text = self._page(path)
            if not self.plan_.task.description and text:
                self.plan_.task.description = text
            elif text:
                slug = self._free(slugify(title)[:50] or "page", (page.slug for page in self.plan_.pages))
                page = Page(title=title[:100] or slug, slug=slug, text=text, position=len(self.plan_.pages))
                self.plan_.pages.append(page)

    def _entering(self, root: Fields) -> None:
        html = _fields(root["html"], self.found) if "html" in root else {}
        terms = self._page(self._text(root, "terms") or shown_value(html.get("terms")))
        needs_approval = self._truth(root, "has_registration") or (
            "version" in root and not self._truth(root, "registration_auto_approve")
        )
        way = EntryRules.Way.APPROVAL if needs_approval else EntryRules.Way.OPEN
        if terms or needs_approval:
            self.plan_.settings.append(EntryRules(terms=terms, way=way))

    def _phases(self, root: Fields) -> list[tuple[Phase, Fields]]:
        if "phases" not in root:
            self.found.at(None, _("The key %(key)s is missing.") % {"key": "phases"})
            return []
        node = root["phases"]
        nodes = [value for _key, value in node.value] if isinstance(node, yaml.MappingNode) else node.value
        if not isinstance(nodes, list) or len(nodes) > MOST:
            self.found.at(node, _("A list of at most %(n)s phases is needed.") % {"n": MOST})
            return []
        return [self._phase(each) for each in nodes]

    def _phase(self, node: yaml.Node) -> tuple[Phase, Fields]:
        own = _fields(node, self.found)
        name = self._text(own, "name") or self._text(own, "label") or _("Phase")
        taken = {*(phase.slug for phase in self.plan_.phases), *TAKEN}
        slug = self._free(slugify(name)[:44] or "phase", taken)
        text = self._description(own, name)
        opens = self._time(own, "start") or self._time(own, "start_date")
        if opens is None:
            self.found.at(node, _("The phase %(name)s has no time at which it opens.") % {"name": cut(name)})
        phase = Phase(name=name[:100], slug=slug, description=text, opens=opens or datetime.now(UTC))
        phase.closes = self._time(own, "end")
        phase.counts_is_usual = True
        phase.total_limit = self._limit(own, "max_submissions")
        phase.window_limit = self._limit(own, "max_submissions_per_day") or phase.window_limit
        phase.window = MOST_A_DAY
        self.plan_.phases.append(phase)
        return phase, own

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
                    self.found.at(None, ": ".join(filter(None, (cut(_called(row)), name, message))))

    def _data(self, phase: Phase, own: Fields) -> None:
        """Take what participants download; try what is to be found as the gold of a scenario for each task."""
        for key, title in (("public_data", _("Data")), ("starting_kit", _("Starting kit"))):
            if path := self._file(own, key):
                download = Download(title=title, phase=phase, available_from=phase.opens)
                download.file_name = plain_name(path)
                self.plan_.files[download.pk] = path
                self.plan_.downloads.append(download)
        keys = [each.value for each in self._nodes(own, "tasks") if isinstance(each, yaml.ScalarNode)]
        tasks = [self.tasks[key] for key in keys if key in self.tasks] or [own]
        self._note_programs(own)
        for number, task in enumerate(tasks[:MOST], start=1):
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

    def _note_programs(self, own: Fields) -> None:
        for key in _PROGRAMS:
            if text := self._text(own, key):
                self.programs.setdefault(key, set()).add(text)

    def _report(self, root: Fields) -> None:
        """Say what was made of the bundle, and what of it is left."""
        plan = self.plan_
        self._note_programs(root)
        said = {"phases": len(plan.phases), "pages": len(plan.pages), "downloads": len(plan.downloads)}
        plan.notes.append(_("Taken: %(phases)s phases, %(pages)s pages, %(downloads)s downloads.") % said)
        plan.notes.append(_("Scored as “%(way)s”, as you have chosen.") % {"way": self.way.title})
        for key, values in sorted(self.programs.items()):
            told = {"key": key, "values": ", ".join(sorted(map(cut, values))[:5])}
            plan.notes.append(_("Not taken, and never run: %(key)s (%(values)s).") % told)
        if columns := self._columns(root):
            note = _("Columns of its leaderboard: %(columns)s. The board shows the scores of the scenario instead.")
            plan.notes.append(note % {"columns": ", ".join(columns)})
        known = {*_PROGRAMS, "title", "description", "version", "pages", "html", "terms", "tasks", "phases", "end_date"}
        known |= {"has_registration", "registration_auto_approve", "leaderboard", "leaderboards"}
        if left := [cut(key) for key in root if key not in known]:
            plan.notes.append(_("Not taken: %(keys)s.") % {"keys": ", ".join(left[:MOST])})
        if any("input_data" in _fields(each, self.found) for each in self._maps(root)):
            plan.notes.append(_("Not taken: input_data, which these sites give to programs and not to participants."))

    def _maps(self, root: Fields) -> Iterable[yaml.Node]:
        for key in ("tasks", "phases"):
            node = root.get(key)
            values = node.value if node is not None and isinstance(node.value, list) else []
            for each in values[:MOST]:
                value = each[1] if isinstance(each, tuple) else each
                if isinstance(value, yaml.MappingNode):
                    yield value

    def _columns(self, root: Fields) -> list[str]:
        nodes = [_fields(each, self.found).get("columns") for each in self._nodes(root, "leaderboards")]
        if "leaderboard" in root:
            nodes.append(_fields(root["leaderboard"], self.found).get("columns"))
        titles = []
        for node in nodes:
            values = node.value if node is not None and isinstance(node.value, list) else []
            for each in values[:MOST]:
                own = _fields(each[1] if isinstance(each, tuple) else each, self.found)
                titles.append(cut(self._text(own, "title") or self._text(own, "label") or "–"))
        return titles

    # Values, wherever they stand.

    def _text(self, own: Fields, key: str) -> str:
        return shown_value(own.get(key))

    def _truth(self, own: Fields, key: str) -> bool:
        return key in own and computed(own[key]) is True

    def _list(self, own: Fields, key: str) -> list[Fields]:
        return [_fields(each, self.found) for each in self._nodes(own, key)]

    def _nodes(self, own: Fields, key: str) -> list[yaml.Node]:
        node = own.get(key)
        return node.value[:MOST] if isinstance(node, yaml.SequenceNode) else []

    def _limit(self, own: Fields, key: str) -> int | None:
        value = computed(own[key]) if key in own and isinstance(own[key], yaml.ScalarNode) else None
        return value if isinstance(value, int) and 0 < value < 10**6 else None

    def _time(self, own: Fields, key: str) -> datetime | None:
        """Return a time, in UTC where it has no zone; note one that does not exist."""
        text = self._text(own, key)
        if not text or text in ("null", "~"):
            return None
        if day := _DAY.fullmatch(text):
            text = f"{day[3]}-{day[1]:0>2}-{day[2]:0>2}"
        try:
            found = parse_datetime(text) or datetime.fromisoformat(text)
            return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
        except (ValueError, OverflowError):
            self.found.at(own[key], _("There is no such time: %(value)s.") % {"value": shown(own[key])})
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

    def _description(self, own: Fields, title: str) -> str:
        text = self._text(own, "description")
        if text and text not in self.archive.texts:
            self.plan_.notes.append(_("The description of %(title)s is too large.") % {"title": cut(title)})
        return self.archive.texts.get(text, "")[:LONGEST_TEXT]

    def _file(self, own: Fields, key: str) -> str:
        """Return the path of a file of the archive; a folder is packed as one."""
        path = self._text(own, key).rstrip("/")
        if not path or path in self.archive:
            return path
        if path not in self.archive.folders:
            note = _("%(key)s: %(path)s is not in the archive, or too large.")
            self.plan_.notes.append(note % {"key": key, "path": cut(path)})
            return ""
        return self.archive.folders[path]

    def _free(self, slug: str, taken: Iterable[str]) -> str:
        known, wanted = set(taken), slug
        number = 1
        while slug in known:
            number += 1
            slug = f"{wanted[:44]}-{number}"
        return slug


def _called(row: Any) -> str:
    return str(getattr(row, "title", "") or getattr(row, "name", ""))


def shown_value(node: Any) -> str:
    """Return the text of a scalar; "" of anything else."""
    return node.value.strip() if isinstance(node, yaml.ScalarNode) and computed(node) is not None else ""
