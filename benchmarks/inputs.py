"""Made-up gold and runs of each family, of any size, the same for the same size.

A function of `INPUTS` writes a gold and a run of about as many units as it is told, and returns their paths.
"""

import json
import random
import string
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

Sides = tuple[Path, Path]  # gold and run

FOLDERS = {1: "scenario1-main", 2: "scenario2-taskA", 3: "scenario3-taskB"}  # of eHealth-KD
_WRONG = 0.12  # share of a gold's words, labels or spans that a run changes
_PHRASE_LABELS = ("Concept", "Action", "Predicate", "Reference")
_RELATION_LABELS = ("is-a", "same-as", "has-property", "part-of", "causes", "subject", "target", "domain", "arg")
LABELS = ("LOC", "MISC", "ORG", "PER")  # of mat


@dataclass(frozen=True)
class Sentence:
    """A sentence in the manner of eHealth-KD."""

    words: list[str]
    phrases: list[tuple[int, int, str]]  # first word, word behind the last, label
    relations: list[tuple[str, int, int]]  # label, places of both ends among the phrases


def health_gold(n_sentences: int) -> list[Sentence]:
    rng = random.Random(n_sentences)
    vocabulary = _vocabulary(rng, 400)
    return [_sentence(rng.choices(vocabulary, k=rng.randint(8, 20)), rng) for _ in range(n_sentences)]


def _sentence(words: list[str], rng: random.Random) -> Sentence:
    starts = rng.sample(range(len(words) - 1), rng.randint(3, 6))
    phrases = [(start, start + rng.randint(1, 2), rng.choice(_PHRASE_LABELS)) for start in sorted(starts)]
    ends = [rng.sample(range(len(phrases)), 2) for _ in range(rng.randint(2, 6))]
    relations = dict.fromkeys((rng.choice(_RELATION_LABELS), source, target) for source, target in ends)
    return Sentence(words, phrases, list(relations))


def health_run(gold: Sequence[Sentence], seed: int) -> list[Sentence]:
    """Return a run with mistakes of its own, a better or worse one by its seed."""
    rng = random.Random(seed)
    share = rng.uniform(0.5, 2) * _WRONG
    return [_misread(sentence, share, rng) for sentence in gold]


def _misread(sentence: Sentence, share: float, rng: random.Random) -> Sentence:
    phrases = []
    for first, end, label in sentence.phrases:
        phrases.append((first, _shortened(first, end, share, rng), _changed(label, _PHRASE_LABELS, rng, share)))
    return replace(sentence, phrases=phrases, relations=[each for each in sentence.relations if rng.random() > share])


def _shortened(first: int, end: int, share: float, rng: random.Random) -> int:
    return first + 1 if rng.random() < share else end


def health_files(sentences: Iterable[Sentence], scenario: int) -> dict[str, str]:
    """Return the three files of a side, by name; the second scenario asks for no relations."""
    files: dict[str, list[str]] = {"input": [], "output_a": [], "output_b": []}
    offset, n_phrases = 0, 0
    for sentence in sentences:
        starts = [
            offset + sum(len(word) + 1 for word in sentence.words[:place]) for place in range(len(sentence.words))
        ]
        for number, (first, end, label) in enumerate(sentence.phrases, start=n_phrases + 1):
            spans = ";".join(f"{starts[k]} {starts[k] + len(sentence.words[k])}" for k in range(first, end))
            files["output_a"].append(f"{number}\t{spans}\t{label}\t{' '.join(sentence.words[first:end])}\n")
        if scenario != 2:
            ends = (
                (label, n_phrases + source + 1, n_phrases + target + 1) for label, source, target in sentence.relations
            )
            files["output_b"].extend(f"{label}\t{source}\t{target}\n" for label, source, target in ends)
        files["input"].append(" ".join(sentence.words) + "\n")
        offset, n_phrases = offset + len(files["input"][-1]), n_phrases + len(sentence.phrases)
    return {f"{stem}_scenario{scenario}.txt": "".join(lines) for stem, lines in files.items()}


def ehealthkd(folder: Path, n_sentences: int) -> Sides:
    gold = health_gold(n_sentences)
    sides = folder / "gold", folder / "run"
    for path, sentences in zip(sides, (gold, health_run(gold, 1)), strict=True):
        for name, content in health_files(sentences, 1).items():
            _write(path / FOLDERS[1] / name, content)
    return sides


