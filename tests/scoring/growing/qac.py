"""QAC: a run's lines, its answers and its articles."""

from collections.abc import Callable, Iterator

from tests.scoring.growing.cases import Case, Files, file_cases, text_cases

_GOLD = "".join(f"QAC1-{k}-{branch}\t1\tMie {k} of the coast\t99{k}\n" for k in range(1, 41) for branch in ("01", "02"))


def cases() -> Iterator[Case]:
    for encoding in ("utf-8", "euc-jp", "shift_jis"):
        gold = {"gold.tsv": _GOLD.encode()}
        for task in (1, 2, 3):
            options = {"encoding": encoding, "task": task, "squad": "en" if task == 1 else "plain"}
            yield from _structures(encoding, gold, options)
        options = {"encoding": encoding, "task": 2, "squad": "plain"}
        if encoding == "utf-8":
            yield from file_cases("qac", encoding, gold, ["run.txt"], options)
            yield from text_cases("qac", encoding, gold, _fields(), options)
            yield from _exact_answers(encoding)


def _exact_answers(encoding: str) -> Iterator[Case]:
    gold = {"run.json": b'{"questions": [{"id": "a", "type": "list", "exact_answer": [["Mie", "Tsu"], ["Ise"]]}]}'}
    options = {"format": "bioasq", "task": 2}
    beginning, end = '{"questions": [{"id": "a", "type": "list", "exact_answer": [', "]}]}"

    def case(name: str, make: Callable[[int], str]) -> Case:
        return Case("qac", encoding, name, gold, lambda n: {"run.json": make(n).encode()}, options)

    def listed(each: Callable[[int], str], n: int) -> str:
        return ",".join(map(each, range(n)))

    yield case("exact answers", lambda n: beginning + listed(lambda k: f'["a{k}"]', n // 10) + end)
    yield case("equal exact answers", lambda n: beginning + listed(lambda k: '["Mie"]', n // 8) + end)
    yield case("words of one exact answer", lambda n: beginning + "[" + listed(lambda k: '"Mie"', n // 6) + "]" + end)
    yield case("questions of BioASQ", lambda n: '{"questions":[' + listed(lambda k: f'{{"id":"{k}"}}', n // 12) + "]}")


def _run(text: str) -> Files:
    return {"run.txt": text.encode()}


def _fields() -> dict[str, Callable[[str], Files]]:
    return {
        "an answer": lambda text: _run(f'QAC1-1-02: "{text}", 991\n'),
        "a second answer": lambda text: _run(f'QAC1-1-02: "x", 1, "{text}", 991\n'),
        "an answer with an escape": lambda text: _run(f'QAC1-1-02: "\\"{text}", 991\n'),
        "an article": lambda text: _run(f'QAC1-1-02: "Mie", {text}\n'),
        "an ID": lambda text: _run(f'{text}: "Mie", 991\n'),
        "what follows an item": lambda text: _run(f'QAC1-1-02: "Mie", 991 {text}\n'),
        "a comment": lambda text: _run(f'# {text}\nQAC1-1-02: "Mie", 991\n'),
    }


def _structures(encoding: str, gold: Files, options: dict) -> Iterator[Case]:
    def case(name: str, make: Callable[[int], str]) -> Case:
        return Case("qac", encoding, f"{name}, task {options['task']}", gold, lambda n: _run(make(n)), options)

    yield case(
        "answers of one question", lambda n: "QAC1-1-02: " + ", ".join(f'"a{k}", {k}' for k in range(n // 18)) + "\n"
    )
    yield case(
        "equal answers of one question",
        lambda n: "QAC1-1-02: " + ", ".join(['"Mie 1 of the coast", 991'] * (n // 26)) + "\n",
    )
    yield case("answers of many words", lambda n: 'QAC1-1-02: "' + "Mie of the coast " * (n // 17) + '", 991\n')
    yield case("questions that the gold lacks", lambda n: "".join(f'X-{k}-01: "Mie", 991\n' for k in range(n // 22)))
    yield case("one question again and again", lambda n: 'QAC1-1-02: "Mie", 991\n' * (n // 22))
    yield case("lines that cannot be read", lambda n: 'QAC1-1-02: "Mie" 991\n' * (n // 21))
    yield case("empty answers", lambda n: "QAC1-1-02: " + ", ".join(['"", 1'] * (n // 8)) + "\n")
    yield case("escapes", lambda n: "".join(f'X-{k}-01: "\\"", 1\n' for k in range(n // 19)))
