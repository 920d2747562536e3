"""The page of a task's texts: title, description, pages in their order, pictures, and files for participants."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from evalsite.challenges import services
from evalsite.challenges.models import Announcement, Download, Page, Task
from evalsite.challenges.texts import pictures
from evalsite.challenges.texts.markdown import foreign_images
from evalsite.desk.access import desk_page
from evalsite.desk.sections import PREVIEW, SectionForm, Sections, created
from evalsite.desk.texts.forms import (
    AnnouncementForm,
    DescriptionForm,
    DownloadForm,
    NamesForm,
    PageForm,
    PictureForm,
    ReadersForm,
)

SECTIONS = [NamesForm, DescriptionForm, ReadersForm]


@desk_page()
def texts(request: HttpRequest, task: Task) -> HttpResponse:
    sections = Sections(request, SECTIONS, lambda: Task.objects.get(pk=task.pk))
    if sections.is_saved and sections.sent:
        _tell_saved(request, sections.sent)
        return redirect("desk_texts", sections.sent.instance.slug)
    return _texts(request, task, sections, PictureForm(task=task), sections.status)


def _texts(
    request: HttpRequest, task: Task, sections: Sections, picture_form: PictureForm, status: int = 200
) -> HttpResponse:
    context = {
        "sections": sections,
        "announcements": task.announcements.all(),
        "pages": task.pages.all(),
        "pictures": task.pictures.all(),
        "downloads": task.downloads.all(),
        "picture_form": picture_form,
    }
    return render(request, "desk/texts/texts.html", context, status=status)


def _tell_saved(request: HttpRequest, form: SectionForm) -> None:
    """Say that it is saved, and which images readers won't see."""
    messages.success(request, gettext("Saved."))
    text = str(form.cleaned_data.get(form.markdown, ""))
    if hidden := foreign_images(text, pictures.address_of_picture(form.task)):
        message = gettext(
            "Not shown, because other servers would learn who reads the page: %(names)s. Add the "
            "picture to this task, and use the name shown in the list of pictures."
        )
        messages.warning(request, message % {"names": ", ".join(hidden)})


@desk_page()
def page_add(request: HttpRequest, task: Task) -> HttpResponse:
    return _new(request, PageForm(request.POST or None, instance=Page(task=task)), gettext("New page"))


@desk_page()
def announcement_add(request: HttpRequest, task: Task) -> HttpResponse:
    form = AnnouncementForm(request.POST or None, instance=Announcement(task=task))
    return _new(request, form, gettext("New announcement"))


@desk_page()
def announcement(request: HttpRequest, task: Task, pk: str) -> HttpResponse:
    announcement = get_object_or_404(task.announcements, pk=pk)
    rows = task.announcements.select_related("task")
    return _answer_on_own_page(request, Sections(request, [AnnouncementForm], lambda: rows.get(pk=announcement.pk)))


@require_POST
@desk_page()
def announcement_delete(request: HttpRequest, task: Task, pk: str) -> HttpResponse:
    announcement = get_object_or_404(task.announcements, pk=pk)
    services.delete_announcement(announcement, by=request.user)
    messages.success(request, gettext("%(name)s was deleted; the log keeps its text.") % {"name": announcement.title})
    return redirect("desk_texts", task.slug)


@desk_page()
def download_add(request: HttpRequest, task: Task) -> HttpResponse:
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    return _new(request, DownloadForm(*sent, instance=Download(task=task)), gettext("New download"))


def _new(request: HttpRequest, form: SectionForm, title: str) -> HttpResponse:
    if request.method == "POST" and PREVIEW not in request.POST and form.is_valid():
        created(form, by=request.user)
        _tell_saved(request, form)
        return redirect("desk_texts", form.task.slug)
    context = {"form": form, "title": title}
    return render(request, "desk/texts/one.html", context, status=422 if form.errors else 200)


@desk_page()
def page(request: HttpRequest, task: Task, page: int) -> HttpResponse:
    page_row = get_object_or_404(task.pages, pk=page)
    return _answer_on_own_page(
        request, Sections(request, [PageForm], lambda: task.pages.select_related("task").get(pk=page_row.pk))
    )


@desk_page()
def download(request: HttpRequest, task: Task, pk: str) -> HttpResponse:
    download = get_object_or_404(task.downloads, pk=pk)
    rows = task.downloads.select_related("task")
    return _answer_on_own_page(request, Sections(request, [DownloadForm], lambda: rows.get(pk=download.pk)))


def _answer_on_own_page(request: HttpRequest, sections: Sections) -> HttpResponse:
    [form] = sections.forms
    if sections.is_saved:
        _tell_saved(request, form)
        return redirect("desk_texts", form.task.slug)
    context = {"form": form, "title": str(form.instance)}
    return render(request, "desk/texts/one.html", context, status=sections.status)


@require_POST
@desk_page()
def page_move(request: HttpRequest, task: Task, page: int) -> HttpResponse:
    page_row = get_object_or_404(task.pages, pk=page)
    services.move_page(page_row, -1 if "up" in request.POST else 1, by=request.user)
    return redirect("desk_texts", task.slug)


@require_POST
@desk_page()
def page_delete(request: HttpRequest, task: Task, page: int) -> HttpResponse:
    page_row = get_object_or_404(task.pages, pk=page)
    services.delete_page(page_row, by=request.user)
    messages.success(request, gettext("%(name)s was deleted; its text is in the log.") % {"name": page_row.title})
    return redirect("desk_texts", task.slug)


@require_POST
@desk_page()
def download_delete(request: HttpRequest, task: Task, pk: str) -> HttpResponse:
    download = get_object_or_404(task.downloads, pk=pk)
    services.delete_download(download, by=request.user)
    messages.success(request, gettext("%(name)s was deleted.") % {"name": download.title})
    return redirect("desk_texts", task.slug)


@require_POST
@desk_page()
def picture_add(request: HttpRequest, task: Task) -> HttpResponse:
    form = PictureForm(request.POST, request.FILES, task=task)
    if not form.is_valid():
        return _texts(request, task, Sections(request, SECTIONS, lambda: task), form, status=422)
    added = pictures.add_picture(task, form.cleaned_data["file"], by=request.user)
    text = gettext("The picture was added. To show it in a text, write ![what it shows](%(name)s).")
    messages.success(request, text % {"name": added.name})
    return redirect("desk_texts", task.slug)


@require_POST
@desk_page()
def picture_delete(request: HttpRequest, task: Task, pk: str) -> HttpResponse:
    picture = get_object_or_404(task.pictures, pk=pk)
    pictures.delete_picture(picture, by=request.user)
    messages.success(request, gettext("%(name)s was deleted.") % {"name": picture.name})
    return redirect("desk_texts", task.slug)
