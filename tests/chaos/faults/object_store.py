"""The object store: away, silent, busy, and with other bytes than were stored."""

import random
import time

from tests.chaos.doors import Spoil
from tests.chaos.faults.hurting import stopped
from tests.chaos.injecting import fault
from tests.chaos.site import Site


@fault("object store away", breaks="storage", seconds=15, storage="s3")
def storage_away(site: Site, rng: random.Random) -> str:
    door, seconds = site.storage_door, rng.uniform(8, 20)
    assert door is not None
    door.shut()
    try:
        time.sleep(seconds)
    finally:
        door.open()
    return f"for {seconds:.0f} s"


@fault("object store hangs", breaks="storage", seconds=25, storage="s3")
def storage_hangs(site: Site, rng: random.Random) -> str:
    store = site.programs["storage"]
    return stopped(store, [store.pid], rng.uniform(15, 30))


@fault("object store answers slowly", breaks="storage", seconds=25, storage="s3")
def storage_slow(site: Site, rng: random.Random) -> str:
    def wait(chunk: bytes) -> tuple[bytes, bool]:
        time.sleep(rng.uniform(0.5, 3))
        return chunk, True

    return _spoiled(site, wait, rng)


@fault("object store refuses", breaks="storage", seconds=15, storage="s3")
def storage_refuses(site: Site, rng: random.Random) -> str:
    """Some of what is asked, as one does that is asked too much, or whose keys are being changed."""
    status = rng.choice((b"503 Slow Down", b"500 Internal Server Error", b"403 Forbidden"))
    answer = b"HTTP/1.1 %b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" % status
    return _spoiled(site, lambda chunk: (answer, False) if rng.random() < 0.5 else (chunk, True), rng)


@fault("answers of the object store are cut off", breaks="storage", seconds=15, storage="s3")
def storage_cut_off(site: Site, rng: random.Random) -> str:
    def cut(chunk: bytes) -> tuple[bytes, bool]:
        return (chunk, True) if rng.random() < 0.6 else (chunk[: rng.randrange(len(chunk))], False)

    return _spoiled(site, cut, rng)


@fault("answers of the object store have other bytes", breaks="storage", seconds=15, storage="s3")
def storage_flips_bits(site: Site, rng: random.Random) -> str:
    def flip(chunk: bytes) -> tuple[bytes, bool]:
        head, gap, body = chunk.rpartition(b"\r\n\r\n") if chunk.startswith(b"HTTP/") else (b"", b"", chunk)
        if not body or b"<?xml" in body or rng.random() < 0.5:
            return chunk, True
        place = rng.randrange(len(body))
        return head + gap + body[:place] + bytes([body[place] ^ 1]) + body[place + 1 :], True

    return _spoiled(site, flip, rng)


def _spoiled(site: Site, spoil: Spoil, rng: random.Random) -> str:
    door, seconds = site.storage_door, rng.uniform(8, 15)
    assert door is not None
    door.spoil = spoil
    try:
        time.sleep(seconds)
    finally:
        door.spoil = None
    return f"for {seconds:.0f} s"
