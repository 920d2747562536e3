"""One part of an upload that holds several of a kind, such as languages: told by a folder, or by a column of a table.

    en/run.csv, de/run.csv      the folder "en"; a file for each language, en.csv and de.csv, serves as well
    id,lang,label               the rows of which the column lang says en

Both are given as files again, so that no reader needs to know of it. Paths and line numbers stay those of the upload.
"""

from scoring.readers.parts.folders import SomeFiles, inside, outer_names
from scoring.readers.parts.rows import NoColumn, Rows, has_rows, rows_left, rows_of, with_column

__all__ = ["NoColumn", "Rows", "SomeFiles", "has_rows", "inside", "outer_names", "rows_left", "rows_of", "with_column"]
