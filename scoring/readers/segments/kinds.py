"""The kind of a file, told by its suffix."""

from typing import Literal

from scoring.readers.archive.names import lower_name
from scoring.readers.segments.columns import COLUMN_SUFFIXES
from scoring.readers.segments.json_lines import JSON_SUFFIXES

Kind = Literal["json", "columns", "lines"]


def kind_of(path: str) -> Kind:
    """Return the kind of a file with this name; whatever has no other suffix holds plain lines.

    >>> kind_of("run.JSONL"), kind_of("run.tsv"), kind_of("out/newstest.en")
    ('json', 'columns', 'lines')
    """
    lower = lower_name(path)
    if lower.endswith(JSON_SUFFIXES):
        return "json"
    return "columns" if lower.endswith(COLUMN_SUFFIXES) else "lines"
