"""Fields that bound what a row can hold, whoever makes it: a form, a bundle, a clone or a command.

Their columns are those of Django's own fields, and so they are in migrations.
"""

import re
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, MaxValueValidator
from django.db import models
from django.utils.translation import gettext

FIRST_YEAR, LAST_YEAR = 1990, 2100  # calendars of pages, and days that are added, go beyond neither
SHORTEST_SPAN, LONGEST_SPAN = timedelta(minutes=15), timedelta(days=366)
MOST_UPLOADS = 1_000_000
LONGEST_TEXT = 50_000  # characters of Markdown, which is made into HTML at each view
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def require_usual_year(moment: datetime) -> None:
    """Raise ValidationError for a time in a year of which no task is."""
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        words = gettext("The year %(year)s is out of range: it can be from %(first)s to %(last)s.")
        raise ValidationError(words % {"year": moment.year, "first": FIRST_YEAR, "last": LAST_YEAR})


def require_usual_span(span: timedelta) -> None:
    """Raise ValidationError for a window of a limit that is shorter or longer than the desk offers."""
    if not SHORTEST_SPAN <= span <= LONGEST_SPAN:
        raise ValidationError(gettext("A window is from a quarter of an hour to 366 days."))


class Plain(models.Field):
    """Lets migrations know a field as the one of Django's that it is derived from."""

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        plain = next(kind for kind in type(self).__mro__ if kind.__module__.startswith("django.db.models"))
        return name, f"django.db.models.{plain.__name__}", args, kwargs


class MomentField(Plain, models.DateTimeField):
    """A time of these years."""

    default_validators = [require_usual_year]  # noqa: RUF012 - as Django has it


class SpanField(Plain, models.DurationField):
    """A window of a limit."""

    default_validators = [require_usual_span]  # noqa: RUF012 - as Django has it


class LimitField(Plain, models.PositiveIntegerField):
    """A number of uploads, the same most on each database."""

    default_validators = [MaxValueValidator(MOST_UPLOADS)]  # noqa: RUF012 - as Django has it


class CountField(Plain, models.PositiveIntegerField):
    """A number that every database can hold; SQLite alone would take larger ones."""

    default_validators = [MaxValueValidator(2**31 - 1)]  # noqa: RUF012 - as Django has it


class SmallCountField(Plain, models.PositiveSmallIntegerField):
    """A small number that every database can hold."""

    default_validators = [MaxValueValidator(2**15 - 1)]  # noqa: RUF012 - as Django has it


class MarkdownField(Plain, models.TextField):
    """A text of Markdown, without the control characters that no text needs."""

    default_validators = [MaxLengthValidator(LONGEST_TEXT)]  # noqa: RUF012 - as Django has it

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return _CONTROL.sub("", text) if isinstance(text, str) else text

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        return store_clean(self, model_instance)


def store_clean(field: models.Field, row: models.Model) -> Any:
    """Return the value that is stored, which the row in memory then has, too."""
    value = getattr(row, field.attname)
    if isinstance(value, str):
        value = field.to_python(value)
        setattr(row, field.attname, value)
    return value
