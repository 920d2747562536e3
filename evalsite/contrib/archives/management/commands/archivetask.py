"""Writes a finished task as an archive, from which `evalsite verify` computes everything again."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evalsite.challenges.models import Task
from evalsite.challenges.services import unfinished_phases
from evalsite.challenges.storage.durable import write_new
from evalsite.challenges.storage.zip_streams import zipped
from evalsite.contrib.archives.writing import Archive


class Command(BaseCommand):
    help = "Writes a finished task with its runs, evaluations, boards and receipts, for evalsite verify."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the task's place in addresses")
        parser.add_argument("file", type=Path, help="to be made, for its user alone: it has the hidden gold")
        parser.add_argument("--all-names", action="store_true", help="with names and times that boards do not show")

    def handle(self, *args: Any, slug: str, file: Path, all_names: bool, **options: Any) -> None:
        task = Task.objects.filter(slug=slug).first()
        if task is None:
            raise CommandError(f"There is no task {slug}.")
        if open_phases := unfinished_phases(task):
            raise CommandError(f"The task is not over: {', '.join(map(str, open_phases))}")
        archive = Archive(task, shows_all=all_names)
        if missing := archive.bundle.missing():
            raise CommandError(f"Files of the task are not stored any more: {', '.join(missing)}")
        try:
            write_new(file, zipped(archive.members()), top=file.parent, mode=0o600)
        except FileExistsError:
            raise CommandError(f"{file} is there already; nothing was written.") from None
        self.stdout.write(f"{file}: {len(archive.numbers)} runs")
