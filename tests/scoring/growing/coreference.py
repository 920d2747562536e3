"""Coreference in its three formats: entities, mentions and brackets."""

from collections.abc import Callable, Iterator
from json import dumps

from tests.scoring.growing.cases import COLLIDING, Case, Files, file_cases, text_cases

_TOKENS = 200


def _conll(cells: list[str], name: str = "d") -> str:
    rows = "".join(f"d 0 {k} w NN {cell}\n" for k, cell in enumerate(cells))
    return f"#begin document ({name}); part 000\n{rows}\n#end document\n"


def _corefud(cells: list[str], name: str = "d") -> str:
    rows = "".join(
        f"{k}\tw\tw\tX\t_\t_\t0\troot\t_\t{'Entity=' + cell if cell else '_'}\n"
        for k, cell in enumerate(cells, start=1)
    )
    return f"# newdoc id = {name}\n# global.Entity = eid-etype\n{rows}\n"


def _padded(cells: list[str], empty: str) -> list[str]:
    return (cells + [empty] * _TOKENS)[:_TOKENS]


_CONLL_GOLD = {"gold.conll": _conll([f"({k % 20})" for k in range(_TOKENS)]).encode()}
_COREFUD_GOLD = {"gold.conllu": _corefud([f"(e{k % 20})" for k in range(_TOKENS)]).encode()}
_JSON_GOLD = {
    "d.json": dumps(
        {"type": "clusters", "clusters": {str(k): [f"m{j}" for j in range(k, 200, 20)] for k in range(20)}}
    ).encode()
}
_PROTOCOLS = ("reference", "scorch", "scorch-functions")


def cases() -> Iterator[Case]:
    for form, gold, fields in (
        ("conll", _CONLL_GOLD, _conll_fields()),
        ("corefud", _COREFUD_GOLD, _corefud_fields()),
        ("json", _JSON_GOLD, _json_fields()),
    ):
        options = {"format": form}
        yield from file_cases("coreference", form, gold, list(gold), options)
        yield from text_cases("coreference", form, gold, fields, options)
    yield from _conll_structures()
    yield from _corefud_structures()
    for protocol in _PROTOCOLS:
        yield from _json_structures(protocol)


def _conll_fields() -> dict[str, Callable[[str], Files]]:
    def files(text: str) -> Files:
        return {"gold.conll": text.encode()}

    return {
        "a cell": lambda text: files(_conll(_padded([text], "-"))),
        "an opening bracket": lambda text: files(_conll(_padded([f"({text}"], "-"))),
        "a closing bracket": lambda text: files(_conll(_padded([f"{text})"], "-"))),
        "a document's name": lambda text: files(_conll(_padded([], "-"), text)),
        "a header": lambda text: files(f"#begin document {text}\n" + _conll(_padded([], "-"))),
        "a mark": lambda text: files(f"#{text}begin document (d); part 000\n"),
        "a word": lambda text: files(_conll(_padded([f"{text} -"], "-"))),
        "text outside": lambda text: files(text + "\n" + _conll(_padded([], "-"))),
    }


def _corefud_fields() -> dict[str, Callable[[str], Files]]:
    def files(text: str) -> Files:
        return {"gold.conllu": text.encode()}

    return {
        "an entity": lambda text: files(_corefud(_padded([text], ""))),
        "an opening bracket": lambda text: files(_corefud(_padded([f"({text}"], ""))),
        "a bracket with parts": lambda text: files(_corefud(_padded([f"(e[1/2]{text}"], ""))),
        "a document's name": lambda text: files(_corefud(_padded([], ""), text)),
        "a header": lambda text: files(f"# global.Entity = {text}\n" + _corefud(_padded([], ""))),
        "a new document": lambda text: files(f"# newdoc {text}\n" + _corefud(_padded([], ""))),
        "a word's ID": lambda text: files(_corefud(_padded([], "")).replace("\n1\t", f"\n{text}\t", 1)),
    }


def _json_fields() -> dict[str, Callable[[str], Files]]:
    def clusters(value: object) -> Files:
        return {"d.json": dumps({"type": "clusters", "clusters": value}).encode()}

    return {
        "a cluster's label": lambda text: clusters({text: ["m1", "m2"]}),
        "a mention": lambda text: clusters({"0": [text, "m2"]}),
        "a mention twice": lambda text: clusters({"0": [text, "m2"], "1": [text]}),
        "the type": lambda text: {"d.json": dumps({"type": text}).encode()},
        "JSON": lambda text: {"d.json": b'{"type": "clusters", "clusters": {"0": [' + text.encode() + b"]}}"},
        "the file's name": lambda text: clusters({"0": ["m1"]}),
    }


