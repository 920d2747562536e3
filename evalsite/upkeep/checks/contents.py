"""Checks what the site keeps: files beside rows, gold that can be read, runs that wait, boards that are fresh."""

import hashlib
import secrets
from collections.abc import Mapping
from datetime import timedelta
from functools import reduce
from operator import or_

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection
from django.db.models import Count, Min, Q, QuerySet
from django.utils import timezone

import scoring as engine
from evalsite.base.moment import database_now
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.leaderboard.making.scheduling import stale_boards
from evalsite.submissions.models import Scoring
from evalsite.upkeep.findings import Finding, ok, warning, wrong
from evalsite.upkeep.stored import compare
from evalsite.upkeep.upgrading import untaken_options
from evalsite.upkeep.wording import counted, duration
from scoring.signature import version_of

LONG_WAIT = timedelta(minutes=5)
STALE = timedelta(minutes=2)
MANY_FAILED = 10  # in a day
NAMED = 20  # of a kind, in facts
State = Scoring.State


def storage() -> Finding:
    """Store, read and remove a file; should that be cut off, it is tidied away, as it has no row."""
    content = secrets.token_bytes(1024)
    try:
        name = default_storage.save(f"kept/doctor-{secrets.token_hex(8)}", ContentFile(content))
        try:
            with default_storage.open(name) as stream:
                read = stream.read()
        finally:
            default_storage.delete(name)
    except Exception as error:  # each storage has its own
        remedy = "See that the data folder (or STORAGE_URL) is there, belongs to the site's user, and has room."
        return wrong(f"Files cannot be stored and read again: {type(error).__name__}: {error}", remedy)
    if read != content:
        return wrong("A file came back other than it was stored.", "Do not trust this disk or store; restore a backup.")
    return ok("Files can be stored and read.")


def gold() -> Finding:
    """Check that the gold of open phases is there, with the very bytes that it was stored with."""
    problems, n_golds = [], 0
    for gold in Gold.objects.filter(phase__in=_open_phases()).select_related("phase__task", "scenario").iterator():
        n_golds += 1
        problems += _gold_problems(gold)
    if problems:
        remedy = "Restore its file from a backup (docs/backup.md), or upload the gold again as a new version."
        return wrong(f"Runs cannot be scored: {' '.join(problems[:NAMED])}", remedy, problems=problems[:NAMED])
    return ok(f"Gold of open phases is whole ({counted(n_golds, 'file')}).", files=n_golds)


def _open_phases() -> QuerySet[Phase]:
    now = database_now()
    return Phase.objects.filter(Q(closes=None) | Q(closes__gt=now), opens__lte=now)


def _gold_problems(gold: Gold) -> list[str]:
    try:
        with gold.file.open() as stream:
            digest = hashlib.sha256()
            for chunk in stream.chunks():
                digest.update(chunk)
    except FileNotFoundError:
        return [f"the file of {gold} is missing."]
    except Exception as error:  # each storage has its own
        return [f"the file of {gold} cannot be read: {error}."]
    return [] if digest.hexdigest() == gold.sha256 else [f"the file of {gold} is not what was stored."]


def engine_versions() -> Finding:
    """Check that boards of open phases rank by the installed engine."""
    newest = [Q(scenario__family=family.name, engine=version_of(family)) for family in engine.FAMILIES.values()]
    golds = Gold.objects.in_force().filter(phase__in=_open_phases()).exclude(reduce(or_, newest, Q(engine="")))
    others = dict(golds.order_by().values_list("engine").annotate(n=Count("pk")))
    if others:
        words = ", ".join(f"{counted(n, 'board')} by engine {version}" for version, n in sorted(others.items()))
        remedy = "Run manage.py rescore; where numbers differ, the organisers publish them on the page of the gold."
        return warning(f"In open phases rank {words}; this is {engine.__version__}.", remedy, versions=others)
    return ok(f"All boards of open phases rank by engine {engine.__version__}.", versions=others)


