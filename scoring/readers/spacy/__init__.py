"""Annotated text in JSON Lines, CoNLL-U and columns: the documents of gold and system, paired and aligned."""
