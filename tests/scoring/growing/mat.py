"""MAT: documents in four formats, their annotations, and the names of files."""

from collections.abc import Callable, Iterator
from json import dumps

from tests.scoring.growing.cases import COLLIDING, Case, Files, file_cases, text_cases

_WORDS = [f"word{k}" for k in range(400)]
_SIGNAL = " ".join(_WORDS)
_TOKENS = [(start := sum(len(word) + 1 for word in _WORDS[:k]), start + len(_WORDS[k])) for k in range(len(_WORDS))]
_LABELS = ("PER", "LOC", "ORG")
# Every third word, and one span over all text, which overlaps every other.
_SPANS = [(*token, _LABELS[k % 3]) for k, token in enumerate(_TOKENS[::3])] + [(0, len(_SIGNAL), "PER")]
_CONTENT = {"content_annotations": ",".join(_LABELS)}
_ALL = {"content_annotations": None, "gold_xml_translate_all": True, "gold_format": "xml-inline"}


def _json(sets: list[tuple[str, list]], signal: str = _SIGNAL) -> str:
    asets = [{"type": label, "attrs": [], "annots": rows} for label, rows in sets]
    return dumps({"signal": signal, "asets": asets}, separators=(",", ":"))


def _sets(spans: list[tuple[int, int, str]]) -> list[tuple[str, list]]:
    return [(label, [[start, end] for start, end, own in spans if own == label]) for label in _LABELS]


def _brat(spans: list[tuple[int, int, str]]) -> str:
    return "".join(
        f"T{k}\t{label} {start} {end}\t{_SIGNAL[start:end]}\n" for k, (start, end, label) in enumerate(spans)
    )


_GOLD = {"d.json": _json([("lex", [list(token) for token in _TOKENS]), *_sets(_SPANS)]).encode()}
_FORMATS = {"mat-json": "d.json", "xml-inline": "d.json", "raw": "d.json", "brat": "d.ann"}
_LENGTH = len(_SIGNAL)


def cases() -> Iterator[Case]:
    for form in _FORMATS:
        name = _FORMATS[form]
        gold = {"d.ann": _brat(_SPANS).encode(), "d.txt": _SIGNAL.encode()} if form == "brat" else _GOLD
        options = _CONTENT | {"system_format": form, "gold_format": "brat" if form == "brat" else "mat-json"}
        yield from file_cases("mat", form, gold, [name], options)
        fields = {"mat-json": _json_fields, "xml-inline": _xml_fields, "raw": dict, "brat": _brat_fields}[form]()
        yield from text_cases("mat", form, gold, fields, options)
        yield Case(
            "mat",
            form,
            "other files beside it",
            gold,
            lambda n, gold=gold: {**gold, **_named(n)},
            options,
            largest=2**16,
        )
        yield Case(
            "mat",
            form,
            "files with other numbers",
            gold,
            lambda n, gold=gold: {**gold, **_numbered(n)},
            options,
            largest=2**16,
        )
    yield from _tables()
    brat_options = _CONTENT | {"system_format": "brat", "gold_format": "brat"}
    brat_gold = {"d.ann": _brat(_SPANS).encode(), "d.txt": _SIGNAL.encode()}
    for unit in ("code_points", "utf16"):
        yield from _brat_structures(brat_gold, brat_options | {"offset_unit": unit})
    for pairing in ("1.2", "2.x"):
        for tokens in ("gold", "system"):
            more = {"pairing": pairing, "details": True, "tokens": tokens, "overlap": tokens == "gold"}
            yield from _json_structures(_CONTENT | more)
    yield from _xml_structures(_CONTENT | {"system_format": "xml-inline"})
    overlay = {"system_format": "xml-inline", "system_xml_overlay": True}
    yield from text_cases("mat", "xml-inline", _GOLD, _xml_fields(), _CONTENT | overlay)


