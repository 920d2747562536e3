"""The audit trail of a task or a team: changes with their lines in it, and lines in words."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache
from os.path import commonprefix
from typing import Any

from django.apps import apps
from django.db import transaction
from django.db.models import Manager, Model, QuerySet
from django.db.models.fields.files import FieldFile
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, pgettext, pgettext_lazy

from evalsite.accounts.models import User
from evalsite.base import contrib
from evalsite.challenges.models import Event, Organiser, Phase, Task, record
from evalsite.wording import utc

SHOWN = 90  # characters of a value
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00:00", re.ASCII)


def details(event: Event, but: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield the name and the value, or the values before and after, of everything that an event says `but` this."""
    for name, value in event.detail.items():
        if isinstance(value, dict):
            yield from changes(event, value)
        elif name in but or name == "is_public":  # a mark of the reason, which the public list of decisions shows
            continue
        elif value not in (None, "", [], {}):
            yield detail_in_words(name), _value_in_words(name, value)


def changes(event: Event, fields: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield name and values of those of the fields that the event has changed."""
    changed = event.detail.get("changed", {})
    words = _verbose_names(event.kind.partition(" ")[0])
    for name in fields:
        if name in changed:
            yield str(words.get(name) or detail_in_words(name)), _before_and_after(name, changed[name])


@cache
def _verbose_names(model: str) -> Mapping[str, Promise | str]:
    """Return what the fields of a model are called, of which events such as "phase changed" tell; none of others."""
    changed = next((candidate for candidate in apps.get_models() if candidate._meta.model_name == model), None)
    return {field.name: field.verbose_name for field in changed._meta.fields} if changed else {}


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
    values = [_value_in_words(name, item) for item in value]
    shared = len(commonprefix(values))
    start = shared - SHOWN // 3 if max(map(len, values)) > SHOWN else 0
    old, new = (_excerpt(text, start) for text in values)
    return gettext("from %(old)s to %(new)s") % {"old": old, "new": new}


def _excerpt(text: str, start: int) -> str:
    start, text = max(0, start), _in_utc(text)
    cut = f"{'…' * (start > 0)}{text[start : start + SHOWN]}{'…' * (len(text) > start + SHOWN)}"
    return gettext("“%(text)s”") % {"text": cut} if text else pgettext("a value", "nothing")


def _in_utc(text: str) -> str:
    """Return a stored time as pages write it."""
    if not _TIME.fullmatch(text):
        return text
    try:
        return utc(datetime.fromisoformat(text).replace(microsecond=0))
    except ValueError:  # somebody typed it as a name
        return text


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
    "gold added": gettext_lazy("gold added"),
    "input added": gettext_lazy("input added, against which runs are collected"),
    "unscorable runs told": gettext_lazy("teams notified of runs that the gold cannot score"),
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
    "team unranked": gettext_lazy("team shown without a rank"),
    "team ranked": gettext_lazy("team ranked again"),
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
    """Return the name of a detail of an event in the visitor's language."""
    return str(_DETAILS.get(name, name))


# What events say beside the fields of a row.
_DETAILS: dict[str, Promise] = {
    "bundle": pgettext_lazy("detail of an event", "of the bundle of"),
    "title": pgettext_lazy("detail of an event", "title"),
    "slug": pgettext_lazy("detail of an event", "address"),
    "organisers": pgettext_lazy("detail of an event", "organisers"),
    "name": pgettext_lazy("detail of an event", "name"),
    "judge": pgettext_lazy("detail of an event", "judge"),
    "before": pgettext_lazy("detail of an event", "before"),
    "counts": pgettext_lazy("detail of an event", "what counts"),
    "uploads": pgettext_lazy("detail of an event", "uploads"),
    "beyond_limit": pgettext_lazy("detail of an event", "beyond the limits"),
    "until": pgettext_lazy("detail of an event", "until"),
    "team": pgettext_lazy("detail of an event", "team"),
    "phase": pgettext_lazy("detail of an event", "phase"),
    "new": pgettext_lazy("detail of an event", "new"),
    "corrected": pgettext_lazy("detail of an event", "corrected"),
    "text": pgettext_lazy("detail of an event", "text"),
    "file": pgettext_lazy("detail of an event", "file"),
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
        return ", ".join(sorted(getattr(item, "email", str(item)) for item in value))
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
