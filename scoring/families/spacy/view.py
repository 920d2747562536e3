"""One document with all that both sides say of it, for the page of a document."""

import json
import re
from collections.abc import Callable, Sequence

import numpy as np

from scoring.families.spacy.counting import count
from scoring.families.spacy.options import items_of
from scoring.families.spacy.score_config import Item
from scoring.families.spacy.tables import tables
from scoring.family import Files, Options, Record
from scoring.readers.spacy.conllu.reading import asks_for_treebanks_alone
from scoring.readers.spacy.conllu.treebank import universal_features, without_subtype
from scoring.readers.spacy.documents import Documents, align, text_of
from scoring.readers.spacy.documents.careful import id_of
from scoring.readers.spacy.documents.columns import Spans
from scoring.readers.spacy.json_lines.parsing import BadLineError, loads
from scoring.readers.spacy.sides import System, read_gold, read_system

# How edges are judged where the organisers do not score them: nothing is ignored.
_ALL_DEPS: Item = {"name": "deps", "lowercase": False, "ignore_labels": []}
# A label as it is compared, whether it is ignored, and whether as one of the gold it says nothing.
Label = Callable[[str], tuple[str, bool, bool]]
_TOKEN_TEXTS = ("tag", "pos", "lemma", "morph")


def unit_record(gold_files: Files, system_files: Files, unit: str, options: Options) -> Record:
    """Return what the page of the document `unit` shows; KeyError if there is no such document.

        unit            the id
        scores          the names of the items that are scored
        same_tokens     whether both sides have the same tokens
        gold, system    what each side says (see `_side`); the system also has
                        gold_token, the only gold token of each of its tokens, None where there is none or several
        errors          the rows of the table of errors that belong to this document

    Of offsets, `start` and `end` count tokens of their own side, `start_char` and `end_char` characters of its text;
    the end is exclusive.
    """
    gold_files, system_files = _alone(gold_files, system_files, unit)
    gold = read_gold(gold_files, options)
    items = items_of(gold, options)
    if unit not in gold.ids:
        raise KeyError(unit)
    k = gold.ids.index(unit)
    if asks_for_treebanks_alone({"scores": items}):
        return _record_of_treebanks(gold, read_system(system_files, gold, options | {"scores": items}), k)
    # The others say nothing of single spans, and must not refuse one document alone.
    options = options | {"scores": [item for item in items if item["name"] in ("ner", "spans")]}
    only = np.array([k])
    system = read_system(system_files, gold, options)
    gold_document, system_document = gold.reordered(only), system.documents.reordered(only)
    alignment, _ = align(gold_document, system_document)
    counted = count(gold_document, System(system_document, alignment), options)
    single = [None if token < 0 else token for token in alignment.single.tolist()]
    deps = next((item for item in items if item["name"] == "deps"), _ALL_DEPS)
    return _record(
        (gold.ids[k], _side(gold_document), _side(system_document)),
        single,
        _label_as_compared(deps),
        scores=[item["name"] for item in items],
        same_tokens=bool(alignment.identical[0]),
        errors=tables(counted.matches, options)["errors"].records,
    )


def _record_of_treebanks(gold: Documents, system: System, k: int) -> Record:
    """Make the record of treebanks: words are those of the trees, and the system's sentences begin in the document."""
    sides = [_side(side.reordered(np.array([k]))) for side in (gold, system.documents)]
    for side in sides:
        _leave_out_what_is_not_compared(side)
    first, last = gold.first[k : k + 2].tolist()
    words = system.alignment.single[system.documents.first[k] : system.documents.first[k + 1]].tolist()
    return _record(
        (gold.ids[k], sides[0], sides[1]),
        [word - first if first <= word < last else None for word in words],
        lambda label: (label, False, False),
        scores=["ud", "token_attr", "deps"],
        same_tokens=bool(system.alignment.identical[k]),
        errors=[],
    )


def _leave_out_what_is_not_compared(side: Record) -> None:
    """Leave out subtypes of labels, and features of single languages."""
    for arc in side["arcs"]:
        arc["label"] = without_subtype(arc["label"])
    for token in side["tokens"]:
        token["morph"] = universal_features(token["morph"])


def _record(
    unit_and_sides: tuple[str, Record, Record],
    single: list[int | None],
    label: Label,
    *,
    scores: list[str],
    same_tokens: bool,
    errors: list[Record],
) -> Record:
    unit, gold, system = unit_and_sides
    _judge_arcs(system["arcs"], gold["arcs"], single, label)
    return {
        "unit": unit,
        "scores": scores,
        "same_tokens": same_tokens,
        "gold": gold,
        "system": system | {"gold_token": single},
        "errors": errors,
    }


def _alone(gold: Files, system: Files, unit: str) -> tuple[Files, Files]:
    """Return only the lines of the document, where both are JSON Lines that have it; otherwise all files.

    Reading two lines instead of two corpora makes a page of a large task quick.
    """
    lines = [_line_of(files, unit) for files in (gold, system)]
    return (lines[0], lines[1]) if lines[0] and lines[1] else (gold, system)


def _line_of(files: Files, unit: str) -> Files:
    """Return the line of the document alone, under the path of its file; empty if it is not found."""
    # The id may be written with or without \u escapes, and as a number.
    needles = {re.escape(json.dumps(unit, ensure_ascii=is_ascii)[1:-1].encode()) for is_ascii in (True, False)}
    pattern = re.compile(rb'"id"\s*:\s*"?(?:' + b"|".join(needles) + rb')"?\s*[,}]')
    for path, content in files.items():
        for match in pattern.finditer(content):
            start, end = content.rfind(b"\n", 0, match.start()) + 1, content.find(b"\n", match.end())
            line = content[start : end if end >= 0 else len(content)]
            if _is_document(line, unit):
                return {path: line}
    return {}


