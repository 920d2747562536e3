"""The form of a judge's token."""

from datetime import timedelta

from django import forms
from django.utils.translation import gettext_lazy

from evalsite.accounts.forms import NameField
from evalsite.api.forms import LIFETIMES
from evalsite.api.models import AccessToken

_SCOPES = [choice for choice in AccessToken.Scope.choices if "judge" in choice[0]]


class JudgeTokenForm(forms.Form):
    name = NameField(
        max_length=60,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("Where the judge runs, such as “GPU cluster”."),
    )
    scopes = forms.ChoiceField(
        label=gettext_lazy("It may"), choices=_SCOPES, widget=forms.RadioSelect, initial=AccessToken.Scope.JUDGE
    )
    lifetime = forms.ChoiceField(label=gettext_lazy("It works for"), choices=LIFETIMES, initial="90")

    def clean_lifetime(self) -> timedelta | None:
        """Return a duration, or None for a token that never expires."""
        return timedelta(days=int(self.cleaned_data["lifetime"])) or None
