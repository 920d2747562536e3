"""Backs up the whole site while it runs."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evalsite.upkeep.backup.making import make
from evalsite.upkeep.backup.manifest import SECRET_KEY, BackupError, Manifest
from evalsite.upkeep.wording import counted, size

NAMED = 20


class Command(BaseCommand):
    help = "Backs up database and files into a new folder, while the site runs. See docs/backup.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="to be made, for the site's user alone")
        parser.add_argument(
            "--base", "--since", type=Path, help="an earlier backup: what it has is linked instead of copied"
        )
        parser.add_argument(
            "--link",
            action="store_true",
            help="link the site's own files too, on the same disk: small, but no copy",
        )
        parser.add_argument(
            "--with-secret-key", action="store_true", help="keep the secret key too: who has the backup has it then"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        began = time.monotonic()
        try:
            manifest = make(
                options["folder"],
                base=options["base"],
                with_secret_key=options["with_secret_key"],
                links=options["link"],
            )
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{options['folder']}: the database ({size(manifest.database_bytes)}) and "
            f"{counted(manifest.files, 'file')} ({size(manifest.files_bytes)}), of which "
            f"{manifest.files_from_base:,} were in the earlier backup; {time.monotonic() - began:.0f} s."
        )
        if not manifest.has_secret_key:
            self.stdout.write("The secret key is not in it: keep that elsewhere, or say --with-secret-key.")
        else:
            self.stdout.write(f"The secret key is in it ({SECRET_KEY}): whoever reads it can pass for anybody.")
        self._warn(manifest)

    def _warn(self, manifest: Manifest) -> None:
        for words, names in (("was not there", manifest.missing), ("is not what its row knows", manifest.altered)):
            for name in names[:NAMED]:
                self.stderr.write(f"A file {words}: {name}")
            if len(names) > NAMED:
                self.stderr.write(f"... and {len(names) - NAMED:,} more")
