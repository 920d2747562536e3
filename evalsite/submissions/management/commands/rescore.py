"""Scores the runs of boards again with the installed engine, in the background and beside the scores that rank.

Where all numbers are equal, the installed engine ranks from then on; otherwise organisers look at what would change, on
the page of the gold, and publish it. Boards never mix engines.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

import scoring
from evalsite.challenges.gold.versions import golds_of
from evalsite.challenges.models import Task
from evalsite.submissions.lifecycle.candidates import follow_engine, progress_of


class Command(BaseCommand):
    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--task", metavar="SLUG", help="only the boards of this task")

    def handle(self, *args: Any, **options: Any) -> None:
        tasks = Task.objects.order_by("slug")
        if options["task"]:
            tasks = tasks.filter(slug=options["task"])
            if not tasks.exists():
                raise CommandError(f"There is no task {options['task']}.")
        n_asked = sum(map(self._follow, tasks))
        if not n_asked:
            self.stdout.write(f"All boards are up to date with engine {scoring.__version__}.")

    def _follow(self, task: Task) -> int:
        n_asked = 0
        for golds in golds_of(task.phases.values("pk")).values():
            for gold in golds.to_score:
                if follow_engine(gold):
                    n_asked += 1
                    n_runs = progress_of(gold).n_runs
                    self.stdout.write(f"{task.slug}: {gold}: {n_runs} runs, by engine {gold.scenario.engine_version}")
        return n_asked
