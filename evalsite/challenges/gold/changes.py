"""Differences between two golds of a scenario in units, annotations and labels, as the family reads them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

import scoring
from evalsite.challenges.gold.checks import as_upload
from evalsite.challenges.models import Scenario
from scoring.describing.contents import Contents
from scoring.readers.archive import Source, open_files

MOST_NAMED = 60  # units of each kind
MOST_LABELS = 100  # of a layer


@dataclass(frozen=True)
class LayerChange:
    """Annotations of one kind, in the old and in the new gold; `labels` are (label, old, new)."""

    name: tuple[str, str]
    old: int
    new: int
    labels: list[tuple[str, int, int]] = field(default_factory=list)

    @property
    def changed(self) -> list[tuple[str, int, int]]:
        """Return the labels whose number has changed."""
        return [row for row in self.labels if row[1] != row[2]]

    @property
    def same(self) -> list[str]:
        return [label for label, old, new in self.labels if old == new]


@dataclass(frozen=True)
class GoldChanges:
    """The first names of units, and how many there are of them in all."""

    n_old: int
    n_new: int
    added: list[str]
    removed: list[str]
    changed: list[str]
    n_added: int
    n_removed: int
    n_changed: int
    is_exact: bool  # whether each annotation was compared, and not labels alone
    layers: list[LayerChange]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def restored(stored: dict[str, Any]) -> GoldChanges:
    """Return the changes that `as_dict` was made of, from JSON."""
    layers = [LayerChange(**layer | {"name": tuple(layer["name"])}) for layer in stored["layers"]]
    return GoldChanges(**stored | {"layers": layers})


@dataclass(frozen=True)
class _GoldContents:
    """A gold, read as its own run."""

    units: list[str]
    names: dict[str, str]  # by unit its name and, where the family tells it, its text
    contents: Contents | None


def changes_between(scenario: Scenario, old: Source, new: Source) -> GoldChanges:
    before, after = _read(scenario, old), _read(scenario, new)
    former, present = set(before.names.values()), set(after.names.values())
    added = [name for name in after.names.values() if name not in former]
    removed = [name for name in before.names.values() if name not in present]
    exact = _different(scenario, old, new) if not added and not removed else None
    changed = _by_labels(before, after) if exact is None else [after.names.get(unit, unit) for unit in exact]
    return GoldChanges(
        n_old=len(before.units),
        n_new=len(after.units),
        added=added[:MOST_NAMED],
        removed=removed[:MOST_NAMED],
        changed=changed[:MOST_NAMED],
        n_added=len(added),
        n_removed=len(removed),
        n_changed=len(changed),
        is_exact=exact is not None,
        layers=_layers(before.contents, after.contents),
    )


def _read(scenario: Scenario, path: Source) -> _GoldContents:
    family = scenario.engine_family
    files = open_files(path)
    gold = family.read_gold(files, scenario.configured)
    resolve = family.resolve_options
    options = resolve(gold, scenario.configured) if resolve else scenario.configured
    upload = as_upload(path, scenario)
    opened = open_files(upload)
    system = family.read_system(opened, gold, options)
    contents = family.views.contents(opened, gold, system, options) if family.views.contents else None
    evaluation = scoring.evaluate(scenario.family, gold=path, system=upload, options=scenario.options)
    names = _names(evaluation.units, family.views.unit_texts(evaluation.tables))
    return _GoldContents(evaluation.units, names, contents)


def _names(units: Iterable[str], texts: Mapping[str, str]) -> dict[str, str]:
    """Return a name for each unit: its text where that is known, wherever it stands, with a number if it repeats."""
    seen: Counter[str] = Counter()
    names = {}
    for unit in units:
        name = texts.get(unit) or unit
        seen[name] += 1
        names[unit] = name if seen[name] == 1 else f"{name} ({seen[name]})"
    return names


def _different(scenario: Scenario, old: Source, new: Source) -> list[str] | None:
    """Return the units in which the old gold, as a run, is not as good as the new one; None if it is invalid as one."""
    try:
        before, after = as_upload(old, scenario), as_upload(new, scenario)
        run = scoring.evaluate(scenario.family, gold=new, system=before, options=scenario.options)
        itself = scoring.evaluate(scenario.family, gold=new, system=after, options=scenario.options)
    except scoring.ScoringError:
        return None
    if run.units != itself.units or run.rows.shape != itself.rows.shape:
        return None
    apart = np.not_equal(np.asarray(run.rows), np.asarray(itself.rows)).reshape(len(run.units), -1).any(axis=1)
    return [run.units[k] for k in np.flatnonzero(apart).tolist()]


def _by_labels(before: _GoldContents, after: _GoldContents) -> list[str]:
    """Return the units of both golds whose annotations differ in number or labels."""
    old, new = _count_annotations(before), _count_annotations(after)
    return [name for name in after.names.values() if name in old and old[name] != new[name]]


def _count_annotations(reading: _GoldContents) -> dict[str, Counter[tuple[str, str]]]:
    """Count the annotations of each unit by layer and label, by the unit's name."""
    counts: list[Counter[tuple[str, str]]] = [Counter() for _ in reading.units]
    for layer in reading.contents.layers if reading.contents else ():
        labels = _labels_of(layer)
        for unit, label in zip(layer.unit.tolist(), labels, strict=True):
            if 0 <= unit < len(counts):
                counts[unit][layer.name[0], label] += 1
    return dict(zip(reading.names.values(), counts, strict=True))


def _labels_of(layer: Any) -> list[str]:
    if layer.label is None:
        return [""] * len(layer)
    return [layer.labels[code] for code in layer.label.tolist()]


def _layers(before: Contents | None, after: Contents | None) -> list[LayerChange]:
    """Compare the layers of which either gold has annotations."""
    old = {layer.name: Counter(_labels_of(layer)) for layer in before.layers} if before else {}
    new = {layer.name: Counter(_labels_of(layer)) for layer in after.layers} if after else {}
    changes = []
    for name in old | new:
        was, now = old.get(name, Counter()), new.get(name, Counter())
        labels = [(label, was[label], now[label]) for label in sorted(was.keys() | now.keys()) if label]
        labels.sort(key=lambda row: row[1] == row[2])
        if was or now:
            changes.append(LayerChange(name, was.total(), now.total(), labels[:MOST_LABELS]))
    return changes
