"""Machines that share nothing but a network: each a network namespace with disks of its own, where the system has such.

Elsewhere, as in a container without rights over its network, a machine is a folder of its own on the loopback address.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from evalsite.base import broker

QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


@dataclass(frozen=True)
class Host:
    """One machine; `others` are the folders of the other ones, which it cannot see."""

    address: str
    folder: Path
    namespace: str | None = None
    others: tuple[Path, ...] = ()

    @contextmanager
    def runs(self, command: list[str], environ: Mapping[str, str], log: Path) -> Iterator[subprocess.Popen]:
        """A process of this machine, which ends with the block; whatever it started ends with it."""
        own = {"EVALSITE_DATA_DIR": str(self.folder / "data"), "TMPDIR": str(self.folder / "tmp")}
        (self.folder / "tmp").mkdir(exist_ok=True)
        with log.open("ab") as output:
            process = subprocess.Popen(
                [*self._inside(), *command],
                env={**environ, **own},
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        try:
            yield process
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, 9)
            process.wait()

    def _inside(self) -> list[str]:
        if self.namespace is None:
            return []
        # Within a namespace mounts are seen by nobody else, so the others' disks are empty for this machine alone.
        hidden = "".join(f"mount -t tmpfs none {folder} && " for folder in self.others)
        return ["ip", "netns", "exec", self.namespace, "sh", "-c", f'{hidden}exec "$@"', "sh"]


@contextmanager
def machines(folder: Path, *names: str) -> Iterator[tuple[str, dict[str, Host]]]:
    """The address on which this process serves what machines share, and the machines."""
    folders = {name: folder / name for name in names}
    for own in folders.values():
        own.mkdir()
    with ExitStack() as stack:
        if has_namespaces():
            yield stack.enter_context(_namespaces(folders))
        else:
            yield broker.LOOPBACK, {name: Host(broker.LOOPBACK, own) for name, own in folders.items()}


def has_namespaces() -> bool:
    """Tell whether this process may make networks and mount into them."""
    if os.geteuid() != 0 or not shutil.which("ip"):
        return False
    name = f"evs-{os.getpid()}-try"
    try:
        made = [
            _ip("netns", "add", name),
            _ip("link", "add", f"evsb{os.getpid()}", "type", "bridge"),
            _ip("netns", "exec", name, "mount", "-t", "tmpfs", "none", "/mnt"),
        ]
        return all(made)
    finally:
        _ip("link", "del", f"evsb{os.getpid()}")
        _ip("netns", "del", name)


@contextmanager
def _namespaces(folders: Mapping[str, Path]) -> Iterator[tuple[str, dict[str, Host]]]:
    mark, net = os.getpid(), f"10.213.{os.getpid() % 250}"
    bridge = f"evsb{mark}"
    with ExitStack() as stack:
        stack.callback(_ip, "link", "del", bridge)
        _need("link", "add", bridge, "type", "bridge")
        _need("addr", "add", f"{net}.1/24", "dev", bridge)
        _need("link", "set", bridge, "up")
        hosts = {}
        for number, (name, own) in enumerate(folders.items(), 2):
            namespace, here, there = f"evs-{mark}-{name}", f"evs{mark}h{number}", f"evs{mark}n{number}"
            stack.callback(_ip, "netns", "del", namespace)
            _need("netns", "add", namespace)
            _need("link", "add", here, "type", "veth", "peer", "name", there)
            stack.callback(_ip, "link", "del", here)
            _need("link", "set", here, "master", bridge, "up")
            _need("link", "set", there, "netns", namespace)
            _need("-n", namespace, "addr", "add", f"{net}.{number}/24", "dev", there)
            _need("-n", namespace, "link", "set", there, "up")
            _need("-n", namespace, "link", "set", "lo", "up")
            others = tuple(folder for other, folder in folders.items() if other != name)
            hosts[name] = Host(f"{net}.{number}", own, namespace, others)
        yield f"{net}.1", hosts


def _ip(*words: str) -> bool:
    return subprocess.run(["ip", *words], check=False, **QUIET).returncode == 0


def _need(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


@contextmanager
def postgresql(folder: Path, address: str) -> Iterator[str]:
    """The URL of an empty database of a server of our own, which trusts whoever reaches this address."""
    programs, port = postgresql_programs(), broker.free_port()
    assert programs
    folder.mkdir()
    for each in (folder, *folder.parents):
        if each.stat().st_uid == os.geteuid() and each.is_relative_to("/tmp") and each != Path("/tmp"):
            each.chmod(0o711)  # it refuses to run as root, and has to get here
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    data = str(folder / "data")
    _as_postgres(f"{programs}/initdb", "--pgdata", data, "--auth", "trust", "--username", "evalsite", "--no-sync")
    with (folder / "data" / "pg_hba.conf").open("a") as rules:
        rules.write("host all all 10.213.0.0/16 trust\n")
    options = f"-p {port} -c listen_addresses={address} -c unix_socket_directories={folder} -c fsync=off"
    control = [f"{programs}/pg_ctl", "--pgdata", data, "--timeout", "600"]  # however busy this machine is
    _as_postgres(*control, "--log", str(folder / "log"), "--wait", "start", "--options", options)
    try:
        yield f"postgres://evalsite@{address}:{port}/postgres"
    finally:
        _as_postgres(*control, "--mode", "immediate", "stop")


def postgresql_programs() -> str | None:
    """The folder of the newest server's programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    if found:
        return str(found[-1].parent)
    one = shutil.which("initdb")
    return one and str(Path(one).resolve().parent)


def _as_postgres(*command: str) -> None:
    user = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups", "--"]
    words = [*(user if os.geteuid() == 0 else []), *command]
    subprocess.run(words, check=True, cwd="/", **QUIET)


@contextmanager
def redis_server(address: str) -> Iterator[str]:
    """The URL of a broker of our own, on this address alone."""
    port = broker.free_port()
    command = ["redis-server", "--port", str(port), "--bind", address, "--save", "", "--protected-mode", "no"]
    with subprocess.Popen(command, **QUIET) as server:
        try:
            url = f"redis://{address}:{port}/0"
            broker.wait_until_ready(url, lambda: None)
            yield url
        finally:
            server.terminate()
