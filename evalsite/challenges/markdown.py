"""Markdown written by organisers, as HTML that cannot harm a reader."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import nh3
from django.utils.html import format_html
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

_PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_CLEANER = nh3.Cleaner(
    tags={
        *("h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "ul", "ol", "li"),
        *("a", "strong", "em", "s", "code", "pre", "table", "thead", "tbody", "tr", "th", "td"),
    },
    clean_content_tags={"script", "style"},
    attributes={"a": {"href", "title"}, "ol": {"start"}, "th": {"data-align"}, "td": {"data-align"}},
    url_schemes={"http", "https", "mailto"},
    link_rel="nofollow noopener noreferrer",
)
_TABLE_BEGINS = '<div class="table-scroll" role="region" aria-label="Table" tabindex="0"><table class="data">'
# An address in the text, without the punctuation after it.
_ADDRESS = re.compile(r"https?://[^\s<>\"]*[^\s<>\".,;:!?'*_~]")
_ALIGNED = re.compile(r"text-align:(left|center|right)")


def render(text: str) -> str:
    """Safe HTML, to stand below a heading of level 2: the highest heading of the text becomes one of level 3.

    An image becomes a link to it: shown, it would tell a foreign server who reads the page.
    """
    tokens = _PARSER.parse(text)
    headings = [token for token in tokens if token.type in ("heading_open", "heading_close")]
    highest = min((int(token.tag[1]) for token in headings), default=1)
    for token in headings:
        token.tag = f"h{min(6, int(token.tag[1]) - highest + 3)}"
    for token in tokens:
        if aligned := _ALIGNED.fullmatch(str(token.attrs.pop("style", ""))):
            # No page has styles of its own elements.
            token.attrs["data-align"] = aligned[1]
        if token.children:
            token.children = list(_linked(token.children))
    html = _CLEANER.clean(_PARSER.renderer.render(tokens, _PARSER.options, {}))
    # A wide table scrolls by itself, also by keyboard. Clean HTML holds no such text but these tags.
    return html.replace("<table>", _TABLE_BEGINS).replace("</table>", "</table></div>")


def images(text: str) -> list[str]:
    """What each image of the text is called: by its words, or without them by its address."""
    found = (token for inline in _PARSER.parse(text) for token in inline.children or () if token.type == "image")
    return [_words(token) or str(token.attrs.get("src", "")) for token in found]


def _words(image: Token) -> str:
    return _PARSER.renderer.renderInlineAsText(image.children, _PARSER.options, {}).strip()  # type: ignore[attr-defined]


def _linked(tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens of a paragraph, in which addresses outside of links have become links; images know where they are."""
    depth = 0
    for token in tokens:
        depth += token.nesting if token.type in ("link_open", "link_close") else 0
        token.meta["is_in_link"] = depth > 0
        if token.type == "text" and not depth:
            yield from _with_links(token.content)
        else:
            yield token


def _with_links(text: str) -> Iterator[Token]:
    start = 0
    for match in _ADDRESS.finditer(text):
        # Of (see https://example.org) the address does not take the bracket.
        address = match[0].removesuffix(")") if "(" not in match[0] else match[0]
        yield _text(text[start : match.start()])
        yield Token("link_open", "a", 1, attrs={"href": _PARSER.normalizeLink(address)})
        yield _text(address)
        yield Token("link_close", "a", -1)
        start = match.start() + len(address)
    yield _text(text[start:])


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _image(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    """A link to the image, or in a link its words alone."""
    image = tokens[index]
    words = f"Image: {_words(image)}" if _words(image) else "Image"
    if image.meta.get("is_in_link"):
        return format_html("{}", words)
    return format_html('<a href="{}">{}</a>', image.attrs.get("src", ""), words)


_PARSER.add_render_rule("image", _image)
