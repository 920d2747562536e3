"""The scores of single units: a unit in which the score counts nothing has none, and nothing in it is wrong."""

import json

import numpy as np
import pytest

import scoring
from scoring.comparing.units import scores_of_units
from scoring.readers.archive import Made

RIGHT, NOTHING, FALSE_ALARM = (True, True), (False, False), (False, True)
UNITS = RIGHT, NOTHING, FALSE_ALARM


def lines(write, side: int, head: str = "") -> bytes:
    return (head + "".join(write(place, has[side]) for place, has in enumerate(UNITS))).encode()


def document(place: int, has_entity: bool) -> str:
    return json.dumps({"id": str(place), "words": ["Ada", "ran"], "ents": [[0, 1, "PER"]] * has_entity}) + "\n"


def sentence(place: int, has_edit: bool) -> str:
    return f"S He go {place}\n" + "A 1 2|||R:VERB|||goes|||REQUIRED|||-NONE-|||0\n" * has_edit + "\n"


def clusters(has_one: bool) -> bytes:
    return json.dumps({"type": "clusters", "clusters": {"0": ["1:1-1", "1:3-3"]} if has_one else {}}).encode()


def table_of_spans(side: int) -> dict[str, bytes]:
    texts = {f"n{place}.txt": b"Ada ran." for place in range(len(UNITS))}
    head = "filename\tlabel\tstart_span\tend_span\ttext\n"
    spans = lines(lambda place, has: f"n{place}\tPER\t0\t3\tAda\n" * has, side, head)
    return {"spans.tsv": spans} if side else {"spans.tsv": spans} | texts


SIDES = {
    "labels": lambda side: {"t.csv": lines(lambda place, has: f"{place},{'NP'[has]}\n", side, "id,label\n")},
    "spacy": lambda side: {"d.jsonl": lines(document, side)},
    "edits": lambda side: {"e.m2": lines(sentence, side)},
    "mat": table_of_spans,
    "coreference": lambda side: {f"{place}.json": clusters(has[side]) for place, has in enumerate(UNITS)},
}
OPTIONS = {
    "labels": {"labels": "N,P", "positive": "P", "beta": "0.5", "headline": "fbeta"},
    "spacy": {"scores": [{"name": "ner"}]},
    "mat": {"gold_format": "table", "system_format": "table", "content_annotations": "PER"},
    "coreference": {"format": "json"},
}


# The programs of these give 0/0 as 1: all is right there.
OF_NOTHING = {"edits": 1, "mat": 1}


@pytest.mark.parametrize("family", SIDES)
def test_nothing_is_wrong_in_a_unit_without_anything_to_count_and_all_is_in_one_with_a_false_alarm(family):
    gold, system = (Made(SIDES[family](side)) for side in (0, 1))
    evaluation = scoring.evaluate(family, gold=gold, system=system, options=OPTIONS.get(family, {}), n_resamples=0)
    assert scores_of_units(evaluation) == pytest.approx([1, OF_NOTHING.get(family, np.nan), 0], nan_ok=True)


def test_an_item_that_is_wrong_has_0_also_where_all_are_or_where_another_slice_is_the_worst():
    gold, system = ({"t.csv": f"id,label,s\n1,{a},x\n2,{b},x\n3,N,y\n4,P,y\n".encode()} for a, b in ("NP", "PN"))
    options = {"labels": "N,P", "slices": "s", "headline": "slice_min"}
    evaluation = scoring.evaluate("labels", gold=Made(gold), system=Made(system), options=options, n_resamples=0)
    assert scores_of_units(evaluation)[:2].tolist() == [0, 0]
