"""A scenario of the gold, and the same scenario of a system beside it."""

import codecs
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from scoring.columns import is_first
from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.ehealthkd.columns import Phrases, Relations
from scoring.readers.ehealthkd.layout import find, missing
from scoring.readers.ehealthkd.oddities import WARNED, odd_phrases, odd_relations
from scoring.readers.ehealthkd.parsing import parse_phrases, parse_relations
from scoring.readers.ehealthkd.resolving import (
    number_through,
    repeated_ids,
    repeated_in_all,
    resolve_phrases,
    resolve_relations,
)
from scoring.readers.ehealthkd.sentences import (
    Comparison,
    Sentences,
    compare_checked,
    compare_officially,
    parse_sentences,
)
from scoring.readers.problems import cut, cut_each_file, line_of, not_decoded

# How the sentences of gold and system are paired: `checked` refuses altered ones, `official` leaves them out.
Pairing = Literal["checked", "official"]

# The files that a system cannot do without, by scenario; sentences can always be taken from the gold.
_NEEDED = {1: ("output_a", "output_b"), 2: ("output_a",), 3: ("output_b",)}


@dataclass(frozen=True)
class Gold:
    """The gold of one scenario."""

    paths: list[str]  # the files that it was read from
    content: bytes  # the sentence file as it is, to compare a system's with at once
    phrase_file: str  # path of the phrases, for problems that show only when a run is matched
    sentences: Sentences
    phrases: Phrases
    relations: Relations
    warnings: list[Finding]


@dataclass(frozen=True)
class System:
    """One scenario of a system."""

    sentences: Sentences  # its own, or the gold's if it has no file of sentences or the very same one
    phrases: Phrases  # in its own sentences
    relations: Relations
    comparison: Comparison  # of its sentences with the gold's
    has_phrases: bool  # False if the phrases are the gold's own, because the system has no such file
    warnings: list[Finding]


def read_gold_tables(files: Mapping[str, bytes], scenario: int, pairing: Pairing = "checked") -> Gold:
    """Read the gold of a scenario; SubmissionError with the problems of the first stage that has any.

    The stages are: presence of the files, encoding, phrases, relations.
    """
    paths = find(files, scenario)
    needed = ("input", "output_a", "output_b")
    refuse([missing(files, paths, stem, scenario) for stem in needed if stem not in paths])
    contents = {stem: files[paths[stem]] for stem in needed}
    check_encoding({paths[stem]: content for stem, content in contents.items()}, pairing)
    sentences = parse_sentences(contents["input"].decode())
    annotations = _Annotations(paths, contents)
    phrases = annotations.phrases(sentences, unique_ids=True)
    relations = annotations.relations(phrases)
    return Gold(
        paths=[paths[stem] for stem in needed],
        content=contents["input"],
        phrase_file=paths["output_a"],
        sentences=sentences,
        phrases=phrases,
        relations=relations,
        warnings=annotations.warnings,
    )


def read_system_tables(files: Mapping[str, bytes], gold: Gold, scenario: int, pairing: Pairing = "checked") -> System:
    """Read a system's scenario; SubmissionError with the problems of the first stage that has any.

    The stages are: presence of the files, encoding, sentences (with what is wrong with single lines), phrases,
    relations. What the system may leave out is taken from the gold: the sentences, and in scenario 3 the phrases.
    With the pairing "official", sentences that differ from the gold's are left out instead of refused.
    """
    paths = find(files, scenario)
    refuse([missing(files, paths, stem, scenario) for stem in _NEEDED[scenario] if stem not in paths])
    sentence_stem = "output" if "output" in paths else "input"
    stems = [stem for stem in (sentence_stem, "output_a", "output_b") if stem in paths]
    contents = {stem: files[paths[stem]] for stem in stems}
    check_encoding({paths[stem]: content for stem, content in contents.items()}, pairing)
    annotations = _Annotations(paths, contents)
    sentences, comparison = gold.sentences, Comparison()
    # Most systems return the very file that they were given; equal bytes need no comparison line by line.
    if contents.get(sentence_stem, gold.content) != gold.content:
        own_sentences = parse_sentences(contents[sentence_stem].decode())
        compare = compare_checked if pairing == "checked" else compare_officially
        comparison = compare(gold.sentences.texts, own_sentences.texts, paths[sentence_stem])
        if comparison.problems:
            refuse(comparison.problems + annotations.problems)
        sentences = own_sentences.padded(comparison.padding)
    phrases = annotations.phrases(sentences, unique_ids=False) if "output_a" in paths else gold.phrases
    return System(
        sentences=sentences,
        phrases=phrases,
        relations=annotations.relations(phrases),
        comparison=comparison,
        has_phrases="output_a" in paths,
        warnings=_absences(paths) + comparison.warnings + annotations.warnings,
    )


