"""The command `evalsite judge`: has a program score the runs that wait for a judge, and posts its scores.

What is done stands on the site alone: whoever is killed begins again, and goes on with the runs that lack scores.
"""

import argparse
import hashlib
import json
import math
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from scoring.display.arguments import add_command
from scoring.display.printable import one_line
from scoring.display.terminal import bar, note, say
from scoring.errors import ConfigurationError, SiteError, SubmissionError
from scoring.families.given import GIVEN
from scoring.readers.archive import open_files
from scoring.readers.given import read_gold
from scoring.readers.given.blocks import WHOLE, blocks_of, names_of_blocks
from scoring.remote.api import NotTakenError, download, get, post_json
from scoring.remote.login import Login
from scoring.remote.places import add_site, place
from scoring.remote.records import read_records
from scoring.remote.scores import Scores, read_scores

Answer = TypeVar("Answer")
_FIRST_PAUSE, _LAST_PAUSE = 1.0, 60.0  # seconds between two requests of a site that does not answer, or has nothing new
_PATIENCE = 8  # requests in a row that a site may leave unanswered, unless the judge watches
_AGAIN = 600.0  # seconds after which a judge that watches tries a run again that its program has not scored
_MOST_TOLD = 20  # problems of one run
_LAST_LINES = 10  # of what a program says as it fails
_UNITS = "units"  # the file with the names of those that a total is of
_HIDDEN = ("EVALSITE_TOKEN",)  # from the program, which needs nothing of the site


def add_to(actions: Any) -> None:
    """Add this command to the subparsers."""
    parser = add_command(actions, "judge", "score the runs that wait for a judge, by a program of yours", _judge)
    parser.add_argument("phase", metavar="TASK/PHASE", help="as in the address of the phase's pages, or that address")
    parser.add_argument("--name", required=True, help="of the judge, such as COMET; the signature says it")
    parser.add_argument("--version", required=True, help="of the judge; another one is a candidate beside the former")
    parser.add_argument("--scenario", type=int, default=1, metavar="N", help="whose runs are judged; 1 if left out")
    often = parser.add_mutually_exclusive_group()
    often.add_argument("--watch", action="store_true", help="go on with runs as they come, until it is stopped")
    often.add_argument("--once", action="store_true", help="score one run, and end")
    parser.add_argument("--totals", action="store_true", help="the program says one number of a whole file of lines")
    parser.add_argument("--gold", action="store_true", help="fetch the units too, if the token may read gold")
    parser.add_argument("--replace", action="store_true", help="put other numbers of this version in place of its own")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep what the program says until it is posted")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="that the program may take of a run")
    add_site(parser)
    parser.add_argument("program", nargs="+", metavar="-- PROGRAM", help="called with the path of a run's file")


@dataclass
class Judge:
    """What is asked of one phase and scenario, and what became of it so far."""

    login: Login
    task: str
    phase: str
    arguments: argparse.Namespace
    gold: dict[int | None, Path] = field(default_factory=dict)
    left: dict[str, float] = field(default_factory=dict)  # runs that the program has not scored, and when it tried

    @property
    def path(self) -> str:
        return f"judge/{quote(self.task)}/{quote(self.phase)}"

    @property
    def name(self) -> dict[str, str]:
        return {"name": self.arguments.name, "version": self.arguments.version}


def _judge(arguments: argparse.Namespace) -> None:
    login, (task, phase, *_) = place(arguments.phase, arguments.site, least=2)
    if not login.token:
        raise ConfigurationError("a judge needs a token, which an owner of the task makes on its desk: EVALSITE_TOKEN")
    signal.signal(signal.SIGTERM, _stop)
    with TemporaryDirectory(prefix="evalsite-judge-") as folder:
        _work(Judge(login, task, phase, arguments), Path(folder))


def _stop(number: int, frame: object) -> None:
    """End as after Ctrl-C, so that the program ends too and nothing is left in temporary folders."""
    raise KeyboardInterrupt


def _work(judge: Judge, folder: Path) -> None:
    n_posted, pause = 0, _FIRST_PAUSE
    while True:
        n_before = n_posted
        for run in _waiting(judge):
            if _score(judge, run, folder):
                n_posted += 1
                if judge.arguments.once:
                    return
        if not judge.arguments.watch:
            break
        pause = _FIRST_PAUSE if n_posted > n_before else min(pause * 2, _LAST_PAUSE)
        time.sleep(pause)
    if judge.left:
        raise SiteError(f"{len(judge.left)} of {len(judge.left) + n_posted} runs are left without scores")
    note(f"{n_posted} runs scored, none waits.")


