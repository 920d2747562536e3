"""Transcripts: long utterances, long ids, many of either, in every format."""

from collections.abc import Callable, Iterator

from tests.scoring.growing.cases import Case, Files, file_cases, text_cases

_GOLD = "".join(f"u{k}\tmind the gap between train {k} and the platform\n" for k in range(1, 41))
_NAMES = {"lines": "run.txt", "tsv": "run.tsv", "kaldi": "text", "trn": "run.trn", "jsonl": "run.jsonl"}
_LINES: dict[str, Callable[[str, str], str]] = {
    "lines": lambda name, text: text,
    "tsv": lambda name, text: f"{name}\t{text}",
    "kaldi": lambda name, text: f"{name} {text}",
    "trn": lambda name, text: f"{text} ({name})",
    "jsonl": lambda name, text: f'{{"id": "{name}", "text": "{text}"}}',
}


def cases() -> Iterator[Case]:
    gold = {"gold.tsv": _GOLD.encode()}
    for form, name in _NAMES.items():
        options = {"format": form, "gold_format": "tsv", "case": "lower", "punctuation": "space", "missing": "delete"}
        if form == "lines":
            gold = {"gold.txt": "".join(line.split("\t")[1] for line in _GOLD.splitlines(keepends=True)).encode()}
            options |= {"gold_format": "lines", "unicode": "nfkc"}
        yield from _structures(form, gold, options)
        yield from text_cases("transcripts", form, gold, _fields(form), options)
        yield from file_cases("transcripts", form, gold, [name], options)
        gold = {"gold.tsv": _GOLD.encode()}


def _run(form: str, *said: tuple[str, str]) -> Files:
    return {_NAMES[form]: "".join(f"{_LINES[form](*pair)}\n" for pair in said).encode()}


def _fields(form: str) -> dict[str, Callable[[str], Files]]:
    rest = [(f"u{k}", "mind the gap") for k in range(2, 41)]
    return {
        "an utterance": lambda text: _run(form, ("u1", text), *rest),
        "the end of an utterance": lambda text: _run(form, ("u1", f"mind the {text}"), *rest),
        "an id": lambda text: _run(form, (text, "mind the gap"), *rest),
    }


def _structures(form: str, gold: Files, options: dict) -> Iterator[Case]:
    rest = [(f"u{k}", "mind the gap") for k in range(2, 41)]

    def case(name: str, make: Callable[[int], list[tuple[str, str]]]) -> Case:
        return Case("transcripts", form, name, gold, lambda n: _run(form, *make(n)), options)

    yield case("one word again and again", lambda n: [("u1", "the " * (n // 4)), *rest])
    yield case("words that nobody said", lambda n: [("u1", " ".join(f"w{k}" for k in range(n // 7))), *rest])
    yield case("ids that the gold lacks", lambda n: [(f"x{k}", "mind the gap") for k in range(n // 20)])
    yield case("one id again and again", lambda n: [("u1", "mind the gap")] * (n // 16))
    yield case("lines too many", lambda n: [(f"u{k}", "mind the gap") for k in range(n // 18)])
