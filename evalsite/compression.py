"""Compresses what is text on its way out: pages, style sheets, scripts, drawings."""

import secrets

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware, re_accepts_gzip
from django.utils.cache import patch_vary_headers
from isal import igzip

TEXT = ("text/", "application/json", "application/javascript", "image/svg+xml")
# Intel's library in place of Python's own: with its level a board of 200 teams has a fifth more bytes than by zlib's
# level 6, which is Django's, in a tenth of the time; that was a third of what it takes to answer with a kept board.
LEVEL = 2
_FEWEST_BYTES = 200
_HEAD, _FLAGS, _HAS_NAME = 10, 3, 8  # of what gzip writes: bytes, and where and how it says that a file's name follows


class CompressionMiddleware(GZipMiddleware):
    """Archives, spreadsheets and fonts are compressed already, and files that whitenoise has compressed say so."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not response.get("Content-Type", "").startswith(TEXT):
            return response
        if isinstance(response, HttpResponse) and not response.has_header("Content-Encoding"):
            self._compress(request, response)
            return response
        return super().process_response(request, response)  # type: ignore[arg-type, return-value]

    def _compress(self, request: HttpRequest, response: HttpResponse) -> None:
        """What is not sent piece by piece: as Django does it, at our level."""
        if len(response.content) < _FEWEST_BYTES:
            return
        patch_vary_headers(response, ["Accept-Encoding"])
        if not re_accepts_gzip.search(request.headers.get("Accept-Encoding", "")):
            return
        packed = compressed(response.content, self.max_random_bytes)
        if len(packed) >= len(response.content):
            return
        response.content = packed
        response["Content-Length"] = str(len(packed))
        response["Content-Encoding"] = "gzip"
        if (tag := response.get("ETag", "")).startswith('"'):
            response["ETag"] = f"W/{tag}"  # other bytes with the same meaning


def compressed(content: bytes, most: int) -> bytes:
    """In the format of gzip, with fewer than `most` bytes more by lot, so that the length tells nobody how a secret
    begins: that is the attack BREACH, on answers that hold a secret and what an attacker has asked for."""
    plain = igzip.compress(content, LEVEL, mtime=0)
    head = bytearray(plain[:_HEAD])
    head[_FLAGS] = _HAS_NAME
    return bytes(head) + b"a" * secrets.randbelow(most) + b"\0" + plain[_HEAD:]
