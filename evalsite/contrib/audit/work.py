"""Makes the board of somebody's table, or logs, of systems and units in the engine's child; no Django is there."""

from dataclasses import asdict
from typing import Any

import scoring as engine
from evalsite.submissions.engine_jobs import Arguments, OnStep, limits_beside, raise_faults
from scoring.auditing import command_of
from scoring.cli.comparison_output import comparison_as_latex
from scoring.display.tables import comment
from scoring.messages import to_data
from scoring.readers.archive import Files, Named, open_files
from scoring.readers.explanations import explain
from scoring.readers.given.grid import Headings, oddities
from scoring.readers.given.logs import read_systems


def audit(arguments: Arguments, on_step: OnStep) -> dict[str, Any]:
    """Compare the systems of a table.

    Takes the file `table`, the `names` of files as they were chosen, `headings` as keywords of `Headings`,
    `n_resamples` and `lower_is_better`; and `most`, the number of systems, the best ones, of which p-values are given.

    Gives `table`, `intervals` by system, `separated`, `p_adjusted`, `power` or None, `warnings`, `latex`, `svg`,
    `command`, and what else names a field of a comparison. Or `causes` of problems, or `error`, in words of the engine.
    """
    files: Files | None = None
    try:
        files = open_files(Named(*arguments["table"]), limits_beside([]), drop_marks=True)
        headings = Headings(**arguments["headings"])
        grid = read_systems(files, headings)
        board = engine.audit(grid, arguments["n_resamples"], lower_is_better=arguments["lower_is_better"])
    except engine.SubmissionError as error:
        raise_faults(error)
        return {"causes": [to_data(asdict(cause)) for cause in explain(error.problems, files)]}
    except engine.ConfigurationError as error:
        return {"error": to_data(error.message)}
    intervals, power = board.percentiles(), engine.power_of(board)
    command = command_of(arguments["names"], headings, board)
    return {
        "table": board.table,
        "intervals": intervals,
        "separated": board.separated.tolist(),
        "p_adjusted": board.p_adjusted[: arguments["most"]].tolist(),
        "power": power and asdict(power),
        "n_units": board.n_units,
        "is_grouped": grid.groups is not None,
        "n_resamples": board.n_resamples,
        "confidence_level": board.confidence_level,
        "lower_is_better": board.lower_is_better,
        "signature": board.signature,
        "warnings": to_data([*oddities(grid), *board.warnings]),
        "latex": f"{comment(command)}\n{comparison_as_latex(board, intervals)}",
        "svg": board.svg(intervals),
        "command": command,
    }
