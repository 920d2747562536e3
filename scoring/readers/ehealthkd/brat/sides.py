"""A scenario of the gold in the brat files of 2020 or 2021, and the same scenario of a system beside it."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from scoring.columns import Flags
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.ehealthkd.alignment import align_officially, parse_lines_of_text, too_many_words
from scoring.readers.ehealthkd.brat.annotations import parse_annotations
from scoring.readers.ehealthkd.brat.layout import find_pair, missing_of_pair
from scoring.readers.ehealthkd.columns import Phrases, RawPhrases, RawRelations, Relations
from scoring.readers.ehealthkd.oddities import WARNED, odd_phrases, odd_relations
from scoring.readers.ehealthkd.ordering import in_order_of_spans
from scoring.readers.ehealthkd.resolving import repeated_ids, resolve_phrases, resolve_relations
from scoring.readers.ehealthkd.sentences import Comparison, Sentences, compare_checked
from scoring.readers.ehealthkd.sides import Gold, Pairing, System, check_encoding, left_out, refuse
from scoring.readers.problems import cut, line_of

_SIGN = "T"


def read_gold_pair(files: Mapping[str, bytes], scenario: int, rules: str, pairing: Pairing = "checked") -> Gold:
    """Read the gold of a scenario; SubmissionError with the problems of the first stage that has any.

    The stages are: presence of the files, encoding, lines and phrases, relations.
    """
    paths = find_pair(files, scenario)
    kinds = ("text", "annotations")
    refuse([missing_of_pair(paths, kind, scenario, rules) for kind in kinds if kind not in paths])
    contents = {kind: files[paths[kind]] for kind in kinds}
    check_encoding({paths[kind]: content for kind, content in contents.items()}, pairing)
    sentences = parse_lines_of_text(contents["text"].decode())
    annotations = _Annotations(contents["annotations"], paths["annotations"])
    phrases = annotations.phrases(sentences, unique_ids=True)
    return Gold(
        paths=[paths[kind] for kind in kinds],
        content=contents["text"],
        phrase_file=paths["annotations"],
        sentences=sentences,
        phrases=phrases,
        relations=annotations.relations(phrases),
        warnings=annotations.warnings,
    )


def read_system_pair(
    files: Mapping[str, bytes], gold: Gold, scenario: int, rules: str, pairing: Pairing = "checked"
) -> System:
    """Read a system's scenario; SubmissionError with the problems of the first stage that has any.

    The stages are: presence of the files, encoding, sentences (with what is wrong with single lines), phrases,
    relations. Without a file of sentences the gold's are taken, and in scenario 3 the gold's phrases where the system
    names none. With the pairing "official" sentences are aligned as the challenge's program does it, and with the
    rules "2021" what refers to nothing is left out as well.
    """
    paths = find_pair(files, scenario)
    if "annotations" not in paths:
        refuse([missing_of_pair(paths, "annotations", scenario, rules)])
    file = paths["annotations"]
    check_encoding({path: files[path] for path in paths.values()}, pairing)
    is_official = pairing == "official"
    annotations = _Annotations(files[file], file, leaves_out=is_official and rules == "2021")
    sentences, comparison, alignment = gold.sentences, Comparison(), None
    if "text" in paths and files[paths["text"]] != gold.content:
        own_sentences = parse_lines_of_text(files[paths["text"]].decode())
        if is_official:
            alignment = align_officially(gold.sentences.texts, own_sentences, paths["text"])
            comparison = Comparison(differing=alignment.differing, warnings=alignment.warnings)
            sentences = own_sentences
        else:
            comparison = _numbered(
                compare_checked(gold.sentences.texts, own_sentences.texts, paths["text"]), own_sentences
            )
            if comparison.problems:
                refuse(comparison.problems + annotations.problems)
            sentences = own_sentences.padded(comparison.padding)
    takes_gold = scenario == 3 and not annotations.has_phrases
    phrases = gold.phrases if takes_gold else annotations.phrases(sentences, unique_ids=False)
    relations = annotations.relations(phrases)
    if alignment and not takes_gold:
        phrases = alignment.moved(phrases)
        refuse(too_many_words(phrases, alignment, file))
    absent = (
        [
            Finding(
                Message("no-phrases-golds-phrases", "no phrases: the gold's phrases with the gold's IDs are taken"),
                file,
            )
        ]
        if takes_gold
        else []
    )
    return System(
        sentences=alignment.sentences if alignment else sentences,
        phrases=phrases,
        relations=relations,
        comparison=comparison,
        has_phrases=not takes_gold,
        warnings=absent + comparison.warnings + annotations.warnings,
    )


class _Annotations:
    """The annotations of one side: its lines are parsed at once, and what they refer to is looked up in two steps."""

    def __init__(self, content: bytes, file: str, *, leaves_out: bool = False) -> None:
        self._file = file
        self._leaves_out = leaves_out
        self._phrases, self._relations, self.problems = parse_annotations(content, file)
        self.warnings: list[Finding] = []

    @property
    def has_phrases(self) -> bool:
        return len(self._phrases.lines) > 0

    def phrases(self, sentences: Sentences, *, unique_ids: bool) -> Phrases:
        """Return the phrases in their sentences and their order.

        An ID used twice is a problem if IDs are to be unique, else a warning.
        """
        phrases, beyond = resolve_phrases(self._phrases, sentences, self._file)
        if beyond and self._leaves_out:
            lines = [line_of(problem) for problem in beyond]
            self._phrases = _kept_phrases(self._phrases, ~np.isin(self._phrases.lines, lines))
            phrases, _ = resolve_phrases(self._phrases, sentences, self._file)
            self.warnings += cut(left_out(beyond), WARNED)
            beyond = []
        repeated = repeated_ids(self._phrases, self._file)
        wrong = self.problems + beyond + (repeated if unique_ids else [])
        refuse(sorted(wrong, key=line_of))
        self.warnings += cut(repeated, WARNED, self._file) + odd_phrases(phrases, sentences, self._file)
        return in_order_of_spans(phrases, sentences)

    def relations(self, phrases: Phrases) -> Relations:
        """Return the relations between these phrases."""
        relations, unknown = resolve_relations(self._relations, phrases, self._file, _SIGN)
        if unknown and self._leaves_out:
            lines = [line_of(problem) for problem in unknown]
            self._relations = _kept_relations(self._relations, ~np.isin(self._relations.lines, lines))
            relations, _ = resolve_relations(self._relations, phrases, self._file, _SIGN)
            self.warnings += cut(left_out(unknown), WARNED)
            unknown = []
        refuse(sorted([*self.problems, *unknown], key=line_of))
        self.warnings += odd_relations(self._relations, relations, self._file)
        return relations


def _kept_phrases(raw: RawPhrases, kept: Flags) -> RawPhrases:
    n_spans = np.diff(raw.first)
    spans = np.repeat(kept, n_spans)
    first = np.concatenate([[0], np.cumsum(n_spans[kept])])
    return RawPhrases(
        raw.lines[kept], raw.ids[kept], raw.labels, raw.label[kept], first, raw.starts[spans], raw.ends[spans]
    )


def _kept_relations(raw: RawRelations, kept: Flags) -> RawRelations:
    return RawRelations(raw.lines[kept], raw.labels, raw.label[kept], raw.source[kept], raw.target[kept])


def _numbered(comparison: Comparison, sentences: Sentences) -> Comparison:
    """Put in the lines of the file instead of the numbers of its sentences, where it has empty lines."""

    def at_line(problem: Finding) -> Finding:
        return replace(problem, line=sentences.line(problem.line - 1)) if problem.line else problem

    return replace(
        comparison,
        problems=[at_line(problem) for problem in comparison.problems],
        warnings=[at_line(problem) for problem in comparison.warnings],
    )
