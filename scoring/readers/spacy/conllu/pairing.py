"""Finds which sentences of a CoNLL-U file are a document: as its comments say, or as the gold's texts do."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from scoring.columns import Integers
from scoring.messages import Message
from scoring.readers.spacy.conllu.sentences import FORM, Sentences
from scoring.readers.spacy.documents.columns import SEPARATOR, Documents


class Group(NamedTuple):
    """A document."""

    id: str
    begin: int  # its first sentence
    end: int  # the sentence after its last


def by_comments(read: Sentences) -> list[Group]:
    """Return what follows each "# newdoc", or else each sentence. Sentences before the first of them are one, too."""
    sentences = read.each
    has_documents = any(sentence.begins_document for sentence in sentences)
    begins = [k for k, sentence in enumerate(sentences) if not has_documents or sentence.begins_document or k == 0]
    return [
        Group(sentences[begin].document_id or sentences[begin].sent_id or str(number), begin, end)
        for number, (begin, end) in enumerate(pairwise([*begins, len(sentences)]), start=1)
    ]


def names_documents_of(gold: Documents, groups: Sequence[Group], sentences: Sentences) -> bool:
    """Return whether the file tells by itself which documents of the gold it has.

    It does with any id of the gold's that is more than its own running number, or with all of them.
    """
    gold_ids = set(gold.ids)
    if gold_ids == {group.id for group in groups} or any(sentence.document_id for sentence in sentences.each):
        return True
    return any(group.id in gold_ids and group.id != str(number) for number, group in enumerate(groups, start=1))


def by_text(gold: Documents, sentences: Sentences) -> list[Group] | str:
    """Return the gold's documents, which follow each other in the file; else why they cannot be told apart.

    Only lengths are compared here, capitals and white space aside: that the texts are the same is seen to later.
    """
    of_gold = np.cumsum([_length(text) for text in gold.texts])
    forms = sentences.columns[FORM]
    first = sentences.first
    of_file = np.cumsum([_length("".join(forms[a:b])) for a, b in zip(first[:-1], first[1:], strict=True)])
    if of_gold[-1] != of_file[-1]:
        return Message(
            "their-texts-characters-long",
            "their texts are {of_file:,} characters long instead of {of_gold:,}, blanks aside",
            of_file=of_file[-1],
            of_gold=of_gold[-1],
        )
    end = np.searchsorted(of_file, of_gold)
    crossing = np.flatnonzero(of_file[end] != of_gold)
    if len(crossing):
        k = int(crossing[0])
        line = sentences.each[int(end[k])].line
        return Message(
            "sentence-line-goes-on",
            "the sentence in line {line} goes on where document {id!r} of the gold has ended",
            line=line,
            id=gold.ids[k],
        )
    return _groups(gold, end + 1)


def by_beginning(gold: Documents, document: Integers) -> list[Group]:
    """Group the sentences by the gold's documents that they begin in; `document` is that of each, rising."""
    return _groups(gold, np.searchsorted(document, np.arange(len(gold)), side="right"))


def _groups(gold: Documents, ends: Integers) -> list[Group]:
    """Return the gold's documents, one after the other."""
    bounds = [0, *ends.tolist()]
    return [Group(name, *extent) for name, extent in zip(gold.ids, pairwise(bounds), strict=True)]


def _length(text: str) -> int:
    """Count characters without white space; some letters become two when they are made small."""
    return len("".join(text.replace(SEPARATOR, "").lower().split()))
