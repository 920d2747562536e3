"""Languages other than English: sentences of the engine, numbers in templates."""
