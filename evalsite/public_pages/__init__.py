"""Pages that are the same for everybody, kept for all; what is a visitor's own in them comes as a piece."""
