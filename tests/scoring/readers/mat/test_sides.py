"""Tests which documents belong together, what both sides have to share, and what is said where they do not."""

import zipfile

import pytest

from scoring.errors import SubmissionError
from scoring.readers.archive import LIMITS, open_files
from scoring.readers.mat import documents, keep_pairs, read_gold, read_system
from tests.scoring.readers.mat.documents import (
    annotation_set,
    document,
    gold_of,
    messages_of,
    opened,
    options,
    problems_of,
    side,
    spans_of,
    system_of,
    tokens_of,
)

PERSON = document(annotation_set("PER", (0, 7)))
EMPTY = document()


def found(*arguments, **chosen):
    return [(file, message) for file, _, _, message in problems_of(*arguments, **chosen)]


def test_documents_come_in_the_order_of_the_golds_names_under_the_systems():
    names = ["b.json", "B.json", "é.json", "a.json"]
    system = system_of({name + ".out": PERSON for name in names}, dict.fromkeys(names, PERSON), suffix_off=".out")
    assert system.names == ["B.json.out", "a.json.out", "b.json.out", "é.json.out"]
    assert not system.missing.any()


def test_endings_are_taken_off_and_put_on():
    chosen = {"suffix_off": ".sys.json", "suffix_on": ".json"}
    system = system_of({"a.sys.json": PERSON}, {"a.json": PERSON}, **chosen)
    assert system.names == ["a.sys.json"]
    assert found(system_of, {"b.sys.json": PERSON}, {"a.json": PERSON}, **chosen) == [
        ("a.sys.json", "missing document"),
        ("b.sys.json", "no gold document with this name"),
    ]


def test_two_files_for_one_gold_document_are_refused():
    assert found(system_of, {"a": EMPTY, "a.x": EMPTY}, {"a": EMPTY}, suffix_off=".x") == [
        ("a.x", "belongs to the same gold document as a: keep one")
    ]


def test_missing_documents_may_count_as_empty_and_others_be_ignored():
    gold = {"a.json": PERSON, "b.json": PERSON}
    chosen = {"missing_documents": "empty", "extra_documents": "ignore"}
    system = system_of({"b.json": PERSON, "c.json": "not even read"}, gold, **chosen)
    assert system.names == ["a.json", "b.json"]
    assert system.missing.tolist() == [True, False]
    assert spans_of(system) == [(1, "PER", 0, 7)]
    assert system.warnings == ["system: c.json: no gold document with this name, ignored"]


def test_missing_unknown_and_broken_documents_are_reported_together():
    gold = {"a.json": PERSON, "b.json": PERSON}
    assert [file for file, _ in found(system_of, {"b.json": "[", "c.json": PERSON}, gold)] == [
        "a.json",
        "b.json",
        "c.json",
    ]


def test_a_pattern_has_to_match_whole_names_and_limits_what_is_expected():
    gold = {"a.json": PERSON, "b.json": "[", "ab.json": PERSON}
    system = system_of({"a.json": PERSON, "notes.txt": "", "b.json": "["}, gold, system_pattern=r"a\.json")
    assert system.names == ["a.json"]
    assert found(system_of, {"a.json": PERSON}, gold, system_pattern="a") == [
        (None, "no document: none of the files has a name that is expected here")
    ]


def test_a_side_without_documents_is_refused(tmp_path):
    assert found(gold_of, {}) == [(None, "no document")]
    assert found(system_of, {}, missing_documents="empty") == [(None, "no document")]
    (tmp_path / "empty").mkdir()
    with pytest.raises(SubmissionError, match="no document"):
        open_files(tmp_path / "empty")


def test_sub_folders_are_not_read_and_lead_to_one_warning(tmp_path):
    files = opened(tmp_path, {"a.json": PERSON, ".hidden": "", "x/a.json": "[", "x/y/b.json": "[", "z/c.json": "["})
    gold = read_gold(files, options())
    assert gold.documents == ["a.json"]
    assert gold.warnings == ["gold: sub-folders are not read: x, z"]
    only = opened(tmp_path / "only", {"run/a.json": PERSON})
    assert found(read_system, only, gold, options()) == [(None, "no document: sub-folders are not read: run")]


