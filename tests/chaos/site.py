"""A whole site in production's settings on servers of its own: PostgreSQL, Redis, object store, web, workers, beat."""

import os
import secrets
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
import redis

from evalsite.base import queues
from tests.chaos.processes import LOOPBACK, Keeper, Program, answers, free_port, wait_for

ROOT = Path(__file__).resolve().parents[2]
POSTGRESQL = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), default=Path())
# It refuses to run as root, so there it runs as the system's own user for it.
IS_ROOT = os.geteuid() == 0
AS_POSTGRES = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups", "--"] if IS_ROOT else []
PYTHON = [sys.executable, "-m"]
# By its script, as on a server: begun as a module it cannot begin anew when a SIGHUP tells it to.
CELERY = [Path(sys.executable).with_name("celery"), "-A", "tests.chaos.clocks"]
BUCKET = "evalsite"
_FROM_OUTSIDE = ("PATH", "HOME", "LANG", "EVALSITE_WITHOUT")  # variables of whoever starts this
# Name, processes and queues: two for scorings, and two for boards, of which one serves the other queues too.
WORKERS = (
    ("worker-a", 2, [queues.SCORINGS]),
    ("worker-b", 1, [queues.SCORINGS]),
    ("maker-a", 1, [queues.BOARDS]),
    ("maker-b", 1, [name for name in queues.ALL if name != queues.SCORINGS]),
)


