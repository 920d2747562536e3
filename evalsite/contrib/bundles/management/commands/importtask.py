"""Makes a task of a bundle."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evalsite.accounts.models import User
from evalsite.contrib.bundles.importing import import_bundle
from evalsite.contrib.bundles.problems import BundleError
from evalsite.contrib.bundles.unpacked import limits_of_command
from evalsite.desk.making.drafts import TitleTaken
from evalsite.desk.scenarios.uses import way, ways


class Command(BaseCommand):
    help = "Makes a task of a bundle, as a draft. Nothing is stored if anything is wrong with it. See docs/bundle.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a bundle, as exporttask or the desk writes it")
        parser.add_argument("--owner", required=True, metavar="ADDRESS", help="of the account that will own the task")

        parser.add_argument(
            "--use",
            default="",
            metavar="KEY",
            help="what systems do, for a bundle of CodaLab or Codabench, such as named-entities",
        )

    def handle(self, *args: Any, file: Path, owner: str, use: str, **options: Any) -> None:
        user = User.objects.filter(email__iexact=owner).first()
        if user is None:
            raise CommandError(f"There is no account {owner}.")
        if use and way(use) is None:
            raise CommandError(f"No system does {use}. Known are: {', '.join(way.use.key for way in ways())}.")
        try:
            imported = import_bundle(file, file.name, by=user, use=use, within=limits_of_command())
        except (BundleError, TitleTaken, OSError) as error:
            raise CommandError(f"{error}\nNothing was imported.") from None
        for note in imported.notes:
            self.stdout.write(note)
        self.stdout.write(f"{imported.task.get_absolute_url()}: a draft of {user.email}")
