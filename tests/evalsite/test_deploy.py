"""The samples for a server: a real nginx takes them, and keeps what it shall keep from the site."""

import re
import socket
import ssl
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from django.conf import settings

from tests.workers import wait_for

DEPLOY = Path(settings.BASE_DIR, "deploy")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@pytest.fixture
def proxy(live_server, tmp_path):
    """The port on which nginx speaks HTTPS for the site, by the sample with this machine's names and ports."""
    port, plain = free_port(), free_port()
    certificate = ["-subj", "/CN=localhost", "-keyout", tmp_path / "privkey.pem", "-out", tmp_path / "fullchain.pem"]
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes"]
    subprocess.run([*request, *certificate], check=True, capture_output=True)
    sample = re.sub(r"listen \[::\].*", "", (DEPLOY / "nginx.conf").read_text())
    for here, there in (
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ", f"listen 127.0.0.1:{port} "),
        ("127.0.0.1:8000", f"{live_server.thread.host}:{live_server.thread.port}"),
        ("/etc/ssl/evalsite", str(tmp_path)),
        ("/var/log/nginx", str(tmp_path)),
        ("/etc/nginx/evalsite-proxy.conf", str(DEPLOY / "evalsite-proxy.conf")),
        ("evalsite.example.org", "localhost"),
    ):
        assert here in sample
        sample = sample.replace(here, there)
    whole = tmp_path / "whole.conf"
    temporary = "".join(f"{kind}_temp_path {tmp_path}/{kind};" for kind in ("client_body", "proxy"))
    whole.write_text(f"daemon off; pid {tmp_path}/pid; events {{}} http {{ {temporary} {sample} }}")
    command = ["nginx", "-e", str(tmp_path / "error.log"), "-c", str(whole)]
    subprocess.run([*command, "-t"], check=True, capture_output=True)
    with subprocess.Popen(command) as nginx:
        wait_for_port(port)
        yield port
        nginx.terminate()


def wait_for_port(port: int) -> None:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.05)
    pytest.fail("nginx does not answer")


def sent(port: int, request: str, *, wait: float = 20) -> bytes:
    context = ssl._create_unverified_context()
    with socket.create_connection(("127.0.0.1", port)) as plain, context.wrap_socket(plain) as connection:
        connection.settimeout(wait)
        connection.sendall(request.replace("\n", "\r\n").encode())
        return connection.recv(100)


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


def test_the_proxy_lets_through_what_the_site_takes():
    sample = (DEPLOY / "nginx.conf").read_text()
    for path, bound in (
        (r"^(/tasks/[^/]+/[^/]+/submit/|/api/v1/tasks/[^/]+/[^/]+/(submissions|check))$", settings.MAX_UPLOAD_BYTES),
        (r"^(/kept/[^/]+/part/|/api/v1/kept/[^/]+/part)$", settings.PART_BYTES),
        (r"^/tasks/[^/]+/[^/]+/check/$", settings.MAX_OPEN_CHECK_BYTES),
        ("/admin/", settings.MAX_UPLOAD_BYTES),
    ):
        place = sample.partition(f"{path} {{")[2].partition("}")[0]
        assert f"client_max_body_size {bound // 1024**2 + 1}m;" in place, path


def test_gunicorn_takes_its_sample():
    command = ["-m", "gunicorn", "--check-config", "--config", "deploy/gunicorn.conf.py", "evalsite.wsgi"]
    subprocess.run([sys.executable, *command], cwd=settings.BASE_DIR, check=True)
