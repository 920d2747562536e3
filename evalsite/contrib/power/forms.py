"""The form of two runs from which the size of a test is told."""

from django import forms
from django.utils.translation import gettext_lazy

from evalsite.contrib.power.pair import USUAL_SYSTEMS
from evalsite.submissions.forms import MultipleFileField
from evalsite.translating.engine import from_engine

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