def _waiting(judge: Judge) -> Iterator[Any]:
    """Yield the runs without scores, the oldest first, but those that were tried a moment ago."""
    asked = {"scenario": str(judge.arguments.scenario), **judge.name}
    for version in _listed(judge, asked)["golds"] or [None]:
        of_gold = asked | ({"gold": str(version)} if version else {})
        page = _listed(judge, of_gold)
        while page["runs"]:
            for run in page["runs"]:
                if time.monotonic() - judge.left.get(run["id"], -_AGAIN) >= _AGAIN:
                    yield run
            if not page["has_more"]:
                break
            page = _listed(judge, of_gold | {"after": page["runs"][-1]["id"]})


def _listed(judge: Judge, asked: dict[str, str]) -> Any:
    return _patiently(judge, partial(get, judge.login, f"{judge.path}/runs?{urlencode(asked)}"))


def _score(judge: Judge, run: Any, folder: Path) -> bool:
    """Return whether the run has scores now; what went wrong is told, and the run is left."""
    name = one_line(f"{run['team']}, {run['file_name']} ({run['id'][:8]})")
    scores: Scores | None = None
    try:
        with TemporaryDirectory(dir=folder) as own_folder:
            scores = _kept_scores(judge, run) or _asked(judge, run, Path(own_folder), name)
        outcome = _post(judge, run, scores)
    except _ProgramError as error:
        note(f"{name}: left without scores. {error}")
    except NotTakenError as error:
        note(f"{name}: left without scores. {error}")
        for problem in error.problems[:_MOST_TOLD]:
            note(f"  {scores.line_of(problem['place']) if scores else ''}{problem['message']}")
    else:
        judge.left.pop(run["id"], None)
        say(f"{name}: {outcome}")
        return True
    judge.left[run["id"]] = time.monotonic()
    return False


class _ProgramError(Exception):
    """The program has failed, or has said something else than scores."""


def _kept_scores(judge: Judge, run: Any) -> Scores | None:
    """Return what the program has said of the run before it could be posted, if that is kept."""
    path = _place_of(judge, run)
    return _read(path) if path and path.is_file() else None


def _place_of(judge: Judge, run: Any) -> Path | None:
    folder: Path | None = judge.arguments.keep
    version = "".join(sign if sign.isalnum() else "-" for sign in "{name}-{version}".format(**judge.name))
    return folder and folder / f"{run['id']}-{run['gold'] or 'new'}-{version}.scores"


def _asked(judge: Judge, run: Any, folder: Path, name: str) -> Scores:
    """Return what the program says of the run."""
    (folder / "run").mkdir()
    file = folder / "run" / (Path(run["file_name"]).name or "run")
    with bar(f"Fetching {name}"):
        _patiently(judge, lambda: _fetch(judge, run, file))
    if judge.arguments.totals:
        written = _in_blocks(judge, run, file, folder, name)
    else:
        written = _call(judge, run, file, folder, name)
    if kept := _place_of(judge, run):
        kept.parent.mkdir(parents=True, exist_ok=True)
        unfinished = kept.with_suffix(".writing")
        unfinished.write_bytes(written.read_bytes())
        unfinished.replace(kept)
    return _read(written)


def _in_blocks(judge: Judge, run: Any, file: Path, folder: Path, name: str) -> Path:
    """Return a table of what the program says of the run, and of the run without each block of its units."""
    units = _units(_gold(judge, run, folder.parent))
    blocks = blocks_of(units, "/".join((judge.task, judge.phase, str(judge.arguments.scenario))))
    try:
        whole = read_records(file, len(units))
    except ValueError as error:
        raise _ProgramError(f"{error}") from None
    rows = []
    for block, left_out in enumerate([WHOLE, *names_of_blocks()], -1):
        kept = [at for at, of_unit in enumerate(blocks) if of_unit != block]  # no unit is in block -1
        part = folder / f"{block + 1}"
        part.mkdir()
        (part / _UNITS).write_text("".join(f"{units[at]}\n" for at in kept), encoding="utf-8")
        path = part / "run" / whole.name
        path.parent.mkdir()
        path.write_bytes(whole.of(kept))
        rows.append({"unit": left_out, "score": _total(_call(judge, run, path, part, f"{name}, {left_out}"))})
    table = folder / "totals.jsonl"
    table.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return table


def _units(gold: Path) -> list[str]:
    try:
        return read_gold(open_files(gold), GIVEN.configure({})).ids.texts()
    except SubmissionError as error:
        raise ConfigurationError(f"the gold: {error}") from None


