"""Puts the visitor's own piece into a public page, as htmx and own.js do in a browser."""

import re
from copy import deepcopy
from html import unescape
from typing import Any

from lxml import html

_PIECE = re.compile(r'id="own-piece" hx-get="([^"]*)"')


def seen(client: Any, address: str) -> str:
    """Return what a visitor with JavaScript sees in the end."""
    page = client.get(address).content.decode()
    if not (found := _PIECE.search(page)):
        return page
    piece = client.get(unescape(found[1]))
    return put_together(page, piece.content.decode()) if piece.content else page


def own_piece(client: Any, page: str, headers: dict[str, str] | None = None) -> Any:
    """The answer that brings what is the visitor's own on the page of this address."""
    return client.get("/mine/", {"page": page}, headers=headers)


def put_together(page: str, piece: str) -> str:
    document = html.document_fromstring(page)
    for part in html.fragment_fromstring(piece, create_parent=True):
        if isinstance(part.tag, str):
            _swap(document, part)
    _mark_rows(document, document.get_element_by_id("own-marks"))
    return html.tostring(document, encoding="unicode", doctype="<!doctype html>")


def _mark_rows(document: Any, marks: Any) -> None:
    own = set(marks.get("data-entries", "").split())
    tokens = document.xpath("//*[@id='own-account']//*[@name='csrfmiddlewaretoken']/@value")
    for field in document.xpath(_xpath(".own-token")):
        field.set("value", (tokens or [marks.get("data-token", "")])[0])
    cells = {cell.get("data-cell"): cell for cell in marks.xpath("*[@data-cell]")}
    tags = marks.xpath("*[@data-tag]")
    for row in document.xpath("//*[@data-entry]"):
        if (mark := row.get("data-entry")) not in own:
            continue
        row.set("class", f"{row.get('class', '')} is-own".strip())
        for place in row.xpath(f".{_xpath('.team')}")[:1]:
            if mark in cells:
                place[:] = list(cells[mark])
            else:
                place.extend(deepcopy(tags))
    marks[:] = []


def _swap(document: Any, part: Any) -> None:
    how, _, selector = part.attrib.pop("hx-swap-oob").partition(":")
    for target in document.xpath(_xpath(selector or f"#{part.get('id')}")):
        if how == "innerHTML":
            target.text = part.text
            target[:] = map(deepcopy, part)
        else:
            new = html.fragment_fromstring(html.tostring(part, encoding="unicode", with_tail=False))
            new.tail = target.tail
            target.getparent().replace(target, new)


def _xpath(selector: str) -> str:
    """Find an element by the kinds of selectors that pieces have: an id or some, or a class."""
    if "," in selector:
        return "|".join(map(_xpath, selector.split(",")))
    if selector.startswith("#"):
        return f"//*[@id='{selector[1:]}']"
    return f"//*[contains(concat(' ', @class, ' '), ' {selector[1:]} ')]"
