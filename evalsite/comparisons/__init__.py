"""Which differences are real: all pairs of a board, two of its runs, and how to read a board."""
