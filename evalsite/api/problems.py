"""Answers errors of the API, and problems of uploads, in the words of the pages."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

import scoring as engine
from evalsite.api.middleware import unauthorized
from evalsite.base.error_pages import problem
from evalsite.submissions.checking.quick_check import Checked
from evalsite.submissions.receiving.pipeline import Outcome
from evalsite.submissions.wording import cause_lines, cause_message
from evalsite.translating.engine import from_engine
from scoring.messages import kind_of
from scoring.readers.explanations import Explanation


class Refusal(Exception):
    """The request is refused; the answer says why, and when another try is worth it."""

    def __init__(self, status: int, detail: str, *, again_in: int | None = None, **more: Any) -> None:
        super().__init__(detail)
        self.status = status
        self.again_in = again_in  # seconds
        self.more = more


def answer_problems(api: NinjaAPI) -> None:
    """Answer every error of the API as `application/problem+json`."""
    answers: dict[type[Exception], Callable[[HttpRequest, Any], HttpResponse]] = {
        Refusal: _refused,
        Http404: lambda request, error: problem(
            404, _("There is nothing at this address, or nothing that you may see.")
        ),
        PermissionDenied: lambda request, error: problem(403, str(error) or _("You may not do this.")),
        AuthenticationError: lambda request, error: unauthorized(
            _("This needs an access token, as “Authorization: Bearer evs_…”.")
        ),
        HttpError: lambda request, error: problem(error.status_code, str(error)),
        ValidationError: _invalid,
    }
    for kind, answer in answers.items():
        api.add_exception_handler(kind, answer)


def _refused(request: HttpRequest, error: Refusal) -> HttpResponse:
    answer = problem(error.status, str(error), **error.more)
    if error.again_in is not None:
        answer["Retry-After"] = str(error.again_in)
    return answer


def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    errors = {".".join(map(str, each["loc"])): [each["msg"]] for each in error.errors}
    return problem(422, _("Something in the address or the form is wrong."), errors=errors)


def invalid_upload(checked: Iterable[Checked]) -> Refusal:
    """Return the refusal of an upload with problems: each with its place, and their causes as the page has them."""
    parts = [part for part in checked if part.problems]
    hints = [part.made_for.words for part in parts if part.made_for]
    return Refusal(
        422,
        " ".join(dict.fromkeys([_("The files have problems, so nothing was stored or counted."), *hints])),
        problems=[problem_of(each, part) for part in parts for each in part.problems],
        causes=[cause_of(each) | _place(part) for part in parts for each in part.causes],
    )


def odd_upload(outcome: Outcome) -> Refusal:
    """Return the refusal of files that can be scored and may not be what was meant, with how to have them scored."""
    return Refusal(
        409,
        _(
            "Something in the files looks odd, so nothing was queued or counted yet. To have them scored as they are, "
            "say so: anyway=true in the form, --anyway in the command."
        ),
        oddities=[oddity for part in outcome.checked for oddity in oddities_of(part)],
        kept=str(outcome.kept.pk) if outcome.kept else None,
    )


def oddities_of(part: Checked) -> list[dict[str, Any]]:
    """Return what looks odd, in the language of the request."""
    if part.description is None:
        return []
    return [
        asdict(oddity)
        | {
            "message": from_engine(oddity.message),
            "suggestion": from_engine(oddity.suggestion) if oddity.suggestion else None,
            "scenario": _number(part),
        }
        for oddity in part.description.oddities
    ]


def problem_of(problem: engine.Problem, part: Checked | None = None) -> dict[str, Any]:
    """Return a problem with its place; the message says what was found and what was expected."""
    place = {"file": problem.file, "line": problem.line, "column": problem.column}
    said = {"message": from_engine(problem.message), "kind": problem.kind, **place}
    return said | ({"scenario": _number(part)} if part else {})


def _number(part: Checked) -> int | None:
    return part.scenario.number if part.scenario else None


def _place(part: Checked) -> dict[str, Any]:
    return {"scenario": _number(part), "scenario_name": part.scenario.name if part.scenario else None}


def cause_of(cause: Explanation) -> dict[str, Any]:
    fields = {name: value for name, value in asdict(cause).items() if value not in ("", None)}
    texts = {name: from_engine(fields[name]) for name in ("further", "hint") if name in fields}
    places = [asdict(place) | {"lines": cause_lines(place)} for place in cause.places]
    kind = kind_of(cause.message)
    return fields | texts | {"message": cause_message(cause), "kind": kind, "places": places}


def form_errors(errors: Mapping[str, Iterable[object]]) -> Refusal:
    """Return the refusal with the errors of a form, field by field."""
    fields = {name if name != "__all__" else "form": [str(each) for each in found] for name, found in errors.items()}
    words = [f"{name}: {each}" if name != "form" else each for name, found in fields.items() for each in found]
    return Refusal(422, " ".join(words), errors=fields)
