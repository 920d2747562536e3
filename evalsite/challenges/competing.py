"""How many teams take part in a task, among which the organisers' house team is not, and how many runs it has."""

from django.apps import apps
from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from evalsite.challenges.models import Participation, Task


def with_n_teams(tasks: QuerySet[Task]) -> QuerySet[Task]:
    """With `n_teams`: how many teams have entered each task."""
    of_task = Participation.objects.filter(task=OuterRef("pk"))
    counted = of_task.order_by().values("task").annotate(n=Count("pk")).values("n")
    return tasks.annotate(n_teams=Coalesce(Subquery(counted, output_field=IntegerField()), 0))


def with_n_submissions(tasks: QuerySet[Task]) -> QuerySet[Task]:
    """With `n_submissions`, which an index counts."""
    submissions = apps.get_model("submissions", "Submission").objects.order_by()
    counted = submissions.filter(phase__task=OuterRef("pk")).values("phase__task").annotate(n=Count("*")).values("n")
    return tasks.annotate(n_submissions=Coalesce(Subquery(counted, output_field=IntegerField()), 0))


def has_uploads_of_teams(task: Task) -> bool:
    """Whether any team has uploaded a run, one that the organisers have made their baseline since too."""
    submissions = apps.get_model("submissions", "Submission").objects
    of_others = submissions.filter(phase__task=task).exclude(team=task.house_id).exists()
    return of_others or task.events.filter(kind="reference set", detail__changed__has_key="team").exists()
