"""Questions and answers in the files of NTCIR's QAC, of TREC and of SQuAD: runs, and what they are scored against."""

from scoring.readers.qac.answer_set import AnswerSet, read_answer_set
from scoring.readers.qac.run import Run, read_run
from scoring.readers.qac.sides import NONE, Pairing, pair, read_answers, read_gold, read_outputs, read_system
from scoring.readers.qac.text import ENCODINGS, key, series_of
from scoring.readers.qac.trec import NIL

__all__ = [
    "ENCODINGS",
    "NIL",
    "NONE",
    "AnswerSet",
    "Pairing",
    "Run",
    "key",
    "pair",
    "read_answer_set",
    "read_answers",
    "read_gold",
    "read_outputs",
    "read_run",
    "read_system",
    "series_of",
]
