"""The function that a child of the engine runs for a run in a pool (`evalsite.jobs.sandbox`): plain values only."""

from collections.abc import Callable
from typing import Any

import scoring as engine
from scoring.families.parts import part_of
from scoring.readers.archive import Named, open_files


def answers(arguments: dict[str, Any], on_step: Callable[[str], None]) -> dict[str, Any]:
    """Return `pairs` of an item and an answer that a run gives, or None for a run that cannot be read.

    Takes `family`, `options`, the files `gold` and `system`, and the `depth`: how many answers of each item.
    """
    options = arguments["options"]
    family = engine.family_of(arguments["family"], options)
    configured = family.configure(options)
    try:
        gold = part_of(open_files(Named(*arguments["gold"])), configured, "gold")
        system = part_of(open_files(Named(*arguments["system"]), drop_marks=True), configured, "system")
        answers_of = family.files.answers
        return {"pairs": answers_of and answers_of(gold, system, arguments["depth"], configured)}
    except engine.ScoringError:
        return {"pairs": None}
