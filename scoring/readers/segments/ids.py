"""Ids of segments: each once in a file, and the same on both sides."""

from collections.abc import Iterable, Iterator, Mapping

from scoring.errors import Problem
from scoring.messages import Message
from scoring.readers.problems import Problems
from scoring.spelling.respelling import respelling

SEGMENT = Message.word("segment")


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


def unpaired(gold: Iterable[str], system: Mapping[str, int], file: str, noun: str = SEGMENT) -> Iterator[Problem]:
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
        message = Message("id-not-gold", "id {name!r} is not in the gold{hint}", name=name, hint=hint)
        yield Problem(respelt.explain(name, message), file, system[name])
    respelt_ids = {*respelt.meant.values()}
    for name in missing:
        if name not in respelt_ids:
            yield Problem(Message("missing", "{what} {name!r} is missing", what=noun, name=name), file)
