"""Pages for people who are logged in, made once for all who have the same rights: what is one person's own stays open.

The view makes a sketch for `AnyReader`, who has no team, no name and no rights beyond taking part. Where the page has
something of a visitor's own, view and template leave marks and say by `leave_open` what fills them for whom.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from secrets import token_hex

from django.http import HttpRequest
from django.utils.safestring import SafeString

from evalsite.challenges.access import Onlooker
from evalsite.challenges.ties import Ties

# What fills the marks for somebody with these ties, as HTML; None where such a visitor needs a page that is made anew.
Own = Callable[[Ties], Mapping[str, str] | None]

NAME, TOKEN = "name", "token"  # of the visitor: how they are called, and what their forms carry
_SECRET = token_hex(8)  # nobody can write a mark into a text
_MARK = re.compile(rb"\x00%s ([a-z0-9 -]+)\x00" % _SECRET.encode())  # \0 and a digit would be another sign
TOKEN_OF_FORM = re.compile(rb'(name="csrfmiddlewaretoken" value=")[^"]+(")')


class AnyReader(Onlooker):
    """All those for whom a sketch is made."""


def mark(name: str) -> SafeString:
    return SafeString(f"\x00{_SECRET} {name}\x00")


def leave_open(request: HttpRequest, own: Own) -> None:
    """Said for each part of the page that has marks; without any, only people without a team get it from its sketch."""
    request.fills_sketch = [*getattr(request, "fills_sketch", ()), own]  # type: ignore[attr-defined]


def _nothing(ties: Ties) -> Mapping[str, str] | None:
    return None if ties.teams else {}


@dataclass(frozen=True)
class Sketch:
    """`parts`: a text, the name of a mark, a text, and so on."""

    parts: list[bytes]
    headers: dict[str, str]
    own: Sequence[Own]

    @cached_property
    def digest(self) -> str:
        return blake2b(b"".join(self.parts), digest_size=16).hexdigest()

    @property
    def is_open(self) -> bool:
        """Whether there is anything to be filled in."""
        return len(self.parts) > 1

    def body(self, given: Mapping[str, str]) -> bytes:
        filled = list(self.parts)
        filled[1::2] = [given.get(mark.decode(), "").encode() for mark in self.parts[1::2]]
        return b"".join(filled)

    def own_of(self, ties: Ties) -> dict[str, str] | None:
        """What fills the marks for this visitor; None where the page has to be made anew."""
        found: dict[str, str] = {}
        for own in self.own:
            part = own(ties)
            if part is None:
                return None
            found.update(part)
        return found


def sketch_of(request: HttpRequest, body: bytes, headers: dict[str, str]) -> Sketch:
    """Of the page that the view has made."""
    marked = TOKEN_OF_FORM.sub(rb"\1" + mark(TOKEN).encode() + rb"\2", body)
    return Sketch(_MARK.split(marked), headers, getattr(request, "fills_sketch", (_nothing,)))
