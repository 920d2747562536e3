"""The published scorch itself as the oracle of both its protocols, on documents of any shape."""

import contextlib
import io
import json
import re
import tempfile
from pathlib import Path

import pytest
import scorch.conll
import scorch.main
import scorch.scores
from hypothesis import given, settings
from hypothesis import strategies as st

import scoring
from scoring.commands import scorch as command
from scoring.commands import scorch_convert
from tests.thoroughness import n_inputs

METRICS = {"muc": "MUC", "b_cubed": "B³", "ceaf_m": "CEAF_m", "ceaf_e": "CEAF_e", "blanc": "BLANC"}
NUMBER = re.compile(r"(?<=[= ])[0-9][0-9.e-]*(?=[\t\n])")
MENTIONS = [f"m{number:02}" for number in range(14)]


@st.composite
def clusters(draw):
    """Disjoint entities over a few mentions, so that both sides share many."""
    labels = draw(st.lists(st.sampled_from([None, *"abcde"]), min_size=len(MENTIONS), max_size=len(MENTIONS)))
    found = {}
    for mention, label in zip(MENTIONS, labels, strict=True):
        if label:
            found.setdefault(label, []).append(mention)
    return found


@settings(deadline=None)
@given(clusters(), clusters())
def test_a_file_gives_the_numbers_of_the_functions(gold, system):
    scores = evaluate(documents(gold), documents(system), "scorch-functions").scores
    gold, system = ([set(mentions) for mentions in side.values()] for side in (gold, system))
    for metric in METRICS:
        expected = score_of(metric, gold, system)
        found = tuple(scores[f"{metric}_{part}"] for part in ("recall", "precision", "f1"))
        assert found == pytest.approx(expected, abs=1e-12), metric


@settings(deadline=None)
@given(clusters(), clusters())
def test_a_file_gives_the_text_of_the_command(gold, system):
    streams = (io.StringIO(json.dumps({"type": "clusters", "clusters": side})) for side in (gold, system))
    expected = "".join(scorch.main.process_files(*streams))
    with tempfile.TemporaryDirectory() as folder:
        paths = [
            write(Path(folder) / side, documents(side_)) / "d.json" for side, side_ in (("g", gold), ("s", system))
        ]
        out = Path(folder) / "out"
        assert command.main([*map(str, paths), str(out)]) == 0
        assert_same_text(out.read_text(encoding="utf-8"), expected)


@settings(max_examples=n_inputs(50))
@given(st.lists(st.tuples(clusters(), clusters()), min_size=1, max_size=4))
def test_folders_give_the_text_of_the_command(pairs):
    with tempfile.TemporaryDirectory() as folder:
        gold = write(Path(folder) / "gold", {f"doc {number}.": side for number, (side, _) in enumerate(pairs)})
        system = write(Path(folder) / "system", {f"doc {number}.": side for number, (_, side) in enumerate(pairs)})
        out = Path(folder) / "out"
        if not any(side for _, side in pairs):
            assert command.main([str(gold), str(system), str(out)]) == 1
            return
        assert command.main([str(gold), str(system), str(out)]) == 0
        text = out.read_text(encoding="utf-8")
        assert_same_text(text, "".join(scorch.main.process_dirs(gold, system)))
        scores = scoring.evaluate("coreference", gold=gold, system=system, options={"protocol": "scorch"}).scores
    printed = [float(number) for number in NUMBER.findall(text)]
    parts = [scores[f"{metric}_{part}"] for metric in METRICS for part in ("recall", "precision", "f1")]
    assert [*parts, scores["conll_f1"]] == pytest.approx(printed, abs=1e-12)


CELLS = st.lists(st.sampled_from(["(0", "0)", "(0)", "(1", "1)", "(1)", "(2)"]), max_size=3).map("|".join)
ROWS = st.lists(st.one_of(CELLS.map(lambda cell: f"x 0 {len(cell)} w {cell or '-'}"), st.just("")), max_size=8)


@settings(max_examples=n_inputs(300))
@given(ROWS)
def test_what_is_converted_is_what_scorch_converts(rows):
    lines = ["#begin document (a/b); part 0", *rows, "#end document"]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "in").write_text("\n".join(lines) + "\n")
        with contextlib.redirect_stderr(io.StringIO()):
            status = scorch_convert.main([str(Path(folder) / "in")])
        written = Path(folder) / "a_b-0.json"
        text = written.read_text() if written.exists() else None
    try:
        ((name, entities),) = scorch.conll.parse_file(lines)
    except (ValueError, KeyError, RuntimeError):
        assert (status, text) == (1, None)
        return
    if status == 0:
        clusters = {label: [f"{block}.{start}-{end}" for block, start, end in own] for label, own in entities.items()}
        assert text == json.dumps({"name": name, "type": "clusters", "clusters": clusters})
    else:
        # An entity that others have left without mentions: scorch writes it empty, and cannot read that file.
        assert not all(entities.values())


def score_of(metric, gold, system):
    try:
        return getattr(scorch.scores, metric)(gold, system)
    except ZeroDivisionError:
        return (0, 0, 0)


def assert_same_text(text, expected):
    """Numbers within 1e-12, and a bare 0 where scorch prints one; all else to the character."""
    assert NUMBER.sub("#", text) == NUMBER.sub("#", expected)
    numbers, wanted = NUMBER.findall(text), NUMBER.findall(expected)
    assert len(numbers) == 16
    assert [number == "0" for number in numbers] == [number == "0" for number in wanted]
    assert list(map(float, numbers)) == pytest.approx(list(map(float, wanted)), abs=1e-12)


def documents(clusters):
    return {"d": clusters}


def write(folder, documents):
    folder.mkdir()
    for name, side in documents.items():
        (folder / f"{name}.json").write_text(json.dumps({"type": "clusters", "clusters": side}))
    return folder


def evaluate(gold, system, protocol):
    with tempfile.TemporaryDirectory() as folder:
        paths = [write(Path(folder) / side, found) / "d.json" for side, found in (("g", gold), ("s", system))]
        return scoring.evaluate("coreference", gold=paths[0], system=paths[1], options={"protocol": protocol})
