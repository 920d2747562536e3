"""The task's address, typed as the word that it is meant."""

from typing import Any

from django import forms
from django.utils.translation import gettext

from evalsite.challenges.models import Task


class DeleteForm(forms.Form):
    name = forms.CharField(max_length=100, widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}))

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.task = task
        self.fields["name"].label = gettext("To confirm, type the task's address: %(slug)s") % {"slug": task.slug}

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name not in (self.task.slug, self.task.title):
            raise forms.ValidationError(gettext("This is not its address. Nothing was deleted."))
        return name
