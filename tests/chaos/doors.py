"""Small servers of the suite itself: a door before a server, which can be shut, and a post box for mails."""

import socket
import socketserver
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.chaos.processes import LOOPBACK

Spoil = Callable[[bytes], tuple[bytes, bool]]  # what has come -> what goes on, and whether more may follow


class Door:
    """Hands connections on to a server of this machine; when shut, it refuses them and cuts those that stand.

    A server that keeps its objects in memory can so be away without losing them.
    """

    def __init__(self, behind: int) -> None:
        """`behind` is the server's port."""
        self._behind = behind
        self.spoil: Spoil | None = None  # what becomes of the server's answers
        self._listener: socket.socket | None = socket.create_server((LOOPBACK, 0))
        self.port = int(self._listener.getsockname()[1])
        self._open: set[socket.socket] = set()
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def shut(self) -> None:
        listener, self._listener = self._listener, None
        if listener is None:
            return
        for each in (listener, *self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        listener.close()

    def open(self) -> None:
        if self._listener is None:
            self._listener = socket.create_server((LOOPBACK, self.port), backlog=64)
            threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                visitor, _ = listener.accept()
                threading.Thread(target=self._lead, args=(visitor,), daemon=True).start()

    def _lead(self, visitor: socket.socket) -> None:
        try:
            server = socket.create_connection((LOOPBACK, self._behind))
        except OSError:
            visitor.close()
            return
        pair = {visitor, server}
        self._open |= pair
        back = threading.Thread(target=_copy, args=(server, visitor, lambda: self.spoil), daemon=True)
        back.start()
        _copy(visitor, server)
        back.join()
        self._open -= pair
        for each in pair:
            each.close()


def _copy(source: socket.socket, target: socket.socket, spoiled: Callable[[], Spoil | None] = lambda: None) -> None:
    with suppress(OSError):
        while content := source.recv(65536):
            spoil = spoiled()
            content, goes_on = spoil(content) if spoil else (content, True)
            target.sendall(content)
            if not goes_on:
                break
    for each, half in ((target, socket.SHUT_WR), (source, socket.SHUT_RD)):
        with suppress(OSError):
            each.shutdown(half)


class PostBox(socketserver.ThreadingTCPServer):
    """A mail server that takes every mail and writes it to the end of a file."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, path: Path) -> None:
        super().__init__((LOOPBACK, 0), _Postman)
        self.path = path
        self.port = int(self.server_address[1])
        self._writing = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def take(self, mail: bytes) -> None:
        with self._writing, self.path.open("ab") as stream:
            stream.write(mail + b"\n\n")


class _Postman(socketserver.StreamRequestHandler):
    server: PostBox

    def handle(self) -> None:
        self._say("220 ready")
        while line := self.rfile.readline():
            word = line[:4].upper()
            if word == b"DATA":
                self._say("354 go on")
                self.server.take(b"".join(iter(self.rfile.readline, b".\r\n")))
                self._say("250 taken")
            elif word == b"QUIT":
                return self._say("221 bye")
            else:
                self._say("250 yes")

    def _say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())
