"""Gold and system read from any of the formats, and paired by document."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from scoring.errors import GoldError, Problem, SubmissionError
from scoring.readers.archive.files import SingleFile
from scoring.readers.coreference import conll, corefud, scorch_json
from scoring.readers.coreference.documents import Content, Document, decoded, shown
from scoring.readers.problems import raise_all

_CONLL = re.compile(r"^#[^\S\n]*begin document", re.MULTILINE)
_COREFUD = re.compile(r"^#[^\S\n]*(?:newdoc|global\.Entity|sent_id)", re.MULTILINE)
_LISTED = 20
_NO_AVERAGES = "the weighted averages of this protocol do not exist: no {} mention in any document"


@dataclass(frozen=True)
class Side:
    """One side's documents by name, in the order of its files; `is_file` if they are one JSON file, not a folder."""

    format: str
    documents: dict[str, Document]
    paths: list[str]
    warnings: list[str]
    is_file: bool


@dataclass(frozen=True)
class System:
    """Each scored document of the gold with the system's; None where the system lacks it.

    `is_file` if both sides are one JSON file: then the protocol scorch averages nothing.
    """

    pairs: list[tuple[Document, Document | None]]
    n_missing: int
    warnings: list[str]
    is_file: bool


def read_gold(files: Mapping[str, bytes], options: Mapping[str, Any], words_of: str | None = None) -> Side:
    """SubmissionError with all problems of the gold."""
    reading = _Reading(files, options, words_of)
    raise_all(reading.problems)
    return reading.side()


def read_system(
    files: Mapping[str, bytes], gold: Side, options: Mapping[str, Any], words_of: str | None = None
) -> System:
    """SubmissionError with all problems of the system; GoldError where the gold's lack of mentions is one."""
    reading = _Reading(files, options, words_of)
    if not reading.problems and reading.format != gold.format:
        raise SubmissionError(f"the gold is {gold.format}, the submission {reading.format}")
    system = reading.side()
    is_file = gold.is_file and system.is_file
    if is_file:
        raise_all(reading.problems)
        pairs: list[tuple[Document, Document | None]] = list(
            zip(gold.documents.values(), system.documents.values(), strict=True)
        )
        return System(pairs, 0, system.warnings, is_file)
    raise_all([*reading.problems, *_unpaired(gold, system, reading.problems, options)])
    missing = [name for name in gold.documents if name not in system.documents]
    left_out = frozenset(missing if options["missing"] == "ignore" else [])
    pairs = [
        (document, system.documents.get(name)) for name, document in gold.documents.items() if name not in left_out
    ]
    if options["protocol"] != "reference":
        _check_averages(pairs, options["protocol"])
    return System(pairs, len(missing), [*_missing(missing, options), *system.warnings], is_file)


class _Reading:
    """All files of one side, and everything that is wrong with them."""

    def __init__(self, files: Mapping[str, bytes], options: Mapping[str, Any], words_of: str | None) -> None:
        self._files = files
        self._words_of = words_of
        self._options = options
        self._formats: dict[str, str] = {}
        self._documents: dict[str, Document] = {}
        self._repetitions: list[Problem] = []
        self.problems: list[Problem] = []
        paths = list(files)
        self.problems += _folders(paths)
        if not paths:
            self.problems.append(Problem("no file"))
        for path in paths:
            self._read(path)
        self._check_formats()

    @property
    def format(self) -> str:
        return next(iter(self._formats.values()), "")

    def side(self) -> Side:
        documents = self._documents
        if self._options["singletons"] == "remove":
            documents = {name: document.without_singletons() for name, document in documents.items()}
        return Side(
            format=self.format,
            documents=documents,
            paths=list(self._files),
            warnings=[str(problem) for problem in _cut(self._repetitions)],
            is_file=isinstance(self._files, SingleFile) and self.format == "json",
        )

    def _read(self, path: str) -> None:
        try:
            text = decoded(self._files[path])
        except SubmissionError as error:
            self.problems += error.problems
            return
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            byte = error.object[error.start]
            self.problems.append(Problem(f"not UTF-8: the byte 0x{byte:02x}; save the file as UTF-8", path, line))
            return
        format_ = _format(text) if self._options["format"] == "auto" else self._options["format"]
        if format_ is None:
            expected = "expected JSON, CoNLL columns or CorefUD"
            self.problems.append(Problem(f"format not recognised: {expected}", path))
            return
        self._formats[path] = format_
        self._take(format_, _READ[format_](text, path, self._words_of))

    def _take(self, format_: str, content: Content) -> None:
        self.problems += content.problems
        if self._options["repeated"] == "refuse" and format_ != "json":
            self.problems += content.repetitions
        self._repetitions += content.repetitions
        for document in content.documents:
            other = self._documents.setdefault(document.name, document)
            if other is not document and document.name:
                message = f'document "{shown(document.name)}" twice (also in {shown(other.file)})'
                self.problems.append(Problem(message, document.file, document.line))

    def _check_formats(self) -> None:
        if len(set(self._formats.values())) > 1:
            first = {format_: path for path, format_ in reversed(self._formats.items())}
            found = ", ".join(f"{shown(path)} is {format_}" for format_, path in first.items())
            self.problems.append(Problem(f"files of different formats: {found}"))


