"""Gold and system read from any of the formats, and paired by document.

The steps for each side: decode each file, tell its format by its content, read its documents, and collect all that is
wrong. Then, for the system, pair the documents with the gold's by name.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from scoring.errors import GoldError, SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.archive.files import SingleFile
from scoring.readers.coreference import conll, corefud, scorch_json
from scoring.readers.coreference.documents import Content, Document, shown
from scoring.readers.problems import decoded, raise_all
from scoring.spelling.respelling import respelling

# Lines that only files of this format have; [^\S\n] is a blank that ends no line.
_CONLL = re.compile(r"^#[^\S\n]*begin document", re.MULTILINE)
_COREFUD = re.compile(r"^#[^\S\n]*(?:newdoc|global\.Entity|sent_id)", re.MULTILINE)
# The most repeated mentions, or missing documents, that the warnings name.
_MOST_LISTED = 20
# Files of Universal Anaphora look like CorefUD, but name more columns.
_UNIVERSAL_ANAPHORA = re.compile(r"^#[^\S\n]*global\.columns[^\S\n]*=.*\bIDENTITY\b", re.MULTILINE)
# What to look for if no mention was found.
_WHERE_MENTIONS_STAND = {
    "conll": Message("no-bracket-last-column", ": no bracket in the last column"),
    "corefud": Message("no-entity-tenth-column", ": no Entity= in the tenth column"),
}
_NOT_READ = Message(
    "file-universal-anaphora-whose",
    "this file is of Universal Anaphora, whose column IDENTITY is not read: write the entities as "
    "CorefUD has them, Entity=(e1-type-head- and e1) in the tenth of ten columns, or as CoNLL-2012 "
    "has them, (1 and 1) in the last",
)


@dataclass(frozen=True)
class Side:
    """The documents of one side."""

    # "json", "conll" or "corefud"; "" if there are no files.
    format: str
    # By name, in the order of the files and of the documents in them.
    documents: dict[str, Document]
    # The files that were read, all of them.
    paths: list[str]
    # What is odd but no problem: mentions that occur more than once, or no mention at all.
    warnings: list[str]
    # Whether the side is one JSON file, not a folder or an archive with one.
    is_file: bool


@dataclass(frozen=True)
class System:
    """The documents of the system beside those of the gold."""

    # Each document of the gold that is scored, in the gold's order, with the system's; None where the system lacks it.
    pairs: list[tuple[Document, Document | None]]
    # Documents of the gold that the system lacks, whether they are scored as empty or left out.
    n_missing: int
    # As in `Side`, and which documents are missing.
    warnings: list[str]
    # Whether both sides are one JSON file ("file mode"): then the protocol scorch averages nothing.
    is_file: bool


def read_gold(files: Mapping[str, bytes], options: Mapping[str, Any], words_of: str | None = None) -> Side:
    """Read the documents of the gold; SubmissionError with all problems.

    Of the document `words_of` the text is kept too.
    """
    reader = _Reader(files, options, words_of)
    raise_all(reader.problems)
    return reader.side()


def read_system(
    files: Mapping[str, bytes], gold: Side, options: Mapping[str, Any], words_of: str | None = None
) -> System:
    """Read the documents of the system, paired with the gold's; SubmissionError with all problems.

    Raises GoldError where the problem is that the gold has no mention at all. Of the document `words_of` the text is
    kept too.
    """
    reader = _Reader(files, options, words_of, gold.documents)
    if not reader.problems and reader.format != gold.format:
        raise SubmissionError(
            Message(
                "gold-submission",
                "the gold is {format}, the submission {format_2}",
                format=gold.format,
                format_2=reader.format,
            )
        )
    system = reader.side()
    is_file = gold.is_file and system.is_file
    if is_file:
        # Two single JSON files belong together whatever their names; the document bears the gold's.
        raise_all(reader.problems)
        pairs: list[tuple[Document, Document | None]] = list(
            zip(gold.documents.values(), system.documents.values(), strict=True)
        )
        return System(pairs, 0, system.warnings, is_file)
    raise_all([*reader.problems, *_unpaired(gold, system, reader.problems, options)])
    missing = [name for name in gold.documents if name not in system.documents]
    left_out = frozenset(missing if options["missing"] == "ignore" else [])
    pairs = [
        (document, system.documents.get(name)) for name, document in gold.documents.items() if name not in left_out
    ]
    if options["protocol"] != "reference":
        _check_averages(pairs, options["protocol"])
    return System(pairs, len(missing), [*_missing(missing, options), *system.warnings], is_file)


def is_exact(options: Mapping[str, Any]) -> bool:
    """Return whether mentions are the same if their words are, so that no more has to be known of them."""
    return not (options["match"] or options["zeros"])


class _Reader:
    """All files of one side, and everything that is wrong with them: problems are told together, not one by one."""

    def __init__(
        self,
        files: Mapping[str, bytes],
        options: Mapping[str, Any],
        words_of: str | None,
        names: Collection[str] = (),
    ) -> None:
        self._files = files
        self._names = names  # those of the gold's documents, where the side is a system's
        self._words_of = words_of
        self._options = options
        # By path.
        self._formats: dict[str, str] = {}
        # By name; of several with one name the first, and a problem.
        self._documents: dict[str, Document] = {}
        self._repetitions: list[Finding] = []
        self._has_older_notation = False
        self.problems: list[Finding] = []
        paths = list(files)
        self.problems += _folders(paths)
        if not paths:
            self.problems.append(Finding(Message("no-file", "no file")))
        for path in paths:
            self._read(path)
        self._check_formats()

    @property
    def format(self) -> str:
        """Return the format of the first file; "" if there is none."""
        return next(iter(self._formats.values()), "")

    def side(self) -> Side:
        """Return what was read; fit for use only if there are no problems."""
        documents = self._documents
        # Before anything is counted, and so before the protocol scorch adds singletons of its own to the gold.
        if self._options["singletons"] == "remove":
            documents = {name: document.without_singletons() for name, document in documents.items()}
        return Side(
            format=self.format,
            documents=documents,
            paths=list(self._files),
            warnings=[*self._nothing(), *(problem.placed for problem in _cut(self._repetitions))],
            is_file=isinstance(self._files, SingleFile) and self.format == "json",
        )

    def _read(self, path: str) -> None:
        """Read one file; if it is not UTF-8 or of no known format, nothing but this problem is told of it."""
        try:
            text = decoded(self._files[path], path)
        except SubmissionError as error:
            self.problems += error.problems
            return
        format_ = _format_of(text) if self._options["format"] == "auto" else self._options["format"]
        if format_ is None:
            expected = Message("expected-json-conll-columns", "expected JSON, CoNLL columns or CorefUD")
            self.problems.append(
                Finding(Message("format-not-recognised", "format not recognised: {expected}", expected=expected), path)
            )
            return
        self._formats[path] = format_
        if format_ == "corefud" and _UNIVERSAL_ANAPHORA.search(text):
            self.problems.append(Finding(_NOT_READ, path))
        elif format_ != "corefud" and not is_exact(self._options):
            message = Message(
                "file-match-head-match",
                "this file is {format}: match=head, match=partial and zeros=dependent need CorefUD",
                format=format_,
            )
            self.problems.append(Finding(message, path))
        else:
            self._add(format_, self._content(format_, text, path))

    def _content(self, format_: str, text: str, path: str) -> Content:
        if format_ == "conll":
            is_reference = self._options["protocol"] == "reference"
            return conll.read(text, path, self._words_of, ones_first=is_reference, names=self._names)
        if format_ == "corefud":
            return corefud.read(text, path, self._words_of, with_extents=not is_exact(self._options))
        # There are no words that could be kept.
        return scorch_json.read(text, path)

    def _add(self, format_: str, content: Content) -> None:
        """Add the documents of a file, and what is wrong with it; no two documents of a side may have one name."""
        self.problems += content.problems
        # In JSON a mention twice in one cluster leaves no doubt, so the option has no effect there.
        if self._options["repeated"] == "refuse" and format_ != "json":
            self.problems += content.repetitions
        self._repetitions += content.repetitions
        self._has_older_notation |= content.has_older_notation
        for document in content.documents:
            other = self._documents.setdefault(document.name, document)
            if other is not document and document.name:
                message = Message(
                    "document-twice-also",
                    'document "{name}" twice (also in {file})',
                    name=shown(document.name),
                    file=shown(other.file),
                )
                self.problems.append(Finding(message, document.file, document.line))

    def _nothing(self) -> Iterator[str]:
        """Warn if no document has any mention: they may be written in a notation that is not read."""
        if any(document.entities for document in self._documents.values()):
            return
        older = Message(
            "clusterid-how-corefud-before",
            "; ClusterId= is how CorefUD before 1.0 wrote entities: write them as CorefUD 1.0 does, as Entity=",
        )
        hint = older if self._has_older_notation else _WHERE_MENTIONS_STAND.get(self.format, "")
        yield Message("no-mention-any-document", "no mention in any document{hint}", hint=hint)

    def _check_formats(self) -> None:
        if len(set(self._formats.values())) > 1:
            # Backwards, so that the first file of each format is the one that stays.
            first = {format_: path for path, format_ in reversed(self._formats.items())}
            examples = ", ".join(
                Message("path-format-is", "{path} is {format}", path=shown(path), format=format_)
                for format_, path in first.items()
            )
            self.problems.append(
                Finding(Message("files-different-formats", "files of different formats: {examples}", examples=examples))
            )


def _format_of(text: str) -> str | None:
    """Return the format, told by the content and never by the file's name; None if it is none of the three.

    An empty file counts as JSON, whose reader says that it ends too early.
    """
    start = text.lstrip()[:1]
    if start in ("", "{", "["):
        return "json"
    if _CONLL.search(text):
        return "conll"
    return "corefud" if _COREFUD.search(text) else None


def _folders(paths: Iterable[str]) -> Iterator[Finding]:
    """Yield a problem for each further folder with files: all must lie in one folder, which may lie in others."""
    by_folder: dict[tuple[str, ...], str] = {}
    for path in paths:
        by_folder.setdefault(PurePosixPath(path).parts[:-1], path)
    top = min(by_folder, key=len, default=())
    for folder, path in by_folder.items():
        if folder != top:
            yield Finding(
                Message("folder-inside-submission-put", "folder inside the submission: put all files into one folder"),
                path,
            )


def _unpaired(gold: Side, system: Side, problems: list[Finding], options: Mapping[str, Any]) -> Iterator[Finding]:
    """Return what keeps the documents from being paired by name.

    Documents that are missing, or of another length, are told only if all files could be read (no `problems`):
    otherwise a single broken file would look like many documents that the participant forgot.
    """
    missing = [name for name in gold.documents if name not in system.documents]
    respelt = respelling([name for name in system.documents if name and name not in gold.documents], missing)
    for name, document in system.documents.items():
        if name and name not in gold.documents:
            message = Message("document-not-gold", 'document "{name}" is not in the gold', name=shown(name))
            yield Finding(respelt.explain(name, message), document.file, document.line)
        elif name and not problems and document.lengths != gold.documents[name].lengths:
            message = Message(
                "document-tokens-differ-number",
                'document "{name}": the tokens differ in number from the gold: {lengths}',
                name=shown(name),
                lengths=_difference(gold.documents[name].lengths or (), document.lengths or ()),
            )
            yield Finding(message, document.file, document.line)
    if not problems and options["missing"] == "refuse":
        respelt_names = {*respelt.meant.values()}
        for name in missing:
            if name not in respelt_names:
                yield Finding(Message("document-missing", 'document "{name}" is missing', name=shown(name)))


def _difference(gold: tuple[int, ...], system: tuple[int, ...]) -> str:
    """Tell in what two different `lengths` differ.

    >>> _difference((5, 3), (5, 2)), _difference((5,), (4,)), _difference((5, 3), (5,))
    ('2 instead of 3 in sentence 2', '4 instead of 5', '1 sentences instead of 2')
    """
    if len(gold) != len(system):
        return Message("sentences-instead", "{n} sentences instead of {n_2}", n=len(system), n_2=len(gold))
    index = next(k for k, (one, other) in enumerate(zip(gold, system, strict=True)) if one != other)
    where = Message("in-sentence", " in sentence {number}", number=index + 1) if len(gold) > 1 else ""
    return Message(
        "system-gold-instead", "{system} instead of {gold}{where}", system=system[index], gold=gold[index], where=where
    )


def _check_averages(pairs: list[tuple[Document, Document | None]], protocol: str) -> None:
    """Refuse what leaves an average without weight: a side without any mention. Scorch divides by zero there."""
    has_gold = any(gold.entities for gold, _ in pairs)
    has_system = any(system and system.entities for _, system in pairs)
    # The protocol scorch adds the system's mentions to the gold.
    if not (has_gold or (has_system and protocol == "scorch")):
        raise GoldError(_no_averages("gold"))
    if not has_system:
        raise SubmissionError(_no_averages("system"))


def _no_averages(side: str) -> Message:
    return Message(
        "no-averages",
        "the weighted averages of this protocol do not exist: no {side} mention in any document",
        side=Message.word(side),
    )


def _missing(names: list[str], options: Mapping[str, Any]) -> Iterator[str]:
    """Yield a warning that names the documents that the system lacks, if there are any."""
    if names:
        effect = (
            Message("left-out", "left out")
            if options["missing"] == "ignore"
            else Message("scored-without-entities", "scored as without entities")
        )
        listed = ", ".join(shown(name) for name in names[:_MOST_LISTED])
        more = Message("n-more", " and {n} more", n=len(names) - _MOST_LISTED) if len(names) > _MOST_LISTED else ""
        yield Message(
            "documents-system-lacks",
            "documents that the system lacks are {effect}: {listed}{more}",
            effect=effect,
            listed=listed,
            more=more,
        )


def _cut(problems: list[Finding]) -> list[Finding]:
    """Return the first repeated mentions, and how many more there are: a long file may have thousands."""
    # One of them may stand for many that the reader has counted.
    number = sum(sum(cause.n for cause in problem.rest) or 1 for problem in problems)
    if number <= _MOST_LISTED:
        return problems
    return [
        *problems[:_MOST_LISTED],
        Finding(Message("more-mentions-repeated", "{number} more mentions are repeated", number=number - _MOST_LISTED)),
    ]
