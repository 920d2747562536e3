"""Reads the reports of mail servers about letters that were not delivered after all."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evalsite.mailing.bounces import reject_bounced

MOST_BYTES = 2**18  # of a mail; a report says first what has failed, and returns the letter then


class Command(BaseCommand):
    help = (
        "Reads reports about letters that were not delivered (RFC 3464), from a maildir or one from the standard "
        "input, and shows their addresses as rejected on the desk. New mails of a maildir are read, and move from its "
        "folder new to cur. Mail that is no such report is passed over."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("maildir", nargs="?", type=Path, help="a folder with cur, new and tmp; else standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        n_read = n_rejected = 0
        for mail in _unread(options["maildir"]) if options["maildir"] else _piped():
            n_read += 1
            if copy := reject_bounced(mail):
                n_rejected += 1
                self.stdout.write(f"{copy.letter.task.slug}: “{copy.letter}” to {copy.email}: {copy.error}")
        self.stdout.write(f"Mails read: {n_read}. Addresses newly rejected: {n_rejected}.")


def _piped() -> Iterator[bytes]:
    yield sys.stdin.buffer.read(MOST_BYTES)
    while sys.stdin.buffer.read(MOST_BYTES):
        pass  # a mail server takes a pipe that closes early for an error


def _unread(folder: Path) -> Iterator[bytes]:
    """Yield the new mails of the folder, each of which moves once it is dealt with, so that none is lost."""
    if missing := [name for name in ("cur", "new", "tmp") if not (folder / name).is_dir()]:
        raise CommandError(f"{folder} is no maildir: it has no folder {' and no folder '.join(missing)}.")
    for path in sorted((folder / "new").iterdir()):
        with path.open("rb") as file:
            yield file.read(MOST_BYTES)
        path.rename(folder / "cur" / f"{path.name.partition(':')[0]}:2,S")
