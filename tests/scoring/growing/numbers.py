"""Numbers for items: the fields of each format, and numbers in every order."""

from collections.abc import Callable, Iterator

from tests.scoring.growing.cases import Case, Files, file_cases, text_cases

_GOLD = {"gold.csv": "".join(["id,value\n", *(f"i{k},{k}\n" for k in range(40))]).encode()}
_NAMES = {"csv": "run.csv", "tsv": "run.tsv", "jsonl": "run.jsonl", "lines": "run.txt"}


def cases() -> Iterator[Case]:
    for form, name in _NAMES.items():
        options = {"format": form, "unknown_ids": "ignore", "missing": 0}
        yield from file_cases("numbers", form, _GOLD, [name], options)
        if form == "lines":
            yield Case("numbers", form, "numbers", _GOLD, lambda n: {"run.txt": b"0.5\n" * (n // 4)}, options)
            continue
        yield from text_cases("numbers", form, _GOLD, _fields(form, name), options)
        yield from _structures(form, name, options)


def _fields(form: str, name: str) -> dict[str, Callable[[str], Files]]:
    return {
        "an id": lambda text: _table(form, name, [(text, "0.5")]),
        "a number": lambda text: _table(form, name, [("i1", text)]),
        "a header": lambda text: {name: f"{text}\ni1,1\n".encode()},
    }


def _structures(form: str, name: str, options: dict) -> Iterator[Case]:
    def case(what: str, row: Callable[[int], tuple[str, str]]) -> Case:
        return Case("numbers", form, what, _GOLD, lambda n: _table(form, name, map(row, range(n // 16))), options)

    yield case("numbers of one item", lambda k: ("i1", "0.5"))
    yield case("items that the gold lacks", lambda k: (f"x{k}", "0.5"))
    yield case("what is no number", lambda k: ("i1", f"x{k}"))
    yield case("ids as a spreadsheet writes them", lambda k: (f"{k}.0", "1E+05"))


def _table(form: str, name: str, rows: Iterator[tuple[str, str]] | list[tuple[str, str]]) -> Files:
    if form == "jsonl":
        return {name: "".join(f'{{"id": "{key}", "value": {value}}}\n' for key, value in rows).encode()}
    sign = "\t" if form == "tsv" else ","
    return {name: "".join([f"id{sign}value\n", *(f"{key}{sign}{value}\n" for key, value in rows)]).encode()}
