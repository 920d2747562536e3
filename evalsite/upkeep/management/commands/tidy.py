"""Removes what nobody owns any more."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evalsite.upkeep.tidying import ForeignFiles, tidy
from evalsite.upkeep.wording import counted, size


class Command(BaseCommand):
    help = (
        "Removes files without rows, unfinished and temporary files and empty folders, all older than a day, and "
        "uploads and sessions that have expired; takes the right to write from stored files that have it. Safe while "
        "the site runs; beat does it each day."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="say what would be removed, and remove nothing")
        parser.add_argument(
            "--even-if-most", action="store_true", help="also where more than half of all files have no row"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        dry_run = options["dry_run"]
        report = self.stdout.write if dry_run or options["verbosity"] > 1 else lambda line: None
        try:
            done = tidy(dry_run=dry_run, even_if_most=options["even_if_most"], report=report)
        except ForeignFiles as error:
            raise CommandError(f"{error} If they shall go all the same: --even-if-most") from error
        things = (
            f"{counted(done.files, 'file')} without a row ({size(done.bytes)})",
            counted(done.folders, "empty folder"),
            counted(done.temporary, "temporary file"),
            f"{counted(done.kept_uploads, 'kept upload')} and {counted(done.sessions, 'session')} that had expired",
        )
        self.stdout.write(f"{'Would remove' if dry_run else 'Removed'} {', '.join(things)}.")
