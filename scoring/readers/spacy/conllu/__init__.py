"""CoNLL-U: ten columns a token, a blank line after each sentence, comments that begin documents."""

from scoring.readers.spacy.conllu.reading import read
from scoring.readers.spacy.conllu.sentences import N_COLUMNS

__all__ = ["N_COLUMNS", "read"]
