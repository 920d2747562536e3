"""The page on which a new task begins, and the one that clones a task."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import get_text_list
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from evalsite.accounts.organisers import may_create_tasks
from evalsite.base.after_commit import after_commit
from evalsite.base.validation import messages_of
from evalsite.challenges.access import Role, organised_tasks
from evalsite.challenges.models import EntryRules, Phase, Task
from evalsite.desk.access import desk_page
from evalsite.desk.making.cloning import clone
from evalsite.desk.making.drafts import TitleTaken, empty_task
from evalsite.desk.making.forms import CloneForm, NewTaskForm
from evalsite.desk.making.shared_tasks import shared_events_for, shared_task
from evalsite.desk.making.templates import Example, example_of_shared_task, example_of_use, task_from, templates
from evalsite.desk.scenarios.uses import Way, areas_of
from evalsite.submissions.lifecycle.enqueueing import enqueue

MOST_SHOWN = 20  # earlier tasks
LONGEST_QUERY = 200  # characters


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_task(request: HttpRequest) -> HttpResponse:
    if not may_create_tasks(request.user) and request.method != "POST":
        return redirect("organise_ask")
    _require_right(request)
    if example := _chosen_example(request):
        return _from_example(request, example)
    form = NewTaskForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        cleaned = form.cleaned_data
        with _told_where_taken(form):
            task = empty_task(cleaned["title"], cleaned["summary"], form.way, by=request.user)
            messages.success(request, gettext("%(task)s was created. Only you can see it so far.") % {"task": task})
            return redirect("desk", task.slug)
    own_tasks = organised_tasks(request.user).order_by("-created")[:MOST_SHOWN]
    first, others = _first_of_each_family(templates())
    words = request.GET.get("q", "")[:LONGEST_QUERY]
    context = {"form": form, "templates": first, "others": areas_of(others), "own": own_tasks}
    context |= {"words": words, "events": shared_events_for(words)}
    return render(request, "desk/making/new.html", context, status=422 if form.errors else 200)


def _first_of_each_family(ways: Sequence[Way]) -> tuple[list[Way], list[Way]]:
    """Return the uses that stand open on the page, and those that are folded."""
    first = list({way.family.name: way for way in reversed(ways)}.values())[::-1]
    return first, [way for way in ways if way not in first]


def _chosen_example(request: HttpRequest) -> Example | None:
    """Return the example that the form asks for; 404 for one that is not there, None where it asks for none."""
    if key := request.POST.get("template"):
        chosen = next((way for way in templates() if way.use.key == key), None)
        return example_of_use(chosen) if chosen else _not_there()
    if key := request.POST.get("shared"):
        shared = shared_task(key)
        return example_of_shared_task(shared) if shared else _not_there()
    return None


def _not_there() -> NoReturn:
    raise Http404


def _from_example(request: HttpRequest, example: Example) -> HttpResponse:
    try:
        made = task_from(example, by=request.user)
    except TitleTaken as error:
        messages.error(request, str(error))
        return redirect("organise_new")
    after_commit(enqueue, made.run.queued)
    text = gettext("%(task)s is ready. Its example run is being scored. Only you can see the task.")
    if example.scenario.is_judged:
        text = gettext("%(task)s is ready. Its example run waits for your judge. Only you can see the task.")
    messages.success(request, text % {"task": made.task})
    return redirect("desk", made.task.slug)


@desk_page()
def clone_task(request: HttpRequest, task: Task) -> HttpResponse:
    _require_right(request)
    if request.desk.role < Role.ORGANISER:
        raise PermissionDenied(gettext("Only organisers of a task can clone it."))
    form = CloneForm(request.POST if request.method == "POST" else None, task=task)
    if form.is_valid():
        cleaned = form.cleaned_data
        phases = cleaned.get("phases") or list(task.phases.all())
        with _told_where_taken(form):
            made = clone(
                task,
                cleaned["title"],
                cleaned.get("opens"),
                with_gold=cleaned["with_gold"],
                phases_copied=phases,
                files_copied=cleaned.get("files", []),
                by=request.user,
            )
            messages.success(request, gettext("%(task)s was created. Only you can see it so far.") % {"task": made})
            _tell_what_was_public(request, phases, with_gold=cleaned["with_gold"])
            _tell_of_list(request, made)
            return redirect("desk", made.slug)
    context = {"task": task, "form": form}
    return render(request, "desk/making/clone.html", context, status=422 if form.errors else 200)


def _tell_of_list(request: HttpRequest, made: Task) -> None:
    if EntryRules.objects.filter(task=made, way=EntryRules.Way.LISTED).exists():
        words = gettext("Nobody can enter until you list addresses under Taking part: last year's list was not copied.")
        messages.warning(request, words)


def _tell_what_was_public(request: HttpRequest, phases: list[Phase], *, with_gold: bool) -> None:
    """Say that gold which everybody could download is hidden in the copy, and known all the same if it was copied."""
    names = get_text_list([phase.name for phase in phases if phase.gold_released], gettext("and"))
    if not names:
        return
    text = gettext("The gold of %(phases)s was public. It is hidden in the new task; release it there when you want.")
    if with_gold:
        text = gettext(
            "The gold of %(phases)s was public, and you copied it: it is hidden in the new task, but anybody may have "
            "it already. Add new gold before a phase that is to rank teams."
        )
    messages.warning(request, text % {"phases": names})


@contextmanager
def _told_where_taken(form: Form) -> Iterator[None]:
    """Show the error beside the title if no address was left for it, and what else the rules of a task refuse."""
    try:
        yield
    except TitleTaken as error:
        form.add_error("title", str(error))
    except ValidationError as error:
        for name, message in messages_of(error):
            form.add_error(name if name in form.fields else None, message)


def _require_right(request: HttpRequest) -> None:
    if not may_create_tasks(request.user):
        raise PermissionDenied(gettext("Your account cannot create tasks yet."))
