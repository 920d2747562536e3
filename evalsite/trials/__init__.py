"""What visitors try without an account, and nothing is stored of: a check, a score, the board of a table."""
