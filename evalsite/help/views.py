"""The pages of help."""

from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from evalsite.help.guides import GUIDES, guide_of


@require_safe
def contents(request: HttpRequest) -> HttpResponse:
    language = get_language()
    guides = [(name, title, summary, guide_of(name, language)) for name, (title, summary) in GUIDES.items()]
    return render(request, "help/contents.html", {"guides": guides})


@require_safe
def guide(request: HttpRequest, name: str) -> HttpResponse:
    if name not in GUIDES:
        raise Http404
    others = [(other, title) for other, (title, _summary) in GUIDES.items()]
    shown = guide_of(name, get_language())
    html = mark_safe(shown.page.html)  # noqa: S308 - sanitised where it is made
    return render(request, "help/guide.html", {"guide": shown, "html": html, "others": others})


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """Show the owner's Markdown file about the site, privacy and who is responsible."""
    path = settings.ABOUT_FILE
    if not path or not Path(path).is_file():
        raise Http404
    return render(request, "help/about.html", {"text": Path(path).read_text()})
