"""Exports a task as a bundle, and makes one of a bundle on pages of its own."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from evalsite.accounts.organisers import may_create_tasks
from evalsite.background.models import Job
from evalsite.base.error_pages import unavailable
from evalsite.base.faults import KnownFault, upload_refusal
from evalsite.challenges.access import Role
from evalsite.challenges.models import Task, record
from evalsite.challenges.storage.uploads import is_too_large
from evalsite.challenges.storage.zip_streams import zipped
from evalsite.contrib.bundles.forms import BundleForm, UseForm
from evalsite.contrib.bundles.importing import KIND, NotNow, choose_use, enqueue_import, undecided
from evalsite.contrib.bundles.writing import Bundle, with_digests
from evalsite.desk.access import desk_page
from evalsite.submissions.access import signed_in
from evalsite.submissions.receiving.rooms import NoRoom
from evalsite.submissions.uploads import as_upload


@desk_page(changes=Role.OWNER)
def export(request: HttpRequest, task: Task) -> HttpResponseBase:
    """Send the bundle to an owner who asks for it, in chunks and without a copy that stays; lead others to its page."""
    if request.method == "POST":
        bundle = Bundle(task)
        if not (missing := bundle.missing()):
            record(task, "task exported", actor=signed_in(request), subject=task.pk)
            answer = StreamingHttpResponse(zipped(with_digests(bundle.members())), content_type="application/zip")
            answer["Content-Disposition"] = content_disposition_header(True, f"{task.slug}-bundle.zip")
            return answer
        words = gettext("No bundle was made: files of the task are not stored any more: %(files)s")
        messages.error(request, words % {"files": ", ".join(missing)})
    return redirect(f"{reverse('desk_ending', args=[task.slug])}#bundle")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def import_task(request: HttpRequest) -> HttpResponse:
    """Take a bundle, unread, and start the job that imports it; its page tells what is wrong with it."""
    if not may_create_tasks(request.user):
        raise PermissionDenied(gettext("Your account cannot create tasks yet."))
    is_sent = request.method == "POST"
    form = BundleForm(
        *((request.POST, request.FILES) if is_sent else ()), is_too_large=is_sent and is_too_large(request)
    )
    status, headers = (422 if form.errors else 200), {}
    if is_sent and form.is_valid():
        try:
            with as_upload([form.cleaned_data["file"]]) as upload:
                job = enqueue_import(upload.path, upload.name, by=signed_in(request))
        except KnownFault as error:
            return unavailable(request, upload_refusal(error.fault))
        except NoRoom as error:
            form.add_error("file", str(error))
            status = 422
        except NotNow as error:
            form.add_error(None, str(error))
            status, headers = 429, {"Retry-After": str(error.again_in)}
        else:
            return redirect("organise_bundle_job", job.pk)
    answer = render(request, "contrib/bundles/import.html", {"form": form}, status=status)
    for name, value in headers.items():
        answer[name] = value
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def import_progress(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show how far the import is, and what has become of it; the part alone to a page that asks again.

    Of a competition it asks what its systems do.
    """
    user = signed_in(request)
    job = get_object_or_404(Job.objects.filter(kind=KIND, made_by=user).select_related("task"), pk=pk)
    is_sent = request.method == "POST"
    form = UseForm(request.POST if is_sent else None) if undecided(user).filter(pk=pk).exists() else None
    if form and form.is_valid():
        choose_use(job, form.cleaned_data["use"], by=user)
    if is_sent and not (form and form.errors):
        return redirect("organise_bundle_job", job.pk)
    template = "contrib/bundles/_progress.html" if getattr(request, "htmx", False) else "contrib/bundles/progress.html"
    context = {"job": job, "problems": job.result.get("problems", []), "form": form}
    return render(request, template, context, status=422 if form and form.errors else 200)
