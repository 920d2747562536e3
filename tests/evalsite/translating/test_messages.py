"""The engine's messages in Spanish: each kind that its source has, and what it really says of bad files."""

import ast
import json
import random
import re
import runpy
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from django.conf import settings
from django.utils import translation

import scoring
from evalsite.translating.engine import from_engine
from scoring.describing.contents import Contents, Layer, Spans
from scoring.describing.describe import described
from scoring.families import FAMILIES
from scoring.families.parts import reading_parts
from scoring.messages import LIST, WORD, Message, from_data, to_data
from scoring.readers import explanations, hints

HOLE = re.compile(r"\{([a-z_0-9]+)(?:![rsa])?(?::([^{}]*))?\}")
ENGLISH = re.compile(r"(?<![\w'\"-])(?:the|is|are|must|of|and|with|not|there|has|have|which|where|should)(?![\w'\"-])")
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|“[^”]*”|«[^»]*»|<[^>]*>")
SEEDS = range(40)
STARTS = np.arange(12) * 9 + 3  # of "asma" in a text of twelve and more


@cache
def said_by_the_engine() -> list[Any]:
    """All that the engine says, read from its source when a test asks: each process of the tests loads this module."""
    return list(runpy.run_path(str(settings.BASE_DIR / ".ci/engine_texts.py"))["texts"](settings.BASE_DIR))


@pytest.fixture(autouse=True)
def _spanish():
    with translation.override("es"):
        yield


def test_the_kinds_that_hints_go_by_are_said_somewhere():
    named = hints.ABOUT_HEADING | hints.WANT_TABS | hints.WANT_JSON | explanations.SAY_EMPTY
    assert named - {text.kind for text in said_by_the_engine()} == set()


def samples(template: str) -> dict[str, object]:
    """A value for each hole."""
    return {name: 1234 if spec else "x" for name, spec in HOLE.findall(template)}


def english(text: str) -> list[str]:
    return ENGLISH.findall(QUOTED.sub("", text))


