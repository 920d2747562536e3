"""Which differences are real: all pairs of a board, two of its runs, the error atlas, and how to read a board."""
