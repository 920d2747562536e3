"""The organisers' admin of submissions: what came in, how its scoring goes, and what can be done about it."""

from contextlib import suppress
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext, gettext_lazy, ngettext

from evalsite.accounts.long_lists import MOST_COUNTED
from evalsite.accounts.panel import LONGEST_SEARCH
from evalsite.challenges.access import organised_tasks
from evalsite.challenges.filters import OwnFilter
from evalsite.challenges.models import Gold
from evalsite.challenges.permissions import Organised, OrganisedAdmin, ReadOnly
from evalsite.faults import Fault
from evalsite.submissions import intake
from evalsite.submissions.forms import RunForm, WithdrawalForm
from evalsite.submissions.models import Scoring, Submission
from evalsite.submissions.rescoring import score_again, score_again_after
from evalsite.submissions.searching import found
from evalsite.submissions.tasks import enqueue_due, enqueue_first
from evalsite.submissions.troubles import troubles_of
from evalsite.translating.engine import from_engine
from evalsite.wording import amount, link, score

SELECTION = "selection"  # field of the page that asks for the reason: all chosen keys
MOST_LISTED = 100  # of the chosen submissions on that page


class StateFilter(admin.SimpleListFilter):
    title = gettext_lazy("state of a scoring")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return Scoring.State.choices

    def queryset(self, request: HttpRequest, queryset: QuerySet[Submission]) -> QuerySet[Submission]:
        if self.value() is None:
            return queryset
        return queryset.filter(Exists(Scoring.objects.filter(submission=OuterRef("pk"), state=self.value())))


class FaultFilter(admin.SimpleListFilter):
    title = gettext_lazy("what went wrong")
    parameter_name = "fault"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return Fault.choices

    def queryset(self, request: HttpRequest, queryset: QuerySet[Submission]) -> QuerySet[Submission]:
        if self.value() is None:
            return queryset
        return queryset.filter(Exists(Scoring.objects.filter(submission=OuterRef("pk"), fault=self.value())))


class WithdrawnFilter(admin.SimpleListFilter):
    title = gettext_lazy("place on the boards")
    parameter_name = "withdrawn"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("no", gettext("standing")), ("yes", gettext("withdrawn"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Submission]) -> QuerySet[Submission]:
        if self.value() is None:
            return queryset
        return queryset.filter(withdrawn__isnull=self.value() != "yes")


class NewestGoldFilter(admin.SimpleListFilter):
    """Finds what "Score again" is for after new gold."""

    title = gettext_lazy("newest gold")
    parameter_name = "newest_gold"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("missing", gettext("not scored on it"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Submission]) -> QuerySet[Submission]:
        if self.value() != "missing":
            return queryset
        versions = Gold.objects.order_by("version").values_list("phase", "scenario", "pk")
        newest = set({(phase, scenario): pk for phase, scenario, pk in versions}.values())
        replaced = [pk for _, _, pk in versions if pk not in newest]
        # Few scorings are not scored, and few golds have been replaced: an index finds both.
        others = Scoring.objects.filter(Q(gold__in=replaced) | ~Q(state=Scoring.State.SCORED)).order_by()
        on_newest = Scoring.objects.filter(
            submission=OuterRef("submission"),
            scenario=OuterRef("scenario"),
            state=Scoring.State.SCORED,
        )
        # Not "one of the newest", each of which would be looked for in an index by itself.
        on_newest = on_newest.exclude(gold__in=replaced)
        # Looked up one by one: of an anti-join the planner expects nothing, and would read all scorings for it.
        lacking = others.alias(scored=Subquery(on_newest.order_by().values("pk")[:1])).filter(scored=None)
        if others[: MOST_COUNTED + 1].count() <= MOST_COUNTED:
            return queryset.filter(pk__in=lacking.values("submission"))
        # Of very many the newest are found soonest by looking at one run after the other.
        of_run = lacking.filter(submission=OuterRef("pk")).values("pk")[:1]
        return queryset.alias(lacking=Subquery(of_run)).filter(lacking__isnull=False)


class ScoringInline(ReadOnly, Organised, admin.StackedInline):
    task_path = "submission__phase__task"
    model = Scoring
    extra = 0
    readonly_fields = (
        *("state", "step", "attempts", "fault", "scenario", "gold_version", "engine_version"),
        *("created", "started", "finished", "listed_problems", "what_failed"),
    )
    fields = (
        ("state", "step", "attempts", "fault"),
        ("scenario", "gold_version", "engine_version"),
        ("created", "started", "finished"),
        "listed_problems",
        "what_failed",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Scoring]:
        related = ("submission__team", "scenario", "gold")
        return super().get_queryset(request).select_related(*related)

    @admin.display(description=gettext_lazy("gold"))
    def gold_version(self, scoring: Scoring) -> str:
        version = gettext("version %(version)s") % {"version": scoring.gold.version}
        return link(reverse("admin:challenges_gold_change", args=[scoring.gold_id]), version)

    @admin.display(description=gettext_lazy("problems"))
    def listed_problems(self, scoring: Scoring) -> str:
        return format_html_join("", "<div>{}</div>", ((_in_words(problem),) for problem in scoring.problems))

    @admin.display(description=gettext_lazy("error"))
    def what_failed(self, scoring: Scoring) -> str:
        return from_engine(scoring.error)


