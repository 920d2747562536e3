"""Uploads opened safely: what is read, what is left out, and what is refused with which advice."""

import bz2
import contextlib
import gzip
import hashlib
import io
import lzma
import os
import stat
import struct
import tarfile
import zipfile
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.errors import SubmissionError
from scoring.readers.archive import LIMITS, open_files
from tests.thoroughness import n_inputs


def make_zip(path, members, compression=zipfile.ZIP_DEFLATED):
    """A zip archive of (name or ZipInfo, content) pairs."""
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return path


def make_folder(path, files):
    for name, content in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)
    return path


def problems_of(path, limits=LIMITS, step=open_files):
    with pytest.raises(SubmissionError) as caught:
        step(path, limits)
    return [(problem.file, problem.message) for problem in caught.value.problems]


def read_all(path, limits=LIMITS):
    return dict(open_files(path, limits))


def test_a_folder_gives_sorted_relative_paths_and_bytes(tmp_path):
    files = open_files(make_folder(tmp_path, {"b.txt": b"2", "a/c.txt": b"1", "a/B.txt": b"3"}))
    assert files.paths == ["a/B.txt", "a/c.txt", "b.txt"]
    assert dict(files) == {"a/B.txt": b"3", "a/c.txt": b"1", "b.txt": b"2"}
    assert len(files) == 3
    assert "b.txt" in files
    assert "c.txt" not in files
    with pytest.raises(KeyError):
        files["c.txt"]


def test_an_archive_gives_the_same_as_the_folder(tmp_path):
    contents = {"b.txt": b"2", "a/c.txt": b"1" * 5000, "niño/à.txt": b""}
    folder = open_files(make_folder(tmp_path / "run", contents))
    archive = open_files(make_zip(tmp_path / "run.zip", contents.items()))
    assert dict(archive) == dict(folder) == contents
    assert archive.digest(archive.paths) == folder.digest(folder.paths)


def test_a_single_file_is_known_by_its_base_name(tmp_path):
    path = tmp_path / "run.json"
    path.write_bytes(b"{}")
    files = open_files(str(path))
    assert dict(files) == {"run.json": b"{}"}
    assert files.root == ""


def test_what_is_missing_is_named(tmp_path):
    assert problems_of(tmp_path / "none") == [("none", "no such file or folder")]


def test_hidden_names_and_what_file_managers_add_are_left_out(tmp_path):
    contents = {
        "a.txt": b"1",
        ".hidden": b"",
        ".git/config": b"",
        "__MACOSX/._a.txt": b"",
        "x/.DS_Store": b"",
    }
    assert open_files(make_folder(tmp_path / "run", contents)).paths == ["a.txt"]
    assert open_files(make_zip(tmp_path / "run.zip", contents.items())).paths == ["a.txt"]


@pytest.mark.parametrize(
    ("paths", "root"),
    [
        (["a.txt", "b.txt"], ""),
        (["run/a.txt", "b.txt"], ""),
        (["run/a.txt", "run/b/c.txt"], "run/"),
        (["x/y/z/a.txt", "x/y/z/b.txt"], "x/y/z/"),
        (["w/x/y/z/a.txt"], "w/x/y/"),
        (["run1/a.txt", "run2/a.txt"], ""),
    ],
)
def test_enclosing_folders_are_offered_but_stay_in_the_paths(tmp_path, paths, root):
    files = open_files(make_zip(tmp_path / "run.zip", [(path, "") for path in paths]))
    assert files.root == root
    assert files.paths == sorted(paths)


def test_the_digest_of_one_file_is_that_of_its_bytes(tmp_path):
    path = tmp_path / "any name"
    path.write_bytes(b"q1\n")
    files = open_files(path)
    assert files.digest(files.paths).startswith("bb98a35c4fe1e84f")


def test_the_digest_of_a_folder_joins_paths_lengths_and_bytes(tmp_path):
    files = open_files(make_folder(tmp_path, {"é.txt": b"one", "b/a.txt": b"", "not.read": b"x"}))
    expected = hashlib.sha256(b"b/a.txt\x000\x00" + "é.txt".encode() + b"\x003\x00one").hexdigest()
    assert files.digest(["é.txt", "b/a.txt"]) == expected


