"""The last column of the gold's phrases, which nothing is scored by, beside the text that their spans mark.

Where the two differ, offsets are shifted or texts were mixed up: a gold can be perfect against itself all the same.
"""

from collections.abc import Mapping

from scoring.errors import Problem
from scoring.readers.ehealthkd.careful import parse_phrase
from scoring.readers.ehealthkd.layout import find
from scoring.readers.ehealthkd.oddities import WARNED
from scoring.readers.ehealthkd.sentences import fold, parse_sentences, split_lines
from scoring.readers.problems import cut

_SHOWN = 60


def differing_texts(files: Mapping[str, bytes], scenario: int) -> list[Problem]:
    r"""One remark a line of the phrases whose text is not the one under its spans; the gold has been read before.

    The pieces of a discontinuous phrase have one blank between them. Blanks and the composition of characters do not
    matter.

    >>> files = {
    ...     "input_scenario1.txt": "Las vías del niño\n".encode(),
    ...     "output_a_scenario1.txt": "1\t4 8;13 17\tConcept\tvías niño\n2\t3 7\tConcept\tvías\n".encode(),
    ... }
    >>> print(*differing_texts(files, 1))
    output_a_scenario1.txt:2: the text column says “vías”, under the span stands “ vía”
    """
    paths = find(files, scenario)
    text = "\n".join(parse_sentences(files[paths["input"]].decode()).texts)
    remarks = []
    for number, line in enumerate(split_lines(files[paths["output_a"]].decode()), start=1):
        said = line.strip().split("\t")[-1]
        marked = " ".join(text[max(start, 0) : max(end, 0)] for start, end in parse_phrase(line).spans)
        if _comparable(said) != _comparable(marked):
            message = f"the text column says “{_shown(said)}”, under the span stands “{_shown(marked)}”"
            remarks.append(Problem(message, paths["output_a"], number))
    return cut(remarks, WARNED, paths["output_a"])


def _comparable(text: str) -> str:
    return " ".join(fold(text).split())


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
