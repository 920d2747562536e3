"""Writes tables of spans: samples, examples, golds as runs, and what participants are given."""

from collections.abc import Iterable, Sequence
from typing import Any

from scoring.family import Options
from scoring.readers.mat.formats.span_tables import names_of
from scoring.readers.mat.offsets import utf16_length
from scoring.readers.tables import Layout, list_in, list_of, nested, to_json_lines, wholes, write_table

# A table of one line for each row shows line ends as blanks.
_AS_SPACES = str.maketrans("\r\n\t", "   ")
Span = tuple[int, int, str]  # start and end in code points, and the label
Tuple = tuple[int, int, str, Sequence[str]]  # and its fields, behind them its numbers


def write_spans(
    name: str,
    documents: Iterable[tuple[str, str, Sequence[Span | Tuple]]],
    options: Options,
    *,
    with_texts: bool = False,
) -> dict[str, bytes]:
    """Write a table of this name without ending, {path: content}; beside it, or in it, the texts.

    `documents` are names, texts and spans, or tuples, which have no texts.
    """
    of_documents = [*documents]
    columns = names_of(options).in_order
    with_texts = with_texts and not options.get("fields")
    list_name, key = list_of(columns), options["text_column"]
    if list_name is None:
        # A document without spans has a row with its name alone, so that no file is empty.
        blank = [""] * (len(columns) - 1)
        rows = [row for document in of_documents for row in _rows(*document, options) or [[document[0], *blank]]]
        layout = Layout(format="tsv", header=options["header"], quotes=options["quotes"])
        texts = {f"{document}.txt": text.encode() for document, text, _ in of_documents} if with_texts else {}
        return write_table(name, columns, rows, layout, 0) | texts
    list_name = list_in((), list_name)
    records: list[dict[str, Any]] = []
    for document, text, spans in of_documents:
        record = {columns[0]: document, **({key: text} if with_texts and key else {}), list_name: []}
        for made in nested(*wholes(columns, _rows(document, text, spans, options))):
            record |= {list_name: made[list_name]}
        records.append(record)
    texts = {f"{document}.txt": text.encode() for document, text, _ in of_documents} if with_texts and not key else {}
    return {f"{name}.jsonl": to_json_lines(records)} | texts


def made_up_numbers(options: Options, quarter: int) -> list[str]:
    """Return a number for each that tuples have, this many quarters of the range above its low end."""
    low, high = options.get("value_range") or (0, 0)
    return [f"{low + (high - low) * quarter / 4:g}" for _ in options.get("values") or ()]


def _rows(document: str, text: str, spans: Iterable[Span | Tuple], options: Options) -> list[list[Any]]:
    names = names_of(options)
    in_utf16 = options["offset_unit"] == "utf16" and not names.fields
    return [
        [
            document,
            *([label] if names.label else []),
            *(utf16_length(text[:place]) if in_utf16 else place for place in (start, end) if names.start),
            *([text[start:end].translate(_AS_SPACES)] if names.words else []),
            *([1.0] if names.probability else []),
            *(cell for fields in more for cell in fields),
        ]
        for start, end, label, *more in spans
    ]
