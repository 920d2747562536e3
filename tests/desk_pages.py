"""Finds the pages of a task's desk as its visitors do: from its overview, by links."""

import re

from django.test import Client
from django.urls import resolve, reverse

_LINK = re.compile(r'href="(/tasks/[^"#]+)')


def desk_pages(client: Client, slug: str) -> dict[str, str]:
    """Return one page of each kind by its address's name, in the order in which links lead there, but no files."""
    desk = reverse("desk", args=[slug])
    pages: dict[str, str] = {}
    seen, to_open = {"desk"}, [desk]
    while to_open:
        path = to_open.pop(0)
        answer = client.get(path)
        if not answer.get("Content-Type", "").startswith("text/html"):
            continue
        pages[str(answer.resolver_match.url_name)] = path
        for link in _LINK.findall(answer.getvalue().decode()):
            link = link.replace("&amp;", "&")
            name = resolve(link.partition("?")[0]).url_name if link.startswith(desk) else "desk"
            if name not in seen:
                seen.add(name)
                to_open.append(link)
    return pages
