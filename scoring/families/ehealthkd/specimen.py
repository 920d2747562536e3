"""A whole evaluation in small: made-up Spanish sentences with phrases and relations, and a run that errs in some."""

import re

from scoring.families.ehealthkd.writing import written
from scoring.family import Options, Specimen

# [phrase|first letter of its label], and behind the sentence its relations between the numbers of its phrases.
_SENTENCES = """\
El [asma|C] [afecta|A] las [vías respiratorias|C]. = subject 2 1, target 2 3
Los [pulmones|C] [llevan|A] [oxígeno|C] a la [sangre|C]. = subject 2 1, target 2 3, in-place 2 4
La [gripe|C] [causa|A] [fiebre|C] y [tos|C]. = causes 1 3, causes 1 4
El [reposo|C] [alivia|A] el [dolor de espalda|C]. = subject 2 1, target 2 3
La [vitamina C|C] es una [sustancia|C]. = is-a 1 2
[Esta|R] [enfermedad|C] [aparece|A] en [invierno|C]. = in-context 1 2, subject 3 2, in-time 3 4
El [médico|C] [mide|A] la [presión|C] de la [sangre|C]. = subject 2 1, target 2 3, part-of 3 4
Las [vacunas|C] [previenen|A] [infecciones|C] [graves|P]. = subject 2 1, target 2 3, domain 4 3
"""
_LABELS = {"A": "Action", "C": "Concept", "P": "Predicate", "R": "Reference"}
_PHRASE = re.compile(r"\[([^|]+)\|(\w)\]")
# The run's mistakes, by phrase and by relation: some are missing, some have another label.
_MISSED, _RELABELLED, _UNRELATED = {4, 17}, {8: "Concept"}, {3, 9, 12}


def specimen(options: Options) -> Specimen:
    n = options["scenario"]
    texts, phrases, relations = _read()
    found = phrases if n == 3 else _mistaken(phrases)
    sentences = "".join(f"{text}\n" for text in texts)
    return Specimen(
        gold=written(sentences, *_tables(phrases, relations), options),
        run=written(None, *_tables(found, _found_between(found, relations)), options),
    )


def _tables(phrases: dict[int, str], relations: list[tuple[str, int, int]]) -> tuple[str, str]:
    return (
        "".join(f"{number}\t{line}\n" for number, line in phrases.items()),
        "".join(f"{label}\t{a}\t{b}\n" for label, a, b in relations),
    )


def _read() -> tuple[list[str], dict[int, str], list[tuple[str, int, int]]]:
    """Sentences; {number of a phrase: its spans, label and text}; relations between these numbers."""
    texts: list[str] = []
    phrases: dict[int, str] = {}
    relations: list[tuple[str, int, int]] = []
    offset = 0
    for line in _SENTENCES.splitlines():
        marked, _, related = line.partition(" = ")
        before = len(phrases)
        texts.append(_PHRASE.sub(r"\1", marked))
        for found in _PHRASE.finditer(marked):
            start = offset + len(_PHRASE.sub(r"\1", marked[: found.start()]))
            phrases[len(phrases) + 1] = _line(start, found[1], _LABELS[found[2]])
        for each in related.split(", "):
            label, first, second = each.split()
            relations.append((label, before + int(first), before + int(second)))
        offset += len(texts[-1]) + 1
    return texts, phrases, relations


def _line(start: int, text: str, label: str) -> str:
    """Spans, label and text; of several words each has its span."""
    spans, at = [], start
    for word in text.split():
        spans.append(f"{at} {at + len(word)}")
        at += len(word) + 1
    return f"{';'.join(spans)}\t{label}\t{text}"


def _mistaken(phrases: dict[int, str]) -> dict[int, str]:
    kept = {number: line for number, line in phrases.items() if number not in _MISSED}
    return {number: _relabelled(line, _RELABELLED.get(number)) for number, line in kept.items()}


def _relabelled(line: str, label: str | None) -> str:
    spans, old, text = line.split("\t")
    return f"{spans}\t{label or old}\t{text}"


def _found_between(phrases: dict[int, str], relations: list[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """The relations that the run finds between phrases that it has."""
    kept = (relation for place, relation in enumerate(relations) if place not in _UNRELATED)
    return [relation for relation in kept if phrases.keys() >= {*relation[1:]}]