def _in_words(problem: dict[str, Any]) -> str:
    place = ":".join(str(problem[part]) for part in ("file", "line", "column") if problem.get(part) is not None)
    message = from_engine(problem["message"])
    return f"{place}: {message}" if place else message


@admin.register(Submission)
class SubmissionAdmin(OrganisedAdmin):
    task_path = "phase__task"
    form = RunForm
    list_display = ("run", "standing", "scenario_states", "scores", "where", "created")
    list_filter = (
        StateFilter,
        FaultFilter,
        ("phase__task", OwnFilter),
        ("phase", OwnFilter),
        "reference",
        NewestGoldFilter,
        WithdrawnFilter,
    )
    list_select_related = ("team", "phase__task")
    list_per_page = 50
    search_fields = ("method", "team__name")
    ordering = ("-created",)
    actions = ("score_again", "cancel", "withdraw", "restore")
    inlines = (ScoringInline,)
    fields = (
        "method",
        "reference",
        ("team", "uploaded_by", "phase"),
        "description",
        "link",
        ("file_link", "size", "sha256"),
        "created",
        ("withdrawn", "withdrawn_as", "withdrawn_by_whom"),
        "withdrawn_reason",
    )
    readonly_fields = (
        *("team", "uploaded_by", "phase", "description", "link"),
        *("file_link", "size", "sha256", "created"),
        *("withdrawn", "withdrawn_as", "withdrawn_by_whom", "withdrawn_reason"),
    )

    def has_add_permission(self, request: HttpRequest, obj: Submission | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Submission | None = None) -> bool:
        """A submission is withdrawn; its numbers stay."""
        return False

    def get_urls(self) -> list[URLPattern]:
        troubles = path("troubles/", self.admin_site.admin_view(self.troubles), name="submissions_submission_troubles")
        return [troubles, *super().get_urls()]

    def troubles(self, request: HttpRequest) -> HttpResponse:
        """What went wrong, fault by fault, each with a button that scores again all that have met it."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        tasks = organised_tasks(request.user)
        if request.method == "POST" and request.POST.get("fault") in Fault.values:
            n_queued = score_again_after(Fault(request.POST["fault"]), tasks, by=request.user)
            transaction.on_commit(enqueue_due)
            words = ngettext("%(n)s scoring queued.", "%(n)s scorings queued.", n_queued)
            self.message_user(request, words % {"n": amount(n_queued)}, messages.SUCCESS)
            return redirect("admin:submissions_submission_troubles")
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("What went wrong"),
            "opts": self.opts,
            "troubles": troubles_of(tasks),
        }
        return TemplateResponse(request, "admin/submissions/submission/troubles.html", context)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Submission]:
        scorings = Scoring.objects.select_related("scenario", "gold", "result").only(
            *("state", "submission_id", "created", "scenario__number", "scenario__name"),
            *("gold__version", "result__headline"),
        )
        return super().get_queryset(request).prefetch_related(Prefetch("scorings", scorings))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Submission], search_term: str
    ) -> tuple[QuerySet[Submission], bool]:
        return found(queryset, search_term[:LONGEST_SEARCH]), False

    @admin.display(description=gettext_lazy("run"), ordering="method")
    def run(self, submission: Submission) -> str:
        return format_html('{}<div class="help">{}</div>', submission.method, submission.team)

    @admin.display(description=gettext_lazy("phase"), ordering="phase")
    def where(self, submission: Submission) -> str:
        return format_html('{}<div class="help">{}</div>', submission.phase.name, submission.phase.task)

    @admin.display(description=gettext_lazy("scenarios"))
    def scenario_states(self, submission: Submission) -> str:
        """Of each scenario the newest scoring."""
        newest = {scoring.scenario.number: scoring for scoring in reversed(submission.scorings.all())}
        badges = ((each.state, number, each.get_state_display()) for number, each in sorted(newest.items()))
        return format_html_join(" ", '<span class="state state-{}">{} {}</span>', badges)

    @admin.display(description=gettext_lazy("newest score"))
    def scores(self, submission: Submission) -> str:
        """Of each scenario the headline on the newest gold that has scored the run."""
        scored = [scoring for scoring in submission.scorings.all() if scoring.state == Scoring.State.SCORED]
        scored.sort(key=lambda scoring: (scoring.scenario.number, scoring.gold.version, scoring.created))
        newest = {scoring.scenario.number: scoring for scoring in scored}
        lines = ((number, score(each.result.headline), each.gold.version) for number, each in newest.items())
        words = gettext("gold {version}")
        said = ((number, points, format_html(words, version=version)) for number, points, version in lines)
        return format_html_join("", '<div>{}: {} <span class="help">{}</span></div>', said)

    @admin.display(description=gettext_lazy("stands as"), ordering="withdrawn")
    def standing(self, submission: Submission) -> str:
        if submission.withdrawn is None:
            return submission.get_reference_display()
        by = {
            "": gettext("withdrawn"),
            Submission.Side.TEAM: gettext("withdrawn by the team"),
            Submission.Side.ORGANISERS: gettext("withdrawn by the organisers"),
        }
        return by[submission.withdrawn_as]

    @admin.display(description=gettext_lazy("uploader"))
    def uploaded_by(self, submission: Submission) -> str:
        return str(submission.uploader or "")  # without a link: accounts are the administrators' affair

    @admin.display(description=gettext_lazy("by"))
    def withdrawn_by_whom(self, submission: Submission) -> str:
        return str(submission.withdrawn_by or "")

    @admin.display(description=gettext_lazy("file"))
    def file_link(self, submission: Submission) -> str:
        return link(reverse("submission_file", args=[submission.pk]), submission.file_name)

    def view_on_site(self, submission: Submission) -> str:
        return submission.get_absolute_url()

    def save_model(self, request: HttpRequest, obj: Submission, form: Any, change: bool) -> None:
        """Through the intake, which tells the boards."""
        if "method" in form.changed_data:
            intake.rename(obj, obj.method, by=request.user)
        if "reference" in form.changed_data:
            intake.set_reference(obj, obj.reference, by=request.user)

    @admin.action(description=gettext_lazy("Score again"), permissions=["change"])
    def score_again(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        queued = score_again(queryset, by=request.user)
        transaction.on_commit(partial(enqueue_first, queued))
        words = ngettext(
            "%(n)s scoring queued. What the newest gold and engine have scored or refused stays as it is, and so does "
            "what was cancelled before it had a score.",
            "%(n)s scorings queued. What the newest gold and engine have scored or refused stays as it is, and so does "
            "what was cancelled before it had a score.",
            len(queued),
        )
        self.message_user(request, words % {"n": amount(len(queued))}, messages.SUCCESS if queued else messages.INFO)

    @admin.action(description=gettext_lazy("Cancel what has not begun"), permissions=["change"])
    def cancel(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        cancelled = intake.cancel(queryset, by=request.user, side=Submission.Side.ORGANISERS)
        words = ngettext("%(n)s scoring cancelled.", "%(n)s scorings cancelled.", cancelled)
        self.message_user(request, words % {"n": amount(cancelled)})

    @admin.action(description=gettext_lazy("Withdraw from the boards …"), permissions=["change"])
    def withdraw(self, request: HttpRequest, queryset: QuerySet[Submission]) -> HttpResponse | None:
        """Asks for the reason on a page that carries the selection in one field, however many runs there are."""
        if SELECTION in request.POST:
            queryset = queryset.filter(pk__in=_keys(request.POST[SELECTION]))
        chosen = list(queryset.exclude(withdrawn_as=Submission.Side.ORGANISERS))
        is_confirmed = "confirmed" in request.POST
        form = WithdrawalForm(request.POST if is_confirmed else None, side=Submission.Side.ORGANISERS)
        if chosen and not form.is_valid():
            context = {
                **self.admin_site.each_context(request),
                "title": gettext("Withdraw from the boards?"),
                "opts": self.opts,
                "form": form,
                "submissions": chosen[:MOST_LISTED],
                "n_submissions": len(chosen),
                "n_further": max(0, len(chosen) - MOST_LISTED),
                "selection_name": SELECTION,
                "selection": ",".join(str(submission.pk) for submission in chosen),
                "action_checkbox_name": ACTION_CHECKBOX_NAME,
            }
            page = "admin/submissions/submission/withdraw.html"
            return TemplateResponse(request, page, context, status=422 if is_confirmed else 200)
        by = {"by": request.user, "side": Submission.Side.ORGANISERS}
        withdrawn = intake.withdraw(chosen, **by, reason=form.cleaned_data["reason"]) if chosen else 0
        words = ngettext(
            "%(n)s submission withdrawn; only organisers can restore what organisers withdrew.",
            "%(n)s submissions withdrawn; only organisers can restore what organisers withdrew.",
            withdrawn,
        )
        self.message_user(request, words % {"n": amount(withdrawn)})
        return None

    @admin.action(description=gettext_lazy("Restore to the boards"), permissions=["change"])
    def restore(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        restored = intake.restore(queryset, by=request.user, side=Submission.Side.ORGANISERS)
        words = ngettext("%(n)s submission restored.", "%(n)s submissions restored.", restored)
        self.message_user(request, words % {"n": amount(restored)})


def _keys(text: str) -> list[UUID]:
    """The keys of submissions with commas between them; what is no key is left out."""
    keys = []
    for part in text.split(","):
        with suppress(ValueError):
            keys.append(UUID(part))
    return keys
