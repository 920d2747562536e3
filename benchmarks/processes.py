"""Programs run as whole processes in turn, what they cost, and whether targets are met."""

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Cost:
    """What a process took, CPU seconds (user and system) and peak of resident memory, and what it printed."""

    seconds: float
    mebibytes: float
    output: bytes


@dataclass(frozen=True)
class Target:
    title: str
    value: float
    bound: str  # "at least" or "at most"
    limit: float

    @property
    def is_met(self) -> bool:
        return self.value >= self.limit if self.bound == "at least" else self.value <= self.limit

    def __str__(self) -> str:
        verdict = "met" if self.is_met else "MISSED"
        return f"{self.title:<66} {self.value:8.3f}   {self.bound} {self.limit:<5g} {verdict}"


def measure(programs: dict[str, Sequence[str]], runs: int) -> list[list[Cost]]:
    """The costs of each program's runs; the programs take turns, so that all meet the same machine."""
    costs: dict[str, list[Cost]] = {title: [] for title in programs}
    for _ in range(runs):
        for title, arguments in programs.items():
            costs[title].append(cost(arguments))
    _print_costs(costs.items())
    return [*costs.values()]


def cost(arguments: Sequence[str]) -> Cost:
    # Not run(): only wait4 tells the memory of this child alone.
    # One thread of linear algebra, as the command line and the workers have.
    environ = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    with subprocess.Popen([sys.executable, *arguments], cwd=ROOT, env=environ, stdout=subprocess.PIPE) as process:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"exit status {process.returncode} of {' '.join(arguments)}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output)


def typical(costs: Sequence[Cost]) -> Cost:
    """The medians, with the output of the first run."""
    return Cost(seconds(costs), mebibytes(costs), costs[0].output)


def seconds(costs: Iterable[Cost]) -> float:
    return median(each.seconds for each in costs)


def mebibytes(costs: Iterable[Cost]) -> float:
    return median(each.mebibytes for each in costs)


def status_of(targets: Sequence[Target]) -> int:
    """Prints the targets; 1 if one is missed."""
    print("\nTargets")
    for target in targets:
        print(target)
    return 0 if all(target.is_met for target in targets) else 1


def _print_costs(costs: Iterable[tuple[str, Sequence[Cost]]]) -> None:
    for title, several in costs:
        print(f"  {title:<48} {seconds(several):9.2f} CPU s {mebibytes(several):9.1f} MiB", flush=True)
