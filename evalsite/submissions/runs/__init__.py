"""Stored runs: changed, chosen, moved between teams, searched and compared."""
