"""Finds where the documents of an upload lie, and which documents of gold and system belong together.

The system's file name leads to the gold's: `suffix_off` is taken off its end, if it is there, and `suffix_on` put on.

    upload        suffix_off    suffix_on    gold
    n1.sys.json   .sys.json     .json        n1.json

A system file whose whole name does not match `system_pattern` is no document, and its gold is not expected. Two single
files always belong together. Documents of either side are in the code-point order of the gold's names.
"""

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.archive import Files as Upload
from scoring.readers.archive import SingleFile, ZipArchive
from scoring.readers.archive.names import by_base_name, near_pairs
from scoring.readers.mat.tasks import TASK_FILE
from scoring.readers.parts import SomeFiles
from scoring.readers.patterns import is_full_match
from scoring.spelling.respelling import respelling

Files = Mapping[str, bytes]

# Archives are limited as well; a folder of the organiser's may hold anything.
_MOST_FILES = 100_000


@dataclass(frozen=True)
class Documents:
    """The documents of one side."""

    paths: dict[str, str]  # file name -> path, in code-point order of the names
    is_single: bool  # whether the side is a single file, not a folder or an archive
    warnings: list[str]  # sentences about what is not read
    # {file name: path} of files in the sub-folders of an archive, each name once: taken where the gold asks for them.
    deeper: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Pairs:
    """Holds what of the system belongs to each document of the gold, in the gold's order."""

    names: list[str | None]  # name of the system's file, None where it is missing
    expected: list[str]  # name that the file should have
    problems: list[Finding]  # documents missing or unknown, if the options refuse them, or there twice
    warnings: list[str]  # sentences about documents that are ignored


class RenamedFiles(Upload):
    """Some files of an upload, under other names: {name: path in the upload}."""

    def __init__(self, files: Files, paths: dict[str, str]) -> None:
        super().__init__(paths)
        self._files = files
        self._origins = paths

    def _read(self, path: str) -> bytes:
        return self._files[self._origins[path]]


def find(files: Files, format_name: str) -> Documents:
    """Find the files directly in the folder, or in the innermost folder that encloses all files of an archive.

    Of BRAT only those in .ann.
    """
    root = _root(files)
    inside = [path.removeprefix(root) for path in files]
    names = sorted(name for name in inside if "/" not in name)
    if len(names) > _MOST_FILES:
        raise SubmissionError(
            Finding(
                Message(
                    "too-many-files-most",
                    "too many files: {n}, at most {most_files} are read",
                    n=len(names),
                    most_files=_MOST_FILES,
                )
            )
        )
    folders = sorted({name.split("/")[0] for name in inside if "/" in name})
    warnings: list[str] = (
        [
            Message(
                "sub-folders-not-read",
                "sub-folders are not read: {folders}{what}",
                folders=", ".join(folders[:3]),
                what=", …" * (len(folders) > 3),
            )
        ]
        if folders
        else []
    )
    deeper = _deeper(files, inside, root, set(names))
    if format_name == "brat":
        names = [name for name in names if name.endswith(".ann")]
        deeper = {name: path for name, path in deeper.items() if name.endswith(".ann")}
    return Documents({name: root + name for name in names}, isinstance(files, SingleFile), warnings, deeper)


def find_gold(files: Files, options: Mapping[str, Any]) -> Documents:
    """Find the gold's documents, without a task.xml that only defines the labels."""
    documents = find(files, options["gold_format"])
    if options["task_in"] != "gold":
        return documents
    return replace(documents, paths={name: path for name, path in documents.paths.items() if name != TASK_FILE})


def _deeper(files: Files, inside: list[str], root: str, at_root: set[str]) -> dict[str, str]:
    if not isinstance(files, ZipArchive | SomeFiles):
        return {}
    by_name = by_base_name(name for name in inside if "/" in name)
    return {name: root + paths[0] for name, paths in by_name.items() if len(paths) == 1 and name not in at_root}