def test_enclosing_folders_do_not_enter_the_digest(tmp_path):
    contents = {"a.txt": b"1", "b/c.txt": b"2"}
    folder = open_files(make_folder(tmp_path / "gold", contents))
    enclosed = [("x/gold/" + name, content) for name, content in contents.items()]
    archive = open_files(make_zip(tmp_path / "gold.zip", enclosed))
    assert archive.digest(archive.paths) == folder.digest(folder.paths)
    assert folder.digest(["b/c.txt"]) != folder.digest(["a.txt"])


def test_an_empty_archive_and_an_empty_folder_say_so(tmp_path):
    (tmp_path / "run").mkdir()
    message = "no document: there is no file in the {}, put the files into it"
    assert problems_of(tmp_path / "run") == [("run", message.format("folder"))]
    empty = ("run.zip", message.format("archive"))
    assert problems_of(make_zip(tmp_path / "run.zip", [])) == [empty]
    assert problems_of(make_zip(tmp_path / "run.zip", [("a/", ""), (".x", "")])) == [empty]


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("/etc/passwd", "absolute"),
        ("C:/run.txt", "absolute"),
        ("../run.txt", ".."),
        ("a/../../run.txt", ".."),
        ("a/..", ".."),
        ("..\\run.txt", ".."),
        ("\\run.txt", "absolute"),
        ("C:\\run.txt", "absolute"),
        ("a//run.txt", "empty part"),
        ("./run.txt", "empty part"),
    ],
)
def test_names_that_lead_elsewhere_are_refused(tmp_path, name, advice):
    found = problems_of(make_zip(tmp_path / "run.zip", [("good.txt", ""), (name, "x")]))
    assert [file for file, _ in found] == [name]
    assert found[0][1].startswith("unsafe path in archive: ")
    assert advice in found[0][1]


def test_a_name_with_a_control_character_is_refused_and_shown_on_one_line(tmp_path):
    path = make_zip(tmp_path / "run.zip", [("aXb.txt", "x")])
    for character, shown in ((b"\0", "a\\x00b.txt"), (b"\n", "a\\nb.txt")):
        changed = tmp_path / "changed.zip"
        changed.write_bytes(path.read_bytes().replace(b"aXb.txt", b"a" + character + b"b.txt"))
        assert problems_of(changed) == [(shown, "has a control character in its name: rename it")]


def test_all_refused_members_are_listed_up_to_a_hundred(tmp_path):
    members = [(f"../{number}", "") for number in range(150)]
    found = problems_of(make_zip(tmp_path / "run.zip", members))
    assert len(found) == 101
    assert found[-1] == (None, "and 50 more")


def test_a_name_that_occurs_twice_is_refused(tmp_path):
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = make_zip(tmp_path / "run.zip", [("a.txt", "1"), ("a.txt", "2")])
    assert problems_of(path) == [("a.txt", "occurs 2 times in the archive: keep one")]


def test_names_in_utf8_are_read_with_and_without_their_mark_and_others_are_refused(tmp_path):
    path = make_zip(tmp_path / "run.zip", [("XX.txt", "1")])
    unmarked, latin = tmp_path / "unmarked.zip", tmp_path / "latin.zip"
    unmarked.write_bytes(path.read_bytes().replace(b"XX.txt", "ñ.txt".encode()))
    assert dict(open_files(unmarked)) == {"ñ.txt": b"1"}
    latin.write_bytes(path.read_bytes().replace(b"XX.txt", "nñ.txt".encode("latin-1")))
    assert problems_of(latin) == [("n\\xf1.txt", "has a name that is not UTF-8: rename it and pack again")]


def test_links_and_devices_in_archives_are_refused(tmp_path):
    link, device, plain = zipfile.ZipInfo("link"), zipfile.ZipInfo("device"), zipfile.ZipInfo("plain")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    device.external_attr = (stat.S_IFCHR | 0o666) << 16
    plain.external_attr = (stat.S_IFREG | 0o644) << 16
    path = make_zip(tmp_path / "run.zip", [(link, "/etc/passwd"), (device, ""), (plain, "")])
    assert problems_of(path) == [
        ("link", "is a link: put the file itself into the archive"),
        ("device", "is not an ordinary file: leave it out"),
    ]


