"""Texts beside references: plain lines, JSON Lines or columns on either side."""

from scoring.readers.text.gold import Gold, needs_sources, read_gold
from scoring.readers.text.system import System, read_ids, read_system

__all__ = ["Gold", "System", "needs_sources", "read_gold", "read_ids", "read_system"]
