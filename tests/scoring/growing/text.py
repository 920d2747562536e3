"""Texts beside references: long texts and words, many lines, ids and problems, in each of the three formats."""

from collections.abc import Callable, Iterator

from tests.scoring.growing.cases import Case, Files, file_cases, text_cases

_REFERENCES = ["The old mill by the river.", "It opens\\nat nine and\\ncloses at ten.", "Nobody knows why, of 3.5 km."]
_GOLD = {
    "gold.jsonl": "".join(
        f'{{"id": "s{k}", "source": "{text}", "ref": "{text}"}}\n' for k, text in enumerate(_REFERENCES)
    ).encode()
}
_ALL = "bleu,chrf,chrf_pp,rouge,exact,sari,gleu,meteor"
_REST = '{"id": "s1", "text": "b"}\n{"id": "s2", "text": "c"}\n'


# References of different words for TER, whose cost depends on how a text turns them round.
_WORDS = [[f"w{(k * 16 + j) % 977}" for j in range(16)] for k in range(1_400)]
_TURNED: dict[str, Callable[[list[str]], list[str]]] = {
    "turned round, with other words": lambda words: words[::-1] + [f"x{k}" for k in range(20)],
    "in two halves that have changed places": lambda words: words[8:] + words[:8],
    "with neighbours that have changed places": lambda words: [words[k ^ 1] for k in range(16)] + ["x"] * 16,
    "of one word": lambda words: words[:1] * 40,
    "with other words between": lambda words: [word for each in words for word in (each, "x", "y")],
    "turned round three times": lambda words: words[::-1] * 3,
}


def cases() -> Iterator[Case]:
    for normalize in ("en", "plain"):
        options = {"metrics": _ALL, "normalize": normalize}
        yield from _structures(normalize, options)
    yield from file_cases("text", "en", _GOLD, ["run.txt"], {"metrics": _ALL})
    yield from file_cases("text", "plain", _GOLD, ["run.jsonl"], {"metrics": _ALL, "normalize": "plain"})
    for name, turned in _TURNED.items():
        yield _of_segments(f"texts {name}", turned)
    yield from text_cases("text", "en", _GOLD, _fields(), {"metrics": _ALL + ",ter"})


def _of_segments(name: str, turned: Callable[[list[str]], list[str]]) -> Case:
    """Ever more segments, of which every sixteenth is turned and the others are right; the rest are of a letter."""
    right = [" ".join(words) for words in _WORDS]
    segments = [" ".join(turned(words)) if k % 16 == 0 else right[k] for k, words in enumerate(_WORDS)]
    size = sum(map(len, segments[:16])) // 16

    def make(n: int) -> Files:
        whole = segments[: n // size]
        return {"run.txt": "".join(f"{text}\n" for text in whole + ["a"] * (len(segments) - len(whole))).encode()}

    gold = {"gold.txt": "".join(f"{text}\n" for text in right).encode()}
    return Case("text", "en", name, gold, make, {"metrics": "ter", "normalize": "en"}, largest=2**17)


def _fields() -> dict[str, Callable[[str], Files]]:
    return {
        "a line": lambda text: {"run.txt": f"{text}\nb\nc\n".encode()},
        "a text": lambda text: {"run.jsonl": f'{{"id": "s0", "text": "{text}"}}\n{_REST}'.encode()},
        "an ID": lambda text: {"run.jsonl": f'{{"id": "{text}", "text": "a"}}\n{_REST}'.encode()},
        "a cell": lambda text: {"run.tsv": f"id\ttext\ns0\t{text}\ns1\tb\ns2\tc\n".encode()},
        "a heading": lambda text: {"run.tsv": f"id\t{text}\ns0\ta\n".encode()},
    }


def _structures(form: str, options: dict) -> Iterator[Case]:
    def case(name: str, file: str, make: Callable[[int], str]) -> Case:
        return Case("text", form, name, _GOLD, lambda n: {file: make(n).encode()}, options)

    yield case("a text of many words", "run.txt", lambda n: "the old river " * (n // 14) + "\nb\nc\n")
    yield case("a text of other words", "run.txt", lambda n: "".join(f"w{k} " for k in range(n // 7)) + "\nb\nc\n")
    yield case(
        "a text of many sentences",
        "run.jsonl",
        lambda n: '{"id": "s0", "text": "' + "the old\\n" * (n // 9) + '"}\n' + _REST,
    )
    yield case("too many lines", "run.txt", lambda n: "the old mill\n" * (n // 13))
    yield case("unknown IDs", "run.jsonl", lambda n: "".join(f'{{"id": {k}, "text": "a"}}\n' for k in range(n // 25)))
    yield case("one ID again and again", "run.tsv", lambda n: "id\ttext\n" + "s0\ta\n" * (n // 5))
    yield case(
        "keys that mean nothing", "run.jsonl", lambda n: "{" + ",".join(f'"k{k}":1' for k in range(n // 9)) + "}"
    )
    yield case("columns that mean nothing", "run.tsv", lambda n: "\t".join(f"c{k}" for k in range(n // 6)) + "\n")
    yield case("odd line ends", "run.txt", lambda n: "a\u2028" * (n // 4) + "\nb\nc\n")
