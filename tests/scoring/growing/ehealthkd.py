"""eHealth-KD: sentences, phrases and relations, each file by itself made long."""

from collections.abc import Callable, Iterator

from tests.scoring.growing.cases import COLLIDING, Case, Files, file_cases, text_cases

_SENTENCES = [f"El asma {k} afecta las vías respiratorias." for k in range(40)]
_STARTS = [sum(len(each) + 1 for each in _SENTENCES[:k]) for k in range(len(_SENTENCES))]
_LABELS = ("Concept", "Action", "Predicate", "Reference")


def _phrase(number: int | str, start: int, end: int, label: str) -> str:
    return f"{number}\t{start} {end}\t{label}\tx\n"


def _annotations() -> tuple[str, str]:
    phrases, relations = "", ""
    for k, start in enumerate(_STARTS):
        phrases += _phrase(2 * k + 1, start + 3, start + 7, "Concept")
        phrases += _phrase(2 * k + 2, start + 10, start + 16, _LABELS[k % 4])
        relations += f"target\t{2 * k + 2}\t{2 * k + 1}\n"
    return phrases, relations


_PHRASES, _RELATIONS = _annotations()


def _files(scenario: int, **contents: str) -> Files:
    named = {"input": "\n".join(_SENTENCES) + "\n", "output_a": _PHRASES, "output_b": _RELATIONS} | contents
    return {f"{stem}_scenario{scenario}.txt": text.encode() for stem, text in named.items()}


def cases() -> Iterator[Case]:
    for scenario in (1, 2, 3):
        gold, options = _files(scenario), {"scenario": scenario, "details": True}
        stems = {1: ("output_a", "output_b"), 2: ("output_a",), 3: ("output_b",)}[scenario]
        yield from _structures(scenario, gold, options)
        if scenario == 1:
            yield from file_cases(
                "ehealthkd", "1", gold, [f"{stem}_scenario1.txt" for stem in ("input", *stems)], options
            )
            yield from text_cases("ehealthkd", "1", gold, _fields(), options)
    yield from _of_2020()


def _fields() -> dict[str, Callable[[str], Files]]:
    return {
        "a sentence": lambda text: _files(1, input="\n".join([*_SENTENCES[:-1], text]) + "\n"),
        "a phrase's ID": lambda text: _files(1, output_a=_PHRASES + f"{text}\t3 7\tConcept\tx\n"),
        "spans": lambda text: _files(1, output_a=_PHRASES + f"900\t{text}\tConcept\tx\n"),
        "a phrase's label": lambda text: _files(1, output_a=_PHRASES + f"900\t3 7\t{text}\tx\n"),
        "a phrase's text": lambda text: _files(1, output_a=_PHRASES + f"900\t3 7\tConcept\t{text}\n"),
        "a relation's label": lambda text: _files(1, output_b=_RELATIONS + f"{text}\t2\t1\n"),
        "a relation's end": lambda text: _files(1, output_b=_RELATIONS + f"target\t{text}\t1\n"),
    }


