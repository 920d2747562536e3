"""How the items of the option `scores` are counted."""
