"""The scenarios of a task: their list, and a page for each."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, override
from django.views.decorators.http import require_safe

from evalsite.challenges.models import Scenario, Task
from evalsite.desk.access import desk_page
from evalsite.desk.examples.replacing import follow_options
from evalsite.desk.scenarios.forms import ScenarioForm, new_scenario
from evalsite.desk.scenarios.languages import LanguagesForm, add_languages, said_of
from evalsite.desk.scenarios.services import (
    add_scenario,
    change_scenario,
    delete_scenario,
    found_in,
    is_in_use,
    may_be_deleted,
)
from evalsite.desk.scenarios.uses import areas_of, way, way_of, ways_for


@require_safe
@desk_page()
def scenarios(request: HttpRequest, task: Task) -> HttpResponse:
    listed = list(task.scenarios.order_by("number"))
    for scenario in listed:
        scenario.task = task
    rows = [
        {"scenario": scenario, "way": way_of(scenario), "headline": scenario.score_titles[scenario.headline]}
        for scenario in listed
    ]
    return render(request, "desk/scenarios/list.html", {"task": task, "rows": rows})


@require_safe
@desk_page()
def ways_to_add(request: HttpRequest, task: Task) -> HttpResponse:
    """Show what systems may do; the family follows from the choice."""
    words = request.GET.get("q", "").strip()[:200]
    context = {"task": task, "words": words, "areas": areas_of(ways_for(words))}
    return render(request, "desk/scenarios/ways.html", context)


@desk_page()
def add(request: HttpRequest, task: Task, use: str) -> HttpResponse:
    chosen = way(use)
    if chosen is None:
        raise Http404
    scenario = new_scenario(task, chosen.family, chosen.use)
    form = _form(request, scenario, use=chosen.use, initial_name=chosen.title)
    if request.method == "POST" and form.is_valid():
        add_scenario(form.save(commit=False), by=request.user)
        messages.success(request, gettext("%(scenario)s was added.") % {"scenario": scenario})
        return redirect("desk_scenarios", task.slug)
    return _page(request, form, chosen)


@desk_page()
def edit(request: HttpRequest, task: Task, number: int) -> HttpResponse:
    with transaction.atomic():
        scenario = _scenario_or_404(request, task, number)
        chosen, form = way_of(scenario), _form(request, scenario)
        if request.method == "POST" and form.is_valid():
            with override("en"):
                changes = form.changes
            change_scenario(form.save(commit=False), changes, by=request.user)
            messages.success(request, gettext("%(scenario)s was saved.") % {"scenario": scenario})
            if form.alters_scores:
                words = follow_options(scenario, removes_example=form.removes_example, by=request.user)
                messages.info(request, words)
            return redirect("desk_scenarios", task.slug)
        return _page(request, form, chosen)


@desk_page()
def delete(request: HttpRequest, task: Task, number: int) -> HttpResponse:
    with transaction.atomic():
        scenario = _scenario_or_404(request, task, number)
        if request.method == "POST" and may_be_deleted(scenario):
            delete_scenario(scenario, by=request.user)
            messages.success(request, gettext("%(scenario)s was deleted.") % {"scenario": scenario})
            return redirect("desk_scenarios", task.slug)
        context = {
            "task": task,
            "scenario": scenario,
            "may_be_deleted": may_be_deleted(scenario),
            "is_in_use": is_in_use(scenario),
        }
        return render(request, "desk/scenarios/delete.html", context, status=409 if request.method == "POST" else 200)


@desk_page()
def languages(request: HttpRequest, task: Task, number: int) -> HttpResponse:
    """Add the same scenario for other languages, whose files come in one upload."""
    with transaction.atomic():
        scenario = _scenario_or_404(request, task, number)
        if not scenario.engine_family.files.has_parts:
            raise Http404
        form = LanguagesForm(request.POST if request.method == "POST" else None, scenario=scenario)
        if form.is_valid():
            messages.success(request, said_of(add_languages(form, by=request.user)))
            if form.alters_scores:
                words = follow_options(scenario, removes_example=form.removes_example, by=request.user)
                messages.info(request, words)
            return redirect("desk_scenarios", task.slug)
        context = {"task": task, "scenario": scenario, "form": form}
        return render(request, "desk/scenarios/languages.html", context, status=422 if form.errors else 200)


def _scenario_or_404(request: HttpRequest, task: Task, number: int) -> Scenario:
    scenario = found_in(task, number, for_change=request.method == "POST")
    if scenario is None:
        raise Http404
    return scenario


def _form(request: HttpRequest, scenario: Scenario, initial_name: str = "", **kwargs: Any) -> ScenarioForm:
    if initial_name:
        scenario.name = initial_name
    data = request.POST if request.method == "POST" else None
    return ScenarioForm(data, instance=scenario, only_adds_row="more" in request.POST, **kwargs)


def _page(request: HttpRequest, form: ScenarioForm, chosen: Any) -> HttpResponse:
    status = 422 if form.is_bound and form.errors else 200
    context = {"task": form.instance.task, "scenario": form.instance, "form": form, "way": chosen}
    return render(request, "desk/scenarios/one.html", context, status=status)
