"""Tables of scores, numbers and labels: the fields of each format, and tables that repeat one thing."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from tests.scoring.growing.cases import Case, Files, file_cases, text_cases

_NAMES = {"csv": "run.csv", "tsv": "run.tsv", "jsonl": "run.jsonl", "lines": "run.txt"}
Row = tuple[str, str]


@dataclass(frozen=True)
class Table:
    """A table has these columns and values, and a stranger can repeat these rows in it."""

    family: str
    columns: Row
    value: str  # which every row may have
    gold: Files
    options: dict[str, Any]
    rows: dict[str, tuple[Callable[[int], Row], dict[str, str]]]  # the k-th row, and further options

    def cases(self) -> Iterator[Case]:
        for form, name in _NAMES.items():
            options = {"format": form, **self.options}
            yield from file_cases(self.family, form, self.gold, [name], options)
            if form == "lines":
                line = f"{self.value}\n".encode()
                yield self._case(form, "lines", lambda n, line=line: {"run.txt": line * (n // len(line))}, options)
                continue
            of_fields = options | ({"task": "ranked"} if self.family == "labels" else {})
            yield from text_cases(self.family, form, self.gold, self._fields(form), of_fields)
            for what, (row, more) in self.rows.items():
                yield self._case(form, what, partial(self._repeated, form, row), options | more)

    def _case(self, form: str, what: str, make: Callable[[int], Files], options: dict[str, Any]) -> Case:
        return Case(self.family, form, what, self.gold, make, options)

    def _repeated(self, form: str, row: Callable[[int], Row], n: int) -> Files:
        return self.written(form, map(row, range(n // 16)))

    def _fields(self, form: str) -> dict[str, Callable[[str], Files]]:
        item, value = self.columns
        return {
            f"the {item}": lambda text: self.written(form, [(text, self.value)]),
            f"the {value}": lambda text: self.written(form, [("i1", text)]),
            "a header": lambda text: {_NAMES[form]: f"{text}\ni1,{self.value}\n".encode()},
        }

    def written(self, form: str, rows: Iterable[Row]) -> Files:
        item, value = self.columns
        if form == "jsonl":
            quote = '"' if self.family == "labels" else ""
            lines = (f'{{"{item}": "{key}", "{value}": {quote}{text}{quote}}}\n' for key, text in rows)
        else:
            sign = "\t" if form == "tsv" else ","
            lines = (f"{key}{sign}{text}\n" for key, text in [self.columns, *rows])
        return {_NAMES[form]: "".join(lines).encode()}


def _gold(head: str, row: Callable[[int], str]) -> bytes:
    return "".join([f"{head}\n", *(f"i{k},{row(k)}\n" for k in range(40))]).encode()


_LENIENT = {"unknown_ids": "ignore", "missing": 0}
_NUMBERS: dict[str, tuple[Callable[[int], Row], dict[str, str]]] = {
    "numbers of one item": (lambda k: ("i1", "0.5"), {}),
    "items that the gold lacks": (lambda k: (f"x{k}", "0.5"), {}),
    "what is no number": (lambda k: ("i1", f"x{k}"), {}),
    "ids as a spreadsheet writes them": (lambda k: (f"{k}.0", "1E+05"), {}),
}
_GIVEN = {"units.csv": _gold("unit,weight", lambda k: "1")}
GIVEN = Table("given", ("unit", "score"), "0.5", _GIVEN, {"repeated": "mean", **_LENIENT}, _NUMBERS)
NUMBERS = Table("numbers", ("id", "value"), "0.5", {"gold.csv": _gold("id,value", str)}, _LENIENT, _NUMBERS)
LABELS = Table(
    "labels",
    ("id", "label"),
    "A",
    {"gold.csv": _gold("id,label", lambda k: "AB"[k % 2])},
    {"unknown_ids": "ignore", "missing": "wrong", "unknown_labels": "wrong"},
    {
        "labels of one item": (lambda k: ("i1", "A"), {}),
        "labels that a run invents": (lambda k: (f"i{k}", f"L{k}"), {"labels": "union"}),
        "labels with ancestors": (lambda k: (f"i{k % 40}", "A"), {"hierarchy": "D > C,C > A,C > B"}),
        "labels that are not in the list": (lambda k: (f"i{k % 40}", f"L{k}"), {"unknown_labels": "refuse"}),
        "ids as a spreadsheet writes them": (lambda k: (f"{k}.0", "1E+05"), {"unknown_ids": "refuse"}),
    },
)


def cases() -> Iterator[Case]:
    for table in (GIVEN, NUMBERS, LABELS):
        yield from table.cases()
    for task in ("multi", "ranked"):
        for form in ("csv", "tsv", "jsonl"):
            yield Case(
                "labels",
                form,
                f"labels in one field, {task}",
                LABELS.gold,
                lambda n, form=form: LABELS.written(form, [("i1", ";".join(f"L{k}" for k in range(n // 7)))]),
                {"format": form, **LABELS.options, "task": task},
            )
    soft = LABELS.options | {"task": "soft", "icm": True, "format": "jsonl"}
    by_label = LABELS.options | {"task": "multi", "shares": True, "format": "jsonl"}
    for what, label, options in (
        ("labels with a share in one object", lambda n: {f"L{k}": 1 / (n // 14) for k in range(n // 14)}, soft),
        ("ratings of one item", lambda n: [f"L{k}" for k in range(n // 7)], soft),
        ("sets of annotators of one item", lambda n: [[f"L{k}"] for k in range(n // 9)], by_label),
        ("shares of yes and no", lambda n: {f"L{k}": {"0": 0.5, "1": 0.5} for k in range(n // 26)}, by_label),
    ):
        yield Case(
            "labels",
            "jsonl",
            what,
            LABELS.gold,
            lambda n, label=label: {"run.jsonl": json.dumps({"id": "i1", "label": label(n)}).encode()},
            options,
        )
    yield from _lists()


def _lists() -> Iterator[Case]:
    """Lists of objects in JSON, cells in parts, rows told apart by a value, lists of ratings."""
    gold = {"gold.jsonl": b'{"k": [{"id": "i1", "v": "1#2", "t": "a"}, {"id": "i2", "v": "2#1", "t": "a"}]}'}
    options = {"format": "jsonl", "id": "k[].id", "columns": "k[].v#1,k[].v#2", **_LENIENT}

    def keys(n: int) -> bytes:
        return b"".join(b'"x%d":1,' % k for k in range(n // 20))

    def objects(n: int) -> bytes:
        return b"{" + keys(n) + b'"k":[' + b",".join(b'{"id":"x%d","v":"1#2"}' % k for k in range(n // 50)) + b"]}"

    yield Case("numbers", "jsonl", "one object with a list", gold, lambda n: {"run.jsonl": objects(n)}, options)
    yield Case("numbers", "jsonl", "a list by lines", gold, lambda n: {"run.jsonl": objects(n) + b"\n{}"}, options)
    yield Case(
        "numbers",
        "jsonl",
        "parts of a cell",
        gold,
        lambda n: {"run.jsonl": b'{"k":[{"id":"i1","v":"' + b"1#" * (n // 2) + b'"}]}'},
        options,
    )
    yield Case(
        "numbers",
        "jsonl",
        "values of one list",
        gold,
        lambda n: {
            "run.jsonl": b'{"k":[' + b",".join(b'{"id":"i1","v":"1#2","t":"a%d"}' % k for k in range(n // 34)) + b"]}"
        },
        options | {"rows": "k[].t=a"},
    )
