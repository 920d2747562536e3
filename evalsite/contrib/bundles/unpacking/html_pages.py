"""Makes Markdown of the pages of a competition, which are HTML, in one pass whose cost grows with their length.

No tree is made: parsers of HTML that make one open again what was left open, so that 44 kB of `<p><b id=1>` become
20 MB. What is shown is cleaned when the Markdown is (`evalsite.challenges.texts.markdown`).
"""

import re
from html import unescape

MOST_BYTES = 50_000  # of a page
DEEPEST = 8  # lists inside each other; what lies deeper stands on the eighth level
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_BLOCKS = {
    *("p", "div", "section", "table", "blockquote", "article", "header", "footer", "center"),
    *_HEADINGS,
}
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`"}
_SKIPPED = {
    name: re.compile(f"</{name}", re.IGNORECASE)
    for name in ("script", "style", "title", "svg", "iframe", "template", "textarea")
}
_SPACE = re.compile(r"[ \t\r\n]+")
# A tag may end without its bracket, where the next one begins. Quotes hide brackets; nothing is looked at twice.
_TOKEN = re.compile(
    r"""(?P<comment><!--)|<[!?][^>]*+>?|<(?P<end>/?)(?P<name>[a-z][a-z0-9]*+)"""
    r"""(?P<attributes>(?:[^<>"']|"[^"]*+"|'[^']*+')*+)>?|(?P<text>[^<]++|<)""",
    re.IGNORECASE,
)
_HREF = re.compile(r"""(?:^|[\s"'])href\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""", re.IGNORECASE)
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*+):", re.IGNORECASE)
_SCHEMES = {"http", "https", "mailto"}
_LONGEST_ADDRESS = 2000  # characters
_LARGE_NUMBER = re.compile(r"&#(?:[0-9]{8,}+|x[0-9a-f]{7,}+);?", re.IGNORECASE)  # beyond all characters
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def as_markdown(text: str) -> str:
    """Return HTML as Markdown: headings, paragraphs, lists, links, code, and the words of everything else."""
    page = _Page()
    place = 0
    while match := _TOKEN.match(text, place):
        place = match.end()
        if match["comment"]:
            end = text.find("-->", place)
            place = len(text) if end < 0 else end + 3
        elif match["text"]:
            page.add(match["text"])
        elif name := (match["name"] or "").lower():
            if skipped := not match["end"] and _SKIPPED.get(name):
                end_tag = skipped.search(text, place)
                place = end_tag.start() if end_tag else len(text)
            elif match["end"]:
                page.close(name)
            else:
                page.open(name, match["attributes"])
    lines = (line.rstrip() for line in "".join(page.parts).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


class _Page:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self._n_pre = 0
        self._lists: list[int | None] = []  # the next number of each list that is open; None: no numbers
        self._n_deeper = 0  # lists that are open below the deepest level
        self._link: str | None = None  # the address of the link that is open

    def open(self, name: str, attributes: str) -> None:
        if name == "pre":
            self._n_pre += 1
            self.parts.append("\n\n```\n")
        elif name in ("ul", "ol"):
            self._open_list(1 if name == "ol" else None)
        elif name == "li":
            self.parts.append(f"\n{'   ' * (len(self._lists) - 1)}{self._bullet()} ")
        elif name == "a":
            self.close("a")
            self._link = _address(attributes)
            self.parts.append("[")
        elif name in ("br", "tr", "dt", "dd"):
            self.parts.append("\n")
        elif name in ("td", "th"):
            self.parts.append(" | ")
        elif name in _BLOCKS:
            self.parts.append(f"\n\n{_HEADINGS.get(name, '')}")
        elif name in _MARKS and not self._n_pre:
            self.parts.append(_MARKS[name])

    def close(self, name: str) -> None:
        if name == "pre":
            self._n_pre = max(0, self._n_pre - 1)
            self.parts.append("\n```\n\n")
        elif name == "a" and self._link is not None:
            self.parts.append(f"]({self._link})" if self._link else "]")
            self._link = None
        elif name in ("ul", "ol"):
            self._close_list()
        elif name in _BLOCKS:
            self.parts.append("\n\n")
        elif name in _MARKS and not self._n_pre:
            self.parts.append(_MARKS[name])

    def add(self, text: str) -> None:
        plain = _plain(text)
        if self._n_pre:
            self.parts.append(plain)
            return
        single = _SPACE.sub(" ", plain)
        is_at_start = not self.parts or self.parts[-1].endswith(("\n", "# "))
        self.parts.append(single.lstrip() if is_at_start else single)

    def _open_list(self, number: int | None) -> None:
        self.parts.append("\n" if self._lists else "\n\n")
        if len(self._lists) < DEEPEST:
            self._lists.append(number)
        else:
            self._n_deeper += 1

    def _close_list(self) -> None:
        if self._n_deeper:
            self._n_deeper -= 1
        elif self._lists:
            self._lists.pop()
        else:
            return
        self.parts.append("\n" if self._lists else "\n\n")

    def _bullet(self) -> str:
        if not self._lists or self._lists[-1] is None:
            return "*"
        number, self._lists[-1] = self._lists[-1], self._lists[-1] + 1
        return f"{number}."


def _plain(text: str) -> str:
    """Return the text that references such as &lt; stand for; Python computes no number of thousands of digits."""
    return _CONTROL.sub("", unescape(_LARGE_NUMBER.sub("\ufffd", text)))


def _address(attributes: str) -> str:
    """Return the address of a link, as it can stand in Markdown; "" for one that no link may have."""
    match = _HREF.search(attributes)
    if match is None:
        return ""
    address = _plain(match[1] or match[2] or match[3] or "").strip()
    scheme = _SCHEME.match(address)
    if len(address) > _LONGEST_ADDRESS or (scheme and scheme[1].lower() not in _SCHEMES):
        return ""
    return re.sub(r"[\s()<>\\]", lambda sign: f"%{ord(sign[0]):02X}", address)
