"""spaCy's documents in JSON Lines, CoNLL-U and columns: tokens, entities, spans, trees and categories."""

from collections.abc import Callable, Iterator
from json import dumps

from tests.scoring.growing.cases import COLLIDING, Case, Files, file_cases, text_cases

_N_DOCUMENTS, _N_WORDS = 20, 60


def _document(k: int, **more: object) -> dict:
    words = [f"w{k}" if j % 7 else "Ann" for j in range(_N_WORDS)]
    document = {
        "id": f"d{k}",
        "words": words,
        "spaces": [True] * _N_WORDS,
        "tags": ["NN"] * _N_WORDS,
        "morphs": ["Number=Sing"] * _N_WORDS,
        "heads": [max(0, j - 1) for j in range(_N_WORDS)],
        "deps": ["ROOT", *["obj"] * (_N_WORDS - 1)],
        "ents": [[j, j + 1, "PER", "Q1"] for j in range(0, _N_WORDS, 7)],
        "spans": {"sc": [[j, j + 3, "A"] for j in range(0, _N_WORDS - 3, 2)]},
        "cats": {"POS": k % 2, "NEG": 1 - k % 2},
    }
    return document | more


def _lines(documents: list[dict]) -> str:
    return "".join(dumps(document, separators=(",", ":")) + "\n" for document in documents)


def _corpus(**of_first: object) -> str:
    return _lines([_document(0, **of_first), *(_document(k) for k in range(1, _N_DOCUMENTS))])


def _conllu(sentences: list[list[str]]) -> str:
    return "\n".join("".join(f"{row}\n" for row in sentence) for sentence in sentences) + "\n"


def _row(number: int, form: str = "w", head: object = 0, feats: str = "_", misc: str = "_") -> str:
    return f"{number}\t{form}\t{form}\tX\tNN\t{feats}\t{head}\troot\t_\t{misc}"


_SENTENCE = [_row(1, misc="Entity=B-PER"), *(_row(k, head=k - 1, feats="A=1|B=2") for k in range(2, 30))]
_COLUMNS = "Ann B-PER\nLee I-PER\nran O\n\n" * 20
_JSONL_GOLD = {"d.jsonl": _corpus().encode()}
_CONLLU_GOLD = {"d.conllu": _conllu([_SENTENCE] * 20).encode()}
_COLUMNS_GOLD = {"d.txt": _COLUMNS.encode()}
# The table that is made on request only.
_SCORES = dumps([{"name": "ner"}, {"name": "nervaluate"}, {"name": "seqeval"}, {"name": "spancat", "spans_key": "sc"}])


def cases() -> Iterator[Case]:
    for form, gold, fields in (
        ("jsonl", _JSONL_GOLD, _json_fields()),
        ("conllu", _CONLLU_GOLD, _conllu_fields()),
        ("columns", _COLUMNS_GOLD, _columns_fields()),
    ):
        options = {"format": form}
        yield from file_cases("spacy", form, gold, list(gold), options)
        yield from text_cases("spacy", form, gold, fields, options)
    for tokens in ("any", "gold"):
        yield from _json_structures({"tokens": tokens})
    yield from _row_structures()


def _json_fields() -> dict[str, Callable[[str], Files]]:
    def files(**more: object) -> Files:
        return {"d.jsonl": _corpus(**more).encode()}

    words = _document(0)["words"]
    rest = ["x"] * (_N_WORDS - 1)
    return {
        "an id": lambda text: files(id=text),
        "a word": lambda text: files(words=[text, *words[1:]]),
        "a tag": lambda text: files(tags=[text, *rest]),
        "features": lambda text: files(morphs=[text, *rest]),
        "a label of an entity": lambda text: files(ents=[[0, 1, text]]),
        "a key of spans": lambda text: files(spans={text: [[0, 1, "A"]]}),
        "a label of a span": lambda text: files(spans={"sc": [[0, 1, text]]}),
        "a category": lambda text: files(cats={text: 1}),
        "a key": lambda text: files(**{text: 1}),
        "the text beside the words": lambda text: files(text=text),
        "the text without words": lambda text: files(words=None, text=text),
        "entities": lambda text: files(ents=text),
        "a value of a category": lambda text: files(cats={"POS": text}),
        "JSON": lambda text: {"d.jsonl": b'{"id": 1, "words": [' + text.encode() + b"]}"},
    }


