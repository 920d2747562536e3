"""Gives out the receipt of an upload to its team, and the public heads and links of the chain of all receipts."""

from datetime import date
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from evalsite.submissions.access import visible_submission
from evalsite.submissions.models import ReceiptDay
from evalsite.submissions.receiving.receipts import as_file, links_as_text, receipt_of

_DAYS = 100  # a page


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
    return render(request, "submissions/receipts.html", {"page": page})


@require_safe
def receipts_of_day(request: HttpRequest, day: str) -> StreamingHttpResponse:
    """Give the links of a day as text: with them anybody computes its head from the one before."""
    try:
        found = get_object_or_404(ReceiptDay, day=date.fromisoformat(day))
    except ValueError as error:
        raise Http404 from error
    return StreamingHttpResponse(links_as_text(found.day), content_type="text/plain")
