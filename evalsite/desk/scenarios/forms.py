"""The form of a scenario: its name, the options of its family as fields, and the scores that boards show."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Max
from django.utils.translation import gettext, gettext_lazy

import scoring
from evalsite.base.contrib import Ability, can
from evalsite.challenges.forms.editing import CarefulForm, as_shown
from evalsite.challenges.models import Changes, Scenario, Task
from evalsite.challenges.soft_drafts import is_soft
from evalsite.desk.examples.replacing import problem_of_options
from evalsite.desk.scenarios.option_fields import (
    display_values,
    field_of,
    in_words,
    options_from,
    scores_there_are,
    site_options,
    stands_open,
    title_of,
    with_titles,
)
from evalsite.desk.scenarios.ordered import OrderedField
from evalsite.translating.engine import from_engine
from scoring.families.parts import reading_parts
from scoring.family import Family, Option, Options, Use

_PREFIX = "option_"  # of names of fields


class ScenarioForm(CarefulForm):
    """Family and options are frozen once runs have been scored with them, since scores would not compare.

    In a draft without teams they stay open, and the organisers' own runs follow.
    """

    class Meta:
        model = Scenario
        fields = ("name", "number", "description", "takes_reports", "is_judged", "judge_days", "digits")
        labels = {
            "name": gettext_lazy("Name"),
            "number": gettext_lazy("Number"),
            "takes_reports": gettext_lazy("Participants report scores of their own"),
            "is_judged": gettext_lazy("Judged elsewhere"),
            "judge_days": gettext_lazy("Days until a run without scores is reported"),
            "digits": gettext_lazy("Digits of scores"),
        }
        help_texts = {
            "name": gettext_lazy("As participants read it, for example: Names of people and places."),
            "number": gettext_lazy(
                "Its position among the task's scenarios, and its number in the addresses of "
                "boards. Former addresses still work."
            ),
            "description": gettext_lazy("What is to be found, in which data. Markdown, shown on the task's page."),
            "takes_reports": gettext_lazy(
                "Off: you bring the scores of all runs, and nobody else uploads. On: teams upload scores of their own, "
                "which nobody can check. Boards show them as the team says, outside the ranks and all comparisons."
            ),
            "is_judged": gettext_lazy(
                "Participants upload the output of their systems, in any format that you describe. It waits until a "
                "judge that you run, such as COMET, a language model or people, has posted scores for its units. It "
                "cannot change once there are runs."
            ),
            "judge_days": gettext_lazy("The organisers are notified of runs that have waited longer for the judge."),
            "digits": gettext_lazy("How scores are written on boards and pages. Downloads have them in full."),
        }
        widgets = {"description": forms.Textarea(attrs={"rows": 4})}

    def __init__(self, *args: Any, use: Use | None = None, only_adds_row: bool = False, **kwargs: Any) -> None:
        scenario: Scenario = kwargs["instance"]
        # With the options that distinguish languages of an upload, also if there is only one.
        self.family: Family = reading_parts(scenario.engine_family)
        self.only_adds_row = only_adds_row
        self.has_runs = not scenario._state.adding and scenario.scorings.exists()
        self.is_frozen = self.has_runs and not is_soft(scenario.task)
        self.removes_example = False  # whether the example's gold does not fit the options that were sent
        self._values = display_values(self.family, use.options if use else scenario.options)
        self._titles = self.family.titles(self.family.configure(use.options) if use else scenario.configured)
        options = {_PREFIX + key: value for key, value in self._values.items()}
        super().__init__(*args, initial={**options, "shown_scores": scenario.shown_scores}, **kwargs)

    def prepare(self) -> None:
        if self.is_new:
            del self.fields["number"]
        if not self.family.offer.is_brought_by_organisers:
            del self.fields["takes_reports"]
        if not (self.family.offer.is_brought_by_organisers and can(Ability.JUDGING)):
            del self.fields["is_judged"], self.fields["judge_days"]
        elif self.is_frozen:
            self.fields["is_judged"].disabled = True  # what waits has no scores, and what is scored no judge
        self.fields["digits"].choices = [("", gettext("as usual for this score")), *Scenario.Digits.choices]
        for option in [] if self.is_frozen else self.options:
            field = field_of(option, self._values[option.key], family=self.family)
            self.fields[_PREFIX + option.key] = field
            if option.takes == "score":
                self._narrow(option.key, field)
        titles = {key: from_engine(title) for key, title in self._titles.items()}
        usual = [self.instance.headline, *self.instance.usual_scores]
        columns = gettext(
            "The board's columns, in the order of their numbers; the score that ranks always "
            "comes first. Tick none to get the usual ones."
        )
        secrecy = gettext(
            "While the gold is hidden, participants see only these scores, and every upload can "
            "reveal up to 13 bits of the gold through each of them."
        )
        self.fields["shown_scores"] = OrderedField(
            titles,
            usual,
            label=gettext("Shown scores"),
            help_text=f"{columns} {secrecy}",
        )

    def _narrow(self, key: str, field: Any) -> None:
        """Offer the scores that the stored options have; one that others would have is taken all the same."""
        value = self.data.get(_PREFIX + key) if self.is_bound else self._values[key]
        offered = scores_there_are(field.choices, self._titles, value)
        if len(offered) < len(field.choices):
            field.help_text += " " + gettext("Scores that other options add appear here once those options are saved.")
        field.widget.choices = offered

    @property
    def options(self) -> list[Option]:
        return site_options(self.family)

    @property
    def main_options(self) -> list[forms.BoundField]:
        return self._fields_of(folded=False)

    @property
    def folded_options(self) -> list[forms.BoundField]:
        return self._fields_of(folded=True)

    def _fields_of(self, *, folded: bool) -> list[forms.BoundField]:
        options = [option for option in self.options if stands_open(option, self._values[option.key]) != folded]
        return [self[_PREFIX + option.key] for option in options if _PREFIX + option.key in self.fields]

    @property
    def has_folded_problems(self) -> bool:
        return any(field.errors for field in self.folded_options)

    @property
    def has_column_problems(self) -> bool:
        return any(name in self.errors for name in ("shown_scores", "digits", "number"))

    @property
    def columns(self) -> str:
        """Return the scores that boards show with what is stored."""
        chosen = [from_engine(self._titles[key]) for key in self.instance.shown_scores if key in self._titles]
        return ", ".join(chosen) or gettext("the usual ones")

    @property
    def frozen_options(self) -> list[tuple[str, str]]:
        """Return title and value of the options that a form would show open, for reading."""
        return self._frozen(folded=False)

    @property
    def folded_frozen_options(self) -> list[tuple[str, str]]:
        return self._frozen(folded=True)

    def _frozen(self, *, folded: bool) -> list[tuple[str, str]]:
        values = display_values(self.family, self.instance.configured)
        options = [option for option in self.options if stands_open(option, self._values[option.key]) != folded]
        texts = [(title_of(option), in_words(self.family, option, values[option.key])) for option in options]
        return [(title, words) for title, words in texts if words]

    @property
    def watched(self) -> list[str]:
        names = [_PREFIX + option.key for option in self.options] + ["shown_scores"]
        return [*super().watched, *(name for name in names if name in self.fields)]

    @property
    def changes(self) -> Changes:
        """Return the changes, with values of options in words, as they are read later."""
        return {
            name.removeprefix(_PREFIX): (self.as_shown(name, self.stored(name)), self.as_shown(name, self.sent(name)))
            for name in self.changed_data
        }

    def as_shown(self, name: str, value: Any) -> str:
        if name == "shown_scores":
            return ", ".join(value)
        if not name.startswith(_PREFIX):
            return as_shown(value)
        option = next(option for option in self.options if _PREFIX + option.key == name)
        return in_words(self.family, option, value)

    def is_valid(self) -> bool:
        return not self.only_adds_row and super().is_valid()

    def full_clean(self) -> None:
        """Validate the form, unless it was sent only to get one more row."""
        if not self.only_adds_row:
            return super().full_clean()
        self._errors = forms.utils.ErrorDict()
        self.cleaned_data = {}

    def clean_number(self) -> int:
        number: int = self.cleaned_data["number"]
        if self.instance.task.scenarios.filter(number=number).exclude(pk=self.instance.pk).exists():
            raise ValidationError(gettext("Another scenario of this task has this number."))
        return number

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        self.instance.shown_scores = self.cleaned_data.get("shown_scores", [])
        if not self.is_frozen and not self._option_errors:
            self._take_options()
        return cleaned

    @property
    def _option_errors(self) -> bool:
        return any(name.startswith(_PREFIX) for name in self.errors)

    def _take_options(self) -> None:
        sent = {option.key: self.cleaned_data[_PREFIX + option.key] for option in self.options}
        options = options_from(self.family, sent, None if self.is_new else self.instance.options)
        if not self._are_valid(options):
            return
        is_other = not self.is_new and options != self.instance.options
        self.instance.options = options
        if is_other:
            problem, self.removes_example = problem_of_options(self.instance)
            if problem:
                self.add_error(None, problem)

    @property
    def alters_scores(self) -> bool:
        """Return whether runs of before have other scores by what was sent."""
        names = {name for name in self.changed_data if name.startswith(_PREFIX)}
        return bool(self.has_runs and (names or "is_judged" in self.changed_data)) or self.removes_example

    def _are_valid(self, options: Options) -> bool:
        """Validate option by option, since together the engine's message would quote values as programs write them."""
        for option in self.options:
            try:
                if option.parse and options.get(option.key) is not None:
                    option.parse(options[option.key])
            except ValueError as error:
                self.add_error(_PREFIX + option.key, with_titles(option, from_engine(error)))
        if not self._option_errors:
            try:
                self.family.configure(options)
            except scoring.ConfigurationError as error:
                self._add_problem(error)
        return not self.errors

    def _add_problem(self, error: scoring.ConfigurationError) -> None:
        """Say of a score that these options do not have so; the engine's message would list keys."""
        message = error.args[0]
        if getattr(message, "kind", "") not in ("option-no-score", "option-no-score-near"):
            return self.add_error(None, from_engine(error))
        text = gettext("“%(score)s” needs other options. Choose another score.")
        title = from_engine(self.family.score_titles.get(message.values["score"], message.values["score"]))
        self.add_error(_PREFIX + message.values["key"], text % {"score": title})


def new_scenario(task: Task, family: Family, use: Use) -> Scenario:
    """Return the next scenario of the task, not saved yet, with the options that its form begins with."""
    number = (task.scenarios.aggregate(last=Max("number"))["last"] or 0) + 1
    values = {"family": family.name, "use": use.key, "options": dict(use.options), "is_judged": use.is_judged}
    return Scenario(task=task, number=number, **values)
