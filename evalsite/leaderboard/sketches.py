"""Pages for people who are logged in, made once for all who have the same rights: what is one person's own stays open.

The view makes a sketch for an `Onlooker`, who has no team, no name and no rights beyond taking part. Where the page has
something of a visitor's own, the view leaves marks and says by `leave_open` what fills them for whom.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from secrets import token_hex

from django.http import HttpRequest
from django.utils.safestring import SafeString

Teams = frozenset[str]  # keys, those too whose runs have been brought into one of the visitor's
# What fills the marks for somebody of these teams, as HTML; None where such a visitor needs a page that is made anew.
Own = Callable[[Teams], Mapping[str, str] | None]

NAME, TOKEN = "name", "token"  # of the visitor: how they are called, and what their forms carry
_SECRET = token_hex(8)  # nobody can write a mark into a text
_MARK = re.compile(rb"\x00%s ([a-z0-9 ]+)\x00" % _SECRET.encode())  # \0 and a digit would be another sign
TOKEN_OF_FORM = re.compile(rb'(name="csrfmiddlewaretoken" value=")[^"]+(")')


def mark(name: str) -> SafeString:
    return SafeString(f"\x00{_SECRET} {name}\x00")


def leave_open(request: HttpRequest, own: Own) -> None:
    """Without this, only people without a team get the page from its sketch."""
    request.fills_sketch = own  # type: ignore[attr-defined]


def _nothing(teams: Teams) -> Mapping[str, str] | None:
    return None if teams else {}


@dataclass(frozen=True)
class Sketch:
    """`parts`: a text, the name of a mark, a text, and so on."""

    parts: list[bytes]
    headers: dict[str, str]
    own: Own

    def body(self, name: str, token: str, teams: Teams) -> bytes | None:
        """For this visitor; None where the page has to be made anew. `name` is HTML."""
        own = self.own(teams)
        if own is None:
            return None
        given = {**own, NAME: name, TOKEN: token}
        filled = list(self.parts)
        filled[1::2] = [given.get(mark.decode(), "").encode() for mark in self.parts[1::2]]
        return b"".join(filled)


def sketch_of(request: HttpRequest, body: bytes, headers: dict[str, str]) -> Sketch:
    """Of the page that the view has made."""
    marked = TOKEN_OF_FORM.sub(rb"\1" + mark(TOKEN).encode() + rb"\2", body)
    return Sketch(_MARK.split(marked), headers, getattr(request, "fills_sketch", _nothing))
