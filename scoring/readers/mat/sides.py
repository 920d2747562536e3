"""The gold, and a system over the gold's documents.

What counts is decided when the gold is read, from the first of these that names content annotations: the task file,
the option `content_annotations`, the gold's metadata. Token annotations likewise, and "lex" if nothing names any. A
system's metadata and task are never read, or it could choose what is scored.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scoring.errors import ConfigurationError, SubmissionError, about
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.mat import layout
from scoring.readers.mat.checks import Texts, crowd_problems, differing_tokens, signal_problems
from scoring.readers.mat.collecting import Collected, Collector
from scoring.readers.mat.columns import Gold, System
from scoring.readers.mat.documents import Document, Format, Reading
from scoring.readers.mat.folders import folder_among
from scoring.readers.mat.formats.span_tables import finder, read_tables, texts_of, unknown_document, without_text
from scoring.readers.mat.layout import Files
from scoring.readers.mat.selecting import select
from scoring.readers.mat.tasks import TaskDefinition, path_of_task, read_task, task_of_gold
from scoring.readers.mat.types import Types
from scoring.readers.problems import raise_all

Options = Mapping[str, Any]

# MATScore's name for tokens.
_DEFAULT_TOKENS = ("lex",)
# Of all documents together; each has a limit of its own, so that this many are reached in large uploads only.
_MOST_PROBLEMS = 1_000
_NO_TASK = TaskDefinition(None, (), (), {})
# Formats that have no tokens.
WITHOUT_TOKENS = ("brat", "table")


@dataclass(frozen=True)
class _SideFiles:
    """Holds what a side has beside its annotations, in the order of the gold's documents."""

    names: list[str]
    signals: list[str | None]  # None of a document that cannot be read or is not there
    present: list[int]  # which documents are there
    problems: list[Finding]
    warnings: list[str]
    paths: list[str] = field(default_factory=list)  # of the gold: files that were read
    is_single: bool = False
    says_words: bool = False  # whether the words stand beside offsets


def read_gold(files: Files, options: Options) -> Gold:
    """Read the gold's documents; SubmissionError with all problems, ConfigurationError if no type is content."""
    task = _task_of(files, options)
    # Only the metadata of MAT's own format can still say what counts, when all documents are read: until then None,
    # and everything is collected.
    types = None if options["gold_format"] == "mat-json" else _types(task, options)
    collector = Collector(types, task.aliases, with_tokens=options["gold_format"] not in WITHOUT_TOKENS)
    read = _gold_tables if options["gold_format"] == "table" else _gold_documents
    side = read(files, options, collector)
    types = types or _types(task, options, collector)
    collected = collector.collected()
    selected = select(
        collected,
        types,
        Texts(side.names, side.signals),
        in_utf16=_counts_utf16("gold", options),
        with_tokens=options["gold_format"] not in WITHOUT_TOKENS,
    )
    _raise(side.problems + collector.problems + selected.problems)
    return Gold(
        spans=selected.spans,
        labels=selected.labels,
        tokens=selected.tokens,
        shapes=collected.shapes,
        warnings=_warnings("gold", side.warnings + _about_words(collected), selected.ignored),
        ignored=selected.ignored,
        documents=side.names,
        signals=[signal or "" for signal in side.signals],
        paths=[*side.paths, *([path_of_task(files)] if options["task_in"] == "gold" else ())],
        types=types,
        is_single=side.is_single,
    )


def _task_of(files: Files, options: Options) -> TaskDefinition:
    if options["task_file"]:
        return read_task(options["task_file"], options["task"])
    return task_of_gold(files, options["task"]) if options["task_in"] == "gold" else _NO_TASK


def _gold_documents(files: Files, options: Options, collector: Collector) -> "_SideFiles":
    all_documents = layout.find_gold(files, options)
    if not all_documents.paths:
        raise SubmissionError(layout.no_document(all_documents))
    documents = layout.expected(all_documents, options)
    named = collector.types.named if collector.types else frozenset()
    reading = Reading(files, _format("gold", options, named), collector)
    names = list(documents.paths)
    signals = reading.read_all([Document(k, name, documents.paths[name]) for k, name in enumerate(names)])
    return _SideFiles(names, signals, [*range(len(names))], [], documents.warnings, reading.paths, documents.is_single)


