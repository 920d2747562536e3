"""Tables of ids and values, read and paired for all families whose gold and system are such files.

Four formats: `csv`, `tsv`, `jsonl` and `lines` (one value a line, named by its number). docs/families/labels.md says
what each may hold. How a family reads one:

    columns = [Column("label"), Column("valence", "number")]
    gold = read_table(files, layout_of(options, "gold"), columns)     # SubmissionError: the file, or its header
    check_unique(gold)                                                # adds problems of rows to gold.problems
    valence = numbers_in(gold, "valence", "value")                    # (n,) floats; adds problems
    gold.problems.raise_all()                                         # SubmissionError with all of them

    system = read_table(files, layout_of(options, "system"), columns)
    pairing = pair(gold, system, refuse_unknown=True)                 # adds: ids twice, unknown ids, number of lines
    ...                                                               # adds: whatever the family refuses in a row
    refuse_missing(gold.ids, system, np.flatnonzero(pairing.is_missing))   # adds only where nothing else is wrong
    system.problems.raise_all()

Cells have no blanks around them and are in Unicode's composed form (NFC); two are equal if these are.

* `Table.ids` are `Cells`, those of several columns joined by "|"; `Table.columns` is {name: Cells}; `Table.lines[i]`
  the line on which row i begins; `Table.add(message, row)` a problem of a row, `Table.add_where(flags, message)` one
  of each row that is flagged.
* `Cells` are a tuple of texts: `values()` numbers the different ones, (n,) codes and their texts, which is the quick
  way where a million cells have few values.
* `Items` are what the gold of every family is: ids, groups, units of resampling; `groups_of` reads groups and slices.
* `Pairing.in_system` (n,) is the system's row of each row of the gold, NONE (-1) where it is missing;
  `Pairing.in_gold` (m,) the way back.
* `numbers_of(cells)` and `numbers_in(table, column, noun)` are the numbers in cells, by one rule for all formats.
* In JSON Lines a column of kind "text" takes strings, integers and booleans, "list" also lists of these, "shares" also
  objects of numbers, "sets" also lists and objects of these, whose cell is then the JSON text of the list or object,
  and "number" numbers alone.
* Without a header the columns stand in the order: id, then those wanted.
"""

from scoring.readers.tables.cells import Cells, tidy
from scoring.readers.tables.decimals import VALUE, number_problem, numbers_in, numbers_of, ratings_in
from scoring.readers.tables.header import shown
from scoring.readers.tables.items import Groups, Items, groups_of
from scoring.readers.tables.layout import DELIMITERS, Column, Kind, Layout, layout_of
from scoring.readers.tables.opening import ENDINGS, EXCEL, FORMATS
from scoring.readers.tables.pairing import NONE, Pairing, check_unique, pair, refuse_missing
from scoring.readers.tables.paths import ROW_NUMBER, list_and_key, list_in, list_of, numbered_places
from scoring.readers.tables.problems import TableProblems
from scoring.readers.tables.table import Table, read_table
from scoring.readers.tables.writing import format_written, nested, to_json_lines, wholes, write_table

__all__ = [
    "ROW_NUMBER",
    "VALUE",
    "DELIMITERS",
    "ENDINGS",
    "EXCEL",
    "FORMATS",
    "Groups",
    "Items",
    "Kind",
    "NONE",
    "Cells",
    "Column",
    "Layout",
    "Pairing",
    "Table",
    "TableProblems",
    "check_unique",
    "format_written",
    "groups_of",
    "to_json_lines",
    "layout_of",
    "number_problem",
    "numbers_in",
    "numbers_of",
    "list_and_key",
    "list_in",
    "list_of",
    "nested",
    "numbered_places",
    "pair",
    "ratings_in",
    "read_table",
    "refuse_missing",
    "shown",
    "tidy",
    "wholes",
    "write_table",
]