def _structures(scenario: int, gold: Files, options: dict) -> Iterator[Case]:
    def case(name: str, make: Callable[[int], dict[str, str]], **more: object) -> Case:
        return Case("ehealthkd", str(scenario), name, gold, lambda n: _files(scenario, **make(n)), options, **more)

    if scenario in (1, 2):
        yield case("phrases with labels of their own", lambda n: {"output_a": _invented_labels(n)})
        yield case(
            "phrases in one sentence",
            lambda n: {"output_a": _phrases(n, lambda k: (k % 20, 20 + k // 20 % 15, "Concept"))},
        )
        yield case("phrases over all text", lambda n: {"output_a": _phrases(n, lambda k: (0, 1000 + k, "Concept"))})
        yield case("equal phrases", lambda n: {"output_a": _phrases(n, lambda k: (3, 7, "Concept"))})
        yield case(
            "phrases far away", lambda n: {"output_a": _phrases(n, lambda k: (10**7 + k, 10**7 + k + 1, "Concept"))}
        )
        yield case(
            "one phrase of many spans",
            lambda n: {
                "output_a": "1\t" + ";".join(f"{k % 30} {k % 30 + 1}" for k in range(n // 6)) + "\tConcept\tx\n"
            },
        )
        yield case(
            "phrases of several spans",
            lambda n: {"output_a": "".join(f"{k}\t5 6;3 4;1 2;{k % 9} 30\tConcept\tx\n" for k in range(n // 40))},
        )
        yield case(
            "phrases with one ID", lambda n: {"output_a": "".join(_phrase(7, 3, 7, "Concept") for _ in range(n // 19))}
        )
        yield case("IDs that collide", lambda n: {"output_a": _colliding(n)})
        yield case(
            "irregular lines",
            lambda n: {"output_a": "".join(_phrase(f"+{k}", 3, 7, "Concept") for k in range(n // 22))},
        )
        yield case(
            "phrases without a line's end of their own", lambda n: {"output_a": "1\t3 7\tConcept\tx\r" * (n // 17)}
        )
    if scenario in (1, 3):
        yield case(
            "relations with labels of their own",
            lambda n: {"output_b": "".join(f"r{k}\t2\t1\n" for k in range(n // 11))},
        )
        yield case("equal relations", lambda n: {"output_b": "target\t2\t1\n" * (n // 11)})
        yield case(
            "relations of all to all",
            lambda n: {"output_b": "".join(f"l{k // 6400}\t{k % 80 + 1}\t{k // 80 % 80 + 1}\n" for k in range(n // 9))},
        )
        yield case("relations same-as in a ring", lambda n: {"output_b": "same-as\t1\t2\nsame-as\t2\t1\n" * (n // 24)})
        yield case(
            "relations of nobody", lambda n: {"output_b": "".join(f"target\t{k + 900}\t1\n" for k in range(n // 14))}
        )
        yield case(
            "relations of large numbers",
            lambda n: {"output_b": "".join(f"target\t{k * COLLIDING}\t1\n" for k in range(n // 30))},
        )
    if scenario == 1:
        yield case(
            "sentences too many", lambda n: {"input": "\n".join([*_SENTENCES, *(f"x{k}" for k in range(n // 7))])}
        )
        yield case("blank sentences too many", lambda n: {"input": "\n".join(_SENTENCES) + "\n" * n})
        yield case("phrases and relations among all of them", _chain)


def _pair(annotations: str, sentences: str = "") -> Files:
    return {
        "scenario.txt": (sentences or "\n".join(_SENTENCES) + "\n").encode(),
        "scenario.ann": annotations.encode(),
    }


def _of_2020() -> Iterator[Case]:
    """The pair of files of the fourth scenario, by the alignment that takes altered sentences too."""
    phrases = "".join(f"T{k + 1}\tConcept {start + 3} {start + 7}\tx\n" for k, start in enumerate(_STARTS))
    gold = _pair(phrases + "R1\ttarget Arg1:T1 Arg2:T2\n*\tsame-as T1 T2\n")
    options = {"rules": "2020", "scenario": 4, "sentences": "official", "details": True}
    annotations = {
        "phrases": lambda n: "".join(f"T{k + 1}\tZ{k} {k % 999} {k % 999 + 4}\tx\n" for k in range(n // 24)),
        "phrases with one ID": lambda n: "T7\tConcept 3 7\tx\n" * (n // 18),
        "one phrase of many spans": lambda n: (
            "T1\tConcept " + ";".join(f"{k % 30} {k % 30 + 1}" for k in range(n // 6)) + "\tx\n"
        ),
        "equal relations": lambda n: phrases + "R1\ttarget Arg1:T1 Arg2:T2\n" * (n // 28),
        "one relation same-as of many phrases": lambda n: phrases + "*\tsame-as" + " T1 T2" * (n // 6) + "\n",
        "an event of many arguments": lambda n: phrases + "E1\tConcept:T1" + " target:T2" * (n // 10) + "\n",
    }
    for name, make in annotations.items():
        yield Case("ehealthkd", "4", name, gold, lambda n, make=make: _pair(make(n)), options)
    for name, line in (("altered sentences", "El asma {} afecta a las vías."), ("sentences too many", "{}")):
        yield Case(
            "ehealthkd",
            "4",
            name,
            gold,
            lambda n, line=line: _pair(phrases, "\n".join(line.format(k) for k in range(n // len(line))) + "\n"),
            options,
        )
    yield from file_cases("ehealthkd", "4", gold, list(gold), options)


def _phrases(n: int, span: Callable[[int], tuple[int, int, str]]) -> str:
    return "".join(_phrase(k + 1, *span(k)) for k in range(n // 22))


def _invented_labels(n: int) -> str:
    starts = [start + offset for start in _STARTS for offset in range(30)]
    return "".join(
        _phrase(k + 1, starts[k % len(starts)], starts[k % len(starts)] + 4, f"Z{k}") for k in range(n // 22)
    )


def _colliding(n: int) -> str:
    lines = [_phrase(COLLIDING * k, 3, 7, "Concept") for k in range(1, n // 36)]
    # One of them twice, so that IDs have to be looked up one by one.
    return "".join([*lines, *lines[-1:]])


def _chain(n: int) -> dict[str, str]:
    count = n // 36
    return {
        "output_a": "".join(_phrase(k + 1, k % 30, k % 30 + 5, "Concept") for k in range(count)),
        "output_b": "".join(f"target\t{k}\t{k + 1}\n" for k in range(1, count)),
    }
