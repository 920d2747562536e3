"""What participants are given, the sentences: to make a sample of an upload, and to tell which input an upload is for.

Nothing here looks at phrases or relations of the gold.
"""

import re

from scoring.family import Files, Options, Side
from scoring.readers.ehealthkd.layout import find
from scoring.readers.ehealthkd.sentences import Sentences, parse_sentences

_WORD = re.compile(r"\w+")


def sample(gold: Files, options: Options) -> dict[str, bytes]:
    """An upload that is valid for this gold: the first two words of a sentence as phrases, and a relation of them."""
    scenario = options["scenario"]
    sentences = _sentences(gold, scenario, ("input",))
    words = next((found for k in range(len(sentences.texts)) if len(found := _first_words(sentences, k)) == 2), [])
    phrases = [
        f"{number}\t{start} {end}\tConcept\t{text}\n" for number, (start, end, text) in enumerate(words, start=1)
    ]
    relations = "is-a\t1\t2\n" if words else ""
    return {
        f"output_a_scenario{scenario}.txt": "".join(phrases).encode(),
        f"output_b_scenario{scenario}.txt": relations.encode(),
    }


def input_keys(files: Files, options: Options, side: Side) -> set[str]:
    """The sentences; none where an upload leaves them out."""
    stems = ("input",) if side == "gold" else ("output", "input")
    return {text for text in _sentences(files, options["scenario"], stems).texts if text}


def _sentences(files: Files, scenario: int, stems: tuple[str, ...]) -> Sentences:
    paths = find(files, scenario)
    path = next((paths[stem] for stem in stems if stem in paths), None)
    return parse_sentences(files[path].decode(errors="replace") if path else "")


def _first_words(sentences: Sentences, k: int) -> list[tuple[int, int, str]]:
    """Up to two words of a sentence, with their offsets in the whole text."""
    offset = int(sentences.starts[k])
    found = list(_WORD.finditer(sentences.texts[k]))[:2]
    return [(offset + word.start(), offset + word.end(), word[0]) for word in found]
