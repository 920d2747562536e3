"""Markdown written by organisers, as HTML that cannot harm a reader."""

import nh3
from markdown_it import MarkdownIt

_PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_CLEANER = nh3.Cleaner(
    tags={
        *("h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "ul", "ol", "li"),
        *("a", "strong", "em", "s", "code", "pre", "table", "thead", "tbody", "tr", "th", "td"),
    },
    clean_content_tags={"script", "style"},
    attributes={"a": {"href", "title"}, "ol": {"start"}},
    url_schemes={"http", "https", "mailto"},
    link_rel="nofollow noopener noreferrer",
)
_TABLE_BEGINS = '<div class="table-scroll" role="region" aria-label="Table" tabindex="0"><table class="data">'


def render(text: str) -> str:
    """Safe HTML, to stand below a heading of level 2: the highest heading of the text becomes one of level 3.

    Images are left out: they would tell a foreign server who reads the page.
    """
    tokens = _PARSER.parse(text)
    headings = [token for token in tokens if token.type in ("heading_open", "heading_close")]
    highest = min((int(token.tag[1]) for token in headings), default=1)
    for token in headings:
        token.tag = f"h{min(6, int(token.tag[1]) - highest + 3)}"
    html = _CLEANER.clean(_PARSER.renderer.render(tokens, _PARSER.options, {}))
    # A wide table scrolls by itself, also by keyboard. Clean HTML holds no such text but these tags.
    return html.replace("<table>", _TABLE_BEGINS).replace("</table>", "</table></div>")
