"""A mail server that keeps what it takes for a test to read, and refuses or hangs where the test wants it."""

import socketserver
import threading
from collections.abc import Callable
from contextlib import contextmanager


@contextmanager
def mail_server(address: str = "127.0.0.1"):
    """The server; its address is `url`, as EMAIL_URL takes it, and what it took is in `taken`."""
    with MailServer(address) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


class MailServer(socketserver.ThreadingTCPServer):
    daemon_threads = True
    # What it answers to a line, such as "RCPT TO:<a@example.org>", or to "." after a text; None: as usual.
    answer: Callable[[str], str | None] = staticmethod(lambda line: None)

    def __init__(self, address: str) -> None:
        super().__init__((address, 0), Conversation)
        self.taken: list[bytes] = []
        self.url = f"smtp://{address}:{self.server_address[1]}"


class Conversation(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(b"220 ready\r\n")
        while line := self.rfile.readline():
            command = line[:4].upper().decode() + line[4:].decode().rstrip()
            answer = self.server.answer(command) or "250 yes"
            if command == "DATA" and answer == "250 yes":
                self.wfile.write(b"354 go on\r\n")
                text = list(iter(self.rfile.readline, b".\r\n"))
                if not text or b"" in text:
                    return  # the other side has died: a text without its end is no mail
                answer = self.server.answer(".") or "250 yes"
                if answer.startswith("250"):
                    self.server.taken.append(b"".join(text))
            self.wfile.write(f"{answer}\r\n".encode())