def zipped(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in side(files).items():
            archive.writestr(name, content)
    return open_files(path)


def test_the_only_folder_of_an_archive_is_its_root(tmp_path):
    gold = gold_of({"a.json": PERSON})
    files = {"run/a.json": PERSON, "run/x/b.json": "[", "__MACOSX/._a.json": "", ".DS_Store": ""}
    system = read_system(zipped(tmp_path / "run.zip", files), gold, options())
    assert system.names == ["a.json"]
    assert system.warnings == ["system: sub-folders are not read: x"]
    nested = zipped(
        tmp_path / "nested.zip", {"run/a.json": PERSON, "other/a.json": document(annotation_set("PER", (8, 12)))}
    )
    [(_, message)] = found(read_system, nested, gold, options())
    assert message.startswith("no document: sub-folders are not read: ")
    broken = zipped(tmp_path / "broken.zip", {"run/a.json": "["})
    assert problems_of(read_system, broken, gold, options())[0][:3] == ("a.json", 1, 2)


@pytest.mark.parametrize("folder", ["run/x/", "run/x/y/z/"])
def test_documents_of_an_archive_may_lie_in_any_number_of_folders(tmp_path, folder):
    gold = gold_of({"a.json": PERSON, "b.json": PERSON})
    system = read_system(
        zipped(tmp_path / "run.zip", {f"{folder}a.json": PERSON, f"{folder}b.json": PERSON}), gold, options()
    )
    assert (system.names, system.warnings) == (["a.json", "b.json"], [])


def test_documents_of_sub_folders_are_found_by_their_names(tmp_path):
    gold = gold_of({"a.json": PERSON, "b.json": PERSON})
    files = {"run/a.json": PERSON, "run/part 2/b.json": PERSON, "run/notes/c.json": "["}
    system = read_system(zipped(tmp_path / "run.zip", files), gold, options())
    assert system.names == ["a.json", "b.json"]
    assert system.warnings == ["system: documents of sub-folders are read too: 1 by their names"]


def test_a_name_that_is_nearly_that_of_a_missing_document_is_told():
    files = {"artcle_7.json": PERSON, "x.json": PERSON}
    assert found(system_of, files, {"article_7.json": PERSON}) == [
        ("artcle_7.json", "no gold document with this name: is it 'article_7.json', which is missing? Rename it"),
        ("article_7.json", "missing document"),
        ("x.json", "no gold document with this name"),
    ]


def test_two_single_files_belong_together_whatever_their_names(tmp_path):
    folder = tmp_path / "files"
    opened(folder, {"gold.json": PERSON, "run.xml": "<d><PER>Mirelle</PER> left Gorloin harbour.</d>"})
    chosen = options(system_format="xml-inline", system_pattern="x")
    gold = read_gold(open_files(folder / "gold.json"), chosen)
    system = read_system(open_files(folder / "run.xml"), gold, chosen)
    assert system.names == ["run.xml"]
    assert spans_of(system) == [(0, "PER", 0, 7)]
    (folder / "run.xml").write_text("<d>Mirelle</d>")
    assert found(read_system, open_files(folder / "run.xml"), gold, chosen) == [
        (
            "run.xml",
            "signal differs from gold at offset 7: 'Mirelle', where the task has 'Mirelle left Gorloin harbou'",
        )
    ]


def test_a_single_file_beside_a_folder_is_paired_by_its_name(tmp_path):
    opened(tmp_path, {"a.json": PERSON})
    gold = gold_of({"a.json": PERSON, "b.json": PERSON})
    assert found(read_system, open_files(tmp_path / "a.json"), gold, options()) == [("b.json", "missing document")]


@pytest.mark.parametrize(
    ("text", "other", "offset"),
    [
        ("abc", "abd", 2),
        ("", "a", 0),
        ("abc", "ab", 2),
        ("🙂x", "🙂y", 1),
        ("x" * 999 + "y" + "x" * 99, "x" * 1500, 999),
    ],
)
def test_texts_have_to_be_the_same_code_point_by_code_point(text, other, offset):
    for system, gold in ((text, other), (other, text)):
        files = {"a.json": document(signal=system)}, {"a.json": document(signal=gold)}
        [(name, message)] = found(system_of, *files)
        assert name == "a.json"
        assert message.startswith(f"signal differs from gold at offset {offset}: " if system else "the signal is empty")


def test_a_raw_document_is_nothing_but_text():
    gold = {"a.json": document(signal="é\r\n")}
    system = system_of({"a.json": "é\r\n".encode()}, gold, system_format="raw")
    assert spans_of(system) == []
    assert found(system_of, {"a.json": b"\xff"}, gold, system_format="raw") == [
        ("a.json", "not valid UTF-8: byte 0xff; save the file as UTF-8")
    ]


def test_the_label_of_the_sums_is_reserved_but_only_where_it_counts():
    own = {"a.json": document(annotation_set("<all>", (0, 7), (8, 12)))}
    assert system_of(own).n_ignored == 2
    chosen = {"content_annotations": ("PER", "<all>")}
    assert found(system_of, own, **chosen) == [("a.json", 'reserved label "<all>": rename it')]
    assert found(gold_of, own, **chosen) == [("a.json", 'reserved label "<all>": rename it')]


def test_tokens_of_the_gold_are_checked_and_must_not_overlap():
    def refused(*rows):
        return messages_of(gold_of, {"a.json": document(annotation_set("lex", *rows))})

    assert refused((3, 9), (0, 7)) == ["tokens overlap: from 0 to 7 and from 3 to 9"]
    assert refused((0, 7), (0, 7)) == ["tokens overlap: from 0 to 7 and from 0 to 7"]
    assert refused((0, 7), (8, 8), (9, 99)) == [
        "zero-length annotation: lex from 8 to 8",
        "offset out of range: lex from 9 to 99",
    ]
    two = document(annotation_set("lex", (0, 7)), annotation_set("tok", (7, 12)))
    assert tokens_of(gold_of({"a.json": two}, token_annotations=("lex", "tok"))) == [(0, 0, 7), (0, 7, 12)]


def test_tokens_of_the_system_are_read_where_they_are_asked_for():
    gold = {"a.json": document(annotation_set("lex", (0, 7))), "b.json": EMPTY}
    same = {"a.json": document(annotation_set("lex", (0, 7))), "b.json": EMPTY}
    other = {"a.json": EMPTY, "b.json": document(annotation_set("lex", (8, 12), (0, 7)))}
    assert tokens_of(system_of(other, gold)) == []
    assert tokens_of(system_of(same, gold, tokens="equal")) == [(0, 0, 7)]
    system = system_of(other, gold, tokens="system")
    assert tokens_of(system) == [(1, 0, 7), (1, 8, 12)]
    assert system.warnings == ["system: tokens differ from gold in 2 documents, first in a.json"]
    assert found(system_of, other, gold, tokens="equal") == [
        ("a.json", "tokens differ from gold"),
        ("b.json", "tokens differ from gold"),
    ]
    broken = {"a.json": document(annotation_set("lex", (0, 7), (3, 9), (5, 5))), "b.json": EMPTY}
    assert messages_of(system_of, broken, gold, tokens="system") == [
        "zero-length annotation: lex from 5 to 5",
        "tokens overlap: from 0 to 7 and from 3 to 9",
    ]


def test_a_missing_document_has_no_tokens_to_differ():
    gold = {"a.json": document(annotation_set("lex", (0, 7))), "b.json": EMPTY}
    assert system_of({"b.json": EMPTY}, gold, tokens="equal", missing_documents="empty").missing.tolist() == [
        True,
        False,
    ]


def test_a_type_may_be_content_and_token_at_once():
    chosen = {"content_annotations": ("lex",)}
    files = {"a.json": document(annotation_set("lex", (0, 7)))}
    gold = gold_of(files, **chosen)
    assert (spans_of(gold), tokens_of(gold)) == ([(0, "lex", 0, 7)], [(0, 0, 7)])
    assert spans_of(system_of(files, files, **chosen)) == [(0, "lex", 0, 7)]


def test_a_file_beyond_the_limit_is_refused_by_its_name(monkeypatch):
    monkeypatch.setattr(documents, "_LARGEST", 2**20)
    large = {"a.json": b" " * (2**20 + 1)}
    assert found(system_of, large) == [("a.json", "file is too large: 1.0 MB, at most 1 MB are read")]


def test_archives_hold_as_much_as_documents_may():
    assert (LIMITS.members, LIMITS.total_bytes) == (100_000, 2 * 2**30)
    assert LIMITS.member_bytes >= 64 * 2**20


def test_problems_of_an_archive_are_those_of_its_documents(tmp_path):
    path = tmp_path / "run.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("run/a.json", b"{}" * 10_000)
        archive.writestr("run/b.json", "[")
    path.write_bytes(path.read_bytes().replace(b"{}{}", b"{}[]", 1))
    gold = gold_of({"a.json": EMPTY, "b.json": EMPTY})
    assert [file for file, _ in found(read_system, open_files(path), gold, options())] == ["a.json", "b.json"]


def test_an_endless_list_of_problems_is_cut():
    gold = {f"{number}.json": EMPTY for number in range(1200)}
    listed = found(system_of, {"0.json": EMPTY}, gold)
    assert len(listed) == 1001
    assert listed[-1] == (None, "and 199 more")


def test_only_the_pairs_may_be_kept():
    gold, system = side({"a.json": PERSON, "b.json": "["}), side({"a.ann": "", "a.txt": "x", "c.ann": "T"})
    chosen = options(system_format="brat", suffix_off=".ann", suffix_on=".json")
    kept_gold, kept_system, warnings = keep_pairs(gold, system, chosen)
    assert dict(kept_gold) == {"a.json": gold["a.json"]}
    assert dict(kept_system) == {"a.ann": b"", "a.txt": b"x"}
    assert warnings == [
        "c.ann: no gold document with this name, skipped",
        "b.ann: missing document, its gold does not count",
    ]
    with pytest.raises(SubmissionError, match="no document"):
        keep_pairs(gold, side({"c.ann": ""}), chosen)


def test_two_single_files_are_kept_as_they_are(tmp_path):
    opened(tmp_path, {"a.json": PERSON, "b.json": PERSON})
    files = open_files(tmp_path / "a.json"), open_files(tmp_path / "b.json")
    assert keep_pairs(*files, options()) == (*files, [])
