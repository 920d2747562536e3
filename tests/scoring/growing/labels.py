"""Labels of items: the fields of each format, several labels in one field, and probabilities."""

from collections.abc import Callable, Iterable, Iterator

from tests.scoring.growing.cases import Case, Files, file_cases, text_cases

_GOLD = {"gold.csv": "".join(["id,label\n", *(f"i{k},{'AB'[k % 2]}\n" for k in range(40))]).encode()}
_NAMES = {"csv": "run.csv", "tsv": "run.tsv", "jsonl": "run.jsonl", "lines": "run.txt"}
_LENIENT = {"unknown_ids": "ignore", "missing": "wrong", "unknown_labels": "wrong"}


def cases() -> Iterator[Case]:
    for form, name in _NAMES.items():
        options = {"format": form, **_LENIENT}
        yield from file_cases("labels", form, _GOLD, [name], options)
        if form == "lines":
            yield Case("labels", form, "lines", _GOLD, lambda n: {"run.txt": b"A\n" * (n // 2)}, options)
            continue
        yield from text_cases("labels", form, _GOLD, _fields(form, name), options | {"task": "ranked"})
        yield from _structures(form, name, options)


def _fields(form: str, name: str) -> dict[str, Callable[[str], Files]]:
    return {
        "an id": lambda text: _table(form, name, [(text, "A")]),
        "a label": lambda text: _table(form, name, [("i1", text)]),
        "a header": lambda text: {name: f"{text}\ni1,A\n".encode()},
    }


def _structures(form: str, name: str, options: dict) -> Iterator[Case]:
    def case(what: str, row: Callable[[int], tuple[str, str]], **more: str) -> Case:
        own = options | more
        return Case("labels", form, what, _GOLD, lambda n: _table(form, name, map(row, range(n // 16))), own)

    yield case("labels of one item", lambda k: ("i1", "A"))
    yield case("labels that a run invents", lambda k: (f"i{k}", f"L{k}"), labels="union")
    yield case("labels that are not in the list", lambda k: (f"i{k % 40}", f"L{k}"), unknown_labels="refuse")
    yield case("ids as a spreadsheet writes them", lambda k: (f"{k}.0", "1E+05"), unknown_ids="refuse")
    for task in ("multi", "ranked"):
        own = options | {"task": task}
        yield Case(
            "labels",
            form,
            f"labels in one field, {task}",
            _GOLD,
            lambda n: _table(form, name, [("i1", ";".join(f"L{k}" for k in range(n // 7)))]),
            own,
        )


def _table(form: str, name: str, rows: Iterable[tuple[str, str]]) -> Files:
    if form == "jsonl":
        return {name: "".join(f'{{"id": "{key}", "label": "{label}"}}\n' for key, label in rows).encode()}
    sign = "\t" if form == "tsv" else ","
    return {name: "".join([f"id{sign}label\n", *(f"{key}{sign}{label}\n" for key, label in rows)]).encode()}
