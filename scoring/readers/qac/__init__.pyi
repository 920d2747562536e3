"""The public names of the readers and the modules that they come from."""

from scoring.readers.qac.answer_set import AnswerSet as AnswerSet
from scoring.readers.qac.answer_set import read_answer_set as read_answer_set
from scoring.readers.qac.run import Run as Run
from scoring.readers.qac.run import read_run as read_run
from scoring.readers.qac.sides import NONE as NONE
from scoring.readers.qac.sides import Pairing as Pairing
from scoring.readers.qac.sides import pair as pair
from scoring.readers.qac.sides import read_answers as read_answers
from scoring.readers.qac.sides import read_gold as read_gold
from scoring.readers.qac.sides import read_outputs as read_outputs
from scoring.readers.qac.sides import read_system as read_system
from scoring.readers.qac.text import ENCODINGS as ENCODINGS
from scoring.readers.qac.text import key as key
from scoring.readers.qac.text import series_of as series_of
from scoring.readers.qac.trec import NIL as NIL