def _gold_tables(files: Files, options: Options, collector: Collector) -> "_SideFiles":
    texts, paths = texts_of(files, options)
    names = list(texts)
    # Nothing bounds the offsets of tuples but what the reader allows.
    signals: list[str | None] = [None] * len(names) if options.get("fields") else [*texts.values()]
    read = read_tables(files, options, [*texts.values()], finder(names), collector, without_text)
    return _SideFiles(names, signals, [*range(len(names))], read.problems, [], sorted({*read.paths, *paths}))


def read_system(files: Files, gold: Gold, options: Options) -> System:
    """Read a system's documents beside the gold's; SubmissionError with all problems.

    A missing document, where the options allow it, is one without annotations.
    """
    # Neither BRAT nor a table has tokens; and the gold's are all that counts by default.
    with_tokens = options["tokens"] != "gold" and options["system_format"] not in WITHOUT_TOKENS
    collector = Collector(gold.types, gold.types.aliases, with_tokens=with_tokens)
    read = _system_tables if options["system_format"] == "table" else _system_documents
    side = read(files, gold, options, collector)
    names, present, texts = side.names, side.present, Texts(side.names, side.signals)
    collected = collector.collected()
    selected = select(
        collected,
        gold.types,
        texts,
        in_utf16=_counts_utf16("system", options),
        with_tokens=with_tokens,
        known_labels=gold.labels,
    )
    # A warning with tokens=system, refused with tokens=equal; with the gold's they do not matter.
    differing = [] if options["tokens"] == "gold" else differing_tokens(selected.tokens, gold.tokens, present)
    # All kinds of problems at once, so that a participant can mend them all before the next upload.
    problems = side.problems + collector.problems + signal_problems(texts, gold.signals) + selected.problems
    if options["tokens"] == "equal":
        problems += [
            Finding(Message("tokens-differ-from-gold", "tokens differ from gold"), names[k]) for k in differing
        ]
    if options["pairing"] == "2.x" and not problems:
        problems = crowd_problems(selected.spans, gold.spans, texts)
    _raise(problems)
    missing = np.ones(len(names), dtype=np.bool_)
    missing[present] = False
    return System(
        spans=selected.spans,
        labels=selected.labels,
        shapes=collected.shapes,
        tokens=selected.tokens,
        warnings=[
            *_warnings("system", side.warnings + _about_words(collected), selected.ignored),
            *_token_warnings([names[k] for k in differing]),
        ],
        ignored=selected.ignored,
        names=names,
        missing=missing,
        said=selected.said,
        says_words=side.says_words,
    )


def _system_documents(files: Files, gold: Gold, options: Options, collector: Collector) -> "_SideFiles":
    files = folder_among(files, gold.types, options)
    documents = layout.with_deeper(layout.find(files, options["system_format"]), gold.documents, options)
    documents = layout.with_gold_letters(documents, gold.documents, options)
    pairs = layout.pair(gold.documents, gold.is_single, documents, options)
    # With translate_all alone the gold's own labels tell which tags of the system are annotations.
    named = gold.types.named | frozenset(gold.labels if gold.types.content is None else ())
    to_read = [
        Document(k, name, documents.paths[name], gold.signals[k])
        for k, name in enumerate(pairs.names)
        if name is not None
    ]
    present = [document.index for document in to_read]
    read = Reading(files, _format("system", options, named), collector).read_all(to_read)
    signal_of = dict(zip(present, read, strict=True))
    names = [name or expected for name, expected in zip(pairs.names, pairs.expected, strict=True)]
    signals = [signal_of.get(k) for k in range(len(names))]
    return _SideFiles(
        names,
        signals,
        present,
        pairs.problems,
        documents.warnings + pairs.warnings,
        says_words=options["system_format"] == "brat",
    )