def with_deeper(system: Documents, gold: list[str], options: Mapping[str, Any]) -> Documents:
    """Add to the system's documents those of its sub-folders that the gold asks for by their names."""
    gold_names = set(gold)
    present = {gold_name_of(name, options) for name in system.paths}
    taken = {
        name: path
        for name, path in sorted(system.deeper.items())
        if gold_name_of(name, options) in gold_names - present and _is_read(name, options)
    }
    if not taken:
        return system
    warning = Message(
        "documents-sub-folders-read", "documents of sub-folders are read too: {n} by their names", n=len(taken)
    )
    return replace(system, paths=system.paths | taken, warnings=[warning])


def with_gold_letters(system: Documents, gold: list[str], options: Mapping[str, Any]) -> Documents:
    """Return the documents under names that have capitals as the gold's have, where none of them are there already."""
    names = frozenset(gold)
    if any(gold_name_of(name, options) in names for name in system.paths) or len(system.paths) > len(gold):
        return system
    wanted = [system_name(name, options) for name in gold]
    n_alike = Counter(map(str.casefold, wanted))
    of_fold = {name.casefold(): name for name in wanted if n_alike[name.casefold()] == 1}
    return replace(system, paths={of_fold.get(name.casefold(), name): path for name, path in system.paths.items()})


def text_path(path: str) -> str:
    """Return where the text of a BRAT file stands."""
    return path.removesuffix(".ann") + ".txt"


def expected(documents: Documents, options: Mapping[str, Any]) -> Documents:
    """Return the gold's documents without those whose system file the pattern leaves out."""
    if documents.is_single or options["system_pattern"] is None:
        return documents
    paths = {name: path for name, path in documents.paths.items() if _is_read(system_name(name, options), options)}
    return Documents(paths, documents.is_single, documents.warnings)


def pair(gold: list[str], gold_is_single: bool, system: Documents, options: Mapping[str, Any]) -> Pairs:
    """Pair the system's files with the gold's documents; SubmissionError if the system has no document at all.

    The words for missing and unknown documents are this family's own; tasks and tests rely on them.
    """
    if gold_is_single and system.is_single:
        return Pairs(list(system.paths), list(system.paths), [], [])
    names: dict[str, str] = {}
    problems, extra = [], []
    gold_names = set(gold)
    for name in system.paths:
        gold_name = gold_name_of(name, options)
        if not _is_read(name, options):
            continue
        if gold_name not in gold_names:
            extra.append(name)
        elif gold_name in names:
            problems.append(
                Finding(
                    Message(
                        "belongs-same-gold-document",
                        "belongs to the same gold document as {name}: keep one",
                        name=names[gold_name],
                    ),
                    name,
                )
            )
        else:
            names[gold_name] = name
    if not names and not extra:
        raise SubmissionError(no_document(system))
    expected_names = [system_name(name, options) for name in gold]
    if system.is_single and not names and options["missing_documents"] == "error":
        raise SubmissionError(Finding(_one_for_all(expected_names), next(iter(system.paths))))
    if options["extra_documents"] == "error":
        absent = [name for name, gold_name in zip(expected_names, gold, strict=True) if gold_name not in names]
        meant = respelling(extra, absent).meant | {near: name for name, near in near_pairs(absent, extra).items()}
        problems += [Finding(_unknown(meant.get(name)), name) for name in extra]
        extra = []
    if options["missing_documents"] == "error":
        problems += [
            Finding(Message("missing-document", "missing document"), name)
            for name, gold_name in zip(expected_names, gold, strict=True)
            if gold_name not in names
        ]
    warnings: list[str] = [
        Message("no-gold-document-name-ignored", "{name}: no gold document with this name, ignored", name=name)
        for name in extra
    ]
    return Pairs([names.get(name) for name in gold], expected_names, problems, warnings)


