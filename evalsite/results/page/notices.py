"""The warnings of a result in words: what may matter to whoever reads the scores, and why intervals are missing."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import scoring as engine
from evalsite.translating.engine import from_engine
from evalsite.wording import amount
from scoring.errors import about, side_of
from scoring.messages import Message, kind_of
from scoring.readers.explanations import Explanation, explain

_MOST_APART = 100  # each label that is unknown is named
_AGREE = ("all-resamples-agree", "both-ends-agree")
_SAID = "intervals-rough"  # beside the scores already
_MORE = ("number-more", "more-problems", "more-labels")  # with which a list ends that is cut short
_PLACE = re.compile(r"(?P<file>.+?)(?::(?P<line>[0-9]+))?(?::(?P<column>[0-9]+))?")
_SCORES_NAMED = 3


@dataclass(frozen=True)
class Notices:
    """What the page of a run says about one result beside its numbers."""

    causes: list[Explanation] = field(default_factory=list)  # the most telling first: as the engine lists them
    intervals: list[str] = field(default_factory=list)  # sentences about scores without interval
    files: list[str] = field(default_factory=list)  # what was done with the files of the upload, sentences


def notices(warnings: Iterable[str], titles: Mapping[str, str]) -> Notices:
    """Return the warnings of an evaluation by kind; `titles` are those of its scores."""
    problems: list[engine.Finding] = []
    further: dict[int, str] = {}
    without: list[str] = []
    undefined: list[tuple[str, int, int]] = []
    reasons: list[str] = []
    files: list[str] = []
    for warning in warnings:
        side, message = side_of(warning)
        kind, values = kind_of(message), message.values if isinstance(message, Message) else {}
        if kind == "score-without-interval" and kind_of(values["reason"]) in _AGREE:
            without.append(titles.get(values["score"], values["score"]))
        elif kind in ("no-interval", "score-without-interval"):
            reasons.append(values["reason"])
        elif side == "files":
            files.append(_sentence(message))
        elif kind == "score-undefined":
            numbers = values["undefined"].values
            undefined.append((titles.get(values["score"], values["score"]), numbers["n"], numbers["of"]))
        elif kind != _SAID:
            problem = _problem(side, message, titles)
            if problem.kind in _MORE and problems:
                further[len(problems) - 1] = problem.message
            else:
                problems.append(problem)
    causes = _with_further(explain(problems, most_apart=_MOST_APART), problems, further)
    return Notices(causes, [*_reasons(reasons), *_without(without), *_undefined(undefined)], files)


def _problem(side: str, message: str, titles: Mapping[str, str]) -> engine.Finding:
    """Return the warning with its file and line apart, and scores by their titles; the run's goes without saying."""
    file, line, column = None, None, None
    if isinstance(message, Message) and message.kind == "placed":
        if place := _PLACE.fullmatch(message.values["place"]):
            file = place["file"]
            line, column = (int(place[key]) if place[key] else None for key in ("line", "column"))
        message = message.values["problem"]
    message = _by_titles(message, titles)
    return engine.Finding(about(side, [message])[0] if side == "gold" else message, file, line, column)


def _by_titles(message: str, titles: Mapping[str, str]) -> str:
    """Return the message with titles of scores for their names."""
    if not isinstance(message, Message):
        return message
    named = {
        hole: Message("title", "“{title}”", title=Message.word(titles[value]))
        for hole, value in message.values.items()
        if type(value) is str and "_" in value and value in titles
    }
    return message.with_values(**named) if named else message


def _sentence(english: str) -> str:
    text = from_engine(english)
    return f"{text[:1].upper()}{text[1:]}."


def _with_further(
    causes: list[Explanation], problems: list[engine.Finding], further: Mapping[int, str]
) -> list[Explanation]:
    """Return the causes, with a note on those that a list cut short ends with."""
    for index, words in further.items():
        message = problems[index].message
        for k, cause in enumerate(causes):
            if cause.message.casefold() == message.casefold():
                causes[k] = replace(cause, further=from_engine(words))
    return causes


def _reasons(reasons: list[str]) -> list[str]:
    sentence = _("There are no intervals: %(reason)s.")
    return [sentence % {"reason": from_engine(reason)} for reason in dict.fromkeys(reasons)]


def _without(titles: list[str]) -> list[str]:
    """Return one sentence for all scores whose resamples agree.

    Which they are, the table says beside each.
    """
    return [_("Where it says “(no interval)”, all resamples agree.")] if titles else []


def _undefined(undefined: list[tuple[str, int, int]]) -> list[str]:
    """Return one sentence for all scores that some resamples leave undefined."""
    if not undefined:
        return []
    largest, of = max(n for _title, n, _of in undefined), undefined[0][2]
    sentence = _(
        "Undefined in some resamples, at most %(largest)s of %(of)s, which are left out of the interval: %(scores)s."
    )
    return [
        sentence
        % {"largest": amount(largest), "of": amount(of), "scores": _named([title for title, *_rest in undefined])}
    ]


def _named(titles: list[str]) -> str:
    """Join scores by semicolons, since some have commas; of many the first ones."""
    named = "; ".join(from_engine(title) for title in titles[:_SCORES_NAMED])
    n_more = len(titles) - _SCORES_NAMED
    if n_more <= 0:
        return named
    return ngettext("%(scores)s; and %(n)s more", "%(scores)s; and %(n)s more", n_more) % {"scores": named, "n": n_more}
