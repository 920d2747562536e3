"""The site and the token that `evalsite login` keeps, where programs of this system keep such things."""

import json
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from scoring.errors import ConfigurationError

_NO_LOGIN = "log in first: evalsite login https://the.site (or set EVALSITE_SITE and EVALSITE_TOKEN)"


@dataclass(frozen=True)
class Login:
    """A site, and the token by which it knows the caller; "" for a visitor without one."""

    site: str  # the address of its home page, without a slash at the end
    token: str = ""


def place() -> Path:
    """Return the file: below XDG_CONFIG_HOME or ~/.config, in Windows APPDATA, in macOS Application Support."""
    home = Path.home()
    if sys.platform == "win32":
        folder = Path(os.environ.get("APPDATA") or home / "AppData" / "Roaming")
    elif sys.platform == "darwin" and not os.environ.get("XDG_CONFIG_HOME"):
        folder = home / "Library" / "Application Support"
    else:
        folder = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    return folder / "evalsite" / "login.json"


def current_login(site: str | None = None) -> Login:
    """Return the environment's site and token before those that are kept; ConfigurationError where no site is known.

    A token is sent to no other site than the one that it was kept for.
    """
    stored = _stored()
    address = normalised(site or os.environ.get("EVALSITE_SITE") or (stored.site if stored else ""))
    if not address:
        raise ConfigurationError(_NO_LOGIN)
    if token := os.environ.get("EVALSITE_TOKEN", "").strip():
        return Login(address, token)
    return Login(address, stored.token if stored and stored.site == address else "")


def _stored() -> Login | None:
    try:
        return Login(**json.loads(place().read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as error:
        raise ConfigurationError(f"{place()}: {error}; log in again") from None


def store_login(login: Login) -> Path:
    """Write the file, which nobody but its owner may read."""
    path = place()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.unlink(missing_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump(asdict(login), file)
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror}") from None
    return path


def delete_login() -> bool:
    """Delete the file, and return whether there was something to forget."""
    try:
        place().unlink()
    except FileNotFoundError:
        return False
    return True


def normalised(site: str) -> str:
    """Return the address as it is kept; without a scheme it is taken to be https."""
    site = site.strip().rstrip("/")
    return site if not site or "://" in site else f"https://{site}"
