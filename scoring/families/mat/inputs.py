"""Makes files of what participants are given, the texts, and tells by these which input an upload is for.

Of the gold's annotations, tokens alone are looked at, and those only where an upload has to have the same.
"""

import json
import re
from collections.abc import Iterable
from xml.sax.saxutils import escape

from scoring.families.mat.writing import Span, Tuple, made_up_numbers, write_spans
from scoring.family import Files, Options, Side
from scoring.readers.mat import TASK_FILE, Gold, layout, path_of_task, read_gold
from scoring.readers.mat.formats.span_tables import documents_named, key_of, texts_of
from scoring.readers.mat.offsets import utf16_length

_WORD = re.compile(r"\w+")
# A label that needs no escaping in any format.
_PLAIN_LABEL = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
# A line of BRAT has no newline in it.
_AS_SPACES = str.maketrans("\r\n", "  ")


def sample(gold: Files, options: Options) -> dict[str, bytes]:
    """Make an upload that is valid for this gold.

    In each document the first word is annotated, with the labels in turn, or one tuple is made up.
    """
    side = read_gold(gold, options)
    labels, token = _plain(side.types.content or (), "PER"), _plain(side.types.tokens, "lex")[0]
    form = options["system_format"]
    if form == "table":
        fields = options.get("fields")
        tuples: list[Tuple] = [(0, 1, labels[0], [*fields, *made_up_numbers(options, 0)])] if fields else []
        first: list[list[Span] | list[Tuple]] = [tuples or _first_word(text, labels[0]) for text in side.signals]
        return write_spans("run", zip(side.documents, side.signals, first, strict=True), options)
    files = {}
    for k, (document, text) in enumerate(zip(side.documents, side.signals, strict=True)):
        spans = _first_word(text, labels[k % len(labels)])
        if options["tokens"] == "equal":
            tokens = [(start, end, token) for start, end in _tokens(side, k)]
            # Elements of XML must not cross, and tokens never do.
            spans = tokens if form == "xml-inline" else spans + tokens
        # The text beside a BRAT file may be left out.
        files[layout.system_name(document, options)] = WRITE[form](text, spans, options).encode()
    return files


def inputs(gold: Files, options: Options) -> dict[str, bytes]:
    """Write the texts in the format of the gold, with its tokens where a run has to have the same."""
    side = read_gold(gold, options)
    form, token = options["gold_format"], _plain(side.types.tokens, "lex")[0]
    files = {TASK_FILE: gold[path_of_task(gold)]} if options["task_in"] == "gold" else {}
    if form == "table":
        nothing: list[list[Span]] = [[] for _ in side.documents]
        empty = zip(side.documents, side.signals, nothing, strict=True)
        return files | write_spans("spans", empty, options, with_texts=True)
    for k, (document, text) in enumerate(zip(side.documents, side.signals, strict=True)):
        has_tokens = options["tokens"] == "equal" and form != "brat"
        tokens = [(start, end, token) for start, end in _tokens(side, k)] if has_tokens else []
        files[document] = WRITE[form](text, tokens, options).encode()
        if form == "brat":
            files[f"{document.removesuffix('.ann')}.txt"] = text.encode()
    return files


def input_keys(files: Files, options: Options, side: Side) -> set[str]:
    """Return the names of the documents, as the gold has them; without their endings where runs are tables."""
    if options[f"{side}_format"] == "table":
        if side == "gold":
            return set(texts_of(files, options)[0])
        return {key_of(layout.gold_name_of(name, options)) for name in documents_named(files, options)}
    documents = layout.find_gold(files, options) if side == "gold" else layout.find(files, options["system_format"])
    if side == "gold":
        names = set(layout.expected(documents, options).paths)
        return set(map(key_of, names)) if options["system_format"] == "table" else names
    return {layout.gold_name_of(name, options) for name in [*documents.paths, *documents.deeper]}


def _first_word(text: str, label: str) -> list[Span]:
    word = _WORD.search(text)
    return [(*word.span(), label)] if word else []


def _plain(labels: Iterable[str], default: str) -> list[str]:
    return [*filter(_PLAIN_LABEL.fullmatch, sorted(labels))] or [default]


def _tokens(gold: Gold, document: int) -> list[tuple[int, int]]:
    of_document = gold.tokens.document == document
    return list(zip(gold.tokens.start[of_document].tolist(), gold.tokens.end[of_document].tolist(), strict=True))


def _mat_json(text: str, spans: list[Span], options: Options) -> str:
    if options["offset_unit"] == "utf16":
        spans = [(utf16_length(text[:start]), utf16_length(text[:end]), label) for start, end, label in spans]
    sets: dict[str, list[list[int]]] = {}
    for start, end, label in spans:
        sets.setdefault(label, []).append([start, end])
    asets = [
        {"type": label, "hasID": False, "hasSpan": True, "attrs": [], "annots": annots}
        for label, annots in sets.items()
    ]
    return json.dumps({"version": 2, "metadata": {}, "signal": text, "asets": asets}, ensure_ascii=False)


def _xml_inline(text: str, spans: list[Span], options: Options) -> str:
    """Write the annotations as elements.

    Where markup belongs to the text, this is XML already and stays as it is.
    """
    if options["system_xml_overlay"]:
        return text
    pieces, end_before = [], 0
    for start, end, label in sorted(spans):
        pieces += [_escaped(text[end_before:start]), f"<{label}>", _escaped(text[start:end]), f"</{label}>"]
        end_before = end
    return f"<doc>{''.join(pieces)}{_escaped(text[end_before:])}</doc>"


def _brat(text: str, spans: Iterable[Span], options: Options) -> str:
    in_utf16 = options["offset_unit"] == "utf16"
    lines = []
    for number, (start, end, label) in enumerate(spans, start=1):
        places = [utf16_length(text[:place]) if in_utf16 else place for place in (start, end)]
        words = text[start:end].translate(_AS_SPACES)
        lines.append(f"T{number}\t{label} {places[0]} {places[1]}\t{words}\n")
    return "".join(lines)


def _raw(text: str, spans: list[Span], options: Options) -> str:
    return text


WRITE = {"mat-json": _mat_json, "xml-inline": _xml_inline, "brat": _brat, "raw": _raw}


def _escaped(text: str) -> str:
    # A carriage return would be read as a line feed.
    return escape(text, {"\r": "&#13;"})
