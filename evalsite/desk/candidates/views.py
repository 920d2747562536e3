"""The page of one gold: what it would change, and the way to publish or discard it."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from evalsite.board_pages.board.visibility import visibility_of
from evalsite.challenges.gold.services import discard_gold
from evalsite.challenges.models import Gold, Task
from evalsite.desk.access import desk_page
from evalsite.desk.candidates.candidate import Candidate
from evalsite.desk.gold.annotators import annotators_of
from evalsite.submissions.access import signed_in
from evalsite.submissions.lifecycle import candidates
from evalsite.wording import listed


class DecisionForm(forms.Form):
    """A decision on a candidate, and on those that came with it in one file unless that is unticked."""

    together = forms.BooleanField(required=False, initial=True)

    def __init__(self, *args: Any, others: Sequence[Gold], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if others:
            names = listed([gold.scenario.name for gold in others])
            self.fields["together"].label = _("Together with the others from the same file: %(names)s") % {
                "names": names
            }
        else:
            del self.fields["together"]
        self.others = others

    @property
    def chosen_others(self) -> Sequence[Gold]:
        return self.others if self.cleaned_data.get("together") else ()


class PublishForm(DecisionForm):
    field_order = ("note", "together")
    note = forms.CharField(
        label=gettext_lazy("What changed, in a few words"),
        max_length=Gold._meta.get_field("public_note").max_length,
        widget=forms.TextInput(attrs={"class": "form-control"}),
        help_text=gettext_lazy("Everybody can read it next to the board, for example: three labels corrected."),
    )


class DiscardForm(DecisionForm):
    field_order = ("reason", "together")
    reason = forms.CharField(
        label=gettext_lazy("Why it is discarded"),
        max_length=200,
        widget=forms.TextInput(attrs={"class": "form-control"}),
        help_text=gettext_lazy("Only organisers can read it, in the log."),
    )


FEW_RUNS, MANY_RUNS, LINES = 5, 100, 25  # on a page


@desk_page()
def gold_version(request: HttpRequest, task: Task, gold: UUID) -> HttpResponse:
    gold_row = _gold_or_404(task, gold)
    others = candidates.of_same_upload(gold_row)
    publishing, discarding = PublishForm(initial={"note": gold_row.note}, others=others), DiscardForm(others=others)
    if request.method == "POST" and gold_row.has_candidate and not (gold_row.is_held and "retry" not in request.POST):
        if "discard" in request.POST:
            discarding = DiscardForm(request.POST, others=others)
            done = discarding.is_valid() and _discard(request, gold_row, discarding)
        elif "publish" in request.POST:
            publishing = PublishForm(request.POST, others=others)
            done = publishing.is_valid() and _publish(request, gold_row, publishing)
        else:
            candidates.retry_failed(gold_row, by=signed_in(request))
            done = True
        if done:
            return redirect("desk_gold_version", task.slug, gold)
    elif request.method == "POST":
        messages.warning(request, _("This version is no longer a candidate."))
        return redirect("desk_gold_version", task.slug, gold)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if publishing.errors or discarding.errors else HTTPStatus.OK
    context = {
        "task": task,
        "gold": gold_row,
        "scale": gold_row.scenario.scale,
        "publishing": publishing,
        "discarding": discarding,
        "annotators": annotators_of(gold_row),
    }
    if gold_row.has_candidate:
        context |= _of_candidate(request, gold_row)
    if "HX-Request" in request.headers:
        return _progress(request, context)
    return render(request, "desk/gold_version.html", context, status=status)


@require_safe
@desk_page()
def every_run(request: HttpRequest, task: Task, gold: UUID) -> HttpResponse:
    """Show every run with its score now and by the candidate."""
    gold_row = _gold_or_404(task, gold)
    if not gold_row.has_candidate:
        return redirect("desk_gold_version", task.slug, gold)
    candidate = Candidate(gold_row, visibility_of(request.user, gold_row.phase))
    page = Paginator(range(candidate.n_runs), MANY_RUNS).get_page(request.GET.get("page"))
    first = page.start_index() - 1 if candidate.n_runs else 0
    context = {"task": task, "gold": gold_row, "scale": gold_row.scenario.scale, "candidate": candidate, "page": page}
    return render(request, "desk/gold_version_runs.html", context | {"runs": candidate.runs(first, page.end_index())})


def _gold_or_404(task: Task, gold: UUID) -> Gold:
    gold_row = get_object_or_404(Gold.objects.select_related("scenario", "created_by", "published_by"), pk=gold)
    phase = get_object_or_404(task.phases, pk=gold_row.phase_id)
    gold_row.phase, phase.task, gold_row.scenario.task = phase, task, task
    return gold_row


def _of_candidate(request: HttpRequest, gold: Gold) -> dict[str, object]:
    candidate = Candidate(gold, visibility_of(request.user, gold.phase))
    if candidate.preview is None and not candidate.is_at_work and not candidate.has_failed:
        candidates.schedule_rescoring(gold)  # such as one that is older than the previews
    page = Paginator(candidate.lines, LINES).get_page(request.GET.get("page"))
    return {"candidate": candidate, "page": page, "runs": candidate.runs(0, FEW_RUNS)}


def _progress(request: HttpRequest, context: dict[str, object]) -> HttpResponse:
    """Answer the polling of a waiting page, which is to reload once nothing is at work."""
    candidate = context.get("candidate")
    answer = render(request, "desk/_gold_progress.html", context)
    if not (isinstance(candidate, Candidate) and candidate.is_at_work):
        answer["HX-Refresh"] = "true"
    return answer


def _publish(request: HttpRequest, gold: Gold, form: PublishForm) -> bool:
    try:
        golds = [gold, *form.chosen_others]
        candidates.publish_all(golds, by=signed_in(request), note=form.cleaned_data["note"])
    except candidates.NotReady as refusal:
        why = _why_not(refusal)
        form.add_error(None, why if refusal.gold == gold else f"{refusal.gold.scenario.name}: {why}")
        return False
    text = ngettext(
        "The candidate is published: the board switches to it in a moment.",
        "%(n)s candidates are published: the boards switch to them in a moment.",
        len(golds),
    )
    messages.success(request, text % {"n": len(golds)})
    return True


def _why_not(refusal: candidates.NotReady) -> str:
    if refusal.lost:
        names = ", ".join(team.name for team in refusal.lost)
        text = _("It cannot be published: these teams would drop off the board: %(teams)s.")
        return text % {"teams": names}
    return _("It cannot be published yet: %(n)s runs are waiting to be scored.") % {"n": refusal.progress.n_awaited}


def _discard(request: HttpRequest, gold: Gold, form: DiscardForm) -> bool:
    if not gold.is_candidate:
        form.add_error(None, _("The previous engine is no longer installed, so its successor cannot be discarded."))
        return False
    for candidate in (gold, *form.chosen_others):
        discard_gold(candidate, by=signed_in(request), reason=form.cleaned_data["reason"])
    messages.success(request, _("The candidate was discarded, together with its results."))
    return True
