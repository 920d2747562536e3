"""What the engine can do without: rooms that scoring and comparing import nothing of."""

import subprocess
import sys

import pytest

ROOMS = ("descriptions", "verifying", "auditing", "remote", "commands", "skeleton", "receipts")

SCORE_TWO_RUNS = """
import sys
from scoring.readers.archive import Made

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name in {rooms!r}:
            raise ImportError(name)

sys.meta_path.insert(0, Absent())
import scoring

gold = Made({{"gold.csv": b"id,label\\na,X\\nb,Y\\nc,X\\nd,Y\\ne,Y\\n"}})
runs = {{
    "all": Made({{"run.csv": b"id,label\\na,X\\nb,Y\\nc,X\\nd,Y\\ne,Y\\n"}}),
    "some": Made({{"run.csv": b"id,label\\na,X\\nb,X\\nc,X\\nd,Y\\ne,X\\n"}}),
}}
results = {{
    name: scoring.evaluate("labels", gold=gold, system=run, n_resamples=200) for name, run in runs.items()
}}
assert scoring.check("labels", gold=gold, system=runs["all"]) == []
print(scoring.compare(results, 200).names, scoring.combine("mean(*.accuracy)", {{"a": results["all"]}}).score)
"""


def run(program: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


def test_runs_are_scored_compared_and_combined_where_all_optional_rooms_are_absent():
    rooms = {f"scoring.{room}" for room in ROOMS}
    done = run(SCORE_TWO_RUNS.format(rooms=rooms))
    assert done.returncode == 0, done.stderr
    assert "all" in done.stdout


@pytest.mark.parametrize("module", ["scoring.engine", "scoring.comparing.compare", "scoring.combining.combine"])
def test_the_core_loads_no_optional_room(module):
    done = run(f"import sys, {module}; print(*(name for name in sys.modules if name.startswith('scoring.')))")
    assert done.returncode == 0, done.stderr
    rooms = {f"scoring.{room}" for room in (*ROOMS, "describing", "repairs")}
    assert not rooms & set(done.stdout.split())
