"""The NTCIR QAC files: a run of short answers with their articles, and the answer set it is scored against."""

from scoring.readers.qac.answer_set import AnswerSet, read_answer_set
from scoring.readers.qac.run import Run, read_run
from scoring.readers.qac.sides import NONE, Pairing, pair, read_gold, read_system, series_of
from scoring.readers.qac.text import ENCODINGS, key

__all__ = [
    "ENCODINGS",
    "NONE",
    "AnswerSet",
    "Pairing",
    "Run",
    "key",
    "pair",
    "read_answer_set",
    "read_gold",
    "read_run",
    "read_system",
    "series_of",
]
