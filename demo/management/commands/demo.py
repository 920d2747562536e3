"""Runs the whole site on this machine: data, broker, workers, web server, scored boards."""

import contextlib
import fcntl
import logging
import os
import signal
import socket
import sys
import time
import urllib.error
import urllib.request
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from demo.database import create_database, is_new
from demo.plan import ORGANISER, PARTICIPANT, PASSWORD, TaskPlan
from demo.supervisor import ChildEnded, Supervisor
from demo.task import TASKS, board_path, create_task, require_own_database
from evalsite.base import broker, queues
from evalsite.celery import app
from evalsite.leaderboard.making.scheduling import unfinished_boards
from evalsite.submissions.lifecycle.enqueueing import enqueue_waiting
from evalsite.submissions.models import Scoring

SECONDS_BETWEEN_LOOKS = 0.2
# Scorings have processes of their own, so that the boards that follow them never hold them up.
WORKERS = (
    ("worker", 2, [queues.SCORINGS]),
    ("upkeep", 1, [each for each in queues.ALL if each != queues.SCORINGS]),
)
# Pool processes share the machine with the web server, so each has one thread of linear algebra.
WORKER_ENVIRON = {"OPENBLAS_NUM_THREADS": "1"}
SECONDS_OF_PATIENCE = 60


class Interrupted(SystemExit):
    """Somebody asked us to end: Ctrl-C, a polite kill, or a closed terminal."""


class Command(BaseCommand):
    help = "Runs the whole site on this machine, with a task and scored submissions, until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="of the web server; 0 for a free one")
        parser.add_argument("--all", action="store_true", help="with a task of each kind, not with the first one alone")
        parser.add_argument("--exit", action="store_true", help="end once all is scored and the board was fetched")
        # manage.py has read it before the settings were loaded; here it is for the help.
        parser.add_argument("--data-dir", metavar="FOLDER", help="where all data are kept (.data/demo)")

    def handle(self, *args: Any, **options: Any) -> None:
        logging.getLogger().setLevel(logging.WARNING)  # the terminal is for what a person wants to know
        require_own_database()
        os.umask(0o077)  # what the processes of the demo write is its user's alone
        port = choose_port(options["port"])
        with (
            ends_on_signals(),
            only_one(settings.DATA_DIR),
            broker_address_removed(),
            Supervisor(settings.DATA_DIR / "logs") as supervisor,
        ):
            try:
                with contextlib.suppress(*() if options["exit"] else (Interrupted,)):
                    self.start(supervisor, port)
                    if not options["exit"]:
                        self.say("\nReady. Stop with Ctrl-C.")
                    if options["all"]:
                        self.add_the_others(supervisor, port)
                    if options["exit"]:
                        require_all_scored()
                    else:
                        serve(supervisor)
            except ChildEnded as error:
                raise CommandError(str(error)) from error
        self.say("Stopped.")

    def start(self, supervisor: Supervisor, port: int) -> None:
        """Return once the site answers and shows the first task's board."""
        redis_url = start_broker(supervisor)
        # Before anything is sent: Celery keeps the connections that it has made by then.
        app.conf.broker_url = redis_url
        self.say("Preparing the database and the first demo task")
        if is_new():
            create_database()
        call_command("migrate", verbosity=0, skip_checks=False)  # the checks refuse a folder of too old a version
        create_task(TASKS[0])
        self.show_accounts()  # now, since scoring takes a while and may fail
        self.say("Starting workers and web server")
        start_site(supervisor, redis_url, port)
        settings.BROKER_FILE.write_text(f"{redis_url}\n", encoding="utf-8")
        self.wait_until_ranked(supervisor)
        home = f"http://{broker.LOOPBACK}:{port}/"
        wait_until(partial(answers, home), f"{home} does not answer", supervisor)
        url = board_url(port, TASKS[0])
        fetch_board(url)
        self.say(f"\nThe ranked page: {url}\nData: {settings.DATA_DIR}\nLogs: {supervisor.logs}")
        self.say("Mails, such as the link that confirms an address, are in these logs; no mail server is asked.")

    def add_the_others(self, supervisor: Supervisor, port: int) -> None:
        """Make and score the other tasks while the site serves."""
        self.say("\nFurther demo tasks are made and scored while the site serves.")
        for plan in TASKS[1:]:
            supervisor.check()
            create_task(plan)
            enqueue_waiting()
        self.wait_until_ranked(supervisor)
        for plan in TASKS[1:]:
            fetch_board(board_url(port, plan))
            self.say(f"Also ranked: {board_url(port, plan)}")

    def wait_until_ranked(self, supervisor: Supervisor) -> None:
        enqueue_waiting()
        self.wait_until_scored(supervisor)
        wait_until(boards_are_fresh, "The boards are not made anew", supervisor)

    def show_accounts(self) -> None:
        self.say("\nAccounts, on this machine only:")
        for role, email in (("organiser", ORGANISER), ("participant", PARTICIPANT)):
            self.say(f"  {role:12} {email:28} {PASSWORD}")
        beside = f"EVALSITE_DATA_DIR={settings.DATA_DIR} python3 manage.py"
        self.say(f"  For another password: {beside} changepassword ADDRESS")
        self.say(f"Other commands in the same way, such as: {beside} doctor\n")

    def wait_until_scored(self, supervisor: Supervisor) -> None:
        shown = ""
        while True:
            supervisor.check()
            states = Counter(Scoring.objects.values_list("state", flat=True))
            waiting = sum(states[state] for state in Scoring.UNFINISHED)
            progress = f"Scored {states.total() - waiting} of {states.total()}"
            if progress != shown:
                self.say(progress, ending="\r" if waiting and self.stdout.isatty() else "\n")
                shown = progress
            if not waiting:
                break
            time.sleep(SECONDS_BETWEEN_LOOKS)

    def say(self, text: str, ending: str = "\n") -> None:
        self.stdout.write(text, ending=ending)
        self.stdout.flush()


