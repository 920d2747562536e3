"""Makes a task of a bundle: all files first, then all rows in one transaction, or nothing."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from django.core.exceptions import ValidationError
from django.core.files import File
from django.core.files.base import ContentFile
from django.db import transaction
from django.db.models.fields.files import FieldFile
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext as _

import scoring
from evalsite.accounts.models import User
from evalsite.background.services import ReportProgress
from evalsite.base.after_commit import after_commit
from evalsite.base.validation import require_valid
from evalsite.challenges.gold.remarks import AND_MORE
from evalsite.challenges.gold.services import store_waiting, unlike
from evalsite.challenges.models import Announcement, Gold, Phase, Picture, Scenario, Task, record
from evalsite.challenges.storage.durable import removed_on_error, share
from evalsite.challenges.texts.pictures import as_it_is
from evalsite.contrib.bundles.format import fields_of
from evalsite.contrib.bundles.parsing import cut
from evalsite.contrib.bundles.problems import BundleProblems
from evalsite.contrib.bundles.rows import Plan
from evalsite.contrib.bundles.unpacked import Unpacked, score_gold
from evalsite.desk.making.drafts import draft
from evalsite.jobs.sandbox import Limits
from evalsite.leaderboard.combined.formulas import problem_of
from evalsite.leaderboard.models import Combined
from evalsite.leaderboard.tasks import enqueue_combined
from evalsite.submissions.checking import limits
from evalsite.submissions.lifecycle.enqueueing import enqueue
from evalsite.submissions.models import Submission
from evalsite.submissions.receiving.admission import RunDetails, submit_for_house
from evalsite.submissions.receiving.rooms import NoRoom, require_room_in_drafts, require_room_on_disk
from evalsite.submissions.uploads import Upload
from evalsite.translating.engine import from_engine
from evalsite.wording import size

MOST_SECONDS = 600  # by the clock, for the gold of one bundle


@dataclass(frozen=True)
class Imported:
    task: Task
    notes: list[str] = field(default_factory=list)  # what is otherwise than the bundle says


def store(
    archive: Unpacked, plan: Plan, *, by: User, report: ReportProgress, stored: Callable[[Imported], None]
) -> Imported:
    """Return a draft that belongs to `by`; raise BundleError, or TitleTaken, and leave nothing behind.

    Files are stored before the transaction begins, so that nobody who waits for its locks waits for them too. `stored`
    is called at the end of the transaction.
    """
    problems = BundleProblems(archive.settings)
    _require_room(plan, archive, problems, by)
    shared: dict[str, FieldFile] = {}  # the first file of each content
    with ExitStack() as stack:
        _check_golds(plan, archive, problems, report)
        problems.raise_if_any()
        for gold in plan.golds:
            with _told_at(plan.places.get(gold.pk), problems):
                require_valid(gold)
        for row in (*plan.pictures, *plan.downloads, *plan.golds):
            with _told_at(plan.places.get(row.pk), problems):
                _store_file(row, plan.files[row.pk], archive, stack, shared)
        problems.raise_if_any()
        with transaction.atomic():
            task = _store_rows(plan, by)
            _check_combined(plan, problems)
            for run, scenarios in plan.runs:
                _store_run(run, scenarios, archive.upload(plan.files[run.pk]), stack, by, shared)
            task.refresh_from_db()  # with the house team
            imported = Imported(task, _notes(plan, task))
            for gold in plan.waiting:
                _store_waiting(plan, gold, archive, by)
            for combined in plan.combined:
                after_commit(enqueue_combined, combined.phase_id)
            stored(imported)
    return imported


def _store_waiting(plan: Plan, gold: Gold, archive: Unpacked, by: User) -> None:
    named = archive.upload(plan.files[gold.pk]).named
    store_waiting(gold.phase, [gold.scenario], named, remarks=[], by=by, problems=plan.refused[gold.pk])


def _notes(plan: Plan, task: Task) -> list[str]:
    """Say what is otherwise than the bundle says, each once."""
    notes = [*dict.fromkeys(plan.notes)]
    if task.slug == plan.task.slug:
        return notes
    note = _("Its address is %(slug)s, as another task has the address %(wanted)s.")
    return [note % {"slug": task.slug, "wanted": plan.task.slug}, *notes]


@contextmanager
def _told_at(place: Any, problems: BundleProblems) -> Iterator[None]:
    """Note what is wrong with a file at the line of the settings that names it."""
    try:
        yield
    except (scoring.GoldError, scoring.ConfigurationError) as error:
        for problem in (getattr(error, "problems", None) or [error])[:_TOLD]:
            problems.at(place, from_engine(problem))
    except ValidationError as error:
        for message in error.messages:
            problems.at(place, message)


_TOLD = 5  # problems of one gold


def _check_golds(plan: Plan, archive: Unpacked, problems: BundleProblems, report: ReportProgress) -> None:
    """Score each gold against itself, as any gold is; one that is in force no more may fit no more.

    What other sites have as gold, and what so has no place in the settings, waits on the desk if it is none here; the
    first of a scenario may change its options.
    """
    done: dict[tuple[str, Any], tuple[str, list[str], dict[str, Any] | None]] = {}  # as versions share files
    in_force = _in_force(plan.golds)
    read: set[Any] = set()  # scenarios that have gold
    clock = _Clock()
    for number, gold in enumerate(plan.golds):
        report(number, len(plan.golds))
        path = plan.files[gold.pk]
        upload = archive.upload(path)
        gold.sha256 = upload.sha256
        key = path, gold.scenario.pk
        try:
            if key not in done:
                may_guess = gold.pk not in plan.places and gold.scenario.pk not in read
                before, how = dict(gold.scenario.options), {"is_input": gold.is_input, "may_guess": may_guess}
                done[key] = score_gold(upload, gold.scenario, clock.limits(), **how)
                _note_guesses(plan, gold.scenario, before)
            read.add(gold.scenario.pk)
            gold.digest, units, gold.size = done[key]
            if gold.split is None:
                gold.n_units = len(units)
            elif units != gold.split.names:
                problems.at(plan.places[gold.pk], unlike(gold.split, units))
        except (scoring.GoldError, scoring.ConfigurationError) as error:
            if gold.pk not in plan.places:
                note = _(
                    "The data of %(phase)s is no gold for “%(scenario)s” as it is, and waits on the page Gold: "
                    "%(problem)s"
                )
                problem = _first(from_engine(error).splitlines())[:500]
                about = {"phase": gold.phase.name, "scenario": gold.scenario.name, "problem": problem}
                plan.notes.append(note % about)
                plan.refused[gold.pk] = _stored_problems(error)
            elif gold.pk in in_force or gold.is_candidate or gold.n_units is None:
                with _told_at(plan.places[gold.pk], problems):
                    raise error
    plan.waiting = [gold for gold in plan.golds if gold.pk in plan.refused]
    plan.golds = [gold for gold in plan.golds if gold.pk not in plan.refused]


def _note_guesses(plan: Plan, scenario: Scenario, before: dict[str, Any]) -> None:
    """Say which options the scenario has got so that its gold is read."""
    changed = {key: value for key, value in scenario.options.items() if before.get(key) != value}
    if changed:
        texts = [f"{key} = {', '.join(value) if isinstance(value, list) else value}" for key, value in changed.items()]
        note = _("“%(scenario)s” got options by which its gold is read: %(options)s.")
        plan.notes.append(note % {"scenario": scenario.name, "options": cut("; ".join(texts))})


def _first(problems: Sequence[str]) -> str:
    """Return the first problem, and how many there are beside it."""
    more = len(problems) - 1
    return " ".join((*problems[:1], *([gettext(AND_MORE) % {"n": more}] if more > 0 else [])))


def _stored_problems(error: scoring.GoldError | scoring.ConfigurationError) -> list[str]:
    problems = getattr(error, "problems", None)
    return [problem.placed for problem in problems[:_TOLD]] if problems else [str(error)]


class _Clock:
    """The time that all golds of a bundle may take together, in which a worker does nothing else."""

    def __init__(self) -> None:
        self._ends = time.monotonic() + MOST_SECONDS

    def limits(self) -> Limits:
        """Return the limits of the next child, which may take twice its seconds by the clock."""
        left = (self._ends - time.monotonic()) / 2
        if left < 1:
            minutes = MOST_SECONDS // 60
            problem = _("Scoring all gold of a bundle may take %(n)s minutes, which are over.")
            raise scoring.GoldError(problem % {"n": minutes})
        whole = limits.of_scoring()
        return replace(whole, seconds=min(whole.seconds, left))


def _in_force(golds: list[Gold]) -> set[Any]:
    newest: dict[tuple[Any, Any], Gold] = {}
    for gold in sorted(golds, key=lambda gold: gold.version):
        if gold.state == Gold.State.PUBLISHED:
            newest[gold.phase_id, gold.scenario_id] = gold
    return {gold.pk for gold in newest.values()}


def _require_room(plan: Plan, archive: Unpacked, problems: BundleProblems, by: User) -> None:
    """Raise BundleError where the files of all rows have more bytes than there may be; each row has one of its own.

    The bound is that of all members, since a member that is named a thousand times is a bomb, too.
    """
    n_bytes = 0
    rows = (*plan.pictures, *plan.downloads, *plan.golds, *(run for run, _scenarios in plan.runs))
    for row in rows:
        n_bytes += archive.size(plan.files[row.pk])
        if n_bytes > archive.most_stored:
            problem = _(
                "The files that the settings name are larger than %(most)s in total, counted as often as they "
                "are named."
            )
            problems.at(plan.places.get(row.pk), problem % {"most": size(archive.most_stored)})
            problems.raise_if_any()
    try:
        require_room_on_disk(n_bytes)
        require_room_in_drafts(by, n_bytes)
    except NoRoom as error:
        problems.at(None, str(error))
        problems.raise_if_any()


def _store_file(row: Any, path: str, archive: Unpacked, stack: ExitStack, shared: dict[str, FieldFile]) -> None:
    stack.enter_context(removed_on_error(row.file))
    upload = archive.upload(path)
    if isinstance(row, Picture):
        row.file.save(row.name, as_it_is(ContentFile(archive.content(path), row.name)), save=False)
    else:
        with upload.path.open("rb") as stream:
            row.file.save(upload.name, File(stream, upload.name), save=False)
    share(row.file, shared.setdefault(upload.sha256, row.file))


def _store_rows(plan: Plan, by: User) -> Task:
    values = {field.name: getattr(plan.task, field.name) for field in fields_of(Task)}
    task = draft(values.pop("title"), by=by, **values)
    record(task, "task created", actor=by, subject=task.pk, bundle=plan.task.slug)
    before = (*plan.pages, *plan.pictures, *plan.settings, *plan.scenarios)
    for owned in (*before, *plan.phases, *plan.downloads, *plan.announcements):
        owned.task = task
    for row in before:
        row.save(force_insert=True)
    # Past `save`, which would count a closing as moved and choose which run counts by what is seen now.
    Phase.objects.bulk_create(plan.phases)
    for later in (*plan.downloads, *plan.combined):
        later.save(force_insert=True)
    for news in plan.announcements:
        times = {"created": news.created, "changed": news.changed}
        news.save(force_insert=True)  # which dates it now
        Announcement.objects.filter(pk=news.pk).update(**{name: time for name, time in times.items() if time})
    for gold in plan.golds:
        is_published = gold.state == Gold.State.PUBLISHED
        gold.created_by, gold.published_by = by, by if is_published else None
        if gold.split and gold.split._state.adding:
            gold.split.by = by
            gold.split.save(force_insert=True)
        if is_published and gold.published is None:
            gold.published = timezone.now()
        gold.save(force_insert=True)
        record(task, "gold added", actor=by, subject=gold.pk, version=gold.version, scenario=gold.scenario.number)
    return task


def _check_combined(plan: Plan, problems: BundleProblems) -> None:
    for combined in plan.combined:
        is_formula = combined.kind == Combined.Kind.FORMULA
        if is_formula and (problem := problem_of(combined.phase, combined.formula)):
            problems.at(plan.places[combined.phase_id], problem)
    problems.raise_if_any()


def _store_run(
    run: Submission,
    scenarios: list[Scenario],
    upload: Upload,
    stack: ExitStack,
    by: User,
    shared: dict[str, FieldFile],
) -> None:
    details = RunDetails(run.method, run.description, run.link)
    made = submit_for_house(run.phase, run.reference, by, upload, scenarios, details, arrived=run.created)
    stack.enter_context(removed_on_error(made.file, is_stored=True))
    share(made.file, shared.setdefault(upload.sha256, made.file))
    columns = ("method", "affiliation", "code", "is_contrastive", "shows_description", "facts")
    Submission.objects.filter(pk=made.pk).update(**{name: getattr(run, name) for name in columns})
    after_commit(enqueue, made.queued)