def test_encrypted_members_are_refused(tmp_path):
    data = bytearray(make_zip(tmp_path / "run.zip", [("a.txt", "x")]).read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "run.zip").write_bytes(data)
    assert problems_of(tmp_path / "run.zip") == [("a.txt", "is encrypted: pack the archive without a password")]


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing_are_refused(tmp_path, compression):
    found = problems_of(make_zip(tmp_path / "run.zip", [("a.txt", "x" * 100)], compression))
    assert found == [("a.txt", "is packed by an unknown method: pack the archive as ordinary zip (deflate)")]


def packed_tar():
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.txt"), io.BytesIO())
    return buffer.getvalue()


def packed_zip():
    buffer = io.BytesIO()
    make_zip(buffer, [("a.txt", "x")])
    return buffer.getvalue()


ARCHIVES = {
    "zip": packed_zip(),
    "tar": packed_tar(),
    "gzip": gzip.compress(b"x"),
    "bzip2": bz2.compress(b"x"),
    "xz": lzma.compress(b"x"),
    "7z": b"7z\xbc\xaf\x27\x1c rest",
    "rar": b"Rar!\x1a\x07 rest",
}


ADVICE = "and cannot be read: unpack it, and pack its files as .zip or give them one by one"
REFUSALS = {
    "zip": "is a zip archive inside an archive: pack its files themselves",
    "tar": f"is a tar archive {ADVICE}",
    "gzip": f"is compressed by gzip {ADVICE}",
    "bzip2": f"is compressed by bzip2 {ADVICE}",
    "xz": f"is compressed by xz {ADVICE}",
    "7z": f"is a 7-Zip archive {ADVICE}",
    "rar": f"is a RAR archive {ADVICE}",
}


@pytest.mark.parametrize("kind", ARCHIVES)
@pytest.mark.parametrize("compression", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_archives_inside_archives_are_refused_by_their_first_bytes(tmp_path, kind, compression):
    path = make_zip(tmp_path / "run.zip", [("a.txt", ARCHIVES[kind]), ("b.txt", "")], compression)
    assert problems_of(path, step=read_all) == [("a.txt", REFUSALS[kind])]


def test_members_that_nobody_reads_are_not_opened(tmp_path, monkeypatch):
    path = make_zip(tmp_path / "run.zip", [(f"{number}.txt", "") for number in range(50)])
    opened = []
    own = zipfile.ZipFile.open
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda self, *rest: opened.append(rest) or own(self, *rest))
    assert open_files(path)["7.txt"] == b""
    assert len(opened) == 1


@pytest.mark.parametrize(("length", "is_taken"), [(1000, True), (1001, False), (60_000, False)])
def test_names_have_a_thousand_characters_at_most(tmp_path, length, is_taken):
    path = make_zip(tmp_path / "run.zip", [("n" * length, "")])
    if is_taken:
        assert list(open_files(path)) == ["n" * length]
    else:
        message = f"has a name of {length} characters: rename it, at most 1000 are taken"
        assert problems_of(path) == [("n" * 100 + "…", message)]


@pytest.mark.parametrize(("n_gold", "n_members"), [(1, 20_000), (5_001, 20_004), (90_000, 100_000)])
def test_a_submission_may_have_some_members_for_each_file_of_the_gold(n_gold, n_members):
    assert LIMITS.beside(n_gold).members == n_members


def test_members_are_counted_before_an_archive_is_opened_whatever_its_end_claims(tmp_path, monkeypatch):
    path = make_zip(tmp_path / "run.zip", [(f"{number}.txt", "") for number in range(11)])
    content = bytearray(path.read_bytes())
    content[-14:-10] = struct.pack("<HH", 1, 1)  # members on this disk, and in all
    path.write_bytes(content)
    limits = replace(LIMITS, members=10)
    monkeypatch.setattr(zipfile, "ZipFile", None)
    with pytest.raises(SubmissionError, match="more than 10 members"):
        open_files(path, limits)


@pytest.mark.parametrize(
    ("suffix", "kind"),
    [
        ("zip", "zip"),
        ("TAR", "tar"),
        ("tar.gz", "tar"),
        ("tgz", "tar"),
        ("gz", "gzip"),
        ("bz2", "bzip2"),
        ("xz", "xz"),
        ("7z", "7z"),
        ("rar", "rar"),
    ],
)
def test_archives_inside_archives_are_refused_by_their_names(tmp_path, suffix, kind):
    path = make_zip(tmp_path / "run.zip", [("a." + suffix, "text")])
    assert problems_of(path) == [("a." + suffix, REFUSALS[kind])]


