"""Texts with one segment a line: plain lines, JSON Lines and columns, in the words that all families share.

What a family finds here:

* `plain_lines(content, file)`: the `texts` of a file, one a line, where only LF and CRLF end a line; its `odd` is what
  to warn of, or None. `only_plain_lines(files)` for the one file of an upload. Both raise SubmissionError for bytes
  that are not UTF-8.
* `wrong_number(gold_texts, lines, noun)`: the problem of plain lines that are not as many as the gold's
  texts, with a guess where one fell out or slipped in; None where they are as many.
* `json_records(content, file, problems)`: number and object of each line of JSON Lines, strictly read; `json_id` and
  `text_at` take the id and a text out of an object, or add a problem with the line.
* `read_columns(content, file, needed, problems)`: columns with a heading; its `rows(problems)` are the lines' cells.
* `sound_id(written, number, problems)`: an id of a column, trimmed. `Seen(problems).is_new(id, line)`: whether no
  earlier line has it; `lines` maps each id to its line. `unpaired(gold_ids, seen, file, noun)` are the problems of ids
  that the gold lacks, with their lines, and of those that the system lacks.
* `refuse_csv(file, texts, ids, names)`: SubmissionError where plain lines are a CSV file.
* `refuse_flood(gold_texts, system_texts, file)`: SubmissionError where a system says far more than the gold.
* `kind_of(path)`: "json", "columns" or "lines", by the suffix.

`problems` is a `scoring.readers.problems.Problems` of the file, which the caller raises when all is read.
"""

from scoring.readers.segments.columns import COLUMN_SUFFIXES, Columns, read_columns
from scoring.readers.segments.flood import refuse_flood
from scoring.readers.segments.ids import Seen, refuse_csv, unpaired
from scoring.readers.segments.json_lines import JSON_SUFFIXES, json_id, json_records, sound_id, text_at
from scoring.readers.segments.kinds import Kind, kind_of
from scoring.readers.segments.lines import OddEnds, PlainLines, only_plain_lines, plain_lines, split_lines, utf8_text
from scoring.readers.segments.shifting import wrong_number

__all__ = [
    "COLUMN_SUFFIXES",
    "JSON_SUFFIXES",
    "Columns",
    "Kind",
    "OddEnds",
    "PlainLines",
    "Seen",
    "json_id",
    "json_records",
    "kind_of",
    "only_plain_lines",
    "plain_lines",
    "read_columns",
    "refuse_csv",
    "refuse_flood",
    "sound_id",
    "split_lines",
    "text_at",
    "unpaired",
    "utf8_text",
    "wrong_number",
]
