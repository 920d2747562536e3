"""The form in which organisers write a letter."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from evalsite.challenges.models import Task
from evalsite.contrib.letters.audiences import audiences

LONGEST = 10_000  # characters


class LetterForm(forms.Form):
    """A letter; by its `key` the same one is never sent twice, whoever presses the button again."""

    audience = forms.ChoiceField(label=gettext_lazy("To"))
    subject = forms.CharField(
        label=gettext_lazy("Subject"),
        max_length=150,
        help_text=gettext_lazy("The name of the task is put before it."),
    )
    text = forms.CharField(
        label=gettext_lazy("Text"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 12}),
        help_text=gettext_lazy(
            "Plain text. Below it, the site adds what the letter is about and how to get no more letters."
        ),
    )
    key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, task: Task, asked: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["audience"].choices = list(audiences(task, self.data.get("audience", asked)))
