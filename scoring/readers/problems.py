"""Tells what all readers say in the same words: problems collected, cut and raised; one file; UTF-8; ids.

A reader collects every problem that it finds, so that a participant can mend all of them at once, and raises them
together. Readers do not know whether they read the gold or a submission: they raise SubmissionError, and the engine
makes a GoldError of it where the file was the organiser's.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Self

from scoring.errors import SubmissionError
from scoring.findings import Finding, Unreadable
from scoring.messages import Message
from scoring.readers.causes import Causes
from scoring.spelling.respelling import respelling

# A file of the wrong format may have a problem on each of a million lines: more than this many help nobody.
LISTED = 100
_PATHS_NAMED = 5
# The columns of eHealth-KD, by which hints know its lines.
PHRASE_COLUMNS = Message.word("ID, spans, label, text")
RELATION_COLUMNS = Message.word("label, source ID, target ID")


class ProblemCollector:
    """Problems as they are found; of those of a file beyond the first `most`, only the causes are kept.

    So a million of them take no more memory than a thousand. What stands for further problems, as "and 9 more" does,
    may be among those that are added.
    """

    def __init__(self, most: int = LISTED) -> None:
        self._most = most
        self._by_file: dict[str | None, _OfFile] = {}

    def __bool__(self) -> bool:
        return bool(self._by_file)

    def __iter__(self) -> Iterator[Finding]:
        """Yield those that were kept, file by file in the order of finding, and behind each how many more it has."""
        for file, of_file in self._by_file.items():
            yield from of_file.listed
            yield from and_more(of_file.rest.n, file, of_file.rest.listed())

    def append(self, problem: Finding) -> None:
        """Add a further one."""
        of_file = self._by_file.get(problem.file)
        if of_file is None:
            of_file = self._by_file[problem.file] = _OfFile()
        if len(of_file.listed) < self._most and not problem.rest:
            of_file.listed.append(problem)
        else:
            of_file.rest.add(problem)

    def __iadd__(self, problems: Iterable[Finding]) -> Self:
        for problem in problems:
            self.append(problem)
        return self


class _OfFile:
    """The problems of one file."""

    def __init__(self) -> None:
        self.listed: list[Finding] = []
        self.rest = Causes()


class Problems:
    """The problems of one file as they are found; of those beyond the first `most`, only the causes are kept."""

    def __init__(self, file: str, most: int = LISTED) -> None:
        self.place_of_id: dict[str, tuple[str, int]] = {}  # {id: (file, line)}, by `is_new_id`
        self._file = file
        self._most = most
        self._listed: list[Finding] = []
        self._rest = Causes()

    def __bool__(self) -> bool:
        return bool(self._listed)

    @property
    def are_counted_only(self) -> bool:
        """Return whether so many have been found that of further ones nothing is kept but their number."""
        return self._rest.is_full

    def count(self, number: int) -> None:
        """Count further ones, once they are counted only."""
        self._rest.count(number, self._file)

    def add(self, message: str, line: int | None = None, column: int | None = None) -> None:
        """Add a problem of this file; `line` and `column` count from 1."""
        if len(self._listed) < self._most:
            self._listed.append(Finding(message, self._file, line, column))
        elif self._rest.is_full:
            self._rest.count(1, self._file)
        else:
            self._rest.add(Finding(message, self._file, line, column))

    def add_lines(self, message: str, lines: Sequence[int]) -> None:
        """Add the same problem of each of these lines."""
        for made, line in enumerate(lines):
            if self.are_counted_only:
                self.count(len(lines) - made)
                return
            self.add(message, line)

    def is_new_id(self, name: str, line: int) -> bool:
        """Return whether no earlier line has this id; if one has, that is a problem.

        >>> problems = Problems("run.txt")
        >>> problems.is_new_id("a", 1), problems.is_new_id("a", 7)
        (True, False)
        >>> print(*problems.listed())
        run.txt:7: id 'a' twice (first on line 1)
        """
        _, first = self.place_of_id.setdefault(name, (self._file, line))
        if first != line:
            self.add(
                Message("id-twice-first-on", "id {name!r} twice (first on line {first})", name=name, first=first), line
            )
        return first == line

    def listed(self) -> list[Finding]:
        """Return those that were kept, in the order of their lines, and how many more there were."""
        ordered = sorted(self._listed, key=line_of)
        return ordered + and_more(self._rest.n, self._file, self._rest.listed())

    def raise_all(self) -> None:
        """Raise SubmissionError with those of `listed`, if there are any."""
        if self:
            raise SubmissionError(self.listed())


def unreadable(file: str, error: OSError) -> SubmissionError:
    """Return what is raised where the system does not let a file be read."""
    return SubmissionError(
        Unreadable(Message("unreadable", "cannot be read: {strerror}", strerror=error.strerror), file, error=error)
    )


def raise_all(problems: Iterable[Finding], most: int = LISTED) -> None:
    """Raise SubmissionError with all problems, if there are any; a long list is cut."""
    listed = cut(problems, most)
    if listed:
        raise SubmissionError(listed)


def cut(problems: Iterable[Finding], most: int = LISTED, file: str | None = None) -> list[Finding]:
    """Return the first `most` problems, and behind them how many more there are, said of `file`.

    >>> [str(problem) for problem in cut([Finding("a"), Finding("b"), Finding("c")], most=1)]
    ['a', 'and 2 more']
    """
    listed: list[Finding] = []
    rest = Causes()
    for problem in problems:
        if len(listed) < most and not problem.rest:
            listed.append(problem)
        else:
            rest.add(problem)
    return listed + and_more(rest.n, file, rest.listed())


def cut_each_file(problems: Iterable[Finding], most: int = LISTED) -> list[Finding]:
    """Cut as `cut` does, for each file by itself, so that one broken file does not hide the problems of others."""
    collector = ProblemCollector(most)
    collector += problems
    return list(collector)


def and_more(number: int, file: str | None, causes: Iterable[Finding]) -> list[Finding]:
    """Return the problem that stands for so many further ones, if there are any."""
    return (
        [Finding(Message("number-more", "and {number} more", number=number), file, rest=tuple(causes))]
        if number > 0
        else []
    )


def line_of(problem: Finding) -> int:
    """Return a key to sort by; problems of a whole file come first."""
    return problem.line or 0


def only_file(files: Mapping[str, bytes]) -> str:
    """Return the path of the one file; SubmissionError if there are several."""
    paths = list(files)
    if len(paths) != 1:
        named = ", ".join(paths[:_PATHS_NAMED]) + (", …" if len(paths) > _PATHS_NAMED else "")
        raise SubmissionError(
            Message(
                "expected-exactly-one-file", "expected exactly one file, found {n}: {named}", n=len(paths), named=named
            )
        )
    return paths[0]


def decoded(content: bytes, file: str, encoding: str = "utf-8") -> str:
    """Return the text without its byte order mark; SubmissionError with line and byte if it is encoded otherwise."""
    try:
        return content.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise SubmissionError(not_decoded(error, file, encoding)) from None


def only_lines(files: Mapping[str, bytes], encoding: str = "utf-8") -> tuple[str, list[str]]:
    r"""Return the path of the one file, and its lines without their ends; SubmissionError as `only_file` and `decoded`.

    A line ends at a line feed, a carriage return or both, and at none of Unicode's other line ends, which may be data.

    >>> only_lines({"run.txt": b"one\r\ntwo\n\nfour"})
    ('run.txt', ['one', 'two', '', 'four'])
    """
    path = only_file(files)
    lines = decoded(files[path], path, encoding).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    # What follows the last line's end is no line.
    return path, lines if lines[-1] else lines[:-1]


def not_decoded(
    error: UnicodeDecodeError, file: str | None, encoding: str = "utf-8", *, refusal: str | None = None
) -> Finding:
    r"""Return the problem of a file, or of a line, that is not in its encoding: the first byte that does not fit.

    Lines end at a line feed, a carriage return or both; the column counts characters. `refusal` is the beginning of
    the message where a family has promised another one.

    >>> try:
    ...     "Zürich\nGenève".encode("latin-1").decode()
    ... except UnicodeDecodeError as error:
    ...     print(not_decoded(error, "towns.txt"))
    towns.txt:1:2: not UTF-8: byte 0xfc; save the file as UTF-8
    """
    before = error.object[: error.start]
    # One more character, so that a line that begins with the byte counts as a line.
    lines = (before + b"x").splitlines()
    column = len(lines[-1][:-1].decode(encoding, "replace")) + 1
    name = encoding.upper()
    byte = error.object[error.start]
    message = Message(
        "byte-0x-save-file",
        "{what}: byte 0x{byte:02x}; save the file as {name}",
        what=refusal or Message("name-not", "not {name}", name=name),
        byte=byte,
        name=name,
    )
    return Finding(message, file, len(lines), column)


def unpaired_ids(
    gold: Iterable[str],
    system: Mapping[str, tuple[str, int]],
    file: str,
    *,
    missing: str = "id",
    refused: Collection[str] = (),
) -> Iterator[Finding]:
    """Yield a problem for each id of the system that the gold lacks, then for each of the gold that it lacks.

    `system` maps each id to its file and line, from 1; `file` is that of missing ids, and `missing` the word for what
    is missing. Ids in `refused` were there but could not be read, and are not called missing as well.

    >>> for problem in unpaired_ids(["a", "b"], {"a": ("run.txt", 1), "c": ("run.txt", 2)}, "run.txt"): print(problem)
    run.txt:2: id 'c' is not in the gold data
    run.txt: id 'b' is missing
    """
    wanted = dict.fromkeys(gold)
    lacking = [name for name in wanted if name not in system and name not in refused]
    respelt = respelling([name for name in system if name not in wanted], lacking)
    for name, (found_in, line) in system.items():
        if name not in wanted:
            message = Message("id-not-gold-data", "id {name!r} is not in the gold data", name=name)
            yield Finding(respelt.explain(name, message), found_in, line)
    respelt_ids = {*respelt.meant.values()}
    for name in lacking:
        if name not in respelt_ids:
            yield Finding(Message("missing", "{what} {name!r} is missing", what=Message.word(missing), name=name), file)
