"""A whole evaluation in small: letters with their entities, and a run that misses some, in each of the formats."""

import json
import re
from collections.abc import Iterator

from scoring.family import Options, Specimen

Sentences = list[list[tuple[str, str]]]  # tokens, each with the entities that open or close at it, as columns have them

# A letter in each paragraph, a sentence in each line. Where the run says otherwise, it stands behind the sign ~.
_LETTERS = """\
Anna=(0) sees her=(1|(0) mother=1) .
She=(1) waves to her=(0) .

The=(0 baker=0) lost his=(1|(0) keys=1) .
A=(2 boy=2) found them=(1) and called the=(0~- old=- man=0)~- .

Our=(0 teacher=0) read us a=(1 story=1) .
It=(1) made her=(0)~(2) laugh .

Tom=(0) and Eva=(1) met at the=(2 lake=2) .
He=(0) swam in it=(2) while she=(1)~(0) slept .
"""


def specimen(options: Options) -> Specimen:
    """JSON where any format is accepted, as an upload has it then."""
    write = _json if options["format"] in ("auto", "json") else _conll if options["format"] == "conll" else _corefud
    gold, run = list(_letters(of_run=False)), list(_letters(of_run=True))
    return Specimen(write(gold), write(run))


def _letters(*, of_run: bool) -> Iterator[Sentences]:
    for paragraph in _LETTERS.strip().split("\n\n"):
        yield [[_token(token, of_run=of_run) for token in line.split()] for line in paragraph.splitlines()]


def _token(token: str, *, of_run: bool) -> tuple[str, str]:
    word, _, marks = token.partition("=")
    gold, _, run = marks.partition("~")
    return word, (run if of_run and run else gold) or "-"


def _conll(letters: list[Sentences]) -> dict[str, bytes]:
    lines = []
    for number, sentences in enumerate(letters, start=1):
        lines.append(f"#begin document (letter-{number}); part 000")
        for sentence in sentences:
            lines += [f"letter-{number}\t0\t{k}\t{word}\t{marks}" for k, (word, marks) in enumerate(sentence)] + [""]
        lines += ["#end document", ""]
    return {"letters.conll": "\n".join(lines).encode()}


def _corefud(letters: list[Sentences]) -> dict[str, bytes]:
    lines = ["# global.Entity = eid"]
    for number, sentences in enumerate(letters, start=1):
        lines.insert(len(lines) - (number == 1), f"# newdoc id = letter-{number}")
        for sentence in sentences:
            lines += [_corefud_line(k, word, marks) for k, (word, marks) in enumerate(sentence, start=1)] + [""]
    return {"letters.conllu": ("\n".join(lines) + "\n").encode()}


def _corefud_line(number: int, word: str, marks: str) -> str:
    entities = "" if marks == "-" else "Entity=" + re.sub(r"\d+", r"e\g<0>", marks).replace("|", "")
    head, relation = (0, "root") if number == 1 else (1, "dep")
    return f"{number}\t{word}\t{word}\tX\t_\t_\t{head}\t{relation}\t_\t{entities or '_'}"


def _json(letters: list[Sentences]) -> dict[str, bytes]:
    """A mention is named by the numbers of its sentence, its first and its last token."""
    return {
        f"letter-{number}.json": (json.dumps({"type": "clusters", "clusters": _clusters(letter)}) + "\n").encode()
        for number, letter in enumerate(letters, start=1)
    }


def _clusters(letter: Sentences) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for number, sentence in enumerate(letter, start=1):
        opened: dict[str, int] = {}
        for place, (_, marks) in enumerate(sentence, start=1):
            for opens, entity, closes in re.findall(r"(\()?(\d+)(\))?", marks):
                start = place if opens else opened.pop(entity)
                if closes:
                    found.setdefault(entity, []).append(f"{number}:{start}-{place}")
                else:
                    opened[entity] = place
    return found
