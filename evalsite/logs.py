"""Log lines without the secrets that stand in addresses."""

import re
from collections.abc import MutableMapping
from typing import Any

_SECRET_ADDRESS = re.compile(r"(/accounts/(?:password/reset/key|confirm-email)/|/teams/join/)[^/\s?\"']+")


def hide_secrets(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A structlog processor: keys for resetting a password, confirming an address and joining a team are cut out."""
    return {name: _hidden(value) for name, value in event.items()}


def _hidden(value: Any) -> Any:
    return _SECRET_ADDRESS.sub(r"\1…", value) if isinstance(value, str) else value
