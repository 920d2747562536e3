"""Requests to the API of a site, by the standard library alone."""

import json
import os
import re
import secrets
import shutil
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.client import HTTPException
from pathlib import Path
from typing import Any

from scoring.display.causes import causes_text
from scoring.errors import ConfigurationError, ScoringError, SiteError, SubmissionError
from scoring.remote.login import Login

_PATIENCE = 120  # seconds without a byte
_CHUNK = 64 * 1024
_NOT_TAKEN = (404, 409)
_LATER = (429, 500, 502, 503, 504)
_LOCALE = re.compile(r"[A-Za-z]+(?:_[A-Za-z]+)?")  # of POSIX, before its encoding


class LooksOddError(ScoringError):
    """The site can score the files and asks whether they are meant; `kept` stands for them, if it is not ""."""

    def __init__(self, words: str, oddities: Sequence[Mapping[str, Any]], kept: str) -> None:
        super().__init__(words)
        self.oddities = oddities
        self.kept = kept


class NotTakenError(ConfigurationError):
    """What was asked for is not there, or what was sent does not go with it; each problem has a place and a message."""

    def __init__(self, words: str, problems: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(words)
        self.problems = problems


Fields = Sequence[tuple[str, str]]
File = tuple[str, bytes]  # name and content


def get(login: Login, path: str) -> Any:
    """Return the JSON at a path below /api/v1/."""
    return _answer(login, urllib.request.Request(_address(login, path)))


def post(
    login: Login, path: str, fields: Fields, files: Sequence[File], on_sent: Callable[[float], None] | None = None
) -> Any:
    """Send a form with files; `on_sent` is told the share of the bytes that have gone out."""
    boundary = secrets.token_hex(16)
    body = b"".join(_parts(boundary, fields, files))
    headers = {
        "Content-Type": f"multipart/form-data; boundary={boundary}",
        "Content-Length": str(len(body)),
    }
    sent = _chunks(body, on_sent or (lambda share: None))
    return _answer(login, urllib.request.Request(_address(login, path), sent, headers, method="POST"))


def post_json(login: Login, path: str, value: object) -> Any:
    """Send a value as JSON."""
    headers = {"Content-Type": "application/json"}
    body = json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    return _answer(login, urllib.request.Request(_address(login, path), body, headers, method="POST"))


def download(login: Login, path: str, target: Path) -> None:
    """Write the file at a path below /api/v1/ to `target`."""
    with _opened(login, urllib.request.Request(_address(login, path))) as answer, target.open("wb") as file:
        try:
            shutil.copyfileobj(answer, file)
        except (OSError, HTTPException) as error:
            raise SiteError(f"{login.site} has broken off: {error}") from None


def _address(login: Login, path: str) -> str:
    return f"{login.site}/api/v1/{path}"


def _chunks(body: bytes, on_sent: Callable[[float], None]) -> Iterator[bytes]:
    for start in range(0, len(body), _CHUNK):
        yield body[start : start + _CHUNK]
        on_sent(min(1.0, (start + _CHUNK) / len(body)))


def _parts(boundary: str, fields: Fields, files: Sequence[File]) -> Iterator[bytes]:
    """Yield the parts of multipart/form-data (RFC 7578), as browsers write it."""
    for name, value in fields:
        yield f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
    for name, content in files:
        quoted = name.replace("\\", "_").replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        head = f'Content-Disposition: form-data; name="files"; filename="{quoted}"'
        yield f"--{boundary}\r\n{head}\r\nContent-Type: application/octet-stream\r\n\r\n".encode()
        yield content
        yield b"\r\n"
    yield f"--{boundary}--\r\n".encode()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A token goes to no other address than the one that was asked for."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> None:
        raise SiteError(f"{req.full_url} leads to {newurl}: log in with the address of the site as it is now")


def _answer(login: Login, request: urllib.request.Request) -> Any:
    with _opened(login, request) as answer:
        try:
            return json.load(answer)
        except (OSError, HTTPException) as error:
            raise SiteError(f"{login.site} has broken off: {error}") from None
        except ValueError:
            raise SiteError(f"{login.site} answers something else than this program understands") from None


def _opened(login: Login, request: urllib.request.Request) -> Any:
    """Return the open answer; raise whose error it is instead of one that is none."""
    request.add_header("Accept", "application/json")
    request.add_header("User-Agent", "evalsite")
    if language := _language():
        request.add_header("Accept-Language", language)
    if login.token:
        request.add_header("Authorization", f"Bearer {login.token}")
    try:
        return urllib.request.build_opener(_NoRedirect).open(request, timeout=_PATIENCE)
    except urllib.error.HTTPError as error:
        with error:
            raise _error(error.code, _problem(error.read()), error.headers.get("Retry-After")) from None
    except (OSError, HTTPException) as error:
        raise SiteError(f"{login.site} does not answer: {getattr(error, 'reason', error)}") from None


def _language() -> str:
    """Return the language of the terminal's locale, such as "es-ES"; "" where it has none."""
    locale = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    match = _LOCALE.match(locale)
    return match[0].replace("_", "-") if match and match[0] not in ("C", "POSIX") else ""


def _problem(content: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(content)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _error(status: int, problem: Mapping[str, Any], again_in: str | None) -> Exception:
    """Return whose error it is: files with problems are the participant's, tokens and addresses the caller's."""
    if listed := problem.get("causes"):
        return SubmissionError(f"{problem['detail']}\n{causes_text(listed)}")
    if listed := problem.get("oddities"):
        return LooksOddError(str(problem["detail"]), listed, str(problem.get("kept") or ""))
    if listed := [problem_there for problem_there in problem.get("problems") or () if "place" in problem_there]:
        return NotTakenError(str(problem["detail"]), listed)
    words = str(problem.get("detail") or f"the site answers {status}")
    if status in _LATER:
        return SiteError(f"{words} Try again in {again_in} seconds." if again_in else words)
    return NotTakenError(words) if status in _NOT_TAKEN else ConfigurationError(words)
