"""The forms of a class: the setting, the target of each phase, and the list of students."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from evalsite.challenges.models import Phase, Task
from evalsite.desk.sections import SectionForm
from evalsite.submissions.models import Submission

LONGEST = 300_000  # characters of a list


class ClassForm(SectionForm):
    key, heading = "class", gettext_lazy("A class")

    class Meta:
        model = Task
        fields = ("is_class",)

    @property
    def stored_summary(self) -> str:
        return gettext("yes") if self.stored("is_class") else gettext("no")


class TargetForm(forms.Form):
    run = forms.ModelChoiceField(
        Submission.objects.none(), required=False, empty_label=gettext_lazy("none"), label=gettext_lazy("Target")
    )

    def __init__(self, *args: Any, phase: Phase, **kwargs: Any) -> None:
        kwargs.setdefault("prefix", phase.slug)
        super().__init__(*args, **kwargs)
        runs = Submission.objects.filter(phase=phase, reference__in=Submission.SHOWN, withdrawn=None)
        self.fields["run"].queryset = runs.order_by("created")
        self.fields["run"].label_from_instance = lambda run: f"{run.method} ({run.get_reference_display()})"
        self.fields["run"].label = phase.name


class ListForm(forms.Form):
    students = forms.CharField(
        label=gettext_lazy("List of students"),
        max_length=LONGEST,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Name, address and, if you like, a student number, a line each, by commas, semicolons or tabs: paste it "
            "from a spreadsheet. The first line may have headings."
        ),
    )
    file = forms.FileField(label=gettext_lazy("Or a file"), required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if file := cleaned.get("file"):
            if file.size > LONGEST:
                raise forms.ValidationError(gettext("The file is too large for a list of students."))
            data = file.read()
            try:
                cleaned["students"] = data.decode("utf-8-sig")
            except UnicodeDecodeError:
                cleaned["students"] = data.decode("cp1252", errors="replace")  # as spreadsheets on Windows write
        if not self.errors and not (cleaned.get("students") or "").strip():
            raise forms.ValidationError(gettext("Paste a list, or choose a file."))
        return cleaned
