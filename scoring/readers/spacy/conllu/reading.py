"""The documents of a CoNLL-U file, and its treebank where the metrics of Universal Dependencies are asked for.

A document is what follows a comment "# newdoc"; in a file without any, each sentence is one. A parser that was given
raw text knows no documents: where a system's file names none of the gold's, they are told by their texts. Entities
have no column of their own: an entry of MISC such as Entity=B-PER is read as their tag, where any token of the file
has one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.problems import ProblemCollector
from scoring.readers.spacy.columns import repair_warnings
from scoring.readers.spacy.conllu.pairing import Group, by_beginning, by_comments, by_text, names_documents_of
from scoring.readers.spacy.conllu.sentences import (
    DEPREL,
    EMPTY,
    FEATS,
    FORM,
    LEMMA,
    MISC,
    UPOS,
    XPOS,
    Sentences,
    read_sentences,
)
from scoring.readers.spacy.conllu.treebank import read_treebank, text_problem
from scoring.readers.spacy.documents import Document, Documents
from scoring.readers.spacy.documents.building import Builder
from scoring.readers.spacy.documents.careful import regular_form
from scoring.readers.spacy.documents.trees import in_cycles
from scoring.readers.spacy.iob_tags import decode, is_tag, prefixed, tag_form
from scoring.readers.spacy.lines import enter


def read(
    content: bytes, file: str, builder: Builder, options: Mapping[str, Any], gold: Documents | None = None
) -> tuple[ProblemCollector, list[str]]:
    """Enter the documents; return problems and warnings. With the `gold`, the file is a system's."""
    problems = ProblemCollector()
    read_from = read_sentences(content, file, problems)
    if (item := treebank_item(options)) is not None:
        several_roots = item["several_roots"]
        builder.treebank = read_treebank(read_from, file, builder.strings, problems, several_roots=several_roots)
    if problems and asks_for_treebanks_alone(options):
        return problems, []
    groups, warnings, refusal = _groups(read_from, builder, file, options, gold)
    if refusal is not None:
        problems.append(refusal)
        builder.refused.update(gold.ids if gold else ())
        return problems, warnings
    if gold is None and builder.treebank is not None:
        builder.treebank = builder.treebank.with_documents(np.array([group.begin for group in groups], dtype=np.int64))
    n_repaired = 0
    in_cycle = _in_cycle(read_from)
    for group, document, invalid in _documents(read_from, groups, file, options):
        n_repaired += len(invalid)
        wrong = invalid if options["invalid_tags"] == "refuse" else []
        sentences = range(group.begin, group.end)
        if not in_cycle.isdisjoint(sentences):
            wrong += [Finding(message, file, _line(read_from, group)) for message in regular_form(document)[1]]
        if wrong or not read_from.broken.isdisjoint(sentences):
            builder.refused.add(group.id)
            problems += wrong
        else:
            problems += enter(document, _line(read_from, group), file, builder)
    if n_repaired and options["invalid_tags"] == "repair":
        warnings += repair_warnings(file, n_repaired)
    return problems, warnings


def _in_cycle(sentences: Sentences) -> set[int]:
    """Return the sentences with heads that lead to no root."""
    is_in_cycle = in_cycles(sentences.heads_in_file(), np.array([0, len(sentences.head)]))
    return set(sentences.of_words()[is_in_cycle].tolist())


def _groups(
    sentences: Sentences, builder: Builder, file: str, options: Mapping[str, Any], gold: Documents | None
) -> tuple[list[Group], list[str], Finding | None]:
    """Return the documents, what is to be said of how they were paired, and why they cannot be."""
    groups = by_comments(sentences)
    if gold is None or sentences.broken:
        return groups, [], None
    own_treebank = builder.treebank
    if own_treebank is not None and gold.treebank is not None:
        refusal = text_problem(gold.treebank, own_treebank, file)
        if refusal is not None:
            return groups, [], refusal
        if asks_for_treebanks_alone(options):
            return by_beginning(gold, gold.treebank.document_of(own_treebank.sentence_start[:-1])), [], None
    if not groups or names_documents_of(gold, groups, sentences):
        return groups, [], None
    by_texts = by_text(gold, sentences)
    numbers = Message(
        "gold-file",
        "the gold has {number}, this file {number_2}",
        number=_number(len(gold), "document"),
        number_2=_number(len(groups), "document"),
    )
    if isinstance(by_texts, str):
        advice = Message("write-line-newdoc-id", "write a line '# newdoc id = …' before each document")
        return (
            groups,
            [],
            Finding(
                Message(
                    "ids-not-in-gold-but-texts",
                    "no id is one of the gold's ({numbers}), and {by_texts}: {advice}",
                    numbers=numbers,
                    by_texts=by_texts,
                    advice=advice,
                ),
                file,
            ),
        )
    return (
        by_texts,
        [
            Message(
                "no-id-one-golds",
                "{file}: no id is one of the gold's ({numbers}): documents were paired by their texts",
                file=file,
                numbers=numbers,
            )
        ],
        None,
    )


