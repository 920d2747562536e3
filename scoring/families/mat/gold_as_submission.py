"""The gold as a run that finds every span, to check a new gold: it has to score perfectly against itself."""

from itertools import repeat
from xml.sax.saxutils import escape

from scoring.errors import SubmissionError
from scoring.families.mat.inputs import WRITE
from scoring.families.mat.writing import Span, Tuple, write_spans
from scoring.family import Files, Options
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.mat import Gold, layout, read_gold


def gold_as_submission(files: Files, options: Options) -> dict[str, bytes] | None:
    """Write its spans in the format of runs; None where runs are named and written as the gold is.

    SubmissionError where no run can say them: elements of XML cannot cross.
    """
    is_same = options["gold_format"] == options["system_format"]
    if is_same and not (options["suffix_on"] or options["suffix_off"] or options["task_in"]):
        return None
    gold = read_gold(files, options)
    if options["system_format"] == "table":
        spans = ((_tuples if options.get("fields") else _spans)(gold, k) for k in range(len(gold.documents)))
        return write_spans("run", zip(gold.documents, gold.signals, spans, strict=True), options)
    if is_same and (options["system_format"] == "brat" or options["task_in"]):
        # As they stand: annotations in several parts cannot be told from spans, nor aliases from types.
        paths = layout.find_gold(files, options).paths
        return {layout.system_name(document, options): files[paths[document]] for document in gold.documents}
    return {
        layout.system_name(document, options): _written(gold, k, options).encode()
        for k, document in enumerate(gold.documents)
    }


def _written(gold: Gold, document: int, options: Options) -> str:
    """Write a document; tokens count only where they may be the run's own, and of BRAT there are none."""
    spans, text = _spans(gold, document), gold.signals[document]
    if options["tokens"] != "gold" and options["system_format"] != "brat":
        of_document = gold.tokens.document == document
        token = min(gold.types.tokens)
        places = zip(gold.tokens.start[of_document].tolist(), gold.tokens.end[of_document].tolist(), strict=True)
        spans += [(start, end, token) for start, end in places]
    if options["system_format"] != "xml-inline":
        return WRITE[options["system_format"]](text, spans, options)
    return _xml(text, spans, gold.documents[document], is_overlay=options["system_xml_overlay"])


def _spans(gold: Gold, document: int) -> list[Span]:
    of_document = gold.spans.document == document
    columns = (gold.spans.start, gold.spans.end, gold.spans.label)
    starts, ends, labels = (column[of_document].tolist() for column in columns)
    return [(start, end, gold.labels[label]) for start, end, label in zip(starts, ends, labels, strict=True)]


def _tuples(gold: Gold, document: int) -> list[Tuple]:
    of_document = gold.spans.document == document
    shapes = (gold.shapes[shape] for shape in gold.spans.shape[of_document].tolist())
    numbers = repeat([]) if gold.spans.values is None else gold.spans.values[of_document].tolist()
    return [
        (*span, [*shape, *map(str, values)])
        for span, shape, values in zip(_spans(gold, document), shapes, numbers, strict=False)
    ]


def _xml(text: str, spans: list[Span], document: str, *, is_overlay: bool) -> str:
    """Write elements inside one another; where markup belongs to the text, this is XML already and stays as it is."""
    pieces: list[str] = []
    opened: list[Span] = []
    at = 0

    def write_to(place: int) -> None:
        nonlocal at
        pieces.append(text[at:place] if is_overlay else escape(text[at:place], {"\r": "&#13;"}))
        at = place

    def close_before(place: int) -> None:
        while opened and opened[-1][1] <= place:
            write_to(opened[-1][1])
            pieces.append(f"</{opened.pop()[2]}>")

    for span in sorted(spans, key=lambda extent: (extent[0], -extent[1])):
        close_before(span[0])
        if opened and span[1] > opened[-1][1]:
            message = Message("spans-cross", "its spans cross, and no run can say so: elements of XML cannot cross")
            raise SubmissionError(Finding(message, document))
        write_to(span[0])
        pieces.append(f"<{span[2]}>")
        opened.append(span)
    close_before(len(text))
    write_to(len(text))
    return "".join(pieces) if is_overlay else f"<doc>{''.join(pieces)}</doc>"
