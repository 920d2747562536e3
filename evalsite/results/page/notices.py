"""The warnings of a result in words: what may matter to whoever reads the scores, and why intervals are missing."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import scoring as engine
from evalsite.submissions.checking.causes import Explanation, explain
from evalsite.translating.engine import from_engine
from evalsite.wording import amount

_MOST_APART = 100  # each label that is unknown is named
_NO_INTERVAL = re.compile(r"(?:(?P<score>.+): )?no interval: (?P<reason>.+)")
_UNDEFINED = re.compile(r"(?P<score>.+): undefined in (?P<n>[0-9]+) of (?P<of>[0-9]+) resamples")
# Said beside the scores already.
_SAID = re.compile(r"fewer than [0-9]+ .+: the intervals are rough")
_PLACED = re.compile(r"(?P<file>[^\s:][^:]*\.\w+)(?::(?P<line>[0-9]+))?(?::(?P<column>[0-9]+))?: (?P<message>.+)", re.S)
_MORE = re.compile(r"and [0-9]+ more(?: \w+)?")
_FILES = "files: "
_SYSTEM = "system: "  # goes without saying on the page of a run
_GOLD = "gold: "
_AGREE = ("all resamples agree", "both ends agree")
_SCORES_NAMED = 3


@dataclass(frozen=True)
class Notices:
    """What the page of a run says about one result beside its numbers."""

    causes: list[Explanation] = field(default_factory=list)  # the most telling first: as the engine lists them
    intervals: list[str] = field(default_factory=list)  # sentences about scores without interval
    files: list[str] = field(default_factory=list)  # what was done with the files of the upload, sentences


def notices(warnings: Iterable[str], titles: Mapping[str, str]) -> Notices:
    """The warnings of an evaluation by kind; `titles` are those of its scores."""
    problems: list[engine.Problem] = []
    further: dict[int, str] = {}
    without: list[str] = []
    undefined: list[tuple[str, int, int]] = []
    reasons: list[str] = []
    files: list[str] = []
    for warning in warnings:
        if missing := _NO_INTERVAL.fullmatch(warning):
            if missing["reason"] in _AGREE and missing["score"]:
                without.append(titles.get(missing["score"], missing["score"]))
            else:
                reasons.append(missing["reason"])
        elif warning.startswith(_FILES):
            files.append(_sentence(warning.removeprefix(_FILES)))
        elif found := _UNDEFINED.fullmatch(warning):
            undefined.append((titles.get(found["score"], found["score"]), int(found["n"]), int(found["of"])))
        elif not _SAID.fullmatch(warning):
            problem = _problem(warning, titles)
            if _MORE.fullmatch(problem.message) and problems:
                further[len(problems) - 1] = problem.message
            else:
                problems.append(problem)
    causes = _with_further(explain(problems, most_apart=_MOST_APART), problems, further)
    return Notices(causes, [*_reasons(reasons), *_without(without), *_undefined(undefined)], files)


def _problem(warning: str, titles: Mapping[str, str]) -> engine.Problem:
    """The warning with its file and line apart, and scores by their titles."""
    is_gold = warning.startswith(_GOLD)
    text = warning.removeprefix(_SYSTEM).removeprefix(_GOLD)
    for name, title in titles.items():
        if "_" in name and name in text:
            text = re.sub(rf"\b{re.escape(name)}\b", f"“{title}”".replace("\\", r"\\"), text)
    placed = _PLACED.fullmatch(text)
    line, column = (int(placed[key]) if placed and placed[key] else None for key in ("line", "column"))
    message = placed["message"] if placed else text
    return engine.Problem(f"gold: {message}" if is_gold else message, placed["file"] if placed else None, line, column)


def _sentence(english: str) -> str:
    text = from_engine(english)
    return f"{text[:1].upper()}{text[1:]}."


def _with_further(
    causes: list[Explanation], problems: list[engine.Problem], further: Mapping[int, str]
) -> list[Explanation]:
    """The causes, those that a list cut short ends with told so."""
    for index, words in further.items():
        message = problems[index].message
        for k, cause in enumerate(causes):
            if cause.message.casefold() == message.casefold():
                causes[k] = replace(cause, further=from_engine(words))
    return causes


def _reasons(reasons: list[str]) -> list[str]:
    said = _("There are no intervals: %(reason)s.")
    return [said % {"reason": from_engine(reason)} for reason in dict.fromkeys(reasons)]


def _without(titles: list[str]) -> list[str]:
    """One sentence for all scores whose resamples agree; which they are, the table says beside each."""
    return [_("Where it says “(no interval)”, all resamples agree.")] if titles else []


def _undefined(found: list[tuple[str, int, int]]) -> list[str]:
    """One sentence for all scores that some resamples leave undefined."""
    if not found:
        return []
    largest, of = max(n for _title, n, _of in found), found[0][2]
    said = _(
        "Not defined in some resamples, at most %(largest)s of %(of)s, which are left out of the interval: %(scores)s."
    )
    return [said % {"largest": amount(largest), "of": amount(of), "scores": _named([title for title, *_rest in found])}]


def _named(titles: list[str]) -> str:
    """Scores with semicolons between them, since some have commas; of many the first ones."""
    named = "; ".join(from_engine(title) for title in titles[:_SCORES_NAMED])
    n_more = len(titles) - _SCORES_NAMED
    if n_more <= 0:
        return named
    return ngettext("%(scores)s; and %(n)s more", "%(scores)s; and %(n)s more", n_more) % {"scores": named, "n": n_more}
