"""The form in which somebody switches kinds of mail."""

from django import forms
from django.utils.translation import gettext_lazy

from evalsite.mailing.models import Kind


class SwitchesForm(forms.Form):
    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("Mail that you get"),
        choices=Kind,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "About tasks that one of your teams has entered. You always get mail about your account."
        ),
    )
