"""Copies on a machine's own disk: fetched once, of the right bytes, bounded, and nobody's loss when they go."""

import os
import stat
import time
from functools import partial
from hashlib import sha256

import pytest

from evalsite.challenges.storage.local_copies import LocalCopies, OtherContent


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def write(content: bytes, target) -> None:
    target.write(content)


def use(copies: LocalCopies, content: bytes) -> None:
    with copies.copy(digest(content), "gold.zip", partial(write, content)) as path:
        assert path.read_bytes() == content


def never(target) -> None:
    pytest.fail("fetched although there is a copy")


def test_what_was_fetched_once_is_not_fetched_again(tmp_path):
    copies = LocalCopies(tmp_path / "cache", 1000)
    use(copies, b"gold")
    with copies.copy(digest(b"gold"), "other name.zip", never) as path:
        assert (path.name, path.read_bytes()) == ("other name.zip", b"gold")
    assert [path.name for path in copies.folder.iterdir()] == [digest(b"gold")]


def test_the_copies_are_their_owners_alone(tmp_path):
    copies = LocalCopies(tmp_path / "cache", 1000)
    use(copies, b"gold")
    assert stat.S_IMODE(copies.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((copies.folder / digest(b"gold")).stat().st_mode) == 0o400


def test_other_bytes_than_those_known_are_no_copy(tmp_path):
    copies = LocalCopies(tmp_path / "cache", 1000)
    with pytest.raises(OtherContent), copies.copy(digest(b"gold"), "gold.zip", partial(write, b"damaged")):
        pass
    assert not list(copies.folder.iterdir())
    use(copies, b"gold")


@pytest.mark.parametrize("content", [b"gilt", b""], ids=["other bytes", "cut off"])
def test_a_copy_that_the_disk_has_spoiled_is_fetched_again(tmp_path, content):
    copies = LocalCopies(tmp_path / "cache", 1000)
    use(copies, b"gold")
    kept = copies.folder / digest(b"gold")
    kept.chmod(0o600)
    kept.write_bytes(content)
    use(copies, b"gold")
    assert kept.read_bytes() == b"gold"


def test_those_used_longest_ago_give_way_and_their_readers_keep_them(tmp_path):
    copies = LocalCopies(tmp_path / "cache", 8)
    use(copies, b"old!")
    os.utime(copies.folder / digest(b"old!"), (1, 1))
    with copies.copy(digest(b"old!"), "read", never) as reader:
        os.utime(reader, (1, 1))
        use(copies, b"new1")
        use(copies, b"new2")
        assert {path.name for path in copies.folder.iterdir() if path.is_file()} == {digest(b"new1"), digest(b"new2")}
        assert reader.read_bytes() == b"old!"
    use(copies, b"larger than all")
    assert [path.name for path in copies.folder.iterdir()] == [digest(b"larger than all")]


def test_there_are_not_more_copies_than_can_be_looked_through(tmp_path):
    copies = LocalCopies(tmp_path / "cache", 1000, most_files=2)
    for number, content in enumerate((b"1", b"2", b"3")):
        use(copies, content)
        os.utime(copies.folder / digest(content), (number, number))
    use(copies, b"4")
    assert {path.name for path in copies.folder.iterdir()} == {digest(b"3"), digest(b"4")}


def test_what_a_killed_process_left_goes_after_a_day(tmp_path):
    copies = LocalCopies(tmp_path / "cache", 1000)
    use(copies, b"gold")
    left, new = (copies.folder / name for name in ("used-left", "used-now"))
    for folder in (left, new):
        folder.mkdir()
        (folder / "gold.zip").write_bytes(b"half of it")
    yesterday = time.time() - 25 * 3600
    os.utime(left, (yesterday, yesterday))
    use(copies, b"more gold")
    assert not left.exists()
    assert new.exists()
