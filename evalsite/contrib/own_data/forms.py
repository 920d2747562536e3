"""The form by which somebody confirms that the account shall go."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from evalsite.accounts.models import User


class DeleteForm(forms.Form):
    address = forms.CharField(
        label=gettext_lazy("To confirm, type your e-mail address"),
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none"}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"]
        if address.strip().lower() != self.user.email:
            raise forms.ValidationError(gettext("This is not the address of your account. Nothing was deleted."))
        return address
