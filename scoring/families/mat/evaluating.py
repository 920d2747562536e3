"""Totals to show, and warnings."""

from scoring.families.mat import details
from scoring.families.mat.counting import Matches, match
from scoring.families.mat.kinds import BASIC, PARTIAL
from scoring.families.mat.scores import metrics, partial_counts
from scoring.families.mat.tables import derived
from scoring.family import Counted, Options
from scoring.readers.mat import Gold, System

_N = len(BASIC)


def count(gold: Gold, system: System, options: Options) -> Counted:
    """A row for each document of the gold, those included that the system does not have."""
    matches = match(gold, system, options)
    return Counted(
        units=system.names,
        rows=matches.rows,
        totals=_totals(matches),
        warnings=[*gold.warnings, *system.warnings, *_warnings(matches, options)],
        matches=matches,
    )


def _totals(matches: Matches) -> dict[str, int | float]:
    sums = matches.rows.sum(axis=(0, 1))
    found: dict[str, int | float] = {"documents": len(matches.n_tokens), "tokens": int(matches.n_tokens.sum())}
    found |= {name: int(number) for name, number in derived(sums).items()}
    if matches.tokens is not None:
        found |= {f"token_{name}": int(number) for name, number in derived(sums[_N:]).items()}
    for scheme, cells in partial_counts(sums[-len(PARTIAL) :]):
        names = ("correct", "incorrect", "partial", "missing", "spurious")
        found |= {f"{scheme}_{name}": int(cell) for name, cell in zip(names, cells, strict=True)}
    found |= {
        "missing_documents": int(matches.system.missing.sum()),
        "ignored_annotations": matches.system.n_ignored,
        "duplicates_gold": matches.n_repeated[0],
        "duplicates_system": matches.n_repeated[1],
    }
    return found


def _warnings(matches: Matches, options: Options) -> list[str]:
    found = []
    effect = "counted once" if options["pairing"] == "1.2" else "counted each time"
    for side, number in zip(("gold", "system"), matches.n_repeated, strict=True):
        if number:
            found.append(f"{side}: {number} annotations repeat another one of the same label and extent, {effect}")
    if matches.misfit is not None:
        found.append(_without_tokens(matches))
    if options["details"]:
        found += details.warnings(matches)
    if not metrics(matches.rows.sum(axis=0), options)["f1"]:
        found.append("nothing of the gold was found: F1 is 0")
    return found


def _without_tokens(matches: Matches) -> str:
    name = matches.system.names[matches.misfit or 0]
    if not matches.n_tokens.any():
        return f"no scores by token: there are no tokens, the first document without any is {name}"
    return f"no scores by token: in {name} an annotation begins or ends where no token does"
