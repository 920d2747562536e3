"""Writes a task as a bundle, a documented zip archive."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evalsite.challenges.models import Task
from evalsite.challenges.storage.durable import write_new
from evalsite.challenges.storage.zip_streams import zipped
from evalsite.contrib.bundles.writing import Bundle, with_digests


class Command(BaseCommand):
    help = "Writes a task with its texts, data and gold as a bundle, from which importtask makes it again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the task's place in addresses")
        parser.add_argument("file", type=Path, help="to be made, for its user alone: it has the hidden gold")

    def handle(self, *args: Any, slug: str, file: Path, **options: Any) -> None:
        task = Task.objects.filter(slug=slug).first()
        if task is None:
            raise CommandError(f"There is no task {slug}.")
        bundle = Bundle(task)
        if missing := bundle.missing():
            raise CommandError(f"Files of the task are not stored any more: {', '.join(missing)}")
        try:
            write_new(file, zipped(with_digests(bundle.members())), top=file.parent, mode=0o600)
        except FileExistsError:
            raise CommandError(f"{file} is there already; nothing was written.") from None
        self.stdout.write(f"{file}: {len(bundle.texts) + len(bundle.files) + 1} files")
