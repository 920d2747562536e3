"""The README of a drawer: what each of its files is, and how it was made."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from evalsite.board_pages.board.exports import in_markdown
from evalsite.challenges.storage.zip_streams import Member
from evalsite.wording import utc

NAME = "README.md"
_HOW = """\
## How these files were made

* Numbers are those of the site's boards on that day. Tables for papers are rounded as the boards are; CSV and JSON have
  all digits that their reader may know.
* CSV is UTF-8 with commas. A cell that a spreadsheet program would take for a formula begins with an apostrophe.
* LaTeX needs the packages `booktabs` and `graphicx`; figures are SVG, which `inkscape` or `rsvg-convert` makes PDF of.
* The signature above a table says which engine, options, gold, resamples and seed it was made with.
"""


class Text(NamedTuple):
    path: str  # in the drawer
    content: bytes
    about: str  # what it is, for the README


def with_readme(title: str, remarks: Sequence[str], made: datetime, texts: Iterable[Text]) -> Iterator[Member]:
    """Yield the texts as members of an archive, and as the last one the README, which lists them."""
    listed = []
    for text in texts:
        listed.append(f"| `{text.path}` | {in_markdown(text.about)} |")
        yield text.path, [text.content]
    head = [f"# {in_markdown(title)}", f"Made on {utc(made)}.", *(f"* {in_markdown(remark)}" for remark in remarks)]
    table = "\n".join(["| file | what it is |", "|---|---|", *listed])
    yield NAME, ["\n\n".join([*head, "## Files", table, _HOW]).encode()]