@pytest.mark.parametrize("kind", [kind for kind in ARCHIVES if kind != "zip"])
def test_other_kinds_of_archives_are_refused_by_their_kind_with_what_to_do(tmp_path, kind):
    path = tmp_path / "run"
    path.write_bytes(ARCHIVES[kind])
    assert problems_of(path) == [("run", REFUSALS[kind])]


def test_a_text_document_is_not_taken_for_the_zip_archive_that_it_is(tmp_path):
    path = make_zip(tmp_path / "run.docx", [("word/document.xml", "<x/>")])
    assert problems_of(path) == [
        ("run.docx", "is a document of an office program and cannot be read: save the data as plain text")
    ]


def test_files_that_explain_others_are_left_aside_and_named(tmp_path):
    contents = {
        "run/a.json": b"1",
        "run/license_01.json": b"2",
        "run/README.txt": b"",
        "run/LICENSE": b"",
        "run/notes.md": b"",
        "__MACOSX/run/._a.json": b"",
        "__MACOSX/._run": b"",
        "run/.DS_Store": b"",
    }
    for files in (make_folder(tmp_path / "files", contents), make_zip(tmp_path / "run.zip", contents.items())):
        opened = open_files(files)
        assert opened.paths == ["run/a.json", "run/license_01.json"]
        assert opened.notes == [
            "left aside, not read: __MACOSX, run/.DS_Store, run/LICENSE, run/README.txt, run/notes.md"
        ]


def test_a_readme_is_data_where_there_is_nothing_else(tmp_path):
    opened = open_files(make_zip(tmp_path / "run.zip", [("README.md", "1")]))
    assert (opened.paths, opened.notes) == (["README.md"], [])


def test_backslashes_between_folders_are_taken_with_a_word(tmp_path):
    opened = open_files(make_zip(tmp_path / "run.zip", [("run\\a.txt", "1"), ("run\\b\\", "")]))
    assert dict(opened) == {"run/a.txt": b"1"}
    assert opened.notes == ["backslashes in the names of files were read as / between folders"]
    twice = make_zip(tmp_path / "twice.zip", [("run\\a.txt", "1"), ("run/a.txt", "2")])
    assert problems_of(twice) == [("run/a.txt", "occurs 2 times in the archive: keep one")]


def test_a_byte_order_mark_is_kept_unless_it_is_to_be_dropped(tmp_path):
    path = make_zip(tmp_path / "run.zip", [("a.txt", b"\xef\xbb\xbf1"), ("b.txt", b"2")])
    assert dict(open_files(path)) == {"a.txt": b"\xef\xbb\xbf1", "b.txt": b"2"}
    opened = open_files(path, drop_marks=True)
    assert dict(opened) == {"a.txt": b"1", "b.txt": b"2"}
    assert opened.notes == ["a byte order mark at the beginning was taken away: a.txt"]


def test_a_zip_archive_is_recognised_without_its_suffix(tmp_path):
    make_zip(tmp_path / "upload", [("a.txt", "1")])
    assert dict(open_files(tmp_path / "upload")) == {"a.txt": b"1"}


def test_an_empty_archive_file_is_called_empty(tmp_path):
    (tmp_path / "run.zip").write_bytes(b"")
    assert problems_of(tmp_path / "run.zip") == [("run.zip", "the file is empty (0 bytes)")]


def test_text_that_calls_itself_zip_is_told_to_be_text(tmp_path):
    (tmp_path / "run.zip").write_text("id,label\n")
    words = "is no archive, though its name ends in .zip: it is text; name it so"
    assert problems_of(tmp_path / "run.zip") == [("run.zip", words)]


@pytest.mark.parametrize("data", [b"\x00" * 30, packed_zip()[:-10], packed_zip()[:20]], ids=["zeros", "end", "start"])
def test_what_calls_itself_zip_and_is_none_is_refused(tmp_path, data):
    (tmp_path / "run.zip").write_bytes(data)
    assert problems_of(tmp_path / "run.zip") == [
        ("run.zip", "the zip archive is damaged or cut off: pack and upload it again")
    ]


