"""The house team of a task: whose the organisers' baselines, human runs and trials are. It takes no part."""

from django.db import transaction

from evalsite.accounts.models import HOUSE_NAME, Team
from evalsite.challenges.models import Task


def house_of(task: Task) -> Team:
    """Made when it is first needed; nobody is a member, and no task lists it among its teams."""
    with transaction.atomic():
        locked = Task.objects.select_for_update(of=("self",), no_key=True).select_related("house").get(pk=task.pk)
        if locked.house is None:
            locked.house = Team.objects.create(name=HOUSE_NAME)
            locked.save(update_fields=["house"])
        return locked.house
