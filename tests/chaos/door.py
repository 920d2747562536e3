"""Hands connections on to another port: `python -m tests.chaos.door PORT BEHIND`.

Killed in place of a server that keeps everything in memory, it takes the server away without what is in it; stopped
for moments, it makes it slow.
"""

import asyncio
import sys
from contextlib import suppress

from tests.chaos.processes import LOOPBACK


async def serve(port: int, behind: int) -> None:
    async def lead(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, server = await asyncio.open_connection(LOOPBACK, behind)
        await asyncio.gather(_copy(reader, server), _copy(answers, writer))

    await (await asyncio.start_server(lead, LOOPBACK, port)).serve_forever()


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while content := await source.read(65536):
            target.write(content)
            await target.drain()
    target.close()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2])))