def families() -> Finding:
    """Check that the families of all scenarios are installed, take their options, and packages can be used."""
    refused = dict(engine.FAMILIES.refused)
    used = set(Scenario.objects.order_by().values_list("family", flat=True).distinct())
    missing = sorted(used - set(engine.FAMILIES))
    remedy = "Install the package in the site's environment, in a version that fits this engine, and restart."
    if missing:
        text = f"Scenarios need families that are not installed, or cannot be used: {', '.join(missing)}."
        return wrong(f"{text}{_why(refused)}", remedy, missing=missing, refused=refused)
    if untaken := [f"{named}: {error}" for named, error in untaken_options(connection)]:
        text = f"This engine does not take the options of scenarios: {'; '.join(untaken[:NAMED])}."
        return wrong(text, "Change these options, or run their tasks with the engine before.", untaken=untaken)
    if refused:
        return warning(f"Families of installed packages cannot be used.{_why(refused)}", remedy, refused=refused)
    packages = {name: str(family.package) for name, family in engine.FAMILIES.items() if family.package}
    brought = "".join(f"; {name} of {package}" for name, package in packages.items())
    return ok(f"{len(engine.FAMILIES) - len(packages)} families of the engine{brought}.", packages=packages)


def _why(refused: Mapping[str, str]) -> str:
    return "".join(f" {name}: {why}." for name, why in sorted(refused.items()))


def queue() -> Finding:
    """Check that runs that wait are being scored."""
    now = database_now()
    unfinished = Scoring.objects.filter(state__in=Scoring.UNFINISHED, awaits_judge=False).order_by()
    counts = dict(unfinished.values_list("state").annotate(n=Count("pk")))
    oldest = unfinished.filter(state=State.QUEUED).aggregate(oldest=Min("created"))["oldest"]
    waited = now - oldest if oldest else timedelta(0)
    facts = {"queued": 0, "running": 0, **counts, "oldest_seconds": round(waited.total_seconds())}
    abandoned = unfinished.filter(state=State.RUNNING, lease_ends__lt=now - LONG_WAIT).count()
    remedy = "See that workers and beat run, and what their logs say. Nothing is lost: it is scored once they do."
    if abandoned:
        text = f"{counted(abandoned, 'run')} held by dead workers, and not taken back."
        return wrong(text, remedy, abandoned=abandoned, **facts)
    words = f"{counted(facts['queued'], 'run')} waiting, {facts['running']} being scored"
    if waited > LONG_WAIT and not Scoring.objects.filter(finished__gt=now - LONG_WAIT).exists():
        text = f"{words}; the oldest has waited {duration(waited)}, and nothing has ended meanwhile."
        return wrong(text, remedy, **facts)
    failed = Scoring.objects.filter(state=State.FAILED, finished__gt=now - timedelta(days=1)).count()
    if failed >= MANY_FAILED:
        text = f"{words}; {counted(failed, 'run')} could not be scored in the last day."
        return warning(text, "Open them in the admin: each says why. Score them again there.", failed=failed, **facts)
    if waited > LONG_WAIT:
        text = f"{words}; the oldest has waited {duration(waited)}."
        return warning(text, "Start more workers if that lasts.", **facts)
    return ok(f"{words}.", failed=failed, **facts)


def boards() -> Finding:
    """Check that boards show all results."""
    names = [str(board) for board in stale_boards(STALE)]
    if names:
        text = f"{counted(len(names), 'board')} not made anew for more than {duration(STALE)}: {names[0]}"
        remedy = "See that workers and beat run, and what the log says of refresh_board."
        return wrong(f"{text}.", remedy, stale=names[:NAMED])
    return ok("All boards are fresh.")


def files() -> Finding:
    """Check that each row has its file, and each file its row."""
    comparison = compare()
    day_ago = timezone.now() - timedelta(days=1)
    n_lost, n_empty, n_without_row = len(comparison.lost), len(comparison.empty), len(comparison.without_row)
    n_young = sum(file.modified > day_ago for file in comparison.without_row)
    names = [*map(str, comparison.lost), *(f"empty: {file.name}" for file in comparison.empty)][:NAMED]
    facts = {"files": comparison.n_files, "rows": comparison.n_rows, "lost": n_lost, "empty": n_empty, "names": names}
    facts |= {"young": n_young, "without_row": n_without_row - n_young}
    if names:
        text = f"Of {counted(comparison.n_rows, 'row')} {n_lost} lack their file, and {n_empty} have an empty one"
        remedy = "Fetch them from a backup (docs/backup.md says how to restore single files)."
        return wrong(f"{text}: {'; '.join(names)}.", remedy, **facts)
    if facts["without_row"]:
        text = f"{counted(n_without_row - n_young, 'file')} without a row, older than a day."
        return warning(text, "manage.py tidy removes them; beat does so each day.", **facts)
    return ok(f"Each of {counted(comparison.n_rows, 'row')} has its file, and no old file is without a row.", **facts)
