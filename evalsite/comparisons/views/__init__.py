"""The pages that compare entries of a board, a module for all entries and one for two."""