class _Annotations:
    """The files of phrases and relations of one side, as far as they are there.

    Lines are parsed at once, and `problems` are those of single lines. What has to be looked up follows in two
    steps, phrases first, and each step raises all that is known to be wrong by then. Unknown IDs of relations are
    told only if the phrases have no problem, because a refused phrase would make its ID unknown.
    """

    def __init__(self, paths: Mapping[str, str], contents: Mapping[str, bytes]) -> None:
        self._phrase_file = paths.get("output_a", "")
        self._relation_file = paths.get("output_b", "")
        self._raw_phrases, self._phrase_problems = parse_phrases(contents.get("output_a", b""), self._phrase_file)
        self._raw_relations, self._relation_problems = parse_relations(
            contents.get("output_b", b""), self._relation_file
        )
        self.warnings: list[Finding] = []

    @property
    def problems(self) -> list[Finding]:
        return self._phrase_problems + self._relation_problems

    def phrases(self, sentences: Sentences, *, unique_ids: bool) -> Phrases:
        """Return the phrases in their sentences; a repeated ID is a problem if IDs are to be unique, else a warning."""
        phrases, beyond = resolve_phrases(self._raw_phrases, sentences, self._phrase_file)
        repeated = repeated_ids(self._raw_phrases, self._phrase_file)
        wrong = self._phrase_problems + beyond + (repeated if unique_ids else [])
        if wrong:
            refuse(sorted(wrong, key=line_of) + self._relation_problems)
        self.warnings += cut(repeated, WARNED, self._phrase_file) + odd_phrases(phrases, sentences, self._phrase_file)
        return phrases

    def relations(self, phrases: Phrases) -> Relations:
        """Return the relations between these phrases."""
        relations, unknown = resolve_relations(self._raw_relations, phrases, self._relation_file)
        repeated = ~is_first(self._raw_phrases.ids)
        if unknown and 2 * np.count_nonzero(repeated) > len(repeated):
            k = int(np.flatnonzero(repeated)[0])
            refuse([self._repeated(int(np.count_nonzero(repeated)), k)])
        refuse(sorted(self._relation_problems + unknown, key=line_of))
        self.warnings += odd_relations(self._raw_relations, relations, self._relation_file)
        return relations

    def _repeated(self, n: int, k: int) -> Finding:
        """Return that nearly all IDs of phrases repeat others, of which k is the first: unknown ones follow from it."""
        what = repeated_in_all(n, len(self._raw_phrases.ids), self._raw_phrases.ids[k])
        message = Message("ids-repeat-mend", "{what} To fix it: {mend}.", what=what, mend=number_through())
        return Finding(message, self._phrase_file, int(self._raw_phrases.lines[k]))


def check_encoding(contents: Mapping[str, bytes], pairing: Pairing) -> None:
    """Require UTF-8 without byte order mark.

    The challenge's own program takes the mark for a character, which shifts all offsets of the first sentence; with
    the pairing "official" so do we.
    """
    problems = []
    for path, content in contents.items():
        try:
            content.decode()
        except UnicodeDecodeError as error:
            problems.append(not_decoded(error, path))
            continue
        if pairing == "checked" and content.startswith(codecs.BOM_UTF8):
            problems.append(
                Finding(Message("save-utf-without-byte", "Save as UTF-8 without byte order mark."), path, 1)
            )
    refuse(problems)


def _absences(paths: Mapping[str, str]) -> list[Finding]:
    """Note files that may be absent, and are."""
    warnings = []
    if "output_a" not in paths:
        warnings.append(
            Finding(
                Message("no-file-phrases-golds", "no file of phrases: the gold's phrases with the gold's IDs are taken")
            )
        )
    if "output_b" not in paths:
        warnings.append(Finding(Message("no-file-relations-taken", "no file of relations: taken as empty")))
    return warnings


def left_out(problems: Iterable[Finding]) -> Iterator[Finding]:
    """Return what was left out for these problems, as warnings."""
    for problem in problems:
        message = Message("left-out-because", "left out: {problem}", problem=problem.message)
        yield replace(problem, message=message, kind="", severity="note")


def refuse(problems: list[Finding]) -> None:
    """Raise SubmissionError with the problems, if there are any; a long list of one file is cut."""
    if problems:
        raise SubmissionError(cut_each_file(problems))
