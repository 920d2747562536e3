"""Random small tasks, on which the engine has to count as a plain program does."""

import json
import random
import sys
import tempfile
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scoring
from scoring.commands import ehealthkd as command
from tests.scoring.plain import ehealthkd as plain
from tests.thoroughness import n_inputs

WORDS = ("dolor", "niño", "nin\u0303o", "a\u00a0b", "😀x", "ﬁn", "A\u030a", "de")
LABELS = ("Concept", "Action")
RELATIONS = ("is-a", "same-as", "SAME-AS", "Is-A", "causes")
FAMILY_ERRORS = {"gold": scoring.GoldError, "system": scoring.SubmissionError}
RULES = st.sampled_from(("2019", "documented"))
SCENARIOS = st.sampled_from((1, 2, 3))

several = settings(max_examples=n_inputs(150), derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@several
@given(data=st.data(), scenario=SCENARIOS, rules=RULES)
def test_counts_equal_those_of_the_plain_program(data, scenario, rules):
    gold, system = data.draw(tasks(with_tolerated_sentences))
    if data.draw(st.integers(0, 9)) == 0:
        system = (None, *system[1:])
    if scenario == 3 and data.draw(st.integers(0, 4)) == 0:
        system = (system[0], None, gold[2])
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder, "gold"), gold, scenario, "input")
        write(Path(folder, "run"), system, scenario, "output")
        assert engine_counts(folder, scenario, rules) == plain_counts(gold, system, scenario, rules)


@several
@given(data=st.data(), rules=RULES, sentences=st.sampled_from(("official", "checked")))
def test_the_command_prints_what_the_plain_program_prints(data, rules, sentences):
    with tempfile.TemporaryDirectory() as folder:
        for scenario, name in plain.FOLDERS.items():
            gold, system = data.draw(tasks(with_altered_sentences))
            write(Path(folder, "gold", name), gold, scenario, "input")
            write(Path(folder, "submits", "team", "run", name), system, scenario, "output")
        arguments = [
            *(f"{folder}/submits", f"{folder}/gold"),
            *("--rules", rules, "--sentences", sentences),
        ]
        assert printed(command.main, arguments) == printed(plain.main, arguments)


@pytest.mark.parametrize("rules", ["2019", "documented"])
@pytest.mark.parametrize("seed", range(5))
def test_a_sentence_crowded_with_phrases_counts_as_in_the_plain_program(seed, rules, tmp_path):
    rng = random.Random(seed)
    gold, system = crowded_side(rng, 0), crowded_side(rng, 1)
    write(tmp_path / "gold", gold, 1, "input")
    write(tmp_path / "run", system, 1, "output")
    counts = plain_counts(gold, system, 1, rules)
    assert min(counts["partial_A"], counts["spurious_A"]) > 10
    assert engine_counts(tmp_path, 1, rules) == counts


def crowded_side(rng, first):
    """Short phrases in the middle of a sentence, and before them in the file many that have a gap there."""
    short = [f"{a} {a + rng.randint(1, 6)}" for a in rng.sample(range(280, 320), 40)]
    gapped = [f"{a} {a + 1};{599 - a} {600 - a}" for a in range(first, 250, 2)]
    lines = [f"{number}\t{spans}\t{rng.choice(LABELS)}\tx\n" for number, spans in enumerate(gapped + short, start=1)]
    return b"x" * 600 + b"\n", "".join(lines).encode(), b""


def with_tolerated_sentences(draw, sentences):
    return [[draw(st.sampled_from((word, plain.fold(word)))) for word in words] for words in sentences]


def with_altered_sentences(draw, sentences):
    change = draw(st.sampled_from(("none", "word", "first dropped", "last dropped", "added")))
    if change == "word" and sentences[0]:
        return [["otra", *sentences[0][1:]], *sentences[1:]]
    if change == "first dropped":
        return sentences[1:]
    if change == "last dropped":
        return sentences[:-1]
    return [*sentences, ["de"]] if change == "added" else sentences


@st.composite
def tasks(draw, changed):
    """The contents of the sentence, phrase and relation files of the gold and of the system."""
    sentences = draw(st.lists(st.lists(st.sampled_from(WORDS), max_size=6), min_size=1, max_size=4))
    blank = draw(st.sampled_from((" ", "  ")))
    gold_phrases = draw(st.lists(phrases(sentences), max_size=8)) if any(sentences) else []
    system_phrases = draw(changed_phrases(sentences, gold_phrases))
    gold_ids = draw(st.permutations(range(1, len(gold_phrases) + 1)))
    system_ids = draw(changed_ids(gold_ids, len(system_phrases)))
    gold_relations = draw(relations(gold_ids))
    system_relations = draw(changed_relations(gold_relations, system_ids))
    gold = files(draw, sentences, blank, zip(gold_ids, gold_phrases, strict=True), gold_relations)
    found = zip(system_ids, system_phrases, strict=True)
    return gold, files(draw, changed(draw, sentences), blank, found, system_relations)


