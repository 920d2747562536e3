"""Describes what was read of a run: spans, and the labels of what does not count."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from scoring.columns import Integers, coded, sampled
from scoring.describing.beside import odd_labels_of_spans, odd_sizes
from scoring.describing.contents import Contents, Identifiers, Layer, Spans
from scoring.families.mat.inputs import input_keys
from scoring.family import Files, Options
from scoring.findings import Finding
from scoring.messages import Message, some_of
from scoring.readers.mat import Gold, System
from scoring.readers.mat.columns import Spans as Places
from scoring.readers.mat.formats.span_tables import key_of

_NAMED = 5  # labels


def contents(files: Files, gold: Gold, system: System, options: Options) -> Contents:
    spans = system.spans
    n = len(spans)
    places = Spans(
        texts=gold.signals,
        document=spans.document,
        first=np.arange(n + 1),
        starts=spans.start,
        ends=spans.end,
        stated=_stated(gold, system) if system.says_words else None,
        in_utf16=options["offset_unit"] == "utf16" and options["system_format"] == "mat-json",
    )
    content = coded(spans.start, spans.end, spans.label, spans.shape)
    are_tuples = bool(options.get("fields"))
    return Contents(
        unit=Message.noun("document", "documents"),
        n_units=len(gold.documents),
        layers=[
            Layer(
                name=Message.noun("tuple", "tuples") if are_tuples else Message.noun("span", "spans"),
                unit=spans.document,
                labels=system.labels,
                label=spans.label,
                inventory=_inventory(gold),
                is_declared=gold.types.content is not None,
                public=_declared(gold),
                # What the gold's files have too, such as zones, is left aside on both sides.
                left_aside={label: number for label, number in system.ignored.items() if label not in gold.ignored},
                content=content,
                identity=coded(content, spans.document),
                is_placed=not are_tuples,
                place=lambda k: (
                    system.names[int(spans.document[k])],
                    system.said[k].line if k in system.said else None,
                ),
                # Elements of XML enclose their text, so that they never stand elsewhere; tuples have none.
                spans=places if options["system_format"] in ("mat-json", "brat", "table") and not are_tuples else None,
            )
        ],
        identifiers=[
            Identifiers(
                Message.noun("document", "documents"),
                sorted(_as_paired(input_keys(files, options, "system"), gold, options)),
                frozenset(map(key_of, gold.documents) if options["system_format"] == "table" else gold.documents),
            )
        ],
        texts=gold.signals,
        more={"left_aside": system.n_ignored},
        further=_without_sets(files, n + system.n_ignored, options),
        further_beside=lambda: [
            *_never_used(gold, system),
            *_exchanged(gold, system, files),
            *_single_words(gold, system, files),
        ],
        left_aside=[_of_other_types(system.n_ignored, n + system.n_ignored)],
    )


def _as_paired(names: set[str], gold: Gold, options: Options) -> set[str]:
    """Return the names of documents as they were paired, where capitals may differ from the gold's in all of them."""
    if options["system_format"] == "table" or not names.isdisjoint(gold.documents):
        return names
    alike = {name.casefold(): name for name in gold.documents}
    return {alike.get(name.casefold(), name) for name in names}


def _of_other_types(n: int, of: int) -> Finding:
    """Return the annotations whose types do not count; labels that nearly do are asked about beside them."""
    return Finding.aside(
        n,
        of,
        Message("of-other-types", "{n:,} of {of:,} annotations are of types that are not scored.", n=n, of=of),
    )


def _without_sets(files: Files, n: int, options: Options) -> list[Finding]:
    """Find documents of MAT's JSON without the key of annotations, where there is no annotation at all."""
    if n or options["system_format"] != "mat-json" or any(b'"asets"' in files[path] for path in files):
        return []
    message = Message("documents-without-asets", 'None of the documents has "asets", which hold its annotations.')
    suggestion = Message("write-asets", 'write them as the example does, under "asets"')
    return [Finding.odd("unread", message, len(files), len(files), next(iter(files), None), suggestion=suggestion)]


_OFTEN, _FEWEST_OF_LABEL = 0.05, 20  # share of the gold's annotations, and how many of them, that a run cannot miss


def _never_used(gold: Gold, system: System) -> Iterator[Finding]:
    """Yield `labels` where labels that the gold has often stand nowhere in a run of as many spans."""
    of_gold, of_system = (
        np.bincount(side.spans.label, minlength=len(gold.labels))[: len(gold.labels)] for side in (gold, system)
    )
    if len(system.spans) < len(gold.spans) / 2:
        return  # told otherwise
    is_often = of_gold >= max(_FEWEST_OF_LABEL, _OFTEN * len(gold.spans))
    never = [gold.labels[k] for k in np.flatnonzero(is_often & (of_system == 0)).tolist()]
    if never:
        n, of = len(never), int(np.count_nonzero(of_gold))
        yield Finding.odd(
            "labels",
            Message(
                "labels-never-used",
                "{n:,} of {of:,} labels stand nowhere in the run: {labels}.",
                n=n,
                of=of,
                labels=some_of(never, _NAMED),
            ),
            n,
            of,
            suggestion=Message("lost-or-not-found", "were they lost on the way?"),
        )


def _exchanged(gold: Gold, system: System, files: Files) -> Iterator[Finding]:
    """Yield `labels` where spans at the gold's places have labels that were exchanged."""
    spans = [(side.spans.document, side.spans.start, side.spans.end) for side in (gold, system)]
    places = coded(*(np.concatenate(columns) for columns in zip(*spans, strict=True)))
    n = len(gold.spans)
    yield from odd_labels_of_spans(
        (places[:n], gold.spans.label), (places[n:], system.spans.label), gold.labels, next(iter(files), None)
    )


def _single_words(gold: Gold, system: System, files: Files) -> Iterator[Finding]:
    """Yield `offsets` where each span is one word, and many of the gold's are several."""
    in_run, in_gold = (_words_of(side.spans, gold.signals) for side in (system, gold))
    yield from odd_sizes(Message.noun("span", "spans"), in_run, in_gold, next(iter(files), None))


_LOOKED_AT, _LONGEST = 2_000, 100  # spans, and characters of each


def _words_of(spans: Places, texts: Sequence[str]) -> Integers:
    """Return how many words some spans have, spread evenly; of long spans those at the beginning."""
    chosen = sampled(len(spans), _LOOKED_AT)
    rows = zip(spans.document[chosen].tolist(), spans.start[chosen].tolist(), spans.end[chosen].tolist(), strict=True)
    return np.array([len(texts[k][start : min(end, start + _LONGEST)].split()) for k, start, end in rows], np.int64)


def _stated(gold: Gold, system: System) -> Callable[[Integers], list[str]]:
    """Return the words beside the offsets, which only those spans keep that stand elsewhere."""
    spans = system.spans

    def stated(chosen: Integers) -> list[str]:
        return [
            system.said[k].words
            if k in system.said
            else gold.signals[int(spans.document[k])][int(spans.start[k]) : int(spans.end[k])]
            for k in chosen.tolist()
        ]

    return stated


def _inventory(gold: Gold) -> frozenset[str]:
    """Return the labels that are scored, as they are declared, and else as they occur."""
    return (_declared(gold) or _aliases(gold)).union(gold.labels)


def _declared(gold: Gold) -> frozenset[str] | None:
    return None if gold.types.content is None else gold.types.content | _aliases(gold)


def _aliases(gold: Gold) -> frozenset[str]:
    return frozenset(alias.label for several in gold.types.aliases.values() for alias in several)
