"""The form of a table of imported rows: for which scenario, pasted or as a file."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from evalsite.challenges.models import Scenario

LONGEST = 1_000_000  # bytes


class ImportForm(forms.Form):
    scenario = forms.TypedChoiceField(label=gettext_lazy("Scenario"), coerce=int)
    table = forms.CharField(
        label=gettext_lazy("Table"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Headings, then a line for each system, by commas, semicolons or tabs. The columns name, date and source "
            "are known by their headings; each other one is a score."
        ),
    )
    file = forms.FileField(
        label=gettext_lazy("Or a file"), required=False, help_text=gettext_lazy("CSV or TSV in UTF-8, up to 1 MB.")
    )

    def __init__(self, *args: Any, scenarios: Sequence[Scenario], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["scenario"].choices = [(each.number, f"{each.number}: {each.name}") for each in scenarios]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        file = cleaned.get("file")
        if file and file.size <= LONGEST:
            cleaned["table"] = _decoded(file.read())
        # A browser ends each line of what is pasted with two characters.
        size = file.size if file else len((cleaned.get("table") or "").replace("\r\n", "\n").encode())
        if size > LONGEST:
            raise forms.ValidationError(gettext("The table is too large: at most 1 MB is possible."))
        if not self.errors and not (cleaned.get("table") or "").strip():
            raise forms.ValidationError(gettext("Paste a table, or choose a file."))
        return cleaned


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        n = data.count(b"\n", 0, error.start) + 1
        words = gettext("Line %(n)d: this is not UTF-8. Save the table as CSV in UTF-8, and send it again.")
        raise forms.ValidationError(words % {"n": n}) from error
