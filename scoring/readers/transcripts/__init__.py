"""Transcripts: one utterance a line, as tab-separated text, Kaldi's text, sclite's trn, JSON Lines or plain lines."""

from scoring.readers.transcripts.formats import FORMATS
from scoring.readers.transcripts.sides import Gold, System, read_gold, read_system
from scoring.readers.transcripts.writing import placeholder, written

__all__ = ["FORMATS", "Gold", "System", "placeholder", "read_gold", "read_system", "written"]
