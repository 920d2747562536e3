"""Gives out the receipt of an upload to its team, and the public heads and links of the chain of all receipts."""

from datetime import date
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.core.paginator import Paginator
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.template import Context
from django.views.decorators.http import require_safe

from evalsite.contrib.receipts.chain import as_file, links_as_text, receipt_of, recent_heads
from evalsite.contrib.receipts.models import ReceiptDay
from evalsite.submissions.access import visible_submission

_DAYS = 100  # a page
_HEADS_SECONDS = 5  # for which the heads of /status/ are shown again, however many ask


def run_panel(context: Context) -> dict[str, Any]:
    return {"receipt": receipt_of(context["submission"])}


def status_panel(context: Context) -> dict[str, Any]:
    """Return the latest heads; none where the database goes away while the page is made."""
    try:
        return {"heads": cache.get_or_set("receipt_heads", recent_heads, _HEADS_SECONDS)}
    except DatabaseError:
        return {"heads": []}


@require_safe
@login_required
def submission_receipt(request: HttpRequest, pk: UUID) -> JsonResponse:
    receipt = receipt_of(visible_submission(request, pk))
    if receipt is None:
        raise Http404
    response = JsonResponse(as_file(receipt), json_dumps_params={"indent": 2})
    response["Content-Disposition"] = f'attachment; filename="receipt-{receipt.link_id}.json"'
    return response


@require_safe
def receipts(request: HttpRequest) -> HttpResponse:
    """List the heads of the chain by day, the latest first."""
    page = Paginator(ReceiptDay.objects.all(), _DAYS).get_page(request.GET.get("page"))
    return render(request, "contrib/receipts/receipts.html", {"page": page})


@require_safe
def receipts_of_day(request: HttpRequest, day: str) -> StreamingHttpResponse:
    """Give the links of a day as text: with them anybody computes its head from the one before."""
    try:
        receipt_day = get_object_or_404(ReceiptDay, day=date.fromisoformat(day))
    except ValueError as error:
        raise Http404 from error
    return StreamingHttpResponse(links_as_text(receipt_day.day), content_type="text/plain")
