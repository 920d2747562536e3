"""Spans in tables: rows that name a document, a label, a start and an end, for all documents of a side.

    filename<TAB>label<TAB>start_span<TAB>end_span<TAB>text
    case-1<TAB>DISEASE<TAB>83<TAB>95<TAB>hypertension

Tables are CSV, TSV or JSON by their endings. The documents are those of the gold: its texts stand beside its tables, as
NAME.txt, or in JSON under a key of their own. A document without rows has no spans. Rows go the way of BRAT's lines, so
that offsets are read and checked alike.

With the option `fields` rows are tuples, such as relations, and documents have no texts:

    filename<TAB>label<TAB>head<TAB>tail
    case-1<TAB>TREATS<TAB>aspirin<TAB>headache
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from scoring.columns import Flags, Floats, Integers, coded
from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.archive.names import lower_name
from scoring.readers.mat.collecting import Collector, MalformedDocument, Shape, decode_utf8
from scoring.readers.mat.formats.brat import BratSettings, Line, Texts, add_lines, offset_problem
from scoring.readers.mat.formats.emotion_causes import LIST as PAIRS
from scoring.readers.mat.formats.emotion_causes import with_objects
from scoring.readers.swapping import refuse_swapped
from scoring.readers.tables import (
    VALUE,
    Cells,
    Column,
    Layout,
    Table,
    TableProblems,
    numbers_in,
    read_table,
    shown,
    tidy,
)
from scoring.readers.tables.json_lines import rows_of
from scoring.readers.tables.opening import opened
from scoring.readers.tables.paths import list_of
from scoring.readers.tables.table import first_record, opened_lines
from scoring.spelling.respelling import respelling

Files = Mapping[str, bytes]
Options = Mapping[str, Any]

COLUMNS = ("filename", "label", "start_span", "end_span", "text")
COLUMNS_OF_TUPLES = COLUMNS[:2]
NO_COLUMN = "-"  # in place of the column of labels
ENDINGS = (".tsv", ".csv", ".tab", ".jsonl", ".ndjson", ".json")
_TEXT = ".txt"
_DOCUMENT = Message.word("document")
# What the names of documents may end in, on either side.
_ENDINGS_OF_DOCUMENTS = (_TEXT, ".ann", ".json", ".xml")
_ROLE = re.compile(r"^arg[12]:", re.IGNORECASE)
_INTEGER = re.compile(r"-?[0-9]+")
# Numbers of so many digits fit into 64 bits, and are beyond any text.
_LARGEST_DIGITS = 18
# Tuples have no text that would bound their offsets: where one may end, and the sum of these ends over a side.
_FURTHEST_END = 10_000
_MOST_PLACES = 2**24
_TOO_FAR = Message(
    "tuples-too-far",
    "the offsets of all tuples together reach over more than {most:,} places: those of each tuple count from 0",
    most=_MOST_PLACES,
)


class Names(NamedTuple):
    """The columns of a table of spans, or of tuples."""

    document: str
    label: str | None  # None: all spans have the only label that counts
    start: str | None  # None: tuples without a span
    end: str | None
    words: str | None  # of a column that a table need not have
    probability: str | None
    fields: tuple[str, ...]  # of tuples
    values: tuple[str, ...]  # numbers of tuples

    @property
    def in_order(self) -> list[str]:
        """Return all of them in the order of a table without header."""
        single = (self.document, self.label, self.start, self.end, self.words, self.probability)
        return [*(name for name in single if name is not None), *self.fields, *self.values]


@dataclass
class TablesRead:
    """Holds what tables said beside the annotations, which are in the collector."""

    paths: list[str]  # tables and texts that were read
    problems: list[Finding] = field(default_factory=list)
    n_unknown: int = 0  # rows of documents that are not there
    says_words: bool = False  # whether rows say what stands between their offsets


def names_of(options: Options) -> Names:
    """Return the columns by the options; the fifth may be left out, and probabilities are rare."""
    fields = options.get("fields") or ()
    document, label, *others = options["columns"] or (COLUMNS_OF_TUPLES if fields else COLUMNS)
    start, end, words = (*others, None, None, None)[:3]
    label_column = None if label == NO_COLUMN else label
    return Names(
        document, label_column, start, end, words, options.get("probability"), fields, options.get("values") or ()
    )


def key_of(name: str) -> str:
    """Return a document's name without an ending that only tells its format.

    >>> key_of("case-1.txt"), key_of("case-1.v2")
    ('case-1', 'case-1.v2')
    """
    ending = next(filter(name.endswith, _ENDINGS_OF_DOCUMENTS), "")
    return tidy(name.removesuffix(ending))


def tables_in(files: Files) -> list[str]:
    """Return where the tables are. SubmissionError if there is none."""
    paths = sorted(path for path in files if lower_name(path).endswith(ENDINGS))
    if not paths:
        endings = ", ".join(ENDINGS)
        raise SubmissionError(
            Message("no-table", "no table of spans: a file is expected that ends in one of {endings}", endings=endings)
        )
    return paths


def texts_of(files: Files, options: Options) -> tuple[dict[str, str], list[str]]:
    """Return {name: text} of the gold's documents in code-point order, and the files they are from.

    Documents of tuples have empty texts. SubmissionError with all problems: no text, two of one name, no UTF-8.
    """
    if options.get("fields"):
        return dict.fromkeys(sorted(documents_named(files, options) - {""}), ""), []
    key = options["text_column"]
    return _texts_in_tables(files, options, key) if key else _texts_in_files(files)


def _texts_in_files(files: Files) -> tuple[dict[str, str], list[str]]:
    paths = sorted(path for path in files if path.endswith(_TEXT))
    texts: dict[str, str] = {}
    problems = []
    for path in paths:
        name = key_of(path.rpartition("/")[2])
        if name in texts:
            problems.append(Finding(Message("two-texts", "two texts have the name {name}", name=shown(name)), path))
        try:
            texts[name] = decode_utf8(files[path])
        except MalformedDocument as error:
            problems.append(Finding(error.args[0], path, error.line, error.column))
    if not paths:
        problems.append(
            Finding(
                Message(
                    "texts-missing",
                    "the texts are missing: they are expected beside the table, as NAME.txt, where NAME is what the "
                    "table calls the document",
                )
            )
        )
    if problems:
        raise SubmissionError(problems)
    return dict(sorted(texts.items())), paths


def _texts_in_tables(files: Files, options: Options, key: str) -> tuple[dict[str, str], list[str]]:
    """Return the texts under a key of the objects of JSON, exactly as they are there."""
    texts: dict[str, str] = {}
    paths, document = tables_in(files), names_of(options).document
    for path in paths:
        file = opened_lines({path: files[path]}, Layout(id=(document,)), None, key)
        problems = TableProblems(path)
        (names, of_names), lines = rows_of(file.content, [Column(document), Column(key)], problems)
        for name, text, line in zip(names, of_names, lines, strict=True):
            if problems.is_new_id(tidy(name), line):
                texts[tidy(name)] = text
        problems.raise_all()
    return dict(sorted(texts.items())), paths


def finder(documents: Sequence[str], renamed: Callable[[str], str] = str) -> Callable[[str], int | None]:
    """Return what finds the index of the document that a table means by a name: by all of it, or without its ending.

    >>> find = finder(["case-1.ann", "case-2.ann"])
    >>> find("case-2"), find("case-2.ann"), find("case-3")
    (1, 1, None)
    """
    exact = {tidy(name): k for k, name in enumerate(documents)}
    by_key: dict[str, int | None] = {}
    for k, name in enumerate(documents):
        by_key[key_of(name)] = None if key_of(name) in by_key else k

    def find(name: str) -> int | None:
        new_name = renamed(name)
        return exact.get(new_name, by_key.get(key_of(new_name)))

    return find


def unknown_document(name: str) -> Message:
    """Say that a run names a document that the gold lacks."""
    return Message("not-gold", "{noun} {id} is not in the gold{hint}", noun=_DOCUMENT, id=shown(name), hint="")


def without_text(name: str) -> Message:
    """Say that the gold names a document without its text."""
    return Message(
        "document-without-text",
        "document {name} has no text: {file} is expected beside the table",
        name=shown(name),
        file=f"{name}{_TEXT}",
    )


def documents_named(files: Files, options: Options) -> set[str]:
    """Return what tables call their documents."""
    layout = Layout(id=(names_of(options).document,), header=options["header"], quotes=options["quotes"])
    return {name for path in tables_in(files) for name in read_table({path: files[path]}, layout, []).ids.values()[1]}


def read_tables(
    files: Files,
    options: Options,
    signals: Sequence[str],
    index_of: Callable[[str], int | None],
    collector: Collector,
    unknown: Callable[[str], Message] | None,
    documents: Sequence[str] = (),
) -> TablesRead:
    """Read the rows of all tables; what counts goes to the collector, document by document as in `signals`.

    `unknown` says what is wrong with the name of a document that is not there; None: such rows are left out.
    `documents` are those that a run may name.
    """
    read = TablesRead(tables_in(files))
    rows_of = {path: _rows(path, files[path], options, index_of, read, unknown, documents) for path in read.paths}
    if options.get("fields"):
        _add_tuples(rows_of, options, collector, read)
        return read
    by_document: dict[int, dict[str, list[Line]]] = {}
    for path, rows in rows_of.items():
        for index, line in _lines(rows, collector):
            by_document.setdefault(index, {}).setdefault(path, []).append(line)
    settings = BratSettings(options["offset_unit"] == "utf16", "error")
    for index, lines_of in sorted(by_document.items()):
        for path, lines in lines_of.items():
            collector.begin(index, path)
            for line in lines:
                if not line.counts:
                    # It is counted as ignored; its offsets do not matter.
                    collector.add(line.label, line.label, [0], [0])
            add_lines([line for line in lines if line.counts], Texts(signals[index], None), collector, settings)
    return read


@dataclass(frozen=True)
class _Rows:
    """Holds n rows of a table."""

    table: Table
    index: Integers  # (n,) of the document, negative for one that is not there
    labels: Cells
    starts: list[int | None]  # None where a problem was found
    ends: list[int | None]
    is_span: Flags
    words: Cells | None
    probabilities: Floats | None
    values: Floats | None  # (n, values) of tuples with numbers


def _add_tuples(rows_of: Mapping[str, _Rows], options: Options, collector: Collector, read: TablesRead) -> None:
    """Hand over the tuples of all tables, sorted by document; the fields are their shapes."""
    labels: dict[str, int] = {}
    shapes: dict[Shape, int] = {}
    # Document, label, shape, start and end (5, tuples) of each table.
    columns = [np.zeros((5, 0), dtype=np.int64)]
    values = [np.zeros((0, len(names_of(options).values)))]
    for path, rows in rows_of.items():
        which, texts = rows.labels.values()
        has_all = [bool(texts[code]) and None not in (rows.starts[k], rows.ends[k]) for k, code in enumerate(which)]
        chosen = np.flatnonzero(rows.is_span & np.array(has_all, dtype=bool))
        code = np.array([labels.setdefault(text, len(labels)) for text in texts], dtype=np.int64)[which[chosen]]
        shape = _shapes(rows.table, options, chosen, shapes)
        places = ([column[row] for row in chosen.tolist()] for column in (rows.starts, rows.ends))
        columns.append(np.array([rows.index[chosen], code, shape, *places], dtype=np.int64))
        values += [] if rows.values is None else [rows.values[chosen]]
        if _n_places(columns) > _MOST_PLACES:
            read.problems.append(Finding(_TOO_FAR, path))
            return
    document, label, shape, start, end = np.concatenate(columns, axis=1)
    order = np.argsort(document, kind="stable")
    ordered = np.concatenate(values)[order] if options.get("values") else None
    collector.add_all(
        document[order], [*labels], label[order], [*shapes], shape[order], start[order], end[order], ordered
    )


def _shapes(table: Table, options: Options, chosen: Integers, shapes: dict[Shape, int]) -> Integers:
    """Return the codes of the fields of these rows; new ones are added to `shapes`."""
    values = [table.columns[name].values() for name in names_of(options).fields]
    comparable: list[Shape]
    _, first, which = np.unique(coded(*(codes[chosen] for codes, _ in values)), return_index=True, return_inverse=True)
    tuples = [tuple(texts[codes[row]] for codes, texts in values) for row in chosen[first].tolist()]
    comparable = [tuple(map(str.casefold, shape)) for shape in tuples] if options.get("case") == "ignore" else [*tuples]
    if options.get("field_order") == "any":
        # Where the order says nothing, nor do the roles that BRAT writes before arguments.
        comparable = [tuple(sorted(_ROLE.sub("", field) for field in shape)) for shape in comparable]
    return np.array([shapes.setdefault(shape, len(shapes)) for shape in comparable], dtype=np.int64)[which]


def _n_places(columns: Sequence[Integers]) -> int:
    """Return over how many places tuples reach: those of one document and shape together to their furthest end."""
    document, _, shape, _, end = np.concatenate(columns, axis=1)
    key = coded(document, shape)
    order = np.lexsort((end, key))
    is_furthest = np.append(key[order][1:] != key[order][:-1], True)[: len(order)]
    return int(end[order][is_furthest].sum())


def _rows(
    path: str,
    content: bytes,
    options: Options,
    index_of: Callable[[str], int | None],
    read: TablesRead,
    unknown: Callable[[str], Message] | None,
    documents: Sequence[str],
) -> _Rows:
    """Read the rows; those that cannot be are problems."""
    table, words = _table(path, content, options)
    names = names_of(options)
    which, spelled = table.ids.values()
    # Most documents have many rows.
    index_of_name = np.array([-1 if (k := index_of(name)) is None else k for name in spelled], dtype=np.int64)
    index = index_of_name[which]
    is_unknown = (index < 0) & ~table.ids.is_blank()
    if (index_of_name < 0).all():
        others: dict[str, Iterable[str]] = {
            name: map(key_of, cells.values()[1]) for name, cells in table.columns.items()
        }
        refuse_swapped({*map(key_of, documents)}, map(key_of, spelled), others, names.document, path)
    if unknown is None:
        read.n_unknown += int(is_unknown.sum())
    elif is_unknown.any():
        used = {key_of(name) for name in spelled}
        respelt = respelling(
            [name for k, name in enumerate(spelled) if index_of_name[k] < 0],
            [name for name in documents if key_of(name) not in used],
        )
        table.add_where(is_unknown, lambda row: respelt.explain(table.ids[row], unknown(table.ids[row])))
    labels = table.columns[names.label] if names.label else Cells([options["content_annotations"][0]] * len(table))
    # A row with a document's name alone says that it has no spans.
    is_bare = _are_blank(table, [name for name in (names.start, names.end, *names.fields) if name is not None])
    is_span = (index >= 0) & ~(is_bare & labels.is_blank() if names.label else is_bare)
    table.add_where(is_span & labels.is_blank(), Message("empty-label", "empty label"))
    if names.fields:
        table.add_where(is_span & _are_blank(table, names.fields), Message("empty-tuple", "all fields of it are empty"))
    starts, ends = _offsets(table, names, is_span)
    probabilities = _probabilities(table, names.probability, is_span)
    values = _values(table, names.values, options, is_span)
    read.problems += table.problems.listed()
    read.says_words |= words is not None
    return _Rows(table, index, labels, starts, ends, is_span, words, probabilities, values)


def _lines(rows: _Rows, collector: Collector) -> Iterator[tuple[int, Line]]:
    """Return the document and the line of each span."""
    for row in np.flatnonzero(rows.is_span).tolist():
        label, start, end = rows.labels[row], rows.starts[row], rows.ends[row]
        if label and start is not None and end is not None:
            words = None if rows.words is None else rows.words[row]
            probability = None if rows.probabilities is None else float(rows.probabilities[row])
            counts = collector.counts(label)
            line = Line(rows.table.line(row), "", label, [(start, end)], words or None, counts, probability)
            yield int(rows.index[row]), line


def _are_blank(table: Table, columns: Sequence[str]) -> Flags:
    """Return whether all of these columns are empty: (n,)."""
    return np.asarray(np.all([table.columns[name].is_blank() for name in columns], axis=0))


def _offsets(table: Table, names: Names, is_span: Flags) -> tuple[list[int | None], list[int | None]]:
    """Return starts and ends of rows; what is no offset becomes a problem.

    Tuples without a span have one place each.
    """
    if names.start is None or names.end is None:
        return [0] * len(table), [1] * len(table)
    starts, ends = (_integers(table, table.columns[name], is_span) for name in (names.start, names.end))
    if names.fields:
        for row, (start, end) in enumerate(zip(starts, ends, strict=True)):
            if start is not None and end is not None and not 0 <= start < end <= _FURTHEST_END:
                if is_span[row]:
                    table.add(offset_problem(start, end), row)
                starts[row] = None
    return starts, ends


def _table(path: str, content: bytes, options: Options) -> tuple[Table, Cells | None]:
    """Read the table with the columns that are wanted, and that of the words, if it has one."""
    names = names_of(options)
    layout = Layout(id=(names.document,), header=options["header"], quotes=options["quotes"])
    wanted = [Column(name) for name in (names.label, names.start, names.end, *names.fields) if name is not None]
    behind = [] if names.probability is None else [Column(names.probability, "number")]
    if names.words is not None:
        n_others = 1 + len(wanted) + len(behind)
        wanted.append(Column(names.words, optional=options["header"] or not _has_more(path, content, layout, n_others)))
    wanted += behind + [Column(name, "number") for name in names.values]
    if list_of([column.name for column in wanted]) == PAIRS:
        content, layout = with_objects(content, path), replace(layout, format="jsonl")
    table = read_table({path: content}, layout, wanted)
    return table, table.columns.get(names.words) if names.words else None


def _probabilities(table: Table, column: str | None, is_span: Flags) -> Floats | None:
    """Return the probabilities of rows (n,); of spans what lies outside 0 and 1 becomes a problem."""
    if column is None:
        return None
    values = numbers_in(table, column, Message.word("probability"), is_span)
    outside = is_span & np.isfinite(values) & ((values < 0) | (values > 1))
    table.add_where(outside, Message("probability-must-lie-between", "a probability must lie between 0 and 1"))
    return values


def _values(table: Table, columns: Sequence[str], options: Options, is_span: Flags) -> Floats | None:
    """Return the numbers of rows (n, columns); of tuples what lies outside the range becomes a problem."""
    if not columns:
        return None
    low, high = options["value_range"]
    values = np.stack([numbers_in(table, column, VALUE, is_span) for column in columns], axis=1)
    outside = np.isfinite(values) & ((values < low) | (values > high))
    table.add_where(
        is_span & outside.any(axis=1),
        lambda row: Message(
            "value-outside-range",
            "{value:g} lies outside the range from {low:g} to {high:g}",
            value=float(values[row][outside[row]][0]),
            low=low,
            high=high,
        ),
    )
    return values


def _has_more(path: str, content: bytes, layout: Layout, n_columns: int) -> bool:
    """Return whether a table without header has more columns than these."""
    file = opened({path: content})
    if file.format not in ("csv", "tsv"):
        return False
    return len(first_record(file.content.decode(), path, layout.sign(file.format), layout)[0]) > n_columns


def _integers(table: Table, cells: Cells, is_span: np.ndarray) -> list[int | None]:
    """Return the offsets; what is no integer becomes a problem. Numbers beyond any text are cut."""
    which, texts = cells.values()
    values = [int(text[:_LARGEST_DIGITS]) if _INTEGER.fullmatch(text) else None for text in texts]
    is_wrong = np.array([value is None for value in values], dtype=np.bool_)[which]
    table.add_where(
        is_wrong & is_span,
        lambda row: Message("offset-not-integer", "the offset {offset!r} is not an integer", offset=cells[row][:40]),
    )
    return [values[code] for code in which.tolist()]
