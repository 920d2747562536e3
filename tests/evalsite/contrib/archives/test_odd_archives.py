"""Tests that `verify` names what is odd in an archive, whatever stands where, and never ends in a trace."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from scoring.cli.main import main
from tests.evalsite.contrib.archives.finished import changed, make_finished, members_of, rewritten, write

pytestmark = pytest.mark.django_db

ODD = [None, True, "", "²", "\ud800", "x\x1b[2J", [], {}, [[]], -1, 2**70, 1.5, 1e999, "../x", [{}], {"": None}]


@pytest.fixture(scope="module")
def written() -> list[bytes]:
    return []


@pytest.fixture
def archive(written, request, tmp_path):
    """Return a copy of one archive: it is written for the first who asks."""
    path = tmp_path / "wood.zip"
    if not written:
        task = make_finished(request.getfixturevalue("olga"))
        written.append(write(task, path).read_bytes())
    path.write_bytes(written[0])
    return path


def places_in(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each list or object with each of its places, in depth."""
    pairs = list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ())
    for place, inner in pairs:
        yield value, place
        yield from places_in(inner)


def with_something_odd(rng: random.Random) -> Callable[[Any], None]:
    def change(value: Any) -> None:
        holder, place = rng.choice(list(places_in(value)))
        if rng.random() < 0.2 and isinstance(holder, dict):
            del holder[place]
        else:
            holder[place] = rng.choice(ODD)

    return change


@pytest.mark.parametrize("seed", range(40))
def test_an_odd_value_anywhere_is_answered_with_an_exit_status(archive, tmp_path, capsys, seed):
    rng = random.Random(seed)
    members = members_of(archive)
    name = rng.choice(["archive.json"] * 3 + [name for name in members if name.startswith(("boards/", "evaluations/"))])
    odd = rewritten(archive, changed(members, name, with_something_odd(rng)), tmp_path / "odd.zip")
    for arguments in ([], ["--format", "json"], ["--output", str(tmp_path / "report.txt")]):
        assert main(["verify", str(odd), *arguments]) in (0, 1, 2)
