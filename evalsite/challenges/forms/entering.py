"""The forms by which a team enters a task, and agrees to terms that have changed."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from evalsite.accounts.models import Team
from evalsite.challenges.forms.own_fields import add_own_fields, answers_of, name_of
from evalsite.challenges.models import EntryRules
from evalsite.challenges.taking_part.own_fields import own_fields


class AgreeForm(forms.Form):
    """Agrees to the terms for a team; `terms` carries the number of the text that the page showed."""

    terms = forms.IntegerField(required=False, widget=forms.HiddenInput)
    agrees = forms.BooleanField(
        label=gettext_lazy("I have read the terms, and agree to them for the whole team"),
        error_messages={"required": gettext_lazy("A team takes part if it agrees to the terms.")},
    )

    def __init__(self, *args: Any, rules: EntryRules, teams: Sequence[Team], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["team"] = forms.ModelChoiceField(
            Team.objects.filter(pk__in=[team.pk for team in teams]),
            empty_label=None,
            initial=teams[0] if teams else None,
            label=gettext("Team"),
            widget=forms.HiddenInput if len(teams) == 1 else forms.RadioSelect,
        )
        if rules.terms:
            self.initial["terms"] = rules.terms_version
        else:
            del self.fields["terms"], self.fields["agrees"]

    @property
    def version(self) -> int:
        """Return the number of the terms that were agreed to."""
        return self.cleaned_data.get("terms") or 0

    def reject(self, words: str, rules: EntryRules) -> None:
        """Say why the form is not taken; the terms, which may have changed, have to be agreed to anew."""
        self.add_error(None, words)
        unread = {name: value for name, value in self.data.items() if name != "agrees"}
        self.data = unread | {"terms": str(rules.terms_version)}


class EntryForm(AgreeForm):
    """Enters a team: with the organisers' questions."""

    def __init__(self, *args: Any, rules: EntryRules, teams: Sequence[Team], **kwargs: Any) -> None:
        super().__init__(*args, rules=rules, teams=teams, **kwargs)
        self._own = own_fields(rules.questions)
        add_own_fields(self, self._own, {})
        self.order_fields(["team", *map(name_of, self._own)])

    @property
    def answers(self) -> dict[str, Any]:
        return answers_of(self, self._own)
