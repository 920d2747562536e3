"""Measures doctor, tidy and backup on a site with many files: processor time and memory, and how both grow.

The site is a new one: SQLite and files in a temporary folder. Exit status 1 if five times the files cost more than six
times the processor time (start of the program apart), or a million files would take more than 500 MB on top.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = tempfile.TemporaryDirectory()
os.environ |= {
    "DJANGO_SETTINGS_MODULE": "evalsite.settings",
    "EVALSITE_DATA_DIR": FOLDER.name,
    "EVALSITE_BOOTSTRAP": "0",
    "LOG_LEVEL": "ERROR",
}
sys.path.insert(0, str(ROOT))

import django  # noqa: E402

django.setup()

from django.core.management import call_command  # noqa: E402
from django.utils import timezone  # noqa: E402

from evalsite.accounts.models import Team  # noqa: E402
from evalsite.challenges.models import Phase, Task  # noqa: E402
from evalsite.submissions.models import Submission, submission_path  # noqa: E402

TIMES = 5
MOST_GROWTH = 1.2  # over being proportional
LEAST_CPU = 0.5  # seconds; less is noise
MOST_BYTES = 500 * 1024**2 / 1e6  # of memory for each file
AT_ONCE = 5_000


@dataclass(frozen=True)
class Cost:
    cpu: float  # seconds
    memory: int  # bytes at most


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=200_000, help="of the larger site (default 200,000)")
    n_files = parser.parse_args().files
    call_command("migrate", verbosity=0)
    phase, team = make_phase(), Team.objects.create(name="Team")
    backups = Path(FOLDER.name, "backups")
    commands = {
        "doctor files": lambda size: ["doctor", "files"],
        "tidy": lambda size: ["tidy"],
        "backup": lambda size: ["backup", str(backups / f"{size}")],
        "backup, all of it in an earlier one": lambda size: [
            *("backup", str(backups / f"{size}-again"), "--base", str(backups / f"{size}"))
        ],
        "restore --check": lambda size: ["restore", "--check", str(backups / f"{size}")],
    }
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for size in (0, n_files // TIMES, n_files):
        add_files(phase, team, size - Submission.objects.count())
        for name, words in commands.items():
            costs[name].append(cost_of(words(size)))
    return max([report(name, found, n_files) for name, found in costs.items()])


def make_phase() -> Phase:
    task = Task.objects.create(slug="many", title="Many", summary="Many")
    return Phase.objects.create(task=task, slug="test", name="Test", opens=timezone.now())


def add_files(phase: Phase, team: Team, number: int) -> None:
    top = Path(FOLDER.name, "files")
    for begin in range(0, number, AT_ONCE):
        made = []
        for _ in range(begin, min(begin + AT_ONCE, number)):
            submission = Submission(phase=phase, team=team, method="x", file_name="x", size=1, created=timezone.now())
            submission.file.name = submission_path(submission, "run.zip")
            (top / submission.file.name).parent.mkdir(parents=True)
            (top / submission.file.name).write_bytes(b"x")
            made.append(submission)
        Submission.objects.bulk_create(made)


def cost_of(words: list[str]) -> Cost:
    process = subprocess.Popen([sys.executable, "manage.py", *words], cwd=ROOT, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(words)} ended with status {process.returncode}")
    # Kilobytes, and bytes on macOS.
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss * (1 if sys.platform == "darwin" else 1024))


def report(name: str, costs: list[Cost], n_files: int) -> int:
    start, few, many = costs
    growth = (many.cpu - start.cpu) / max(few.cpu - start.cpu, LEAST_CPU) / TIMES
    memory = max(many.memory - start.memory, 0) / n_files
    is_met = growth <= MOST_GROWTH and memory <= MOST_BYTES
    per_million = 1e6 / n_files
    print(
        f"{name}: {(many.cpu - start.cpu) * per_million:.0f} CPU s and {memory * 1e6 / 1024**2:.0f} MB for a million "
        f"files; {TIMES} times the files, {growth * TIMES:.1f} times the CPU (limit {TIMES * MOST_GROWTH:.0f})"
        f"{'' if is_met else ': MISSED'}"
    )
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
