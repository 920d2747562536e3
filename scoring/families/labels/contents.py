"""Describes what was read of a run: its labels, and the items that they belong to."""

import numpy as np

from scoring.columns import owners
from scoring.describing.beside import of_labels
from scoring.describing.contents import NO_UNIT, Contents, Identifiers, Layer
from scoring.family import Files, Options
from scoring.labels import OTHER
from scoring.messages import Message
from scoring.readers.labels import Gold, System, as_written, first_codes


def contents(files: Files, gold: Gold, system: System, options: Options) -> Contents:
    item = owners(system.said.sizes)
    labels, codes = _labels(system, options)
    lines = np.asarray(system.table.lines)
    layer = Layer(
        name=Message.noun("label", "labels"),
        unit=item,
        labels=labels,
        label=codes,
        inventory=None if system.labels.is_open else frozenset(gold.labels.names),
        is_declared=gold.labels.is_given,
        public=frozenset(gold.labels.names) if gold.labels.is_given else None,
        file=system.table.path,
        place=lambda k: (system.table.path, int(lines[system.row[item[k]]])),
    )
    ignores = options["unknown_ids"] == "ignore" and not system.table.is_numbered
    return Contents(
        unit=Message.noun("item", "items"),
        n_units=len(gold),
        # Of several labels none is an answer.
        usually_reached=0.0 if options["task"] == "multi" else 0.9,
        layers=[layer],
        beside=of_labels(gold.code, first_codes(system.said, NO_UNIT)) if options["task"] == "single" else None,
        identifiers=[Identifiers(Message.noun("id", "ids"), system.table.ids.texts(), frozenset(gold.ids.texts()))]
        if ignores
        else [],
        more={"missing": int(system.missing.sum()), "unknown_labels": 0 if gold.labels.is_open else system.n_unknown},
        file=system.table.path,
        joined_by="to",
    )


def _labels(system: System, options: Options) -> tuple[list[str], np.ndarray]:
    """Return the texts of all labels that the run has, and the code of each; those not in the list by their words."""
    names, codes = [*system.labels.names], system.said.codes.copy()
    unknown = np.flatnonzero(codes == len(names)).tolist()
    if not unknown:
        return names, codes
    if system.shares is not None:
        return [*names, OTHER], codes
    found, item, first = as_written(system.table, options), owners(system.said.sizes), system.said.starts
    others: dict[str, tuple[int, str]] = {}
    for k in unknown:
        label = found.labels[found.which[system.row[item[k]]]][k - first[item[k]]]
        # Under the spelling that stands first, where case tells no labels apart.
        key = system.labels.fold(label)
        codes[k], _ = others.setdefault(key, (len(names) + len(others), label))
    return [*names, *(label for _, label in others.values())], codes
