"""Makes files of what participants are given, the ids, and tells by these which gold an upload is for.

The texts from which systems start, such as sources of translations, are no part of the gold. Nothing here gives away a
reference, but `gold_as_submission`.
"""

from collections.abc import Sequence

from scoring.family import Files, Options, Record, Side
from scoring.readers.problems import Problems, only_file
from scoring.readers.segments import json_records, kind_of, plain_lines, read_columns
from scoring.readers.tables import to_json_lines
from scoring.readers.text import Gold, needs_sources, read_gold, read_ids, read_system

_TEXT = "a text"
_REFERENCE = "-"  # stands where there is no gold


def sample(gold: Files, options: Options) -> dict[str, bytes]:
    """Make an upload that is valid for this gold: the same text for every segment."""
    read = read_gold(gold, options)
    if read.are_lines:
        return {"run.txt": f"{_TEXT}\n".encode() * len(read.ids)}
    return {
        "run.jsonl": to_json_lines([{options["id_column"]: name, options["text_column"]: _TEXT} for name in read.ids])
    }


def gold_as_submission(files: Files, options: Options) -> dict[str, bytes]:
    """Give every segment its first reference, by its id: a run that has to score perfectly."""
    gold = read_gold(files, options)
    pairs = zip(gold.ids, gold.references, strict=True)
    id_, text = options["id_column"], options["text_column"]
    return {"run.jsonl": to_json_lines({id_: name, text: references[0]} for name, references in pairs)}


def inputs(gold: Files, options: Options) -> dict[str, bytes]:
    """Write the ids of the segments in order, with their documents and, where metrics need them, their sources."""
    return {"segments.jsonl": to_json_lines(_described(read_gold(gold, options), options))}


def gold_of_inputs(given: Files, options: Options) -> dict[str, bytes]:
    """Make a gold without references from the ids; or from plain lines, such as sources, one for each segment."""
    path, source = only_file(given), options["source_column"]
    kind = kind_of(path)
    if kind == "lines":
        lines = [text if text.strip() else _REFERENCE for text in plain_lines(given[path], path).texts]
        content = "".join(f"{line}\n" for line in lines).encode()
        return {"references.txt": content, f"{source}.txt": content} if needs_sources(options) else {path: content}
    problems = Problems(path)
    name = options["id_column"]
    if kind == "json":
        records = [record for _, record in json_records(given[path], path, problems, name)]
    else:
        table = read_columns(given[path], path, (name,), problems)
        problems.raise_all()
        records = [dict(zip(table.names, cells, strict=True)) for _, cells in table.rows(problems)]
    problems.raise_all()
    made = {options["ref_column"]: _REFERENCE} | ({source: _REFERENCE} if needs_sources(options) else {})
    segments = [{name: record.get(name)} | made | _document(record) for record in records]
    return {"segments.jsonl": to_json_lines(segments)}


def input_keys(files: Files, options: Options, side: Side) -> set[str]:
    """Return the ids of the segments; of plain lines, which have none, how many there are, with empty ones or not."""
    if side == "gold":
        gold = read_gold(files, options)
        return {*gold.ids, _lines_of(len(gold.ids))}
    path = only_file(files)
    if kind_of(path) == "lines":
        texts = plain_lines(files[path], path).texts
        return {_lines_of(len(texts)), _lines_of(sum(1 for text in texts if text.strip()))}
    return set(read_ids(files, options))


def answers(gold: Files, run: Files, depth: int, options: Options) -> list[tuple[str, str]]:
    """Return the text of each segment."""
    read = read_gold(gold, options)
    return list(zip(read.ids, read_system(run, read, options).texts, strict=True))


def _lines_of(number: int) -> str:
    # No id has a line feed.
    return f"{number}\nlines"


def _described(gold: Gold, options: Options) -> list[Record]:
    documents: Sequence[str | None] = gold.documents or [None] * len(gold.ids)
    records = [
        {options["id_column"]: name} | _document({"document": of}) for name, of in zip(gold.ids, documents, strict=True)
    ]
    for record, source in zip(records, gold.sources or (), strict=False):
        record[options["source_column"]] = source
    return records


def _document(record: Record) -> Record:
    return {"document": record["document"]} if record.get("document") else {}
