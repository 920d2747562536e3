"""People who upload runs and look at pages, and who try again a moment later where the site fails them.

What they sent, and what they were told, goes to journals, a line of JSON for each upload and each look.
"""

import hashlib
import json
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from tests.archives import zip_of
from tests.chaos.processes import LOOPBACK
from tests.forms import filled

PATIENCE = httpx.Timeout(45, connect=5)  # seconds; a browser waits longer, a person does not
REST = 1.5  # seconds before somebody tries again
GIVES_UP = 240  # seconds after which an upload that is never taken counts as not taken
LOOK_EVERY = 1.0  # seconds between two looks at a page
LOG_IN_EVERY = 8  # looks; each costs half a second of processor time, as hashing a password shall
TAKEN = 302
NOT_TAKEN = "This upload was not accepted"  # as the page says it
LOG_IN, FORM, LAST_LOG_IN = "log-in", "form", "log-in afterwards"


class Journal:
    """Lines of JSON, written at once, so that they are there whatever becomes of the writer."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()

    def write(self, **facts: Any) -> None:
        with self._lock, self.path.open("a") as stream:
            stream.write(json.dumps(facts) + "\n")

    def read(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.path.read_text().splitlines()] if self.path.exists() else []


class Person:
    """A browser with somebody before it, behind the proxy that a site in production has."""

    def __init__(self, port: int, number: int, email: str, password: str) -> None:
        self._typed = {"login": email, "password": password}
        self._address, self._host = f"10.0.0.{number + 1}", f"{LOOPBACK}:{port}"
        self.browser = self._new_browser()

    def _new_browser(self) -> httpx.Client:
        """The way to the site is plain here, and the proxy's word is that it was HTTPS."""
        headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": self._address, "Referer": f"https://{self._host}/"}
        browser = httpx.Client(base_url=f"http://{self._host}", headers=headers, timeout=PATIENCE)

        def send_all_cookies(answer: httpx.Response) -> None:
            for cookie in browser.cookies.jar:
                cookie.secure = False

        browser.event_hooks = {"response": [send_all_cookies]}
        return browser

    def log_in(self) -> int:
        """Log in, in a new browser, and return the status of the answer: 302 where it has let them in."""
        self.browser.close()
        self.browser = self._new_browser()
        page = self.browser.get("/accounts/login/")
        if page.status_code != 200:
            return page.status_code
        fields = {"csrfmiddlewaretoken": self.browser.cookies["csrftoken"], **self._typed}
        return self.browser.post("/accounts/login/", data=fields).status_code

    def send(self, path: str, content: bytes, **typed: str) -> httpx.Response:
        """The upload form of the phase, as it comes, filled in and sent; logs in first where that is asked for.

        Where it does not come so far, the text of the answer is the name of the page that was missing.
        """
        page = self.browser.get(path)
        if page.status_code == 302:
            status = self.log_in()
            if status != 302:
                return httpx.Response(status, text=LOG_IN)
            page = self.browser.get(path)
        if page.status_code != 200:
            return httpx.Response(page.status_code, text=FORM)
        fields = filled(page, "run", **typed)
        return self.browser.post(path, data=fields, files={"files": ("run.zip", content, "application/zip")})


class Crowd:
    """Everybody who uses the site, at `rate` uploads a second in all, until the block ends."""

    def __init__(self, folder: Path, port: int, rate: float, seed: int) -> None:
        self._facts = json.loads((folder / "facts.json").read_text())
        self._uploads, self._looks = Journal(folder / "uploads.jsonl"), Journal(folder / "looks.jsonl")
        self._port, self._rate, self._seed = port, rate, seed
        self._is_over = threading.Event()
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> "Crowd":
        *people, visitor = range(len(self._facts["people"]))
        uploading = [threading.Thread(target=self._upload_in_turn, args=(each,), daemon=True) for each in people]
        self._threads = [*uploading, threading.Thread(target=self._look_in_turn, args=(visitor,), daemon=True)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        """Uploads that are under way come to their end, or are given up, first."""
        self._is_over.set()
        for thread in self._threads if kind is None else ():
            thread.join()

    def _person(self, number: int) -> Person:
        return Person(self._port, number, self._facts["people"][number]["email"], self._facts["password"])

    def _upload_in_turn(self, number: int) -> None:
        rng = random.Random(f"{self._seed} {number}")
        person, n_sent = self._person(number), 0
        while not self._is_over.wait(rng.expovariate(self._rate / len(self._threads))):
            self._upload(person, f"{number}-{n_sent}", self._facts["people"][number]["team"], rng)
            n_sent += 1

    def _upload(self, person: Person, name: str, team: str, rng: random.Random) -> None:
        """Send a run until it is taken."""
        run = rng.randrange(len(self._facts["runs"]))
        scenarios = sorted(rng.sample((1, 2, 3), rng.choice((1, 1, 2, 3))))
        content = _archive(self._facts["runs"][run], scenarios, name)
        digest = hashlib.sha256(content).hexdigest()
        told: list[tuple[float, int, str]] = []
        began = time.time()
        while not told or (told[-1][1] != TAKEN and time.time() - began < GIVES_UP):
            if told:
                time.sleep(REST)
            status, words = self._sent(person, content, name)
            told.append((round(time.time(), 2), status, words))
        facts = {"name": name, "team": team, "sha256": digest, "run": run, "scenarios": scenarios}
        self._uploads.write(**facts, began=round(began, 2), told=told)

    def _sent(self, person: Person, content: bytes, name: str) -> tuple[int, str]:
        """Status and place of the answer, or what was said; 0 where there was none."""
        try:
            answer = person.send(f"{self._facts['path']}submit/", content, method=f"Method {name}")
        except (httpx.HTTPError, OSError) as error:
            return 0, type(error).__name__
        if answer.status_code == TAKEN:
            return TAKEN, answer.headers["location"]
        return answer.status_code, NOT_TAKEN if NOT_TAKEN in answer.text else answer.text[:200]

    def _look_in_turn(self, number: int) -> None:
        """Home, task and board in turn; and now and then a log-in."""
        person = self._person(number)
        paths = ["/", self._facts["path"].removesuffix("test/"), f"{self._facts['path']}board/1/"]
        n_looks = 0
        while not self._is_over.wait(LOOK_EVERY):
            n_looks += 1
            path = paths[n_looks % len(paths)]
            if n_looks % LOG_IN_EVERY == 0:
                self._look(LOG_IN, person.log_in)
            else:
                self._look(path, lambda path=path: person.browser.get(path).status_code)

    def _look(self, what: str, look: Callable[[], int], **facts: str) -> None:
        began = time.time()
        try:
            status = look()
        except (httpx.HTTPError, OSError):
            status = 0
        took = round(time.time() - began, 3)
        self._looks.write(what=what, **facts, began=round(began, 2), took=took, status=status)

    def log_in_all(self) -> None:
        """Each person with the right password."""
        for number, facts in enumerate(self._facts["people"]):
            self._look(LAST_LOG_IN, self._person(number).log_in, email=facts["email"])


def _archive(run: dict[str, str], scenarios: list[int], name: str) -> bytes:
    """The run's files for these scenarios; the comment makes the bytes unlike those of all other uploads."""
    endings = tuple(f"_scenario{number}.txt" for number in scenarios)
    content = zip_of({path: text for path, text in run.items() if path.endswith(endings)})
    # Its length is what an archive without a comment ends with.
    return content[:-2] + len(name).to_bytes(2, "little") + name.encode()
