"""The form of the next season."""

import re
from collections.abc import Iterator

from django import forms
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from evalsite.challenges.forms.questions import Question, Times, about_phase, implausible
from evalsite.challenges.forms.zones import MomentField
from evalsite.challenges.models import Phase
from evalsite.desk.phases.forms import NewPhaseForm


class SeasonForm(NewPhaseForm):
    """`former_gold_is_open`: everybody can read the gold of the season before."""

    key, heading = "season", gettext_lazy("New season")
    opens = None  # type: ignore[assignment]  # now
    closes = MomentField(
        label=gettext_lazy("Closes"), required=False, help_text=gettext_lazy("Leave empty to keep the season open.")
    )
    with_gold = forms.BooleanField(
        label=gettext_lazy("The same gold and files to download"),
        required=False,
        help_text=gettext_lazy("Copies go into the new season. Otherwise you add new gold before teams can upload."),
    )
    releases_results = forms.BooleanField(
        label=gettext_lazy("Release the results of the season before"),
        required=False,
        help_text=gettext_lazy("Everybody sees its board with names, and teams see all their scores."),
    )
    field_order = ("name", "slug", "zone", "closes", "with_gold", "releases_results")
    former_gold_is_open = False

    class Meta:
        model = Phase
        fields = ("name", "slug", "closes")

    def questions(self) -> Iterator[Question]:
        opens, closes = self.instance.opens, self.cleaned_data["closes"]
        yield from implausible({"closes": closes})
        yield from about_phase(None, Times(opens, closes, released=None), None, timezone.now())
        if self.cleaned_data["with_gold"] and self.former_gold_is_open:
            asked = gettext("The gold is released: teams of the new season can read its answers. Are you sure?")
            yield "with_gold", asked


def next_name(name: str) -> str:
    """Return the name with its last number raised, or with a 2 behind it."""
    match = re.search(r"\d+(?=\D*\Z)", name)
    if not match:
        return f"{name} 2"[:100]
    return f"{name[: match.start()]}{int(match[0]) + 1}{name[match.end() :]}"[:100]
