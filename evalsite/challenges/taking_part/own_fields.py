"""Fields of the organisers' own: questions to those who enter a task, and facts that teams tell of their runs."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import TextChoices
from django.utils.translation import gettext, gettext_lazy

from evalsite.challenges.taking_part.countries import countries

MOST = 8  # fields of one form
LONGEST_QUESTION, LONGEST_ANSWER = 200, 1000  # characters
MOST_CHOICES = 50


class Kind(TextChoices):
    TEXT = "text", gettext_lazy("text")
    CHOICE = "choice", gettext_lazy("one of several")
    YES_NO = "yes_no", gettext_lazy("yes or no")
    COUNTRY = "country", gettext_lazy("country")


@dataclass(frozen=True)
class OwnField:
    key: str  # under which answers are stored, also after the text was changed
    text: str
    kind: str = Kind.TEXT
    choices: tuple[str, ...] = ()
    is_required: bool = False

    def in_words(self, answer: Any) -> str:
        """Return a stored answer for people; "" if there is none."""
        if self.kind == Kind.YES_NO:
            return {True: gettext("yes"), False: gettext("no")}.get(answer, "")
        text = "" if answer is None else str(answer)
        return countries().get(text, text) if self.kind == Kind.COUNTRY else text


def own_fields(rows: Iterable[Mapping[str, Any]]) -> list[OwnField]:
    """Return the fields of stored rows."""
    return [OwnField(**{**row, "choices": tuple(row["choices"])}) for row in rows]


def as_row(field: OwnField) -> dict[str, Any]:
    """Return the field as it is stored."""
    return asdict(field) | {"choices": list(field.choices)}
