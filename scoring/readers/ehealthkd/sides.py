"""A scenario of the gold, and the same scenario of a system beside it."""

import codecs
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from scoring.errors import Problem, SubmissionError
from scoring.readers.ehealthkd.columns import Phrases, Relations
from scoring.readers.ehealthkd.layout import find, missing
from scoring.readers.ehealthkd.parsing import parse_phrases, parse_relations
from scoring.readers.ehealthkd.placing import (
    WARNED,
    at_most,
    odd_phrases,
    odd_relations,
    place_phrases,
    repetitions,
    resolve_relations,
)
from scoring.readers.ehealthkd.sentences import (
    Comparison,
    Sentences,
    compare_checked,
    compare_officially,
    parse_sentences,
    split_lines,
)

Pairing = Literal["checked", "official"]

_LISTED = 100
_NEEDED = {1: ("output_a", "output_b"), 2: ("output_a",), 3: ("output_b",)}


@dataclass(frozen=True)
class Gold:
    """The gold's sentences, phrases and relations; `paths` are the files they were read from.

    `content` is the sentence file as it is, and `phrase_file` the path of the phrases.
    """

    paths: list[str]
    content: bytes
    phrase_file: str
    sentences: Sentences
    phrases: Phrases
    relations: Relations
    warnings: list[Problem]


@dataclass(frozen=True)
class System:
    """A system's phrases and relations, placed in its own `sentences`, and how these compare to the gold's.

    `has_phrases` is False if the phrases are the gold's own, because the system has no such file.
    """

    sentences: Sentences
    phrases: Phrases
    relations: Relations
    comparison: Comparison
    has_phrases: bool
    warnings: list[Problem]


def read_gold(files: Mapping[str, bytes], scenario: int, pairing: Pairing = "checked") -> Gold:
    """The gold of a scenario; SubmissionError with the problems of the first stage that has any."""
    found = find(files, scenario)
    needed = ("input", "output_a", "output_b")
    _raise([missing(found, stem, scenario) for stem in needed if stem not in found])
    contents = {stem: files[found[stem]] for stem in needed}
    _check_encoding({found[stem]: content for stem, content in contents.items()}, pairing)
    sentences = parse_sentences(contents["input"].decode())
    read = _Annotations(found, contents)
    phrases = read.phrases(sentences, unique_ids=True)
    relations = read.relations(phrases)
    return Gold(
        paths=[found[stem] for stem in needed],
        content=contents["input"],
        phrase_file=found["output_a"],
        sentences=sentences,
        phrases=phrases,
        relations=relations,
        warnings=read.warnings,
    )


def read_system(files: Mapping[str, bytes], gold: Gold, scenario: int, pairing: Pairing = "checked") -> System:
    """A system's scenario; SubmissionError with the problems of the first stage that has any.

    What the system may leave out is taken from the gold: the sentences, and in scenario 3 the phrases.
    With the pairing "official", sentences that differ from the gold's are left out instead of refused.
    """
    found = find(files, scenario)
    _raise([missing(found, stem, scenario) for stem in _NEEDED[scenario] if stem not in found])
    sentence_stem = "output" if "output" in found else "input"
    stems = [stem for stem in (sentence_stem, "output_a", "output_b") if stem in found]
    contents = {stem: files[found[stem]] for stem in stems}
    _check_encoding({found[stem]: content for stem, content in contents.items()}, pairing)
    read = _Annotations(found, contents)
    sentences, comparison = gold.sentences, Comparison()
    if contents.get(sentence_stem, gold.content) != gold.content:
        own = parse_sentences(contents[sentence_stem].decode())
        compare = compare_checked if pairing == "checked" else compare_officially
        comparison = compare(gold.sentences.texts, own.texts, found[sentence_stem])
        if comparison.problems:
            _raise(comparison.problems + read.problems)
        sentences = own.padded(comparison.padding)
    phrases = read.phrases(sentences, unique_ids=False) if "output_a" in found else gold.phrases
    return System(
        sentences=sentences,
        phrases=phrases,
        relations=read.relations(phrases),
        comparison=comparison,
        has_phrases="output_a" in found,
        warnings=_absences(found) + comparison.warnings + read.warnings,
    )


class _Annotations:
    """The files of phrases and relations of one side, as far as they are there.

    `problems` are those of single lines. What has to be looked up comes in two steps, and each raises all
    that is known to be wrong by then.
    """

    def __init__(self, found: Mapping[str, str], contents: Mapping[str, bytes]) -> None:
        self._a = found.get("output_a", "")
        self._b = found.get("output_b", "")
        self._raw_phrases, self._phrase_problems = parse_phrases(contents.get("output_a", b""), self._a)
        self._raw_relations, self._relation_problems = parse_relations(contents.get("output_b", b""), self._b)
        self.warnings: list[Problem] = []

    @property
    def problems(self) -> list[Problem]:
        return at_most(self._phrase_problems, _LISTED, self._a) + at_most(self._relation_problems, _LISTED, self._b)

    def phrases(self, sentences: Sentences, *, unique_ids: bool) -> Phrases:
        phrases, beyond = place_phrases(self._raw_phrases, sentences, self._a)
        repeated = repetitions(self._raw_phrases, self._a)
        self._phrase_problems += beyond + (repeated if unique_ids else [])
        if self._phrase_problems:
            self._phrase_problems.sort(key=_line)
            _raise(self.problems)
        self.warnings += at_most(repeated, WARNED, self._a) + odd_phrases(phrases, sentences, self._a)
        return phrases

    def relations(self, phrases: Phrases) -> Relations:
        relations, unknown = resolve_relations(self._raw_relations, phrases, self._b)
        if self._relation_problems or unknown:
            _raise(at_most(sorted(self._relation_problems + unknown, key=_line), _LISTED, self._b))
        self.warnings += odd_relations(self._raw_relations, relations, self._b)
        return relations


def _line(problem: Problem) -> int:
    return problem.line or 0


def _check_encoding(contents: Mapping[str, bytes], pairing: Pairing) -> None:
    """UTF-8 without byte order mark; the challenge's own program takes the mark for a character."""
    problems = []
    for path, content in contents.items():
        try:
            content.decode()
        except UnicodeDecodeError as error:
            line = len(split_lines(content[: error.start].decode() + "x"))
            byte = f"0x{content[error.start]:02x}"
            problems.append(Problem(f"The byte {byte} is not UTF-8: save the file as UTF-8.", path, line))
            continue
        if pairing == "checked" and content.startswith(codecs.BOM_UTF8):
            problems.append(Problem("Save as UTF-8 without byte order mark.", path, 1))
    _raise(problems)


def _absences(found: Mapping[str, str]) -> list[Problem]:
    """Notes on files that may be absent, and are."""
    warnings = []
    if "output_a" not in found:
        warnings.append(Problem("no file of phrases: the gold's phrases with the gold's IDs are taken"))
    if "output_b" not in found:
        warnings.append(Problem("no file of relations: taken as empty"))
    return warnings


def _raise(problems: list[Problem]) -> None:
    if problems:
        raise SubmissionError(problems)