def _is_document(line: bytes, unit: str) -> bool:
    """Return whether the "id" that was found is that of the document, and not of something inside of it."""
    try:
        document = loads(line)
    except BadLineError:
        return False
    return isinstance(document, dict) and id_of(document) == unit


def _side(side: Documents) -> Record:
    """Return all that one side says of its only document.

    text             with the blanks that the side knows of
    tokens           text, start and end in characters, space behind it; tag, pos, lemma and morph, "" where unset
    sentence_starts  tokens
    ents, spans      entities, and the spans of each group by its name; off_boundary: those that fit no tokens
    arcs             the edges of its tree (see `_arcs`)
    cats             the values of its categories
    """
    words, spaces = side.words(0), side.spaces(0)
    starts = np.cumsum([0] + [len(word) + space for word, space in zip(words, spaces, strict=True)]).tolist()
    texts = side.strings.texts
    columns = {name: [texts[code] for code in getattr(side, name).tolist()] for name in _TOKEN_TEXTS}
    tokens = [
        {"text": word, "start": start, "end": start + len(word), "space": space}
        | {name: column[i] for name, column in columns.items()}
        for i, (word, space, start) in enumerate(zip(words, spaces, starts[:-1], strict=True))
    ]
    return {
        "text": text_of(words, spaces),
        "tokens": tokens,
        "sentence_starts": np.flatnonzero(side.starts == 1).tolist(),
        "ents": _spans(side, side.ents, tokens),
        "spans": {
            texts[key]: _spans(side, side.spans.where(side.spans.key == key), tokens)
            for key in side.groups[:, 1].tolist()
        },
        "off_boundary": _off_boundary(side),
        "arcs": _arcs(side),
        "cats": {
            texts[label]: value for label, value in zip(side.cats.label.tolist(), side.cats.value.tolist(), strict=True)
        },
    }


def _spans(side: Documents, spans: Spans, tokens: Sequence[Record]) -> list[Record]:
    texts = side.strings.texts
    columns = (spans.start, spans.end, spans.label, spans.kb)
    return [
        {
            "start": start,
            "end": end,
            "label": texts[label],
            "kb_id": texts[kb],
            "start_char": tokens[start]["start"],
            "end_char": tokens[end - 1]["end"],
        }
        for start, end, label, kb in zip(*(column.tolist() for column in columns), strict=True)
    ]


def _off_boundary(side: Documents) -> list[Record]:
    texts, spans = side.strings.texts, side.off_boundary
    columns = (spans.key, spans.start, spans.end, spans.label)
    return [
        {"key": texts[key], "start_char": start, "end_char": end, "label": texts[label]}
        for key, start, end, label in zip(*(column.tolist() for column in columns), strict=True)
    ]


def _arcs(side: Documents) -> list[Record]:
    """Make an arc for each token, from its head to itself as the dependent, with the label and the level of a drawing.

    The head of a root is the root itself. Without a tree there are no arcs.
    """
    if not side.has_heads[0]:
        return []
    texts = side.strings.texts
    arcs: list[Record] = [
        {"head": head, "dependent": i, "label": texts[dep]}
        for i, (head, dep) in enumerate(zip(side.head.tolist(), side.dep.tolist(), strict=True))
    ]
    _nest(arcs)
    return arcs


def _nest(arcs: list[Record]) -> None:
    """Set each arc's `level`, the lowest at which it meets no shorter one: short arcs lie below long ones.

    >>> arcs = [{"head": 1, "dependent": 0}, {"head": 1, "dependent": 1}, {"head": 0, "dependent": 2}]
    >>> _nest(arcs)
    >>> [arc["level"] for arc in arcs]
    [1, 0, 2]
    """
    # The highest level so far over each gap between two tokens.
    highest = np.zeros(len(arcs), dtype=np.int64)
    for arc in sorted(arcs, key=lambda arc: abs(arc["head"] - arc["dependent"])):
        low, high = sorted((arc["head"], arc["dependent"]))
        if low == high:
            arc["level"] = 0
            continue
        arc["level"] = int(highest[low:high].max()) + 1
        highest[low:high] = arc["level"]


def _label_as_compared(item: Item) -> Label:
    normal = str.lower if item["lowercase"] else str
    ignored, missing = set(item["ignore_labels"]), set(item.get("missing_values", ()))
    return lambda label: (normal(label), normal(label) in ignored, normal(label) in missing)


def _judge_arcs(arcs: list[Record], gold: list[Record], single: Sequence[int | None], label: Label) -> None:
    """Set of each arc of the system whether its head and its label are the gold's, and whether it is scored.

    The first two are None where its token has no gold token of its own, or the gold has no tree. Only where both sides
    give a label that is ignored, or the gold one that says nothing, does an arc have no part in the scores.
    """
    for arc in arcs:
        token, head = single[arc["dependent"]], single[arc["head"]]
        gold_arc = gold[token] if gold and token is not None else None
        if gold_arc is None:
            arc |= {"has_gold_head": None, "has_gold_label": None, "is_scored": True}
            continue
        own_label, is_ignored, _ = label(arc["label"])
        golds, is_ignored_in_gold, is_missing = label(gold_arc["label"])
        arc |= {
            "has_gold_head": gold_arc["head"] == head,
            "has_gold_label": golds == own_label,
            "is_scored": not (is_ignored and is_ignored_in_gold or is_missing),
        }
