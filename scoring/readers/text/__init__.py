"""Texts beside references: plain lines, JSON Lines or columns on either side."""

from scoring.readers.text.gold import Gold, read_gold
from scoring.readers.text.system import System, read_ids, read_system

__all__ = ["Gold", "System", "read_gold", "read_ids", "read_system"]
