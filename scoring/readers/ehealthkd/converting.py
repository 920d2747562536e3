"""Converts the three tables of 2019 to the brat pair of 2020 and 2021, and back, line by line.

What the other form cannot say is refused: a brat file has no negative IDs, and no blanks in labels; a pair has no empty
sentences, so that these are taken out and all offsets behind them move; the tables have no attributes and notes, which
are left out. Relation labels lose their case where tables are read.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator

from scoring.columns import Integers
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.ehealthkd.alignment import parse_lines_of_text
from scoring.readers.ehealthkd.brat.annotations import parse_annotations
from scoring.readers.ehealthkd.columns import RawPhrases, RawRelations
from scoring.readers.ehealthkd.parsing import parse_phrases, parse_relations
from scoring.readers.ehealthkd.sentences import parse_sentences, split_lines
from scoring.readers.ehealthkd.sides import refuse

_SAME_AS = "same-as"


def pair_of_tables(
    sentences: bytes | None, phrases: bytes, relations: bytes, names: tuple[str, str, str]
) -> tuple[str | None, str]:
    r"""Write sentences and annotations of a brat pair; SubmissionError with all lines that it cannot hold.

    Without sentences the offsets stay as they are, as if no sentence were empty, and texts are those of the column.
    `names` are those of the three files, for problems.

    >>> tables = "Uno\n\nDos más\n".encode(), b"1\t5 8;9 12\tConcept\tDos m\xc3\xa1s\n", b"same-as\t1\t1\n"
    >>> text, annotations = pair_of_tables(*tables, ("i", "a", "b"))
    >>> text, annotations.splitlines()
    ('Uno\nDos más\n', ['T1\tConcept 4 7;8 11\tDos más', '*\tsame-as T1 T1'])
    """
    raw, problems = parse_phrases(phrases, names[1])
    related, more = parse_relations(relations, names[2])
    refuse(problems + more + list(_not_in_brat(raw, related, names)))
    texts = None if sentences is None else parse_sentences(sentences.decode())
    if texts is not None:
        refuse([_ends_a_line(k + 1, names[0]) for k, text in enumerate(texts.texts) if len(text.splitlines()) > 1])
    empty = [] if texts is None else [int(start) for start, n in zip(texts.starts, texts.lengths, strict=True) if not n]
    given = [line.strip().split("\t")[-1] for line in split_lines(phrases.decode())]
    lines = [
        f"T{number}\t{label} {';'.join(f'{start} {end}' for start, end in spans)}\t{given[line - 1]}\n"
        for line, number, label, spans in _phrases(raw, lambda place: place - bisect_left(empty, place))
    ]
    n_related = 0
    for label, source, target in _relations(related):
        if label == _SAME_AS:
            lines.append(f"*\t{label} T{source} T{target}\n")
        else:
            n_related += 1
            lines.append(f"R{n_related}\t{label} Arg1:T{source} Arg2:T{target}\n")
    text = None if texts is None else "".join(f"{line}\n" for line in texts.texts if line)
    return text, "".join(lines)


def tables_of_pair(sentences: bytes | None, annotations: bytes, name: str) -> tuple[str | None, str, str]:
    r"""Write sentences, phrases and relations as the tables of 2019; SubmissionError with all malformed lines.

    >>> annotations = b"T1\tConcept 0 3\tUno\nT2\tAction 4 7\tDos\n*\tsame-as T1 T2\n"
    >>> tables_of_pair(b"Uno\n\nDos\n", annotations, "output.ann")
    ('Uno\nDos\n', '1\t0 3\tConcept\tUno\n2\t4 7\tAction\tDos\n', 'same-as\t1\t2\n')
    """
    raw, related, problems = parse_annotations(annotations, name)
    refuse(problems)
    texts = None if sentences is None else parse_lines_of_text(sentences.decode()).texts
    whole = None if texts is None else "\n".join(texts)
    given = split_lines(annotations.decode())
    phrases = [
        f"{number}\t{';'.join(f'{start} {end}' for start, end in spans)}\t{label}\t"
        f"{_text(spans, whole, given[line - 1])}\n"
        for line, number, label, spans in _phrases(raw, int)
    ]
    relations = [f"{label}\t{source}\t{target}\n" for label, source, target in _relations(related)]
    text = None if texts is None else "".join(f"{line}\n" for line in texts)
    return text, "".join(phrases), "".join(relations)


def _phrases(raw: RawPhrases, moved: Callable[[int], int]) -> Iterator[tuple[int, int, str, list[tuple[int, int]]]]:
    """Yield line, ID, label and spans of each phrase."""
    for k in range(len(raw.lines)):
        of_phrase = slice(raw.first[k], raw.first[k + 1])
        spans = [(moved(start), moved(end)) for start, end in _pairs(raw.starts[of_phrase], raw.ends[of_phrase])]
        yield int(raw.lines[k]), int(raw.ids[k]), raw.labels[raw.label[k]], spans


def _pairs(starts: Integers, ends: Integers) -> list[tuple[int, int]]:
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def _relations(raw: RawRelations) -> Iterator[tuple[str, int, int]]:
    labels = [raw.labels[code] for code in raw.label.tolist()]
    return zip(labels, map(int, raw.source), map(int, raw.target), strict=True)


def _not_in_brat(raw: RawPhrases, related: RawRelations, names: tuple[str, str, str]) -> Iterator[Finding]:
    for numbers, lines, name in (
        (raw.ids, raw.lines, names[1]),
        (related.source, related.lines, names[2]),
        (related.target, related.lines, names[2]),
    ):
        for k in (numbers < 0).nonzero()[0].tolist():
            yield Finding(
                Message(
                    "id-negative-which-brats",
                    "The ID {number} is negative, which brat's format does not have.",
                    number=numbers[k],
                ),
                name,
                int(lines[k]),
            )
    for table, name in ((raw, names[1]), (related, names[2])):
        for code in {*table.label.tolist()}:
            if table.labels[code].split() != [table.labels[code]]:
                line = int(table.lines[table.label == code].min())
                yield Finding(
                    Message(
                        "label-blanks-which-brats",
                        "The label {label!r} has blanks, which brat's format does not have.",
                        label=table.labels[code],
                    ),
                    name,
                    line,
                )


def _ends_a_line(line: int, name: str) -> Finding:
    return Finding(
        Message(
            "sentence-holds-character-ends",
            "The sentence holds a character that ends a line in the editions of 2020 and 2021.",
        ),
        name,
        line,
    )


def _text(spans: list[tuple[int, int]], whole: str | None, line: str) -> str:
    """Return what a reader sees under the spans; a column of the tables cannot be blank."""
    marked = "" if whole is None else " ".join(whole[max(start, 0) : max(end, 0)] for start, end in spans)
    text = marked if marked.strip() else "".join(line.split("\t")[2:])
    return " ".join(text.split()) or "_"
