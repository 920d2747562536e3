"""Tests who may look into the data folder."""

import stat
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from evalsite.base.private_folder import make_private, make_private_file, own_secret_key


def rights(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_folder_and_the_database_in_it_are_their_owner_s_alone(tmp_path):
    make_private(tmp_path / "new/data")
    make_private_file(tmp_path / "new/data/evalsite.sqlite3")
    assert rights(tmp_path / "new/data") == 0o700
    assert rights(tmp_path / "new/data/evalsite.sqlite3") == 0o600


def test_what_others_could_read_until_now_is_taken_from_them(tmp_path):
    folder = tmp_path / "data"
    (folder / "logs").mkdir(parents=True)
    files = [folder / name for name in ("evalsite.sqlite3", "evalsite.sqlite3-wal", "secret_key", "logs/web.log")]
    for file in files:
        file.write_text("x")
        file.chmod(0o644)
    folder.chmod(0o755)
    make_private(folder)
    assert rights(folder) == 0o700
    assert {rights(file) for file in files} == {0o600}
    make_private_file(files[0])
    assert files[0].read_text() == "x"


def test_a_folder_that_everybody_writes_into_stays_as_it_is(tmp_path):
    tmp_path.chmod(0o1777)
    make_private(tmp_path)
    assert rights(tmp_path) == 0o1777


def test_processes_that_start_at_the_same_moment_have_the_same_key(tmp_path):
    starters = 8
    together = Barrier(starters)

    def start(path):
        together.wait(timeout=30)
        return own_secret_key(path)

    with ThreadPoolExecutor(starters) as pool:
        for number in range(50):
            (key,) = set(pool.map(start, [tmp_path / str(number)] * starters))
            assert len(key) > 60


def test_the_key_is_kept_and_its_owner_s_alone(tmp_path):
    key = own_secret_key(tmp_path / "secret_key")
    assert own_secret_key(tmp_path / "secret_key") == key
    assert rights(tmp_path / "secret_key") == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]
