"""Made-up eHealth-KD tasks of any size: a gold folder and one run, the same for the same seed."""

import argparse
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDERS = {1: "scenario1-main", 2: "scenario2-taskA", 3: "scenario3-taskB"}
VOCABULARY = (
    "el la los una con sin para según dolor fiebre niño corazón sangre médico riñón tratamiento síntoma "
    "provoca afecta reduce mejora causa infección piel agua sueño crónico grave leve anual"
)
WORDS = VOCABULARY.split()
PHRASE_LABELS = ("Concept", "Action", "Predicate", "Reference")
RELATIONS = "is-a same-as has-property part-of causes entails in-time in-place in-context subject target domain arg"
RELATION_LABELS = RELATIONS.split()


@dataclass(frozen=True)
class Shape:
    """How many words, phrases and relations a sentence has: inclusive bounds."""

    words: tuple[int, int] = (8, 20)
    phrases: tuple[int, int] = (3, 10)
    relations: tuple[int, int] = (2, 10)


LARGE_SET = Shape()
ONE_LONG_SENTENCE = Shape(words=(2000, 2000), phrases=(2000, 2000), relations=(2000, 2000))
HUNDRED_SENTENCES = Shape(words=(20, 20), phrases=(20, 20), relations=(20, 20))

Phrase = tuple[tuple[int, ...], str]  # word positions, label
Relation = tuple[str, int, int]  # label, places of source and target in the list of phrases


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="receives gold/ and submits/team/run/")
    parser.add_argument("--sentences", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=2019)
    arguments = parser.parse_args(argv)
    write_task(arguments.folder, arguments.sentences, seed=arguments.seed)
    return 0


def write_task(folder: Path, sentences: int, shape: Shape = LARGE_SET, seed: int = 2019) -> None:
    """Writes `folder/gold` and `folder/submits/team/run`, each with `sentences` sentences a scenario."""
    for scenario, name in FOLDERS.items():
        gold = folder / "gold" / name
        run = folder / "submits" / "team" / "run" / name
        gold.mkdir(parents=True)
        run.mkdir(parents=True)
        rng = random.Random(f"{seed} {scenario}")
        with _Writer(gold, "input", scenario) as gold_files, _Writer(run, "output", scenario) as run_files:
            for number in range(1, sentences + 1):
                _write_sentence(number, scenario, shape, rng, gold_files, run_files)


class _Writer:
    """The three files of one side and scenario, with the running offset and phrase ID."""

    def __init__(self, folder: Path, stem: str, scenario: int) -> None:
        names = stem, "output_a", "output_b"
        self._files = [
            (folder / f"{name}_scenario{scenario}.txt").open("w", encoding="utf-8", newline="\n") for name in names
        ]
        self._offset = 0
        self._next_id = 1

    def __enter__(self) -> "_Writer":
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._files:
            file.close()

    def write(self, words: list[str], phrases: list[Phrase], relations: list[Relation]) -> None:
        sentence = " ".join(words)
        self._files[0].write(sentence + "\n")
        spans = list(_spans(words, self._offset))
        for i, (positions, label) in enumerate(phrases, self._next_id):
            places = ";".join(spans[position] for position in positions)
            text = " ".join(words[position] for position in positions)
            self._files[1].write(f"{i}\t{places}\t{label}\t{text}\n")
        for label, source, target in relations:
            self._files[2].write(f"{label}\t{self._next_id + source}\t{self._next_id + target}\n")
        self._offset += len(sentence) + 1
        self._next_id += len(phrases)


def _spans(words: list[str], offset: int) -> Iterator[str]:
    for word in words:
        yield f"{offset} {offset + len(word)}"
        offset += len(word) + 1


def _write_sentence(number: int, scenario: int, shape: Shape, rng: random.Random, gold: _Writer, run: _Writer) -> None:
    words = [*rng.choices(WORDS, k=rng.randint(*shape.words)), str(number)]
    phrases = _gold_phrases(len(words), rng.randint(*shape.phrases), rng)
    relations: list[Relation] = []
    if scenario != 2:
        relations = [_relation(len(phrases), rng) for _ in range(rng.randint(*shape.relations))]
    gold.write(words, phrases, relations)
    if scenario == 3:
        run.write(words, phrases, [(_redrawn(label, 0.3, rng), *ends) for label, *ends in relations])
    else:
        kept, found = _system_phrases(phrases, len(words), rng)
        run.write(words, found, _system_relations(relations, kept, len(found), rng) if scenario == 1 else [])


def _gold_phrases(n_words: int, n_phrases: int, rng: random.Random) -> list[Phrase]:
    found: dict[tuple[int, ...], str] = {}
    while len(found) < n_phrases:
        positions, label = _phrase(n_words, rng)
        found.setdefault(positions, label)
    return list(found.items())


def _phrase(n_words: int, rng: random.Random) -> Phrase:
    length = rng.choices((1, 2, 3), (4, 2, 1))[0]
    start = rng.randrange(n_words - length + 1)
    positions = set(range(start, start + length))
    if rng.random() < 0.12:
        positions.add(rng.randrange(n_words))
    return tuple(sorted(positions)), rng.choice(PHRASE_LABELS)


def _relation(n_phrases: int, rng: random.Random) -> Relation:
    label = "same-as" if rng.random() < 0.03 else rng.choice(RELATION_LABELS)
    return label, rng.randrange(n_phrases), rng.randrange(n_phrases)


def _redrawn(label: str, chance: float, rng: random.Random) -> str:
    return rng.choice(RELATION_LABELS) if rng.random() < chance else label


def _system_phrases(gold: list[Phrase], n_words: int, rng: random.Random) -> tuple[dict[int, int], list[Phrase]]:
    """Where each kept gold phrase stands among the system's phrases, and these."""
    kept: dict[int, int] = {}
    found: list[Phrase] = []
    for i, (positions, label) in enumerate(gold):
        if rng.random() < 0.2:
            continue
        change = rng.random()
        if change < 0.1:
            positions = _with_another_boundary(positions, n_words)
        elif change < 0.2:
            positions, label = _phrase(n_words, rng)
        if rng.random() < 0.15:
            label = rng.choice(PHRASE_LABELS)
        kept[i] = len(found)
        found.extend([(positions, label)] * (2 if rng.random() < 0.02 else 1))
    while rng.random() < 0.3:
        found.append(_phrase(n_words, rng))
    return kept, found


def _with_another_boundary(positions: tuple[int, ...], n_words: int) -> tuple[int, ...]:
    if len(positions) > 1:
        return positions[:-1]
    return (*positions, positions[-1] + 1) if positions[-1] + 1 < n_words else positions


def _system_relations(gold: list[Relation], kept: dict[int, int], n_phrases: int, rng: random.Random) -> list[Relation]:
    found: list[Relation] = []
    for label, source, target in gold:
        if source not in kept or target not in kept or rng.random() < 0.3:
            continue
        label = _redrawn(label, 0.2, rng)
        ends = kept[source], kept[target]
        if rng.random() < 0.05:
            ends = ends[1], ends[0]
        if rng.random() < 0.1:
            ends = rng.randrange(n_phrases), ends[1]
        found.extend([(label, *ends)] * (2 if rng.random() < 0.02 else 1))
    while n_phrases and rng.random() < 0.3:
        found.append(_relation(n_phrases, rng))
    return [(label.upper() if rng.random() < 0.05 else label, *ends) for label, *ends in found]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
