"""A value of JSON with another shape than expected is read as what it holds, or refused with its place: never dropped.

Each place in a small file of each format gets each other shape. Where the changed file is accepted, its result is that
of the right shape, or that of another single value; what holds something never counts as if it were not there.
"""

import copy
import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.readers.archive import Made

TABLE = {"gold_format": "table", "system_format": "table"}


@dataclass(frozen=True)
class Form:
    """A format: how a scenario reads it, and two equal sides, of which one is changed."""

    name: str
    family: str
    options: dict[str, Any]
    value: Any  # of the only file; of JSON Lines a list of the lines' values
    path: str = "run.json"
    unread: tuple[str, ...] = ()  # keys of the gold that change no number
    unread_of_run: tuple[str, ...] = ()  # and those of a run
    system: Any = None  # where a run has another layout
    of_gold: dict[str, bytes] = field(default_factory=dict)  # its other files
    either: tuple[str, ...] = ()  # keys and places below which several shapes are right
    elsewhere: tuple[int, ...] = ()  # rows that another scenario reads

    def content(self, value: Any) -> bytes:
        lines = value if self.path.endswith(".jsonl") else [value]
        return "\n".join(json.dumps(line) for line in lines).encode()


QUESTIONS = [
    {"id": "a", "type": "factoid", "body": "Who?", "exact_answer": [["Ann", "A."], ["Bo"]]},
    {"id": "b", "type": "factoid", "exact_answer": [["x"]]},
    {"id": "c", "type": "list", "exact_answer": [["x"], ["y", "z"]]},
    {"id": "d", "type": "list", "exact_answer": [["x"]]},
]
SNIPPET = {"document": "x/7", "beginSection": "title", "endSection": "title"}
SNIPPETS = [
    {"id": "a", "snippets": [SNIPPET | {"offsetInBeginSection": 3, "offsetInEndSection": 40}]},
    {"id": "b", "snippets": [SNIPPET | {"offsetInBeginSection": 5, "offsetInEndSection": 9}]},
]
SQUAD = {
    "version": "v2.0",
    "data": [
        {
            "title": "T",
            "paragraphs": [
                {
                    "context": "Tsu lies on the bay.",
                    "qas": [
                        {"id": "a", "question": "Where?", "is_impossible": False, "answers": [{"text": "the bay"}]},
                        {"id": "b", "question": "Who?", "is_impossible": True, "answers": []},
                    ],
                }
            ],
        }
    ],
}
DOCUMENT = {
    "id": "a",
    "words": ["Ann", "ran", "."],
    "spaces": [True, False, False],
    "tags": ["N", "V", "."],
    "pos": ["N", "V", "."],
    "lemmas": ["ann", "run", "."],
    "morphs": ["A=1|B=2", "C=3", "D=4"],
    "heads": [1, 1, 1],
    "deps": ["s", "ROOT", "p"],
    "sent_starts": [1, 1, -1],
    "ents": [[0, 1, "PER", "Q1"]],
    "spans": {"sc": [[0, 2, "X"]]},
    "cats": {"P": 1, "N": 0},
}
OTHER = {"id": "b", "words": ["Bo", "sat"], "ents": [[0, 1, "PER", "Q2"]], "ents_missing": [[1, 2]]}
TO_JSON = {
    "id": "a",
    "text": "Ann ran.",
    "tokens": [
        {"start": 0, "end": 3, "tag": "N", "pos": "N", "lemma": "a", "morph": "A=1", "head": 1, "dep": "s"},
        {"start": 4, "end": 7, "tag": "V", "pos": "V", "lemma": "r", "morph": "B=1", "head": 1, "dep": "ROOT"},
        {"start": 7, "end": 8, "tag": ".", "pos": ".", "lemma": ".", "morph": "C=1", "head": 1, "dep": "p"},
    ],
    "sents": [{"start": 0, "end": 4}, {"start": 4, "end": 8}],
    "ents": [{"start": 0, "end": 3, "label": "PER", "kb_id": "Q1"}],
    "spans": {"sc": [{"start": 0, "end": 7, "label": "X", "kb_id": "Q7"}]},
    "cats": {"P": 1, "N": 0},
}
ALL_SCORES = json.dumps(
    [
        {"name": name}
        for name in ("tokenization", "tagger", "morphologizer", "lemmatizer", "senter", "ner", "entity_linker")
    ]
    + [{"name": "spancat", "key": "sc"}, {"name": "textcat", "labels": ["P", "N"]}]
)
TASK = b"""<task><tags><tag name="PER" category="content"><attr_set name="NAME"><attr name="a" value="x"/></attr_set>
</tag><tag name="lex" category="token"/></tags></task>"""
MAT_JSON = {
    "signal": "Mirelle left Gorloin.",
    "asets": [
        {"type": "lex", "hasID": False, "hasSpan": True, "attrs": [], "annots": [[0, 7], [8, 12], [13, 20]]},
        {"type": "PER", "hasID": True, "attrs": [{"name": "a"}], "annots": [[0, 7, "e1", "x"]]},
    ],
}
ROWS = [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]
UNREAD_OF_TREES = ("cats", "ents", "lemmas", "morphs", "pos", "spaces", "spans", "tags")
FORMS = [
    Form("labels, lines", "labels", {}, ROWS, "run.jsonl"),
    Form("labels, list", "labels", {}, ROWS),
    Form("labels, object", "labels", {}, {"a": {"label": "A"}, "b": {"label": "B"}}),
    Form("labels, values", "labels", {}, {"a": "A", "b": "B"}),
    Form("sets", "labels", {"task": "multi"}, [{"id": "a", "label": ["A", "B"]}, {"id": "b", "label": ["C"]}]),
    Form(
        "sets in lists",
        "labels",
        {"task": "multi", "id": "id,m[].start", "label": "m[].label"},
        [{"id": "a", "m": [{"start": 0, "label": ["A"]}, {"start": 5, "label": ["B", "C"]}]}],
    ),
    Form(
        "labels in lists",
        "labels",
        {"id": "#", "label": "labels[]"},
        [{"episode": "x", "labels": ["A", "B"]}, {"episode": "x", "labels": ["A"]}],
        unread=("episode",),
        unread_of_run=("episode",),
    ),
    Form(
        "guesses",
        "labels",
        {"task": "ranked"},
        [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}],
        system=[{"id": "a", "label": ["A", "B"]}, {"id": "b", "label": ["B", "A"]}],
    ),
    Form(
        "shares",
        "labels",
        {"task": "soft"},
        [{"id": "a", "label": {"A": 0.25, "B": 0.75}}, {"id": "b", "label": {"A": 1}}],
        either=("label",),
    ),
    Form(
        "ratings",
        "labels",
        {"task": "soft"},
        [{"id": "a", "label": ["A", "A", "B"]}, {"id": "b", "label": ["A"]}],
        system=[{"id": "a", "label": {"A": 0.5, "B": 0.5}}, {"id": "b", "label": {"A": 1}}],
    ),
    Form(
        "shares of sets",
        "labels",
        {"task": "multi", "shares": "yes"},
        [{"id": "a", "label": {"A": 0.75, "B": {"0": 0.25, "1": 0.75}}}, {"id": "b", "label": [["A", "B"], ["A"]]}],
        system=[{"id": "a", "label": {"A": 1, "B": 0.25}}, {"id": "b", "label": {"A": 0.5}}],
        either=("label",),
    ),
    Form(
        "probabilities",
        "labels",
        {"probabilities": "p"},
        [row | {"pA": 0.75, "pB": 0.25} for row in ROWS],
        "run.jsonl",
        unread=("pA", "pB"),
    ),
    Form(
        "columns",
        "labels",
        {"task": "multi", "multi_as": "columns", "labels": "A,B"},
        [{"id": "a", "A": 1, "B": 0}, {"id": "b", "A": 1, "B": 1}],
    ),
    Form(
        "numbers",
        "numbers",
        {},
        [{"id": "a", "value": 1.5}, {"id": "b", "value": 2}, {"id": "c", "value": 4}],
        "run.jsonl",
    ),
    Form(
        "numbers in lists",
        "numbers",
        {"id": "id,m[].a", "columns": "m[].va#1,m[].va#2"},
        [
            {"id": "a", "m": [{"a": "x", "va": "1#2"}, {"a": "y", "va": "2#5"}]},
            {"id": "b", "m": [{"a": "x", "va": "7#6"}]},
        ],
    ),
    Form(
        "judgements of several",
        "numbers",
        {"tolerance_column": "sd"},
        [{"id": "a", "value": 1, "sd": 0.5}, {"id": "b", "value": 2, "sd": 1}],
        unread_of_run=("sd",),
    ),
    Form("rankings, objects", "ranking", {}, {"q1": {"a": 2, "b": 1}, "q2": {"c": 1, "d": 2}}),
    Form("rankings, lists of queries", "ranking", {}, {"q1": ["a", "b"], "q2": ["c"]}),
    Form(
        "rankings, lines", "ranking", {}, [{"qid": "q1", "docs": ["a", "b"]}, {"qid": "q2", "docs": ["c"]}], "run.jsonl"
    ),
    Form(
        "rankings, scores",
        "ranking",
        {},
        [
            {"qid": "q1", "docs": [{"id": "a", "score": 2}, {"id": "b", "score": 1}]},
            {"qid": "q2", "docs": [{"id": "c", "score": 1}, {"id": "d", "score": 2}]},
        ],
        "run.jsonl",
    ),
    Form(
        "rankings, questions",
        "ranking",
        {},
        {"questions": [{"id": "q1", "documents": ["a", "b"]}, {"id": "q2", "documents": ["c"]}]},
    ),
    Form("snippets", "ranking", {"items": "snippets"}, {"questions": SNIPPETS}),
    Form(
        "texts",
        "text",
        {"metrics": "sari,bleu"},
        [
            {"id": "a", "source": "an old mill stands here", "refs": ["a mill stands here", "an old mill"]},
            {"id": "b", "source": "x y z w", "refs": ["x y"]},
        ],
        "run.jsonl",
        system=[{"id": "a", "text": "a mill stands here"}, {"id": "b", "text": "x y"}],
    ),
    Form(
        "documents of texts",
        "text",
        {"unit": "document"},
        [{"id": "a", "ref": "a mill stands here", "document": "d"}, {"id": "b", "ref": "x y", "document": "e"}],
        system=[{"id": "a", "text": "a mill stands here"}, {"id": "b", "text": "x y"}],
    ),
    Form(
        "transcripts",
        "transcripts",
        {"unit": "speaker"},
        [{"id": "a", "text": "mind the gap", "speaker": "ann"}, {"id": "b", "text": "yes", "speaker": "bo"}],
        "run.jsonl",
        unread_of_run=("speaker",),
    ),
    Form(
        "exact answers, factoids",
        "qac",
        {"format": "bioasq", "task": 1},
        {"questions": QUESTIONS},
        unread=("body",),
        unread_of_run=("body", "type"),
    ),
    Form(
        "exact answers, lists",
        "qac",
        {"format": "bioasq", "task": 2},
        {"questions": QUESTIONS},
        unread_of_run=("type",),
    ),
    Form(
        "squad",
        "qac",
        {"format": "squad"},
        SQUAD,
        system={"a": "the bay", "b": ""},
        unread=("context", "is_impossible", "question", "version"),
    ),
    Form("clusters", "coreference", {}, {"type": "clusters", "clusters": {"0": ["m1", "m2"], "1": ["m3", "m4", "m5"]}}),
    Form(
        "links", "coreference", {}, {"type": "graph", "mentions": ["m1", "m6"], "links": [["m1", "m2"], ["m3", "m4"]]}
    ),
    Form(
        "documents",
        "spacy",
        {"scores": ALL_SCORES},
        [DOCUMENT, OTHER],
        "run.jsonl",
        unread=("N", "deps", "ents_missing"),
        unread_of_run=("N", "deps", "ents_missing"),
    ),
    Form(
        "trees",
        "spacy",
        {"scores": [{"name": "parser"}]},
        [DOCUMENT],
        "run.jsonl",
        unread=UNREAD_OF_TREES,
        unread_of_run=UNREAD_OF_TREES,
    ),
    Form(
        "documents by characters",
        "spacy",
        {"scores": ALL_SCORES},
        [TO_JSON],
        "run.jsonl",
        unread=("N", "head", "dep"),
        unread_of_run=("N", "head", "dep"),
    ),
    Form(
        "mat-json",
        "mat",
        {"tokens": "system"},
        MAT_JSON | {"metadata": {"content_annotations": ["PER"], "token_annotations": ["lex"]}},
        unread=("token_annotations",),
        unread_of_run=("hasSpan", "metadata"),
        either=("attrs",),
    ),
    Form(
        "mat-json, aliases",
        "mat",
        {"task_in": "gold"},
        MAT_JSON,
        of_gold={"task.xml": TASK},
        unread=("hasSpan",),
        either=("attrs", 3),
    ),
    Form(
        "mat-json, types", "mat", {"content_annotations": "PER,ORG"}, MAT_JSON, unread=("hasSpan",), either=("attrs",)
    ),
    Form(
        "causes of emotions",
        "mat",
        TABLE
        | {
            "columns": "c,emotion-cause_pairs[].emotion,emotion-cause_pairs[].start,emotion-cause_pairs[].end",
            "fields": "emotion-cause_pairs[].emotion_utterance,emotion-cause_pairs[].cause_utterance",
        },
        [
            {"c": 1, "emotion-cause_pairs": [["2_joy", "1_0_2"], ["2_joy", "2_1_2"]]},
            {"c": 2, "emotion-cause_pairs": [["1_fear", "1_4_7"]]},
        ],
    ),
    Form(
        "soft spans",
        "mat",
        TABLE
        | {
            "columns": "id,-,s[].start,s[].end",
            "text_column": "t",
            "content_annotations": "h",
            "overlap": True,
            "probability": "s[].p",
        },
        [
            {"id": "a", "t": "Ann ran here.", "s": [{"start": 0, "end": 3, "p": 1}, {"start": 4, "end": 7, "p": 0.5}]},
            {"id": "b", "t": "Bo sat.", "s": [{"start": 0, "end": 2, "p": 0.75}]},
        ],
        "run.jsonl",
        unread_of_run=("t",),
    ),
    Form(
        "tuples",
        "mat",
        TABLE
        | {"columns": "id,t|u[].c", "fields": "t|u[].a,t|u[].o", "values": "t|u[].v#1,t|u[].v#2", "value_range": "1,9"},
        [
            {"id": "a", "t": [{"c": "POS", "a": "food", "o": "good", "v": "7#6"}]},
            {"id": "b", "t": [{"c": "NEG", "a": "tea", "o": "cold", "v": "2#3"}]},
        ],
        "run.jsonl",
    ),
    Form(
        "scores of a metric",
        "given",
        {"group": "doc"},
        [{"unit": "a", "doc": "x", "weight": 1}, {"unit": "b", "doc": "y", "weight": 2}],
        "run.jsonl",
        system=[{"unit": "a", "score": 0.5}, {"unit": "b", "score": 0.75}],
    ),
    Form(
        "rows of a language",
        "labels",
        {"rows": "lang=en"},
        [row | {"lang": "en"} for row in ROWS] + [{"id": "c", "label": "A", "lang": "de"}],
        "run.jsonl",
        elsewhere=(2,),
    ),
]
OTHERS = [7, True, None, "other", [], {}, ["other"], {"other": "other"}]
REFUSED = "refused"