def _system_tables(files: Files, gold: Gold, options: Options, collector: Collector) -> "_SideFiles":
    find = finder(gold.documents, lambda name: layout.gold_name_of(name, options))
    unknown = None if options["extra_documents"] == "ignore" else unknown_document
    read = read_tables(files, options, gold.signals, find, collector, unknown, gold.documents)
    warnings: list[str] = []
    if read.n_unknown:
        warnings.append(
            Message.counted(
                "rows-of-unknown-documents",
                "one row is of a document that the gold does not have, and is left out",
                "{n:,} rows are of documents that the gold does not have, and are left out",
                read.n_unknown,
            )
        )
    # A document without rows is there, and has no spans.
    signals: list[str | None] = [None] * len(gold.signals) if options.get("fields") else [*gold.signals]
    present = [*range(len(signals))]
    return _SideFiles(gold.documents, signals, present, read.problems, warnings, says_words=read.says_words)


def _types(task: TaskDefinition, options: Options, metadata: Collector | None = None) -> Types:
    """Take labels from the task, else from the options, else from the gold's metadata; an empty list names nothing.

    ConfigurationError if nothing names content annotations, unless every tag of an XML file is an annotation, or the
    gold is a table, all of whose labels then count.
    """
    content = task.content or options["content_annotations"] or (metadata and tuple(metadata.content_annotations))
    tokens = task.tokens or options["token_annotations"] or (metadata and tuple(metadata.token_annotations))
    if not content and options["gold_format"] != "table" and not _translates_all(options):
        raise ConfigurationError(
            Message(
                "content-annotations-unknown-name",
                "content annotations unknown: name the labels that are scored in the options "
                "(content_annotations), or in the gold's metadata",
            )
        )
    return Types(frozenset(content) if content else None, frozenset(tokens or _DEFAULT_TOKENS), task.aliases)


def _translates_all(options: Options) -> bool:
    return any(
        options[f"{side}_format"] == "xml-inline" and options[f"{side}_xml_translate_all"]
        for side in ("gold", "system")
    )


def _format(side: str, options: Options, known_tags: frozenset[str]) -> Format:
    return Format(
        name=options[f"{side}_format"],
        is_gold=side == "gold",
        in_utf16=options["offset_unit"] == "utf16",
        with_structures=options["structures"] == "count",
        discontinuous=options["discontinuous"],
        is_overlay=options[f"{side}_xml_overlay"],
        known_tags=None if options[f"{side}_xml_translate_all"] else known_tags,
    )


def _counts_utf16(side: str, options: Options) -> bool:
    """Tell whether offsets have to be converted here: BRAT's reader does so itself, to compare texts."""
    return bool(options["offset_unit"] == "utf16" and options[f"{side}_format"] == "mat-json")


def _warnings(side: str, about_files: list[str], ignored: Mapping[str, int]) -> list[str]:
    about_types: list[str] = (
        [
            Message(
                "annotations-ignored-their-types",
                "{sum} annotations ignored, their types do not count",
                sum=sum(ignored.values()),
            )
        ]
        if ignored
        else []
    )
    return [*about(side, about_files + about_types)]


def _about_words(collected: Collected) -> list[str]:
    """Return what is odd about the offsets of BRAT files."""
    warnings: list[str] = []
    if moved := collected.moved:
        warnings.append(
            Message(
                "offsets-documents-count-other",
                "offsets of {n} documents count other line ends (CRLF, LF) than the text has, and were moved; "
                "first in {moved}",
                n=len(moved),
                moved=moved[0],
            )
        )
    if careless := collected.careless:
        file, line, text = careless[0]
        warnings.append(
            Message(
                "words-annotations-not-what",
                "the words of {n} annotations are not what stands between their offsets, which count; first in "
                "{file}, line {line}, where {text!r} stands",
                n=len(careless),
                file=file,
                line=line,
                text=text,
            )
        )
    return warnings


def _token_warnings(names: list[str]) -> list[str]:
    if not names:
        return []
    return [
        Message(
            "system-tokens-differ-from",
            "system: tokens differ from gold in {n} documents, first in {name}",
            n=len(names),
            name=names[0],
        )
    ]


def _raise(problems: Iterable[Finding]) -> None:
    """Raise all of them by file, each once: two checks may find the same."""
    raise_all(sorted(dict.fromkeys(problems), key=_place), _MOST_PROBLEMS)


def _place(problem: Finding) -> tuple[str, float]:
    """Order by file, then by line: a table has the rows of many documents.

    What has no line comes last.
    """
    return problem.file or "", math.inf if problem.line is None else problem.line
