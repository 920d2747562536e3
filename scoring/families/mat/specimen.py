"""A whole evaluation in small: notes from a made-up harbour with marked names, and a run that errs in some."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from xml.sax.saxutils import escape

from scoring.families.mat.writing import Span, Tuple, made_up_numbers, write_spans
from scoring.families.specimens import example_files
from scoring.family import Options, Specimen
from scoring.readers.mat import TASK_FILE, layout, read_task

_MARKED = re.compile(r"\[([^|]+)\|([AaBb])\]")  # [words|kind of label]
_TOKEN = re.compile(r"\w+|[^\w\s]")
_ENDINGS = {"mat-json": ".json", "xml-inline": ".xml", "raw": ".txt", "brat": ".ann", "table": ""}
# A label that needs no escaping in any format: it is the name of an XML element, and one word in BRAT's lines.
_PLAIN_LABEL = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")


def example(options: Options) -> dict[str, bytes]:
    """Return one document with two spans of a label that counts, as {path: content} of an upload."""
    content, token = _labels_that_count(options)
    form = options["system_format"]
    text, spans = "Mirelle left Gorloin.", [(0, 7, content), (13, 20, content)]
    if form == "table":
        shown = _tuples(text, spans, spans[:1], options) if options.get("fields") else spans
        return write_spans("run", [("report-1", text, shown)], options, with_texts=options["gold_format"] == "table")
    # A name from which the task's suffix can be taken off, so that the example fits the gold's naming.
    name = "report-1" + (options["suffix_off"] or _ENDINGS[form])
    if form == "brat":
        # Files with another ending are no documents.
        name = f"{name.removesuffix('.ann')}.ann"
    return _written(name, text, spans, form, token)


def _labels_that_count(options: Options) -> tuple[str, str]:
    """Return a label of content and one of tokens that are scored; common names where the options leave it open."""
    content, tokens = options["content_annotations"] or (), options["token_annotations"] or ()
    if options["task_file"]:
        task = read_task(options["task_file"], options["task"])
        content, tokens = task.content or content, task.tokens or tokens
    return _first_plain(content, _usual_labels(options)[0]), _first_plain(tokens, "lex")


def _first_plain(labels: Iterable[str], usual: str) -> str:
    return next(filter(_PLAIN_LABEL.fullmatch, labels), usual)


def specimen(options: Options) -> Specimen:
    """Make the evaluation with the labels that the options name, as far as they name any."""
    labels, token = _two_labels(options), _first_plain(options["token_annotations"] or (), "lex")
    gold: dict[str, bytes] = {}
    run: dict[str, bytes] = {}
    tables: dict[str, list[tuple[str, str, list[Span] | list[Tuple]]]] = {"gold": [], "system": []}
    for number, note in enumerate(example_files("mat", ".")["notes.txt"].decode().splitlines(), start=1):
        text = _MARKED.sub(r"\1", note)
        name = f"note-{number}{options['suffix_on'] or _ENDINGS[options['gold_format']]}"
        of_run = layout.system_name(name, options)
        of_gold, of_system = (_spans(note, labels, of_run=side) for side in (False, True))
        for side, table_name, chosen in (("gold", name, of_gold), ("system", of_run, of_system)):
            shown = (
                _tuples(text, of_gold, chosen, options, quarter=2 + (side == "system"))
                if options.get("fields")
                else chosen
            )
            tables[side].append((table_name, text, shown))
        gold |= _written(name, text, of_gold, options["gold_format"], token)
        run |= _written(of_run, text, of_system, options["system_format"], token)
    if options["gold_format"] == "table":
        gold = write_spans("spans", tables["gold"], options, with_texts=True)
    if options["system_format"] == "table":
        run = write_spans("run", tables["system"], options)
    if options["task_in"] == "gold":
        gold[TASK_FILE] = _task({labels[0]: "content", labels[1]: "content", token: "token"})
    return Specimen(gold, run)


def _task(categories: Mapping[str, str]) -> bytes:
    tags = "".join(f'<tag name="{name}" category="{category}"/>' for name, category in categories.items())
    return f'<task name="Names"><tags>{tags}</tags></task>\n'.encode()


def _two_labels(options: Options) -> tuple[str, str]:
    usual = _usual_labels(options)
    plain = [*filter(_PLAIN_LABEL.fullmatch, options["content_annotations"] or usual)] or [usual[0]]
    return plain[0], plain[-1]


def _usual_labels(options: Options) -> tuple[str, str]:
    return ("MEETS", "LEAVES") if options.get("fields") else ("PER", "LOC")


def _tuples(
    text: str, spans: Sequence[Span], chosen: Sequence[Span], options: Options, quarter: int = 2
) -> list[Tuple]:
    """Make a tuple of each chosen span: its fields are its own words and those of the spans behind it, in a circle."""
    words = [text[start:end] for start, end, _ in spans]
    n_fields, numbers = len(options["fields"]), made_up_numbers(options, quarter)
    return [
        (
            0,
            len(words_marked.split()),
            label,
            [*(words[(k + shift) % len(words)] for shift in range(n_fields)), *numbers],
        )
        for k, (words_marked, (start, end, label)) in enumerate(zip(words, spans, strict=True))
        if (start, end, label) in chosen
    ]


def _spans(note: str, labels: tuple[str, str], *, of_run: bool) -> list[Span]:
    """Return the spans of a note; a kind in capitals the run finds, in small letters it misses."""
    spans = []
    for mark in _MARKED.finditer(note):
        start = len(_MARKED.sub(r"\1", note[: mark.start()]))
        if mark[2].isupper() or not of_run:
            spans.append((start, start + len(mark[1]), labels[mark[2].upper() == "B"]))
    return spans


def _written(name: str, text: str, spans: list[Span], form: str, token: str) -> dict[str, bytes]:
    words = [(*word.span(), token) for word in _TOKEN.finditer(text)]
    if form == "mat-json":
        return {name: _json(text, spans, words).encode()}
    if form == "xml-inline":
        return {name: _xml(text, spans, words).encode()}
    if form == "raw":
        return {name: text.encode()}
    lines = (f"T{n}\t{label} {start} {end}\t{text[start:end]}\n" for n, (start, end, label) in enumerate(spans, 1))
    return {name: "".join(lines).encode(), layout.text_path(name): text.encode()}


def _json(text: str, spans: list[Span], words: list[Span]) -> str:
    """Write a document as JSON, whose metadata name the labels, for options that name none."""
    sets: dict[str, list[tuple[int, int]]] = {}
    for start, end, label in words + spans:
        sets.setdefault(label, []).append((start, end))
    asets = [{"type": label, "annots": places} for label, places in sets.items()]
    metadata = {"content_annotations": sorted({label for _, _, label in spans})}
    return json.dumps({"version": 2, "metadata": metadata, "signal": text, "asets": asets})


def _xml(text: str, spans: list[Span], words: list[Span]) -> str:
    """Write an element for each span, and inside of it one for each word."""
    opening = {start: f"<{label}>" for start, _, label in spans}
    closing = {end: f"</{label}>" for _, end, label in spans}
    pieces, before = [], 0
    for start, end, token in words:
        pieces += [escape(text[before:start]), opening.get(start, ""), f"<{token}>", escape(text[start:end])]
        pieces += [f"</{token}>", closing.get(end, "")]
        before = end
    return f"<doc>{''.join(pieces)}{escape(text[before:])}</doc>\n"
