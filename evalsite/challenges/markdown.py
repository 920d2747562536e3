"""Markdown written by organisers, as HTML that cannot harm a reader."""

import nh3
from markdown_it import MarkdownIt

_PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_TAGS = {
    *("h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "ul", "ol", "li"),
    *("a", "strong", "em", "s", "code", "pre", "table", "thead", "tbody", "tr", "th", "td"),
}
_SCHEMES = {"http", "https", "mailto"}


def render(text: str) -> str:
    """Safe HTML; headings begin one level below the page's own.

    Images are left out: they would tell a foreign server who reads the page.
    Links carry rel="nofollow noopener noreferrer".
    """
    tokens = _PARSER.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"
        token.attrs.pop("style", None)  # of aligned table cells
    html = _PARSER.renderer.render(tokens, _PARSER.options, {})
    return nh3.clean(
        html,
        tags=_TAGS,
        attributes={"a": {"href", "title"}, "ol": {"start"}},
        url_schemes=_SCHEMES,
        link_rel="nofollow noopener noreferrer",
    )
