"""People at their browsers: connections that stay open, cookies, forms with their tokens, and what is asked for when.

For `load.py`. A person thinks, asks for a page, thinks again; after an upload the page of the run asks by itself, and
is loaded anew once all is scored. Style sheets, scripts and pictures are not asked for: a browser has them for a year
after its first page, and on a server the proxy answers for them.
"""

import asyncio
import gzip
import random
import re
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

BOUNDARY = "----evalsite-load"
_BEGAN = int(time.time())
_SECONDS_OF_PATIENCE = 60.0
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
_TEAM = re.compile(r'name="team" value="([^"]+)"')
_PLACE = re.compile(r'hx-get="([^"]+)" hx-trigger="every (\d+)s"')
_NEXT_POLL = re.compile(r'hx-get="([^"]+)"[^>]*?hx-trigger="load delay:(\d+)ms', re.DOTALL)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    text: str


@dataclass
class Browser:
    """One person's; `address` is where the person seems to come from, since the site counts attempts by it."""

    port: int
    address: str
    cookies: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)  # by path, what the browser has of it
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str, **headers: str) -> Answer:
        return await self._send("GET", path, headers=headers)

    async def post(self, path: str, form: dict[str, str], file: tuple[str, bytes] | None = None) -> Answer:
        body = b"".join(
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
            for name, value in form.items()
        )
        if file:
            head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="{file[0]}"\r\n'
            body += head.encode() + b"Content-Type: application/zip\r\n\r\n" + file[1] + b"\r\n"
        body += f"--{BOUNDARY}--\r\n".encode()
        kind = f"multipart/form-data; boundary={BOUNDARY}"
        return await self._send("POST", path, body, {"Content-Type": kind, "Origin": f"https://127.0.0.1:{self.port}"})

    async def _send(self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> Answer:
        request = self._request(method, path, body, headers or {})
        for attempt in range(2):
            try:
                async with asyncio.timeout(_SECONDS_OF_PATIENCE):
                    return await self._exchange(request)
            except (ConnectionError, asyncio.IncompleteReadError):
                # The server has closed a connection that lay idle: a browser asks once more.
                self.close()
                if attempt:
                    raise
            except BaseException:
                self.close()  # an answer that comes too late must not be taken for the next one's
                raise
        raise AssertionError

    def _request(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> bytes:
        lines = {
            "Host": f"127.0.0.1:{self.port}",
            "X-Forwarded-Proto": "https",
            "X-Forwarded-For": self.address,
            "Accept-Encoding": "gzip",
            "Accept-Language": "en",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "Content-Length": str(len(body)),
        } | headers
        if path in self.tags:
            lines["If-None-Match"] = self.tags[path]
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body

    async def _exchange(self, request: bytes) -> Answer:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        reader, writer = self._streams
        writer.write(request)
        await writer.drain()
        status, headers = self._head((await reader.readuntil(b"\r\n\r\n")).decode("latin-1"))
        content = await _body(reader, status, headers)
        if headers.get("connection", "").lower() == "close":
            self.close()
        if headers.get("content-encoding") == "gzip" and content:
            content = gzip.decompress(content)
        return Answer(status, headers, content.decode("utf-8", errors="replace"))

    def _head(self, head: str) -> tuple[int, dict[str, str]]:
        first, *lines = head.rstrip("\r\n").split("\r\n")
        headers = {}
        for line in lines:
            name, _, value = line.partition(":")
            if name.lower() == "set-cookie":
                key, _, rest = value.strip().partition("=")
                self.cookies[key] = rest.partition(";")[0]
            headers[name.lower()] = value.strip()
        return int(first.split()[1]), headers

    def close(self) -> None:
        if self._streams:
            self._streams[1].close()
            self._streams = None


async def _body(reader: asyncio.StreamReader, status: int, headers: dict[str, str]) -> bytes:
    if status in (204, 304):
        return b""
    if "content-length" in headers:
        return await reader.readexactly(int(headers["content-length"]))
    content = b""
    while size := int(await reader.readline(), 16):
        content += await reader.readexactly(size)
        await reader.readline()
    await reader.readline()
    return content


@dataclass
class Times:
    """Milliseconds by kind of request, and what went wrong; only what is asked for while `is_counting`."""

    by_kind: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    is_counting: bool = False


class Person:
    """Somebody with an account and a team; `number` is unlike anybody else's."""

    def __init__(self, number: int, port: int, times: Times, run_of: Callable[[int], bytes], thinks: float) -> None:
        self.number = number
        self.rng = random.Random(number)
        self.browser = Browser(port, f"10.{number // 62500}.{number // 250 % 250}.{number % 250 + 1}")
        self.times = times
        self.run_of = run_of
        self.thinks = thinks  # seconds, on average
        self.latest = ""  # path of the page of the last run
        self.n_runs = 0

    async def log_in(self, address: str, password: str) -> None:
        form = await self.browser.get("/accounts/login/")
        fields = {"csrfmiddlewaretoken": _token(form), "login": address, "password": password}
        answer = await self.browser.post("/accounts/login/", fields)
        if answer.status != 302 or "sessionid" not in self.browser.cookies:
            raise RuntimeError(f"{address} cannot log in: {answer.status}")

    async def live(self, until: float, task: str, phase: str) -> None:
        """Think and look, until the loop's clock shows this time."""
        clock = asyncio.get_running_loop().time
        await asyncio.sleep(self.rng.random() * self.thinks)
        while clock() < until:
            try:
                await self.act(self.choose(), task, phase, until)
            except (OSError, asyncio.IncompleteReadError, RuntimeError) as error:
                if self.times.is_counting:
                    self.times.errors[f"{type(error).__name__}: {error}"[:90]] += 1
                self.browser.close()
            await asyncio.sleep(self.thinks * (0.5 + self.rng.random()))

    def choose(self) -> str:
        """45 % a board, 22 % another page, 12 % an upload; what is left falls to them in proportion."""
        kinds = {"board": 45, "home": 5.5, "task": 5.5, "history": 5.5, "own runs": 5.5, "upload": 12}
        return self.rng.choices(list(kinds), list(kinds.values()))[0]

    async def act(self, kind: str, task: str, phase: str, until: float) -> None:
        board = f"/tasks/{task}/{phase}/board/{self.rng.randint(1, 3)}/"
        paths = {
            "board": board,
            "home": "/",
            "task": f"/tasks/{task}/",
            "history": f"{board}history/",
            "own runs": f"/tasks/{task}/submissions/",
        }
        if kind == "upload":
            await self.upload(f"/tasks/{task}/{phase}/submit/", until)
        else:
            await self.timed(kind, self.browser.get(paths[kind]), 200, 304)

    async def upload(self, path: str, until: float) -> None:
        """The form, the files, the page of the run, what that asks for until nothing waits, and the page once more."""
        form = await self.timed("upload form", self.browser.get(path), 200)
        team = _TEAM.search(form.text)
        if team is None:
            raise RuntimeError("the upload form offers no team")
        self.n_runs += 1
        # Unlike that of any crowd before: a file that was uploaded already is neither checked nor scored.
        number = 10**9 * _BEGAN + 1_000 * self.number + self.n_runs
        fields = {
            "csrfmiddlewaretoken": _token(form),
            "team": team.group(1),
            "method": f"Method {number}",
            "anyway": "1",
        }
        answer = await self.timed("upload", self.browser.post(path, fields, ("run.zip", self.run_of(number))), 302)
        self.latest = answer.headers["location"]
        await self.poll(await self.timed("run's page", self.page_of_run(), 200), until)

    async def page_of_run(self) -> Answer:
        """Which is found at another address once it waits no more."""
        answer = await self.browser.get(self.latest)
        if answer.status == 302:
            self.latest = answer.headers["location"]
            answer = await self.browser.get(self.latest)
        return answer

    async def poll(self, page: Answer, until: float) -> None:
        """As the page says: after how long, and where; the last answer lets the browser load the page with results."""
        clock = asyncio.get_running_loop().time
        while (found := _NEXT_POLL.search(page.text)) and clock() < until:
            path = found.group(1).replace("&amp;", "&")
            await asyncio.sleep(int(found.group(2)) / 1000)
            page = await self.timed("poll", self.browser.get(path, **{"HX-Request": "true"}), 200, 204, 286)
            if "hx-refresh" in page.headers:
                page = await self.timed("results", self.page_of_run(), 200)
                await self.ask_for_place(page, until)

    async def ask_for_place(self, page: Answer, until: float) -> None:
        """As the page with the results says, until the board has the run."""
        clock = asyncio.get_running_loop().time
        found, is_made = _PLACE.search(page.text), False
        while found and not is_made and clock() < until:
            await asyncio.sleep(int(found.group(2)))
            answer = await self.timed(
                "place", self.browser.get(found.group(1), **{"HX-Request": "true"}), 200, 204, 286
            )
            is_made = answer.status != 204

    async def timed(self, kind: str, request, *expected: int) -> Answer:
        start = time.perf_counter()
        answer = await request
        took = 1000 * (time.perf_counter() - start)
        if answer.status not in expected:
            raise RuntimeError(f"{kind}: {answer.status}")
        if self.times.is_counting:
            self.times.by_kind[kind].append(took)
        return answer


def _token(page: Answer) -> str:
    found = _TOKEN.search(page.text)
    if found is None:
        raise RuntimeError(f"a page without a form: {page.status}")
    return found.group(1)
