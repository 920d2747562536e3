"""A field for a line that people read: a name, a title or a note, whoever has written it."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext

from evalsite.accounts.names import cleaned, has_piled_marks
from evalsite.base.fields import Plain, store_clean

LONGEST_GIVEN = 4  # times the length that a line may have: an accent can be a sign of its own


def require_few_marks(line: str) -> None:
    """Raise ValidationError for a letter with marks that would reach into other lines."""
    if has_piled_marks(line):
        raise ValidationError(gettext("Use at most three marks, such as accents, on one letter."))


class LineField(Plain, models.CharField):
    """Holds one line, `cleaned` whenever it is validated, stored or looked up, so that no door can forget it.

    It has no line breaks, so it can stand in a mail's subject; no control characters, which pictures and terminals
    cannot show; and nothing that turns the direction of what stands beside it.
    """

    default_validators = [require_few_marks]  # noqa: RUF012 - as Django has it

    def to_python(self, value: Any) -> Any:
        line = super().to_python(value)
        if not isinstance(line, str) or (line.isascii() and line.isprintable() and line == " ".join(line.split())):
            return line
        # A longer line is refused as too long: composing is quadratic in the number of marks on one letter.
        return line if len(line) > LONGEST_GIVEN * (self.max_length or 0) else cleaned(line)

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        return store_clean(self, model_instance)
