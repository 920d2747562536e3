"""Each benchmark runs at a tiny size on this machine and prints its figures, so that none can break unseen."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.thoroughness import is_thorough

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
# What stands in each one's output, as expressions: rows of its tables, with numbers in them.
FIGURES = {
    "coverage": [r"^ +300 +0.4 +0.2 +[\d.]+ +\w+ +[\d.]+%", r"^20 equal systems +20 +[\d.]+% +[\d.]+%"],
    "power": [r"^micro-F1 +300 +30 +[\d.]+ +[\d.]+%", r"^share of right +0.05 +3 +\d+ +[\d.]+%"],
    "ladder": [r"^boosting, Ladder: 50 uploads raise what is told by [+-][\d.]+", r"^climbing, all scores: 50 uploads"],
    "engine": [
        r"^spacy +spaCy's Scorer +\d+ +[\d.]+ +[\d.]+ +[\d.]+ ",
        r"^text, a baseline and ten +sacreBLEU +\d+ +\d",
    ],
    "boards": [r"^ +8 +[\d.]+ +\d+ +[\d.]+ +[\d.]+ +[1-9]\d*$", r"^board +stranger +8 +[\d.]+ +[\d.]+ +\d+ +\d+"],
    "pages": [r"^run, anew +[\d,]+ +\d+ +[\d,]+$", r"^board of 200, again +[\d,]+ +\d+ +[\d,]+$"],
    "throughput": [r"^one scenario +[\d.]+ +\d+ +[\d.]+ +[\d.]+", r"^three scenarios +[\d.]+ +\d+ +[\d.]+ +[\d.]+"],
    "load": [
        r"^board, anonymous +[1-9]\d* +[\d.]+ +\d+",
        r"^upload +[1-9]\d* +\d+\.\d( +\d+){4} +500",
        r"^answers that nobody expects: 0$",
    ],
    "badges": [r"^kept +[1-9][\d,]* +[\d.]+ +[\d.]+$"],
    "start": [r"^manage.py check +[\d.]+ +[\d.]+$", r"^scoring labels +[\d.]+ +[\d.]+$"],
    "scale": [r"^submissions_result +[1-9]", r"^own submissions, last page +member +\d", r"^reap\(\) +[\d.]+ +[\d.]+"],
}
OTHERS = {"inputs", "load_client", "load_gunicorn", "scale_rows", "seeding", "servers"}  # which these use


@pytest.mark.parametrize("name", FIGURES if is_thorough() else ["coverage"])
def test_a_benchmark_runs_at_a_tiny_size_and_prints_its_figures(name):
    # It starts its own servers, and makes its own database where one is named.
    environ = {key: value for key, value in os.environ.items() if not key.startswith(("DJANGO_", "EVALSITE_"))}
    command = [sys.executable, str(FOLDER / f"{name}.py"), "--tiny"]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-4000:]
    missing = [row for row in FIGURES[name] if not re.search(row, done.stdout, re.MULTILINE)]
    assert not missing, done.stdout


def test_every_benchmark_is_started_here():
    assert {path.stem for path in FOLDER.glob("*.py")} == {*FIGURES, *OTHERS}


@pytest.mark.parametrize("place", ["*.md", "docs/**/*.md", "benchmarks/*.md", "templates/**/*.html"])
def test_every_benchmark_that_is_named_exists(place):
    named = {
        (path.name, name)
        for path in FOLDER.parent.glob(place)
        for name in re.findall(r"(?<!tests/)benchmarks/(\w+)\.py", path.read_text(encoding="utf-8"))
    }
    assert {(page, name) for page, name in named if not (FOLDER / f"{name}.py").exists()} == set()
