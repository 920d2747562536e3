"""Sends what a browser would from a page: the fields of its form as they stand, and what a person has typed."""

from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse


def filled(page: HttpResponse, form: str, **typed: Any) -> dict[str, Any]:
    """The fields of the form with this id; what is typed as None is left out, as an unticked box is."""
    reader = _Reader(form)
    reader.feed(page.content.decode())
    return {name: value for name, value in (reader.fields | typed).items() if value is not None}


class _Reader(HTMLParser):
    def __init__(self, form: str) -> None:
        super().__init__()
        self.fields: dict[str, Any] = {}
        self._form = form
        self._is_inside = False
        self._text: str | None = None  # name of the open text area
        self._select: str | None = None  # name of the open choice

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self._is_inside = given.get("id") == self._form
        name = given.get("name")
        # The last form of an inline, of which the browser's script makes new ones, is not sent.
        if not self._is_inside or "disabled" in given or (name and "__prefix__" in name):
            return
        if tag == "textarea" and name:
            self._text, self.fields[name] = name, ""
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select and ("selected" in given or self._select not in self.fields):
            self.fields[self._select] = given.get("value") or ""
        elif tag == "input" and name:
            self._input(name, given)

    def _input(self, name: str, given: dict[str, str | None]) -> None:
        kind = given.get("type")
        if kind in ("submit", "file") or (kind in ("checkbox", "radio") and "checked" not in given):
            return
        self.fields[name] = given.get("value") or ("on" if kind == "checkbox" else "")

    def handle_data(self, data: str) -> None:
        if self._text:
            self.fields[self._text] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea" and self._text:
            # A line end behind the opening tag is none of the text, and a browser ends lines in its own way.
            text = self.fields[self._text].removeprefix("\r").removeprefix("\n")
            self.fields[self._text] = "\r\n".join(text.splitlines())
            self._text = None
        elif tag == "select":
            self._select = None
        elif tag == "form":
            self._is_inside = False
