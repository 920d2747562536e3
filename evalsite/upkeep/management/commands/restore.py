"""Restores a backup, or verifies that it is whole."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evalsite.upkeep.backup.manifest import SECRET_KEY, BackupError, read_manifest
from evalsite.upkeep.backup.restoring import Restored, require_whole, restore, restore_missing
from evalsite.upkeep.wording import counted

NAMED = 20


class Command(BaseCommand):
    help = "Restores a backup into an empty site, after checking all of it. Stop the site first. See docs/backup.md."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="that `manage.py backup` has made")
        parser.add_argument("--check", action="store_true", help="look whether the backup is whole, and change nothing")
        parser.add_argument(
            "--missing", action="store_true", help="put back only those files that rows of this site lack"
        )
        parser.add_argument(
            "--replace", action="store_true", help="into a site that is not empty: what it has now is lost"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        try:
            if options["check"]:
                require_whole(folder)
                manifest = read_manifest(folder)
                self.stdout.write(f"Whole: of {manifest.made}, with {counted(manifest.files, 'file')}.")
            elif options["missing"]:
                self.stdout.write(f"Put back {counted(restore_missing(folder), 'file')}.")
            else:
                self._tell(restore(folder, replaces=options["replace"]), folder)
        except BackupError as error:
            raise CommandError(str(error)) from error

    def _tell(self, done: Restored, folder: Path) -> None:
        self.stdout.write(
            f"Restored the site of {done.manifest.made}: the database and {counted(done.manifest.files, 'file')}, "
            f"of which {done.n_written:,} were not there yet."
        )
        if done.n_waiting:
            self.stdout.write(f"{counted(done.n_waiting, 'scoring')} will be done once workers and beat run.")
        if not done.is_same_key:
            where = f"it is in {folder / SECRET_KEY}" if done.manifest.has_secret_key else "it is not in the backup"
            self.stdout.write(
                f"The site had another SECRET_KEY ({where}). With this one everybody has to log in again, and links in "
                "earlier mails no longer work."
            )
        for row in done.without_file[:NAMED]:
            self.stderr.write(f"A row without its file: {row}")
        if len(done.without_file) > NAMED:
            self.stderr.write(f"... and {len(done.without_file) - NAMED:,} more: manage.py doctor files --json")
