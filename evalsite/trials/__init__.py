"""What visitors try without an account, and nothing is stored of: a check, and a score on open gold."""
