"""Made-up treebanks: a gold with multiword tokens, and a system that cuts and labels some of it in another way."""

import random
from collections.abc import Iterator
from pathlib import Path

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_RELATIONS = ("nsubj", "obj", "obl", "det", "case", "aux", "mark", "conj", "cc", "punct", "amod:x")
_TAGS = ("NOUN", "VERB", "DET", "ADP", "ADJ", "PUNCT")
_FEATURES = ("_", "Number=Sing", "Case=Nom|Number=Plur", "Tense=Past|VerbForm=Fin", "Typo=Yes")
_WRONG = 0.08  # share of what the system says otherwise

Token = tuple[str, list[str]]  # its surface and the forms of its words


def write_sides(folder: Path, n_sentences: int, seed: int = 0) -> tuple[Path, Path]:
    """Paths of gold and system; documents have ten sentences."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(seed)
    vocabulary = ["".join(rng.choices(_LETTERS, k=rng.randrange(2, 9))) for _ in range(20_000)]
    paths = folder / "gold.conllu", folder / "system.conllu"
    with paths[0].open("w") as gold, paths[1].open("w") as system:
        for k in range(n_sentences):
            tokens = [_token(rng.choice(vocabulary), rng) for _ in range(rng.randrange(8, 33))]
            words = _annotated(tokens, rng)
            gold.writelines([f"# newdoc id = d{k // 10}\n"] if k % 10 == 0 else [])
            gold.writelines([*_lines(tokens, words), "\n"])
            cut = [other for token in tokens for other in _cut(token, rng)]
            system.writelines([*_lines(cut, _changed(words, sum(len(forms) for _, forms in cut), rng)), "\n"])
    return paths


def _token(surface: str, rng: random.Random) -> Token:
    return (surface, [surface[:1], surface[1:] + "x"]) if rng.random() < 0.1 else (surface, [surface])


def _cut(token: Token, rng: random.Random) -> Iterator[Token]:
    surface, forms = token
    if rng.random() >= _WRONG / 2:
        yield token
    elif len(forms) > 1:
        yield surface, [surface]
    else:
        yield surface[:1], [surface[:1]]
        yield surface[1:], [surface[1:]]


def _annotated(tokens: list[Token], rng: random.Random) -> list[list[str]]:
    """Lemma, tags, features, head and relation of each word; the first is the root, and heads stand before."""
    forms = [form for _, forms in tokens for form in forms]
    return [
        [form, rng.choice(_TAGS), "X", rng.choice(_FEATURES), str(rng.randrange(k) + 1), rng.choice(_RELATIONS)]
        if k
        else [form, "VERB", "X", "_", "0", "root"]
        for k, form in enumerate(forms)
    ]


def _changed(words: list[list[str]], number: int, rng: random.Random) -> list[list[str]]:
    """As many words as the system has, by place, some of them wrong."""
    changed = [list(words[min(k, len(words) - 1)]) for k in range(number)]
    for k, word in enumerate(changed[1:], start=1):
        if rng.random() < _WRONG:
            word[1], word[3], word[5] = rng.choice(_TAGS), rng.choice(_FEATURES), rng.choice(_RELATIONS)
        if rng.random() < _WRONG or int(word[4]) > k or word[4] == "0":
            word[4] = str(rng.randrange(k) + 1)
    return changed


def _lines(tokens: list[Token], words: list[list[str]]) -> Iterator[str]:
    number = 0
    for surface, forms in tokens:
        if len(forms) > 1:
            yield f"{number + 1}-{number + len(forms)}\t{surface}" + "\t_" * 8 + "\n"
        for form in forms:
            number += 1
            yield "\t".join([str(number), form, *words[number - 1], "_", "_"]) + "\n"
