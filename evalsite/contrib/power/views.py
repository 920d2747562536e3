"""The organisers' page of how much a test can tell, and how large it would have to be."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import structlog
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

import scoring as engine
from evalsite.board_pages.board.access import BoardAccess, access_to_board
from evalsite.board_pages.board.power import Plan, plans_of
from evalsite.challenges.access import Role
from evalsite.challenges.models import Phase, Scenario
from evalsite.challenges.storage.uploads import is_too_large
from evalsite.contrib.power.forms import PairForm
from evalsite.contrib.power.pair import plan_of_pair
from evalsite.jobs import sandbox
from evalsite.jobs.slots import Busy, slot
from evalsite.leaderboard.combined_score import CombinedScore, Scored
from evalsite.submissions.checking import limits
from evalsite.translating.engine import from_engine
from evalsite.wording import size
from scoring.significance.limits import FEWEST_UNITS

log = structlog.get_logger()


def is_open(role: Role, phase: Phase, scored: Scored) -> bool:
    """Return True where somebody of this role sees how much the board's test can tell."""
    return role >= Role.VIEWER and not isinstance(scored, CombinedScore)


def plans_of_gold(context: Mapping[str, Any]) -> dict[str, list[tuple[Scenario, Plan]]]:
    """Return the plan of each scenario of the page's phase that has one."""
    task, phase = context["task"], context["phase"]
    plans = plans_of(task)
    scenarios = task.scenarios.all() if plans else ()
    return {
        "plans": [
            (scenario, plans[phase.pk, scenario.pk]) for scenario in scenarios if (phase.pk, scenario.pk) in plans
        ]
    }


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def board_size(request: HttpRequest, task: str, phase: str, scenario: int) -> HttpResponse:
    access = access_to_board(request, task, phase, scenario)
    if not access.has("board_size"):
        raise Http404
    form, from_pair, status = PairForm(), None, HTTPStatus.OK
    if request.method == "POST":
        form = PairForm(request.POST, request.FILES)
        if is_too_large(request):
            problem = _("Together the two runs are larger than %(size)s, the limit for one request.")
            form.blame_size(problem % {"size": size(settings.MAX_UPLOAD_BYTES)})
        elif form.is_valid():
            from_pair = _from_pair(request, access, form)
        status = HTTPStatus.OK if from_pair else HTTPStatus.UNPROCESSABLE_ENTITY
    gold = access.own_golds.newest
    context = access.context("board_size") | {
        "form": form,
        "gold": gold,
        "is_few": gold.n_units < FEWEST_UNITS,
        "fewest_units": FEWEST_UNITS,
        "plan": plans_of(access.phase.task).get((access.phase.pk, access.scenario.pk)),
        "from_pair": from_pair,
    }
    return render(request, "contrib/power/board_size.html", context, status=status)


def _from_pair(request: HttpRequest, access: BoardAccess, form: PairForm) -> Plan | None:
    """Return the plan of two uploaded runs; None where the form says why not."""
    given = form.cleaned_data
    try:
        with slot(request.user.pk):
            plan, problems = plan_of_pair(
                access.own_golds.newest, access.scenario, [given["first"], given["second"]], given["n_systems"]
            )
    except Busy:
        form.add_error(None, _("The site is checking other files at the moment. Send yours again shortly."))
        return None
    except sandbox.LimitBroken as error:
        form.add_error(None, from_engine(limits.broken_pair(error.kind)))
        return None
    except (sandbox.Crashed, sandbox.NotStarted):
        log.exception("two runs could not be scored")
        form.add_error(None, _("The program that scores these files stopped without an answer. Try again."))
        return None
    except engine.GoldError as error:
        form.add_error(None, from_engine(error))
        return None
    form.tell(problems)
    if plan is None and not any(problems):
        form.add_error(
            None, _("Nothing can be concluded from these two: they do not differ, or the gold has too few units.")
        )
    return plan