def _total(output: Path) -> float:
    text = output.read_text(encoding="utf-8", errors="replace").strip()
    try:
        if math.isfinite(total := float(text)):
            return total
    except ValueError:
        pass
    raise _ProgramError(f"The program is to say one number, found {text[:60]!r}.")


def _fetch(judge: Judge, run: Any, file: Path) -> None:
    """Download the run's file; SiteError where it has not come whole."""
    download(judge.login, f"{judge.path}/runs/{run['id']}/file", file)
    if hashlib.sha256(file.read_bytes()).hexdigest() != run["sha256"]:
        raise SiteError(f"{judge.login.site} has not sent all of {file.name}.")


def _call(judge: Judge, run: Any, file: Path, folder: Path, name: str) -> Path:
    """Call the program; return the file with its scores, be it its own or what it has printed."""
    scores_file, printed, complaints = folder / "scores", folder / "stdout", folder / "stderr"
    environment = {key: value for key, value in os.environ.items() if key not in _HIDDEN} | {
        "EVALSITE_RUN": str(file),
        "EVALSITE_RUN_ID": run["id"],
        "EVALSITE_SCORES": str(scores_file),
        "EVALSITE_TASK": judge.task,
        "EVALSITE_PHASE": judge.phase,
        "EVALSITE_SCENARIO": str(judge.arguments.scenario),
        **({"EVALSITE_UNITS": str(folder / _UNITS)} if judge.arguments.totals else {}),
        **({"EVALSITE_GOLD": str(_gold(judge, run, folder.parent))} if judge.arguments.gold else {}),
    }
    words = [*judge.arguments.program, str(file)]
    with bar(f"Judging {name}"), printed.open("wb") as out, complaints.open("wb") as err:
        try:
            done = subprocess.run(
                words, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment,
                timeout=judge.arguments.timeout, check=False,
            )  # fmt: skip
        except OSError as error:
            raise ConfigurationError(f"{words[0]}: {error.strerror}") from None
        except subprocess.TimeoutExpired:
            raise _ProgramError(f"The program took longer than {judge.arguments.timeout:g} seconds.") from None
    if done.returncode:
        raise _ProgramError(f"The program ended with status {done.returncode}.{_last_lines(complaints)}")
    return scores_file if scores_file.exists() else printed


def _last_lines(path: Path) -> str:
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()[-_LAST_LINES:]
    return "".join(f"\n  | {line}" for line in lines)


def _gold(judge: Judge, run: Any, folder: Path) -> Path:
    """Return the file with the units that the run is to be scored on, fetched once."""
    version = run["gold"]
    if version not in judge.gold:
        path = folder / f"gold-{version}"
        query = {"scenario": str(judge.arguments.scenario)} | ({"version": str(version)} if version else {})
        _patiently(judge, lambda: download(judge.login, f"{judge.path}/gold?{urlencode(query)}", path))
        judge.gold[version] = path
    return judge.gold[version]


def _read(path: Path) -> Scores:
    try:
        return read_scores(path.read_bytes())
    except ValueError as error:
        raise _ProgramError(f"What the program says are no scores:\n  {error}") from None


def _post(judge: Judge, run: Any, scores: Scores) -> str:
    """Post the scores, and return what became of them."""
    sent: dict[str, Any] = {
        "run": run["id"],
        "scenario": judge.arguments.scenario,
        "judge": judge.name,
        "scores": [{"unit": unit, "score": score} for unit, score in scores.rows],
    }
    if run["gold"] is not None:
        sent["gold"] = run["gold"]
    if judge.arguments.replace:
        sent["replace"] = True
    taken = _patiently(judge, lambda: post_json(judge.login, f"{judge.path}/scores", sent))
    if (kept := _place_of(judge, run)) and kept.is_file():
        kept.rename(kept.with_suffix(".posted"))
    candidate = f", for version {taken['gold']} of the gold, a candidate" if taken["is_candidate"] else ""
    return f"{len(scores.rows)} scores {'were there already' if taken['is_same'] else 'posted'}{candidate}"


def _patiently(judge: Judge, ask: Callable[[], Answer]) -> Answer:
    """Return what `ask` returns; a site that is away or busy is asked again, after longer and longer pauses."""
    pause, n_failures = _FIRST_PAUSE, 0
    while True:
        try:
            return ask()
        except SiteError as error:
            n_failures += 1
            if n_failures > _PATIENCE and not judge.arguments.watch:
                raise
            note(f"{error} Asking again in {pause:g} seconds.")
        time.sleep(pause)
        pause = min(pause * 2, _LAST_PAUSE)
