"""People at their browsers: connections that stay open, cookies, forms with their tokens, and what is asked for when.

For `load.py`. A person thinks, asks for a page, thinks again; after an upload the page of the run asks by itself, and
is loaded anew once all is scored. Style sheets, scripts and pictures are not asked for: a browser has them for a year
after its first page.
"""

import asyncio
import gzip
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin

BOUNDARY = "----evalsite-load"
SCENARIOS = 3
_SECONDS_OF_PATIENCE = 60.0
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
_TEAM = re.compile(r'name="team" value="([^"]+)"')
_OPTION = re.compile(r'<option value="([0-9a-f-]{36})"')
_RUN = re.compile(r'href="(/submissions/[0-9a-f-]{36}/)"')
_TAG = re.compile(r"<[a-z][^>]*\bhx-get=[^>]*>")
_ADDRESS = re.compile(r'\bhx-get="([^"]*)"')
_TRIGGER = re.compile(r'\bhx-trigger="([^"]*)"')
_PLACE = re.compile(r'hx-get="([^"]+)" hx-trigger="every (\d+)s"')
_NEXT_POLL = re.compile(r'hx-get="([^"]+)"[^>]*?hx-trigger="load delay:(\d+)ms', re.DOTALL)

# How often each kind is chosen.
LOGGED_IN = {
    **{"board": 42, "run's page": 12, "comparison": 8, "upload": 8, "own runs": 6, "home": 5, "task": 5},
    **{"overview": 4, "history": 5, "pairs": 5},
}
ANONYMOUS = {"board": 52, "home": 10, "task": 10, "comparison": 8, "overview": 6, "history": 7, "pairs": 7}


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    text: str


