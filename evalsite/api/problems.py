"""Answers errors of the API, and problems of uploads, in the words of the pages."""

from collections.abc import Callable, Iterable, Mapping, Sequence
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
from evalsite.submissions.wording import cause_lines, cause_message, left_aside, shared
from evalsite.translating.engine import from_engine
from evalsite.wording import enumerated
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
    errors = {".".join(map(str, item["loc"])): [item["msg"]] for item in error.errors}
    return problem(422, _("Something in the address or the form is wrong."), errors=errors)


def invalid_upload(checked: Sequence[Checked]) -> Refusal:
    """Return the refusal of an upload with problems: each with its place, and their causes as the page has them."""
    parts = [part for part in checked if part.problems]
    hints = [left_aside(checked), *(part.made_for.words for part in parts if part.made_for)]
    return Refusal(
        422,
        " ".join(
            filter(None, dict.fromkeys([_("The files have problems, so nothing was stored or counted."), *hints]))
        ),
        problems=_once(parts, lambda part: map(finding_of, part.problems)),
        causes=_once(parts, lambda part: map(cause_of, part.causes), named=True),
    )


def odd_upload(outcome: Outcome) -> Refusal:
    """Return the refusal of files that can be scored and may not be what was meant, with how to have them scored."""
    return Refusal(
        409,
        " ".join(filter(None, [_looks_odd(), left_aside(outcome.checked)])),
        oddities=_once(outcome.checked, oddities_of),
        kept=str(outcome.kept.pk) if outcome.kept else None,
    )


def _looks_odd() -> str:
    return _(
        "Something in the files looks odd, so nothing was queued or counted yet. To have them scored as "
        "they are, use anyway=true in the form or --anyway in the command."
    )


def _once(
    parts: Sequence[Checked], findings: Callable[[Checked], Iterable[dict[str, Any]]], *, named: bool = False
) -> list[dict[str, Any]]:
    """Return what is told of the parts: of several scenarios once, with all of these and the first of them."""
    answers = []
    for indices, answer in shared(map(findings, parts)):
        scenarios = [scenario for index in indices if (scenario := parts[index].scenario)]
        numbers = [scenario.number for scenario in scenarios]
        place: dict[str, Any] = {"scenario": next(iter(numbers), None), "scenarios": numbers}
        if named:
            place["scenario_name"] = enumerated([scenario.name for scenario in scenarios]) or None
        answers.append(answer | place)
    return answers


def oddities_of(part: Checked) -> list[dict[str, Any]]:
    """Return what looks odd, in the language of the request."""
    return [*map(finding_of, part.description.oddities)] if part.description else []


def finding_of(finding: engine.Finding) -> dict[str, Any]:
    """Return a finding in the language of the request; the message says what was found and what was expected."""
    texts = {
        "message": from_engine(finding.message),
        "suggestion": from_engine(finding.suggestion) if finding.suggestion else None,
    }
    return finding.as_dict() | texts


def cause_of(cause: Explanation) -> dict[str, Any]:
    fields = {name: value for name, value in asdict(cause).items() if value not in ("", None)}
    texts = {name: from_engine(fields[name]) for name in ("further", "hint") if name in fields}
    places = [asdict(place) | {"lines": cause_lines(place)} for place in cause.places]
    kind = kind_of(cause.message)
    return fields | texts | {"message": cause_message(cause), "kind": kind, "places": places}


def form_errors(errors: Mapping[str, Iterable[object]]) -> Refusal:
    """Return the refusal with the errors of a form, field by field."""
    fields = {
        name if name != "__all__" else "form": [str(message) for message in messages]
        for name, messages in errors.items()
    }
    words = [
        f"{name}: {message}" if name != "form" else message for name, messages in fields.items() for message in messages
    ]
    return Refusal(422, " ".join(words), errors=fields)
