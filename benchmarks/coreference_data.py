"""Documents of entities and what a middling system makes of them, by a rule that anybody can repeat."""

import json
import random
from pathlib import Path

Entities = list[list[int]]

_MOST_MENTIONS = 60


def write_set(folder: Path, documents: int, mentions: int) -> tuple[str, str]:
    """Folders of gold and system, one file a document."""
    rng = random.Random(7)
    paths = folder / "gold", folder / "system"
    for path in paths:
        path.mkdir(parents=True)
    for number in range(documents):
        gold = gold_of(rng, mentions)
        for path, entities in zip(paths, (gold, system_of(rng, gold, mentions)), strict=True):
            _write(path / f"d{number:04}.json", entities)
    return str(paths[0]), str(paths[1])


def write_shuffled(folder: Path, mentions: int, size: int) -> tuple[str, str]:
    """One document whose system deals all mentions out at random, so that everything hangs together."""
    rng = random.Random(7)
    order = list(range(mentions))
    paths = folder / "gold", folder / "system"
    for path in paths:
        path.mkdir(parents=True)
        _write(path / "d0000.json", [order[start : start + size] for start in range(0, mentions, size)])
        order = rng.sample(order, mentions)
    return str(paths[0]), str(paths[1])


def gold_of(rng: random.Random, mentions: int) -> Entities:
    """Shuffled mentions cut into entities of two and more, the large ones rare."""
    order = list(range(mentions))
    rng.shuffle(order)
    entities = []
    while order:
        size = 2
        while size < _MOST_MENTIONS and rng.random() < 0.67:
            size += 1
        entities.append(order[:size])
        del order[:size]
    return entities


def system_of(rng: random.Random, gold: Entities, mentions: int) -> Entities:
    """A tenth of the mentions lost, some moved to other entities, a tenth invented."""
    kept = [[mention for mention in entity if rng.random() >= 0.1] for entity in gold]
    entities = [entity for entity in kept if entity]
    for entity in entities:
        for mention in list(entity):
            if rng.random() < 0.15 and len(entity) > 1:
                entity.remove(mention)
                rng.choice(entities).append(mention)
    for mention in range(mentions, mentions + mentions // 10):
        if rng.random() < 0.7:
            rng.choice(entities).append(mention)
        else:
            entities.append([mention])
    return entities


def _write(path: Path, entities: Entities) -> None:
    clusters = {str(k): [f"m{mention:07}" for mention in entity] for k, entity in enumerate(entities)}
    path.write_text(json.dumps({"type": "clusters", "clusters": clusters}))
