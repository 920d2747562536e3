"""The treebank of a CoNLL-U file, and what is wrong with one."""

import re
from collections.abc import Callable, Sequence

import numpy as np

from scoring.columns import Flags, Integers, ranges, ranks, starts_from_sizes
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.problems import ProblemCollector
from scoring.readers.spacy.conllu.sentences import (
    DEPREL,
    EMPTY,
    FEATS,
    FORM,
    HEAD,
    LEMMA,
    UPOS,
    XPOS,
    Range,
    Sentences,
    is_number,
)
from scoring.readers.spacy.documents.strings import Strings
from scoring.readers.spacy.documents.treebank import Codes, Treebank
from scoring.readers.spacy.documents.trees import in_cycles
from scoring.spelling.strings import first_difference

# Relations of words with content, and of function words, without their subtypes; punctuation is neither. As in the
# program of the shared task of CoNLL 2018.
_CONTENT = frozenset(
    ("nsubj", "obj", "iobj", "csubj", "ccomp", "xcomp", "obl", "vocative", "expl", "dislocated", "advcl", "advmod")
    + ("discourse", "nmod", "appos", "nummod", "acl", "amod", "conj", "fixed", "flat", "compound", "list", "parataxis")
    + ("orphan", "goeswith", "reparandum", "root", "dep")
)
_FUNCTIONAL = frozenset(("aux", "cop", "mark", "det", "clf", "case", "cc"))
# The features that are compared; those of single languages are not.
_UNIVERSAL = frozenset(
    ("PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number", "Case", "Definite")
    + ("Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident", "Polarity", "Person", "Polite")
)
# The blanks of Unicode (category Zs), which no text has here.
_BLANKS = re.compile("[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_SHOWN = 20  # characters of texts that differ


def read_treebank(
    sentences: Sentences, file: str, strings: Strings, problems: ProblemCollector, *, several_roots: bool
) -> Treebank | None:
    """Read the treebank; None, and problems, where it is none: each word needs a head, each sentence one root.

    With `several_roots` it may have more than one.
    """
    begin, end, forms, wrong = _multiword_tokens(sentences, file)
    wrong += _tree_problems(sentences, file, several_roots=several_roots)
    words = sentences.columns[FORM]
    # Words of a multiword token keep their blanks, since they are not in the text.
    is_part = np.zeros(len(words), dtype=bool)
    is_part[ranges(begin, end - begin)] = True
    words, surfaces = _without_blanks(words), list(_without_blanks(words))
    for place, form in zip(begin.tolist(), _without_blanks(forms), strict=True):
        surfaces[place] = form
    if words is not sentences.columns[FORM]:
        words = [old if part else new for old, new, part in zip(sentences.columns[FORM], words, is_part, strict=True)]
    starts_token = ~is_part
    starts_token[begin] = True
    first_word = np.flatnonzero(starts_token)
    tokens = surfaces if len(first_word) == len(surfaces) else [surfaces[place] for place in first_word.tolist()]
    line = np.array(sentences.lines, dtype=np.int64)[first_word]
    wrong += [
        Finding(Message("form-empty", "the form is empty"), file, int(line[k]))
        for k, token in enumerate(tokens)
        if not token
    ]
    if wrong or sentences.broken:
        problems += wrong
        return None
    token_start = starts_from_sizes(np.fromiter(map(len, tokens), np.int64, len(tokens)))
    token = np.cumsum(starts_token) - 1
    first = np.array(sentences.first, dtype=np.int64)
    heads = sentences.heads_in_file()
    deprel = _codes(sentences.columns[DEPREL], _Reduced(strings, without_subtype))
    lemma = _codes(sentences.columns[LEMMA], strings)
    return Treebank(
        text="".join(tokens),
        token_start=token_start,
        sentence_start=np.append(token_start[token[first[:-1]]], token_start[-1]),
        document_start=np.empty(0, dtype=np.int64),
        token_line=line,
        token=token,
        is_part=is_part,
        forms=words,
        head=np.where(sentences.head > 0, heads, -1),
        upos=_codes(sentences.columns[UPOS], strings),
        xpos=_codes(sentences.columns[XPOS], strings),
        feats=_codes(sentences.columns[FEATS], _Reduced(strings, universal_features)),
        lemma=lemma,
        lacks_lemma=lemma == strings[EMPTY],
        deprel=deprel,
        is_content=_is_among(deprel, _CONTENT, strings),
        is_functional=_is_among(deprel, _FUNCTIONAL, strings),
    )


def text_problem(gold: Treebank, system: Treebank, file: str) -> Finding | None:
    """Return where the system's text leaves the gold's; capitals count."""
    if gold.text == system.text:
        return None
    place = first_difference(gold.text, system.text)
    line = None
    if place < len(system.text):
        line = int(system.token_line[np.searchsorted(system.token_start, place, side="right") - 1])
    shown = [_quoted(text[place : place + _SHOWN]) for text in (system.text, gold.text)]
    return Finding(
        Message(
            "text-differs-from-gold",
            "the text differs from the gold text, blanks aside: {shown} against {shown_2}",
            shown=shown[0],
            shown_2=shown[1],
        ),
        file,
        line,
    )


def _quoted(text: str) -> str:
    return repr(text + "…") if text else Message("end", "the end")


def _multiword_tokens(sentences: Sentences, file: str) -> tuple[Integers, Integers, list[str], list[Finding]]:
    """Return the first word of each multiword token, the word after its last, its form; and problems."""
    good: list[tuple[int, int, str]] = []
    problems: list[Finding] = []
    covered = 0  # the word after those of the ranges so far
    for one in sentences.ranges:
        if one.sentence in sentences.broken:
            continue
        message, end = _extent(one, sentences, covered)
        if message:
            problems.append(Finding(message, file, one.line))
        else:
            good.append((one.next_word, end, one.form))
            covered = end
    begin, ends, forms = zip(*good, strict=True) if good else ((), (), ())
    return np.array(begin, dtype=np.int64), np.array(ends, dtype=np.int64), list(forms), problems


def _extent(one: Range, sentences: Sentences, covered: int) -> tuple[str, int]:
    """Return what is wrong with a range, and the word after its last one."""
    texts = one.ids.split("-")
    if one.sentence >= len(sentences.each) or not all(map(is_number, texts)):
        return Message("range-no-words", "range {ids!r} has no words", ids=one.ids), 0
    begin, end = map(int, texts)
    first, stop = sentences.first[one.sentence], sentences.first[one.sentence + 1]
    if one.next_word < covered:
        return Message("range-overlaps-one-before", "range {ids!r} overlaps the one before it", ids=one.ids), 0
    if first + begin - 1 != one.next_word:
        return Message(
            "range-stands-before-word",
            "range {ids!r} stands before word {next_word}",
            ids=one.ids,
            next_word=one.next_word - first + 1,
        ), 0
    if end < begin or first + end > stop:
        return Message(
            "range-does-not-fit",
            "range {ids!r} does not fit its sentence, which has {stop} words",
            ids=one.ids,
            stop=stop - first,
        ), 0
    return "", first + end


def _tree_problems(sentences: Sentences, file: str, *, several_roots: bool) -> list[Finding]:
    heads = sentences.columns[HEAD]
    if EMPTY in heads:
        return [
            Finding(
                Message(
                    "head-not-number-every", "HEAD {empty!r} is not a number: every word needs a head", empty=EMPTY
                ),
                file,
                sentences.lines[word],
            )
            for word, head in enumerate(heads)
            if head == EMPTY
        ]
    own_heads = np.flatnonzero(sentences.head == ranks(sentences.lengths()) + 1).tolist()
    if own_heads:
        return [
            Finding(
                Message("head-word-itself", "HEAD {head} is the word itself", head=heads[word]),
                file,
                sentences.lines[word],
            )
            for word in own_heads
        ]
    sentence = sentences.of_words()
    circling = np.flatnonzero(in_cycles(sentences.heads_in_file(), np.array([0, len(heads)])))
    # Of each sentence the first.
    circling = circling[np.unique(sentence[circling], return_index=True)[1]]
    n_roots = np.bincount(sentence[sentences.head == 0], minlength=len(sentences.each))
    is_wrong = (n_roots == 0) if several_roots else (n_roots != 1)
    is_wrong[sentence[circling]] = False
    is_wrong[list(sentences.broken)] = False
    return [
        Finding(
            Message("head-leads-into-circle", "HEAD {head} leads into a circle, and to no root", head=heads[word]),
            file,
            sentences.lines[word],
        )
        for word in circling.tolist()
    ] + [
        Finding(
            Message("sentence-roots-instead", "the sentence has {what} roots instead of 1", what=n_roots[k] or "no"),
            file,
            sentences.each[k].line,
        )
        for k in np.flatnonzero(is_wrong).tolist()
    ]


def _without_blanks(forms: Sequence[str]) -> Sequence[str]:
    """Return the same object where none has a blank."""
    if not _BLANKS.search("".join(forms)):
        return forms
    return [form if form.isalnum() else _BLANKS.sub("", form) for form in forms]


class _Reduced(dict[str, int]):
    """The code of what each text is reduced to; each different text is looked at once."""

    def __init__(self, strings: Strings, reduced: Callable[[str], str]) -> None:
        super().__init__()
        self._strings, self._reduced = strings, reduced

    def __missing__(self, text: str) -> int:
        code = self[text] = self._strings[self._reduced(text)]
        return code


def _codes(texts: Sequence[str], codes: Strings | _Reduced) -> Codes:
    return np.fromiter(map(codes.__getitem__, texts), np.int32, len(texts))


def without_subtype(deprel: str) -> str:
    return deprel.partition(":")[0]


def universal_features(feats: str) -> str:
    """Return the universal features, sorted as texts.

    >>> universal_features("Typo=Yes|Number=Sing|Case=Nom"), universal_features("_")
    ('Case=Nom|Number=Sing', '')
    """
    return "|".join(sorted(feature for feature in feats.split("|") if feature.partition("=")[0] in _UNIVERSAL))


def _is_among(codes: Codes, texts: frozenset[str], strings: Strings) -> Flags:
    is_among = np.zeros(len(strings.texts), dtype=bool)
    is_among[[strings[text] for text in texts if text in strings]] = True
    return is_among[codes]