def test_a_kind_has_one_template_and_a_template_one_plural():
    templates: dict[str, set[str]] = {}
    plurals: dict[str, set[str]] = {}
    for text in said_by_the_engine():
        if text.kind != WORD:
            templates.setdefault(text.kind, set()).add(text.template)
        if text.other:
            plurals.setdefault(text.template, set()).add(text.other)
    assert {kind: found for kind, found in templates.items() if len(found) > 1} == {}
    assert {one: found for one, found in plurals.items() if len(found) > 1} == {}
    assert [kind for kind in templates if not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", kind)] == []


def test_every_template_is_translated_with_all_its_values():
    left = []
    for text in said_by_the_engine():
        if text.other is None:
            said = from_engine(Message(text.kind, text.template, **samples(text.template)))
        else:
            values = samples(text.other) | samples(text.template)
            said = from_engine(Message.counted(text.kind, text.template, text.other, 7, **values))
        if english(said):
            left.append((text.where, said))
    assert left == []


def broken(content: bytes, seed: int) -> bytes:
    """The file with a mistake of the kind that people make."""
    draw = random.Random(seed)
    lines = content.decode().split("\n")
    line = draw.randrange(len(lines))
    mistakes = (
        lambda: lines[line].replace("\t", " "),
        lambda: lines[line][: len(lines[line]) // 2],
        lambda: lines[line].upper(),
        lambda: re.sub(r"[0-9]+", "99", lines[line]),
        lambda: re.sub(r"[0-9]+", "x", lines[line]),
        lambda: lines[line].replace('"', "'"),
        lambda: lines[line] + "\n" + lines[line],
        lambda: "",
    )
    lines[line] = mistakes[seed % len(mistakes)]()
    return "\n".join(lines).encode()


def refused(name: str) -> set[Message]:
    """What the reader of a family says of its example with mistakes in it."""
    family = FAMILIES[name]
    options = family.configure({"content_annotations": "PER"} if name == "mat" else {})
    said = set()
    for seed in SEEDS:
        files = {path: broken(content, seed) for path, content in family.example(options).items()}
        try:
            family.read_gold(files, options)
        except scoring.SubmissionError as error:
            said.update(problem.message for problem in error.problems)
    return said


def values_in(message: Message) -> Iterator[object]:
    for value in message.values.values():
        for each in value if isinstance(value, list) else [value]:
            yield each
            if isinstance(each, Message):
                yield from values_in(each)


@pytest.mark.parametrize("name", FAMILIES)
def test_what_readers_say_of_broken_files_is_translated(name):
    said = refused(name)
    assert said
    assert [message for message in said if not isinstance(message, Message)] == []
    assert [text for text in map(from_engine, said) if english(text)] == []
    assert [message for message in said if from_engine(message) == message] == []


@pytest.mark.parametrize("name", FAMILIES)
def test_words_of_the_engine_inside_of_a_message_are_messages(name):
    plain = {value for message in refused(name) for value in values_in(message) if type(value) is str}
    words = {text.template for text in said_by_the_engine() if text.kind == WORD}
    assert [text for text in plain if text in words or english(text)] == []


@pytest.mark.parametrize("name", FAMILIES)
def test_messages_come_back_from_json_as_they_were(name):
    for message in refused(name):
        back = from_data(json.loads(json.dumps(to_data(message))))
        assert (back, back.kind, from_engine(back)) == (message, message.kind, from_engine(message))


# What no option with a parser of its own takes, or few.
BAD = ("?", "[", "x,x", "../x", "9" * 400, -1, 1.5, True, [], [""], ["x", "x"], {"x": 1}, [{"name": "ner", "x": 1}])


ERRORS = {"ConfigurationError", "SubmissionError", "GoldError", "Problem", "ValueError"}
OF_TERMINALS = {"cli", "commands", "display", "remote", "skeleton", "verifying"}  # which speak English


def test_errors_say_what_is_wrong_with_messages():
    plain = []
    for file in (settings.BASE_DIR / "scoring").rglob("*.py"):
        path = file.relative_to(settings.BASE_DIR / "scoring")
        for call in ast.walk(ast.parse(file.read_text())) if path.parts[0] not in OF_TERMINALS else ():
            match call:
                case ast.Call(ast.Name(name), [ast.Constant(str()) | ast.JoinedStr(), *_]) if name in ERRORS:
                    plain.append(f"{path}:{call.lineno}")
    assert plain == []


@pytest.mark.parametrize("name", FAMILIES)
def test_why_a_value_of_an_option_is_refused_is_told_in_the_language(name):
    family = reading_parts(FAMILIES[name])
    refusals = set()
    for option in family.options:
        for value in BAD:
            try:
                family.configure({option.key: value})
            except scoring.ConfigurationError as error:
                refusals.add(error.message)
    assert refusals
    assert [text for text in refusals if not isinstance(text, Message)] == []
    assert [text for text in refusals if type(text.values.get("why", text)) is str] == []
    assert [text for text in map(from_engine, refusals) if english(text)] == []


def test_what_is_inside_is_said_in_the_language_too():
    relations = Message.counted("relations", "{n:,} relation", "{n:,} relations", 1150)
    listed = Message.listed([Message.word("a list"), "x"])
    message = Message("sum", "{place}: {all}", place=listed, all=relations)
    assert listed.kind == LIST
    assert from_engine(message) == "una lista y x: 1,150 relations"  # of which the catalogue has no translation
    found = from_engine(Message("id-not-gold-data", "id {name!r} is not in the gold data", name="the id"))
    assert found == "el id 'the id' no está en los datos del gold"


def test_a_stored_template_reaches_for_nothing():
    """What a child of the engine answers is not trusted."""
    for template in ("{a.__class__} the", "{a[0]}", "{a:>999999999}", "{b}"):
        stored = {"text": "as it was", "kind": "x", "template": template, "other": None, "values": {"a": "x"}}
        assert from_engine(stored) == "as it was"


def test_plain_texts_that_were_stored_stay_as_they_are():
    assert from_engine("id 'a' is missing") == "id 'a' is missing"
    assert from_engine({"message": "x"}.get("message")) == "x"
    assert from_engine("") == ""


def test_in_english_nothing_is_touched():
    with translation.override("en"):
        message = Message("id-not-gold-data", "id {name!r} is not in the gold data", name="a")
        assert from_engine(message) == "id 'a' is not in the gold data"


@pytest.mark.parametrize("name", FAMILIES)
def test_what_was_read_is_told_in_the_language(name, tmp_path):
    family = FAMILIES[name]
    options = {"content_annotations": "PER"} if name == "mat" else {}
    specimen = family.offer.specimen(family.configure(options))
    for side, files in (("gold", specimen.gold), ("system", specimen.run)):
        for path, content in files.items():
            (tmp_path / side / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / side / path).write_bytes(content)
    summary = scoring.describe(name, gold=tmp_path / "gold", system=tmp_path / "system", options=options).summary
    assert isinstance(summary, Message)
    assert english(from_engine(summary)) == []
    assert from_engine(summary) != summary


def test_what_looks_odd_is_told_in_the_language():
    spans = Spans(["el asma. " * 20], *(np.array(each) for each in ([0] * 12, range(13), STARTS + 1, STARTS + 5)))
    spans = replace(spans, stated=lambda chosen: ["asma"] * len(chosen))
    layer = Layer(Message.noun("phrase", "phrases"), np.zeros(12, dtype=int), spans=spans)
    oddities = described(Contents(Message.noun("sentence", "sentences"), 1, [layer])).oddities
    assert [(from_engine(each.message), from_engine(each.suggestion)) for each in oddities] == [
        (
            "12 de 12 frases están a un carácter de su texto: ¿se cuentan sus desplazamientos desde 1? Por ejemplo, "
            'ahí está "sma." (de 4 a 8) y no "asma".',
            "cuente desde 0: reste 1 a todos los desplazamientos",
        )
    ]
