"""The page that compares two runs of a board."""
