"""The phase or board that an argument names: TASK/PHASE, or the address of a page below it."""

import argparse
import re

from scoring.errors import ConfigurationError
from scoring.remote.login import Login, current_login

_ADDRESS = re.compile(r"(?P<site>https?://[^/]+(?:/.*?)?)/tasks/(?P<path>[^?#]+)")


def add_site(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names the site."""
    parser.add_argument("--site", help="another one than that of the last login")


def place(text: str, site: str | None, least: int) -> tuple[Login, list[str]]:
    """Return the login, and the parts of TASK/PHASE or of the address of a page below it."""
    address = _ADDRESS.match(text)
    login = current_login(address["site"] if address else site)
    parts = [part for part in (address["path"] if address else text).split("/") if part]
    if len(parts) < least:
        raise ConfigurationError(f"{text}: write TASK/PHASE, as in the address of the phase's pages")
    return login, parts