def _tables() -> Iterator[Case]:
    gold = {
        "spans.csv": _rows([f"d,{label},{start},{end},x" for start, end, label in _SPANS]),
        "d.txt": _SIGNAL.encode(),
    }
    options = _CONTENT | {"gold_format": "table", "system_format": "table"}

    def case(name: str, make: Callable[[int], Files], **more: object) -> Case:
        return Case("mat", "table", name, gold, make, options | more)

    def cells(cells: str) -> Files:
        return {"run.csv": _rows([cells])}

    yield from file_cases("mat", "table", gold, ["run.csv", "run.jsonl"], options)
    fields = {
        "a document": lambda text: cells(f"{text},PER,0,5,word0"),
        "a label": lambda text: cells(f"d,{text},0,5,word0"),
        "an offset": lambda text: cells(f"d,PER,{text},5,word0"),
        "words": lambda text: cells(f"d,PER,0,5,{text}"),
    }
    yield from text_cases("mat", "table", gold, fields, options)
    yield case("spans", lambda n: {"run.csv": _rows(["d,PER,0,5,word0"] * (n // 16))})
    yield case("spans over all text", lambda n: {"run.csv": _rows([f"d,PER,0,{_LENGTH},x"] * (n // 16))})
    yield case("documents", lambda n: {"run.csv": _rows([f"x{k},PER,0,5,x" for k in range(n // 18)])})
    yield case(
        "left out", lambda n: {"run.csv": _rows([f"x{k},PER,0,5,x" for k in range(n // 18)])}, extra_documents="ignore"
    )
    yield case("tables", lambda n: {f"{k}.csv": _rows(["d,PER,0,5,x"]) for k in range(n // 400)})
    lists = options | {"columns": ["id", "m[].t", "m[].s", "m[].e"]}
    of_lists = {"spans.jsonl": b'{"id": "d", "m": [{"t": "PER", "s": 0, "e": 5}]}', "d.txt": _SIGNAL.encode()}
    span = b'{"t":"PER","s":0,"e":5}'

    def listed(n: int) -> Files:
        keys = b"".join(b'"k%d":1,' % k for k in range(n // 20))
        return {"run.jsonl": b'{"id":"d",' + keys + b'"m":[' + b",".join([span] * (n // 48)) + b"]}"}

    yield Case("mat", "table", "a list of spans beside many keys", of_lists, listed, lists)
    soft = lists | {"columns": ["id", "-", "m[].s", "m[].e"], "content_annotations": "PER", "overlap": True}
    sure = {"spans.jsonl": b'{"id": "d", "m": [{"s": 0, "e": 5, "p": 1}]}', "d.txt": _SIGNAL.encode()}
    yield Case(
        "mat",
        "table",
        "probable spans over one another",
        sure,
        lambda n: {
            "run.jsonl": dumps(
                {"id": "d", "m": [{"s": k % 97, "e": _LENGTH - k % 89, "p": k % 7 / 7} for k in range(n // 40)]}
            ).encode()
        },
        soft | {"probability": "m[].p"},
    )
    yield from _tuples()


def _tuples() -> Iterator[Case]:
    head = "doc,label,start,end,of,by"
    gold = {"tuples.csv": "\n".join([head, *(f"d,PER,{k},{k + 3},1,{k % 5}" for k in range(0, 200, 2)), ""]).encode()}
    options = _CONTENT | {"gold_format": "table", "system_format": "table", "overlap": True}
    options |= {"columns": "doc,label,start,end", "fields": "of,by"}

    def case(name: str, row: Callable[[int], str]) -> Case:
        return Case(
            "mat",
            "table",
            name,
            gold,
            lambda n: {"run.csv": "\n".join([head, *(row(k) for k in range(n // 20)), ""]).encode()},
            options,
        )

    yield case("tuples", lambda k: f"d,PER,0,3,x{k},y")
    yield case("tuples over one another", lambda k: f"d,PER,{k % 97},{9_999 - k % 8_999},1,1")
    yield case("tuples with labels of their own", lambda k: f"d,L{k},0,200,1,{k % 5}")
    options = _CONTENT | {"gold_format": "table", "system_format": "table", "columns": "doc,label", "fields": "of,by"}
    options |= {"values": "start,end", "value_range": "0,1000"}
    yield case("tuples with numbers", lambda k: f"d,PER,{k % 90},1,1,{k % 5}")
    yield from text_cases(
        "mat",
        "table",
        gold,
        {"a field of a tuple": lambda text: {"run.csv": f"{head}\nd,PER,0,3,{text},1\n".encode()}},
        options,
    )


def _rows(rows: list[str]) -> bytes:
    return "\n".join(["filename,label,start_span,end_span,text", *rows, ""]).encode()


def _named(n: int) -> Files:
    return {f"x{k}.json": b"{}" for k in range(n // 40)}


def _numbered(n: int) -> Files:
    return {f"d{'ab' * 40}{k}.json": b"" for k in range(n // 100)}


def _json_fields() -> dict[str, Callable[[str], Files]]:
    def files(text: str) -> Files:
        return {"d.json": text.encode()}

    return {
        "the signal": lambda text: files(_json([], text)),
        "a type": lambda text: files(_json([(text, [[0, 5]])])),
        "an ID": lambda text: files(
            dumps({"signal": _SIGNAL, "asets": [{"type": "PER", "hasID": True, "annots": [[0, 5, text]]}]})
        ),
        "an attribute": lambda text: files(
            dumps({"signal": _SIGNAL, "asets": [{"type": "PER", "attrs": [text], "annots": [[0, 5]]}]})
        ),
        "a row": lambda text: files('{"signal": "", "asets": [{"type": "PER", "annots": [[' + text + "]]}]}"),
        "an offset": lambda text: files(dumps({"signal": _SIGNAL, "asets": [{"type": "PER", "annots": [[text, 5]]}]})),
        "metadata": lambda text: files(dumps({"signal": _SIGNAL, "metadata": {text: text}})),
    }


def _xml_fields() -> dict[str, Callable[[str], Files]]:
    def files(text: str) -> Files:
        return {"d.json": text.encode()}

    return {
        "text": lambda text: files(f"<d>{text}</d>"),
        "a comment": lambda text: files(f"<d><!--{text.replace('-', '_')}--></d>"),
        "an attribute": lambda text: files(f"<d a='{text}'>x</d>"),
        "a tag's name": lambda text: files(f"<d><{text}>x</{text}></d>"),
        "an encoding": lambda text: files(f'<?xml version="1.0" encoding="{text}"?><d/>'),
        "what stands before a declaration": lambda text: files(f'<?xml {text} encoding="utf-8"?><d/>'),
        "a document type": lambda text: files(f"<!DOCTYPE d [<!ENTITY a '{text}'>]><d>&a;</d>"),
        "an instruction": lambda text: files(f"<d><?x {text}?></d>"),
        "a section of characters": lambda text: files(f"<d><![CDATA[{text}]]></d>"),
    }


def _brat_fields() -> dict[str, Callable[[str], Files]]:
    def files(text: str, signal: str = _SIGNAL) -> Files:
        return {"d.ann": text.encode(), "d.txt": signal.encode()}

    return {
        "the text beside it": lambda text: files("", text),
        "a label": lambda text: files(f"T1\t{text} 0 5\tword0\n"),
        "offsets": lambda text: files(f"T1\tPER {text}\tword0\n"),
        "an annotation's text": lambda text: files(f"T1\tPER 0 5\t{text}\n"),
        "a line of another kind": lambda text: files(f"{text}\n"),
        "an ID": lambda text: files(f"T{text}\tPER 0 5\tword0\n"),
    }


def _json_structures(options: dict) -> Iterator[Case]:
    which = f"pairing {options['pairing']}, tokens {options['tokens']}"

    def case(name: str, make: Callable[[int], list[tuple[str, list]]], largest: int = 2**18) -> Case:
        return Case(
            "mat",
            "mat-json",
            f"{name}, {which}",
            _GOLD,
            lambda n: {"d.json": _json(make(n)).encode()},
            options,
            largest,
        )

    yield case("spans over all text", lambda n: [("PER", [[k % 200, _LENGTH - k // 200 % 200] for k in range(n // 9)])])
    yield case("equal spans", lambda n: [("PER", [[0, 5]] * (n // 6))])
    yield case("equal spans over all text", lambda n: [("LOC", [[0, _LENGTH]] * (n // 9))])
    yield case(
        "spans of every extent",
        lambda n: [("PER", [[k % 1000, k % 1000 + 1 + k // 1000 % 1000] for k in range(n // 10)])],
    )
    yield case("spans of one character", lambda n: [("PER", [[k % _LENGTH, k % _LENGTH + 1] for k in range(n // 10)])])
    yield case(
        "spans of every label",
        lambda n: [(label, [[k % 300, _LENGTH - k // 300] for k in range(n // 30)]) for label in _LABELS],
    )
    yield case("sets of one span", lambda n: [("PER", [[0, 5]])] * (n // 45))
    yield case("types that do not count", lambda n: [(f"Z{k}", [[0, 5]]) for k in range(n // 45)])
    yield case("tokens", lambda n: [("lex", [[k % _LENGTH, k % _LENGTH + 1] for k in range(n // 10)])])
    yield case("offsets outside", lambda n: [("PER", [[0, 10**9 + k] for k in range(n // 15)])])
    yield case("offsets of the wrong type", lambda n: [("PER", [["a", 5]] * (n // 8))])
    yield case("large offsets", lambda n: [("PER", [[k * COLLIDING, 5] for k in range(n // 25)])])
    yield case("empty rows", lambda n: [("PER", [[]] * (n // 3))])
    yield case("one wide row", lambda n: [("PER", [[1] * (n // 2)])])
    yield case("rows of lists inside each other", lambda n: [("PER", [_deep(300)] * (n // 600))])


def _deep(levels: int) -> list:
    value: list = []
    for _ in range(levels):
        value = [value]
    return value


def _brat_structures(gold: Files, options: dict) -> Iterator[Case]:
    unit = options["offset_unit"]

    def case(name: str, make: Callable[[int], tuple[str, str]]) -> Case:
        def files(n: int) -> Files:
            lines, signal = make(n)
            return {"d.ann": lines.encode(), "d.txt": signal.encode()}

        return Case("mat", "brat", f"{name}, {unit}", gold, files, options)

    smile = "🙂" + _SIGNAL
    yield case(
        "spans over a long text",
        lambda n: ("".join(f"T{k}\tPER 0 {n // 2}\tx\n" for k in range(n // 44)), "x" * (n // 2)),
    )
    yield case(
        "spans in a long text",
        lambda n: ("".join(f"T{k}\tPER 3 4\tx\n" for k in range(n // 40)), "🙂" + "x" * (n // 2)),
    )
    yield case(
        "spans over all text",
        lambda n: ("".join(f"T{k}\tPER 0 {_LENGTH}\t{_SIGNAL}\n" for k in range(n // _LENGTH)), _SIGNAL),
    )
    yield case("annotations in parts", lambda n: ("T1\tPER " + ";".join(["0 5"] * (n // 4)) + "\tword0\n", _SIGNAL))
    yield case(
        "numbers of annotations", lambda n: ("".join(f"T{k}\tPER 0 5\tword0\n" for k in range(n // 24)), _SIGNAL)
    )
    yield case("lines without a text", lambda n: ("T1\tPER 0 5\n" * (n // 11), smile))
    yield case("lines that are ignored", lambda n: ("R1\tx\n" * (n // 5), _SIGNAL))


def _xml_structures(options: dict) -> Iterator[Case]:
    def case(name: str, make: Callable[[int], str], **more: object) -> Case:
        return Case("mat", "xml-inline", name, _GOLD, lambda n: {"d.json": make(n).encode()}, options | more)

    yield case(
        "elements inside each other", lambda n: "<d>" + "<PER>" * (n // 11) + "x" + "</PER>" * (n // 11) + "</d>"
    )
    yield case("elements beside each other", lambda n: "<d>" + "<PER>x</PER>" * (n // 12) + "</d>")
    yield case(
        "elements around a text", lambda n: "<d>" + ("<PER>" * 190 + "x" + "</PER>" * 190) * (n // 2090) + "</d>"
    )
    yield case("elements that are empty", lambda n: "<d>" + "<PER/>" * (n // 6) + "</d>")
    yield case("attributes", lambda n: "<d><PER " + " ".join(f"a{k}='1'" for k in range(n // 11)) + ">x</PER></d>")
    yield case("elements of other names", lambda n: "<d>" + "".join(f"<x{k}/>" for k in range(n // 9)) + "</d>")
    yield case("comments in an overlay", lambda n: "<d>" + "<!---->" * (n // 7) + "</d>", system_xml_overlay=True)
    yield case("tags in an overlay", lambda n: "<d>" + "<b a='1'/>" * (n // 10) + "</d>", system_xml_overlay=True)
    yield case("tags that are left open", lambda n: "<d>" + "<PER>" * (n // 5))
    yield case("references", lambda n: "<d>" + "&amp;" * (n // 5) + "</d>", system_xml_overlay=True)
