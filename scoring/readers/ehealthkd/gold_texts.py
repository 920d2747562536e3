"""The last column of the gold's phrases, which nothing is scored by, beside the text that their spans mark.

Where the two differ, offsets are shifted or texts were mixed up: a gold can be perfect against itself all the same.
"""

from collections.abc import Mapping

from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.ehealthkd.brat.lines import parse_annotation
from scoring.readers.ehealthkd.editions import PAIRED, phrase_file, sentence_file, sentences_of
from scoring.readers.ehealthkd.lines import PhraseLine, parse_phrase
from scoring.readers.ehealthkd.oddities import WARNED
from scoring.readers.ehealthkd.sentences import fold, split_lines
from scoring.readers.problems import cut

_SHOWN = 60


def differing_texts(files: Mapping[str, bytes], scenario: int, rules: str = "2019") -> list[Finding]:
    r"""Return one remark for each phrase whose text is not the one under its spans; the gold has been read before.

    The pieces of a discontinuous phrase have one blank between them. Blanks and the composition of characters do not
    matter.

    >>> files = {
    ...     "input_scenario1.txt": "Las vías del niño\n".encode(),
    ...     "output_a_scenario1.txt": "1\t4 8;13 17\tConcept\tvías niño\n2\t3 7\tConcept\tvías\n".encode(),
    ... }
    >>> print(*differing_texts(files, 1))
    output_a_scenario1.txt:2: the text column says “vías”, under the span stands “ vía”
    """
    phrase_path = phrase_file(files, scenario, rules)
    sentence_path = sentence_file(files, scenario, rules, of_gold=True)
    if phrase_path is None or sentence_path is None:
        return []
    text = "\n".join(sentences_of(files[sentence_path].decode(), rules).texts)
    remarks = []
    for number, line in enumerate(split_lines(files[phrase_path].decode()), start=1):
        phrase = _phrase(line, rules)
        if phrase is None:
            continue
        stated = line.strip().split("\t")[-1]
        marked = " ".join(text[max(start, 0) : max(end, 0)] for start, end in phrase.spans)
        if _comparable(stated) != _comparable(marked):
            message = Message(
                "text-column-says-under",
                "the text column says “{said}”, under the span stands “{marked}”",
                said=_shown(stated),
                marked=_shown(marked),
            )
            remarks.append(Finding(message, phrase_path, number))
    return cut(remarks, WARNED, phrase_path)


def _phrase(line: str, rules: str) -> PhraseLine | None:
    """Return the phrase of a line that has one, with a text."""
    if rules not in PAIRED:
        return parse_phrase(line)
    parsed = parse_annotation(line) if line.startswith("T") and line.count("\t") > 1 else None
    return parsed if isinstance(parsed, PhraseLine) else None


def _comparable(text: str) -> str:
    return " ".join(fold(text).split())


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
