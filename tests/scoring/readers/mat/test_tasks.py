"""task.xml: both forms, aliases in their order, and what is wrong with a definition."""

import contextlib
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.errors import ConfigurationError, SubmissionError
from scoring.readers.mat import read_task
from scoring.readers.mat.types import Alias
from tests.scoring.readers.mat.documents import (
    annotation_set,
    document,
    gold_of,
    problems_of,
    spans_of,
    system_of,
    tokens_of,
)
from tests.thoroughness import n_inputs

FIRST_FORM = """<?xml version="1.0"?>
<tasks>
 <task name="Other"><tags><tag name="LOC"/></tags></task>
 <task name="Named Entity"><tags>
  <tag name="E" category="content">
   <attr_set name="P"><attr name="type" value="PERSON"/><attr name="n" value="1"/></attr_set>
   <attr_set name="Q"><attr name="type" value="PERSON"/></attr_set>
   <attr_set name="R"><attr name="n" value="1"/></attr_set>
  </tag>
  <tag name="word" category="token"/><tag name="zone" category="zone"/><tag name="F"/>
 </tags></task>
</tasks>
"""
SECOND_FORM = """<task name="t"><annotation_set_descriptors>
 <annotation_set_descriptor category="content" name="c">
  <annotation label="E"/><annotation label="F"/>
  <attribute of_annotation="E,F" name="type">
   <choice effective_label="P">PERSON</choice><choice effective_label="Q" value="x"/><choice>other</choice>
  </attribute>
 </annotation_set_descriptor>
 <annotation_set_descriptor category="token"><annotation label="word"/></annotation_set_descriptor>
 <annotation_set_descriptor category="admin"><annotation label="SEGMENT"/></annotation_set_descriptor>
</annotation_set_descriptors></task>
"""


@pytest.fixture
def task(tmp_path):
    def write(text):
        (tmp_path / "task.xml").write_text(text)
        return str(tmp_path / "task.xml")

    return write


def refused(path, name=None):
    with pytest.raises(ConfigurationError) as caught:
        read_task(path, name)
    return str(caught.value)


def test_tags_have_a_category_and_attribute_sets_are_aliases(task):
    read = read_task(task(FIRST_FORM), "Named Entity")
    assert read.content == ("E", "F")
    assert read.tokens == ("word",)
    assert list(read.aliases) == ["E"]
    assert read.aliases["E"][0] == Alias("P", {"type": "PERSON", "n": "1"})


def test_the_second_form_is_read_too(task):
    read = read_task(task(SECOND_FORM), None)
    assert read.content == ("E", "F")
    assert read.tokens == ("word",)
    assert read.aliases["E"] == (Alias("P", {"type": "PERSON"}), Alias("Q", {"type": "x"}))
    assert read.aliases["F"] == read.aliases["E"]


def test_a_folder_stands_for_its_task_file(task, tmp_path):
    task(SECOND_FORM)
    assert read_task(tmp_path, "t").name == "t"


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (FIRST_FORM, "Nope", "there is no task 'Nope', only Other, Named Entity"),
        (FIRST_FORM, None, "the option task is needed to choose one of its tasks: Other, Named Entity"),
        ("<tasks/>", None, "there is none"),
        ("<task/>", "x", "there is no task 'x'"),
        ("<x/>", None, "<tasks> or <task> is expected, not <x>"),
        ("<task>", None, "1:7: not well-formed XML"),
        ("<!DOCTYPE t [<!ENTITY a 'b'>]><task/>", None, "document type declarations are not allowed"),
        ("<task><tag/></task>", None, "a <tag> has no attribute 'name'"),
        ("<task><tag name='x' category='y'/></task>", None, "the category 'y'"),
        ("<task><tag name='x'><attr_set name='y'><attr name='z'/></attr_set></tag></task>", None, "'value'"),
        ("<task><attribute name='x'><choice effective_label='y'/></attribute></task>", None, "'of_annotation'"),
    ],
)
def test_what_is_wrong_with_a_definition_is_said_with_its_file(task, text, name, message):
    path = task(text)
    found = refused(path, name)
    assert found.startswith(f"task file {path}: ")
    assert message in found


def test_a_task_file_that_is_not_there_is_the_callers_to_fix(tmp_path):
    assert "No such file" in refused(tmp_path / "none.xml")
    assert "No such file" in refused(tmp_path)


def test_the_first_alias_that_fits_is_the_label_on_both_sides(task):
    chosen = {"task_file": task(FIRST_FORM), "task": "Named Entity"}
    rows = [(0, 1, "PERSON", 1), (1, 2, "PERSON", "2"), (2, 3, None, "1"), (3, 4, "x"), (4, 5, "y", True)]
    own = annotation_set("E", *rows, attrs=["type", {"name": "n"}])
    files = {"a.json": document(own, annotation_set("word", (0, 7)), annotation_set("LOC", (0, 7)))}
    expected = [(0, "P", 0, 1), (0, "Q", 1, 2), (0, "R", 2, 3), (0, "E", 3, 4), (0, "E", 4, 5)]
    gold = gold_of(files, **chosen)
    assert sorted(spans_of(gold), key=lambda span: span[2]) == expected
    assert tokens_of(gold) == [(0, 0, 7)]
    assert gold.n_ignored == 1
    assert sorted(spans_of(system_of(files, files, **chosen)), key=lambda span: span[2]) == expected


