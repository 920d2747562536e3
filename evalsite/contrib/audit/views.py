"""The page on which anybody has a table, or logs, of systems and units made into a board, without an account.

Limits are those of a check without an account, and nothing is stored.
"""

from http import HTTPStatus
from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from evalsite.challenges.storage.uploads import is_too_large
from evalsite.contrib.audit.board import NotAudited
from evalsite.contrib.audit.board import audit as board_of_table
from evalsite.submissions.forms import MultipleFileField
from evalsite.submissions.uploads import as_upload
from evalsite.trials.guests import Refused, as_guest
from evalsite.wording import size

_HEADINGS = ("unit", "group", "system", "score")


class AuditForm(forms.Form):
    table = MultipleFileField(
        label=gettext_lazy("Table or logs"),
        allow_empty_file=True,  # the reader says what is missing
        help_text=gettext_lazy(
            "A table as CSV, tab-separated, JSON Lines or JSON, in UTF-8; or logs, or a zip archive of them."
        ),
        words_if_none=gettext_lazy("Choose the file of your table."),
    )
    lower_is_better = forms.BooleanField(label=gettext_lazy("Lower is better, as for an error"), required=False)
    group = forms.CharField(
        label=gettext_lazy("Column of groups"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Units that belong together, such as the questions on one text, are drawn together."),
    )
    unit = forms.CharField(
        label=gettext_lazy("Column of units"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Where it is neither the first one nor called “unit”."),
    )
    system = forms.CharField(
        label=gettext_lazy("Column of systems"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Where each row is a score, and the column is not called “system”."),
    )
    score = forms.CharField(
        label=gettext_lazy("Column of scores"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Where each row is a score, and the column is not called “score”; of logs the metric."),
    )

    @property
    def headings(self) -> dict[str, str]:
        """Return the names of columns that were given, as the reader's keywords."""
        return {name: self.cleaned_data[name] for name in _HEADINGS if self.cleaned_data[name]}

    @property
    def names_columns(self) -> bool:
        return any(self[name].value() for name in _HEADINGS)


@require_http_methods(["GET", "HEAD", "POST"])
def audit(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _answer(request, AuditForm())
    form = AuditForm(request.POST, request.FILES)
    is_valid = form.is_valid()
    n_bytes = sum(file.size for file in form.cleaned_data["table"]) if is_valid else 0
    if is_too_large(request) or n_bytes > settings.MAX_OPEN_CHECK_BYTES:
        form.errors.pop("table", None)
        words = _("The table is larger than %(most)s, the limit here. The command below has no limit.")
        form.add_error("table", words % {"most": size(settings.MAX_OPEN_CHECK_BYTES)})
        return _answer(request, form, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return _compared(request, form) if is_valid else _answer(request, form, HTTPStatus.UNPROCESSABLE_ENTITY)


def _compared(request: HttpRequest, form: AuditForm) -> HttpResponse:
    try:
        with as_guest(request), as_upload(form.cleaned_data["table"]) as upload:
            board = board_of_table(upload, form.headings, lower_is_better=form.cleaned_data["lower_is_better"])
    except Refused as refused:
        form.add_error(None, refused.words)
        answer = _answer(request, form, refused.status)
        answer["Retry-After"] = str(refused.wait)
        return answer
    except NotAudited as error:
        if error.words:
            form.add_error(None, error.words)
        return _answer(request, form, HTTPStatus.UNPROCESSABLE_ENTITY, causes=error.causes)
    return _answer(request, form, audit=board, comparison=board.facts, matrix=board.matrix, unit=board.unit)


def _answer(request: HttpRequest, form: AuditForm, status: int = HTTPStatus.OK, **further: Any) -> HttpResponse:
    limits = {"max_bytes": settings.MAX_OPEN_CHECK_BYTES, "max_files": settings.DATA_UPLOAD_MAX_NUMBER_FILES}
    context = {"form": form} | limits | further
    return render(request, "contrib/audit/audit.html", context, status=status)
