"""Documents with span annotations, as MAT writes them: five formats, and the two sides read from them.

layout         which files are documents, and which of gold and system belong together; patterns of their names
documents      each document read in its format, or as raw text
formats/       mat_json (json_text), xml_inline (xml_text), brat (brat_structures); span_tables of all documents
collecting     where the formats put the annotations that they find, and the problems
tasks, types   what counts: content annotations, tokens, and labels that attributes decide
selecting      what counts becomes spans and tokens (columns), with offsets in code points (offsets)
checks         what must hold of all that, with a problem for everything that does not
sides          the gold and a system, made in these steps
"""

from scoring.readers.mat.collecting import Shape, is_structure
from scoring.readers.mat.columns import Gold, Side, Spans, System, Tokens
from scoring.readers.mat.formats.span_tables import COLUMNS as COLUMNS_OF_SPANS
from scoring.readers.mat.formats.span_tables import COLUMNS_OF_TUPLES, NO_COLUMN
from scoring.readers.mat.formats.span_tables import names_of as names_of_columns
from scoring.readers.mat.layout import keep_pairs
from scoring.readers.mat.sides import read_gold, read_system
from scoring.readers.mat.tasks import TASK_FILE, TaskDefinition, path_of_task, read_task
from scoring.readers.patterns import compiled

__all__ = [
    "COLUMNS_OF_SPANS",
    "COLUMNS_OF_TUPLES",
    "NO_COLUMN",
    "Gold",
    "Shape",
    "Side",
    "Spans",
    "System",
    "TaskDefinition",
    "TASK_FILE",
    "Tokens",
    "compiled",
    "is_structure",
    "keep_pairs",
    "names_of_columns",
    "path_of_task",
    "read_gold",
    "read_system",
    "read_task",
]