def test_a_list_where_an_alias_looks_for_a_value_is_refused(task):
    files = {"a.json": document(annotation_set("E", (0, 1, "PERSON"), (4, 5, ["PERSON"]), attrs=["type"]))}
    with pytest.raises(SubmissionError, match=r"a\.json: .*asets\[0\]: a value of type must be a text, a number"):
        gold_of(files, task_file=task(FIRST_FORM), task="Named Entity")


def test_a_value_compares_as_a_string(task):
    text = "<task><tag name='E'>{}</tag></task>"
    values = {"true": True, "7": 7, "1.5": 1.5, "": ""}
    sets = [f"<attr_set name='is {value}'><attr name='a' value='{value}'/></attr_set>" for value in values]
    own = annotation_set("E", *((0, 1, value) for value in [*values.values(), None]), attrs=["a"])
    gold = gold_of({"a.json": document(own)}, task_file=task(text.format("".join(sets))))
    assert sorted(label for _, label, *_ in spans_of(gold)) == ["E", "is ", "is 1.5", "is 7", "is true"]


def test_a_set_without_one_of_the_attributes_fits_no_alias_that_asks_for_it(task):
    chosen = {"task_file": task(FIRST_FORM), "task": "Named Entity"}
    own = annotation_set("E", (0, 1, "PERSON"), attrs=["type"])
    assert spans_of(gold_of({"a.json": document(own)}, **chosen)) == [(0, "Q", 0, 1)]


def test_the_task_comes_before_the_options_and_the_options_before_the_metadata(task):
    sets = [annotation_set(name, (0, 1)) for name in ("E", "PER", "M")]
    sets += [annotation_set(name, (0, 7)) for name in ("word", "lex", "tok")]
    files = {
        "a.json": document(*sets, metadata={"content_annotations": ["M"]}),
        "b.json": document(metadata={"content_annotations": ["PER"], "token_annotations": ["tok"]}),
    }

    def found(**chosen):
        gold = gold_of(files, **chosen)
        return gold.labels, sorted(gold.types.tokens)

    lists = {"content_annotations": None, "token_annotations": None}
    assert found(task_file=task(FIRST_FORM), task="Named Entity") == (["E"], ["word"])
    assert found() == (["PER"], ["lex"])
    assert found(**lists) == (["M", "PER"], ["tok"])
    assert found(**lists | {"token_annotations": ("word",)}) == (["M", "PER"], ["word"])
    del files["b.json"]
    assert found(**lists) == (["M"], ["lex"])


def test_without_any_list_of_content_the_caller_is_told():
    with pytest.raises(ConfigurationError, match="content annotations unknown"):
        gold_of({"a.json": document()}, content_annotations=None)


@settings(max_examples=n_inputs(200))
@given(data=st.binary(max_size=40), start=st.sampled_from([b"", b"<task>", b"<tasks><task>"]))
def test_arbitrary_bytes_are_the_callers_to_fix(tmp_path_factory, data, start):
    path = tmp_path_factory.getbasetemp() / "fuzzed.xml"
    path.write_bytes(start + data)
    with contextlib.suppress(ConfigurationError):
        read_task(path, None)


def test_devices_pipes_and_very_large_files_are_refused_before_they_are_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "large").open("wb") as file:
        file.truncate(17 * 2**20)
    assert "is not an ordinary file" in refused(tmp_path / "pipe")
    assert "is not an ordinary file" in refused("/dev/zero")
    assert "is larger than 16 MB" in refused(tmp_path / "large")


IN_GOLD = {"task_in": "gold", "content_annotations": None}
PERSONS = (
    '<tasks><task name="Names"><tags><tag name="ENAMEX" category="content"><attr_set name="PERSON">'
    '<attr name="type" value="PERSON"/></attr_set></tag></tags></task></tasks>'
)


def test_a_task_among_the_golds_files_defines_labels_and_is_no_document():
    annotations = annotation_set("ENAMEX", [0, 7, "PERSON"], [13, 20, "PLACE"], attrs=["type"])
    files = {"a.json": document(annotations), "task.xml": PERSONS}
    gold = gold_of(files, **IN_GOLD)
    assert (gold.documents, gold.paths) == (["a.json"], ["a.json", "task.xml"])
    assert spans_of(gold) == [(0, "PERSON", 0, 7), (0, "ENAMEX", 13, 20)]
    run = system_of({"a.json": document(annotations)}, files, **IN_GOLD)
    assert spans_of(run) == spans_of(gold)


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({}, (None, None, "there is no task.xml, which is to define the labels")),
        ({"task.xml": PERSONS, "more/task.xml": PERSONS}, (None, None, "there are several files task.xml")),
        ({"task.xml": "<tasks>\n<task>"}, ("task.xml", 2, "not well-formed XML")),
        ({"task.xml": "<tags/>"}, ("task.xml", None, "<tasks> or <task> is expected, not <tags>")),
        ({"task.xml": "<tasks/>"}, ("task.xml", None, "the option task is needed to choose one of its tasks")),
    ],
)
def test_what_is_wrong_with_the_golds_task_is_told_with_its_place(files, problem):
    [(file, line, _, message)] = problems_of(gold_of, {"a.json": document(), **files}, **IN_GOLD)
    assert (file, line) == problem[:2]
    assert message.startswith(problem[2])
