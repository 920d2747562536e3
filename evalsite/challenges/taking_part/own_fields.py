"""Fields of the organisers' own: questions to those who enter a task, and facts that teams tell of their runs."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import TextChoices
from django.utils.translation import gettext, gettext_lazy

from evalsite.challenges.taking_part.countries import countries
from evalsite.wording import quantity

MAX_FIELDS = 8  # fields of one form
LONGEST_QUESTION, LONGEST_ANSWER = 200, 1000  # characters
MOST_CHOICES = 50
LARGEST_NUMBER = 10**18  # and as far below zero


class Kind(TextChoices):
    TEXT = "text", gettext_lazy("text")
    CHOICE = "choice", gettext_lazy("one of several")
    YES_NO = "yes_no", gettext_lazy("yes or no")
    COUNTRY = "country", gettext_lazy("country")
    NUMBER = "number", gettext_lazy("number")


@dataclass(frozen=True)
class OwnField:
    key: str  # under which answers are stored, also after the text was changed
    text: str
    kind: str = Kind.TEXT
    choices: tuple[str, ...] = ()
    is_required: bool = False

    @property
    def title(self) -> str:
        """Return the text for readers: that of a number, which looks like a score, says whose word it is."""
        return gettext("%(field)s (self-reported)") % {"field": self.text} if self.kind == Kind.NUMBER else self.text

    def in_words(self, answer: Any) -> str:
        """Return a stored answer for people; "" if there is none."""
        if self.kind == Kind.YES_NO:
            return {True: gettext("yes"), False: gettext("no")}.get(answer, "")
        if self.kind == Kind.NUMBER and is_number(answer):
            return quantity(answer)
        text = "" if answer is None else str(answer)
        return countries().get(text, text) if self.kind == Kind.COUNTRY else text

    def for_programs(self, answer: Any) -> Any:
        """Return a stored answer for a table that programs read: a number as it is, others in words."""
        return answer if self.kind == Kind.NUMBER and is_number(answer) else self.in_words(answer)


def is_number(answer: Any) -> bool:
    """Return whether it is a number that such a field takes; an answer from before its kind was changed may be none."""
    is_real = isinstance(answer, int | float) and not isinstance(answer, bool)
    return is_real and abs(answer) <= LARGEST_NUMBER


def own_fields(rows: Iterable[Mapping[str, Any]]) -> list[OwnField]:
    """Return the fields of stored rows."""
    return [OwnField(**{**row, "choices": tuple(row["choices"])}) for row in rows]


def as_row(field: OwnField) -> dict[str, Any]:
    """Return the field as it is stored."""
    return asdict(field) | {"choices": list(field.choices)}