def mat(folder: Path, n_documents: int) -> Sides:
    """Documents of 300 words, of which every third begins a span."""
    rng = random.Random(n_documents)
    vocabulary = _vocabulary(rng, 400)
    for number in range(n_documents):
        words = rng.choices(vocabulary, k=300)
        gold = [(first, first + rng.randint(1, 2), rng.choice(LABELS)) for first in range(0, 297, 3)]
        run = [
            (first, _shortened(first, end, _WRONG, rng), _changed(label, LABELS, rng))
            for first, end, label in gold
            if rng.random() > _WRONG
        ]
        for side, spans in (("gold", gold), ("run", run)):
            _write(folder / side / f"{number:06}.json", _mat_document(words, spans))
    return folder / "gold", folder / "run"


def relations(folder: Path, n_documents: int) -> Sides:
    """Tables with twenty relations in each document, of which a run loses some, and gives others another type."""
    rng = random.Random(n_documents)
    rows: dict[str, list[tuple[str, str, str, str]]] = {"gold": [], "run": []}
    for number in range(n_documents):
        for head in range(20):
            own = (f"{number:06}", rng.choice(LABELS), f"T{head}", f"T{rng.randrange(20, 30)}")
            rows["gold"].append(own)
            if rng.random() > _WRONG:
                rows["run"].append((own[0], _changed(own[1], LABELS, rng), *own[2:]))
    for side, own in rows.items():
        lines = "".join("\t".join(row) + "\n" for row in [("filename", "label", "head", "tail"), *own])
        _write(folder / f"{side}.tsv", lines)
    return folder / "gold.tsv", folder / "run.tsv"


def _mat_document(words: list[str], spans: list[tuple[int, int, str]]) -> str:
    starts = [0, *accumulate(len(word) + 1 for word in words)]
    sets = [("lex", [[start, start + len(word)] for start, word in zip(starts, words, strict=False)])]
    for label in LABELS:
        sets.append((label, [[starts[first], starts[end] - 1] for first, end, other in spans if other == label]))
    asets = [{"type": name, "hasID": False, "hasSpan": True, "attrs": [], "annots": spans} for name, spans in sets]
    return json.dumps({"version": 2, "metadata": {}, "signal": " ".join(words), "asets": asets})


def coreference(folder: Path, n_documents: int) -> Sides:
    """Documents of 100 mentions; a run loses some and puts others into other entities."""
    rng = random.Random(n_documents)
    for number in range(n_documents):
        gold, run = [], []
        while sum(map(len, gold)) < 100:
            first = sum(map(len, gold))
            gold.append([f"m{first + k:07}" for k in range(rng.choice((2, 2, 3, 4, 6, 12)))])
        run = [[mention for mention in entity if rng.random() > _WRONG] for entity in gold]
        run = [entity for entity in run if entity]
        rng.choice(run).append(rng.choice(run).pop() if rng.random() < 0.5 else "m9999999")
        for side, entities in (("gold", gold), ("run", run)):
            clusters = {str(k): entity for k, entity in enumerate(filter(None, entities))}
            _write(folder / side / f"{number:06}.json", json.dumps({"type": "clusters", "clusters": clusters}))
    return folder / "gold", folder / "run"


def spacy(folder: Path, n_sentences: int) -> Sides:
    """Sentences with tags, trees, entities and categories, as JSON Lines."""
    rng = random.Random(n_sentences)
    vocabulary = _vocabulary(rng, 20_000)
    gold = [
        _annotated(f"s{number}", rng.choices(vocabulary, k=rng.randint(8, 32)), rng) for number in range(n_sentences)
    ]
    run = [_mistagged(sentence, rng) for sentence in gold]
    return _write_sides(folder, "jsonl", *("".join(json.dumps(each) + "\n" for each in side) for side in (gold, run)))


_TAGS, _RELATIONS, _CATEGORIES = list("ABCDEFGHI"), ["nsubj", "obj", "det", "punct", "obl"], ["C0", "C1", "C2", "C3"]


