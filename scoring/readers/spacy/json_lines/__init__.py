"""JSON Lines of annotated documents, in the shapes that users of spaCy have."""

from scoring.readers.spacy.json_lines.lines import read

__all__ = ["read"]
