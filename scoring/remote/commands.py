"""The commands that talk to a site: login, logout, submit, board."""

import argparse
import getpass
import io
import json
import os
import sys
import time
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from scoring.display.arguments import add_command
from scoring.display.causes import oddity_line
from scoring.display.printable import one_line
from scoring.display.terminal import bar, note, say
from scoring.errors import ConfigurationError, SiteError, SubmissionError
from scoring.readers.archive import open_files
from scoring.remote import judging
from scoring.remote.answers import board_lines, refusal_text, state_lines, steps
from scoring.remote.api import Fields, File, LooksOddError, get, post
from scoring.remote.login import Login, delete_login, normalised, store_login
from scoring.remote.places import add_site, place

_FIRST_PAUSE, _LAST_PAUSE = 0.5, 10.0  # seconds between two looks at a run
_COMBINED = "combined"  # the board of the combined score, in place of a scenario's number
_MOST_FAILURES = 5  # in a row, of a site that does not answer while we wait


def add_to(actions: Any) -> None:
    """Add these commands to the subparsers."""
    login = add_command(actions, "login", "keep an access token for a site", _login)
    login.add_argument("site", help="the address of the site")
    add_command(actions, "logout", "forget the token", _logout)
    submit = add_command(actions, "submit", "upload a run", _submit)
    submit.add_argument("phase", metavar="TASK/PHASE", help="as in the address of the upload page, or that address")
    submit.add_argument("run", type=Path, nargs="+", metavar="RUN", help="a zip archive, a folder, or single files")
    submit.add_argument("--method", help="its name on the board; only --check does without")
    submit.add_argument("--team", help="name of one of your teams; else the one that you upload for")
    submit.add_argument("--description", default="", help="for you and the organisers")
    submit.add_argument("--link", default="", help="to a paper or code")
    facts = "an answer to the fact sheet, such as 'Track=open'; may be given several times"
    submit.add_argument("--fact", action="append", default=[], metavar="FIELD=ANSWER", help=facts)
    _add_scenario(submit, "enter this scenario alone; may be given several times")
    submit.add_argument("--check", action="store_true", help="have the site check it, and upload nothing")
    submit.add_argument("--anyway", action="store_true", help="have it scored though it may look odd, without asking")
    submit.add_argument("--wait", action="store_true", help="until it is scored, then print the scores")
    add_site(submit)
    board = add_command(actions, "board", "print a board", _board)
    board.add_argument("board", metavar="TASK/PHASE[/SCENARIO]", help="as in its address, or that address")
    board.add_argument("--on", default="", metavar="DAY", help="as it stood then, such as 2026-11-20, or final")
    board.add_argument("--format", choices=("text", "json"), default="text")
    add_site(board)
    judging.add_to(actions)


def _add_scenario(parser: argparse.ArgumentParser, help_: str) -> None:
    parser.add_argument("--scenario", type=int, action="append", default=[], metavar="N", help=help_)


def _login(arguments: argparse.Namespace) -> None:
    site = normalised(arguments.site)
    if not site.startswith(("http://", "https://")):
        raise ConfigurationError(f"{site}: no address of a site")
    token = os.environ.get("EVALSITE_TOKEN", "").strip() or _asked(site)
    me = get(Login(site, token), "me")
    path = store_login(Login(site, token))
    say(f"Logged in as {me['name']} with the token {me['token']} ({', '.join(me['scopes'])}), kept in {path}")


def _asked(site: str) -> str:
    """Return the token as it is typed, unseen on a terminal, or read from a pipe."""
    if sys.stdin.isatty():
        note(f"Make an access token at {site}/profile/tokens/")
    text = getpass.getpass("Token: ") if sys.stdin.isatty() else sys.stdin.readline()
    if not text.strip():
        raise ConfigurationError("no token was given")
    return text.strip()


def _logout(arguments: argparse.Namespace) -> None:
    say("The token is forgotten here; revoke it on the site to end it." if delete_login() else "There was no token.")


def _submit(arguments: argparse.Namespace) -> None:
    if not arguments.check and arguments.method is None:
        raise ConfigurationError("--method is missing: the run needs a name on the board")
    login, (task, phase, *_) = place(arguments.phase, arguments.site, least=2)
    path = f"tasks/{quote(task)}/{quote(phase)}"
    chosen = [("scenarios", str(number)) for number in arguments.scenario]
    files = _fitting(login, path, _files(arguments.run))
    if arguments.check:
        with bar("Sending") as sending:
            answer = post(login, f"{path}/check", chosen, files, sending.at)
        _print_check(answer)
        return
    fields = [(name, getattr(arguments, name) or "") for name in ("method", "team", "description", "link")]
    fields += [("facts", fact) for fact in arguments.fact]
    run = _uploaded(login, f"{path}/submissions", [*chosen, *fields], files, is_sure=arguments.anyway)
    if run["is_repeated"]:
        note("Your team has uploaded exactly these files before. Here is what came of them.")
    if arguments.wait and not run["is_finished"]:
        run = _awaited(login, run["id"])
    for line in state_lines(run):
        say(line)
    if any(part["state"] == "refused" for part in run["scenarios"]):
        raise SubmissionError(refusal_text(run))
    if any(part["state"] == "failed" for part in run["scenarios"]):
        raise SiteError("")


