"""Starts the demo in a folder of its own, takes all pictures, and stops it; or takes them of a demo that runs."""

import base64
import contextlib
import io
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from demo.pictures.shots import FOLDER, MOST_BYTES, SHOTS, TASK, WIDTH, Shot
from demo.plan import PASSWORD

ROOT = Path(__file__).parents[2]
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
SECONDS_UNTIL_READY = 900
MISSING_COLUMN = slice(None, 3)  # of the four that a line of phrases has


def main() -> int:
    parser = ArgumentParser(prog="python -m demo.pictures", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(SHOTS)}; all, where none is given")
    parser.add_argument("--url", help="of a demo that runs already, such as http://127.0.0.1:8000")
    parser.add_argument("--chromium", default="/usr/bin/chromium", metavar="PROGRAM")
    options = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    with contextlib.nullcontext(options.url) if options.url else running_demo() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=ARGUMENTS)
        sizes = [take(browser, url, name, SHOTS[name]) for name in options.names or SHOTS]
        browser.close()
    return int(max(sizes) > MOST_BYTES)


@contextlib.contextmanager
def running_demo() -> Iterator[str]:
    """Yield the address of a demo with fresh data, which ends with the context."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory(prefix="pictures") as folder:
        command = [sys.executable, "manage.py", "demo", "--all", "--port", str(port), "--data-dir", folder]
        demo = subprocess.Popen(command, cwd=ROOT, env=os.environ | {"EVALSITE_BOOTSTRAP": "0"}, stdout=subprocess.PIPE)
        try:
            wait_until_ready(demo)
            urllib.request.urlopen(url)
            yield url
        finally:
            demo.send_signal(signal.SIGINT)
            demo.wait()


def wait_until_ready(demo: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + SECONDS_UNTIL_READY
    for line in demo.stdout or ():
        sys.stderr.write(line.decode())
        if line.startswith(b"Ready."):
            return
        if time.monotonic() > until:
            break
    sys.exit("The demo did not become ready.")


def take(browser: Browser, url: str, name: str, shot: Shot) -> int:
    """Write one picture and return its size in bytes."""
    context = browser.new_context(
        base_url=url, viewport={"width": WIDTH, "height": shot.height}, color_scheme="light", reduced_motion="reduce"
    )
    page = context.new_page()
    if shot.who:
        log_in(page, shot.who)
    page.goto(shot.path)
    for words in shot.follow:
        page.get_by_role("link", name=words).first.click()
    if shot.checks_a_mistake:
        check_a_mistake(page)
    page.wait_for_load_state("networkidle")
    made = context.new_cdp_session(page).send("Page.captureScreenshot", {"format": "webp", "quality": 80})
    content = base64.b64decode(made["data"])
    (FOLDER / f"{name}.webp").write_bytes(content)
    context.close()
    sys.stdout.write(f"{name}.webp: {len(content):,} bytes\n")
    return len(content)


def log_in(page: Page, who: str) -> None:
    page.goto("/accounts/login/")
    page.fill("input[name=login]", who)
    page.fill("input[name=password]", PASSWORD)
    page.press("input[name=password]", "Enter")
    page.wait_for_url("**/")


def check_a_mistake(page: Page) -> None:
    """Check the example of the first scenario with a column missing from one line."""
    example = page.request.get(f"{TASK}scenarios/1/example.zip?phase=development").body()
    page.set_input_files(
        "input[type=file]", {"name": "run.zip", "mimeType": "application/zip", "buffer": spoilt(example)}
    )
    page.get_by_role("button", name="Check only").click()
    page.wait_for_selector("#problems-title, .problems, [role=alert]")


def spoilt(archive: bytes) -> bytes:
    """Return the archive, in which the first line of phrases has lost its last column."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(written, "w") as new:
        for name in old.namelist():
            text = old.read(name).decode()
            if "output_a" in name:
                first, end, rest = text.partition("\n")
                text = "\t".join(first.split("\t")[MISSING_COLUMN]) + end + rest
            new.writestr(name, text)
    return written.getvalue()


if __name__ == "__main__":
    sys.exit(main())
