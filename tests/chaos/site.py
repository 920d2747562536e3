"""A whole site in production's settings on servers of its own: PostgreSQL, Redis, object store, mail, web, workers."""

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

from evalsite import queues
from tests.chaos.doors import Door, PostBox
from tests.chaos.processes import LOOPBACK, Keeper, Program, answers, free_port, wait_for

ROOT = Path(__file__).resolve().parents[2]
POSTGRESQL = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), default=Path())
BUCKET = "evalsite"
# Name, processes and queues: two for scorings, and two for boards, of which one serves the other queues too.
WORKERS = (
    ("worker-a", 2, [queues.SCORINGS]),
    ("worker-b", 1, [queues.SCORINGS]),
    ("maker-a", 1, [queues.BOARDS]),
    ("maker-b", 1, [name for name in queues.ALL if name != queues.SCORINGS]),
)


class Folder:
    """A folder that faults can fill, where it may be mounted with a size of its own."""

    def __init__(self, path: Path, megabytes: int) -> None:
        self.path = path
        path.mkdir(parents=True)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "tmpfs", str(path)]
        self.can_be_full = subprocess.run(mount, capture_output=True).returncode == 0

    def leave(self) -> None:
        if self.can_be_full:
            subprocess.run(["umount", "--lazy", str(self.path)], check=False)