def test_a_member_with_changed_bytes_is_refused_when_it_is_read(tmp_path):
    path = make_zip(tmp_path / "run.zip", [("a.txt", b"gold" * 5000), ("b.txt", b"x")], zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"goldgold", b"goldcold", 1))
    files = open_files(path)
    assert files["b.txt"] == b"x"
    with pytest.raises(SubmissionError) as caught:
        files["a.txt"]
    assert [str(problem) for problem in caught.value.problems] == [
        "a.txt: is damaged in the archive: pack and upload it again"
    ]


def with_declared_size(data, size):
    """The archive with another inflated size in its directory and headers, for its only member."""
    data = bytearray(data)
    struct.pack_into("<I", data, data.index(b"PK\x01\x02") + 24, size)
    struct.pack_into("<I", data, data.index(b"PK\x03\x04") + 22, size)
    return data


@pytest.mark.parametrize("size", [10, 4999, 5001])
def test_a_member_that_lies_about_its_size_is_refused(tmp_path, size):
    path = make_zip(tmp_path / "run.zip", [("a.txt", b"x" * 5000)])
    path.write_bytes(with_declared_size(path.read_bytes(), size))
    found = problems_of(path, step=read_all)
    assert found == [("a.txt", "is damaged in the archive: pack and upload it again")]


def test_members_that_share_bytes_are_refused(tmp_path):
    data = bytearray(make_zip(tmp_path / "run.zip", [("a.txt", "1"), ("b.txt", "2")]).read_bytes())
    second = data.rindex(b"PK\x01\x02")
    struct.pack_into("<I", data, second + 42, 0)
    (tmp_path / "run.zip").write_bytes(data)
    assert problems_of(tmp_path / "run.zip") == [
        ("b.txt", "shares its bytes with another member: pack the archive again")
    ]


LIMITED = [
    (replace(LIMITS, archive_bytes=100), ("run.zip", "file is too large: an archive may have 100 bytes")),
    (replace(LIMITS, members=2), ("run.zip", "the archive has more than 2 members")),
    (
        replace(LIMITS, member_bytes=4999),
        (".hidden", "file is too large: more than 4999 bytes, leave it out or split it"),
    ),
    (
        replace(LIMITS, total_bytes=5001),
        ("run.zip", "file is too large: the archive inflates to more than 5001 bytes, leave out what is not needed"),
    ),
]


@pytest.mark.parametrize(("limits", "problem"), LIMITED)
def test_each_limit_is_named_and_counts_what_is_left_out_too(tmp_path, limits, problem):
    path = make_zip(tmp_path / "run.zip", [("a", "1"), ("b", "2"), (".hidden", "x" * 5000)])
    assert dict(open_files(path)) == {"a": b"1", "b": b"2"}
    assert problems_of(path, limits) == [problem]


def test_an_archive_that_inflates_out_of_proportion_is_refused(tmp_path):
    path = make_zip(tmp_path / "run.zip", [("a.txt", bytes(2 * 10**6))])
    assert len(open_files(path)["a.txt"]) == 2 * 10**6
    limits = replace(LIMITS, ratio_from=10**6)
    found = problems_of(path, limits)
    assert found == [
        ("run.zip", "file is too large: the archive inflates to more than 1000000 bytes, leave out what is not needed")
    ]
    assert open_files(path, replace(limits, ratio=2000)).paths == ["a.txt"]


@pytest.mark.parametrize(
    ("limits", "advice"),
    [
        (replace(LIMITS, member_bytes=500), "file is too large: more than 500 bytes"),
        (replace(LIMITS, total_bytes=900), "the archive inflates to more than 900 bytes"),
    ],
)
def test_what_comes_is_counted_whatever_the_directory_said(tmp_path, monkeypatch, limits, advice):
    path = make_zip(tmp_path / "run.zip", [("a.txt", "x" * 400), ("b.txt", "x" * 400)])
    files = open_files(path, limits)
    assert len(files["a.txt"]) == 400
    monkeypatch.setattr(zipfile.ZipExtFile, "read", lambda stream, size=-1: b"x" * size)
    with pytest.raises(SubmissionError, match=advice):
        files["b.txt"]


def test_reading_a_member_again_does_not_use_up_the_limit(tmp_path):
    path = make_zip(tmp_path / "run.zip", [("a.txt", "x" * 600), ("b.txt", "x" * 300)])
    files = open_files(path, replace(LIMITS, total_bytes=1000))
    for _ in range(5):
        assert len(files["a.txt"]) + len(files["b.txt"]) == 900


