"""The one table among several files: what is no table is left aside, and a table has the columns that are wanted."""

import json
from collections.abc import Mapping, Sequence

from scoring.errors import SubmissionError
from scoring.readers.archive import Files
from scoring.readers.archive.names import lower_name
from scoring.readers.tables.cells import tidy
from scoring.readers.tables.layout import Layout
from scoring.readers.tables.opening import ENDINGS, is_spreadsheet, opened
from scoring.readers.tables.paths import ROW_NUMBER, key_looked_for
from scoring.readers.tables.records import Records

_MOST = 20  # files whose headings are looked at
_BEGINNING = 2**16  # bytes in which a heading, or an object with all its keys, ends


def table_among(files: Mapping[str, bytes], layout: Layout, names: Sequence[str]) -> Mapping[str, bytes]:
    """Return the one file that is a table with these columns, where it is one among several; else all files.

    >>> run = {"a.csv": b"id,intent\\n1,ask\\n", "b.csv": b"id,topic\\n1,pool\\n", "train.log": b"done"}
    >>> [*table_among(run, Layout(), ["topic"])]
    ['b.csv']
    """
    if len(files) < 2:
        return files
    tables = [path for path in files if _ending(path) in ENDINGS or is_spreadsheet(path)]
    if tables and isinstance(files, Files):
        files.leave_aside(path for path in files if path not in tables)
    if len(tables) > 1:
        wanted = [name for name in (*layout.id, *names) if name != ROW_NUMBER]
        tables = [path for path in tables if _has_columns(files, path, layout, wanted)] if len(tables) <= _MOST else []
    return {tables[0]: files[tables[0]]} if len(tables) == 1 else files


def _ending(path: str) -> str:
    return "." + lower_name(path).rpartition("/")[2].rpartition(".")[2]


def _has_columns(files: Mapping[str, bytes], path: str, layout: Layout, names: Sequence[str]) -> bool:
    try:
        file = opened({path: files[path]}, layout.format)
    except SubmissionError:
        return False
    start = file.content[:_BEGINNING].decode(errors="ignore")
    if file.format in ("json", "jsonl"):
        return all(json.dumps(key_looked_for(name), ensure_ascii=False) in start for name in names)
    if file.format == "lines" or not layout.header:
        return False
    first = next(iter(Records(start, layout.sign(file.format), layout.quotes)), None)
    return first is not None and first.cells is not None and {*map(tidy, first.cells)}.issuperset(names)
