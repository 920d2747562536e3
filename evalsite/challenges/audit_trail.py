"""The audit trail of a task or a team: changes with their lines in it, and lines in words."""

import json
import re
from collections.abc import Iterable, Iterator
from os.path import commonprefix
from typing import Any

from django.db import transaction
from django.db.models import Manager, Model, QuerySet
from django.db.models.fields.files import FieldFile
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, pgettext, pgettext_lazy

from evalsite.accounts.models import User
from evalsite.base import contrib
from evalsite.challenges.models import Event, Organiser, Phase, Task, record

SHOWN = 90  # characters of a value


def details(event: Event) -> Iterator[tuple[str, str]]:
    """Yield the name and the value, or the values before and after, of everything that an event says."""
    for name, value in event.detail.items():
        if isinstance(value, dict):
            yield from changes(event, value)
        elif name == "is_public":  # a mark of the reason, which the public list of decisions shows
            continue
        elif value not in (None, "", [], {}):
            yield detail_in_words(name), _value_in_words(name, value)


def changes(event: Event, fields: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield name and values of those of the fields that the event has changed."""
    changed = event.detail.get("changed", {})
    yield from ((detail_in_words(name), _before_and_after(name, changed[name])) for name in fields if name in changed)


def _value_in_words(name: str, value: Any) -> str:
    if name == "sha256":
        return str(value)[:12]
    if name == "role" and value in Organiser.Role:
        return str(Organiser.Role(value).label)
    if name == "counts" and value in Phase.Counts:
        return str(Phase.Counts(value).label)
    return str(value)


def _before_and_after(name: str, value: Any) -> str:
    """Return both values, of long texts the part that differs; early events have the new value alone."""
    if not isinstance(value, list):
        return f"= {value}"
    values = [_value_in_words(name, each) for each in value]
    shared = len(commonprefix(values))
    start = shared - SHOWN // 3 if max(map(len, values)) > SHOWN else 0
    old, new = (_excerpt(text, start) for text in values)
    return gettext("from %(old)s to %(new)s") % {"old": old, "new": new}


def _excerpt(text: str, start: int) -> str:
    start, text = max(0, start), _in_utc(text)
    cut = f"{'…' * (start > 0)}{text[start : start + SHOWN]}{'…' * (len(text) > start + SHOWN)}"
    return gettext("“%(text)s”") % {"text": cut} if text else pgettext("a value", "nothing")


def _in_utc(text: str) -> str:
    """Return a stored time as people write it."""
    return re.sub(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\+00:00$", r"\1 UTC", text)


def event_in_words(kind: str) -> str:
    """Return the kind of an event, which is stored in English, in the visitor's language."""
    return str(event_words().get(kind, kind))


def event_words() -> dict[str, Promise]:
    """Return the words for each kind of event, those of apps of contrib among them."""
    return _EVENTS | contrib.event_words()


# By the kinds that are stored.
_EVENTS: dict[str, Promise] = {
    "task created": gettext_lazy("task created"),
    "task changed": gettext_lazy("task changed"),
    "task exported": gettext_lazy("task exported as a bundle"),
    "scenario added": gettext_lazy("scenario added"),
    "scenario changed": gettext_lazy("scenario changed"),
    "scenario deleted": gettext_lazy("scenario deleted"),
    "combined score changed": gettext_lazy("combined score changed"),
    "combined score removed": gettext_lazy("combined score removed"),
    "phase added": gettext_lazy("phase added"),
    "phase changed": gettext_lazy("phase changed"),
    "rows imported": gettext_lazy("rows of another board imported, not verified"),
    "row computed": gettext_lazy("what one annotator scores put below the board"),
    "imported rows removed": gettext_lazy("imported rows removed"),
    "task deleted": gettext_lazy("task deleted"),
    "phase deleted": gettext_lazy("phase deleted"),
    "download added": gettext_lazy("download added"),
    "download changed": gettext_lazy("download changed"),
    "download deleted": gettext_lazy("download deleted"),
    "page added": gettext_lazy("page added"),
    "page changed": gettext_lazy("page changed"),
    "page moved": gettext_lazy("page moved"),
    "page deleted": gettext_lazy("page deleted"),
    "announcement added": gettext_lazy("announcement added"),
    "announcement changed": gettext_lazy("announcement changed"),
    "announcement deleted": gettext_lazy("announcement deleted"),
    "picture added": gettext_lazy("picture added"),
    "picture deleted": gettext_lazy("picture deleted"),
    "archive made": gettext_lazy("archive made"),
    "static pages made": gettext_lazy("static pages made"),
    "gold added": gettext_lazy("gold added"),
    "gold adopted": gettext_lazy("gold adopted"),
    "gold published": gettext_lazy("gold published"),
    "gold discarded": gettext_lazy("gold discarded"),
    "gold split": gettext_lazy("gold split into parts"),
    "gold joined": gettext_lazy("parts of gold put together"),
    "engine published": gettext_lazy("engine published"),
    "gold deleted": gettext_lazy("gold deleted"),
    "entryrules changed": gettext_lazy("rules of entering changed"),
    "entry link renewed": gettext_lazy("link of entering renewed"),
    "entry waiting": gettext_lazy("team has asked to enter"),
    "entry accepted": gettext_lazy("team has entered"),
    "entry declined": gettext_lazy("team declined"),
    "terms agreed to": gettext_lazy("terms agreed to"),
    "factsheet changed": gettext_lazy("fact sheet changed"),
    "run described": gettext_lazy("fact sheet of a run changed"),
    "scores posted": gettext_lazy("scores posted by a judge"),
    "scores replaced": gettext_lazy("scores of a judge replaced"),
    "submitted": pgettext_lazy("event", "submitted"),
    "queued again": pgettext_lazy("event", "queued again"),
    "cancelled": pgettext_lazy("event", "cancelled"),
    "withdrawn": pgettext_lazy("event", "withdrawn"),
    "restored": pgettext_lazy("event", "restored"),
    "reference set": pgettext_lazy("event", "reference set"),
    "method renamed": pgettext_lazy("event", "method renamed"),
    "marked as late": pgettext_lazy("event", "marked as late"),
    "marked as in time": pgettext_lazy("event", "marked as in time"),
    "run chosen": pgettext_lazy("event", "run chosen"),
    "uploads allowed": pgettext_lazy("event", "uploads allowed"),
    "allowance ended": pgettext_lazy("event", "allowance ended"),
    "runs brought along": pgettext_lazy("event", "runs brought along"),
    "letter sent": gettext_lazy("letter sent"),
    "teams merged": gettext_lazy("teams merged"),
    "team banned": gettext_lazy("team banned"),
    "team brought back": gettext_lazy("team brought back"),
    "team made": gettext_lazy("team made"),
    "team changed": gettext_lazy("team changed"),
    "team renamed": gettext_lazy("team renamed"),
    "team handed over": gettext_lazy("team handed over"),
    "invitation renewed": gettext_lazy("invitation renewed"),
    "member joined": gettext_lazy("member joined"),
    "member left": gettext_lazy("member left"),
    "member removed": gettext_lazy("member removed"),
    "organiser invited": gettext_lazy("organiser invited"),
    "organiser joined": gettext_lazy("organiser joined"),
    "organiser left": gettext_lazy("organiser left"),
    "organiser removed": gettext_lazy("organiser removed"),
    "organiser's role changed": gettext_lazy("organiser's role changed"),
    "invitation of an organiser cancelled": gettext_lazy("invitation of an organiser cancelled"),
}


def detail_in_words(name: str) -> str:
    """Return the name of a detail of an event, such as a field that was changed, in the visitor's language."""
    return str(_DETAILS.get(name, name))


_DETAILS: dict[str, Promise] = {
    "bundle": pgettext_lazy("detail of an event", "of the bundle of"),
    "title": pgettext_lazy("detail of an event", "title"),
    "slug": pgettext_lazy("detail of an event", "address"),
    "summary": pgettext_lazy("detail of an event", "summary"),
    "description": pgettext_lazy("detail of an event", "description"),
    "language": pgettext_lazy("detail of an event", "language"),
    "data_language": pgettext_lazy("detail of an event", "languages of the data"),
    "contact": pgettext_lazy("detail of an event", "contact"),
    "doi": pgettext_lazy("detail of an event", "DOI"),
    "organisers": pgettext_lazy("detail of an event", "organisers"),
    "is_published": pgettext_lazy("detail of an event", "published"),
    "number": pgettext_lazy("detail of an event", "number"),
    "name": pgettext_lazy("detail of an event", "name"),
    "family": pgettext_lazy("detail of an event", "family"),
    "options": pgettext_lazy("detail of an event", "options"),
    "shown_scores": pgettext_lazy("detail of an event", "shown scores"),
    "digits": pgettext_lazy("detail of an event", "digits"),
    "is_judged": pgettext_lazy("detail of an event", "judged elsewhere"),
    "judge": pgettext_lazy("detail of an event", "judge"),
    "before": pgettext_lazy("detail of an event", "before"),
    "judge_days": pgettext_lazy("detail of an event", "days until a run without scores is reported"),
    "takes_reports": pgettext_lazy("detail of an event", "participants report scores of their own"),
    "opens": pgettext_lazy("detail of an event", "opens"),
    "closes": pgettext_lazy("detail of an event", "closes"),
    "late_until": pgettext_lazy("detail of an event", "late until"),
    "ranks_late": pgettext_lazy("detail of an event", "late runs are ranked"),
    "counts": pgettext_lazy("detail of an event", "what counts"),
    "decided_by": pgettext_lazy("detail of an event", "what decides the task"),
    "uploads": pgettext_lazy("detail of an event", "uploads"),
    "beyond_limit": pgettext_lazy("detail of an event", "beyond the limits"),
    "until": pgettext_lazy("detail of an event", "until"),
    "team": pgettext_lazy("detail of an event", "team"),
    "phase": pgettext_lazy("detail of an event", "phase"),
    "window": pgettext_lazy("detail of an event", "while"),
    "window_limit": pgettext_lazy("detail of an event", "uploads in a while"),
    "year_limit": pgettext_lazy("detail of an event", "uploads in a year"),
    "year": pgettext_lazy("detail of an event", "kind of year"),
    "total_limit": pgettext_lazy("detail of an event", "uploads in all"),
    "upload_megabytes": pgettext_lazy("detail of an event", "megabytes of an upload"),
    "members_only": pgettext_lazy("detail of an event", "members only"),
    "way": pgettext_lazy("detail of an event", "who may enter"),
    "listed": pgettext_lazy("detail of an event", "addresses and domains"),
    "terms": pgettext_lazy("detail of an event", "terms"),
    "questions": pgettext_lazy("detail of an event", "questions"),
    "board_audience": pgettext_lazy("detail of an event", "who sees the board"),
    "is_anonymous": pgettext_lazy("detail of an event", "without names"),
    "shows_scores": pgettext_lazy("detail of an event", "teams see their scores"),
    "is_former_season": pgettext_lazy("detail of an event", "former season"),
    "is_ladder": pgettext_lazy("detail of an event", "Ladder"),
    "detail": pgettext_lazy("detail of an event", "what teams are told while the gold is hidden"),
    "gold_released": pgettext_lazy("detail of an event", "gold released"),
    "gold_due": pgettext_lazy("detail of an event", "gold is released at"),
    "results_released": pgettext_lazy("detail of an event", "results released"),
    "is_paused": pgettext_lazy("detail of an event", "paused"),
    "pause_reason": pgettext_lazy("detail of an event", "reason of the pause"),
    "publish_at": pgettext_lazy("detail of an event", "published from"),
    "archived": pgettext_lazy("detail of an event", "archived"),
    "members_frozen": pgettext_lazy("detail of an event", "members frozen from"),
    "is_class": pgettext_lazy("detail of an event", "a class"),
    "new": pgettext_lazy("detail of an event", "new"),
    "corrected": pgettext_lazy("detail of an event", "corrected"),
    "zone": pgettext_lazy("detail of an event", "time zone"),
    "text": pgettext_lazy("detail of an event", "text"),
    "file": pgettext_lazy("detail of an event", "file"),
    "available_from": pgettext_lazy("detail of an event", "offered from"),
    "affiliation": pgettext_lazy("detail of an event", "affiliation"),
    "version": pgettext_lazy("detail of an event", "version"),
    "fault": pgettext_lazy("detail of an event", "fault"),
    "scorings": pgettext_lazy("detail of an event", "scorings"),
    "scenario": pgettext_lazy("detail of an event", "scenario"),
    "changed": pgettext_lazy("detail of an event", "changed"),
    "member": pgettext_lazy("detail of an event", "member"),
    "person": pgettext_lazy("detail of an event", "person"),
    "address": pgettext_lazy("detail of an event", "address"),
    "role": pgettext_lazy("detail of an event", "role"),
    "reference": pgettext_lazy("detail of an event", "reference"),
    "method": pgettext_lazy("detail of an event", "method"),
    "side": pgettext_lazy("detail of an event", "side"),
    "runs": pgettext_lazy("detail of an event", "runs"),
    "rows": pgettext_lazy("detail of an event", "rows"),
    "reason": pgettext_lazy("detail of an event", "reason"),
    "note": pgettext_lazy("detail of an event", "note"),
    "audience": pgettext_lazy("detail of an event", "to"),
    "readers": pgettext_lazy("detail of an event", "readers"),
    "sha256": pgettext_lazy("detail of an event", "fingerprint of the file"),
}


def as_text(value: Any) -> str:
    """Return a field's value, stored or sent, as one text that is the same for the same value."""
    if value is None or value == "" or value == [] or value == {}:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Manager):
        value = value.all()
    if isinstance(value, QuerySet) or (isinstance(value, list | tuple) and all(isinstance(v, Model) for v in value)):
        return ", ".join(sorted(getattr(each, "email", str(each)) for each in value))
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    if isinstance(value, FieldFile):
        return value.name or ""
    return "\n".join(str(value).splitlines()).strip()


def change(row: Task | Phase, values: dict[str, object], *, by: User | None) -> None:
    """Change a row and record it; when two people press the same button, the second changes and records nothing."""
    model = type(row)
    with transaction.atomic():
        stored = model._base_manager.select_for_update(of=("self",)).get(pk__in=[row.pk])
        pairs = {name: (as_text(getattr(stored, name)), as_text(value)) for name, value in values.items()}
        changed = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
        if not changed:
            return
        for name in changed:
            setattr(stored, name, values[name])
        stored.save(update_fields=list(changed))
        task = stored if isinstance(stored, Task) else stored.task
        kind = f"{model._meta.model_name} changed"
        record(task, kind, actor=by, subject=stored.pk, changes=changed, name=str(stored))
