"""Lists what a task should have before people see it, with links to where it is done."""

from dataclasses import dataclass

from django.apps import apps
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from evalsite.challenges.models import Task
from evalsite.challenges.readiness import Readiness, readiness_of
from evalsite.challenges.wording import public_gold
from evalsite.desk.examples.words import unchanged_parts
from evalsite.desk.navigation import sections
from evalsite.wording import enumerated


@dataclass(frozen=True)
class Item:
    text: str
    is_done: bool
    is_needed: bool  # without it nobody could take part
    address: str
    is_of_example: bool = False  # whether it is there as an example has brought it


def checklist(task: Task, readiness: Readiness | None = None) -> list[Item]:
    """Return all items, in a number of queries that does not grow with the task."""
    readiness = readiness or readiness_of(task)
    scenario, phase, gold, download = (step.is_done for step in readiness.steps)
    golds = [golds for stage in readiness.stages for _scenario, golds in stage.golds if golds]
    unchanged = set() if task.is_public else set(unchanged_parts(task, golds))
    is_limited = not any(stage.lacks_limit for stage in readiness.stages if not stage.phase.gold_released)
    return [
        _item(task, gettext("A scenario (what systems do, how it is scored)"), scenario, True, "scenarios"),
        _item(task, gettext("A phase (when uploads are accepted)"), phase, True, "phases"),
        _item(task, _gold_in_words(readiness), gold, True, "gold", "gold" in unchanged),
        _item(task, gettext("A title"), True, False, "texts", "title" in unchanged),
        _item(
            task, gettext("A description"), bool(task.description.strip()), False, "texts", "description" in unchanged
        ),
        _item(task, gettext("An address for questions"), bool(task.contact), False, "texts"),
        _item(task, gettext("A file for participants, such as the texts to annotate"), download, False, "texts"),
        _item(task, gettext("A limit on uploads wherever the gold is hidden"), is_limited, False, "phases"),
        _item(task, gettext("A trial run (to test everything once)"), _is_tried(task), False, "runs"),
    ]


def _gold_in_words(readiness: Readiness) -> str:
    """Name the phases that lack gold, where others have some."""
    text = gettext("Gold for each phase and scenario")
    lacking = [stage.phase.name for stage in readiness.stages if not all(golds for _scenario, golds in stage.golds)]
    if not 0 < len(lacking) < len(readiness.stages):
        return text
    return gettext("%(text)s: none yet for %(phases)s") % {"text": text, "phases": enumerated(lacking)}


def _item(task: Task, text: str, is_done: bool, is_needed: bool, page: str, is_of_example: bool = False) -> Item:
    name = f"desk_{page}"
    is_section = any(section.name == name for section in sections())
    return Item(text, is_done, is_needed, reverse(name if is_section else "desk", args=[task.slug]), is_of_example)


def _is_tried(task: Task) -> bool:
    scorings = apps.get_model("submissions", "Scoring").objects
    return bool(scorings.filter(submission__phase__task=task, state="scored").exists())


def warnings(task: Task) -> list[str]:
    """Return what publishing would make public too early."""
    early = task.phases.filter(gold_released=True, opens__gt=timezone.now(), golds__isnull=False).distinct()
    return [public_gold(phase.name, phase.opens) for phase in early]
