"""Renders Markdown: texts of organisers as HTML that cannot harm a reader, and pages of the site's own."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import unescape
from typing import Any

import nh3
from django.utils.html import format_html, strip_tags
from django.utils.text import slugify
from django.utils.translation import gettext
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from evalsite.challenges.texts import formulas
from evalsite.challenges.texts.formulas import take_formulas

_PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_PAGE_PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
take_formulas(_PARSER)
footnote_plugin(_PARSER, inline=False)
_TAGS = {
    *("h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "ul", "ol", "li"),
    *("a", "strong", "em", "s", "code", "pre", "table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}, "th": {"data-align"}, "td": {"data-align"}}
_FOOTNOTES = {"a": {"href", "title", "id"}, "li": {"id"}}  # to which others lead; no text makes such a name itself
_SCHEMES = {"http", "https", "mailto"}
_CLEANER = nh3.Cleaner(
    tags=_TAGS | {"img", "sup"} | formulas.TAGS,
    clean_content_tags={"script", "style"},
    attributes=_ATTRIBUTES | _FOOTNOTES | {"img": {"src", "alt", "title"}} | formulas.ATTRIBUTES,
    url_schemes=_SCHEMES,
    link_rel="nofollow noopener noreferrer",
)
_PAGE_CLEANER = nh3.Cleaner(
    tags=_TAGS | {"h2", "img"},
    clean_content_tags={"script", "style"},
    attributes=_ATTRIBUTES | {"h2": {"id"}, "h3": {"id"}, "img": {"src", "alt", "title"}},
    url_schemes=_SCHEMES,
    link_rel=None,
)
_TABLE_BEGINS = '<div class="table-scroll" role="region" aria-label="{}" tabindex="0"><table class="data">'
# An address in the text, without the punctuation after it.
_ADDRESS = re.compile(r"https?://[^\s<>\"]*[^\s<>\".,;:!?'*_~]")
_ALIGNED = re.compile(r"text-align:(left|center|right)")


AddressOf = Callable[[str], str]  # of a picture by its name; "" of one that is not shown here


def _nowhere(name: str) -> str:
    return ""


def render(text: str, address_of: AddressOf = _nowhere) -> str:
    """Return safe HTML to stand below a heading of level 2: the text's highest heading gets level 3.

    A picture of the task's own is shown, by its name. A foreign one becomes a link to it: shown, it would tell a
    foreign server who reads the page.
    """
    tokens = _PARSER.parse(text)
    _lower(tokens, 3)
    for token in tokens:
        if token.children:
            token.children = list(_linked(token.children))
    return _html(tokens, _PARSER, _CLEANER, address_of, sha256(text.encode()).hexdigest()[:8])


def plain_text(text: str) -> str:
    """Return the words of a text, in one line and without marks."""
    return " ".join(unescape(strip_tags(render(text))).split())


@dataclass(frozen=True)
class Page:
    """A page of the site's own; `contents` are its headings of level 2, as (anchor, words)."""

    title: str
    html: str
    contents: list[tuple[str, str]]


def render_page(text: str, address_of: AddressOf) -> Page:
    """Render a page of the site's own; `address_of` gives the address of what a link or an image of the text names.

    The first heading is the page's title; those below it get anchors, made of their words.
    """
    tokens = _PAGE_PARSER.parse(text)
    title = ""
    if len(tokens) > 2 and tokens[0].type == "heading_open":
        title, tokens = _words(tokens[1]), tokens[3:]
    _lower(tokens, 2)
    contents = []
    for token, inside in zip(tokens, tokens[1:], strict=False):
        if token.type == "heading_open":
            token.attrs["id"] = anchor = slugify(_words(inside), allow_unicode=True)
            if token.tag == "h2":
                contents.append((anchor, _words(inside)))
    for token in (child for outer in tokens for child in outer.children or ()):
        for name in ("href", "src"):
            if name in token.attrs:
                token.attrs[name] = address_of(str(token.attrs[name]))
    return Page(title, _html(tokens, _PAGE_PARSER, _PAGE_CLEANER), contents)


def _lower(tokens: Sequence[Token], top: int) -> None:
    """Make the highest headings ones of this level, and the others follow."""
    headings = [token for token in tokens if token.type in ("heading_open", "heading_close")]
    highest = min((int(token.tag[1]) for token in headings), default=1)
    for token in headings:
        token.tag = f"h{min(6, int(token.tag[1]) - highest + top)}"


def _html(
    tokens: Sequence[Token],
    parser: MarkdownIt,
    cleaner: nh3.Cleaner,
    address_of: AddressOf = _nowhere,
    name: str = "",  # that tells its footnotes from those of other texts of the page
) -> str:
    for token in tokens:
        if aligned := _ALIGNED.fullmatch(str(token.attrs.pop("style", ""))):
            # Inline styles are forbidden by the pages' security policy.
            token.attrs["data-align"] = aligned[1]
    html = cleaner.clean(parser.renderer.render(tokens, parser.options, {"address_of": address_of, "docId": name}))
    # A wide table scrolls by itself, also by keyboard. Clean HTML holds no such text but these tags.
    return html.replace("<table>", format_html(_TABLE_BEGINS, gettext("Table"))).replace("</table>", "</table></div>")


def foreign_images(text: str, address_of: AddressOf = _nowhere) -> list[str]:
    """Return a name for each image of the text that is not shown: its words, or without them its address."""
    images = (token for inline in _PARSER.parse(text) for token in inline.children or () if token.type == "image")
    hidden = (token for token in images if not address_of(str(token.attrs.get("src", ""))))
    return [_words(token) or str(token.attrs.get("src", "")) for token in hidden]


def _words(inline: Token) -> str:
    """Return the plain text of an image, a heading or a paragraph."""
    return _PARSER.renderer.renderInlineAsText(inline.children, _PARSER.options, {}).strip()  # type: ignore[attr-defined]


def _linked(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the tokens of a paragraph with links for bare addresses; images know whether they are in a link."""
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
        # In (see https://example.org) the bracket is no part of the address.
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
    """Render the image if it is the task's own; else a link to it, or inside a link its words alone."""
    image = tokens[index]
    name = _words(image)
    if address := env["address_of"](str(image.attrs.get("src", ""))):
        return format_html('<img src="{}" alt="{}">', address, name)
    words = gettext("Image: %(name)s") % {"name": name} if name else gettext("Image")
    if image.meta.get("is_in_link"):
        return format_html("{}", words)
    return format_html('<a href="{}">{}</a>', image.attrs.get("src", ""), words)


_PARSER.add_render_rule("image", _image)
