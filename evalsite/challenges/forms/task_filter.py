"""Asks on the home page which tasks to show: by kind, language of the data, and state."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy, pgettext_lazy

from evalsite.challenges.task_page.overview import ListedTask
from evalsite.translating.engine import from_engine
from evalsite.wording import language_name
from scoring.families import FAMILIES

MIN_TASKS = 6  # tasks that are worth a filter: fewer are seen at a glance
STATES = {
    "open": pgettext_lazy("heading of tasks", "Open"),
    "upcoming": pgettext_lazy("heading of tasks", "Upcoming"),
    "closed": pgettext_lazy("heading of tasks", "Finished"),
}


class TaskFilter(forms.Form):
    """It offers what the listed tasks have, and nothing where all of them are alike."""

    kind = forms.ChoiceField(label=gettext_lazy("Kind"), required=False)
    language = forms.ChoiceField(label=gettext_lazy("Language of the data"), required=False)
    state = forms.ChoiceField(label=pgettext_lazy("of tasks", "State"), required=False)

    def __init__(self, *args: Any, listed: Sequence[ListedTask], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._offer("kind", ((name, _title(name)) for entry in listed for name in entry.families))
        tags = {entry.task.data_language for entry in listed} - {""}
        self._offer("language", ((tag, language_name(tag)) for tag in tags))
        states = {entry.state for entry in listed}
        self._offer("state", ((state, title) for state, title in STATES.items() if state in states))
        if len(listed) < MIN_TASKS:
            self.fields.clear()

    def _offer(self, name: str, offered: Iterable[tuple[str, Any]]) -> None:
        choices = list(dict(offered).items())
        if len(choices) < 2:
            del self.fields[name]
            return
        if name != "state":
            choices.sort(key=lambda choice: str(choice[1]).casefold())
        self.fields[name].choices = [("", pgettext_lazy("of tasks", "all")), *choices]  # type: ignore[attr-defined]
        self.fields[name].widget.attrs["class"] = "form-select"

    def keeps(self, entry: ListedTask) -> bool:
        """Return whether the task is one of those to show; what is asked for and nobody has is as if not asked for."""
        asked = self.cleaned_data if self.is_valid() else {}
        return (
            (not asked.get("kind") or asked["kind"] in entry.families)
            and asked.get("language", "") in ("", entry.task.data_language)
            and asked.get("state", "") in ("", entry.state)
        )

    @property
    def is_used(self) -> bool:
        return self.is_valid() and any(self.cleaned_data.values())


def _title(family: str) -> str:
    return from_engine(FAMILIES[family].title) if family in FAMILIES else family
