"""A finished task of three kinds of scores, with teams, a baseline, a combined score, and boards of two days."""

import io
import json
import zipfile
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.utils import timezone

from evalsite.challenges.models import Phase, Task
from evalsite.challenges.storage.zip_streams import zipped
from evalsite.contrib.archives.writing import Archive
from evalsite.leaderboard.making.entries import finish_boards
from evalsite.leaderboard.models import Board, BoardLease, Combined
from evalsite.leaderboard.tasks import refresh_board, refresh_combined
from tests.factories import make_gold, make_phase, make_run, make_scenario, make_task, make_team, make_user

N_UNITS = 40


def table(quality: float, shift: int = 0) -> str:
    """Scores of units that are all a little different; a system's quality moves them all."""
    rows = (f"u{k},{quality + 0.1 * ((k * 7 + shift * k) % 10 - 4.5) / 10:.4f}\n" for k in range(N_UNITS))
    return "unit,score\n" + "".join(rows)


def labels(n_wrong: int) -> str:
    """Labels of items, of which every so many is wrong."""
    said = ("wolf", "deer", "owl")
    return "id,label\n" + "".join(f"i{k},{said[(k + (k % 9 < n_wrong)) % 3]}\n" for k in range(60))


def make_finished(organiser: Any, **fields: Any) -> Task:
    task = make_task("wood", organiser)
    phase = make_phase(task, **fields)
    scores = make_scenario(task, 1, name="Scores", family="given", options={})
    animals = make_scenario(task, 2, name="Animals", family="labels", options={"labels": "wolf, deer, owl"})
    make_gold(phase, scores, {"units.csv": "unit\n" + "".join(f"u{k}\n" for k in range(N_UNITS))})
    make_gold(phase, animals, {"gold.csv": labels(0)})
    people = [make_user(name) for name in ("Ada", "Bo", "Cleo")]
    for number, person in enumerate(people):
        team = make_team(f"Team {person.name}", person)
        make_run(phase, team, {"run.csv": table(0.8 - 0.1 * number, number)}, scenarios=[scores])
        make_run(phase, team, {"run.csv": labels(number + 1)}, scenarios=[animals])
    make_boards(phase)
    make_run(phase, team, {"run.csv": labels(1)}, scenarios=[animals], reference="baseline")
    make_run(phase, team, {"run.csv": labels(4)}, scenarios=[animals], reference="trial")
    Combined.objects.create(phase=phase, formula="mean(Scores.score, Animals.accuracy)")
    make_boards(phase)
    refresh_combined(str(phase.pk))
    assert "entries" in Combined.objects.get().board, Combined.objects.get().board
    Phase.objects.filter(pk=phase.pk).update(closes=timezone.now() - timedelta(seconds=1))
    finish_boards()
    return Task.objects.get(pk=task.pk)


def make_boards(phase: Phase) -> None:
    BoardLease.objects.all().delete()  # nobody has to wait for the next turn
    for board in Board.objects.filter(phase=phase):
        refresh_board(str(board.phase_id), str(board.scenario_id))


def write(task: Task, path: Path, **fields: Any) -> Path:
    path.write_bytes(b"".join(zipped(Archive(task, **fields).members())))
    return path


def members_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rewritten(path: Path, members: dict[str, bytes], target: Path, *, with_digests: bool = True) -> Path:
    """Write members as an archive again; a forger computes their digests anew."""
    if with_digests:
        lines = [f"{sha256(content).hexdigest()}  {name}\n" for name, content in members.items() if name != DIGESTS]
        members = members | {DIGESTS: "".join(lines).encode()}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    target.write_bytes(buffer.getvalue())
    return target


DIGESTS = "digests.sha256"


def changed(members: dict[str, bytes], name: str, change: Callable[[Any], None]) -> dict[str, bytes]:
    """Return the members with one JSON file changed."""
    value = json.loads(members[name])
    change(value)
    return members | {name: json.dumps(value).encode()}