def _json(text: str, path: str, words_of: str | None) -> Content:
    """Such a file has no words."""
    return scorch_json.read(text, path)


_READ: dict[str, Callable[[str, str, str | None], Content]] = {
    "json": _json,
    "conll": conll.read,
    "corefud": corefud.read,
}


def _format(text: str) -> str | None:
    """Told by the content, never by the name; an empty file would be JSON that somebody has cut off."""
    start = text.lstrip()[:1]
    if start in ("", "{", "["):
        return "json"
    if _CONLL.search(text):
        return "conll"
    return "corefud" if _COREFUD.search(text) else None


def _folders(paths: Iterable[str]) -> Iterator[Problem]:
    """All files must lie in one folder, which may lie in others."""
    by_folder: dict[tuple[str, ...], str] = {}
    for path in paths:
        by_folder.setdefault(PurePosixPath(path).parts[:-1], path)
    top = min(by_folder, key=len, default=())
    for folder, path in by_folder.items():
        if folder != top:
            yield Problem("folder inside the submission: put all files into one folder", path)


def _unpaired(gold: Side, system: Side, problems: list[Problem], options: Mapping[str, Any]) -> Iterator[Problem]:
    """What keeps the documents from being paired by name; absent ones only if all files could be read."""
    for name, document in system.documents.items():
        if name and name not in gold.documents:
            message = f'document "{shown(name)}" is not in the gold'
            yield Problem(message, document.file, document.line)
        elif name and not problems and document.lengths != gold.documents[name].lengths:
            message = f'document "{shown(name)}": the tokens differ in number from the gold'
            lengths = _difference(gold.documents[name].lengths or (), document.lengths or ())
            yield Problem(f"{message}: {lengths}", document.file, document.line)
    if not problems and options["missing"] == "refuse":
        for name in gold.documents:
            if name not in system.documents:
                yield Problem(f'document "{shown(name)}" is missing')


def _difference(gold: tuple[int, ...], system: tuple[int, ...]) -> str:
    if len(gold) != len(system):
        return f"{len(system)} sentences instead of {len(gold)}"
    place = next(k for k, (one, other) in enumerate(zip(gold, system, strict=True)) if one != other)
    where = f" in sentence {place + 1}" if len(gold) > 1 else ""
    return f"{system[place]} instead of {gold[place]}{where}"


def _check_averages(pairs: list[tuple[Document, Document | None]], protocol: str) -> None:
    """Without mentions on a side the weights of the averages are all zero."""
    has_gold = any(gold.entities for gold, _ in pairs)
    has_system = any(system and system.entities for _, system in pairs)
    # The protocol scorch adds the system's mentions to the gold.
    if not (has_gold or (has_system and protocol == "scorch")):
        raise GoldError(_NO_AVERAGES.format("gold"))
    if not has_system:
        raise SubmissionError(_NO_AVERAGES.format("system"))


def _missing(names: list[str], options: Mapping[str, Any]) -> Iterator[str]:
    if names:
        effect = "left out" if options["missing"] == "ignore" else "scored as without entities"
        listed = ", ".join(shown(name) for name in names[:_LISTED])
        more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        yield f"documents that the system lacks are {effect}: {listed}{more}"


def _cut(problems: list[Problem]) -> list[Problem]:
    if len(problems) <= _LISTED:
        return problems
    return [*problems[:_LISTED], Problem(f"{len(problems) - _LISTED} more mentions are repeated")]
