"""Cuts Bootstrap's style sheet down to the rules that the pages use: `python scripts/trim_bootstrap.py`.

Of a list of selectors those stay whose classes all occur in a template or in code that writes HTML; of the variables,
those that a rule which stays, or one of our own style sheets, reads. Run it again when a page begins to use another
class of Bootstrap: a test compares its output with the file that the site serves.
"""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "scripts/bootstrap-5.3.8.min.css"
TARGET = ROOT / "static/vendor/bootstrap/bootstrap.trimmed.css"

Rule = tuple[str, str]  # what stands before the braces, and between them
TAG = re.compile(r"\{[%{].*?[%}]\}", re.DOTALL)
QUOTED = re.compile(r"""["'`]([^"'`\n]*)["'`]""")
CLASS_VALUE = re.compile(r"""class(?:Name|List)?["']?\s*[=:]\s*["'`]([^"'`]*)""")
NAME = re.compile(r"[a-zA-Z][\w-]*")


def used_classes() -> set[str]:
    """Names in class attributes of templates and of code, and quoted names that begin as those of controls do."""
    found: set[str] = set()
    for file in (ROOT / "templates").rglob("*.html"):
        plain = TAG.sub(lambda tag: " ".join(QUOTED.findall(tag[0])), file.read_text())
        for value in CLASS_VALUE.findall(plain):
            found.update(NAME.findall(value))
    for file in [*(ROOT / "evalsite").rglob("*.py"), *(ROOT / "static/js").glob("*.js")]:
        text = file.read_text()
        controls = [value for value in QUOTED.findall(text) if value.startswith(("form-", "btn"))]
        for value in [*CLASS_VALUE.findall(text), *controls]:
            found.update(NAME.findall(value))
    return found


def rules(css: str) -> Iterator[Rule]:
    """The rules of a minified style sheet, those with rules inside as one."""
    start = depth = 0
    head = ""
    for place, sign in enumerate(css):
        if sign == "{":
            if not depth:
                head, start = css[start:place], place + 1
            depth += 1
        elif sign == "}":
            depth -= 1
            if not depth:
                yield head, css[start:place]
                start = place + 1


def trimmed(css: str, used: set[str]) -> list[Rule]:
    """The rules that can match an element of ours."""
    kept = []
    for head, body in rules(css):
        if head.startswith("@media"):
            inner = trimmed(body, used)
            if inner:
                kept.append((head, "".join(f"{one}{{{other}}}" for one, other in inner)))
        elif head.startswith("@"):
            kept.append((head, body))  # animations: kept for now, and cut if no rule names them
        else:
            selectors = [each for each in _selectors(head) if _classes(each) <= used]
            if selectors:
                kept.append((",".join(selectors), body))
    return kept


def _selectors(head: str) -> list[str]:
    """Divided at the commas that stand outside brackets."""
    return re.split(r",(?![^()]*\))", head)


def _classes(selector: str) -> set[str]:
    """Without those inside `:not(…)`, which an element does not need to have."""
    return set(re.findall(r"\.([a-zA-Z][\w-]*)", re.sub(r":not\([^)]*\)", "", selector)))


def without_unread_variables(css: str, own: str) -> str:
    """Again and again, since a variable may be read by another one alone."""
    while True:
        read = set(re.findall(r"var\((--[\w-]+)", css + own))
        unread = set(re.findall(r"(--bs-[\w-]+):", css)) - read
        cut = re.sub(r"(--bs-[\w-]+):[^;{}]*(?:;|(?=\}))", partial(_unless_in, unread), css)
        cut = re.sub(r"[^{}]+\{\}", "", cut).replace(";}", "}")
        if cut == css:
            return css
        css = cut


def _unless_in(unread: set[str], declaration: re.Match[str]) -> str:
    return "" if declaration[1] in unread else declaration[0]


def without_unused_animations(css: str) -> str:
    for name in re.findall(r"@keyframes ([\w-]+)", css):
        if not re.search(rf"animation(?:-name)?:[^;}}]*\b{name}\b", css):
            css = re.sub(rf"@keyframes {name}\{{(?:[^{{}}]*\{{[^{{}}]*\}})*\}}", "", css)
    return css


def made() -> str:
    """The style sheet as the site serves it, a rule a line."""
    source = SOURCE.read_text()
    licence, _, css = source.partition("*/")
    own = "".join(file.read_text() for file in sorted((ROOT / "static/css").glob("*.css")))
    kept = "".join(f"{head}{{{body}}}" for head, body in trimmed(re.sub(r"/\*.*?\*/", "", css), used_classes()))
    kept = without_unread_variables(without_unused_animations(kept), own)
    lines = [f"{head.strip()}{{{body}}}" for head, body in rules(kept)]
    return (
        f"{licence.rstrip()}\n * Cut to what the pages use by scripts/trim_bootstrap.py\n */\n"
        + "\n".join(lines)
        + "\n"
    )


if __name__ == "__main__":
    TARGET.write_text(made())
    print(f"{TARGET.relative_to(ROOT)}: {TARGET.stat().st_size:,} of {SOURCE.stat().st_size:,} bytes")
