"""Servers for benchmarks of the site: PostgreSQL, Redis, and what `deploy/` starts, on free ports of this machine.

`start` comes before Django is imported. All that is started here ends with the program, and what it wrote goes.
"""

import argparse
import atexit
import os
import re
import runpy
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from evalsite.base import broker

HOST = "evalsite.example.org"  # as deploy/nginx.conf has it
PRODUCTION = {
    "EVALSITE_PRODUCTION": "1",
    "SECRET_KEY": "only of a benchmark, and of no use elsewhere: " + "x" * 40,
    "ALLOWED_HOSTS": HOST,
    "CSRF_TRUSTED_ORIGINS": f"https://{HOST}",
    "EMAIL_URL": "dummymail://",
    "REQUIRE_STAFF_MFA": "0",
}
GUNICORN = "deploy/gunicorn.conf.py"
_TICKS = os.sysconf("SC_CLK_TCK")
_ENDING = ExitStack()


def start(name: str, folder: Path | None = None, **environ: str) -> Path:
    """Start Redis and make the database `evalsite_<name>`, and have Django use them; returns the folder of all files.

    The database is made on the server that DATABASE_URL names, else on one that is started here. With a folder both
    stay; where its file `seeded` says that they are filled, they are used again.
    """
    atexit.register(_ENDING.close)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    stays = folder is not None
    folder = (folder or Path(tempfile.mkdtemp(prefix="benchmark-"))).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if not stays:
        folder.chmod(0o711)  # for the user of the database
        _ENDING.callback(shutil.rmtree, folder, ignore_errors=True)
    server = os.environ.get("DATABASE_URL") or _start_postgresql(folder)
    redis_url = _start_redis(folder)
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "evalsite.settings",
        "PYTHONPATH": str(ROOT),
        "EVALSITE_BOOTSTRAP": "0",
        "EVALSITE_DATA_DIR": str(folder / "data"),
        "STATIC_ROOT": str(folder / "static"),
        "DATABASE_URL": _make_database(server, f"evalsite_{name}", (folder / "seeded").exists(), stays),
        "REDIS_URL": redis_url,
        "CACHE_URL": f"rediscache{redis_url.removeprefix('redis').removesuffix('/0')}/1",
        "LOG_LEVEL": "WARNING",
        **environ,
    }
    return folder


