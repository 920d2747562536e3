"""Measures how many badges a second a site gives out to pages of other sites, from what it keeps.

    python benchmarks/badges.py [--entries 50] [--seconds 10]
    python benchmarks/badges.py --tiny     whether it runs, in seconds; the limit counts for nothing

nginx with deploy/nginx.conf (without TLS), and the web servers of `deploy/` that docs/server.md starts; the client
shares the cores with them. Each of 16 readers asks for the badge of one entry after another, as fast as answers come,
and has none of them yet. "Anew" are the first answers, which the site makes one after the other; then it keeps them,
and so does the proxy, for two seconds. Ends with status 1 where fewer than 500 a second come from what is kept.
"""

import asyncio
import sys
import time
from itertools import cycle

import servers
from servers import HOST, PRODUCTION

ARGUMENTS = servers.arguments(__doc__, {"entries": 3, "seconds": 1}, entries=50, seconds=10)
FOLDER = servers.start("badges", **PRODUCTION)

import seeding
from django.utils import timezone
from load_client import Browser

from evalsite.base import broker
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board

FEWEST, N_READERS = 500, 16
TASK = "badges"


def main() -> int:
    servers.make_tables()
    servers.manage("collectstatic", "--noinput")
    units, port = [unit for unit in servers.units() if unit.bind], broker.free_port()
    binds = {unit.bind: f"{broker.LOOPBACK}:{broker.free_port()}" for unit in units}
    servers.start_units([unit.at(binds[unit.bind]) for unit in units], FOLDER)
    servers.start_nginx(FOLDER, port, binds)
    addresses = seed()
    return asyncio.run(measured(port, addresses))


def seed() -> list[str]:
    """Return the addresses of the badges of all entries of one board, whose results are released."""
    task = seeding.make_task(TASK, n_scenarios=1)
    phase = seeding.make_phase(task)
    for number, person in enumerate(seeding.make_people(ARGUMENTS.entries, task)):
        seeding.score(seeding.upload(phase, person, number, list(task.scenarios.all())))
    phase.closes = phase.results_released = timezone.now()
    phase.save()
    board, _ = Board.objects.get_or_create(phase=phase, scenario=task.scenarios.get())
    refresh(board)
    newest = board.editions.order_by("changes").last()
    assert newest is not None
    return [f"/tasks/{TASK}/test/board/1/badge/{entry['submission']}.svg" for entry in newest.entries]


async def measured(port: int, addresses: list[str]) -> int:
    browsers = [Browser(HOST, port, broker.LOOPBACK, {}) for _ in range(N_READERS)]
    anew: list[float] = []
    for address in addresses:
        await read(browsers[0], address, anew)
    waits: list[float] = []
    until = time.monotonic() + ARGUMENTS.seconds
    await asyncio.gather(*(read_all(browser, addresses, until, waits) for browser in browsers))
    rate = len(waits) / ARGUMENTS.seconds
    print(f"{len(addresses)} badges, {N_READERS} readers\n\n{'':<8}{'a second':>10}{'p50 in ms':>12}{'p95 in ms':>12}")
    print(f"{'anew':<8}{len(anew) / sum(anew):>10,.0f}{_at(anew, 0.5):>12.1f}{_at(anew, 0.95):>12.1f}")
    print(f"{'kept':<8}{rate:>10,.0f}{_at(waits, 0.5):>12.1f}{_at(waits, 0.95):>12.1f}")
    return int(rate < FEWEST and not ARGUMENTS.tiny)


def _at(waits: list[float], share: float) -> float:
    """Return the percentile in milliseconds."""
    return 1000 * sorted(waits)[int(share * len(waits))]


async def read_all(browser: Browser, addresses: list[str], until: float, waits: list[float]) -> None:
    for address in cycle(addresses):
        if time.monotonic() > until:
            return
        await read(browser, address, waits)


async def read(browser: Browser, address: str, waits: list[float]) -> None:
    begun = time.monotonic()
    browser.forget()
    answer = await browser.get(address)
    assert answer.status == 200, answer.status
    waits.append(time.monotonic() - begun)


if __name__ == "__main__":
    sys.exit(main())