def _one_for_all(expected_names: list[str]) -> Message:
    return Message(
        "one-file-for-all",
        "this is one file, with another name; the task wants a file for each of its {n:,} documents, such as {example}",
        n=len(expected_names),
        example=expected_names[0],
    )


def _unknown(meant: str | None) -> str:
    if meant is None:
        return unknown_document()
    return Message(
        "no-gold-document-name",
        "no gold document with this name: is it {meant!r}, which is missing? Rename it",
        meant=meant,
    )


def unknown_document() -> Message:
    """Say that the gold has no document with the name of this one."""
    return Message("document-not-in-gold", "no gold document with this name")


def no_document(side: Documents) -> Finding:
    """Return the problem of a side of which nothing is read, with what may be the reason."""
    if side.paths:
        return Finding(
            Message("no-document-none-files", "no document: none of the files has a name that is expected here")
        )
    return Finding(Message.joined([Message("no-document", "no document"), *side.warnings], ": "))


def keep_pairs(gold: Upload, system: Upload, options: Mapping[str, Any]) -> tuple[Upload, Upload, list[str]]:
    """Leave out documents that have no partner on the other side, with a warning for each of these.

    For the command, which scores the hypotheses that it finds, as MATScore does. SubmissionError if none is left.
    """
    gold_documents = expected(find(gold, options["gold_format"]), options)
    system_documents = find(system, options["system_format"])
    if gold_documents.is_single and system_documents.is_single:
        return gold, system, []
    gold_names = {name: gold_name_of(name, options) for name in system_documents.paths if _is_read(name, options)}
    wanted = set(gold_names.values())
    kept_gold = {name: path for name, path in gold_documents.paths.items() if name in wanted}
    kept_system = {name: path for name, path in system_documents.paths.items() if gold_names.get(name) in kept_gold}
    if not kept_system:
        raise SubmissionError(no_document(system_documents))
    warnings: list[str] = [
        Message("no-gold-document-name-skipped", "{name}: no gold document with this name, skipped", name=name)
        for name in gold_names
        if name not in kept_system
    ]
    warnings += [
        Message(
            "missing-document-gold-does",
            "{system_name}: missing document, its gold does not count",
            system_name=system_name(name, options),
        )
        for name in gold_documents.paths
        if name not in kept_gold
    ]
    return _with_texts(gold, kept_gold), _with_texts(system, kept_system), warnings


def _root(files: Files) -> str:
    """Return the folders that enclose all files of an archive, with a slash at their end."""
    if not isinstance(files, ZipArchive | SomeFiles):
        return ""
    folders = [path.split("/")[:-1] for path in files]
    return "".join(f"{part}/" for part in os.path.commonprefix(folders))


def _is_read(name: str, options: Mapping[str, Any]) -> bool:
    pattern = options["system_pattern"]
    return pattern is None or is_full_match(pattern, name)


def gold_name_of(name: str, options: Mapping[str, Any]) -> str:
    """Return the document of the gold that an uploaded file of this name belongs to."""
    """The name of the gold's document to which a system file belongs.

    >>> gold_name_of("n1.sys.json", {"suffix_off": ".sys.json", "suffix_on": ".json"})
    'n1.json'
    """
    return str(name.removesuffix(options["suffix_off"]) + options["suffix_on"])


def system_name(name: str, options: Mapping[str, Any]) -> str:
    """Return the name of the uploaded file that belongs to this document of the gold."""
    """The name that the system's file for a document of the gold should have."""
    return str(name.removesuffix(options["suffix_on"]) + options["suffix_off"])


def _with_texts(files: Files, paths: dict[str, str]) -> RenamedFiles:
    """Return these documents, and the texts that may stand beside BRAT files."""
    texts = {text_path(name): text_path(path) for name, path in paths.items() if name.endswith(".ann")}
    return RenamedFiles(files, paths | {name: path for name, path in texts.items() if path in files})
