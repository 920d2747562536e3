"""The words of a task that is made from an example, by which what is still the example's is known."""

from collections.abc import Callable, Iterable, Iterator

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext, override

from evalsite.challenges.gold.versions import Golds
from evalsite.challenges.models import Download, Gold, Task
from evalsite.submissions.models import Submission


def title_of(what: str) -> str:
    return gettext("Example: %(what)s") % {"what": what}


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


def method_of_run() -> str:
    return gettext("Example")


def description_of_input() -> str:
    return gettext("What systems work on; made up.")


def in_all_languages(words: Callable[[], str]) -> set[str]:
    """Return the words as they were stored by organisers of whatever language."""
    texts = set()
    for code, _name in settings.LANGUAGES:
        with override(code):
            texts.add(words())
    return texts


def golds_of_example(task: Task) -> QuerySet[Gold]:
    return Gold.objects.filter(phase__task=task, note__in=in_all_languages(note_of_gold), split=None)


def runs_of_example(task: Task) -> QuerySet[Submission]:
    runs = Submission.objects.filter(phase__task=task, team=task.house_id, reference=Submission.Reference.BASELINE)
    return runs.filter(method__in=in_all_languages(method_of_run))


def inputs_of_example(task: Task) -> QuerySet[Download]:
    return task.downloads.filter(description__in=in_all_languages(description_of_input))


def unchanged_parts(task: Task, golds: Iterable[Golds]) -> Iterator[str]:
    """Yield which of "title", "description" and "gold" are still those of an example, in whatever language."""
    notes = {gold.in_force.note for gold in golds if gold.in_force}
    description = task.description.replace("\r\n", "\n")
    if any(task.title.startswith(beginning) for beginning in in_all_languages(lambda: title_of(""))):
        yield "title"
    if any(words in description for words in in_all_languages(to_replace)):
        yield "description"
    if notes & in_all_languages(note_of_gold):
        yield "gold"
