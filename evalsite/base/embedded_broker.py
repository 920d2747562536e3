"""A broker for one machine where no Redis is installed: `python -m evalsite.base.embedded_broker --port N`."""

import argparse

import fakeredis

from evalsite.base.broker import LOOPBACK


def serve(port: int) -> None:
    server = fakeredis.TcpFakeServer((LOOPBACK, port))
    # Answers are written in small pieces; collected by Nagle's algorithm they arrive twenty times slower.
    server.RequestHandlerClass.disable_nagle_algorithm = True  # type: ignore[attr-defined]  # it is a class
    server.daemon_threads = True
    server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="An embedded broker for one machine.")
    parser.add_argument("--port", type=int, required=True)
    serve(parser.parse_args().port)
