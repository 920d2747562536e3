"""The page on which the next season begins: what becomes of the phase before, and the form of the new one."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from evalsite.base.validation import messages_of
from evalsite.challenges.gold.versions import golds_in_force
from evalsite.challenges.models import Phase, Task
from evalsite.contrib.seasons.beginning import NoSeason, begin, new_season
from evalsite.contrib.seasons.forms import SeasonForm, next_name
from evalsite.desk.access import desk_page, phase_of
from evalsite.submissions.access import signed_in


@desk_page()
def season(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    former = phase_of(task, phase)
    initial = {"name": next_name(former.name), "with_gold": not former.gold_released, "releases_results": True}
    form = SeasonForm(request.POST if request.method == "POST" else None, instance=new_season(former), initial=initial)
    form.former_gold_is_open = former.gold_released
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            made = begin(former, form, by=signed_in(request))
        except NoSeason as error:
            messages.error(request, str(error))
            return redirect("desk_phases_one", task.slug, former.slug)
        except ValidationError as error:  # of a row that was stored before there was the rule
            form.add_error(None, [message for _name, message in messages_of(error)])
        else:
            messages.success(request, gettext("%(season)s has begun.") % {"season": made.name})
            return redirect("desk_phases_one", task.slug, made.slug)
    if form.errors:
        status = 422
    return render(request, "contrib/seasons/season.html", _context(form, former), status=status)


def _context(form: SeasonForm, former: Phase) -> dict[str, object]:
    runs = former.submissions.filter(reference="")
    return {
        "form": form,
        "former": former,
        "n_teams": runs.order_by().values("team").distinct().count(),
        "n_golds": len(golds_in_force(former)),
        "n_downloads": former.downloads.count(),
    }
