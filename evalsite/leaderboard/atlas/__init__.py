"""The error atlas of a board: which system errs on which units."""
