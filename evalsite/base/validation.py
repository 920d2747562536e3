"""Validates rows that no form has made, by the rules of their models."""

from django.core.exceptions import ValidationError
from django.db import models


def require_valid(row: models.Model, *, without: frozenset[str] | set[str] = frozenset()) -> None:
    """Raise ValidationError, with a message for each field, unless the row keeps the rules of its model.

    Keys to other rows, which may not be stored yet, files, and what is unique are for the database; `without` are
    fields that were refused already. What the row computes when it is saved may be empty still.
    """
    skipped = {field.name for field in row._meta.concrete_fields if _is_for_later(row, field)}
    row.full_clean(exclude=skipped | without, validate_unique=False, validate_constraints=False)


def _is_for_later(row: models.Model, field: models.Field) -> bool:
    if field.is_relation or isinstance(field, models.FileField):
        return True
    return not field.editable and getattr(row, field.attname) in field.empty_values


def messages_of(error: ValidationError) -> list[tuple[str, str]]:
    """Return the field, "" for the row as a whole, and the message of each problem."""
    if not hasattr(error, "error_dict"):
        return [("", message) for message in error.messages]
    named = error.message_dict.items()
    return [(name if name != "__all__" else "", message) for name, messages in named for message in messages]
