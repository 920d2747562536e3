"""Tables as LaTeX, which need the package booktabs."""

import re
from collections.abc import Sequence

# Signs that mean something to LaTeX, and those of ours that its fonts lack.
_SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "–": "--",
    "↓": r"$\downarrow$",
    "\N{NO-BREAK SPACE}": "~",
} | {sign: "\\" + sign for sign in "&%$#_{}"}


def tabular(comments: Sequence[str], alignment: str, headings: Sequence[str], *parts: Sequence[Sequence[str]]) -> str:
    """A tabular environment with its comments above it and a rule before each of the parts (rows of cells)."""
    lines = [*map(_comment, comments), rf"\begin{{tabular}}{{{alignment}}}", r"\toprule", _row(headings)]
    for rows in parts:
        if rows:
            lines += [r"\midrule", *map(_row, rows)]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def escaped(text: str) -> str:
    r"""The text as LaTeX prints it.

    >>> print(escaped("A&B_1 −0.5"))
    A\&B\_1 $-$0.5
    """
    return re.sub(r"[\\~^−–↓\u00a0&%$#_{}]", lambda found: _SIGNS[found[0]], text)


def _comment(text: str) -> str:
    """On one line whatever a name in it holds, since the next line would be LaTeX."""
    return "% " + " ".join(text.split())


def _row(cells: Sequence[str]) -> str:
    return " & ".join(map(escaped, cells)) + r" \\"
