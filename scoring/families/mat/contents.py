"""Describes what was read of a run: spans, and the labels of what does not count."""

from collections.abc import Callable

import numpy as np

from scoring.columns import Integers, coded
from scoring.describing.contents import Contents, Identifiers, Layer, Spans
from scoring.families.mat.inputs import input_keys
from scoring.family import Files, Options
from scoring.messages import Message
from scoring.readers.mat import Gold, System
from scoring.readers.mat.formats.span_tables import key_of


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
                sorted(input_keys(files, options, "system")),
                frozenset(map(key_of, gold.documents) if options["system_format"] == "table" else gold.documents),
            )
        ],
        texts=gold.signals,
        more={"left_aside": system.n_ignored},
    )


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