@dataclass
class Browser:
    """That of one person, whose connection comes from `address`."""

    host: str
    port: int
    address: str
    cookies: dict[str, str]
    kind: str = ""  # of what is asked for next, for the site to note what it costs; "" while nothing is counted
    _tags: dict[str, str] = field(default_factory=dict)  # by path, what the browser has of it
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str, *, by_htmx: bool = False) -> Answer:
        headers = {"HX-Request": "true"} if by_htmx else {}
        if path in self._tags:
            headers["If-None-Match"] = self._tags[path]
        answer = await self._send("GET", path, b"", headers)
        if answer.status == 200 and "etag" in answer.headers:
            self._tags[path] = answer.headers["etag"]
        return answer

    def forget(self) -> None:
        """Ask for each page as one that the browser has not seen yet."""
        self._tags.clear()

    async def post(self, path: str, form: Mapping[str, str], file: tuple[str, bytes]) -> Answer:
        parts = [(f'name="{name}"', value.encode()) for name, value in form.items()]
        parts.append((f'name="files"; filename="{file[0]}"', file[1]))
        head = f"--{BOUNDARY}\r\nContent-Disposition: form-data; "
        body = b"".join(f"{head}{name}\r\n\r\n".encode() + value + b"\r\n" for name, value in parts)
        body += f"--{BOUNDARY}--\r\n".encode()
        headers = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}", "Origin": f"https://{self.host}"}
        return await self._send("POST", path, body, headers)

    async def _send(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        lines = {
            "Host": self.host,
            "Accept-Encoding": "gzip",
            "Accept-Language": "en",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "Content-Length": str(len(body)),
            "X-Kind": self.kind,
            **headers,
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value)
        request = f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body
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

    async def _exchange(self, request: bytes) -> Answer:
        if self._streams is None:
            place = {"local_addr": (self.address, 0), "limit": 2**20}
            self._streams = await asyncio.open_connection("127.0.0.1", self.port, **place)
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
        for name, _, value in (line.partition(":") for line in lines):
            if name.lower() == "set-cookie":
                key, _, rest = value.strip().partition("=")
                self.cookies[key] = rest.partition(";")[0]
            headers[name.lower()] = value.strip()
        return int(first.split()[1]), headers

    def close(self) -> None:
        if self._streams:
            self._streams[1].close()
            self._streams = None


async def _body(reader: asyncio.StreamReader, status: int, headers: Mapping[str, str]) -> bytes:
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
    """Milliseconds by kind of what is asked for while `is_counting`, and what went wrong at any time."""

    by_kind: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    refused: Counter[str] = field(default_factory=Counter)  # by kind and status, and what broke off
    is_counting: bool = False


class Unexpected(Exception):
    """An answer of a status that the person had no reason to expect."""


class Person:
    """Somebody who looks and, with an account, uploads; `number` is unlike anybody else's."""

    def __init__(self, number: int, browser: Browser, times: Times, task: str, run_of: Callable[[int], bytes]) -> None:
        self.number = number
        self.rng = random.Random(number)
        self.browser = browser
        self.times = times
        self.task = task  # path of the task's page
        self.run_of = run_of
        self.has_account = bool(browser.cookies)
        self.runs: list[str] = []  # paths of the own ones, as far as the person has seen them
        self.pieces: dict[str, list[str]] = {}  # by path of a page, what it loads by itself
        self.candidates: dict[str, list[str]] = {}  # by path of a page of comparisons, what can be chosen there
        self.n_uploads = 0

    async def live(self, until: float, thinks: float, first: str = "") -> None:
        """Think for some seconds and look, at first at this kind, until the loop's clock shows this time."""
        clock = asyncio.get_running_loop().time
        weights = LOGGED_IN if self.has_account else ANONYMOUS
        await asyncio.sleep(self.rng.random() * thinks)
        while clock() < until:
            [kind], first = [first] if first else self.rng.choices(list(weights), list(weights.values())), ""
            try:
                await self.act(kind, until)
            except (OSError, TimeoutError, asyncio.IncompleteReadError, Unexpected) as error:
                self.times.refused[f"{type(error).__name__}: {error}"[:90]] += 1
                self.browser.close()
            await asyncio.sleep(thinks * (0.5 + self.rng.random()))

    async def act(self, kind: str, until: float) -> None:
        board = f"{self.task}test/board/{self.rng.randint(1, SCENARIOS)}/"
        pages = {
            **{"board": board, "home": "/", "task": self.task, "overview": f"{self.task}test/board/"},
            **{"history": f"{board}history/", "pairs": f"{board}pairs/", "own runs": f"{self.task}submissions/"},
        }
        if kind == "upload":
            await self.upload(until)
        elif kind == "comparison":
            await self.compare(f"{board}compare/")
        elif kind == "run's page" and self.runs:
            await self.look(kind, self.rng.choice(self.runs))
        else:
            page = await self.look(kind, pages.get(kind, pages["own runs"]), "own runs" if kind == "run's page" else "")
            if page.status == 200 and kind in ("own runs", "run's page"):
                self.runs = list(dict.fromkeys(_RUN.findall(page.text)))

    async def look(self, kind: str, path: str, called: str = "") -> Answer:
        """A page, and the pieces that it loads as soon as it is there."""
        kind = f"{called or kind}{'' if self.has_account else ', anonymous'}"
        page = await self.timed(kind, self.browser.get(path), 200, 304)
        if page.status == 200:
            self.pieces[path] = [urljoin(path, piece) for piece in _loaded_at_once(page.text)]
        for piece in self.pieces.get(path, []):
            await self.timed(f"{kind}, piece", self.browser.get(piece, by_htmx=True), 200, 204, 304)
        return page

    async def compare(self, path: str) -> None:
        """Two of the runs that the page offers: entries of the board, and own ones."""
        candidates, query = self.candidates.get(path, []), ""
        if len(candidates) > 1:
            query = "?a={}&b={}".format(*self.rng.sample(candidates, 2))
        page = await self.look("comparison", path + query)
        if page.status == 200 and not query:
            self.candidates[path] = list(dict.fromkeys(_OPTION.findall(page.text)))

    async def upload(self, until: float) -> None:
        """The form, the file, the page of the run, what that asks for until nothing waits, and the page once more."""
        path = f"{self.task}test/submit/"
        form = await self.timed("upload form", self.browser.get(path), 200)
        self.n_uploads += 1
        number = 1_000 * (self.number + 1) + self.n_uploads  # unlike those on the board, whose numbers are below
        names = {"csrfmiddlewaretoken": _TOKEN, "team": _TEAM}
        found = {name: pattern.search(form.text) for name, pattern in names.items()}
        if not all(found.values()):
            raise Unexpected("the upload form has no token or no team")
        fields = {name: match[1] for name, match in found.items() if match}
        fields |= {"method": f"Method {number}", "anyway": "1"}
        content = self.run_of(number)
        began = time.perf_counter()
        answer = await self.timed("upload", self.browser.post(path, fields, ("run.zip", content)), 302)
        self.runs.append(answer.headers["location"])
        page = await self.timed("run's page, waiting", self.page_of_run(), 200)
        await self.poll(page, until, began)

    async def page_of_run(self) -> Answer:
        """The page of the latest run, which is found at another address once it waits no more."""
        answer = await self.browser.get(self.runs[-1])
        if answer.status == 302:
            self.runs[-1] = answer.headers["location"]
            answer = await self.browser.get(self.runs[-1])
        return answer

    async def poll(self, page: Answer, until: float, began: float) -> None:
        """As the page says: after how long, and where; the last answer lets the browser load the page with results."""
        clock = asyncio.get_running_loop().time
        while (found := _NEXT_POLL.search(page.text)) and clock() < until:
            await asyncio.sleep(int(found[2]) / 1000)
            path = urljoin(self.runs[-1], found[1].replace("&amp;", "&"))
            page = await self.timed("poll", self.browser.get(path, by_htmx=True), 200, 204, 286)
            if "hx-refresh" in page.headers:
                self.count("until scored", began)
                page = await self.timed("run's page", self.page_of_run(), 200, 304)
                await self.ask_for_place(page, until, began)

    async def ask_for_place(self, page: Answer, until: float, began: float) -> None:
        """As the page with the results says, until the board has the run."""
        clock = asyncio.get_running_loop().time
        found = _PLACE.search(page.text)
        while found and clock() < until:
            await asyncio.sleep(int(found[2]))
            path = urljoin(self.runs[-1], found[1].replace("&amp;", "&"))
            answer = await self.timed("place", self.browser.get(path, by_htmx=True), 200, 204, 286)
            if answer.status != 204:
                return self.count("until on the board", began)

    async def timed(self, kind: str, request: Awaitable[Answer], *expected: int) -> Answer:
        began = time.perf_counter()
        self.browser.kind = kind if self.times.is_counting else ""
        answer = await request
        if answer.status not in expected:
            raise Unexpected(f"{kind}: {answer.status}")
        self.count(kind, began)
        return answer

    def count(self, kind: str, began: float) -> None:
        if self.times.is_counting:
            self.times.by_kind[kind].append(1000 * (time.perf_counter() - began))


def _loaded_at_once(page: str) -> list[str]:
    """Addresses of the pieces that htmx asks for as soon as the page is there."""
    pieces = []
    for tag in _TAG.findall(page):
        trigger, address = _TRIGGER.search(tag), _ADDRESS.search(tag)
        if trigger and address and re.search(r"(^|,)\s*load(?! delay)\b", trigger[1]):
            pieces.append(address[1].replace("&amp;", "&"))
    return pieces