def test_links_inside_a_folder_are_read_and_links_out_of_it_are_refused(tmp_path):
    make_folder(tmp_path, {"secret.txt": b"gold", "run/a/b.txt": b"1"})
    run = tmp_path / "run"
    (run / "inside.txt").symlink_to("a/b.txt")
    assert dict(open_files(run)) == {"a/b.txt": b"1", "inside.txt": b"1"}
    (run / "out.txt").symlink_to(tmp_path / "secret.txt")
    (run / "loop").symlink_to(".")
    (run / "broken").symlink_to("nowhere")
    (run / ".ignored").symlink_to("/")
    assert sorted(problems_of(run)) == [
        ("broken", "is a link, but not to a file: put the files themselves here"),
        ("loop", "is a link, but not to a file: put the files themselves here"),
        ("out.txt", "is a link that leads out of the folder: put the file itself here"),
    ]


def test_a_pipe_in_a_folder_is_refused_instead_of_waited_for(tmp_path):
    make_folder(tmp_path, {"a.txt": b"1"})
    os.mkfifo(tmp_path / "pipe")
    assert problems_of(tmp_path) == [("pipe", "is neither a file nor a folder: remove it")]


def test_a_file_name_that_is_not_utf8_is_refused(tmp_path):
    with open(os.fsencode(tmp_path) + b"/n\xf1.txt", "wb"):
        pass
    assert problems_of(tmp_path) == [("n\\udcf1.txt", "has a name that is not UTF-8: rename it")]


def test_a_file_that_vanished_is_a_problem_and_no_crash(tmp_path):
    files = open_files(make_folder(tmp_path, {"a.txt": b"1"}))
    (tmp_path / "a.txt").unlink()
    with pytest.raises(SubmissionError, match=r"a\.txt: cannot be read"):
        files["a.txt"]


@pytest.fixture(scope="module")
def upload(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz") / "run.zip"


def assert_only_refusals_escape(path, data):
    path.write_bytes(data)
    with contextlib.suppress(SubmissionError):
        read_all(path)


@settings(max_examples=n_inputs(300))
@given(data=st.binary(max_size=300))
def test_arbitrary_bytes_are_refused_and_nothing_else(upload, data):
    assert_only_refusals_escape(upload, data)
    assert_only_refusals_escape(upload, b"PK\x03\x04" + data)
    assert_only_refusals_escape(upload, data + b"PK\x05\x06" + bytes(18))


FULL = io.BytesIO()
make_zip(FULL, [("run/a.txt", "la frase " * 50), ("run/b.txt", "1\t2\n"), ("run/ñ.txt", ""), ("run/c/", "")])


@settings(max_examples=n_inputs(1000))
@given(
    changes=st.lists(st.tuples(st.integers(0, len(FULL.getvalue()) - 1), st.integers(0, 255)), min_size=1, max_size=6),
    cut=st.one_of(st.none(), st.integers(0, len(FULL.getvalue()))),
)
def test_damaged_archives_are_refused_and_nothing_else(upload, changes, cut):
    data = bytearray(FULL.getvalue())
    for place, value in changes:
        data[place] = value
    assert_only_refusals_escape(upload, data[:cut])


def test_an_open_archive_serves_another_reader_as_if_it_were_opened_anew(tmp_path):
    path = make_zip(tmp_path / "run.zip", [("a.txt", "\ufeffa"), ("b.txt", "\ufeffb")])
    first = open_files(path, drop_marks=True)
    assert first["a.txt"] == b"a"
    other = first.within(LIMITS.total_bytes)
    assert other.notes == []
    assert other["b.txt"] == b"b"
    assert [("a.txt" in note, "b.txt" in note) for note in first.notes + other.notes] == [(True, False), (False, True)]


def test_an_open_archive_keeps_to_the_limit_of_another_reader(tmp_path):
    first = open_files(make_zip(tmp_path / "run.zip", [("a.txt", "x" * 1000)]))
    with pytest.raises(SubmissionError) as refused:
        first.within(999)
    told = [(problem.file, problem.message) for problem in refused.value.problems]
    assert told == problems_of(tmp_path / "run.zip", replace(LIMITS, total_bytes=999))
    assert first.within(1000)["a.txt"] == b"x" * 1000
