"""An upload checked, and described and scored if it is in order, as the site does all three."""

from collections.abc import Callable
from pathlib import Path

import scoring
from tests.scoring.growing.cases import Case, Files


def work(case: Case, folder: Path) -> Callable[[int], Callable[[], object]]:
    """Return for a length what is to be measured with the case's input of that length."""

    def prepared(n: int) -> Callable[[], object]:
        gold = written(folder / "gold", case.gold)
        system = written(folder / f"system{n}", case.make(n))
        if case.is_zip:
            system = next(system.iterdir())
        return lambda: check_describe_and_score(case.family, gold, system, case.options)

    return prepared


def check_describe_and_score(family: str, gold: Path, system: Path, options: dict) -> None:
    """Whatever is raised beside the engine's own errors is a defect."""
    try:
        if not scoring.check(family, gold=gold, system=system, options=options):
            assert scoring.describe(family, gold=gold, system=system, options=options).summary
            assert scoring.evaluate(family, gold=gold, system=system, options=options).tables is not None
    except scoring.ScoringError:
        pass


def written(folder: Path, files: Files) -> Path:
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder
