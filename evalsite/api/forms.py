"""The form of a new access token."""

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from evalsite.accounts.forms import NameField
from evalsite.api.models import AccessToken

PERSONAL = [choice for choice in AccessToken.Scope.choices if "judge" not in choice[0]]
FOR_PARTICIPANTS = [choice for choice in PERSONAL if "organise" not in choice[0]]
LIFETIMES = (("30", _("30 days")), ("90", _("90 days")), ("365", _("a year")), ("0", _("until it is revoked")))


class TokenForm(forms.Form):
    name = NameField(
        max_length=AccessToken._meta.get_field("name").max_length,
        label=_("Name"),
        help_text=_("What it is for, such as “laptop” or “cluster”."),
    )
    scopes = forms.ChoiceField(
        label=_("It may"), choices=PERSONAL, widget=forms.RadioSelect, initial=AccessToken.Scope.UPLOAD
    )
    lifetime = forms.ChoiceField(label=_("It works for"), choices=LIFETIMES, initial="90")

    def __init__(self, *args: Any, organises: bool, **kwargs: Any) -> None:
        """Offer the scopes of an organiser only if the user organises tasks."""
        super().__init__(*args, **kwargs)
        if not organises:
            self.fields["scopes"].choices = FOR_PARTICIPANTS  # type: ignore[attr-defined]

    def clean_lifetime(self) -> Any:
        """Return a duration, or None for a token that never expires."""
        return timedelta(days=int(self.cleaned_data["lifetime"])) or None
