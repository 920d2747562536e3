"""Makes lost or broken evaluation files again from upload and gold, and stores them if the numbers are the same."""

from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from evalsite.leaderboard.making.recovery import CannotMake, is_lost, make_again, on_boards, with_scoring
from evalsite.submissions.models import Result


class Command(BaseCommand):
    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("scorings", nargs="*", type=UUID, help="keys of the scorings whose files are made again")
        parser.add_argument("--lost", action="store_true", help="look at all files that boards and histories read")

    def handle(self, *args: Any, **options: Any) -> None:
        if bool(options["scorings"]) == options["lost"]:
            raise CommandError("Name scorings, or look for --lost files.")
        named = with_scoring(Result.objects.filter(pk__in=options["scorings"]))
        results = filter(is_lost, on_boards().iterator()) if options["lost"] else named
        n_made, n_failed = self._make(results)
        if not n_made and not n_failed:
            self.stdout.write("No file is lost." if options["lost"] else "There are no such scorings with a result.")
        if n_made:
            self.stdout.write(f"{n_made} {'file' if n_made == 1 else 'files'} made again.")
        if n_failed:
            raise CommandError(f"{n_failed} could not be made again.")

    def _make(self, results: Iterable[Result]) -> tuple[int, int]:
        n_made = n_failed = 0
        for result in results:
            try:
                make_again(result)
                n_made += 1
            except CannotMake as error:
                n_failed += 1
                self.stdout.write(f"{result.pk}: {error}.")
        return n_made, n_failed
