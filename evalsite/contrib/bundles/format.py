"""The format of a bundle, docs/bundle.md: which fields of which rows it has, and where their texts and files lie."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.db import models

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
from evalsite.challenges.models.base import Versioned
from evalsite.desk.making.cloning import NOTED_BY_THE_SITE
from evalsite.leaderboard.models import Combined
from evalsite.submissions.models import Submission

VERSION = 1
# Fields that a bundle leaves out; it has all others under their own names, also those that are new.
_SAID_OTHERWISE = {"id", "task", "phase", "scenario", "decided_by"}  # rows stand inside others, or name them
_OF_WHO_IMPORTS = {"created_by", "by", "published_by", "uploader", "team"}
_OF_THE_FILE = {"file_name", "sha256", "digest", "size"}
LEFT_OUT: Mapping[type[models.Model], set[str]] = {
    Task: {"created"},
    Page: {"position"},  # their order says it
    Announcement: set(),
    Picture: {"created"},
    EntryRules: set(),
    FactSheet: set(),
    Scenario: set(),
    Phase: {"created"},
    Combined: set(),
    Gold: {"created"},
    GoldSplit: {"created"},
    Download: set(),
    Submission: {  # they happen to runs of teams alone, or to those that no bundle has
        *("is_late", "is_reported", "is_sample", "allowance", "is_beyond_limit", "mends"),
        *("withdrawn", "withdrawn_by", "withdrawn_as", "withdrawn_reason"),
    },
}


def _fields(model: type[models.Model]) -> tuple[str, ...]:
    left = _SAID_OTHERWISE | _OF_WHO_IMPORTS | _OF_THE_FILE | LEFT_OUT[model] | NOTED_BY_THE_SITE.get(model, set())
    if issubclass(model, Versioned):
        left |= {"version"}  # how often the row was saved
    return tuple(field.name for field in model._meta.concrete_fields if field.name not in left)


FIELDS: Mapping[type[models.Model], tuple[str, ...]] = {model: _fields(model) for model in LEFT_OUT}
COMPUTED = {"n_units"}  # of the gold, which an import reads anew: the value serves gold that fits its options no more
TEXTS = {"listed": ".txt"}  # suffixes of texts that are no Markdown


def fields_of(model: type[models.Model]) -> Iterator[Any]:
    """Yield the fields that a bundle has of such rows, in their order."""
    for name in FIELDS[model]:
        yield model._meta.get_field(name)


def is_in_a_file(model: type[models.Model], field: Any) -> bool:
    """Return whether the field's value is a text in a file of its own, which the settings name."""
    return isinstance(field, models.TextField) and model is not Submission


def default_of(field: Any) -> Any:
    """Return what the field has where the settings say nothing; None where they have to."""
    if field.name in ("available_from", "created", "changed"):  # now, where it was not said
        return None
    return field.get_default()
