"""The gold, and a system over the gold's documents."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from scoring.errors import ConfigurationError, Problem, SubmissionError
from scoring.readers.mat import layout
from scoring.readers.mat.checks import Texts, differing_tokens, signal_problems
from scoring.readers.mat.collecting import Collector
from scoring.readers.mat.columns import Gold, System
from scoring.readers.mat.documents import Document, Format, Reading
from scoring.readers.mat.layout import Files
from scoring.readers.mat.placing import place
from scoring.readers.mat.tasks import TaskDefinition, read_task
from scoring.readers.mat.types import Types

Options = Mapping[str, Any]

_DEFAULT_TOKENS = ("lex",)
_MOST_PROBLEMS = 1_000
_NO_TASK = TaskDefinition(None, (), (), {})


def read_gold(files: Files, options: Options) -> Gold:
    """The gold's documents; SubmissionError with all problems, ConfigurationError if no type is content."""
    found = layout.find(files, options["gold_format"])
    if not found.paths:
        raise SubmissionError(layout.no_document(found))
    documents = layout.expected(found, options)
    task = read_task(options["task_file"], options["task"]) if options["task_file"] else _NO_TASK
    # Only the metadata of MAT's own format can still tell what counts.
    types = None if options["gold_format"] == "mat-json" else _types(task, options)
    collector = Collector(types, task.aliases, with_tokens=options["gold_format"] != "brat")
    reading = Reading(files, _format("gold", options, types.named if types else frozenset()), collector)
    names = list(documents.paths)
    signals = reading.read_all([Document(k, name, documents.paths[name]) for k, name in enumerate(names)])
    types = types or _types(task, options, collector)
    placed = place(
        collector.collected(),
        types,
        Texts(names, signals),
        in_utf16=_counts_utf16("gold", options),
        with_tokens=options["gold_format"] != "brat",
    )
    _raise(collector.problems + placed.problems)
    return Gold(
        spans=placed.spans,
        labels=placed.labels,
        tokens=placed.tokens,
        warnings=_warnings("gold", documents.warnings, placed.n_ignored),
        n_ignored=placed.n_ignored,
        documents=names,
        signals=[signal or "" for signal in signals],
        paths=reading.paths,
        types=types,
        is_single=documents.is_single,
    )


def read_system(files: Files, gold: Gold, options: Options) -> System:
    """A system's documents beside the gold's; SubmissionError with all problems."""
    documents = layout.find(files, options["system_format"])
    pairs = layout.pair(gold.documents, gold.is_single, documents, options)
    with_tokens = options["tokens"] != "gold" and options["system_format"] != "brat"
    collector = Collector(gold.types, gold.types.aliases, with_tokens=with_tokens)
    named = gold.types.named | frozenset(gold.labels if gold.types.content is None else ())
    to_read = [
        Document(k, name, documents.paths[name], gold.signals[k])
        for k, name in enumerate(pairs.names)
        if name is not None
    ]
    found = [document.place for document in to_read]
    read = Reading(files, _format("system", options, named), collector).read_all(to_read)
    by_place = dict(zip(found, read, strict=True))
    names = [name or expected for name, expected in zip(pairs.names, pairs.expected, strict=True)]
    texts = Texts(names, [by_place.get(k) for k in range(len(names))])
    placed = place(
        collector.collected(),
        gold.types,
        texts,
        in_utf16=_counts_utf16("system", options),
        with_tokens=with_tokens,
        known_labels=gold.labels,
    )
    differing = [] if options["tokens"] == "gold" else differing_tokens(placed.tokens, gold.tokens, found)
    problems = pairs.problems + collector.problems + signal_problems(texts, gold.signals) + placed.problems
    if options["tokens"] == "equal":
        problems += [Problem("tokens differ from gold", names[k]) for k in differing]
    _raise(problems)
    missing = np.ones(len(names), dtype=np.bool_)
    missing[found] = False
    return System(
        spans=placed.spans,
        labels=placed.labels,
        tokens=placed.tokens,
        warnings=[
            *_warnings("system", documents.warnings + pairs.warnings, placed.n_ignored),
            *_token_warnings([names[k] for k in differing]),
        ],
        n_ignored=placed.n_ignored,
        names=names,
        missing=missing,
    )


def _types(task: TaskDefinition, options: Options, metadata: Collector | None = None) -> Types:
    """From the task, else from the options, else from the gold's metadata; an empty list tells nothing."""
    content = task.content or options["content_annotations"] or (metadata and tuple(metadata.content_annotations))
    tokens = task.tokens or options["token_annotations"] or (metadata and tuple(metadata.token_annotations))
    if not content and not _translates_all(options):
        raise ConfigurationError(
            "content annotations unknown: give a task_file or content_annotations, or name them in the gold's metadata"
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
        takes_outer=options["discontinuous"] == "outer",
        is_overlay=options[f"{side}_xml_overlay"],
        known_tags=None if options[f"{side}_xml_translate_all"] else known_tags,
    )


def _counts_utf16(side: str, options: Options) -> bool:
    """The reader of BRAT files needs code points itself, to compare the texts."""
    return bool(options["offset_unit"] == "utf16" and options[f"{side}_format"] == "mat-json")


def _warnings(side: str, found: list[str], n_ignored: int) -> list[str]:
    ignored = [f"{n_ignored} annotations ignored, their types do not count"] if n_ignored else []
    return [f"{side}: {warning}" for warning in found + ignored]


def _token_warnings(names: list[str]) -> list[str]:
    if not names:
        return []
    return [f"system: tokens differ from gold in {len(names)} documents, first in {names[0]}"]


def _raise(problems: Iterable[Problem]) -> None:
    """All of them by file, each once; an endless list is cut."""
    found = sorted(dict.fromkeys(problems), key=lambda problem: problem.file or "")
    if len(found) > _MOST_PROBLEMS:
        found[_MOST_PROBLEMS:] = [Problem(f"and {len(found) - _MOST_PROBLEMS} more")]
    if found:
        raise SubmissionError(found)
