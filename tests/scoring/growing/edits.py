"""Edits in M2 files: sentences of many tokens, many edits of one, long types and corrections."""

from collections.abc import Callable, Iterator

from tests.scoring.growing.cases import Case, Files, file_cases, text_cases

_LAST = "|||REQUIRED|||-NONE-|||0\n"
_REST = "".join(f"S mind the gap {k}\nA 1 2|||R:DET|||a{_LAST}\n" for k in range(40))
_GOLD = {"run.m2": f"S the train is late\nA 0 1|||R:DET|||a{_LAST}\n{_REST}".encode()}
_N_LONG = 20_000
_LONG = {"run.m2": f"S {'the ' * _N_LONG}\nA 0 1|||R:DET|||a{_LAST}A 5 9|||R:DET|||b{_LAST}".encode()}


def cases() -> Iterator[Case]:
    for level in ("correction", "classification", "spans", "tokens"):
        options = {"level": level}
        yield from _structures(level, options)
        if level == "correction":
            yield from _corrected(level, options | {"protocol": "m2scorer"})
            yield from text_cases("edits", level, _GOLD, _fields(), options)
            yield from file_cases("edits", level, _GOLD, ["run.m2"], options)


def _run(edits: str) -> Files:
    return {"run.m2": f"S the train is late\n{edits}\n{_REST}".encode()}


def _corrected(level: str, options: dict) -> Iterator[Case]:
    """Yield corrected sentences, of which one grows beside a source of some tokens, or of many."""
    for name, source in (("short", "the train is late"), ("long", "the " * _N_LONG)):
        gold = {"gold.m2": f"S {source}\nA 0 1|||R:DET|||a{_LAST}\n{_REST}".encode()}
        rest = "mind the gap\n" * 40
        for what, make in (
            ("equal tokens", lambda n: "the " * (n // 4)),
            ("tokens of their own", lambda n: " ".join(f"w{k}" for k in range(n // 7))),
            ("two tokens in turn", lambda n: "the train " * (n // 10)),
        ):

            def files(n: int, make: Callable[[int], str] = make, rest: str = rest) -> Files:
                return {"run.txt": f"{make(n)}\n{rest}".encode()}

            yield Case("edits", level, f"{what} beside a {name} sentence", gold, files, options)


def _fields() -> dict[str, Callable[[str], Files]]:
    return {
        "a type": lambda text: _run(f"A 0 1|||{text}|||a{_LAST}"),
        "a correction": lambda text: _run(f"A 0 1|||R:DET|||{text}{_LAST}"),
        "tokens": lambda text: _run(f"A {text}|||R:DET|||a{_LAST}"),
        "an annotator": lambda text: _run(f"A 0 1|||R:DET|||a|||REQUIRED|||-NONE-|||{text}\n"),
        "a sentence": lambda text: {"run.m2": f"S {text}\n{_REST}".encode()},
    }


def _structures(level: str, options: dict) -> Iterator[Case]:
    def case(name: str, make: Callable[[int], str]) -> Case:
        long = f"S {'the ' * _N_LONG}\n"
        return Case("edits", level, name, _LONG, lambda n: {"run.m2": (long + make(n)).encode()}, options)

    yield case("edits of one sentence", lambda n: "".join(f"A {k} {k + 1}|||R|||a{_LAST}" for k in range(n // 40)))
    yield case("equal edits", lambda n: f"A 0 1|||R|||a{_LAST}" * (n // 40))
    yield case("edits of all tokens", lambda n: f"A 0 {_N_LONG}|||R|||a{_LAST}" * (n // 40))
    yield case("things put in", lambda n: "".join(f"A 7 7|||R|||a{k}{_LAST}" for k in range(n // 44)))
    yield case("types of their own", lambda n: "".join(f"A {k} {k + 1}|||R{k}|||a{_LAST}" for k in range(n // 44)))
    yield case("annotators", lambda n: "".join(f"A 0 1|||R|||a|||_|||_|||{k}\n" for k in range(n // 28)))