class Site:
    """Its programs by name, and what faults need to know of it."""

    def __init__(self, folder: Path, keeper: Keeper, storage: str, minutes: float) -> None:
        """`storage`: "folder", which all programs share, or "s3", where they share none."""
        self.folder, self.storage = folder, storage
        self.logs = _made(folder / "logs")
        self.data = Folder(folder / "data", megabytes=int(120 + 20 * minutes))
        self.tmp = _made(folder / "tmp")
        self.mail = PostBox(folder / "mails")
        self.mail.path.touch()
        self.mail_door = Door(self.mail.port)
        self.storage_door: Door | None = None
        self.port, self.postgresql_port, self.redis_port = free_port(), free_port(), free_port()
        self._keeper = keeper
        self._secret = secrets.token_urlsafe(50)

    @property
    def programs(self) -> dict[str, Program]:
        return self._keeper.programs

    def named(self, *beginnings: str) -> list[Program]:
        """The programs whose names begin so."""
        return [each for name, each in self.programs.items() if name.startswith(beginnings)]

    def environ(self, host: str = "one", *, with_clock: str = "") -> dict[str, str]:
        """Of a program on this host; `with_clock` names a clock of its own, which jumps as its file says."""
        data = self.data.path / (host if self.storage == "s3" else "one")
        variables = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
        variables |= {
            "ALLOWED_HOSTS": LOOPBACK,
            "CACHE_URL": f"rediscache://{LOOPBACK}:{self.redis_port}/1",
            "DATABASE_URL": f"postgres://postgres@{LOOPBACK}:{self.postgresql_port}/postgres",
            "DEFAULT_FROM_EMAIL": "site@example.org",
            "DJANGO_SETTINGS_MODULE": "evalsite.settings",
            "EMAIL_URL": f"smtp://{LOOPBACK}:{self.mail_door.port}",
            "EVALSITE_BOOTSTRAP": "0",
            "EVALSITE_DATA_DIR": str(data),
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
        if self.storage_door:
            endpoint = f"http://{LOOPBACK}:{self.storage_door.port}"
            variables["STORAGE_URL"] = f"s3://key:secret@/{BUCKET}?region=us-east-1&endpoint={endpoint}"
        if with_clock:
            self.set_clock(with_clock, 0)
            variables["CHAOS_CLOCK"] = str(self._clock_file(with_clock))
        return variables

    def _clock_file(self, name: str) -> Path:
        return self.folder / f"clock-{name}"

    def set_clock(self, name: str, seconds: int) -> None:
        """How far the program's clock is ahead of the others'."""
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
        """It refuses to run as root, so there it runs as the system's own user for it."""
        cluster = _made(self.folder / "postgresql")
        as_owner: list[str] = []
        if os.geteuid() == 0:
            self.folder.chmod(0o711)
            shutil.chown(cluster, "postgres")
            as_owner = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups", "--"]
        make = [
            *as_owner,
            POSTGRESQL / "initdb",
            "--pgdata",
            cluster / "data",
            "--auth",
            "trust",
            "--username",
            "postgres",
        ]
        subprocess.run(make, check=True, capture_output=True, cwd=cluster)
        # The machine itself keeps its power, so what PostgreSQL has written is there even if it was not synced.
        options = [f"listen_addresses={LOOPBACK}", f"unix_socket_directories={cluster}", "fsync=off"]
        words = [word for option in options for word in ("-c", option)]
        start = [*as_owner, POSTGRESQL / "postgres", "-D", cluster / "data", "-p", self.postgresql_port, *words]
        self._add("postgresql", start, folder=cluster, restart_after=0.5, stop_with=signal.SIGINT)

    def has_postgresql(self) -> bool:
        """Whether it lets clients in: it listens already while it recovers."""
        ask = [POSTGRESQL / "pg_isready", "-q", "-h", LOOPBACK, "-p", str(self.postgresql_port)]
        return subprocess.run(ask).returncode == 0

    def _start_object_store(self) -> None:
        port = free_port()
        self._add("storage", [*_python("moto.server"), "-H", LOOPBACK, "-p", port])
        wait_for(lambda: answers(port), "the object store")
        httpx.put(f"http://{LOOPBACK}:{port}/{BUCKET}").raise_for_status()
        self.storage_door = Door(port)

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
        self._run(part, [sys.executable, "-m", "tests.chaos.inside", part, *words])

    def _run(self, name: str, command: Sequence[str]) -> None:
        with (self.logs / f"{name}.log").open("ab") as log:
            environ = self.environ() | {"TMPDIR": str(_made(self.folder / "own-tmp"))}
            done = subprocess.run(command, cwd=ROOT, env=environ, stdout=log, stderr=log)
        if done.returncode:
            said = (self.logs / f"{name}.log").read_text(errors="replace")[-4000:]
            raise RuntimeError(f"{name} failed with status {done.returncode}:\n{said}")

    def start(self) -> None:
        """Web server, workers for all queues, beat; returns when all of them are ready."""
        gunicorn = [*_python("gunicorn"), "--config", "deploy/gunicorn.conf.py", "--bind", f"{LOOPBACK}:{self.port}"]
        self._add("web", [*gunicorn, "tests.chaos.web"], host="web", with_clock="web")
        for name, concurrency, served in WORKERS:
            words = [
                "worker",
                "--loglevel",
                "INFO",
                "--hostname",
                f"{name}@%h",
                "--concurrency",
                str(concurrency),
                "-Q",
                ",".join(served),
            ]
            self._add(name, [*_celery(), *words], host=name, with_clock=_own_clock(name))
        self._add("beat", [*_celery(), "beat"], host="beat", with_clock="beat")
        wait_for(lambda: answers(self.port), "the web server")
        for program in self.named("worker", "maker"):
            wait_for(lambda log=self.logs / f"{program.name}.log": b" ready" in log.read_bytes(), program.name)

    def _add(
        self,
        name: str,
        command: Sequence[object],
        *,
        host: str = "one",
        with_clock: str = "",
        folder: Path = ROOT,
        restart_after: float = 2.0,
        stop_with: signal.Signals = signal.SIGTERM,
    ) -> None:
        program = Program(
            name,
            [str(word) for word in command],
            log=self.logs / f"{name}.log",
            environ=self.environ(host, with_clock=with_clock),
            folder=folder,
            restart_after=restart_after,
            stop_with=stop_with,
        )
        self._keeper.add(program)

    def leave(self) -> None:
        self.data.leave()


@contextmanager
def running(folder: Path, storage: str, minutes: float, seed: int) -> Iterator[Site]:
    """A site that is ready; everything of it ends with the block, and its folder keeps logs alone."""
    with Keeper() as keeper:
        site = Site(folder, keeper, storage, minutes)
        try:
            site.start_servers()
            site.prepare(seed)
            site.start()
            yield site
        finally:
            keeper.stop([name for name in keeper.programs if name not in ("postgresql", "redis", "storage")][::-1])
            site.leave()


def _own_clock(name: str) -> str:
    """Of two workers of a kind one has a clock that can jump."""
    return name if name.endswith("-b") else ""


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _python(module: str) -> list[str]:
    return [sys.executable, "-m", module]


def _celery() -> list[str]:
    """By its script, as on a server: begun as a module it cannot begin anew when a SIGHUP tells it to."""
    return [str(Path(sys.executable).with_name("celery")), "-A", "tests.chaos.workers"]