def places(value, at=()):
    """The way to each value inside of this one."""
    yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*at, key))


def changed(value, at, new):
    """The value with another one at a place; `...` takes it away."""
    if not at:
        return new
    value = copy.deepcopy(value)
    inner = value
    for key in at[:-1]:
        inner = inner[key]
    if new is ...:
        del inner[at[-1]]
    else:
        inner[at[-1]] = new
    return value


def at_place(value, at):
    for key in at:
        value = value[key]
    return value


def shapes(value):
    """Other shapes of a value, and whether they hold what it holds."""
    if isinstance(value, list):
        yield from ((each, True) for each in (value if len(value) == 1 else ()))
    else:
        yield [value], True
        yield [[value]], True
    if isinstance(value, str):
        yield {"text": value}, True
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value), True
    # A list in place of a list, and an object in place of an object, is another value of the right shape.
    is_single = not isinstance(value, list | dict)
    yield from ((each, False) for each in OTHERS if type(each) is not type(value) or (is_single and each != value))


def result(form, side, value):
    """Scores, counts and tables of the form with this value on one side; None where it is refused."""
    sides = {
        "gold": form.content(form.value),
        "system": form.content(form.value if form.system is None else form.system),
    }
    if value is not ...:
        sides[side] = form.content(value)
    gold, system = Made({form.path: sides["gold"]} | form.of_gold), Made({form.path: sides["system"]})
    try:
        evaluation = scoring.evaluate(form.family, gold=gold, system=system, options=form.options)
    except scoring.ConfigurationError as error:
        if "in the gold's metadata" not in str(error):
            raise
        return REFUSED
    except (scoring.SubmissionError, scoring.GoldError) as error:
        if not all(problem.file for problem in error.problems):
            raise
        return REFUSED
    return json.dumps([evaluation.scores, evaluation.counts, evaluation.tables], default=str)