def _conll_structures() -> Iterator[Case]:
    def case(name: str, make: Callable[[int], str], **options: str) -> Case:
        return Case("coreference", "conll", name, _CONLL_GOLD, lambda n: {"gold.conll": make(n).encode()}, options)

    def one_cell(text: str) -> str:
        return _conll(_padded([text], "-"))

    def all_cells(make: Callable[[int], str], n: int) -> str:
        each = max(1, n // _TOKENS)
        return _conll(["".join(make(k * each + j) for j in range(each // 8)) or "-" for k in range(_TOKENS)])

    yield case("brackets that open", lambda n: one_cell("".join(f"({k}" for k in range(n // 7))))
    yield case("brackets that close", lambda n: one_cell("".join(f"{k})" + "|" for k in range(n // 8)) + "1)"))
    yield case("one mention again and again", lambda n: one_cell("(1)" * (n // 3)))
    yield case("one mention of many entities", lambda n: one_cell("".join(f"({k})" for k in range(n // 8))))
    yield case("mentions of many entities", lambda n: all_cells(lambda k: f"({k})", n))
    yield case("mentions inside each other", lambda n: _nested_conll(n))
    yield case("brackets in many cells", lambda n: all_cells(lambda k: "(1", n))
    yield case("documents", lambda n: "".join(_conll(["-"], f"x{k}") for k in range(n // 70)))
    yield case("documents of one name", lambda n: _conll(["(1)"]) * (n // 70))
    yield case("documents that are not closed", lambda n: "#begin document (d); part 000\n" * (n // 30))
    yield case("ends without beginnings", lambda n: "#end document\n" * (n // 14))
    yield case("text between documents", lambda n: "x\n#end document\n" * (n // 16))
    yield case("tokens too many", lambda n: _conll(["(1)"] * (n // 17)))
    yield case("cells that cannot be read", lambda n: _conll(["x("] * (n // 16)))
    yield case("repeated mentions that are refused", lambda n: all_cells(lambda k: f"({k})", n), repeated="refuse")


def _nested_conll(n: int) -> str:
    """Every entity opens at one token and closes at another, so that no two spans are equal."""
    opens, closes = [""] * _TOKENS, [""] * _TOKENS
    for k in range(n // 14):
        first, last = sorted((k % _TOKENS, (k // _TOKENS) % _TOKENS))
        opens[first] += f"({k}"
        closes[last] += f"{k})"
    return _conll([opened + closed or "-" for opened, closed in zip(opens, closes, strict=True)])


def _corefud_structures() -> Iterator[Case]:
    def case(name: str, make: Callable[[int], str]) -> Case:
        return Case("coreference", "corefud", name, _COREFUD_GOLD, lambda n: {"gold.conllu": make(n).encode()}, {})

    def one_cell(text: str) -> str:
        return _corefud(_padded([text], ""))

    yield case("brackets that open", lambda n: one_cell("".join(f"(e{k}" for k in range(n // 8))))
    yield case("brackets that close", lambda n: one_cell("".join(f"e{k})(x" for k in range(n // 9))))
    yield case("one mention again and again", lambda n: one_cell("(e1)" * (n // 4)))
    yield case("mentions of many entities", lambda n: one_cell("".join(f"(e{k})" for k in range(n // 9))))
    yield case("parts of one mention", lambda n: one_cell(_parts(n // 30)))
    yield case("parts that wait", lambda n: one_cell("".join(f"(e[1/{k + 2}]e[1/{k + 2}])" for k in range(n // 22))))
    yield case("parts that never come", lambda n: one_cell("(e[1/999999999]e[1/999999999])" * (n // 30)))
    yield case("features", lambda n: one_cell("(e1)" + "|Entity=(e1)" * (n // 12)))
    yield case("documents", lambda n: "".join(_corefud(["(e1)"], f"x{k}") for k in range(n // 80)))
    yield case("documents without a name", lambda n: "# newdoc\n" * (n // 9))
    yield case("headers", lambda n: "# global.Entity = x\n" * (n // 20) + _corefud(["(e1)"]))
    yield case("sentences", lambda n: _corefud(["(e1)"]) + "1\tw\tw\tX\t_\t_\t0\troot\t_\t_\n\n" * (n // 24))
    yield case(
        "empty nodes", lambda n: _corefud(["(e1)"]) + "1.1\tw\tw\tX\t_\t_\t0\troot\t_\tEntity=(e1)\n" * (n // 40)
    )

    for match in ("partial", "head"):
        yield Case(
            "coreference",
            "corefud",
            f"mentions around one head, match={match}",
            {"gold.conllu": _around_one_head(40).encode()},
            lambda n: {"gold.conllu": _around_one_head(n // 16).encode()},
            {"match": match, "zeros": "dependent"},
        )


def _around_one_head(count: int) -> str:
    """Mentions from each of the words up to the middle to each of those behind it, headed by the one in the middle."""
    middle = _TOKENS // 2
    cells = [""] * _TOKENS
    for k in range(count):
        first, last = k % middle, middle + k // middle % middle
        cells[first] += f"(e{k}-x-{middle - first + 1}"
        cells[last] = f"e{k})" + cells[last]
    return _corefud(cells).replace("eid-etype", "eid-etype-head")


def _parts(count: int) -> str:
    opens = "".join(f"(e[{k}/{count}]" for k in range(1, count + 1))
    return opens + "".join(f"e[{k}/{count}])" for k in range(1, count + 1))


def _json_structures(protocol: str) -> Iterator[Case]:
    def case(name: str, make: Callable[[int], dict]) -> Case:
        return Case(
            "coreference",
            "json",
            f"{name}, {protocol}",
            _JSON_GOLD,
            lambda n: {"d.json": dumps(make(n), separators=(",", ":")).encode()},
            {"protocol": protocol},
        )

    def clusters(value: object) -> dict:
        return {"type": "clusters", "clusters": value}

    def graph(mentions: list, links: list) -> dict:
        return {"type": "graph", "mentions": mentions, "links": links}

    yield case("clusters of one mention", lambda n: clusters({str(k): [f"m{k}"] for k in range(n // 18)}))
    yield case("one cluster", lambda n: clusters({"0": [f"m{k}" for k in range(n // 9)]}))
    yield case(
        "clusters of two mentions", lambda n: clusters({str(k): [f"m{2 * k}", f"m{2 * k + 1}"] for k in range(n // 26)})
    )
    yield case(
        "clusters across the gold's",
        lambda n: clusters({str(k): [f"m{k % 200}" if k < 200 else f"x{k}", f"y{k}"] for k in range(n // 26)}),
    )
    yield case("mentions twice", lambda n: clusters({str(k): ["m1"] for k in range(n // 14)}))
    yield case("one mention twice in a cluster", lambda n: clusters({"0": ["m1"] * (n // 5)}))
    yield case("numbers that collide", lambda n: clusters({"0": [k * COLLIDING for k in range(n // 24)]}))
    yield case("negative numbers that collide", lambda n: clusters({"0": [-k * COLLIDING for k in range(n // 24)]}))
    yield case("fractions", lambda n: clusters({"0": [k + 0.5 for k in range(n // 9)]}))
    yield case(
        "powers of two", lambda n: clusters({"0": [2.0 ** (k % 1000) * (k // 1000 + 1) for k in range(n // 22)]})
    )
    yield case("long numbers", lambda n: clusters({"0": [10**4000 + k for k in range(n // 4001)]}))
    yield case("clusters that are none", lambda n: clusters({str(k): 1 for k in range(n // 10)}))
    yield case("empty clusters", lambda n: clusters({str(k): [] for k in range(n // 11)}))
    yield case("links in a chain", lambda n: graph([], [[f"m{k}", f"m{k + 1}"] for k in range(n // 18)]))
    yield case("links in a chain, backwards", lambda n: graph([], [[f"m{k + 1}", f"m{k}"] for k in range(n // 18)]))
    yield case("links of one", lambda n: graph([], [["m0", f"m{k}"] for k in range(n // 14)]))
    yield case(
        "links of numbers that collide",
        lambda n: graph([], [[k * COLLIDING, (k + 1) * COLLIDING] for k in range(n // 46)]),
    )
    yield case("links that are none", lambda n: graph([], [1] * (n // 2)))
    yield case("links of lists", lambda n: graph([], [[[], []]] * (n // 8)))
