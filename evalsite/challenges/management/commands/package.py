"""`python3 manage.py package`: the engine as a wheel for participants, the same one that the site offers."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from evalsite.challenges.starter_kit.wheel import NAME, engine_wheel


class Command(BaseCommand):
    help = "Builds the engine as a wheel with the console command `evalsite`."
    requires_system_checks: list[str] = []  # noqa: RUF012 - as Django has it

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--output", type=Path, default=Path("dist"), help="folder for the wheel (dist)")

    def handle(self, *args: Any, output: Path, **options: Any) -> None:
        output.mkdir(parents=True, exist_ok=True)
        (output / NAME).write_bytes(engine_wheel())
        self.stdout.write(str(output / NAME))
