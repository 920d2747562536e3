"""The documents of the gold, and those of a system beside them."""

import codecs
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from scoring.errors import Problem, SubmissionError
from scoring.readers.spacy import columns, conllu, json_lines
from scoring.readers.spacy.documents import Alignment, Builder, Documents, align
from scoring.readers.spacy.documents.alignment import difference

_LISTED = 100
_BY_SUFFIX = {
    **dict.fromkeys((".jsonl", ".json", ".ndjson"), "jsonl"),
    ".conllu": "conllu",
    **dict.fromkeys((".conll", ".iob", ".bio", ".tsv", ".txt"), "columns"),
}
_BINARY_SUFFIXES = (".spacy", ".pickle", ".pkl", ".bin", ".msgpack", ".msg")
_BINARY_STARTS = (b"\x78\x01", b"\x78\x9c", b"\x78\xda", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
_START = 4096

CONVERTER = """\
import json, sys, spacy
from spacy.tokens import DocBin
docs = DocBin().from_disk(sys.argv[1]).get_docs(spacy.blank("xx").vocab)
for n, d in enumerate(docs):
    has = lambda a, v: v if d.has_annotation(a) else None
    print(json.dumps({
        "id": n, "words": [t.text for t in d],
        "spaces": None if d.has_unknown_spaces else [bool(t.whitespace_) for t in d],
        "tags": has("TAG", [t.tag_ for t in d]), "pos": has("POS", [t.pos_ for t in d]),
        "lemmas": has("LEMMA", [t.lemma_ for t in d]),
        "morphs": [(str(t.morph) or "_") if t.has_morph() else None for t in d],
        "heads": has("DEP", [t.head.i for t in d]), "deps": has("DEP", [t.dep_ for t in d]),
        "sent_starts": has("SENT_START", [t.is_sent_start for t in d]),
        "ents": has("ENT_IOB", [[e.start, e.end, e.label_, e.kb_id_] for e in d.ents]),
        "ents_missing": [[t.i, t.i + 1] for t in d if t.ent_iob == 0] if d.has_annotation("ENT_IOB") else [],
        "spans": {k: [[s.start, s.end, s.label_] for s in v] for k, v in d.spans.items()}, "cats": d.cats,
    }, ensure_ascii=False))"""


@dataclass(frozen=True)
class System:
    """A system's documents in the order of the gold's, and which gold tokens theirs lie on."""

    documents: Documents
    alignment: Alignment


def read_gold(files: Mapping[str, bytes], options: Mapping[str, Any]) -> Documents:
    """All documents of the gold; SubmissionError with all problems."""
    documents, problems, _ = _read(files, options, None)
    _raise(problems)
    if not len(documents):
        raise SubmissionError(Problem("no documents", documents.paths[0]))
    return documents


def read_system(files: Mapping[str, bytes], gold: Documents, options: Mapping[str, Any]) -> System:
    """The system's documents for those of the gold; SubmissionError with all problems."""
    documents, problems, refused = _read(files, options, gold)
    known = set(gold.ids)
    numbers = {name: k for k, name in enumerate(documents.ids)}
    problems += [
        Problem(f"id {name!r} is not in the gold data", documents.files[k], int(documents.lines[k]))
        for name, k in numbers.items()
        if name not in known
    ]
    absent = [name for name in gold.ids if name not in numbers and name not in refused]
    problems += [Problem(f"document {name!r} is missing", documents.paths[0]) for name in absent]
    there = np.array([k for k, name in enumerate(gold.ids) if name in numbers], dtype=np.int64)
    own = np.array([numbers[gold.ids[k]] for k in there.tolist()], dtype=np.int64)
    ordered = documents if _is_same(own, len(documents)) else documents.reordered(own)
    compared = gold if len(there) == len(gold) else gold.reordered(there)
    alignment, differing = align(compared, ordered)
    problems += [_at(ordered, k, difference(compared, ordered, k)) for k in differing[:_LISTED].tolist()]
    if options["tokens"] == "gold":
        other = np.setdiff1d(np.flatnonzero(~alignment.identical), differing)
        problems += [_at(ordered, k, "the tokens differ from the gold tokens") for k in other.tolist()]
    for item in options["scores"]:
        if item["name"] == "cats":
            empty = _without_categories(compared, ordered, item)
            problems += [Problem(f"document {ordered.ids[k]!r} has no categories", *_place(ordered, k)) for k in empty]
    _raise(problems)
    return System(ordered, alignment)


def _read(
    files: Mapping[str, bytes], options: Mapping[str, Any], gold: Documents | None
) -> tuple[Documents, list[Problem], set[str]]:
    """The documents that are in order, all problems, and the ids of documents that are not in order."""
    builder = Builder(gold)
    problems: list[Problem] = []
    warnings: list[str] = []
    paths = sorted(files)
    contents = {path: files[path].removeprefix(codecs.BOM_UTF8) for path in paths[:1]}
    for path in paths:
        content = contents.pop(path) if path in contents else files[path].removeprefix(codecs.BOM_UTF8)
        if _is_binary(path, content):
            problems.append(Problem(f".spacy files are not read; convert them to JSON Lines:\n{CONVERTER}", path))
            continue
        format_ = options["format"] if options["format"] != "auto" else _format(path, content)
        if len(paths) > 1 and format_ != "jsonl":
            problems.append(Problem("only JSON Lines may come in several files: put everything into one", path))
        elif format_ == "jsonl":
            problems += json_lines.read(content, path, builder, gold)
        else:
            reader = conllu if format_ == "conllu" else columns
            found, notes = reader.read(content, path, builder, options["invalid_tags"])
            problems, warnings = problems + found, warnings + notes
    return builder.documents(paths, warnings), problems, builder.refused


def _is_binary(path: str, content: bytes) -> bool:
    start = content[:_START]
    return path.lower().endswith(_BINARY_SUFFIXES) or start.startswith(_BINARY_STARTS) or b"\0" in start


def _format(path: str, content: bytes) -> str:
    """By the suffix; otherwise by the first character, or by a line of ten columns."""
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    if content.lstrip()[:1] == b"{":
        return "jsonl"
    lines = content[: 2**16].split(b"\n")
    return "conllu" if any(line.count(b"\t") == conllu.N_COLUMNS - 1 for line in lines) else "columns"


def _without_categories(gold: Documents, system: Documents, item: Mapping[str, Any]) -> list[int]:
    """Documents in which the gold names one of exclusive labels and the system none; spaCy cannot score them."""
    if item["multi_label"]:
        return []
    codes = [system.strings[label] for label in item["labels"]]
    has = [np.isin(np.arange(len(gold)), s.cats.document[np.isin(s.cats.label, codes)]) for s in (gold, system)]
    return np.flatnonzero(has[0] & ~has[1]).tolist()


def _is_same(order: "np.ndarray[tuple[int], np.dtype[np.int64]]", length: int) -> bool:
    return len(order) == length and bool((order == np.arange(length)).all())


def _at(documents: Documents, k: int, message: str) -> Problem:
    return Problem(f"document {documents.ids[k]!r}: {message}", *_place(documents, k))


def _place(documents: Documents, k: int) -> tuple[str, int]:
    return documents.files[k], int(documents.lines[k])


def _raise(problems: list[Problem]) -> None:
    """The first hundred: a whole file in the wrong format has one for each line."""
    if len(problems) > _LISTED:
        more = len(problems) - _LISTED
        problems = [*problems[:_LISTED], Problem(f"and {more} more")]
    if problems:
        raise SubmissionError(problems)
