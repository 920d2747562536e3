"""The error atlas of a board: systems against units, what nobody has solved, who would help whom."""
