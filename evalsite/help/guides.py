"""Renders the guides, the Markdown files of docs/guides, as pages."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from evalsite.challenges.texts.markdown import Page, render_page

FOLDER = settings.BASE_DIR / "docs" / "guides"
ENGLISH = "en"
GUIDES = {
    "participants": (_("For participants"), _("From the account to a place on the board.")),
    "organisers": (_("For organisers"), _("A task, its gold and its phases, from the first draft to the release.")),
    "judges": (
        _("For judges"),
        _("Scores by a metric, a model or people, on your own machine, as uploads arrive."),
    ),
    "administrators": (
        _("For administrators"),
        _("Running your own site: installation, settings, backups, new versions."),
    ),
}
PICTURES = "pictures/"


@dataclass(frozen=True)
class Guide:
    name: str
    language: str  # in which it is written
    page: Page


def guide_of(name: str, language: str | None) -> Guide:
    """Return the guide in this language if there is such a file, `participants.es.md`, else in English."""
    language = (language or ENGLISH).partition("-")[0]
    path = FOLDER / f"{name}.{language}.md"
    if language != ENGLISH and path.is_file():
        return Guide(name, language, _rendered(path, language))
    return Guide(name, ENGLISH, _rendered(FOLDER / f"{name}.md", ENGLISH))


@cache
def _rendered(path: Path, language: str) -> Page:
    """Render in the guide's language, whoever asks first: the words that are put around its own are translated too."""
    with translation.override(language):
        return render_page(path.read_text(), address_of)


def address_of(target: str) -> str:
    """Return where a link or an image of a guide leads: another guide, a picture, a page of the site, or elsewhere."""
    path, _hash, anchor = target.partition("#")
    name = path.removesuffix(".md").partition(".")[0]
    if path.endswith(".md") and name in GUIDES:
        address = reverse("guide", args=[name])
        return f"{address}#{anchor}" if anchor else address
    return static(f"guides/{path.removeprefix(PICTURES)}") if path.startswith(PICTURES) else target
