"""Scores two runs in the engine's child for what they say of the size of a test; no Django is there."""

from dataclasses import asdict
from typing import Any

import scoring as engine
from evalsite.submissions.engine_jobs import Arguments, OnStep, limits_beside, of_part, raise_faults
from scoring.messages import to_data
from scoring.readers.archive import Named, open_files

_MOST_PROBLEMS = 10  # that are shown of each run


def power_of_pair(arguments: Arguments, on_step: OnStep) -> dict[str, Any]:
    """Return what a gold can tell of two runs, which are scored for this alone and not stored.

    Takes `family`, `options`, `n_resamples`, `gold`, a file, its `part`, and `systems`, two of them.

    Gives `power`, the fields of a `scoring.Power`, or None where nothing is told apart; or `problems`, a list of texts
    for each run; or `error` where the organiser has to mend the gold.
    """
    evaluations: list[engine.Evaluation] = []
    problems: list[list[Any]] = []
    gold = Named(*arguments["gold"])
    for system in arguments["systems"]:
        problems.append([])
        try:
            files = open_files(Named(*system), limits_beside([gold]), drop_marks=True)
            evaluations.append(
                engine.evaluate(
                    arguments["family"],
                    gold=gold,
                    system=files,
                    options=arguments["options"],
                    n_resamples=arguments["n_resamples"],
                    gold_labels_only=True,
                    **of_part(arguments),
                )
            )
        except engine.SubmissionError as error:
            raise_faults(error)
            problems[-1] = [to_data(problem.placed) for problem in error.problems[:_MOST_PROBLEMS]]
        except (engine.GoldError, engine.ConfigurationError) as error:
            raise_faults(error)
            return {"error": to_data(error.message)}
    if any(problems):
        return {"problems": problems}
    power = engine.power_of(engine.compare(evaluations, arguments["n_resamples"]))
    return {"power": power and asdict(power)}
