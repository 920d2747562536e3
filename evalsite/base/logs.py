"""Removes secrets in addresses, and tokens, from log lines."""

import logging
import re
from collections.abc import MutableMapping
from typing import Any

# How addresses begin that end in a secret, as good as a password; deploy/nginx.conf has the same ones.
SECRET_ADDRESSES = (
    *("/accounts/password/reset/key/", "/accounts/confirm-email/", "/teams/join/", "/organise/join/"),
    *("/enter/by/", "/mail/switch/"),
)
# A slash, as it stands or written for an address inside another one: ?next=%2Fteams%2Fjoin%2F…
_SLASH = r"(?:/|%(?:25)*2[fF])"
_BEGINNINGS = "|".join(re.escape(address.strip("/")).replace("/", _SLASH) for address in SECRET_ADDRESSES)
_SECRET_ADDRESS = re.compile(rf"((?:{_BEGINNINGS}){_SLASH})[^/\s?\"'&%]+")
# What a provider of log-ins sends its people back with.
_CALLBACK = re.compile(r"(/login/callback/\?)[^\s\"']+")
# The visible part of an access token is on its owner's page, too.
_TOKEN = re.compile(r"(evs_[\w-]{6})[\w-]+")


def hide_secrets(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Cut tokens and the secrets of `SECRET_ADDRESSES` out of a line; a structlog processor."""
    return {name: _hidden(value) for name, value in event.items()}


def _hidden(value: Any) -> Any:
    if isinstance(value, str):
        return _TOKEN.sub(r"\1…", _CALLBACK.sub(r"\1…", _SECRET_ADDRESS.sub(r"\1…", value)))
    if isinstance(value, dict):
        return {key: _hidden(part) for key, part in value.items()}
    return [_hidden(part) for part in value] if isinstance(value, list | tuple) else value


class WithoutTrace(logging.Filter):
    """Drops the traceback, ten kilobytes, of errors that strangers cause at will, such as a foreign host name."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = record.exc_text = None
        return True
