"""Writes the public pages of a finished task as a zip with one folder that needs no server."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evalsite.challenges.models import Task
from evalsite.challenges.storage.durable import write_new
from evalsite.challenges.storage.zip_streams import zipped
from evalsite.contrib.archives.pages import NotPublic, StaticPages


class Command(BaseCommand):
    help = "Writes the pages of a task that everybody sees as files, with boards, style and pictures."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the task's place in addresses")
        parser.add_argument("file", type=Path, help="the zip file to be made")

    def handle(self, *args: Any, slug: str, file: Path, **options: Any) -> None:
        task = Task.objects.filter(slug=slug).first()
        if task is None:
            raise CommandError(f"There is no task {slug}.")
        try:
            write_new(file, zipped(StaticPages(task).members()), top=file.parent, mode=0o644)
        except NotPublic:
            raise CommandError("Strangers see no page of the task: publish it first.") from None
        except FileExistsError:
            raise CommandError(f"{file} is there already; nothing was written.") from None
        self.stdout.write(f"{file}: open index.html in it")
