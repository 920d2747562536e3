"""What participants are given, the sentences: to make a sample of an upload, and to tell which input an upload is for.

Nothing here looks at phrases or relations of the gold.
"""

import re

from scoring.errors import SubmissionError
from scoring.family import Files, Options, Side
from scoring.readers.ehealthkd.layout import find, missing
from scoring.readers.ehealthkd.sentences import Sentences, parse_sentences

_WORD = re.compile(r"\w+")


def sample(gold: Files, options: Options) -> dict[str, bytes]:
    """An upload that is valid for this gold: of each sentence the first two words, and a relation of them."""
    scenario = options["scenario"]
    sentences = _sentences(gold, scenario, ("input",))
    pairs = [found for k in range(len(sentences.texts)) if len(found := _first_words(sentences, k)) == 2]
    words = enumerate((word for pair in pairs for word in pair), start=1)
    phrases = [f"{number}\t{start} {end}\tConcept\t{text}\n" for number, (start, end, text) in words]
    relations = [f"is-a\t{2 * k + 1}\t{2 * k + 2}\n" for k in range(len(pairs))]
    return {
        f"output_a_scenario{scenario}.txt": "".join(phrases).encode(),
        f"output_b_scenario{scenario}.txt": "".join(relations).encode(),
    }


def inputs(gold: Files, options: Options) -> dict[str, bytes]:
    """The sentences. The phrases that scenario 3 gives are the organisers' to hand out, with their own downloads."""
    path = find(gold, options["scenario"])["input"]
    return {f"input_scenario{options['scenario']}.txt": gold[path]}


def gold_of_inputs(given: Files, options: Options) -> dict[str, bytes]:
    """The sentences without relations, and without phrases but for those that scenario 3 gives."""
    scenario = options["scenario"]
    paths = find(given, scenario)
    if "input" not in paths:
        raise SubmissionError(missing(given, paths, "input", scenario))
    phrases = given[paths["output_a"]] if scenario == 3 and "output_a" in paths else b""
    return {
        f"input_scenario{scenario}.txt": given[paths["input"]],
        f"output_a_scenario{scenario}.txt": phrases,
        f"output_b_scenario{scenario}.txt": b"",
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
