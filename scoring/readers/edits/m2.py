"""M2 files (Dahlmeier and Ng 2012): sentences as tokens, and under each the edits that annotators make in it.

S This are a sentence .
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

Fields are taken of all lines at once, and values read once that come again and again.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

import numpy as np

from scoring.columns import Integers, numbered
from scoring.messages import Message
from scoring.readers.edits.annotated import Annotated
from scoring.readers.gc_pause import without_collector
from scoring.readers.problems import Problems, only_file
from scoring.readers.segments import plain_lines

NOOP, UNKNOWN = "noop", "UNK"  # types: nothing is to be edited; an error without a correction
NOTHING = "-NONE-"  # a correction that leaves the tokens out
SHOWN = 40  # characters of what is wrong
_BETWEEN, _N_FIELDS = "|||", 6
_LONGEST_NUMBER = 9  # digits
_NONE, _SENTENCE, _EDIT, _OTHER = range(4)  # what a line is
_FIRST_ANNOTATOR = "0"

Value = TypeVar("Value")
LineProblem = tuple[int, Message]  # the index of a line, and what is wrong with it


def read_m2(files: Mapping[str, bytes], *, has_alternatives: bool) -> tuple[Annotated, Problems]:
    """Read the one file, and all problems; with alternatives a correction may be several with || between them."""
    path = only_file(files)
    with without_collector():
        annotated, line_problems = _read(path, plain_lines(files[path], path).texts, has_alternatives)
    problems = Problems(path)
    for k, message in sorted(line_problems, key=lambda problem: problem[0]):
        problems.add(message, k + 1)
    return annotated, problems


def _read(path: str, lines: list[str], has_alternatives: bool) -> tuple[Annotated, list[LineProblem]]:
    kind = _kinds(lines)
    line_problems = [*_other_lines(lines, np.flatnonzero(kind == _OTHER).tolist())]
    sentence_at, edit_at = np.flatnonzero(kind == _SENTENCE).tolist(), np.flatnonzero(kind == _EDIT).tolist()
    n_early = bisect_left(edit_at, sentence_at[0] if sentence_at else len(lines))
    line_problems += [(k, Message("m2-edit-first", "an edit before the first sentence")) for k in edit_at[:n_early]]
    whole = [k for k in edit_at[n_early:] if lines[k].count(_BETWEEN) == _N_FIELDS - 1]
    if len(whole) + n_early < len(edit_at):
        line_problems += [
            (k, _wrong_fields(lines[k])) for k in edit_at[n_early:] if lines[k].count(_BETWEEN) != _N_FIELDS - 1
        ]
    fields = "\n".join([lines[k] for k in whole]).replace(_BETWEEN, "\n").split("\n") if whole else []
    places, types, corrections, names = (fields[field::_N_FIELDS] for field in (0, 1, 2, 5))

    sentences = [_tokens_of(lines[k][2:]) for k in sentence_at]
    line = np.array(whole, dtype=np.int64)
    sentence = np.searchsorted(np.array(sentence_at, dtype=np.int64), line) - 1
    n_tokens = np.array([n for _, n in sentences], dtype=np.int64)[sentence]
    place, spans = _coded(places, _tokens)
    start, end = np.array(spans, dtype=np.int64).reshape(-1, 2)[place].T
    type_, type_names = _coded(types, str)
    is_edit = np.array([name != NOOP for name in type_names], dtype=bool)[type_]
    is_sound = (start >= 0) & (start <= end) & (end <= n_tokens)
    for k in np.flatnonzero(is_edit & ~is_sound).tolist():
        line_problems.append((whole[k], _wrong_tokens(places[k], int(n_tokens[k]))))
    correction, texts = _coded(corrections, lambda written: _texts(written, has_alternatives))
    group, annotators, owner = _groups(sentence, names, len(sentences))
    kept = np.flatnonzero(is_edit & is_sound)
    kept = kept[np.argsort(group[kept], kind="stable")]
    return Annotated(
        paths=(path,),
        texts=[text for text, _ in sentences],
        lines=[k + 1 for k in sentence_at],
        annotators=annotators,
        sentence=owner,
        group=group[kept],
        start=start[kept],
        end=end[kept],
        type=type_[kept],
        correction=correction[kept],
        line=line[kept] + 1,
        types=type_names,
        corrections=texts,
    ), line_problems


def _kinds(lines: list[str]) -> Integers:
    """Return (lines,) what each is."""
    kinds = defaultdict(lambda: _OTHER, {"A ": _EDIT, "S ": _SENTENCE, "S": _SENTENCE, "": _NONE, "I ": _NONE})
    return np.fromiter((kinds[line[:2]] for line in lines), np.int64, len(lines))


def _other_lines(lines: list[str], others: list[int]) -> Iterator[LineProblem]:
    """Yield lines that are not of M2, nor of tools that write whole corrections (T); sentences before they were split
    (I) are none of `others`.
    """
    for k in others:
        if lines[k].strip() and not lines[k].startswith("T"):
            message = Message(
                "m2-other-line",
                "expected a line that begins with S or A and a blank, or an empty one; found {found!r}",
                found=lines[k][:SHOWN],
            )
            yield k, message


def _tokens_of(written: str) -> tuple[str, int]:
    """Return the tokens of a sentence with a blank between them, and their number."""
    # The only white space that can be printed is a blank; most sentences have one between tokens, and no other.
    if written and written.isprintable() and "  " not in f" {written} ":
        return written, written.count(" ") + 1
    tokens = written.split()
    return " ".join(tokens), len(tokens)


def _coded(values: list[str], read: Callable[[str], Value]) -> tuple[Integers, list[Value]]:
    """Return (n,) the index of each value, and what is read of the different ones.

    >>> _coded(["1", "2", "1"], int)
    (array([0, 1, 0]), [1, 2])
    """
    number: defaultdict[str, int] = defaultdict()
    number.default_factory = number.__len__
    return np.fromiter(map(number.__getitem__, values), np.int64, len(values)), [*map(read, number)]


def _groups(sentence: Integers, names: list[str], n_sentences: int) -> tuple[Integers, list[str], Integers]:
    """Return (edits,) the group of each, and of each group the annotator's id and the sentence.

    Of sentence 1 that nobody annotates, and 0 and 2 with annotators b, a, b and a:

    >>> _groups(np.array([0, 0, 0, 2]), ["b", "a", "b ", "a"], 3)
    (array([0, 1, 0, 3]), ['b', 'a', '0', 'a'], array([0, 0, 1, 2]))
    """
    name, ids = _coded(names, str.strip)
    annotator = numbered(ids)[name]
    _, first, group = np.unique(sentence * len(ids) + annotator, return_index=True, return_inverse=True)
    alone = np.setdiff1d(np.arange(n_sentences), sentence)
    owner = np.concatenate([sentence[first], alone])
    order = np.lexsort((np.concatenate([first, alone * 0]), owner))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    by_group = [*(ids[k] for k in name[first].tolist()), *[_FIRST_ANNOTATOR] * len(alone)]
    return place[group], [by_group[k] for k in order.tolist()], owner[order]


def _texts(correction: str, has_alternatives: bool) -> tuple[str, ...]:
    written = correction.split("||") if has_alternatives else [correction]
    return tuple(["" if text == NOTHING else text.strip() for text in written])


def _wrong_fields(line: str) -> Message:
    return Message(
        "m2-fields",
        "expected 6 fields with ||| between them (tokens, type, correction, two more, annotator); found {n}",
        n=line.count("|||") + 1,
    )


def _wrong_tokens(place: str, n_tokens: int) -> Message:
    return Message(
        "m2-tokens",
        "expected the first token and the one behind the last, from 0 to {n}; found {found!r}",
        n=n_tokens,
        found=place[2:SHOWN],
    )


def _tokens(place: str) -> tuple[int, int]:
    """Return both numbers of "A 1 2"; −1 where they are none."""
    parts = place[2:].split()
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) <= _LONGEST_NUMBER for part in parts):
        return -1, -1
    return int(parts[0]), int(parts[1])
