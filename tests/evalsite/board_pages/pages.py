"""Reads a board's page as a visitor does."""

import re
from html import unescape
from http import HTTPStatus

from tests.own_pieces import seen

PATH = "/tasks/health/test/board/1/"


def page(client, query: str = "", path: str = PATH, status: int = 200) -> str:
    """Return the page with what is the visitor's own."""
    if status == HTTPStatus.OK:
        return seen(client, path + query)
    response = client.get(path + query)
    assert response.status_code == status
    return response.content.decode()


def rows(html: str) -> list[str]:
    return re.findall(r"<tr.*?</tr>", html.partition("<tbody")[2], re.DOTALL)


def text(html: str) -> str:
    """Return what one reads; a name in a sentence is no word apart from the comma after it."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", re.sub(r"</?bdi[^>]*>", "", html))).split())


def names(html: str) -> list[str]:
    found = (re.search(r'class="team-name" title="([^"]*)"', row) for row in rows(html))
    return [unescape(name[1]) for name in found if name]


def cells(html: str, css: str) -> list[str]:
    return [text(found) for found in re.findall(rf'<td role="cell" class="{css}"[^>]*>(.*?)</td>', html, re.DOTALL)]


def headings(html: str) -> list[str]:
    found = re.findall(r"<th scope=\"col\".*?</th>", html, re.DOTALL)
    return [text(re.sub(r"<svg.*?</svg>", "(chart)", heading, flags=re.DOTALL)) for heading in found]
