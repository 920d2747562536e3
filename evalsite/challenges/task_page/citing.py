"""The citation of a task, and how citations of what the site shows are written."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString

from evalsite.challenges.models import Task
from evalsite.wording import listed
from scoring.display.tables import escaped

WIDTH_OF_NAME = 12


@dataclass(frozen=True)
class TaskCitation:
    apa: SafeString
    bibtex: str


def citation_of_task(task: Task, year: int, address: str) -> TaskCitation:
    authors = authors_of(task)
    fields = {
        "author": bibtex_authors(authors),
        "title": f"{{{escaped(task.title)}}}",
        "year": str(year),
        "howpublished": escaped(f"Shared task, {settings.SITE_NAME}"),
        "url": address,
    }
    if task.doi:
        fields["doi"] = task.doi
    place = address_of_doi(task.doi) or address
    apa = format_html(
        "{} ({}). <em>{}</em> [Shared task]. {}. {}", listed(authors), year, task.title, settings.SITE_NAME, place
    )
    return TaskCitation(apa, bibtex(task.slug, fields))


def authors_of(task: Task) -> list[str]:
    """Return the names of the organisers, or the site's where none is named."""
    return [str(person) for person in task.named_organisers] or [settings.SITE_NAME]


def address_of_doi(doi: str) -> str:
    return f"https://doi.org/{doi}" if doi else ""


def bibtex_authors(authors: list[str]) -> str:
    """Return names that BibTeX takes as they are, since only people know which of their words is the family's."""
    return " and ".join(f"{{{escaped(author)}}}" for author in authors)


def bibtex(key: str, fields: Mapping[str, str]) -> str:
    """Return an entry of the kind `misc`; `month` is one of BibTeX's own words, which stands without braces."""
    lines = [
        f"  {name:{WIDTH_OF_NAME}} = {value if name == 'month' else f'{{{value}}}'}," for name, value in fields.items()
    ]
    word = re.sub(r"[^\w-]", "", key)
    return "\n".join([f"@misc{{{word},", *lines, "}"])
