"""Writes files in small."""

import json
from typing import Any


def lines(*rows: Any) -> str:
    """Write JSON Lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def listed(*rows: Any) -> str:
    """Write one list in JSON."""
    return json.dumps(rows, ensure_ascii=False, indent=2)


def same(name: str, text: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """Give both sides one file."""
    return (name, text), (name, text)
