"""The form of two runs that say how much a test can tell."""

from django import forms
from django.utils.translation import gettext_lazy as _

from evalsite.leaderboard.planning import USUAL_SYSTEMS
from evalsite.submissions.forms import MultipleFileField

MOST_SYSTEMS = 200


class PairForm(forms.Form):
    first = MultipleFileField(
        label=_("First run"), allow_empty_file=True, help_text=_("A zip archive, or the single files.")
    )
    second = MultipleFileField(
        label=_("Second run"),
        allow_empty_file=True,
        help_text=_("Such as a variant of the first, or a better baseline."),
    )
    n_systems = forms.IntegerField(
        label=_("Teams that you expect"),
        initial=USUAL_SYSTEMS,
        min_value=2,
        max_value=MOST_SYSTEMS,
        help_text=_("A board tests all pairs together: with more teams a difference has to be larger."),
    )

    def blame_size(self, words: str) -> None:
        """Say that files were dropped while they arrived."""
        for name in ("first", "second"):
            self.errors.pop(name, None)
        self.add_error(None, words)

    def tell(self, problems: list[list[str]]) -> None:
        """What is wrong with each of the two runs."""
        for name, texts in zip(("first", "second"), problems, strict=True):
            for text in texts:
                self.add_error(name, text)
