"""The words of a task that is made from an example, by which what is still the example's is known."""

from collections.abc import Iterable, Iterator

from django.conf import settings
from django.utils.translation import gettext, override

from evalsite.challenges.gold.versions import Golds
from evalsite.challenges.models import Task


def title_of(what: str) -> str:
    return gettext("%(what)s: an example") % {"what": what}


def description_of(about: str) -> str:
    made_up = gettext("This task is an example with made-up data. %(about)s") % {"about": about}
    return f"{made_up}\n\n{to_replace()}"


def to_replace() -> str:
    return gettext(
        "Replace the title, these words, the input and the gold by your own: the pages of the desk say what each is "
        "for. Nobody but its organisers sees the task before it is published."
    )


def note_of_gold() -> str:
    return gettext("An example, made up.")


def unchanged_parts(task: Task, golds: Iterable[Golds]) -> set[str]:
    """Return which of "title", "description" and "gold" are still those of an example, in whatever language."""
    notes = {each.in_force.note for each in golds if each.in_force}
    found: set[str] = set()
    for code, _name in settings.LANGUAGES:
        with override(code):
            found.update(_unchanged(task, notes))
    return found


def _unchanged(task: Task, notes: set[str]) -> Iterator[str]:
    """Yield the parts that are the example's in the active language."""
    if task.title.endswith(title_of("")):
        yield "title"
    if to_replace() in task.description.replace("\r\n", "\n"):
        yield "description"
    if note_of_gold() in notes:
        yield "gold"
