"""The organisers' page of how much a test can tell, and how large it would have to be."""

from http import HTTPStatus

import structlog
from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

import scoring as engine
from evalsite.board_pages.board.access import BoardAccess, access_to_board
from evalsite.board_pages.board.power import USUAL_SYSTEMS, Plan, plan_of_pair, plans_of
from evalsite.challenges.access import Role
from evalsite.challenges.storage.uploads import is_too_large
from evalsite.jobs import sandbox
from evalsite.jobs.slots import Busy, slot
from evalsite.submissions.checking import limits
from evalsite.submissions.forms import MultipleFileField
from evalsite.translating.engine import from_engine
from evalsite.wording import size
from scoring.significance.limits import FEWEST_UNITS

log = structlog.get_logger()

MOST_SYSTEMS = 200


class PairForm(forms.Form):
    first = MultipleFileField(
        label=gettext_lazy("First run"),
        allow_empty_file=True,
        help_text=gettext_lazy("A zip archive, or the single files."),
    )
    second = MultipleFileField(
        label=gettext_lazy("Second run"),
        allow_empty_file=True,
        help_text=gettext_lazy("For example a variant of the first, or a better baseline."),
    )
    n_systems = forms.IntegerField(
        label=gettext_lazy("Number of teams you expect"),
        initial=USUAL_SYSTEMS,
        min_value=2,
        max_value=MOST_SYSTEMS,
        help_text=gettext_lazy("A board tests all pairs together: the more teams, the larger a difference has to be."),
    )

    def blame_size(self, words: str) -> None:
        """Say that files were dropped while they arrived."""
        for name in ("first", "second"):
            self.errors.pop(name, None)
        self.add_error(None, words)

    def tell(self, problems: list[list[str]]) -> None:
        """Add the problems of each of the two runs to its field."""
        for name, texts in zip(("first", "second"), problems, strict=True):
            for text in texts:
                self.add_error(name, from_engine(text))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def board_size(request: HttpRequest, task: str, phase: str, scenario: int) -> HttpResponse:
    access = access_to_board(request, task, phase, scenario)
    if access.visibility.role < Role.VIEWER:
        raise Http404
    form, from_pair, status = PairForm(), None, HTTPStatus.OK
    if request.method == "POST":
        form = PairForm(request.POST, request.FILES)
        if is_too_large(request):
            said = _("Together the two runs are larger than %(size)s, the most that one request may have.")
            form.blame_size(said % {"size": size(settings.MAX_UPLOAD_BYTES)})
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
    return render(request, "leaderboard/board_size.html", context, status=status)


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
