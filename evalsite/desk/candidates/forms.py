"""What organisers say when they publish a candidate, or give it up."""

from django import forms
from django.utils.translation import gettext_lazy as _

from evalsite.challenges.models import Gold


class PublishForm(forms.Form):
    note = forms.CharField(
        label=_("What changed, in a few words"),
        max_length=Gold._meta.get_field("public_note").max_length,
        widget=forms.TextInput(attrs={"class": "form-control"}),
        help_text=_("Everybody reads it beside the board, such as: three labels mended."),
    )


class DiscardForm(forms.Form):
    reason = forms.CharField(
        label=_("Why it is discarded"),
        max_length=200,
        widget=forms.TextInput(attrs={"class": "form-control"}),
        help_text=_("Only organisers read it, in the log."),
    )
