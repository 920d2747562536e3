"""A mail server that takes every mail, and keeps it for a test to read."""

import socketserver
import threading
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

    def __init__(self, address: str) -> None:
        super().__init__((address, 0), Conversation)
        self.taken: list[bytes] = []
        self.url = f"smtp://{address}:{self.server_address[1]}"


class Conversation(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(b"220 ready\r\n")
        while line := self.rfile.readline():
            if line.upper().startswith(b"DATA"):
                self.wfile.write(b"354 go on\r\n")
                self.server.taken.append(b"".join(iter(self.rfile.readline, b".\r\n")))
            self.wfile.write(b"250 yes\r\n")