def treebank_item(options: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the item of the option `scores` that needs a treebank."""
    return next((item for item in options["scores"] or () if item["name"] == "ud"), None)


def asks_for_treebanks_alone(options: Mapping[str, Any]) -> bool:
    """Return whether nothing else is scored, so that documents need no names."""
    return bool(options["scores"]) and all(item["name"] == "ud" for item in options["scores"])


def _number(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _line(sentences: Sentences, group: Group) -> int:
    """Return where the document begins; one without sentences stands where the next one would."""
    return sentences.each[min(group.begin, len(sentences.each) - 1)].line


def _documents(
    sentences: Sentences, groups: Sequence[Group], file: str, options: Mapping[str, Any]
) -> Iterator[tuple[Group, Document, list[Finding]]]:
    """Yield each document in the form of JSON Lines, with the problems of its entity tags that continue nothing."""
    layers = _layers(sentences)
    tags = _tags(sentences.columns[MISC], options)
    heads = sentences.heads_in_file().tolist()
    for group in groups:
        begin, end = sentences.first[group.begin], sentences.first[group.end]
        document: Document = {"id": group.id} | {key: values[begin:end] for key, values in layers.items()}
        document["heads"] = [head - begin for head in heads[begin:end]]
        invalid: list[Finding] = []
        if tags is not None:
            document["ents"], words = _entities(sentences, group, tags)
            invalid = [
                Finding(
                    Message("tag-continues-no-entity", "tag {sentence!r} continues no entity", sentence=tags[word]),
                    file,
                    sentences.lines[word],
                )
                for word in words
            ]
        yield group, document, invalid


def _layers(sentences: Sentences) -> dict[str, list[Any]]:
    """Return all lists of words but heads, over the whole file."""
    columns = sentences.columns
    starts = np.full(len(sentences.lines), -1)
    starts[sentences.first[:-1]] = 1
    return {
        "words": list(columns[FORM]),
        "spaces": ["SpaceAfter=No" not in misc or "SpaceAfter=No" not in misc.split("|") for misc in columns[MISC]],
        # XPOS is often left empty; then the tag is that of UPOS.
        "tags": [
            xpos if xpos != EMPTY else _set(upos) for xpos, upos in zip(columns[XPOS], columns[UPOS], strict=True)
        ],
        "pos": [_set(upos) for upos in columns[UPOS]],
        # "_" is a lemma where it is the form itself.
        "lemmas": [
            lemma if lemma != EMPTY or form == EMPTY else ""
            for form, lemma in zip(columns[FORM], columns[LEMMA], strict=True)
        ],
        "morphs": list(columns[FEATS]),
        # spaCy's parsers call the root ROOT.
        "deps": ["ROOT" if dep == "root" else _set(dep) for dep in columns[DEPREL]],
        "sent_starts": starts.tolist(),
    }


def _set(value: str) -> str:
    return "" if value == EMPTY else value


_ENTITY = re.compile(r"(?:^|\|)(?:entity|ne|name)=([^|]*)", re.IGNORECASE)


def _tags(miscs: Sequence[str], options: Mapping[str, Any]) -> list[str] | None:
    """Return the entity tag of each word; None if no word of the file has one."""
    tags = [_tag(misc, tag_form(options)) if "=" in misc else "O" for misc in miscs]
    return tags if any(tag != "O" for tag in tags) else None


def _tag(misc: str, form: str) -> str:
    """Return the tag of an entity in MISC.

    Entries of these names are used for other things too, such as the mentions of CorefUD: only a value that is a tag
    counts.
    """
    values = (prefixed(match[1], form) for match in _ENTITY.finditer(misc))
    return next((value for value in values if is_tag(value) and value != "O"), "O")


def _entities(sentences: Sentences, group: Group, tags: Sequence[str]) -> tuple[list[list[int | str]], list[int]]:
    """Return the entities of a document, none across sentences; the words whose tags continue no entity."""
    entities: list[list[int | str]] = []
    invalid: list[int] = []
    origin = sentences.first[group.begin]
    for begin, end in pairwise(sentences.first[group.begin : group.end + 1]):
        of_sentence, wrong = decode(tags[begin:end])
        start = begin - origin
        entities += [[start + int(first), start + int(last), label] for first, last, label in of_sentence]
        invalid += [begin + k for k in wrong]
    return entities, invalid
