"""The documents of the gold, and those of a system in the same order, each aligned with its gold.

Documents are paired by their ids, whatever their order. Both sides may be in different formats.
"""

import codecs
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from scoring.columns import Integers
from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.archive.names import lower_name
from scoring.readers.gc_pause import without_collector
from scoring.readers.problems import LISTED, ProblemCollector, raise_all
from scoring.readers.spacy import columns, conllu, json_lines
from scoring.readers.spacy.conllu.reading import asks_for_treebanks_alone, treebank_item
from scoring.readers.spacy.conllu.words import MOST_WORDS, TooLongError, align_words
from scoring.readers.spacy.documents import Alignment, Builder, Documents, align
from scoring.readers.spacy.documents.alignment import alignment_of, difference
from scoring.readers.whole_json import as_json_lines
from scoring.spelling.respelling import respelling

_BY_SUFFIX = {
    **dict.fromkeys((".jsonl", ".json", ".ndjson"), "jsonl"),
    ".conllu": "conllu",
    **dict.fromkeys((".conll", ".iob", ".bio", ".tsv", ".txt"), "columns"),
}
_BINARY_SUFFIXES = (".spacy", ".pickle", ".pkl", ".bin", ".msgpack", ".msg")
# The first bytes of zlib (.spacy files) and of pickles.
_BINARY_STARTS = (b"\x78\x01", b"\x78\x9c", b"\x78\xda", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
# Bytes in which a NUL byte tells a binary file, and bytes in which a line of ten columns tells CoNLL-U.
_BINARY_START = 2**12
_CONLLU_START = 2**16
_LIST_OF_OBJECTS = re.compile(rb"\s*\[\s*\{")

# Shown to whoever uploads a .spacy file. Its user data may hold anything, so it is safe to open for its owner only.
CONVERTER = """\
import json, sys, spacy
from spacy.tokens import DocBin
docs = DocBin().from_disk(sys.argv[1]).get_docs(spacy.blank("xx").vocab)
for n, d in enumerate(docs):
    has = lambda a, v: v if d.has_annotation(a) else None
    # Where labels are known and sentences are not, that has to be said: they would be derived from the heads.
    starts = [t.is_sent_start for t in d] if d.has_annotation("SENT_START") or d.has_annotation("DEP") else None
    print(json.dumps({
        "id": n, "words": [t.text for t in d],
        "spaces": None if d.has_unknown_spaces else [bool(t.whitespace_) for t in d],
        "tags": has("TAG", [t.tag_ for t in d]), "pos": has("POS", [t.pos_ for t in d]),
        "lemmas": has("LEMMA", [t.lemma_ for t in d]),
        "morphs": [(str(t.morph) or "_") if t.has_morph() else None for t in d],
        "heads": has("DEP", [t.head.i for t in d]), "deps": has("DEP", [t.dep_ for t in d]),
        "sent_starts": starts,
        "ents": has("ENT_IOB", [[e.start, e.end, e.label_, e.kb_id_] for e in d.ents]),
        "ents_missing": [[t.i, t.i + 1] for t in d if t.ent_iob == 0] if d.has_annotation("ENT_IOB") else [],
        "spans": {k: [[s.start, s.end, s.label_] for s in v] for k, v in d.spans.items()}, "cats": d.cats,
    }, ensure_ascii=False))"""


@dataclass(frozen=True)
class System:
    """A system's documents beside those of the gold."""

    documents: Documents  # one for each of the gold, in the gold's order
    alignment: Alignment  # which gold tokens their tokens lie on
    # The word of the gold's treebank that each word of the system's is, -1 for none; None without treebanks.
    words: Integers | None = None


def read_gold(files: Mapping[str, bytes], options: Mapping[str, Any]) -> Documents:
    """Read all documents of the gold; SubmissionError with all problems."""
    documents, problems, _ = _read(files, options, None)
    raise_all(problems)
    if not len(documents):
        raise SubmissionError(Finding(Message("no-documents", "no documents"), documents.paths[0]))
    return documents


def read_system(files: Mapping[str, bytes], gold: Documents, options: Mapping[str, Any]) -> System:
    """Read the system's documents for those of the gold; SubmissionError with all problems."""
    documents, problems, refused = _read(files, options, gold)
    words = _words(gold, documents, problems)
    if asks_for_treebanks_alone(options):
        raise_all(problems)
        assert words is not None
        return System(documents, alignment_of(gold, documents, words), words)
    indices = {name: k for k, name in enumerate(documents.ids)}
    problems += _id_problems(gold, documents, refused)
    # The documents that both sides have, as indices of the gold and of the system. A submission that lacks any will be
    # refused, but its other documents are compared all the same, so that all problems are told at once.
    of_gold = np.array([k for k, name in enumerate(gold.ids) if name in indices], dtype=np.int64)
    of_system = np.array([indices[gold.ids[k]] for k in of_gold.tolist()], dtype=np.int64)
    ordered = documents if _is_all(of_system, len(documents)) else documents.reordered(of_system)
    compared = gold if len(of_gold) == len(gold) else gold.reordered(of_gold)
    alignment, differing = align(compared, ordered)
    # Finding out where texts differ takes time; more problems than are listed help nobody.
    problems += [_at(ordered, k, difference(compared, ordered, k)) for k in differing[:LISTED].tolist()]
    if options["tokens"] == "gold":
        other = np.setdiff1d(np.flatnonzero(~alignment.identical), differing)
        problems += (_at(ordered, k, _first_other_token(compared.words(k), ordered.words(k))) for k in other.tolist())
    for item in options["scores"]:
        if item["name"] == "cats":
            empty = _without_categories(compared, ordered, item)
            problems += [
                Finding(
                    Message("document-no-categories", "document {id!r} has no categories", id=ordered.ids[k]),
                    *_location(ordered, k),
                )
                for k in empty
            ]
    raise_all(problems)
    return System(ordered, alignment, words)


def _first_other_token(gold: list[str], system: list[str]) -> Message:
    place = next((k for k, (one, other) in enumerate(zip(gold, system, strict=False)) if one != other), None)
    if place is None:
        return Message("tokens-differ-from-gold-tokens", "the tokens differ from the gold tokens")
    return Message(
        "token-differs-from-gold",
        "the tokens differ from the gold tokens: token {place} is {system!r}, where the task has {gold!r}",
        place=place,
        system=system[place],
        gold=gold[place],
    )


def _words(gold: Documents, system: Documents, problems: ProblemCollector) -> Integers | None:
    """Align the words of both treebanks, where there are treebanks of the same text."""
    if gold.treebank is None or system.treebank is None or gold.treebank.text != system.treebank.text:
        return None
    try:
        return align_words(gold.treebank, system.treebank)
    except TooLongError as error:
        line = int(system.treebank.token_line[system.treebank.token[error.word]])
        message = Message(
            "multiword-tokens-overlap-each",
            "multiword tokens that overlap each other make a stretch of more than {most_words:,} words",
            most_words=MOST_WORDS,
        )
        problems.append(Finding(message, system.paths[0], line))
        return None


def _read(
    files: Mapping[str, bytes], options: Mapping[str, Any], gold: Documents | None
) -> tuple[Documents, ProblemCollector, set[str]]:
    """Read the documents that are in order, all problems, and the ids of documents with problems.

    With the `gold`, the files are a system's.
    """
    builder = Builder(gold)
    problems = ProblemCollector()
    warnings: list[str] = []
    paths = sorted(files)
    for path in paths:
        content = files[path].removeprefix(codecs.BOM_UTF8)
        if _is_binary(path, content):
            problems.append(
                Finding(
                    Message(
                        "spacy-files-not-read-json",
                        ".spacy files are not read; convert them to JSON Lines:\n{converter}",
                        converter=CONVERTER,
                    ),
                    path,
                )
            )
            continue
        format_ = options["format"] if options["format"] != "auto" else _format(path, content)
        if len(paths) > 1 and format_ != "jsonl":
            problems.append(
                Finding(
                    Message(
                        "only-json-lines-may", "only JSON Lines may come in several files: put everything into one"
                    ),
                    path,
                )
            )
        elif treebank_item(options) and format_ != "conllu":
            problems.append(
                Finding(
                    Message(
                        "metrics-universal-dependencies-ud",
                        "the metrics of Universal Dependencies (ud) are of CoNLL-U files alone",
                    ),
                    path,
                )
            )
        elif format_ == "jsonl":
            problems += _read_json(content, path, builder, gold)
        else:
            with without_collector():
                if format_ == "conllu":
                    more_problems, more_warnings = conllu.read(content, path, builder, options, gold)
                else:
                    more_problems, more_warnings = columns.read(content, path, builder, options)
            problems += more_problems
            warnings += more_warnings
    return builder.documents(paths, warnings), problems, builder.refused


def _read_json(content: bytes, path: str, builder: Builder, gold: Documents | None) -> ProblemCollector:
    """Enter the documents of JSON Lines, or of one list of JSON; return what is wrong with them."""
    if lower_name(path).endswith(".json") and _LIST_OF_OBJECTS.match(content):
        try:
            with suppress(UnicodeDecodeError):  # the line where it is no UTF-8 is told below
                content = as_json_lines(content, path, "id", "ents")
        except SubmissionError as error:
            problems = ProblemCollector()
            problems += error.problems
            return problems
    return json_lines.read(content, path, builder, gold)


def _is_binary(path: str, content: bytes) -> bool:
    start = content[:_BINARY_START]
    return path.lower().endswith(_BINARY_SUFFIXES) or start.startswith(_BINARY_STARTS) or b"\0" in start


def _format(path: str, content: bytes) -> str:
    """Tell the format by the suffix, otherwise by the first character, or by a line of ten columns."""
    suffix = PurePosixPath(lower_name(path)).suffix
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    if content.lstrip()[:1] == b"{":
        return "jsonl"
    lines = content[:_CONLLU_START].split(b"\n")
    return "conllu" if any(line.count(b"\t") == conllu.N_COLUMNS - 1 for line in lines) else "columns"


def _id_problems(gold: Documents, system: Documents, refused: set[str]) -> list[Finding]:
    """Name documents that the gold does not have, and those of the gold that are missing.

    One that was `refused` for other problems is not missing.
    """
    gold_ids, given = set(gold.ids), set(system.ids)
    missing = [name for name in gold.ids if name not in given and name not in refused]
    respelt = respelling([name for name in system.ids if name not in gold_ids], missing)
    unknown = [
        Finding(
            respelt.explain(name, Message("id-not-gold-data", "id {name!r} is not in the gold data", name=name)),
            *_location(system, k),
        )
        for k, name in enumerate(system.ids)
        if name not in gold_ids
    ]
    if unknown and not respelt.meant and gold_ids.isdisjoint(given | refused):
        numbers = Message(
            "documents-gold-submission",
            "documents of the gold: {n:,}, of this submission: {n_2:,}",
            n=len(gold),
            n_2=len(system),
        )
        unknown.insert(
            0,
            Finding(
                Message("ids-not-in-gold", "no id is one of the gold's; {numbers}", numbers=numbers), system.paths[0]
            ),
        )
    respelt_ids = {*respelt.meant.values()}
    return unknown + [
        Finding(Message("missing-document-id", "document {name!r} is missing", name=name), system.paths[0])
        for name in missing
        if name not in respelt_ids
    ]


def _without_categories(gold: Documents, system: Documents, item: Mapping[str, Any]) -> list[int]:
    """Return documents in which the gold names one of exclusive labels and the system none, which spaCy cannot score.

    `item` is one of the option `scores`, with the name "cats".
    """
    if item["multi_label"]:
        return []
    codes = [system.strings[label] for label in item["labels"]]
    has = [np.isin(np.arange(len(gold)), s.cats.document[np.isin(s.cats.label, codes)]) for s in (gold, system)]
    return np.flatnonzero(has[0] & ~has[1]).tolist()


def _is_all(order: Integers, n_documents: int) -> bool:
    """Return whether these are the indices of all documents in their own order, so that nothing has to be moved."""
    return len(order) == n_documents and bool((order == np.arange(n_documents)).all())


def _at(documents: Documents, k: int, message: str) -> Finding:
    return Finding(
        Message("id-message-document", "document {id!r}: {message}", id=documents.ids[k], message=message),
        *_location(documents, k),
    )


def _location(documents: Documents, k: int) -> tuple[str, int]:
    """Return the file and the line where a document begins."""
    return documents.files[k], int(documents.lines[k])
