"""What any page tells its readers to type is typed, and each address that it shows is opened."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.conf import settings
from django.core.management import get_commands, load_command_class
from django.test import Client
from django.urls import reverse

from evalsite.accounts.models import User
from evalsite.api import tokens
from evalsite.challenges.models import Phase
from evalsite.help.guides import GUIDES
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board, Combined
from tests.contrib_apps import contrib_modules
from tests.evalsite.access.cast import World, address, make_worlds, parts
from tests.evalsite.access.walking import WANTED
from tests.factories import run_files, zip_of
from tests.printed import addresses_of, commands_of, unnamed_words

READERS = ("stranger", "alice", "olga", "root")
LANGUAGES = ("en", "es")
ENDS = ("account_logout", "organise_join")  # a walk that opens one is another one from there on
PLACEHOLDER = "https://the.site"  # for one's own in the guides

# What other tests type: words of the command, or the template that prints it, and the test.
TYPED_BY = {
    "python3 manage.py demo": "tests/demo/test_demo_command.py::"
    "test_it_names_the_board_that_it_serves_and_the_accounts",
    "python3 -m venv": "tests/evalsite/api/test_package.py::"
    "test_a_run_is_checked_uploaded_awaited_and_found_on_the_board",
    ".venv/bin/pip install --require-hashes": "tests/evalsite/test_bootstrap.py::"
    "test_uv_installs_what_is_locked_by_the_settings_of_pip",
    ".venv/bin/python -m demo.pictures": "tests/evalsite/help/test_help.py::"
    "test_the_command_makes_the_pictures_that_the_guides_show_and_no_others",
    "install -m 600 deploy/evalsite.env.example": "tests/evalsite/test_deploy.py::"
    "test_the_variables_are_installed_for_their_owner_alone",
    "gunicorn --config": "tests/evalsite/test_deploy.py::test_gunicorn_takes_its_sample",
    "celery -A evalsite.celery": "tests/evalsite/test_deploy.py::test_celery_finds_the_site_by_its_name",
    "python -m scoring compare": "tests/evalsite/board_pages/board/test_reproducing.py::"
    "test_the_printed_command_gives_the_boards_signature_and_finding",
    "api/token_made.html": "tests/evalsite/api/test_tokens.py::test_the_command_beside_a_new_token_names_the_site",
}
for _module in contrib_modules("addresses"):
    TYPED_BY |= getattr(_module, "TYPED_BY", {})
MANAGE = ("python3 manage.py ", "deploy/manage ", "manage.py ")

SHELL = {
    "evalsite": 'exec {python} -m scoring "$@"',
    # What pip would install has to be where the page says.
    "python": """case "$*" in
        "-m pip install "*) shift 3; curl -o wheel.zip "${{1##*@ }}" && exec {python} -m zipfile -t wheel.zip;;
        *) exec {python} "$@";;
    esac""",
    "curl": 'exec {curl} --silent --show-error --fail "$@"',
}


def test_a_command_is_told_from_other_code():
    page = "<p><code>evalsite</code> <code>evalsite board <b>a/b</b></code></p><pre>.venv/bin/pip install x</pre>"
    assert commands_of(page) == ["evalsite board a/b", ".venv/bin/pip install x"]
    assert addresses_of('<a href="http://a">See http://b/c/.</a><script>"http://d"</script>') == ["http://b/c/"]


def test_the_other_tests_that_type_commands_are_there_and_have_their_words():
    assert {command: unnamed_words(command, test) for command, test in TYPED_BY.items()} == dict.fromkeys(TYPED_BY, [])


def test_a_test_that_is_gone_or_types_something_else_is_named():
    assert unnamed_words("gunicorn --config", "tests/evalsite/test_deploy.py::test_nobody") == ["gunicorn", "--config"]
    assert unnamed_words("gunicorn --config", "tests/nowhere.py::test_gunicorn_takes_its_sample") != []
    assert unnamed_words("gunicorn --reload", TYPED_BY["gunicorn --config"]) == ["--reload"]


@pytest.mark.thorough
def test_each_command_of_each_page_is_typed_and_each_address_opened(transactional_db, live_server, celery, tmp_path):
    world, _, people = make_worlds()
    Phase.objects.update(total_limit=None, window_limit=None, year_limit=None)  # all that is printed is uploaded
    Combined.objects.create(phase=world.phase, kind="ranks")
    for board in Board.objects.select_related("phase", "scenario"):
        refresh(board)
    walk = Walk(world, people, live_server.url)
    walk.open_all()
    assert len(walk.commands) > 30
    closed = walk.closed_addresses()  # before a run that is uploaded takes another's place on the board
    machine = Machine(tmp_path, walk)
    with celery("worker", "--concurrency", "1"):
        wrong = [failure for command in walk.commands for failure in machine.failures(command)]
    assert [*wrong, *walk.unseen_templates(), *closed] == []


class Walk:
    """Opens all pages as different readers, and keeps what they tell to type and which addresses they show."""

    def __init__(self, world: World, people: dict[str, User | None], site: str) -> None:
        self.world, self.people, self.site = world, people, site
        self.commands: dict[str, None] = {}  # in the order of the pages
        self.addresses: set[tuple[str, str]] = set()  # reader and address
        self.templates: set[str] = set()

    def open_all(self) -> None:
        for reader in READERS:
            client = self.client(reader)
            for path in self._paths():
                answer = client.get(path)
                self.templates |= {str(template.name) for template in answer.templates}
                if answer.get("Content-Type", "").startswith("text/html"):
                    page = answer.getvalue().decode()
                    self.commands |= dict.fromkeys(commands_of(page))
                    self.addresses |= {(reader, shown) for shown in addresses_of(page)}
                answer.close()

    def client(self, reader: str) -> Client:
        client = Client(headers={"Host": self.site.removeprefix("http://")})
        if user := self.people[reader]:
            client.force_login(user)
        return client

    def _paths(self) -> Iterator[str]:
        for name, wanted in WANTED.items():
            if name not in ENDS:
                yield address(name, parts(name, wanted, self.world), self.world)
        for language in LANGUAGES:
            yield from (f"{reverse('guide', args=[name])}?language={language}" for name in GUIDES)

    def named(self, text: str) -> str:
        """Return the text with names of this world where pages have words that stand for such."""
        meant = {"TASK": self.world.task.slug, "PHASE": self.world.phase.slug, "ID": str(self.world.run.pk)}
        return re.sub(r"\b(TASK|PHASE|ID)\b", lambda word: meant[word[0]], text).replace(PLACEHOLDER, self.site)

    def closed_addresses(self) -> list[str]:
        """Return the addresses that do not open for those who are shown them; those of the API are typed."""
        shown = [(reader, address) for reader, address in sorted(self.addresses) if "/api/" not in address]
        return [f"{reader}: {address}" for reader, address in shown if not self._opens(reader, self.named(address))]

    def _opens(self, reader: str, shown: str) -> bool:
        if not shown.startswith(self.site):
            return False
        answer = self.client(reader).get(shown.removeprefix(self.site) or "/", follow=True)
        answer.close()
        return answer.status_code == 200

    def unseen_templates(self) -> list[str]:
        """Return the templates that print commands, and which nobody has read or types."""
        paths = [path for path in Path("templates").rglob("*.html") if 'class="command"' in path.read_text()]
        names = [str(path.relative_to("templates")) for path in paths]
        return [name for name in names if name not in self.templates and not typed_by(name)]


class Machine:
    """A participant's machine: the unpacked starter kit, some files, and the programs that pages name."""

    def __init__(self, folder: Path, walk: Walk) -> None:
        self.walk = walk
        world, alice = walk.world, walk.people["alice"]
        kit = walk.client("alice").get(reverse("kit", args=[world.task.slug, world.phase.slug]))
        with ZipFile(BytesIO(kit.getvalue())) as archive:
            archive.extractall(folder)
            self.folder = folder / archive.namelist()[0].split("/")[0]
        (self.folder / "run.zip").write_bytes(zip_of(run_files()))
        with ZipFile(self.folder / "run.zip") as archive:
            archive.extractall(self.folder / "my-run")
        (self.folder / "table.csv").write_text(
            "unit,A,B\n" + "".join(f"u{k},{k % 2},{k % 3 % 2}\n" for k in range(30)), encoding="utf-8"
        )
        for name in ("benchmarks", "deploy"):
            (self.folder / name).symlink_to(settings.BASE_DIR / name)
        _, self.token = tokens.make(alice, "laptop", "read upload", None)
        programs = folder / "bin"
        programs.mkdir()
        for name, text in SHELL.items():
            path = programs / name
            path.write_text("#!/bin/sh\n" + text.format(python=sys.executable, curl=shutil.which("curl")))
            path.chmod(0o755)
        self.environ = {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "HOME": str(folder),
            "PYTHONPATH": str(settings.BASE_DIR),
            "EVALSITE_TOKEN": self.token,
            "OPENBLAS_NUM_THREADS": "1",
        }

    def failures(self, command: str) -> list[str]:
        """Type a participant's block as it is printed; look at each line of those that are for whoever runs a site."""
        if command.startswith(tuple(f"{name} " for name in (*SHELL, "export"))):
            return [] if typed_by(command) else self._shell(command)
        return [failure for line in command.replace("\\\n", " ").splitlines() for failure in _checked(line)]

    def _shell(self, command: str) -> list[str]:
        text = self.walk.named(command).replace("evs_…", self.token)
        text = re.sub(r"(benchmarks/\w+\.py).*", r"\1 --tiny", text)  # the figures themselves take hours
        done = subprocess.run(
            ["sh", "-e", "-c", text],
            input=f"{self.token}\n",
            env=self.environ,
            cwd=self.folder,
            capture_output=True,
            text=True,
            errors="replace",  # of a file that is sent to the terminal
            check=False,
            timeout=120,
        )
        return [f"{command}: {done.returncode} {done.stdout[-300:]} {done.stderr[-600:]}"] if done.returncode else []


def _checked(line: str) -> list[str]:
    """Return what is wrong with a line that is for whoever runs a site."""
    if typed_by(line):
        return []
    if not line.startswith(MANAGE):
        return [f"{line}: nobody types it"]
    _, _, words = line.partition("manage.py " if "manage.py " in line else "deploy/manage ")
    name, *more = shlex.split(words)
    if name not in get_commands():
        return [f"{line}: there is no such command"]
    app = get_commands()[name]
    command = load_command_class(app, name) if isinstance(app, str) else app
    help_text = command.create_parser("manage.py", name).format_help()
    return [f"{line}: no option {word}" for word in more if word.startswith("-") and word not in help_text]


def typed_by(command: str) -> str:
    """Return the other test that types this; "" if there is none."""
    return next((test for words, test in TYPED_BY.items() if words in command), "")
