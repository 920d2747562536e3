"""Scores made elsewhere: the fields of each format, and tables that repeat one thing."""

from collections.abc import Callable, Iterator

from tests.scoring.growing.cases import Case, Files, file_cases, text_cases

_GOLD = {"units.csv": "".join(["unit,weight\n", *(f"u{k},1\n" for k in range(40))]).encode()}
_NAMES = {"csv": "run.csv", "tsv": "run.tsv", "jsonl": "run.jsonl", "lines": "run.txt"}


def cases() -> Iterator[Case]:
    for form, name in _NAMES.items():
        options = {"format": form, "repeated": "mean", "unknown_ids": "ignore", "missing": 0}
        yield from file_cases("given", form, _GOLD, [name], options)
        if form == "lines":
            yield Case("given", form, "numbers", _GOLD, lambda n: {"run.txt": b"0.5\n" * (n // 4)}, options)
            continue
        yield from text_cases("given", form, _GOLD, _fields(form, name), options)
        yield from _structures(form, name, options)


def _fields(form: str, name: str) -> dict[str, Callable[[str], Files]]:
    return {
        "a unit": lambda text: _table(form, name, [(text, "0.5")]),
        "a score": lambda text: _table(form, name, [("u1", text)]),
        "a header": lambda text: {name: f"{text}\nu1,1\n".encode()},
    }


def _structures(form: str, name: str, options: dict) -> Iterator[Case]:
    def case(what: str, row: Callable[[int], tuple[str, str]]) -> Case:
        return Case("given", form, what, _GOLD, lambda n: _table(form, name, map(row, range(n // 16))), options)

    yield case("scores of one unit", lambda k: ("u1", "0.5"))
    yield case("units that the gold lacks", lambda k: (f"x{k}", "0.5"))
    yield case("scores that are no numbers", lambda k: ("u1", f"x{k}"))
    yield case("numbers as a spreadsheet writes them", lambda k: (f"{k}.0", "1E+05"))


def _table(form: str, name: str, rows: Iterator[tuple[str, str]] | list[tuple[str, str]]) -> Files:
    if form == "jsonl":
        return {name: "".join(f'{{"unit": "{unit}", "score": {score}}}\n' for unit, score in rows).encode()}
    sign = "\t" if form == "tsv" else ","
    return {name: "".join([f"unit{sign}score\n", *(f"{unit}{sign}{score}\n" for unit, score in rows)]).encode()}