class Site:
    """Its programs by name, and what faults need to know of it."""

    def __init__(self, folder: Path, keeper: Keeper, storage: str, minutes: float) -> None:
        """`storage`: "folder", which all programs share, or "s3", where they share none."""
        self.folder, self.storage, self.programs = folder, storage, keeper.programs
        self.logs, self.tmp, self.data, self.database = (
            folder / name for name in ("logs", "tmp", "data", "postgresql")
        )
        for each in (self.logs, self.tmp):
            each.mkdir(parents=True)
        _mount(self.data, megabytes=int(120 + 20 * minutes))
        _mount(self.database, megabytes=int(500 + 20 * minutes))
        self.port, self.postgresql_port, self.redis_port, self.storage_port = (free_port() for _ in range(4))
        self._secret = secrets.token_urlsafe(50)

    def named(self, *beginnings: str) -> list[Program]:
        """The programs whose names begin so."""
        return [each for name, each in self.programs.items() if name.startswith(beginnings)]

    def environ(self, name: str = "one") -> dict[str, str]:
        """Return the program's environment: it has a clock of its own, and with S3 a data folder of its own."""
        variables = {name: value for name, value in os.environ.items() if name in _FROM_OUTSIDE}
        if self.storage == "s3":
            endpoint = f"http://{LOOPBACK}:{self.storage_port}"
            variables["STORAGE_URL"] = f"s3://key:secret@/{BUCKET}?region=us-east-1&endpoint={endpoint}"
        return variables | {
            "ALLOWED_HOSTS": LOOPBACK,
            "CACHE_URL": f"rediscache://{LOOPBACK}:{self.redis_port}/1",
            "CHAOS_CLOCK": str(self._clock_file(name)),
            "DATABASE_URL": f"postgres://postgres@{LOOPBACK}:{self.postgresql_port}/postgres",
            "DEFAULT_FROM_EMAIL": "site@example.org",
            "DJANGO_SETTINGS_MODULE": "evalsite.settings",
            "EMAIL_URL": f"filemail:///{self.folder}/mails",
            "EVALSITE_BOOTSTRAP": "0",
            "EVALSITE_DATA_DIR": str(self.data / (name if self.storage == "s3" else "one")),
            "EVALSITE_PRODUCTION": "1",
            "N_RESAMPLES": "1000",
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
            "REDIS_URL": f"redis://{LOOPBACK}:{self.redis_port}/0",
            "SECRET_KEY": self._secret,
            "STATIC_ROOT": str(self.folder / "static"),
            "TMPDIR": str(self.tmp),
        }

    def _clock_file(self, name: str) -> Path:
        return self.folder / f"clock-{name}"

    def set_clock(self, name: str, seconds: int) -> None:
        """Set how far the program's clock is ahead of the others'."""
        self._clock_file(name).write_text(str(seconds))

    def redis(self, database: int = 0) -> "redis.Redis[bytes]":
        return redis.Redis(host=LOOPBACK, port=self.redis_port, db=database)

    def start_servers(self) -> None:
        self._start_postgresql()
        self._add("redis", ["redis-server", "--port", self.redis_port, "--bind", LOOPBACK, "--save", ""])
        if self.storage == "s3":
            self._start_object_store()
        wait_for(self.has_postgresql, "PostgreSQL")
        wait_for(lambda: answers(self.redis_port), "Redis")

    def _start_postgresql(self) -> None:
        if IS_ROOT:
            self.folder.chmod(0o711)
            shutil.chown(self.database, "postgres")
        cluster = self.database / "data"
        make = [POSTGRESQL / "initdb", "--pgdata", cluster, "--auth", "trust", "--username", "postgres"]
        subprocess.run([*AS_POSTGRES, *make], check=True, capture_output=True, cwd=self.database)
        # The machine itself keeps its power, so what PostgreSQL has written is there even if it was not synced.
        options = (f"listen_addresses={LOOPBACK}", f"unix_socket_directories={self.database}", "fsync=off")
        words = [word for option in (*options, "max_wal_size=128MB") for word in ("-c", option)]
        command = [*AS_POSTGRES, POSTGRESQL / "postgres", "-D", cluster, "-p", self.postgresql_port, *words]
        self._add("postgresql", command, folder=self.database, restart_after=0.5, stop_with=signal.SIGINT)

    def has_postgresql(self) -> bool:
        """Tell whether it lets clients in: it listens already while it recovers."""
        ask = [POSTGRESQL / "pg_isready", "-q", "-h", LOOPBACK, "-p", str(self.postgresql_port)]
        return subprocess.run(ask).returncode == 0

    def has_storage(self) -> bool:
        return answers(self.storage_port)

    def _start_object_store(self) -> None:
        port = free_port()
        self._add("storage", [*PYTHON, "moto.server", "-H", LOOPBACK, "-p", port])
        self._add("door of storage", [*PYTHON, "tests.chaos.door", self.storage_port, port], restart_after=0)
        wait_for(lambda: answers(port) and self.has_storage(), "the object store")
        httpx.put(f"http://{LOOPBACK}:{self.storage_port}/{BUCKET}").raise_for_status()

    def prepare(self, seed: int) -> None:
        """Tables, static files, a task with its people; writes what the client has to know."""
        self._run("migrate", [sys.executable, "manage.py", "migrate", "--verbosity", "0"])
        self._run("static", [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"])
        self.run_inside("seeding", str(self.folder), str(seed))

    def save_database(self) -> None:
        """A copy of it among the logs, for whoever looks for what went wrong."""
        place = ["-h", LOOPBACK, "-p", str(self.postgresql_port), "-U", "postgres"]
        save = [POSTGRESQL / "pg_dump", *place, "-Fc", "-f", self.folder / "database.dump", "postgres"]
        subprocess.run(save, check=False)

    def run_inside(self, part: str, *words: str) -> None:
        """A part of the suite that knows the models; its output is in the log of its name."""
        self._run(part, [*PYTHON, "tests.chaos.inside", part, *words])

    def _run(self, name: str, command: Sequence[str]) -> None:
        log = self.logs / f"{name}.log"
        with log.open("ab") as stream:
            done = subprocess.run(command, cwd=ROOT, env=self.environ(), stdout=stream, stderr=stream)
        if done.returncode:
            raise RuntimeError(f"{name}: status {done.returncode}\n{log.read_text(errors='replace')[-4000:]}")

    def start(self) -> None:
        """Web server, workers for all queues, beat; returns when all of them are ready."""
        web = ["gunicorn", "--config", "deploy/gunicorn.conf.py", "--bind", f"{LOOPBACK}:{self.port}"]
        self._add("web", [*PYTHON, *web, "tests.chaos.clocks"])
        for name, concurrency, served in WORKERS:
            words = ["--loglevel", "INFO", "--hostname", f"{name}@%h", "--concurrency", concurrency]
            self._add(name, [*CELERY, "worker", *words, "-Q", ",".join(served)])
        self._add("beat", [*CELERY, "beat"])
        wait_for(lambda: answers(self.port), "the web server")
        for program in self.named("worker", "maker"):
            wait_for(lambda log=program.log: b" ready" in log.read_bytes(), program.name)

    def _add(
        self,
        name: str,
        command: Sequence[object],
        folder: Path = ROOT,
        restart_after: float = 2.0,
        stop_with: signal.Signals = signal.SIGTERM,
    ) -> None:
        words, log = [str(word) for word in command], self.logs / f"{name}.log"
        self.programs[name] = Program(name, words, log, self.environ(name), folder, restart_after, stop_with)

    def leave(self) -> None:
        for path in (self.data, self.database):
            if path.is_mount():
                subprocess.run(["umount", "--lazy", str(path)], check=False)


def _mount(path: Path, megabytes: int) -> None:
    """Make a folder with a size of its own, which can be full, or a plain one where nothing can be mounted."""
    path.mkdir()
    options = f"size={megabytes}m,mode=700"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(path)], capture_output=True)


@contextmanager
def running(folder: Path, storage: str, minutes: float, seed: int) -> Iterator[Site]:
    """A site that is ready; everything of it ends with the block, and its folder keeps logs alone."""
    keeper = Keeper()
    site = Site(folder, keeper, storage, minutes)
    try:
        site.start_servers()
        site.prepare(seed)
        site.start()
        yield site
    finally:
        keeper.end()
        site.leave()