def require_all_scored() -> None:
    if failed := Scoring.objects.filter(state=Scoring.State.FAILED).first():
        raise CommandError(f"{failed}\n{failed.error}")


def choose_port(port: int) -> int:
    if port == 0:
        return broker.free_port()
    try:
        socket.create_server((broker.LOOPBACK, port)).close()
    except OSError as error:
        raise CommandError(f"Port {port} can't be used ({error.strerror}). For a free one: --port 0") from error
    return port


@contextlib.contextmanager
def ends_on_signals() -> Iterator[None]:
    """Turn termination signals into an exception, so that everything is cleaned up on the way."""
    numbers = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as under nohup
        numbers.append(signal.SIGHUP)
    previous = [signal.signal(number, interrupt) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, previous, strict=True):
            signal.signal(number, handler)


def interrupt(number: int, frame: FrameType | None) -> None:
    raise Interrupted(128 + number)


@contextlib.contextmanager
def only_one(data_dir: Path) -> Iterator[None]:
    with (data_dir / "demo.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CommandError(
                f"A demo runs with the data of {data_dir} already. For another folder: --data-dir"
            ) from None
        yield


@contextlib.contextmanager
def broker_address_removed() -> Iterator[None]:
    """Remove at the end what tells commands beside the demo where its broker listens."""
    try:
        yield
    finally:
        settings.BROKER_FILE.unlink(missing_ok=True)


def start_broker(supervisor: Supervisor) -> str:
    port = broker.free_port()
    command = broker.command(port, os.environ)
    if command is None:
        return settings.REDIS_URL
    supervisor.start("broker", command, os.environ, settings.BASE_DIR)
    broker.wait_until_ready(broker.url(port), supervisor.check)
    return broker.url(port)


def start_site(supervisor: Supervisor, redis_url: str, port: int) -> None:
    environ = os.environ | {
        "EVALSITE_DATA_DIR": str(settings.DATA_DIR),
        "EVALSITE_URL": f"http://{broker.LOOPBACK}:{port}",  # as it is printed: a cookie of one name is none of another
        "REDIS_URL": redis_url,
        "PYTHONUNBUFFERED": "1",
    }
    celery = [sys.executable, "-m", "celery", "-A", "evalsite.celery"]
    for name, n_processes, served in WORKERS:
        pool = ["-n", f"{name}@%h", "-Q", ",".join(served), f"--concurrency={n_processes}"]
        worker = [*celery, "worker", *pool, "--without-gossip", "--without-mingle", "--loglevel=INFO"]
        # Beat is a fork of this worker, which has loaded everything; a server runs it apart, to start it again.
        beat = ["--beat"] if queues.SCORINGS not in served else []
        supervisor.start(name, [*worker, *beat], environ | WORKER_ENVIRON, settings.BASE_DIR)
    gunicorn = [sys.executable, "-m", "gunicorn", "--bind", f"{broker.LOOPBACK}:{port}", "--threads", "8"]
    web = [*gunicorn, "--log-level", "warning", "--no-control-socket", "evalsite.wsgi"]
    # The terminal shows what the web server prints, for the e-mails, which a line for each request would drown.
    supervisor.start("web", web, {"LOG_LEVEL": "WARNING"} | environ, settings.BASE_DIR, echo=True)


def wait_until(condition: Callable[[], bool], otherwise: str, supervisor: Supervisor) -> None:
    end = time.monotonic() + SECONDS_OF_PATIENCE
    while not condition():
        supervisor.check()
        if time.monotonic() > end:
            raise CommandError(f"{otherwise}, after {SECONDS_OF_PATIENCE} s. The logs are in {supervisor.logs}.")
        time.sleep(SECONDS_BETWEEN_LOOKS)


def boards_are_fresh() -> bool:
    return not unfinished_boards().exists()


def answers(url: str) -> bool:
    try:
        fetch(url)
    # A busy machine may take longer than we wait for the answer.
    except (urllib.error.URLError, TimeoutError):
        return False
    return True


def board_url(port: int, plan: TaskPlan) -> str:
    return f"http://{broker.LOOPBACK}:{port}{board_path(plan)}"


def fetch_board(url: str) -> None:
    if "<table" not in fetch(url):
        raise CommandError(f"{url} shows no ranking.")


def fetch(url: str) -> str:
    # Without the proxies of the environment: what we ask for is on this machine.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=20) as response:
            return response.read().decode()
    except urllib.error.HTTPError as error:
        raise CommandError(f"{url} answers with {error.code} {error.reason}.") from error


def serve(supervisor: Supervisor) -> None:
    while True:
        supervisor.keep_up()
        time.sleep(SECONDS_BETWEEN_LOOKS)
