"""How the site speaks languages other than English: sentences of the engine, numbers in templates."""
