"""Turns the options of a family into fields of a form, and what was sent into options again.

A field shows a value in one form, whichever way it is stored: labels as a list, also if a text with commas is stored.
A value that comes back as it was shown stays as it is stored, so a page that is only saved changes nothing.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext

from evalsite.desk.scenarios.rows import LinesField, RowsField, lines
from evalsite.translating.engine import from_engine
from evalsite.wording import option_value, words
from scoring.family import Family, Option, Options

LONGEST = 500  # characters of a text


class ChoiceOfOption(forms.TypedChoiceField):
    """A choice of the option's values, which may be numbers or booleans; with an empty one if there is no default."""

    def __init__(self, option: Option, titles: Mapping[str, str], value: Any, **kwargs: Any) -> None:
        choices = [*option.choices]
        if value is not None and value not in choices:
            choices.append(value)  # which a command takes, and a form does not offer
        self._by_text = {option_value(choice): choice for choice in choices}
        empty = [("", capfirst(gettext("by default")))] if option.default is None else []
        choices_shown = [(text, titles.get(text) or text) for text in self._by_text]
        super().__init__(choices=[*empty, *choices_shown], coerce=self._choice, empty_value=None, **kwargs)

    def _choice(self, value: Any) -> Any:
        return self._by_text[option_value(value)]

    def prepare_value(self, value: Any) -> Any:
        return "" if value is None else option_value(value)


def site_options(family: Family) -> list[Option]:
    """Return the options that a site can offer."""
    return [option for option in family.options if not option.is_local]


def title_of(option: Option) -> str:
    return from_engine(option.title) if option.title else capfirst(words(option.key))


def field_of(option: Option, value: Any = None, *, family: Family | None = None) -> forms.Field:
    """Return the field of an option, or of an argument of a row, that can also show this value."""
    field = _field(option, value, family)
    field.label, field.initial = title_of(option), display_value(option, option.default)
    field.help_text = _help(option, _titles(option))
    return field


def _field(option: Option, value: Any, family: Family | None) -> forms.Field:
    titles, is_required = _titles(option), option.default is ...
    if _is_boolean(option) and option.default is not None:
        return forms.BooleanField(required=False)
    if option.choices:
        return ChoiceOfOption(option, titles, value, required=option.default is not None)
    if option.takes == "rows":
        arguments = {kind.name: kind.arguments for kind in option.kinds}
        fields = {
            name: {option.key: field_of(option, family=family) for option in options}
            for name, options in arguments.items()
        }
        return RowsField(option, fields, required=is_required)
    if option.takes == "texts":
        return LinesField(required=is_required, rows=min(8, len(value or ()) + 1 if isinstance(value, list) else 2))
    if option.takes == "number":
        return forms.FloatField(widget=forms.NumberInput({"step": "any"}), required=is_required)
    if option.takes == "score":
        return ChoiceOfOption(_choice_of_score(option, family), _score_titles(family), value, required=is_required)
    return forms.CharField(max_length=LONGEST, strip=False, required=is_required)


def display_value(option: Option, value: Any) -> Any:
    """Return the value as its field gives it back."""
    if value is ...:
        value = option.choices[0] if option.choices else None
    if option.choices:
        value = _boolean(option, value)
        return next((choice for choice in option.choices if option_value(choice) == option_value(value)), value)
    if option.takes == "rows":
        return [display_row(option, row) for row in _rows(option, value)]
    if option.takes == "texts":
        parsed = _parsed(option, value) or ()
        if isinstance(parsed, Mapping):
            return lines("\n".join(f"{word} = {text}".strip() for word, text in parsed.items()))
        return lines("\n".join([parsed] if isinstance(parsed, str) else map(str, parsed)))
    if option.takes == "number":
        number = option.parse(value) if option.parse and value is not None else value
        return None if number is None else float(number)
    if option.takes == "text" and isinstance(value, list):
        return ",".join(map(str, value))
    return value if option.takes == "score" else value or ""


def stands_open(option: Option, value: Any) -> bool:
    """Return whether a form shows the option at once: somebody has set it, or few tasks do without it."""
    usual = display_value(option, option.default)
    is_needed = not option.is_advanced and (option.takes == "score" or usual not in (None, "", False))
    return bool(is_needed or value != usual)


def scores_there_are(choices: Iterable[tuple[str, str]], titles: Collection[str], value: Any) -> list[tuple[str, str]]:
    """Return the choices of a score that exist with the current options, and the one that is chosen."""
    return [choice for choice in choices if not choice[0] or choice[0] in titles or choice[0] == value]


def _is_boolean(option: Option) -> bool:
    """Return whether the option is a boolean; 0 and 1 are numbers."""
    return bool(option.choices) and all(isinstance(choice, bool) for choice in option.choices)


def _boolean(option: Option, value: Any) -> Any:
    """Parse "yes" and "no" of a boolean option; return any other value as it is."""
    if option.parse is None or not isinstance(value, str):
        return value
    try:
        return option.parse(value)
    except ValueError:
        return value