def faults(form, side):
    own = form.value if side == "gold" or form.system is None else form.system
    right = result(form, side, ...)
    unread, read = [], set()
    for at in places(own):
        if (form.path.endswith(".jsonl") and not at) or any(at[: len(way)] == way for way in unread):
            continue
        without = result(form, side, changed(own, at, ...)) if at else REFUSED
        if without == right:
            unread.append(at)
            continue
        read |= {*at}
        old = at_place(own, at)
        for new, is_same in shapes(old):
            found = result(form, side, changed(own, at, new))
            if found == REFUSED or {*at} & {*form.either} or (is_same and found == right) or new in (None, []):
                continue
            # What holds one thing may be read as a list of it, and the other way round.
            others = [] if isinstance(old, list | dict) == isinstance(new, list | dict) else [[new], [[new]]]
            if isinstance(new, list):
                others = new if new and not isinstance(old, list | dict) else []
            if not isinstance(old, list | dict) and not isinstance(new, list | dict):
                if found == without and not isinstance(new, str):
                    yield at, new, "dropped"
            elif found in [result(form, side, changed(own, at, other)) for other in others]:
                continue
            else:
                yield at, new, "dropped" if found == without else "read as something else"
    never = {way[-1] for way in unread if isinstance(way[-1], str)} - read
    if never != {*(form.unread if side == "gold" else form.unread_of_run)}:
        yield (), sorted(never), "not read"


