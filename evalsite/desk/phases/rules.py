"""The parts of a phase's page that say which runs count: late ones, and of each team one."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from evalsite.challenges.forms.questions import Question, implausible
from evalsite.challenges.forms.zones import MomentField, in_zone
from evalsite.challenges.models import Phase
from evalsite.desk.sections import SectionForm, ZonedForm


class LateForm(ZonedForm):
    key, heading = "late", gettext_lazy("Late uploads")
    template = "desk/phases/_times.html"
    late_until = MomentField(
        label=gettext_lazy("Taken until"),
        required=False,
        help_text=gettext_lazy("After the phase has closed. Leave empty to accept none."),
    )
    field_order = ("zone", "late_until", "ranks_late")

    class Meta:
        model = Phase
        fields = ("late_until", "ranks_late")
        labels = {"ranks_late": gettext_lazy("Rank late runs with the others")}
        help_texts = {
            "ranks_late": gettext_lazy(
                "Off: they are shown on the board outside the ranks. They are marked as late either way."
            )
        }

    @property
    def stored_summary(self) -> str:
        until = self.stored("late_until")
        return gettext("until %(time)s") % {"time": in_zone(until, self.task.zone)} if until else gettext("none")

    def questions(self) -> Iterator[Question]:
        until, is_ranked = self.cleaned_data["late_until"], self.cleaned_data["ranks_late"]
        yield from implausible({"late_until": until})
        if is_ranked and until and self.changed_data and self.instance.gold_released:
            yield (
                "ranks_late",
                gettext("The gold is public: late runs that were made with it would be ranked. Are you sure?"),
            )


class CountsForm(SectionForm):
    key, heading = "counts", gettext_lazy("What counts")

    class Meta:
        model = Phase
        fields = ("counts",)
        labels = {"counts": gettext_lazy("The board shows of each team")}
        help_texts = {
            "counts": gettext_lazy(
                "If the team chooses, it does so on the page of its runs until the phase closes; "
                "if it does not choose, its last valid run counts. On a test with hidden results "
                "the best of many runs is often the luckiest one: a team should say beforehand "
                "which run it believes in."
            )
        }

    @property
    def stored_summary(self) -> str:
        return str(Phase.Counts(self.stored("counts")).label)

    def questions(self) -> Iterator[Question]:
        if "counts" in self.changed_data and self.instance.submissions.filter(reference="").exists():
            yield (
                None,
                gettext("There are runs already: their places change as soon as you save this. Are you sure?"),
            )


class DecidesForm(SectionForm):
    key, heading = "decides", gettext_lazy("What decides the task")

    class Meta:
        model = Phase
        fields = ("decided_by",)
        labels = {"decided_by": gettext_lazy("The task is decided by")}
        help_texts = {
            "decided_by": gettext_lazy(
                "Its board comes first, and the task's page and the front page show who is ahead on it. "
                "Participants can see that it decides the task."
            )
        }

    def prepare(self) -> None:
        field = self.fields["decided_by"]
        field.queryset, field.empty_label = self.task.scenarios.all(), _usual_decision()  # type: ignore[attr-defined]

    def stored(self, name: str) -> Any:
        """Return the scenario itself, as is sent."""
        return self.task.scenarios.filter(pk=super().stored(name)).first()

    @property
    def stored_summary(self) -> str:
        return str(self.stored("decided_by") or _usual_decision())


def _usual_decision() -> str:
    return gettext("the combined score if there is one, otherwise the first scenario")