def _uploaded(login: Login, path: str, fields: Fields, files: Sequence[File], *, is_sure: bool) -> Any:
    """Return the run; whoever sends files that look odd is asked, or has said so before."""
    sure = [("anyway", "true")]
    try:
        with bar("Sending") as sending:
            return post(login, path, [*fields, *(sure if is_sure else ())], files, sending.at)
    except LooksOddError as odd:
        for oddity in odd.oddities:
            note(oddity_line(oddity))
        if not _is_meant():
            raise SubmissionError(str(odd)) from None
        named = [("kept", odd.kept)] if odd.kept else []
    return post(login, path, [*fields, *named, *sure], () if named else files)


def _is_meant() -> bool:
    """Return the answer of whoever sits at the terminal."""
    if not sys.stdin.isatty():
        return False
    note("Score it anyway? [y/N] ", end="")
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _files(paths: list[Path]) -> list[File]:
    """Return single files as they are; a folder as an archive of what is in it."""
    files = []
    for path in paths:
        try:
            files.append(_archived(path) if path.is_dir() else (path.name, path.read_bytes()))
        except OSError as error:
            raise ConfigurationError(f"{path}: {error.strerror}") from None
    return files


def _archived(folder: Path) -> File:
    files = open_files(folder.resolve())
    return _packed(f"{folder.resolve().name}.zip", {path: files[path] for path in files})


def _fitting(login: Login, phase: str, files: Sequence[File]) -> Sequence[File]:
    """Return the files, packed as one where `phase`, a path below the API's, does not take so many bytes."""
    most = get(login, phase)["limits"]["bytes"]
    is_packed = len(files) > 1 and sum(len(content) for _, content in files) > most
    return [_packed("run.zip", dict(files))] if is_packed else files


def _packed(name: str, files: Mapping[str, bytes]) -> File:
    """Return an archive with equal bytes for equal files, so that the site recognises a run that is sent again."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, content in files.items():
            archive.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED)
    return name, buffer.getvalue()


def _print_check(answer: Any) -> None:
    say(one_line(answer["detail"]))
    printed: set[str] = set()
    for part in answer["scenarios"]:
        say(one_line(f"{part['name']}: {part['summary']}" if part["summary"] else part["name"]))
        lines = [f"  {oddity_line(oddity)}" for oddity in part["oddities"]]
        for line in lines:
            if line not in printed:
                say(line)
        printed.update(lines)


def _awaited(login: Login, key: str) -> Any:
    """Return the run once all its scorings have ended; a site that is away for a moment is asked again."""
    pause, n_failures = _FIRST_PAUSE, 0
    with bar("Scoring") as scoring:
        while True:
            time.sleep(pause)
            pause = min(pause * 1.3, _LAST_PAUSE)
            try:
                run = get(login, f"submissions/{key}")
            except SiteError:
                n_failures += 1
                if n_failures >= _MOST_FAILURES:
                    raise
                continue
            n_failures = 0
            if run["is_finished"] or _waits_for_people(run):
                return run
            scoring.at(*steps(run))


def _waits_for_people(run: Any) -> bool:
    """Return whether it waits for judges or gold alone, which may take days."""
    unfinished = [part for part in run["scenarios"] if part["state"] in ("queued", "running")]
    return all(part.get("awaits_judge") or part.get("awaits_gold") for part in unfinished)


def _board(arguments: argparse.Namespace) -> None:
    login, (task, phase, *rest) = place(arguments.board, arguments.site, least=2)
    path = f"tasks/{quote(task)}/{quote(phase)}"
    query = f"?{urlencode({'on': arguments.on})}" if arguments.on else ""
    boards = [get(login, f"{path}/boards/{name}{query}") for name in _names(login, path, rest)]
    if arguments.format == "json":
        say(json.dumps(boards[0] if len(boards) == 1 else boards, ensure_ascii=False, indent=2))
        return
    say("\n\n".join("\n".join(board_lines(board)) for board in boards))


def _names(login: Login, path: str, rest: list[str]) -> list[int | str]:
    """Return what names the boards: a scenario's number or "combined", as given, or all that the phase has."""
    for part in rest:
        if part == _COMBINED:
            return [_COMBINED]
        with suppress(ValueError):
            return [int(part)]
    phase = get(login, path)
    if not phase["scenarios"]:
        raise ConfigurationError("this phase has no board yet: its gold is not there")
    # What decides the task comes first, as on its pages.
    return [*([_COMBINED] if phase["decided_by"] == _COMBINED else []), *phase["scenarios"]]
