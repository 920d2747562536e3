"""Rankings: lines of three kinds, their names and numbers."""

from collections.abc import Callable, Iterator

from tests.scoring.growing.cases import Case, Files, file_cases, text_cases

_GOLD = {"qrels.txt": "".join(f"q{k} 0 d{j} {j % 3}\n" for k in range(40) for j in range(20)).encode()}


def cases() -> Iterator[Case]:
    for order in ("score", "rank"):
        options = {"order": order}
        yield from _structures(order, options)
        if order == "score":
            yield from file_cases("ranking", order, _GOLD, ["run.txt"], options)
            yield from text_cases("ranking", order, _GOLD, _fields(), options)
            yield from _snippets(order)


def _snippets(order: str) -> Iterator[Case]:
    def content(n: int, start: Callable[[int], int]) -> Files:
        snippets = ",".join(
            f'{{"document":"7","beginSection":"a","endSection":"a","offsetInBeginSection":{start(k)},'
            f'"offsetInEndSection":{start(k) + 3}}}'
            for k in range(n // 100)
        )
        return {"run.json": f'{{"questions":[{{"id":"a","snippets":[{snippets}]}}]}}'.encode()}

    gold, options = content(20_000, lambda k: 5 * k), {"items": "snippets"}
    for name, start in (("apart", lambda k: 5 * k), ("that overlap", lambda k: 2 * k), ("of one place", lambda k: 1)):
        yield Case("ranking", order, f"snippets {name}", gold, lambda n, start=start: content(n, start), options)


def _run(text: str) -> Files:
    return {"run.txt": text.encode()}


def _fields() -> dict[str, Callable[[str], Files]]:
    return {
        "a query": lambda text: _run(f"q1 Q0 d1 1 1 t\n{text} Q0 d1 1 1 t\n"),
        "a document": lambda text: _run(f"q1 Q0 {text} 1 1 t\n"),
        "a document between tabs": lambda text: _run(f"q1\t{text}\t1\n"),
        "a score": lambda text: _run(f"q1 Q0 d1 1 {text} t\n"),
        "a tag": lambda text: _run(f"q1 Q0 d1 1 1 {text}\n"),
        "a comment": lambda text: _run(f"# {text}\nq1 Q0 d1 1 1 t\n"),
        "a document of JSON": lambda text: _run(f'{{"q1": {{"{text}": 1}}}}'),
    }


def _structures(order: str, options: dict) -> Iterator[Case]:
    def case(name: str, make: Callable[[int], str]) -> Case:
        return Case("ranking", order, f"{name}, {order}", _GOLD, lambda n: _run(make(n)), options)

    yield case("documents of one query", lambda n: _lines(n, lambda k: ("q1", f"d{k}", k)))
    yield case("equal scores", lambda n: _lines(n, lambda k: ("q1", f"d{k}", 1)))
    yield case("queries", lambda n: _lines(n, lambda k: (f"q{k}", "d1", 1)))
    yield case("lines of queries in turn", lambda n: _lines(n, lambda k: (f"q{k % 40}", f"d{k}", k % 7)))
    yield case("one document again and again", lambda n: _lines(n, lambda k: ("q1", "d1", 1)))
    yield case("lines of two columns", lambda n: "q1\td1\t1\n" + "q1\td2\n" * (n // 6))
    yield case("scores that are none", lambda n: _lines(n, lambda k: ("q1", f"d{k}", "nan")))
    yield case("names of one hash", lambda n: _lines(n, lambda k: ("q1", "\ud7ff" * (k % 9 + 1) + str(k), 1)))
    yield case("three columns", lambda n: "".join(f"q{k % 9}\td {k}\t{k}\n" for k in range(n // 14)))
    yield case("JSON", lambda n: '{"q1": {' + ", ".join(f'"d{k}": {k}' for k in range(n // 16)) + "}}")


def _lines(n: int, columns: Callable[[int], tuple[str, str, object]]) -> str:
    made = ((*columns(k), k) for k in range(n // 24))
    return "".join(f"{query} Q0 {document} {k} {score} t\n" for query, document, score, k in made)
