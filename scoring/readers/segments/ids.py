"""Ids of segments: each once in a file, and the same on both sides."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.problems import Problems
from scoring.spelling.respelling import from_zero, respelling

SEGMENT = Message.word("segment")


_SIGNS = (",", ";")
_MOST_LINES = 50  # that begin with an id


def refuse_csv(file: str, texts: Sequence[str], ids: Collection[str], names: Sequence[str]) -> None:
    """Raise SubmissionError where plain lines are a CSV file: by the ids that they begin with, or its name and heading.

    >>> refuse_csv("run.csv", ["one, two"], ["a"], ("id", "text"))
    """
    if not texts:
        return
    is_named = file.lower().endswith(".csv")
    segments = set(ids)
    for sign in _SIGNS:
        cells = {cell.strip(' "').casefold() for cell in texts[0].split(sign)}
        looked_at = [text.partition(sign) for text in texts[:_MOST_LINES]]
        n_with_id = sum(1 for name, comma, _ in looked_at if comma and not segments.isdisjoint(_as_ids(name)))
        if (is_named and cells.issuperset(names)) or 2 * n_with_id > len(looked_at):
            message = Message(
                "csv-not-read",
                "CSV is not read here: save it with tabs between the columns, as .tsv, under the heading {heading}",
                heading="⇥".join(names),
            )
            raise SubmissionError(Finding(message, file))


def _as_ids(cell: str) -> tuple[str, str]:
    """Return the id that a cell may be, as it stands and as the name of a file."""
    name = cell.strip(' "')
    return name, name.rpartition("/")[2].rpartition(".")[0]


def no_csv() -> Message:
    """Say that a file is CSV, where plain lines or tabs are read."""
    return Message("csv-not-read-here", "CSV is not read here: tables have tabs between their columns")


class Seen:
    """The ids of a file as they are read."""

    def __init__(self, problems: Problems) -> None:
        self.lines: dict[str, int] = {}  # {id: the line, from 1, where it stands first}
        self._problems = problems

    def is_new(self, name: str, line: int) -> bool:
        """Return whether no earlier line has this id; if one has, that is a problem.

        >>> problems = Problems("run.tsv")
        >>> seen = Seen(problems)
        >>> seen.is_new("a", 1), seen.is_new("a", 7)
        (True, False)
        >>> print(*problems.listed())
        run.tsv:7: duplicate id 'a' (first on line 1)
        """
        first = self.lines.setdefault(name, line)
        if first != line:
            self._problems.add(
                Message(
                    "duplicate-id-first-on", "duplicate id {name!r} (first on line {first})", name=name, first=first
                ),
                line,
            )
        return first == line


def unpaired(gold: Iterable[str], system: Mapping[str, int], file: str, noun: str = SEGMENT) -> Iterator[Finding]:
    """Yield a problem for each id of the system, {id: line}, that the gold lacks, then for each that the system lacks.

    Those that are only spelt otherwise are told so, and not missing.

    >>> for problem in unpaired(["a", "b"], {"a": 1, "c": 2}, "run.tsv"): print(problem)
    run.tsv:2: id 'c' is not in the gold
    run.tsv: segment 'b' is missing
    """
    wanted = dict.fromkeys(gold)
    unknown = [name for name in system if name not in wanted]
    missing = [name for name in wanted if name not in system]
    respelt = respelling(unknown, missing)
    hint: str = ""
    if missing and len(missing) == len(wanted):
        hint = Message("ids-look-like", "; the task's ids look like {example!r}", example=missing[0])
    for name in unknown:
        message = Message(
            "id-not-gold", "id {name!r} is not in the gold{hint}", name=name, hint=hint or from_zero(name, wanted)
        )
        yield Finding(respelt.explain(name, message), file, system[name])
    respelt_ids = {*respelt.meant.values()}
    for name in missing:
        if name not in respelt_ids:
            yield Finding(Message("missing", "{what} {name!r} is missing", what=noun, name=name), file)