def display_row(option: Option, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row with all arguments of its kind."""
    kind = next(kind for kind in option.kinds if kind.name == row["name"])
    return {"name": kind.name} | {
        argument.key: display_value(argument, row.get(argument.key, argument.default)) for argument in kind.arguments
    }


def display_values(family: Family, options: Mapping[str, Any]) -> dict[str, Any]:
    return {
        option.key: display_value(option, options.get(option.key, option.default)) for option in site_options(family)
    }


def options_from(family: Family, sent: Mapping[str, Any], stored: Mapping[str, Any] | None) -> Options:
    """Return the options to store; `stored` is None for a scenario that is new.

    Defaults of advanced options are left out; what each task chooses is stored, since pages show it.
    """
    taken: Options = {}
    for option in site_options(family):
        value, before = sent[option.key], stored or {}
        if stored is not None and value == display_value(option, before.get(option.key, option.default)):
            taken |= {option.key: before[option.key]} if option.key in before else {}
        elif not _is_left_out(option, value):
            taken[option.key] = _stored_rows(option, value, before) if option.takes == "rows" else value
    return taken


def in_words(family: Family, option: Option, value: Any) -> str:
    """Return a value as text; rows have only the arguments that are not the default."""
    if option.takes == "rows":
        return "; ".join(_row_in_words(option, row) for row in value)
    if option.takes == "texts":
        return ", ".join(value)
    if option.takes == "score" and value:
        return _score_titles(family).get(value, value)
    if value in (None, ""):
        return ""
    return _titles(option).get(option_value(value)) or _plain(value)


def with_titles(option: Option, problem: str) -> str:
    """Return the engine's message about an argument of a row with the names of the form instead of its keys."""
    for kind in option.kinds:
        for argument in kind.arguments:
            if problem.startswith(start := f"{kind.name}: {argument.key} "):
                return f"{from_engine(kind.title)}, {title_of(argument)}: {problem.removeprefix(start)}"
    return problem


def _row_in_words(option: Option, row: Mapping[str, Any]) -> str:
    kind = next(kind for kind in option.kinds if kind.name == row["name"])
    usual = display_row(option, {"name": kind.name})
    changed = [
        argument for argument in kind.arguments if row[argument.key] != usual[argument.key] or argument.default is ...
    ]
    text = "; ".join(f"{title_of(argument)}: {_plain(row[argument.key])}" for argument in changed)
    return from_engine(kind.title) + (f" ({text})" if text else "")


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return ", ".join(map(str, value)) if isinstance(value, list) else option_value(value)


def _is_left_out(option: Option, value: Any) -> bool:
    if value in (None, ""):
        return True
    is_usual = bool(value == display_value(option, option.default))
    return is_usual and (option.is_advanced or value == [])


def _stored_rows(option: Option, rows: Iterable[Mapping[str, Any]], before: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return rows as they were stored if they look the same; others without default arguments."""
    there = [(display_row(option, row), dict(row)) for row in _rows(option, before.get(option.key))]
    return [next((row for seen, row in there if seen == sent), _without_defaults(option, sent)) for sent in rows]


def _without_defaults(option: Option, row: Mapping[str, Any]) -> dict[str, Any]:
    kind = next(kind for kind in option.kinds if kind.name == row["name"])
    arguments = {
        argument.key: row[argument.key]
        for argument in kind.arguments
        if argument.default is ...
        or (row[argument.key] not in (None, "") and row[argument.key] != display_value(argument, argument.default))
    }
    return {"name": kind.name} | arguments


def _rows(option: Option, value: Any) -> list[Mapping[str, Any]]:
    return list(value if isinstance(value, list) else _parsed(option, value) or ())


def _parsed(option: Option, value: Any) -> Any:
    return option.parse(value) or () if option.parse and value is not None else value


def _titles(option: Option) -> dict[str, str]:
    """Return {choice as text: what it means}, as far as there are words for it."""
    titles = {option_value(choice): from_engine(option.meaning(choice)) for choice in option.choices}
    return {text: title if title == text else capfirst(title) for text, title in titles.items() if title}


def _help(option: Option, titles: Mapping[str, str]) -> str:
    """Return the help text; none if the words of the choices say all of it."""
    if option.choices and not _is_boolean(option) and len(titles) == len(option.choices):
        return ""
    help_text, one = from_engine(option.help), gettext("One per line.")
    if help_text.casefold().endswith(title_of(option).casefold()) and option.takes != "texts":
        return ""  # the column of the labels
    is_code = help_text.partition(" ")[0].endswith(":")  # such as the value that the rest is about
    sentence = f"{help_text if is_code else capfirst(help_text)}."
    return f"{sentence} {one}" if option.takes == "texts" else sentence


def _score_titles(family: Family | None) -> dict[str, str]:
    return {key: from_engine(title) for key, title in family.score_titles.items()} if family else {}


def _choice_of_score(option: Option, family: Family | None) -> Option:
    return Option(option.key, None, tuple(family.score_titles) if family else (), option.help)
