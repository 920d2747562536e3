"""Takes formulas in texts, `$F_1$` and `$$…$$`, as TeX writes them, and makes MathML of them on the server."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from django.utils.html import escape
from django.utils.module_loading import import_string
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

LONGEST = 500  # characters of a formula; a longer one stays as it is typed
_MOST_IN_TEXT = 200  # formulas of a text that are drawn, so that a page stays small and quick
# No digit behind it, so that $5 and $10 are prices.
_FORMULA = re.compile(r"(?P<sign>\$\$?)(?! )(?P<tex>(?:[^$\\]|\\.){1,500}?)(?<! )(?P=sign)(?![\d$])", re.DOTALL)
TAGS = {
    *("math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup"),
    *("mover", "munder", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded", "mphantom"),
}
ATTRIBUTES = {
    "math": {"display", "xmlns"},
    "mo": {"stretchy", "fence", "form", "largeop", "movablelimits", "accent"},
    "mfrac": {"linethickness"},
    "mspace": {"width"},
    "mi": {"mathvariant"},
    "mtd": {"columnalign"},
}


def take_formulas(parser: MarkdownIt) -> None:
    """Let the parser know formulas, which come before escapes and emphasis: `_` and a backslash are TeX's there."""
    parser.inline.ruler.before("escape", "formula", _formula)
    parser.add_render_rule("formula", _render)


def _formula(state: StateInline, silent: bool) -> bool:
    """Take a formula at this place; each look is of bounded length."""
    if state.src[state.pos] != "$":
        return False
    match = _FORMULA.match(state.src, state.pos, min(state.posMax, state.pos + LONGEST + 4))
    if match is None:
        return False
    if not silent:
        token = state.push("formula", "", 0)
        token.content, token.markup = match["tex"], match["sign"]
    state.pos = match.end()
    return True


def _render(renderer: RendererHTML, tokens: list[Token], index: int, options: Any, env: Any) -> str:
    """Return MathML; the formula as it was typed where it is none, or the text has very many."""
    token = tokens[index]
    env["n_formulas"] = env.get("n_formulas", 0) + 1
    source = escape(f"{token.markup}{token.content}{token.markup}")
    convert = _converter()
    if convert is None or env["n_formulas"] > _MOST_IN_TEXT:
        return source
    try:
        return str(convert(token.content, display="block" if token.markup == "$$" else "inline"))
    except Exception:  # the library raises whatever it meets in a formula that is none
        return source


@cache
def _converter() -> Callable[..., str] | None:
    """Load what draws formulas; None in an environment older than this code, which shows them as they were written."""
    try:
        return import_string("latex2mathml.converter.convert")  # type: ignore[no-any-return]
    except ImportError:
        return None