def _conllu_fields() -> dict[str, Callable[[str], Files]]:
    def files(first: str) -> Files:
        return {"d.conllu": (first + "\n" + _conllu([_SENTENCE] * 20)).encode()}

    return {
        "a word": lambda text: files(_row(1, form=text)),
        "an ID": lambda text: files(_row(1).replace("1", text, 1)),
        "a head": lambda text: files(_row(1, head=text)),
        "features": lambda text: files(_row(1, feats=text)),
        "MISC": lambda text: files(_row(1, misc=text)),
        "an entity": lambda text: files(_row(1, misc=f"Entity=B-{text}")),
        "a comment": lambda text: files(f"# {text}"),
        "a new document": lambda text: files(f"# newdoc {text}"),
        "the id of a document": lambda text: files(f"# newdoc id = {text}"),
        "the id of a sentence": lambda text: files(f"# sent_id = {text}"),
        "a range of IDs": lambda text: files(_row(1).replace("1", f"1-{text}", 1)),
    }


def _columns_fields() -> dict[str, Callable[[str], Files]]:
    def files(first: str) -> Files:
        return {"d.txt": (first + "\n" + _COLUMNS).encode()}

    return {
        "a word": lambda text: files(f"{text} O"),
        "a tag": lambda text: files(f"Ann {text}"),
        "a type": lambda text: files(f"Ann B-{text}"),
        "columns": lambda text: files(f"Ann {text} O"),
    }


