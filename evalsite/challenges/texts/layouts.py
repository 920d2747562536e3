"""What has to be uploaded, as plain text for kits and programs: the words of the page, which know the options."""

import re
from html.parser import HTMLParser

from django.template.loader import render_to_string

from evalsite.challenges.models import Scenario

_BLOCKS = {"p": "", "h3": "### ", "li": "- "}


def layout_text(scenario: Scenario) -> str:
    """Return the layout of an upload as Markdown, in the language that is active."""
    context = {"options": scenario.configured, "family": scenario.engine_family, "scenario": scenario}
    return as_markdown(render_to_string(scenario.layouts, context))


def as_markdown(html: str) -> str:
    r"""Return paragraphs, headings, lists and examples as Markdown; other elements are left out around their text.

    >>> as_markdown("<p>One <code>.csv</code>\n file:</p><pre>a,b\n1,2</pre><ul><li>First.</li> <li>Then.</li></ul>")
    'One `.csv` file:\n\n```\na,b\n1,2\n```\n\n- First.\n- Then.'
    """
    parser = _Markdown()
    parser.feed(html)
    parser.close()
    return parser.text()


class _Markdown(HTMLParser):
    """Collects the blocks of a text."""

    def __init__(self) -> None:
        super().__init__()
        self._blocks = [("", "")]  # the element and the text of each

    def text(self) -> str:
        joined = ""
        before = ""
        for element, text in self._blocks:
            written = _written(element, text)
            if written:
                between = "\n" if element == before == "li" else "\n\n"
                joined += (between if joined else "") + written
                before = element
        return joined

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCKS or tag == "pre":
            self._blocks.append((tag, ""))
        elif tag == "code":
            self.handle_data("`")
        elif tag == "br":
            self.handle_data("\v")

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS or tag == "pre":
            self._blocks.append(("", ""))
        elif tag == "code":
            self.handle_data("`")

    def handle_data(self, data: str) -> None:
        element, text = self._blocks[-1]
        self._blocks[-1] = (element, text + data)


def _written(element: str, text: str) -> str:
    """Return a block as Markdown; "" for one without words."""
    if element == "pre":
        return f"```\n{text.strip(chr(10))}\n```"
    lines = (re.sub(r"\s+", " ", line).strip() for line in text.split("\v"))
    words = "\n".join(lines).strip()
    return f"{_BLOCKS.get(element, '')}{words}" if words else ""
