"""Puts the visitor's own piece into a public page, as htmx and own.js do in a browser."""

import re
from html import unescape
from typing import Any

from lxml import html

_PIECE = re.compile(r'id="own-piece" hx-get="([^"]*)"')


def seen(client: Any, address: str) -> str:
    """What a visitor with JavaScript sees in the end."""
    page = client.get(address).content.decode()
    if not (found := _PIECE.search(page)):
        return page
    piece = client.get(unescape(found[1]))
    return put_together(page, piece.content.decode()) if piece.content else page


def own_piece(client: Any, page: str) -> Any:
    """The answer that brings what is the visitor's own on the page of this address."""
    return client.get("/mine/", {"page": page})


def put_together(page: str, piece: str) -> str:
    document = html.document_fromstring(page)
    for part in html.fragment_fromstring(piece, create_parent=True):
        if isinstance(part.tag, str):
            _swap(document, part)
    own = set(document.get_element_by_id("own-marks").get("data-entries", "").split())
    for row in document.xpath("//*[@data-entry]"):
        if row.get("data-entry") in own:
            row.set("class", f"{row.get('class', '')} is-own".strip())
    return html.tostring(document, encoding="unicode", doctype="<!doctype html>")


def _swap(document: Any, part: Any) -> None:
    how, _, selector = part.attrib.pop("hx-swap-oob").partition(":")
    for target in document.xpath(_xpath(selector or f"#{part.get('id')}")):
        if how in ("true", "outerHTML"):
            _copy_of(part, target, target.getparent())
        elif how == "innerHTML":
            target.text = part.text
            target[:] = list(part)
        else:
            target.extend(list(part))


def _copy_of(part: Any, target: Any, parent: Any) -> None:
    new = html.fragment_fromstring(html.tostring(part, encoding="unicode", with_tail=False))
    new.tail = target.tail
    parent.replace(target, new)


def _xpath(selector: str) -> str:
    """Of the few kinds of selectors that pieces have: an id, a class or an attribute, and a class within."""
    steps = []
    for part in selector.split(" "):
        if part.startswith("#"):
            steps.append(f"*[@id='{part[1:]}']")
        elif part.startswith("."):
            steps.append(f"*[contains(concat(' ', @class, ' '), ' {part[1:]} ')]")
        else:
            steps.append(f"*[@{part[1:-1]}]")
    return "//" + "//".join(steps)