@st.composite
def phrases(draw, sentences):
    """Pieces (sentence, first word, last word, shift of start, shift of end) and a label."""
    i = draw(st.sampled_from([i for i, words in enumerate(sentences) if words]))
    word = st.integers(0, len(sentences[i]) - 1)
    shift = st.sampled_from((0, 0, 0, 0, -1, 1, 2))
    pieces = draw(st.lists(st.tuples(st.just(i), word, word, shift, shift), min_size=1, max_size=3))
    return pieces, draw(st.sampled_from(LABELS))


@st.composite
def changed_phrases(draw, sentences, gold_phrases):
    """The gold's phrases, some of them dropped, labelled or cut in another way, and additional ones."""
    found = []
    for pieces, label in gold_phrases:
        change = draw(st.sampled_from(("none", "none", "none", "dropped", "label", "phrase", "repeated")))
        if change == "label":
            label = draw(st.sampled_from(LABELS))
        if change == "phrase":
            pieces, label = draw(phrases(sentences))
        times = {"dropped": 0, "repeated": 2}.get(change, 1)
        found.extend([(pieces, label)] * times)
    return found + draw(st.lists(phrases(sentences), max_size=2)) if gold_phrases else found


def changed_ids(gold_ids, number):
    own = st.lists(st.integers(1, number + 1), min_size=number, max_size=number)
    shared = [*gold_ids, *range(len(gold_ids) + 1, number + 1)][:number]
    return st.one_of(st.just(shared), st.just(shared), own)


def relations(ids):
    ends = st.sampled_from(sorted(ids) or [1])
    return st.lists(st.tuples(st.sampled_from(RELATIONS), ends, ends), max_size=10 if ids else 0)


@st.composite
def changed_relations(draw, gold_relations, ids):
    kept = [relation for relation in gold_relations if {*relation[1:]} <= {*ids} and draw(st.booleans())]
    return kept + draw(relations(ids))


def files(draw, sentences, blank, phrases, relations):
    newline = draw(st.sampled_from(("\n", "\r\n", "\r")))
    indent = draw(st.sampled_from(("", " ", "\t", "\u00a0")))
    places, length = word_places(sentences, blank)
    texts = [indent + blank.join(words) for words in sentences]
    a = [
        f"{number}\t{';'.join(span(piece, places, length) for piece in pieces)}\t{label}\tx"
        for number, (pieces, label) in phrases
    ]
    b = [f"{label}\t{source}\t{target}" for label, source, target in relations]
    return tuple("".join(line + newline for line in lines).encode() for lines in (texts, a, b))


def word_places(sentences, blank):
    """The offsets of the words of each sentence, and the length of the text."""
    places = []
    offset = 0
    for words in sentences:
        places.append([])
        for word in words:
            places[-1].append((offset, offset + len(word)))
            offset += len(word) + len(blank)
        offset += 1 - (len(blank) if words else 0)
    return places, offset - 1


def span(piece, places, length):
    """A piece as it is written; the start stays inside the text, where the words are missing as well."""
    i, first, last, start_shift, end_shift = piece
    words = places[i] if i < len(places) else []
    start = words[first][0] if first < len(words) else 0
    end = words[last][1] if last < len(words) else 3
    return f"{min(start + start_shift, max(length - 1, 0))} {end + end_shift}"


def write(folder, contents, scenario, stem):
    folder.mkdir(parents=True)
    for name, content in zip((stem, "output_a", "output_b"), contents, strict=True):
        if content is not None:
            (folder / f"{name}_scenario{scenario}.txt").write_bytes(content)


def engine_counts(folder, scenario, rules):
    try:
        result = scoring.evaluate(
            "ehealthkd",
            gold=Path(folder, "gold"),
            system=Path(folder, "run"),
            options={"scenario": scenario, "rules": rules},
        )
    except scoring.ScoringError as error:
        return type(error)
    return result.counts


def plain_counts(gold, system, scenario, rules):
    try:
        return plain.score(gold, system, scenario, rules)
    except plain.Refused as refused:
        return FAMILY_ERRORS[refused.side]


def printed(main, arguments):
    """The status and the parsed standard output of a program."""
    stdout, stderr = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = TextIOWrapper(BytesIO(), "utf-8"), TextIOWrapper(BytesIO(), "utf-8")
    try:
        status = main(arguments)
        sys.stdout.flush()
        text = sys.stdout.buffer.getvalue()
    finally:
        sys.stdout, sys.stderr = stdout, stderr
    return status, json.loads(text) if text else None
