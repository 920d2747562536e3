"""The combined score of a phase: what it is made of, its board, and the pages and files that show it."""
