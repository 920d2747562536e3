"""Makes a draft that began as an example one's own: its gold and runs go, or follow what the organisers change."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.dispatch import receiver
from django.utils.translation import gettext, ngettext

from evalsite.accounts.models import User
from evalsite.base.after_commit import after_commit, delete_after_commit
from evalsite.challenges.gold.checks import gold_that_does_not_fit
from evalsite.challenges.gold.services import delete_gold, gold_changed
from evalsite.challenges.models import Gold, Scenario, Task
from evalsite.challenges.soft_drafts import is_soft
from evalsite.desk.examples.words import golds_of_example, inputs_of_example, runs_of_example
from evalsite.submissions.lifecycle.enqueueing import enqueue
from evalsite.submissions.lifecycle.rescoring import score_anew
from evalsite.submissions.models import Scoring, Submission
from evalsite.submissions.runs.changing import delete_runs
from evalsite.wording import amount


def has_example(task: Task) -> bool:
    """Return whether the task is a draft in which gold or a run of the example is left."""
    return is_soft(task) and (golds_of_example(task).exists() or runs_of_example(task).exists())


def remove_example(task: Task, *, by: User | None) -> None:
    """Remove the made-up gold, runs and input of a draft; texts, phases and scenarios stay."""
    with transaction.atomic():
        delete_runs(runs_of_example(task))
        for gold in golds_of_example(task).select_related("phase__task", "scenario"):
            delete_gold_of_draft(gold, by=by)
        inputs = list(inputs_of_example(task))
        inputs_of_example(task).delete()
        delete_after_commit(download.file for download in inputs)


def runs_on_nothing_else(gold: Gold) -> QuerySet[Submission]:
    """Return the runs that go with a gold, as they were entered in no other scenario and scored on no other gold."""
    others = Scoring.objects.exclude(gold=gold).values("submission")
    return gold.phase.submissions.filter(scorings__gold=gold).exclude(pk__in=others)


def delete_gold_of_draft(gold: Gold, *, by: User | None) -> None:
    """Delete gold of a draft without teams, with what was scored on it."""
    with transaction.atomic():
        delete_runs(runs_on_nothing_else(gold))
        gold.judgements.all().delete()
        Scoring.objects.filter(gold=gold).delete()
        delete_gold(gold, by=by)


@receiver(gold_changed)
def replace_example(sender: Any, gold: Gold, by: Any, **kwargs: Any) -> None:
    """Let gold of the organisers' own take the place of the example's at once, and score their own runs on it."""
    task = gold.phase.task
    former = golds_of_example(task).filter(phase=gold.phase, scenario=gold.scenario).exclude(pk=gold.pk)
    if gold.state != Gold.State.PUBLISHED or not is_soft(task) or not former:
        return
    delete_runs(runs_of_example(task).filter(scorings__gold__in=former))
    Scoring.objects.filter(gold__in=former).update(gold=gold)
    after_commit(enqueue, score_anew(gold.scenario))
    for former_gold in former.select_related("phase__task", "scenario"):
        delete_gold(former_gold, by=by)


def problem_of_options(scenario: Scenario) -> tuple[str, bool]:
    """Return why gold does not fit new options of the scenario, and whether the example's gold has to go for them.

    The first is "" where all gold fits, or only the example's does not.
    """
    problem = gold_that_does_not_fit(scenario)
    if not problem or not is_soft(scenario.task):
        return problem, False
    made_up = golds_of_example(scenario.task).filter(scenario=scenario)
    problem = gold_that_does_not_fit(scenario, without=made_up)
    return problem, not problem


def follow_options(scenario: Scenario, *, removes_example: bool, by: User | None) -> str:
    """Let the runs of a draft follow new options of a scenario; return in words what happens to them."""
    removed = ""
    if removes_example:
        remove_example(scenario.task, by=by)
        removed = gettext("The example’s gold and run were removed, since they do not fit any more: add your own gold.")
    queued = score_anew(scenario)
    after_commit(enqueue, queued)
    n = len(queued)
    anew = ngettext("%(n)s run is being scored again.", "%(n)s runs are being scored again.", n) % {"n": amount(n)}
    return " ".join(filter(None, (removed, anew if n else "")))
