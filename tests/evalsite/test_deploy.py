"""The samples for a server: a real nginx takes them, and keeps what it shall keep from the site."""

import ast
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from getpass import getuser
from http.client import HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml
from django.conf import settings

from evalsite.base import queues
from evalsite.challenges.models import SEALED_GOLD
from tests.factories import PASSWORD, make_user
from tests.forgotten import assert_all_are_listed
from tests.workers import wait_for

DEPLOY = Path(settings.BASE_DIR, "deploy")
UNITS = sorted(path.name for path in DEPLOY.glob("*.service"))
READ_ELSEWHERE = {
    "EVALSITE_BOOTSTRAP",  # before there are settings
    *(f"{word}_CLIENT_{part}" for word in ("ORCID", "GITHUB", "OPENID") for part in ("ID", "SECRET")),  # by their words
}
ANSWER_NOBODY = {"migrate", "beat", "manage"}  # services of compose.yaml


def needs(program: str):
    return pytest.mark.skipif(not shutil.which(program), reason=f"needs {program}")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@pytest.fixture
def plain_port():
    """The port on which nginx speaks HTTP."""
    return free_port()


@pytest.fixture
def proxy(live_server, tmp_path, plain_port):
    """The port on which nginx speaks HTTPS for the site."""
    site = f"{live_server.thread.host}:{live_server.thread.port}"
    with nginx(tmp_path, plain_port, pages=site, uploads=site) as port:
        yield port


@contextmanager
def nginx(tmp_path: Path, plain_port: int, *, pages: str, uploads: str) -> Iterator[int]:
    """The port on which nginx speaks HTTPS, by the sample with this machine's names and ports."""
    port = free_port()
    certificate = ["-subj", "/CN=localhost", "-keyout", tmp_path / "privkey.pem", "-out", tmp_path / "fullchain.pem"]
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes"]
    subprocess.run([*request, *certificate], check=True, capture_output=True)
    sample = re.sub(r"listen \[::\].*", "", (DEPLOY / "nginx.conf").read_text())
    for here, there in (
        ("listen 80", f"listen 127.0.0.1:{plain_port}"),
        ("listen 443 ", f"listen 127.0.0.1:{port} "),
        ("127.0.0.1:8000", pages),
        ("127.0.0.1:8001", uploads),
        ("/var/cache/nginx", str(tmp_path)),
        ("/etc/ssl/evalsite", str(tmp_path)),
        ("/var/log/nginx", str(tmp_path)),
        ("/etc/nginx/evalsite-proxy.conf", str(DEPLOY / "evalsite-proxy.conf")),
        ("evalsite.example.org", "localhost"),
    ):
        assert here in sample
        sample = sample.replace(here, there)
    whole = tmp_path / "whole.conf"
    temporary = "".join(f"{kind}_temp_path {tmp_path}/{kind};" for kind in ("client_body", "proxy"))
    whole.write_text(f"user {getuser()}; daemon off; pid {tmp_path}/pid; events {{}} http {{ {temporary} {sample} }}")
    command = ["nginx", "-e", str(tmp_path / "error.log"), "-c", str(whole)]
    subprocess.run([*command, "-t"], check=True, capture_output=True)
    with subprocess.Popen(command) as process:
        try:
            wait_for_port(port)
            yield port
        finally:
            process.terminate()


def wait_for_port(port: int) -> None:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.05)
    pytest.fail("nginx does not answer")


def sent(port: int, request: str, *, name: str | None = "localhost", wait: float = 20) -> bytes:
    """The beginning of what the server of this name answers."""
    context = ssl._create_unverified_context()
    connected = socket.create_connection(("127.0.0.1", port))
    with connected as plain, context.wrap_socket(plain, server_hostname=name) as connection:
        return answer(connection, request, wait)


def sent_plainly(port: int, request: str) -> bytes:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        return answer(connection, request, 20)


def answer(connection: socket.socket, request: str, wait: float) -> bytes:
    connection.settimeout(wait)
    connection.sendall(request.replace("\n", "\r\n").encode())
    return connection.recv(1000)


