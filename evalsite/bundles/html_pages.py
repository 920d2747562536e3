"""Makes Markdown of the pages of a competition, which are HTML or Markdown already."""

import re
from html.parser import HTMLParser

_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_BLOCKS = {
    "p",
    "div",
    "section",
    "table",
    "ul",
    "ol",
    "blockquote",
    "article",
    "header",
    "footer",
    "center",
    *_HEADINGS,
}
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`"}
_IGNORED = {"script", "style", "head", "title", "svg", "iframe"}
_SPACE = re.compile(r"[ \t\r\n]+")


def as_markdown(text: str) -> str:
    """Return HTML as Markdown: headings, paragraphs, lists, links, code, and the words of everything else."""
    page = _Page()
    page.feed(text)
    page.close()
    lines = (line.rstrip() for line in "".join(page.parts).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._n_ignored = self._n_pre = 0
        self._lists: list[int | None] = []  # the next number of each list that is open; None: no numbers
        self._links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in _IGNORED:
            self._n_ignored += 1
        elif tag == "pre":
            self._n_pre += 1
            self.parts.append("\n\n```\n")
        elif tag in ("ul", "ol"):
            self._lists.append(1 if tag == "ol" else None)
            self.parts.append("\n" if len(self._lists) > 1 else "\n\n")
        elif tag == "li":
            self.parts.append(f"\n{'   ' * (len(self._lists) - 1)}{self._bullet()} ")
        elif tag == "a":
            self._links.append(given.get("href") or "")
            self.parts.append("[")
        elif tag in ("br", "tr", "dt", "dd"):
            self.parts.append("\n")
        elif tag in ("td", "th"):
            self.parts.append(" | ")
        elif tag in _BLOCKS:
            self.parts.append(f"\n\n{_HEADINGS.get(tag, '')}")
        elif tag in _MARKS and not self._n_pre:
            self.parts.append(_MARKS[tag])

    def handle_endtag(self, tag: str) -> None:
        if tag in _IGNORED:
            self._n_ignored = max(0, self._n_ignored - 1)
        elif tag == "pre":
            self._n_pre = max(0, self._n_pre - 1)
            self.parts.append("\n```\n\n")
        elif tag == "a" and self._links:
            address = self._links.pop()
            self.parts.append(f"]({address})" if address else "]")
        elif tag in ("ul", "ol") and self._lists:
            self._lists.pop()
            self.parts.append("\n" if self._lists else "\n\n")
        elif tag in _BLOCKS:
            self.parts.append("\n\n")
        elif tag in _MARKS and not self._n_pre:
            self.parts.append(_MARKS[tag])

    def handle_data(self, data: str) -> None:
        if self._n_ignored:
            return
        text = data if self._n_pre else _SPACE.sub(" ", data)
        is_at_start = not self.parts or self.parts[-1].endswith(("\n", "# "))
        self.parts.append(text.lstrip() if is_at_start and not self._n_pre else text)

    def _bullet(self) -> str:
        if not self._lists or self._lists[-1] is None:
            return "*"
        number, self._lists[-1] = self._lists[-1], self._lists[-1] + 1
        return f"{number}."
