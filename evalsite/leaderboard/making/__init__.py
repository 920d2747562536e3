"""This package makes boards from results: which run counts, how entries rank and differ, and when a board is due."""