class Unit(ThreadingHTTPServer):
    """Stands for a unit of the site: notes what it is asked, and answers each time with another number."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.asked: list[str] = []
        self.address = f"127.0.0.1:{self.server_port}"
        self.status = 200
        self.takes = 0.0  # seconds for an answer


class Answer(BaseHTTPRequestHandler):
    server: Unit

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.asked.append(f"{self.command} {self.path}")
        body = str(len(self.server.asked)).encode()
        time.sleep(self.server.takes)
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(body)))
        is_static = self.path.startswith("/static/")
        self.send_header("Cache-Control", "max-age=60" if is_static else "no-cache")
        if self.path.startswith("/tasks/") and self.server.status == 200:
            self.send_header("X-Accel-Expires", "1")
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *said: Any) -> None:
        pass


@pytest.fixture
def units(tmp_path, plain_port):
    """The port of nginx, and the two units behind it."""
    with Unit() as pages, Unit() as uploads:
        for unit in (pages, uploads):
            Thread(target=unit.serve_forever, daemon=True).start()
        with nginx(tmp_path, plain_port, pages=pages.address, uploads=uploads.address) as port:
            yield port, pages, uploads
        for unit in (pages, uploads):
            unit.shutdown()


def ask(port: int, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
    connection = HTTPSConnection("localhost", port, context=ssl._create_unverified_context(), timeout=20)
    with closing(connection):
        connection.request(method, path, headers={"Content-Length": "0"} | headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


@pytest.mark.parametrize(
    "path",
    [
        "/tasks/a/b/submit/",
        "/tasks/a/b/check/",
        "/tasks/a/organise/gold/",
        "/organise/bundle/",
        "/api/v1/judge/a/b/scores",
        "/api/v1/tasks/a/b/submissions",
        "/api/v1/tasks/a/b/check",
    ],
)
def test_uploads_go_to_a_unit_of_their_own_and_their_forms_to_that_of_pages(units, path):
    port, pages, uploads = units
    ask(port, path, "POST")
    ask(port, path, "GET", Cookie="sessionid=alice")
    assert (pages.asked, uploads.asked) == ([f"GET {path}"], [f"POST {path}"])


def test_the_proxy_keeps_for_strangers_what_the_site_says_and_nothing_longer(units):
    port, pages, _ = units
    board = "/tasks/a/b/board/1/"
    assert {ask(port, board)[1] for _ in range(3)} == {"1"}
    # Neither the page of somebody with a session, a message or a token, nor one in another language.
    own = [{"Cookie": "sessionid=alice"}, {"Cookie": "messages=sent"}, {"Authorization": "Bearer x"}]
    others = [*own, *own, {"Cookie": "language=es"}, {"HX-Request": "true"}]
    assert [ask(port, board, **headers)[1] for headers in others] == [str(n) for n in range(2, 2 + len(others))]
    assert ask(port, board)[1] == "1"
    assert ask(port, "/accounts/signup/")[1] != ask(port, "/accounts/signup/")[1], "the site has not said so"
    pages.status = 403
    time.sleep(2.1)
    with ThreadPoolExecutor(8) as pool:
        statuses = set(pool.map(lambda _: ask(port, board)[0], range(40)))
    assert statuses == {403}, "a board that was hidden meanwhile is shown to nobody"


def test_strangers_who_ask_for_a_page_that_is_not_kept_do_not_wait_for_each_other(units):
    port, pages, _ = units
    pages.takes = 0.3
    began = time.monotonic()
    with ThreadPoolExecutor(8) as pool:
        statuses = [*pool.map(lambda _: ask(port, "/how-to-read/")[0], range(8))]
    assert statuses == [200] * 8
    assert time.monotonic() - began < 8 * pages.takes


@pytest.mark.parametrize(
    "path", ["/organise/bundle/", "/api/v1/judge/a/b/scores", "/tasks/a/organise/gold/", "/tasks/a/b/board/1/size/"]
)
def test_a_bundle_scores_and_gold_may_be_as_long_as_an_upload_and_no_longer(units, path):
    port, _, uploads = units
    most = settings.MAX_UPLOAD_BYTES
    assert sent_body(port, path, most) == 200
    assert uploads.asked == [f"POST {path}"]
    assert sent_body(port, path, most + 2 * 1024**2) == 413
    assert len(uploads.asked) == 1


def sent_body(port: int, path: str, n_bytes: int) -> int:
    connection = HTTPSConnection("localhost", port, context=ssl._create_unverified_context(), timeout=20)
    with closing(connection):
        with suppress(BrokenPipeError, ConnectionResetError, ssl.SSLError):  # nginx answers before it has all
            connection.request("POST", path, body=bytes(n_bytes))
        return connection.getresponse().status


@pytest.mark.parametrize("path", ["/organise/bundle/", "/api/v1/judge/a/b/scores", "/tasks/a/b/submit/"])
def test_an_invented_session_for_each_request_is_no_way_past_the_limits(units, path):
    port, _, _ = units
    with ThreadPoolExecutor(8) as pool:
        statuses = [*pool.map(lambda n: ask(port, path, "POST", Cookie=f"sessionid={n}")[0], range(180))]
    assert statuses.count(429) > 20, "an address sends a hundred at once, and some more while these are on their way"


def test_wherever_persons_are_counted_addresses_are_counted_too():
    for place in re.findall(r"location [^{]*\{([^}]*)\}", (DEPLOY / "nginx.conf").read_text()):
        if "zone=evalsite_upload" in place or "zone=evalsite_scores" in place:
            assert "zone=evalsite_place" in place


def test_a_static_file_is_kept_once_whatever_stands_behind_the_question_mark(units):
    port, pages, _ = units
    assert {ask(port, f"/static/css/base.css?{n}")[1] for n in range(5)} == {"1"}
    assert len(pages.asked) == 1
    assert ask(port, "/static/css/other.css")[1] == "2"


@pytest.mark.thorough
def test_forty_people_behind_one_address_are_not_turned_away_and_one_who_floods_is(units):
    port, pages, uploads = units

    def come(person: int) -> set[int]:
        session = {"Cookie": f"sessionid={person}"}
        looks = [ask(port, path, **session)[0] for path in ("/", "/accounts/login/", "/static/css/base.css") * 2]
        sends = [ask(port, path, "POST", **session)[0] for path in ("/accounts/login/", "/tasks/a/b/submit/") * 2]
        return {*looks, *sends}

    with ThreadPoolExecutor(40) as pool:
        assert set.union(*pool.map(come, range(40))) == {200}
    assert len(uploads.asked) == 80
    flood = [ask(port, "/tasks/a/b/submit/", "POST", Cookie="sessionid=flood")[0] for _ in range(15)]
    assert flood.count(429) == 4, "one goes on at once, ten wait their turn"


@pytest.mark.thorough
@pytest.mark.django_db
def test_the_site_lets_forty_people_behind_one_address_log_in_although_some_mistype(client):
    for number in range(40):
        person = make_user(f"Person{number}")
        words = ["wrong", PASSWORD] if number % 2 else [PASSWORD]
        for password in words:
            answer = client.post("/accounts/login/", {"login": person.email, "password": password})
        assert answer.status_code == 302, number
        client.post("/accounts/logout/")


@pytest.mark.django_db(transaction=True)
def test_the_proxy_hands_on_what_is_whole_and_small_enough(proxy, team, caplog, tmp_path):
    assert b" 200 " in sent(proxy, "GET / HTTP/1.1\nHost: localhost\nX-Forwarded-For: 6.6.6.6\n\n")
    seen = len(caplog.records)
    head = "POST /accounts/login/ HTTP/1.1\nHost: localhost\n"
    assert b" 413 " in sent(proxy, f"{head}Content-Length: 2000000\n\n")
    with pytest.raises(TimeoutError):
        sent(proxy, f"{head}Content-Length: 5000\n\nlogin=", wait=2)
    assert len(caplog.records) == seen, "the site has heard of a request that is not whole"
    sent(proxy, f"GET /teams/join/{team.invitation}/?next=/teams/join/{team.invitation}/ HTTP/1.1\nHost: localhost\n\n")
    log = tmp_path / "evalsite.log"
    wait_for(lambda: "GET /teams/join/..." in log.read_text())  # it is written after the answer has gone
    assert team.invitation not in log.read_text()
    assert "6.6.6.6" not in str([record.msg for record in caplog.records])


@pytest.mark.django_db(transaction=True)
def test_the_proxy_answers_to_the_site_s_name_alone(proxy, plain_port, caplog):
    for name in ("evil.example", None):
        with pytest.raises(ssl.SSLError):
            sent(proxy, "GET / HTTP/1.1\nHost: localhost\n\n", name=name)
    assert sent(proxy, "GET / HTTP/1.1\nHost: evil.example\n\n") == b""
    for foreign in ("GET / HTTP/1.1\nHost: evil.example\n\n", "GET / HTTP/1.0\n\n"):
        assert sent_plainly(plain_port, foreign) == b""
    assert not caplog.records, "the site has heard of a request for another name"
    moved = sent_plainly(plain_port, "GET /a?b=c HTTP/1.1\nHost: localhost\n\n")
    assert b" 301 " in moved
    assert b"Location: https://localhost/a?b=c\r\n" in moved


def test_the_proxy_lets_through_what_the_site_takes():
    sample = (DEPLOY / "nginx.conf").read_text()
    submit, upload = "/tasks/[^/]+/[^/]+/submit/", "/api/v1/tasks/[^/]+/[^/]+/(submissions|check)"
    for path, bound in (
        (f"^({submit}|{upload})$", settings.MAX_LARGE_UPLOAD_BYTES),
        (r"^(/tasks/[^/]+/[^/]+/check/|/audit/)$", settings.MAX_OPEN_CHECK_BYTES),
        ("^/tasks/[^/]+/(organise/|[^/]+/board/[0-9]+/size/$)", settings.MAX_UPLOAD_BYTES),
        ("^/organise/bundle/", settings.MAX_UPLOAD_BYTES),
        ("^/api/v1/judge/", settings.MAX_UPLOAD_BYTES),
    ):
        place = sample.partition(f"{path} {{")[2].partition("}")[0]
        assert f"client_max_body_size {bound // 1024**2 + 1}m;" in place, path


@pytest.mark.thorough
def test_gunicorn_takes_its_sample():
    command = ["-m", "gunicorn", "--check-config", "--config", "deploy/gunicorn.conf.py", "evalsite.wsgi"]
    subprocess.run([sys.executable, *command], cwd=settings.BASE_DIR, check=True)


@pytest.mark.thorough
def test_celery_finds_the_site_by_its_name():
    command = [sys.executable, "-m", "celery", "-A", "evalsite.celery", "report"]
    done = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, check=True)
    assert "evalsite.wsgi.application" in done.stdout


def test_the_variables_are_installed_for_their_owner_alone(tmp_path):
    command = ["install", "-m", "600", "deploy/evalsite.env.example", str(tmp_path / "evalsite.env")]
    subprocess.run(command, cwd=settings.BASE_DIR, check=True)
    assert (tmp_path / "evalsite.env").stat().st_mode & 0o777 == 0o600


@needs("systemd-analyze")
def test_systemd_takes_the_units(tmp_path):
    folder = tmp_path / "site"
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name in ("gunicorn", "celery"):
        (programs / name).symlink_to("/bin/true")
    for name in UNITS:
        unit = (DEPLOY / name).read_text().replace("/srv/evalsite", str(folder))
        (tmp_path / name.replace("@", "@scorings")).write_text(unit)
    command = ["systemd-analyze", "verify", "--man=no", *map(str, sorted(tmp_path.glob("*.service")))]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert not [line for line in done.stderr.splitlines() if "evalsite" in line], done.stderr


def test_units_are_started_again_whatever_happens():
    for name in UNITS:
        lines = (DEPLOY / name).read_text().splitlines()
        assert {"Restart=always", "StartLimitIntervalSec=0", "EnvironmentFile=/etc/evalsite.env"} <= set(lines), name


SEALED = f"/var/lib/evalsite/files/{SEALED_GOLD}"


@pytest.mark.parametrize("unit", ["evalsite-web", "evalsite-uploads"])
def test_web_processes_cannot_write_sealed_gold_and_workers_can(unit):
    web = (DEPLOY / f"{unit}.service").read_text().splitlines()
    assert f"ReadOnlyPaths=-{SEALED}" in web
    # What is not there when the unit starts stays writable.
    assert web.index(f"ExecStartPre=/bin/mkdir -p {SEALED}") < next(
        number for number, line in enumerate(web) if line.startswith("ExecStart=")
    )
    assert "ReadOnlyPaths" not in (DEPLOY / "evalsite-worker@.service").read_text()


DIGEST = f"@sha256:{'0123456789abcdef' * 4}"
WEB = {"web", "uploads"}
WORKERS = {"scorings": "scorings", "boards": "boards", "others": "mail,background,upkeep"}  # by name its queues
PROGRAMS = WEB | {"migrate", *WORKERS, "beat", "manage"}


@pytest.fixture
def containers(tmp_path):
    """A folder as `deploy` is once the variables of a site lie in it, before images are pinned."""
    copy = tmp_path / "deploy"
    shutil.copytree(DEPLOY, copy)
    shutil.copy(copy / "evalsite.env.example", copy / "evalsite.env")
    for name, line in (
        (".env", "SITE_NAME=x\nREDIS_DIGEST=@old\n"),
        ("database.env", "POSTGRES_PASSWORD=x"),
        ("redis.env", "REDIS_PASSWORD=x"),
    ):
        (copy / name).write_text(line)
    return copy


def pin(folder: Path) -> None:
    """Runs `deploy/pin` with a Docker that knows each image by the same digest."""
    docker = folder / "docker"
    docker.write_text(f'#!/bin/sh\n[ $1 = pull ] || echo "${{5%:*}}{DIGEST}"\n')
    docker.chmod(0o700)
    environ = {"PATH": f"{folder}:{os.environ['PATH']}"}
    subprocess.run([folder / "pin"], env=environ, check=True, capture_output=True)


def composed(folder: Path) -> subprocess.CompletedProcess[str]:
    command = ["docker-compose", "--file", str(folder / "compose.yaml"), "config"]
    return subprocess.run(command, check=False, capture_output=True, text=True)


@pytest.mark.thorough
@needs("docker-compose")
def test_compose_takes_its_file(containers):
    pin(containers)
    taken = yaml.safe_load(composed(containers).stdout)
    assert all(service.get("healthcheck") for name, service in taken["services"].items() if name not in ANSWER_NOBODY)
    assert taken["services"]["web"]["environment"]["EVALSITE_PRODUCTION"] == "1"
    mounts = {name: [str(each) for each in of["volumes"]] for name, of in taken["services"].items() if name in PROGRAMS}
    assert {name for name, of in mounts.items() if f"gold:{SEALED}:ro" in of} == WEB
    assert {name for name, of in mounts.items() if f"gold:{SEALED}:rw" in of} == PROGRAMS - WEB
    assert SEALED in (containers / "Containerfile").read_text()


@pytest.mark.thorough
@needs("docker-compose")
def test_images_are_pinned_before_anything_is_started(containers):
    refused = composed(containers)
    assert refused.returncode != 0
    assert "run deploy/pin" in refused.stderr
    for _ in range(2):  # once more for newer images
        pin(containers)
        lines = (containers / ".env").read_text().splitlines()
        names = ("NGINX", "POSTGRES", "PYTHON", "REDIS")
        assert sorted(lines) == sorted(["SITE_NAME=x", *(f"{name}_DIGEST={DIGEST}" for name in names)])
    services = yaml.safe_load(composed(containers).stdout)["services"]
    images = {name: service["image"] for name, service in services.items() if name not in PROGRAMS}
    assert images == {
        "database": f"postgres:15{DIGEST}",
        "redis": f"redis:7{DIGEST}",
        "proxy": f"nginx:1.26{DIGEST}",
    }
    assert services["web"]["build"]["args"] == {"PYTHON_DIGEST": DIGEST}


def test_an_image_is_built_on_the_pinned_one():
    built = re.findall(r"^FROM (\S+)", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)
    assert built == ["python:3.11-slim-bookworm${PYTHON_DIGEST}"] * 2


def test_no_container_may_do_more_than_it_needs():
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    for name, service in services.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
    added = {name: service["cap_add"] for name, service in services.items() if "cap_add" in service}
    assert added == {"proxy": ["CHOWN", "NET_BIND_SERVICE", "SETGID", "SETUID"]}
    assert {services[name]["user"] for name in ("database", "redis")} == {"postgres", "redis"}


def test_database_and_redis_are_reached_by_the_site_s_programs_alone_and_have_no_way_out():
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    networks = {name: set(service["networks"]) for name, service in compose["services"].items()}
    assert {name for name, of in networks.items() if "inside" in of} == PROGRAMS | {"database", "redis"}
    assert networks["database"] == networks["redis"] == {"inside"}
    assert compose["networks"]["inside"] == {"internal": True}
    assert {name for name, of in networks.items() if of & networks["proxy"]} == {"proxy"}


def test_the_proxy_in_a_container_asks_the_sockets_on_which_the_site_listens(tmp_path):
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    made, shell = tmp_path / "default.conf", services["proxy"]["command"][-1].replace("$$", "$").partition("&&")[0]
    for here, there in (("/srv/nginx.conf", DEPLOY / "nginx.conf"), ("/etc/nginx/conf.d/default.conf", made)):
        assert here in shell
        shell = shell.replace(here, str(there))
    environ = {"PATH": os.environ["PATH"], "SITE_NAME": "site.example.net"}
    subprocess.run(["sh", "-c", shell], env=environ, check=True)
    for name in WEB:
        assert f"--bind unix:/run/evalsite/{name}.sock" in services[name]["command"]
        assert f"server unix:/run/evalsite/{name}.sock;" in made.read_text()
        assert {"socket:/run/evalsite"} <= set(services[name]["volumes"]) & set(services["proxy"]["volumes"])
    assert "access_log /dev/stdout evalsite;" in made.read_text()
    assert re.findall("server_name (.*);", made.read_text()) == ["site.example.net"] * 2


def test_each_queue_is_served_on_a_server():
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    commands = [str(service.get("command")) for service in services.values()]
    guide = (DEPLOY.parent / "docs" / "server.md").read_text()
    assert set(",".join(WORKERS.values()).split(",")) == set(queues.ALL)
    for name, served in WORKERS.items():
        assert any(f"-Q {served} -n {name}@%h" in command for command in commands), name
        assert f"| `evalsite-worker@{name}` | {', '.join(f'`{queue}`' for queue in served.split(','))} |" in guide
    assert f"Environment=QUEUES={WORKERS['others']} " in (DEPLOY / "evalsite-worker@others.conf").read_text()
    assert f"evalsite-worker@{{{','.join(WORKERS)}}}" in guide


def test_one_beat_is_started_again_whatever_it_ends_with():
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    beats = [service for service in services.values() if "beat" in (service.get("command") or [])]
    assert [service["restart"] for service in beats] == ["unless-stopped"]


def test_the_guide_lists_the_variables_that_the_site_reads():
    guide = (DEPLOY.parent / "docs" / "server.md").read_text()
    table = guide.partition("## Environment")[2].partition("\n## ")[0]
    listed = {name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}
    modules = [Path(settings.BASE_DIR, "evalsite", name) for name in ("settings.py", "accounts/sign_in/keys.py")]
    read = {
        call.args[0].value
        for module in modules
        for call in ast.walk(ast.parse(module.read_text()))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == "env"
        and isinstance(call.args[0], ast.Constant)
    }
    assert_all_are_listed(read | READ_ELSEWHERE, listed, "add it to the table below Environment in docs/server.md")


def test_the_sample_of_variables_names_nothing_that_nobody_reads():
    guide = (DEPLOY.parent / "docs" / "server.md").read_text()
    sample = (DEPLOY / "evalsite.env.example").read_text()
    assert all(f"`{name}`" in guide for name in re.findall(r"^(?:# )?([A-Z_]+)=", sample, re.MULTILINE))


@pytest.fixture
def managed(tmp_path):
    """Runs `deploy/manage` with such variables; gives those that manage.py has then, and whose it is, as lines."""
    folder = tmp_path / "site"
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / "deploy").mkdir()
    shutil.copy(DEPLOY / "manage", folder / "deploy")
    for name, script in {
        "python": "env",
        "setpriv": 'export USED=$2; while [ "$1" != "--init-groups" ]; do shift; done; shift; "$@"',
    }.items():
        program = folder / ".venv" / "bin" / name
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o700)

    def run(variables: str, *words: str) -> set[str]:
        (folder / "env").write_text(variables)
        environ = {"PATH": f"{folder}/.venv/bin:{os.environ['PATH']}", "EVALSITE_ENV": str(folder / "env")}
        command = [folder / "deploy" / "manage", *words]
        done = subprocess.run(command, env=environ, check=True, capture_output=True, text=True)
        return set(done.stdout.splitlines())

    return run


def test_the_variables_mean_the_same_to_an_administrator_as_to_systemd(managed):
    """To a shell an "&" in an address would be the end of it, and the commands would have other files than the site."""
    variables = (
        "# a comment\n\nEVALSITE_DATA_DIR=/data\nSTORAGE_URL=s3://a:b@/c?endpoint=http://d:1&region=e\n"
        "SECRET_KEY='$x `y` #z'\nDEFAULT_FROM_EMAIL=\"Us <us@example.org>\"\nMETRICS_TOKEN=last"
    )
    assert managed(variables, "migrate") >= {
        "STORAGE_URL=s3://a:b@/c?endpoint=http://d:1&region=e",
        "SECRET_KEY=$x `y` #z",
        "DEFAULT_FROM_EMAIL=Us <us@example.org>",
        "METRICS_TOKEN=last",
        "HOME=/data",
        "USED=evalsite",
    }


def test_static_files_are_collected_by_who_deploys_and_not_by_the_site_s_user(managed):
    told = managed("EVALSITE_DATA_DIR=/data\nSECRET_KEY=x", "collectstatic", "--noinput")
    assert "SECRET_KEY=x" in told
    assert not [line for line in told if line.startswith("USED=") or line == "EVALSITE_DATA_DIR=/data"]
    (folder,) = [line.partition("=")[2] for line in told if line.startswith("EVALSITE_DATA_DIR=")]
    assert not Path(folder).exists()


def test_no_sample_puts_static_files_where_the_site_writes():
    written = ("STATIC_ROOT=", "ReadWritePaths=/srv")
    assert not [
        path for path in DEPLOY.iterdir() if path.is_file() and any(word in path.read_text() for word in written)
    ]


@pytest.mark.thorough
def test_production_without_a_key_ends_with_a_sentence(tmp_path):
    environ = {
        "PATH": "/usr/bin",
        "EVALSITE_PRODUCTION": "1",
        "EVALSITE_BOOTSTRAP": "0",
        "EVALSITE_DATA_DIR": str(tmp_path),
    }
    command = [sys.executable, "manage.py", "migrate"]
    done = subprocess.run(command, cwd=settings.BASE_DIR, env=environ, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("EVALSITE_PRODUCTION is on and SECRET_KEY is not set.")
    assert done.stderr.count("\n") == 1