def arguments(about: str | None, tiny: Mapping[str, object], **options: object) -> argparse.Namespace:
    """Return the arguments of a benchmark: `options` are {name: default}, of which --tiny replaces some."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in options.items():
        kind = {"action": "store_true"} if default is False else {"type": type(default), "default": default}
        parser.add_argument(f"--{name.replace('_', '-')}", **kind)
    parser.add_argument("--tiny", action="store_true")
    chosen = parser.parse_args()
    vars(chosen).update(tiny if chosen.tiny else {})
    return chosen


def manage(*words: str) -> None:
    """Have a command of manage.py done, such as `collectstatic`."""
    subprocess.run([sys.executable, "manage.py", *words, "--verbosity", "0"], cwd=ROOT, check=True)


def make_tables() -> None:
    """Make those of the database as a site does; where sizes are tiny from the models, which is ten times as quick.

    To be called once Django is set up.
    """
    if "--tiny" not in sys.argv:
        manage("migrate")
        return
    from demo.database import create_tables

    create_tables()


def _start_postgresql(folder: Path) -> str:
    """Start a cluster of our own and return its address, with the settings of an installation."""
    found = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name), default=None)
    if found is None:
        raise SystemExit("There is no PostgreSQL here: install it, or name a server by DATABASE_URL.")
    cluster, port = folder / "postgresql", broker.free_port()
    cluster.mkdir()
    user = []
    if os.geteuid() == 0:  # as which PostgreSQL refuses to run
        shutil.chown(cluster, "postgres")
        user = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups", "--"]
    data, control = str(cluster / "data"), [*user, str(found / "pg_ctl"), "--pgdata", str(cluster / "data"), "--wait"]
    quiet = {"cwd": cluster, "check": True, "stdout": subprocess.DEVNULL}
    initialise = [str(found / "initdb"), "--pgdata", data, "--auth", "trust", "--username", "postgres"]
    subprocess.run([*user, *initialise], **quiet)
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={cluster}"
    subprocess.run([*control, "--log", str(cluster / "log"), "--options", options, "start"], **quiet)
    _ENDING.callback(subprocess.run, [*control, "--mode", "fast", "stop"], **quiet)
    return f"postgres://postgres@127.0.0.1:{port}/postgres"


def _start_redis(folder: Path) -> str:
    port = broker.free_port()
    environ = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    run(broker.command(port, environ), folder / "redis.log")
    broker.wait_until_ready(broker.url(port), lambda: None)
    return broker.url(port)


def _make_database(server: str, name: str, is_filled: bool, stays: bool) -> str:
    if not is_filled:
        _drop(server, name)
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
    if not stays:
        _ENDING.callback(_drop, server, name)
    return urlunsplit(urlsplit(server)._replace(path=f"/{name}"))


def _drop(server: str, name: str) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def run(command: list[str], log: Path, environ: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
    """Start a process that ends with this program."""
    stream = _ENDING.enter_context(log.open("ab"))
    environ = {**os.environ, **(environ or {})}
    process = subprocess.Popen(command, stdout=stream, stderr=stream, cwd=ROOT, env=environ)
    _ENDING.callback(_end, process)
    return process


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()


# What deploy/ starts


@dataclass(frozen=True)
class Unit:
    """A service as systemd starts it."""

    name: str  # such as evalsite-worker@scorings
    command: tuple[str, ...]
    environ: Mapping[str, str]

    @property
    def bind(self) -> str:
        """Return the address at which gunicorn listens, "" for other programs."""
        if "--bind" in self.command:
            return self.command[self.command.index("--bind") + 1]
        if "--config" in self.command:
            return str(runpy.run_path(str(ROOT / self.command[self.command.index("--config") + 1]))["bind"])
        return ""

    def configured(self, path: str) -> "Unit":
        """Return the unit with another configuration of gunicorn."""
        return replace(self, command=tuple(path if word == GUNICORN else word for word in self.command))

    def at(self, bind: str) -> "Unit":
        words = list(self.command)
        if "--bind" in words:
            words[words.index("--bind") + 1] = bind
        else:
            words[1:1] = ["--bind", bind]
        return replace(self, command=tuple(words))


def units() -> list[Unit]:
    """Return those that docs/server.md has its reader start."""
    found = re.search(r"^systemctl enable --now (evalsite-.*)$", (ROOT / "docs/server.md").read_text(), re.MULTILINE)
    assert found is not None, "docs/server.md does not say which units are started"
    names = subprocess.run(["bash", "-c", f"echo {found[1]}"], capture_output=True, text=True, check=True)
    return [unit(name) for name in names.stdout.split()]


def unit(name: str) -> Unit:
    """Return command and environment of `deploy/<name>.service`, with what `deploy/` adds for an instance."""
    template, _, instance = name.partition("@")
    service = ROOT / "deploy" / f"{template}{'@' if instance else ''}.service"
    lines, environ, nice = _lines(service), {}, []
    addition = ROOT / "deploy" / f"{name}.conf"
    for key, value in [*lines, *(_lines(addition) if instance and addition.exists() else [])]:
        if key == "Environment":
            environ |= dict(word.split("=", 1) for word in shlex.split(value))
        elif key == "Nice" and "--tiny" not in sys.argv:  # other work beside a tiny run would starve it
            nice = ["nice", "-n", value]
    [command] = [value for key, value in lines if key == "ExecStart"]
    command = re.sub(r"\$\{(\w+)\}", lambda found: environ[found[1]], command)
    command = command.replace("%i", instance).replace("%%", "%")
    program, *words = shlex.split(command.replace("/srv/evalsite", str(ROOT)))
    # The interpreter that runs this: the environment may be a link, or lie elsewhere.
    return Unit(name, (*nice, str(Path(sys.executable).with_name(Path(program).name)), *words), environ)


def _lines(path: Path) -> list[tuple[str, str]]:
    text = path.read_text(encoding="utf-8").replace("\\\n", " ")
    return [(key, value) for key, _, value in (line.partition("=") for line in text.splitlines()) if value]


def start_units(chosen: Iterable[Unit], folder: Path) -> dict[str, int]:
    """Return the processes of units by name, once all workers among them have reported ready."""
    processes = {}
    for unit in chosen:
        log = folder / f"{unit.name}.log"
        processes[unit.name] = run(list(unit.command), log, {"LOG_LEVEL": "INFO", **unit.environ})
    for name, process in processes.items():
        log = folder / f"{name}.log"
        while "@" in name and " ready." not in log.read_text(encoding="utf-8"):
            if process.poll() is not None:
                raise SystemExit(f"{name} ended with status {process.returncode}: {log.read_text()[-2000:]}")
            time.sleep(0.1)
    return {name: process.pid for name, process in processes.items()}


def start_nginx(folder: Path, port: int, binds: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """nginx with deploy/nginx.conf at a port, without TLS; `binds` are the addresses of gunicorn there and here."""
    configuration = (ROOT / "deploy/nginx.conf").read_text(encoding="utf-8")
    configuration = re.sub(r"^ *(ssl_|http2 |listen \[::\]).*\n", "", configuration, flags=re.MULTILINE)
    configuration = re.sub(r"listen 443 ssl( http2)?", f"listen 127.0.0.1:{port}", configuration)
    configuration = configuration.replace("listen 80", f"listen 127.0.0.1:{broker.free_port()}")
    for theirs, ours in binds.items():
        configuration = configuration.replace(f"server {theirs}", f"server {ours}")
    for name in re.findall(r"include /etc/nginx/([\w.-]+);", configuration):
        included = (ROOT / "deploy" / name).read_text(encoding="utf-8")
        # As from a client that came by TLS.
        (folder / name).write_text(included.replace("$scheme", "https"), encoding="utf-8")
    configuration = configuration.replace("/etc/nginx/", f"{folder}/").replace("/var/", f"{folder}/var/")
    (folder / "site.conf").write_text(configuration, encoding="utf-8")
    for path in re.findall(rf"{folder}/var/[\w./-]+", configuration):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    (folder / "nginx.conf").write_text(_NGINX.format(folder=folder), encoding="utf-8")
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        raise SystemExit("There is no nginx here.")
    return run([program, "-c", str(folder / "nginx.conf"), "-e", str(folder / "nginx.log")], folder / "nginx.log")


# What Debian's has around the part of a site, with files of our own.
_NGINX = """
daemon off;
worker_processes auto;
pid {folder}/nginx.pid;
events {{ worker_connections 4096; }}
http {{
    default_type application/octet-stream;
    sendfile on;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


# What processes cost


def cpu_seconds(process: int) -> float:
    """Return the seconds of a process and all below it, with those of their children that have ended."""
    seconds, waiting = 0.0, [process]
    while waiting:
        pid = waiting.pop()
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            waiting += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
        except OSError:  # has ended, and is counted by who waited for it
            continue
        # User and system time from the 14th field on, then both of ended children; a name with blanks stands before.
        seconds += sum(map(int, fields[11:15])) / _TICKS
    return seconds


def database_process() -> int | None:
    """PostgreSQL's first process, whose children serve all its databases; None if it is on another machine."""
    with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
        [backend] = connection.execute("SELECT pg_backend_pid()").fetchone() or [0]
        try:
            status = Path(f"/proc/{backend}/status").read_text()
        except OSError:
            return None
    return int(re.search(r"^PPid:\s+(\d+)", status, re.MULTILINE)[1]) if status.startswith("Name:\tpostgres") else None