def _json_structures(options: dict) -> Iterator[Case]:
    which = f"tokens {options['tokens']}"

    def case(name: str, make: Callable[[int], str], **more: object) -> Case:
        return Case(
            "spacy", "jsonl", f"{name}, {which}", _JSONL_GOLD, lambda n: {"d.jsonl": make(n).encode()}, options | more
        )

    def first(n: int, size: int, **more: Callable[[int], object]) -> str:
        return _corpus(**{key: make(n // size) for key, make in more.items()})

    def spans(count: int) -> list:
        return [[k % 50, k % 50 + 1 + k // 50 % 10, "A"] for k in range(count)]

    yield case("spans in one document", lambda n: first(n, 12, spans=lambda count: {"sc": spans(count)}))
    yield case(
        "spans with labels of their own",
        lambda n: first(n, 18, spans=lambda count: {"sc": [[0, 1, f"Z{k}"] for k in range(count)]}),
    )
    yield case(
        "spans with labels of their own in all documents",
        lambda n: _lines(
            [
                _document(d, spans={"sc": [[0, 1, f"Z{d * n + k}"] for k in range(n // 20 // 18)]})
                for d in range(_N_DOCUMENTS)
            ]
        ),
    )
    yield case("equal spans", lambda n: first(n, 10, spans=lambda count: {"sc": [[0, 1, "A"]] * count}))
    yield case(
        "groups of spans", lambda n: first(n, 18, spans=lambda count: {f"k{k}": [[0, 1, "A"]] for k in range(count)})
    )
    yield case(
        "entities on one token", lambda n: first(n, 14, ents=lambda count: [[0, 1, f"Z{k}"] for k in range(count)])
    )
    yield case(
        "entities of labels of their own",
        lambda n: _lines(
            [
                _document(d, ents=[[k, k + 1, f"Z{d}x{k}"] for k in range(_N_WORDS)])
                for d in range(max(_N_DOCUMENTS, n // 2000))
            ]
        ),
    )
    yield case("entities that are none", lambda n: first(n, 2, ents=lambda count: [1] * count))
    yield case("entities of lists inside each other", lambda n: first(n, 600, ents=lambda count: [_deep(300)] * count))
    yield case("pieces without entities", lambda n: first(n, 6, ents_missing=lambda count: [[0, 60]] * count))
    yield case("categories", lambda n: first(n, 9, cats=lambda count: {f"c{k}": 1 for k in range(count)}))
    yield case("keys", lambda n: first(n, 9, **{"_user": lambda count: {f"c{k}": 1 for k in range(count)}}))
    yield case("unknown keys", lambda n: _corpus(**{f"x{k}": 1 for k in range(n // 9)}))
    yield case(
        "tokens",
        lambda n: _corpus(
            words=["w"] * (n // 4), tags=None, spaces=None, morphs=None, heads=None, deps=None, ents=None, spans=None
        ),
    )
    yield case("tokens of no text", lambda n: _corpus(words=[" "] * (n // 4)))
    yield case("heads in a chain", lambda n: _lines([_long(n // 12, lambda count: [*range(1, count), count - 1])]))
    yield case("heads in a ring", lambda n: _lines([_long(n // 12, lambda count: [*range(1, count), 0])]))
    yield case("heads of one", lambda n: _lines([_long(n // 8, lambda count: [0] * count)]))
    yield case("documents", lambda n: _lines([{"id": k, "words": ["a"]} for k in range(n // 26)]))
    yield case(
        "documents that are irregular",
        lambda n: _lines([{"id": k, "words": ["a"], "sent_starts": [True]} for k in range(n // 48)]),
    )
    yield case(
        "documents with spans in characters",
        lambda n: _lines([{"id": f"d{k % 20}", "ents": [[0, 10**6, "PER"]]} for k in range(n // 40)]),
    )
    yield case(
        "documents with another text", lambda n: _lines([{"id": f"d{k % 20}", "text": "x"} for k in range(n // 24)])
    )
    yield case("documents that the gold lacks", lambda n: _lines([{"id": k, "ents": []} for k in range(n // 20)]))
    yield case("one document again and again", lambda n: '{"id":1,"words":["a"]}\n' * (n // 22))
    yield case("documents without an id", lambda n: '{"words":["a"]}\n' * (n // 15))
    yield case(
        "numbers as ids", lambda n: _lines([{"id": k * COLLIDING % 2**64, "words": ["a"]} for k in range(n // 44)])
    )
    yield case(
        "to_json with tokens",
        lambda n: _lines(
            [
                {
                    "id": 0,
                    "text": "a " * (n // 34),
                    "tokens": [{"start": 2 * k, "end": 2 * k + 1} for k in range(n // 34)],
                }
            ]
        ),
    )
    yield case(
        "features of many values",
        lambda n: first(
            n, 3, morphs=lambda count: ["A=" + ",".join("zyx"[k % 3] for k in range(count)), *["_"] * (_N_WORDS - 1)]
        ),
    )
    yield case(
        "entities of every extent for nervaluate",
        lambda n: _lines(
            [
                _document(d, ents=[[k, k + 1, f"Z{k % 3}"] for k in range(_N_WORDS)])
                for d in range(max(_N_DOCUMENTS, n // 2000))
            ]
        ),
        scores=_SCORES,
    )
    yield case(
        "spans of every extent for nervaluate",
        lambda n: first(n, 12, spans=lambda count: {"sc": spans(count)}),
        scores=_SCORES,
    )


def _long(count: int, heads: Callable[[int], list[int]]) -> dict:
    return {"id": "d0", "words": ["w"] * count, "heads": heads(count), "deps": ["x"] * count}


def _deep(levels: int) -> list:
    value: list = []
    for _ in range(levels):
        value = [value]
    return value


def _row_structures() -> Iterator[Case]:
    def conllu(name: str, make: Callable[[int], str], **options: str) -> Case:
        return Case("spacy", "conllu", name, _CONLLU_GOLD, lambda n: {"d.conllu": make(n).encode()}, options)

    def columns(name: str, make: Callable[[int], str], **options: str) -> Case:
        return Case("spacy", "columns", name, _COLUMNS_GOLD, lambda n: {"d.txt": make(n).encode()}, options)

    yield conllu("sentences", lambda n: _conllu([[_row(1)]] * (n // 26)))
    yield conllu("sentences of one id", lambda n: _conllu([["# sent_id = a", _row(1)]] * (n // 40)))
    yield conllu("documents", lambda n: _conllu([["# newdoc", _row(1)]] * (n // 35)))
    yield conllu("one long sentence", lambda n: _conllu([[_row(k, head=k - 1) for k in range(1, n // 33)]]))
    yield conllu(
        "heads in a ring", lambda n: _conllu([[_row(k, head=k % (n // 33) + 1) for k in range(1, n // 33 + 1)]])
    )
    yield conllu("heads outside", lambda n: _conllu([[_row(k, head=999999999) for k in range(1, n // 40)]]))
    yield conllu("entries of MISC", lambda n: _conllu([[_row(1, misc="|".join(["Entity=x"] * (n // 9)))]]))
    yield conllu(
        "entities of their own", lambda n: _conllu([[_row(k, misc=f"Entity=B-Z{k}") for k in range(1, n // 45)]])
    )
    yield conllu(
        "ranges over many words",
        lambda n: _conllu([[f"1-{n // 30}\tw" + "\t_" * 8, *(_row(k, head=k - 1) for k in range(1, n // 30 + 1))]]),
        scores=dumps([{"name": "ud"}]),
    )
    yield columns("sentences", lambda n: "a O\n\n" * (n // 5))
    yield columns("one long sentence", lambda n: "a B-PER\n" * (n // 8))
    yield columns("entities of their own", lambda n: "".join(f"a B-Z{k}\n" for k in range(n // 11)))
    yield columns("tags that continue nothing", lambda n: "a I-PER\nb I-LOC\n" * (n // 16), invalid_tags="refuse")
    yield columns("tags that are none", lambda n: "a x\n" * (n // 4))