@pytest.mark.parametrize("side", ["gold", "system"])
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_value_of_another_shape_is_read_as_what_it_holds_or_refused(form, side):
    wrong = [f"{at} {json.dumps(new)}: {fault}" for at, new, fault in faults(form, side)]
    assert not wrong, "\n".join(wrong)


def keys_read(form, side):
    """Each way to a key that changes the result, with the side's value."""
    own = form.value if side == "gold" or form.system is None else form.system
    right = result(form, side, ...)
    keys = [at for at in places(own) if at and at[0] not in form.elsewhere and isinstance(at[-1], str)]
    yield from ((own, at) for at in keys if result(form, side, changed(own, at, ...)) != right)


TWIN = "a key that stands for another one"


@pytest.mark.parametrize("side", ["gold", "system"])
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_key_that_stands_twice_is_refused(form, side, monkeypatch):
    content = Form.content
    for own, at in keys_read(form, side):
        written = json.dumps(at[-1]).encode()
        monkeypatch.setattr(Form, "content", lambda *of: content(*of).replace(f'"{TWIN}"'.encode(), written))  # noqa: B023
        twice = changed(own, (*at[:-1], TWIN), at_place(own, at))
        assert result(form, side, twice) == REFUSED, at


# What names a document, label or query of its own, and the title of an article, which is one more unit.
NAMES = {"0", "1", "A", "B", "P", "a", "b", "c", "d", "q1", "q2", "sc", "title"}