def _annotated(name: str, words: list[str], rng: random.Random) -> dict[str, Any]:
    n, chosen = len(words), rng.choice(_CATEGORIES)
    return {
        "id": name,
        "words": words,
        "spaces": [True] * n,
        "tags": rng.choices(_TAGS, k=n),
        "heads": [rng.randrange(place) if place else 0 for place in range(n)],
        "deps": ["ROOT", *rng.choices(_RELATIONS, k=n - 1)],
        "ents": [[first, first + 2, rng.choice(LABELS)] for first in range(0, n - 2, 7)],
        "cats": {label: float(label == chosen) for label in _CATEGORIES},
    }


def _mistagged(gold: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    return gold | {
        "tags": [_changed(tag, _TAGS, rng) for tag in gold["tags"]],
        "deps": ["ROOT", *(_changed(relation, _RELATIONS, rng) for relation in gold["deps"][1:])],
        "ents": [
            [first, end, _changed(label, LABELS, rng)] for first, end, label in gold["ents"] if rng.random() > 0.1
        ],
        "cats": {label: round(0.5 * value + 0.5 * rng.random(), 4) for label, value in gold["cats"].items()},
    }


def qac(folder: Path, n_questions: int) -> Sides:
    """Questions with three gold lines and five outputs each."""
    rng = random.Random(n_questions)
    vocabulary = _vocabulary(rng, 500)
    gold, run = [], []
    for number in range(1, n_questions + 1):
        answers = [(rng.choice(vocabulary), rng.randint(980_000_000, 999_999_999)) for _ in range(3)]
        others = [(rng.choice(vocabulary), rng.randint(980_000_000, 999_999_999)) for _ in range(5)]
        gold.extend(f"QAC1-{number}-01\t{k}\t{word}\t{article}\n" for k, (word, article) in enumerate(answers, start=1))
        outputs = ", ".join(f'"{word}", {article}' for word, article in rng.sample([*answers, *others], 5))
        run.append(f"QAC1-{number}-01: {outputs}\n")
    return _write_sides(folder, "txt", "".join(gold), "".join(run))


def labels(folder: Path, n_rows: int) -> Sides:
    """Ten labels, and a run in another order."""
    rng = random.Random(n_rows)
    names = [f"label{number}" for number in range(10)]
    gold = [(f"item{number:07}", names[number % 10]) for number in range(n_rows)]
    run = [(name, _changed(label, names, rng)) for name, label in gold]
    rng.shuffle(run)
    return _write_sides(folder, "csv", _table("label", gold), _table("label", run))


def numbers(folder: Path, n_rows: int) -> Sides:
    rng = random.Random(n_rows)
    gold = [(f"item{number:07}", round(rng.gauss(0, 10), 2)) for number in range(n_rows)]
    run = [(name, round(value + rng.gauss(0, 5), 2)) for name, value in gold]
    return _write_sides(folder, "csv", _table("value", gold), _table("value", run))


def systems(folder: Path, n_segments: int) -> Sides:
    """What people and a metric say of ten systems in each segment, with ties."""
    rng = random.Random(n_segments)
    gold, run = [], []
    for segment in range(n_segments):
        for system in range(10):
            judged = round(rng.gauss(system / 10, 2))
            gold.append((f"{segment},s{system}", judged))
            run.append((f"{segment},s{system}", round(judged + rng.gauss(0, 2), 2)))
    return _write_sides(
        folder, "csv", *(_table("value", side).replace("id", "segment,system", 1) for side in (gold, run))
    )


def shares(folder: Path, n_rows: int) -> Sides:
    """Six annotators' shares of four labels, as EXIST has them."""
    rng = random.Random(n_rows)

    def side() -> str:
        rows = []
        for number in range(1, n_rows + 1):
            ratings = rng.choices("ABCD", (4, 3, 2, 1), k=6)
            own = {label: ratings.count(label) / 6 for label in "ABCD"}
            rows.append({"test_case": "EXIST", "id": str(number), "value": own})
        return json.dumps(rows)

    return _write_sides(folder, "json", side(), side())


def _table(column: str, rows: Iterable[tuple[str, object]]) -> str:
    return f"id,{column}\n" + "".join(f"{name},{value}\n" for name, value in rows)


def ranking(folder: Path, n_queries: int) -> Sides:
    """Return a hundred judgements and a thousand documents of each query."""
    rng = random.Random(n_queries)
    gold, run = [], []
    for query in range(1, n_queries + 1):
        documents = rng.sample(range(10**7, 10**8), 1000)
        scores = sorted((rng.gauss(10, 4) for _ in documents), reverse=True)
        for rank, (name, score) in enumerate(zip(documents, scores, strict=True), start=1):
            run.append(f"{query} Q0 {name} {rank} {score:.6f} system\n")
        gold.extend(f"{query} 0 {name} {rng.choice((0, 0, 0, 1, 1, 2, 3))}\n" for name in rng.sample(documents, 100))
    return _write_sides(folder, "txt", "".join(gold), "".join(run))


def text(folder: Path, n_segments: int) -> Sides:
    """Segments of 8 to 40 words, of which every fifth is turned round."""
    rng = random.Random(n_segments)
    vocabulary = _vocabulary(rng, 8000)
    gold = [rng.choices(vocabulary, k=rng.randint(8, 40)) for _ in range(n_segments)]
    run = [[_changed(word, vocabulary, rng) for word in words] for words in gold]
    run = [
        words if number % 5 else words[len(words) // 3 :] + words[: len(words) // 3] for number, words in enumerate(run)
    ]
    return _write_sides(folder, "txt", *("".join(" ".join(words) + "\n" for words in side) for side in (gold, run)))


def rewritten(folder: Path, n_segments: int) -> Sides:
    """Return segments with their sources, a fifth of whose words has to change."""
    rng = random.Random(n_segments)
    vocabulary = _vocabulary(rng, 8000)
    sources = [rng.choices(vocabulary, k=rng.randint(8, 40)) for _ in range(n_segments)]
    gold = [[_changed(word, vocabulary, rng) for word in words] for words in sources]
    run = [[_changed(word, vocabulary, rng) for word in words] for words in gold]
    names = ("gold/source.txt", "gold/text.txt", "run.txt")
    _, path, own = (
        _write(folder / name, "".join(" ".join(words) + "\n" for words in side))
        for name, side in zip(names, (sources, gold, run), strict=True)
    )
    return path.parent, own


def edits(folder: Path, n_sentences: int) -> Sides:
    """Sentences with up to five edits of one token, by two annotators."""
    rng = random.Random(n_sentences)
    vocabulary = _vocabulary(rng, 8000)
    types = [f"{operation}:{category}" for operation in "MUR" for category in ("NOUN", "VERB", "DET", "PREP", "SPELL")]
    gold, run = [], []
    for _ in range(n_sentences):
        tokens = rng.choices(vocabulary, k=rng.randint(8, 40))
        text = f"S {' '.join(tokens)}\n"
        made = [
            (at, rng.choice(types), rng.choice(vocabulary)) for at in sorted(rng.sample(range(8), rng.randint(1, 5)))
        ]
        gold.append(text + "".join(_edit(*each, annotator) for annotator in (0, 1) for each in made[annotator:]) + "\n")
        found = [(at, type_, _changed(word, vocabulary, rng)) for at, type_, word in made if rng.random() > _WRONG]
        run.append(text + "".join(_edit(*each, 0) for each in found) + "\n")
    return _write_sides(folder, "m2", "".join(gold), "".join(run))


def _edit(at: int, type_: str, word: str, annotator: int) -> str:
    return f"A {at} {at + 1}|||{type_}|||{word}|||REQUIRED|||-NONE-|||{annotator}\n"


INPUTS: dict[str, Callable[[Path, int], Sides]] = {
    each.__name__: each
    for each in (
        ehealthkd,
        mat,
        relations,
        coreference,
        spacy,
        qac,
        labels,
        numbers,
        ranking,
        text,
        rewritten,
        edits,
        systems,
        shares,
    )
}


def _vocabulary(rng: random.Random, size: int) -> list[str]:
    return ["".join(rng.choices(string.ascii_lowercase, k=rng.randint(2, 10))) for _ in range(size)]


def _changed(value: str, others: Sequence[str], rng: random.Random, share: float = _WRONG) -> str:
    return rng.choice(others) if rng.random() < share else value


def _write_sides(folder: Path, suffix: str, gold: str, run: str) -> Sides:
    return _write(folder / f"gold.{suffix}", gold), _write(folder / f"run.{suffix}", run)


def _write(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path
