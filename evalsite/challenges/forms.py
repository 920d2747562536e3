"""What the forms of uploads share, those of runs and those of gold."""

from collections.abc import Iterable

from django import forms
from django.utils.translation import gettext

from evalsite.challenges.models import Scenario
from evalsite.challenges.services import must_be_chosen


def require_choice(field: forms.Field, scenarios: Iterable[Scenario]) -> None:
    """Ask for the scenarios of an upload where its files cannot tell them."""
    if must_be_chosen(scenarios):
        field.required = True
        field.label = gettext("For these scenarios")
        field.help_text = gettext("The file does not tell what it is for.")
        field.error_messages["required"] = gettext("Choose the scenario that the file is for.")