@pytest.mark.parametrize("side", ["gold", "system"])
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_key_in_other_letters_is_never_passed_over(form, side):
    for own, at in keys_read(form, side):
        if at[-1] not in NAMES:
            other = changed(changed(own, at, ...), (*at[:-1], at[-1].upper() + " "), at_place(own, at))
            assert result(form, side, other) in (REFUSED, result(form, side, ...)), at


READERS = Path(scoring.__file__).parent / "readers"
PARSES = re.compile(r"json\.loads|fast_loads\)?\(|raw_decode\(|_STRICT\.decode|strict_json\(|parse_json\(")
# Tables of several systems' scores, which test_given.py looks at, what only irregular rankings come to, and guesses at
# the columns of gold that was refused.
OTHERS_OF_JSON = {"given/grid.py", "given/logs.py", "given/log_formats.py", "ranking/objects.py", "tables/guessing.py"}


def test_each_reader_of_json_is_tried():
    ran = set()
    sys.setprofile(lambda frame, event, argument: ran.add(frame.f_code.co_filename))
    try:
        for form in FORMS:
            result(form, "gold", ...)
    finally:
        sys.setprofile(None)
    parsing = {path for path in READERS.rglob("*.py") if PARSES.search(path.read_text())}
    assert not {path.relative_to(READERS).as_posix() for path in parsing if str(path) not in ran} - OTHERS_OF_JSON
