"""The page that deletes a task: it lists what goes with it, and wants the address typed as a confirmation."""

from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext

from evalsite.challenges.access import Role
from evalsite.challenges.models import Gold, Task
from evalsite.challenges.taking_part.teams import has_uploads_of_teams
from evalsite.desk.access import desk_page
from evalsite.submissions.access import signed_in
from evalsite.submissions.models import Submission
from evalsite.submissions.runs.changing import delete_task
from evalsite.wording import amount


class DeleteForm(forms.Form):
    name = forms.CharField(max_length=100, widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}))

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.task = task
        self.fields["name"].label = gettext("To confirm, type the task's address: %(slug)s") % {"slug": task.slug}

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name not in (self.task.slug, self.task.title):
            raise forms.ValidationError(gettext("This is not its address. Nothing was deleted."))
        return name


@desk_page(changes=Role.OWNER)
def delete(request: HttpRequest, task: Task) -> HttpResponse:
    form = DeleteForm(request.POST if request.method == "POST" else None, task=task)
    if form.is_valid():
        if delete_task(task, by=signed_in(request)):
            messages.success(request, gettext("%(task)s was deleted.") % {"task": task.title})
            return redirect("organise")
        messages.error(request, gettext("A team has uploaded a run, so the task stays."))
        return redirect("desk_publish_delete", task.slug)
    stays = has_uploads_of_teams(task)
    context = {"task": task, "stays": stays, "form": form, "lost": [] if stays else _lost_with(task)}
    return render(request, "desk/deleting/delete.html", context, status=422 if form.errors else 200)


def _lost_with(task: Task) -> list[str]:
    """Return what would be deleted, in words: 3 scenarios."""
    rows: list[QuerySet[Any]] = [
        task.scenarios.all(),
        task.phases.all(),
        Submission.objects.filter(phase__task=task),
        task.pages.all(),
        task.pictures.all(),
        task.downloads.all(),
    ]
    counts = [(queryset.model._meta, queryset.count()) for queryset in rows]
    return [
        *_golds(task),
        *(f"{amount(n)} {meta.verbose_name if n == 1 else meta.verbose_name_plural}" for meta, n in counts if n),
    ]


def _golds(task: Task) -> list[str]:
    n = Gold.objects.filter(phase__task=task).count()
    return [ngettext("%(n)s gold file", "%(n)s gold files", n) % {"n": amount(n)}] if n else []
