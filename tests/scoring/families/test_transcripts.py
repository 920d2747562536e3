"""Tests what holds for all runs of transcripts: as jiwer and a plain table count, whatever the order and the format."""

import json
import random
import unicodedata
import zipfile

import numpy as np
import pytest

import scoring
from scoring import lazy
from scoring.families.transcripts.aligning import align_words, count_edits, steps
from scoring.families.transcripts.normalising import words_of
from scoring.families.transcripts.repairs import SPEAKERS
from scoring.repairs import KINDS_OF_MISTAKE, Totals
from scoring.spelling.strings import composed_words
from tests.scoring.plain import transcripts as plain

pytest.importorskip("rapidfuzz", reason="the family aligns words with RapidFuzz")

FAMILY = scoring.FAMILIES["transcripts"]
SCORES = ("wer", "mer", "wil", "cer", "ser")
WORDS = ["the", "a", "train", "trains", "late", "is", "o'clock", "gap", "uh", "Zürich", "naïve", "四"]
GOLD = {
    "anna-1": "The train is late.",
    "bob-1": "Mind the gap, please.",
    "anna-2": "",
    "bob-2": "Uh, it's four o'clock",
}
RUN = {"anna-1": "the trains is", "bob-1": "mind gap please", "anna-2": "uh", "bob-2": "it's for o'clock uh"}


def tsv(said):
    return "".join(f"{name}\t{text}\n" for name, text in said.items())


def write(folder, files):
    """One file, or a folder of several."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder / next(iter(files)) if len(files) == 1 else folder


def files_of(said, name):
    """Files as they are; utterances as a file of this name."""
    return said if any("." in each or each == "text" for each in said) else {name: tsv(said)}


def evaluate(folder, gold=GOLD, system=RUN, n_resamples=0, **options):
    sides = {"gold": files_of(gold, "gold.tsv"), "system": files_of(system, "run.tsv")}
    paths = {side: write(folder / side, files) for side, files in sides.items()}
    return scoring.evaluate("transcripts", **paths, options=options, n_resamples=n_resamples)


def problems_of(folder, **given):
    with pytest.raises((scoring.SubmissionError, scoring.GoldError)) as refused:
        evaluate(folder, **given)
    return [(problem.line, problem.message) for problem in refused.value.problems]


def world(seed, n=30):
    """Utterances of words, and a run of them with errors of all kinds."""
    rng = random.Random(seed)
    gold, run = {}, {}
    for number in range(n):
        said = [rng.choice(WORDS) for _ in range(rng.randrange(12) if number else 5)]
        heard = [word for each in said for word in _heard(each, rng)]
        gold[f"u{number}"] = " ".join(said)
        run[f"u{number}"] = " ".join(heard if rng.random() < 0.9 else heard[1:] + heard[:1])
    return gold, run


def _heard(word, rng):
    kind = rng.random()
    return (
        []
        if kind < 0.1
        else [rng.choice(WORDS)]
        if kind < 0.2
        else [word, rng.choice(WORDS)]
        if kind < 0.28
        else [word]
    )


@pytest.mark.parametrize("seed", range(12))
def test_the_scores_are_those_of_jiwer(seed, tmp_path):
    jiwer = pytest.importorskip("jiwer", reason="jiwer is the oracle")
    gold, run = world(seed)
    result = evaluate(tmp_path, gold, run, n_resamples=20)
    names = list(gold)

    def expect(chosen):
        texts = [gold[name] for name in chosen], [run[name] for name in chosen]
        words, characters = jiwer.process_words(*texts), jiwer.process_characters(*texts)
        wrong = np.mean([gold[name] != run[name] for name in chosen])
        return {"wer": words.wer, "mer": words.mer, "wil": words.wil, "cer": characters.cer, "ser": wrong}, words

    scores, words = expect(names)
    assert result.scores == pytest.approx(scores, abs=1e-12)
    assert [result.counts[name] for name in ("hits", "substitutions", "deletions", "insertions")] == [
        words.hits,
        words.substitutions,
        words.deletions,
        words.insertions,
    ]
    weights = np.random.PCG64(result.seed).random_raw(20 * 15).astype("<u8").view("<u4").reshape(20, 30)
    drawn = (weights.astype(np.uint64) * np.uint64(30)) >> np.uint64(32)
    for number in (0, 7, 19):
        scores, _ = expect([names[place] for place in drawn[number].tolist()])
        assert result.draws[number] == pytest.approx(scores["wer"], abs=1e-12)


def test_the_alignment_is_that_of_a_plain_table():
    rng = random.Random(4)
    for _ in range(400):
        gold, run = ([rng.choice("abcd") for _ in range(rng.randrange(9))] for _ in range(2))
        expected = plain.steps(gold, run)
        assert steps(gold, run) == expected
        edits, words = align_words([gold], [run])
        wrong = [step for step in expected if step[0] != "hit"]
        assert [words[code] for code in edits.reference.tolist() if code >= 0] == [each[1] for each in wrong if each[1]]
        assert [words[code] for code in edits.system.tolist() if code >= 0] == [each[2] for each in wrong if each[2]]
        kinds = [sum(step[0] == kind for step in wrong) for kind in ("substitution", "deletion", "insertion")]
        assert count_edits(["".join(gold)], ["".join(run)]).tolist() == [kinds]


def test_the_order_of_the_ids_is_irrelevant_and_the_gold_itself_is_without_error(tmp_path):
    gold, run = world(3)
    turned = dict(reversed(run.items()))
    assert evaluate(tmp_path / "a", gold, run).as_dict() == evaluate(tmp_path / "b", gold, turned).as_dict()
    assert set(evaluate(tmp_path / "c", gold, gold).scores.values()) == {0.0}


def test_exchanged_sides_have_as_many_errors_and_the_opposite_difference(tmp_path):
    gold, run = world(5)
    there, back = evaluate(tmp_path / "a", gold, run).counts, evaluate(tmp_path / "b", run, gold).counts
    errors = [sum(each[name] for name in ("substitutions", "deletions", "insertions")) for each in (there, back)]
    assert errors[0] == errors[1]
    assert there["deletions"] - there["insertions"] == back["insertions"] - back["deletions"]


def test_the_rate_of_two_corpora_lies_between_theirs(tmp_path):
    (gold, run), (more_gold, more_run) = world(6), world(7)
    both = [
        one | {f"v{name}": text for name, text in other.items()} for one, other in ((gold, more_gold), (run, more_run))
    ]
    low, high = sorted(
        evaluate(tmp_path / name, *pair).scores["wer"]
        for name, pair in {"a": (gold, run), "b": (more_gold, more_run)}.items()
    )
    assert low <= evaluate(tmp_path / "c", *both).scores["wer"] <= high


FORMATS = {
    "lines": lambda said: {"run.txt": "".join(f"{text}\n" for text in said.values())},
    "tsv": lambda said: {"run.tab": "id\ttext\n" + tsv(said)},
    "kaldi": lambda said: {"text": "".join(f"{name} {text}\n" for name, text in said.items())},
    "trn": lambda said: {"run.trn": "".join(f"{text} ({name.upper()})\n" for name, text in said.items())},
    "jsonl": lambda said: {
        "run.ndjson": "".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in said.items())
    },
}


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_says_the_same(form, tmp_path):
    expected = evaluate(tmp_path / "a")
    found = evaluate(tmp_path / "b", system=FORMATS[form](RUN))
    assert found.scores == expected.scores
    assert found.units == list(GOLD)
    options = {"format": form, "gold_format": "auto"}
    made = FAMILY.files.gold_as_submission({"gold.tsv": tsv(GOLD).encode()}, FAMILY.configure(options))
    assert evaluate(tmp_path / "c", system=made, **options).scores["wer"] == 0
    assert set(FAMILY.example(FAMILY.configure({"format": form}))) == set(made)


def test_the_options_treat_both_sides_alike(tmp_path):
    folded = {"case": "lower", "punctuation": "remove", "keep_marks": "'", "map": '{"uh": "", "for": "four"}'}
    result = evaluate(tmp_path, **folded)
    assert (result.counts["substitutions"], result.counts["deletions"], result.counts["insertions"]) == (1, 2, 0)
    assert "map:{" in result.signature
    assert result.counts["empty_transcripts"] == 1


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("co-op, don't", {"punctuation": "remove"}, ["coop", "dont"]),
        ("co-op, don't", {"punctuation": "space"}, ["co", "op", "don", "t"]),
        ("$5 + 10%", {"punctuation": "remove"}, ["$5", "+", "10"]),
        ("ΟΔΟΣ Straße", {"case": "lower"}, ["οδος", "straße"]),
        ("a\u2028b\u3000c\x85d", {}, ["a", "b", "c", "d"]),
        ("ﬁve Ａ", {"unicode": "nfkc"}, ["five", "A"]),
        ("ﬁve", {}, ["ﬁve"]),
        ("one two", {"map": {"one": "two", "two": ""}}, ["two"]),
    ],
)
def test_words_are_made_in_steps(text, options, words):
    assert words_of([text, "x\ny"], FAMILY.configure(options)) == [words, ["x", "y"]]


@pytest.mark.parametrize("form", ["NFC", "NFKC"])
def test_a_long_text_is_composed_word_by_word_as_the_library_does(form):
    rng = random.Random(8)
    pieces = ["a", "\u0301", "\u0327", "e\u0323", "\u00e9", "ﬁ", "\u0f73", " ", "  ", "\n", "\u1e69", "가", "\u11a8"]
    for _ in range(40):
        text = "".join(rng.choice(pieces) for _ in range(300)) + "o" + "\u0301\u0327" * rng.randrange(150)
        assert composed_words(text, form).split() == unicodedata.normalize(form, text).split()


def test_speakers_come_from_a_column_a_key_a_file_or_the_ids(tmp_path):
    column = {"gold.tsv": "".join(f"{name}\t{text}\t{name[:4]}\n" for name, text in GOLD.items())}
    beside = {
        "text": "".join(f"{name} {text}\n" for name, text in GOLD.items()),
        "utt2spk": "".join(f"{name} {name[:4]}\n" for name in GOLD),
    }
    for number, (gold, options) in enumerate([(column, {}), (beside, {}), (GOLD, {"speaker": "prefix"})]):
        result = evaluate(tmp_path / str(number), gold, unit="speaker", n_resamples=50, **options)
        assert len(result.units) == result.counts["speakers"] == 2
        assert [row["utterances"] for row in result.tables["speakers"]] == [2, 2]
        assert result.scores == evaluate(tmp_path / f"u{number}", gold, **options).scores
    assert evaluate(tmp_path / "none", column, speaker="none").tables["speakers"] == []


def test_a_zip_with_utt2spk_has_the_digest_of_its_folder(tmp_path):
    files = {"text": "a x\nb y\n", "utt2spk": "a s\nb t\n"}
    folder = write(tmp_path / "data", files)
    with zipfile.ZipFile(tmp_path / "data.zip", "w") as archive:
        for name, content in files.items():
            archive.writestr(f"deep/{name}", content)
    run = write(tmp_path / "run", {"text": "a x\nb y\n"})
    found = [scoring.evaluate("transcripts", gold=gold, system=run) for gold in (folder, tmp_path / "data.zip")]
    assert found[0].gold_digest == found[1].gold_digest
    assert found[0].units == ["a", "b"]


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ({"run.tsv": ""}, [(None, f"utterance {name!r} is missing") for name in GOLD]),
        (
            {"run.trn": tsv(RUN)},
            [(None, "the content does not fit the ending of the name: rename the file to run.tsv")],
        ),
        ({"run.tsv": tsv(RUN) + "z\tx\n"}, [(5, "id 'z' is not in the gold")]),
        ({"run.tsv": tsv(RUN) + "\tx\n"}, [(5, "no id")]),
        ({"run.tsv": tsv(RUN) + "bob-1\tx\n"}, [(5, "duplicate id 'bob-1' (first on line 2)")]),
        ({"run.tsv": tsv(RUN) + "a\tb\tc\n"}, [(5, "expected id, tab, text; found 3 columns")]),
        ({"run.jsonl": '{"id": "bob-1"}\n'}, [(1, "no key 'text'; the object has 'id'")]),
        ({"run.jsonl": '{"id": "bob-1", "text": 1}\n'}, [(1, '"text" must be a string')]),
        (
            {"run.jsonl": '{"id": "bob-1", "words": "x"}\n'},
            [
                (1, 'no "text"; rename "words" to "text"'),
                (None, "once that is fixed, this is left: utterance 'anna-1' is missing"),
            ],
        ),
        ({"run.tsv": "a\tb".encode("utf-16")}, [(None, "UTF-16: save the file as UTF-8")]),
    ],
)
def test_a_bad_run_is_refused_with_every_problem(system, expected, tmp_path):
    assert problems_of(tmp_path, system=system) == expected


@pytest.mark.parametrize(
    ("gold", "options", "expected"),
    [
        ({"gold.tsv": "\n"}, {}, (None, "no utterance")),
        ({"gold.tsv": "a\t...\n"}, {"punctuation": "remove"}, (None, "no word in the references")),
        ({"gold.tsv": "a\tx\ts\nb\ty\n"}, {}, (2, "utterance 'b' has no speaker")),
        ({"gold.trn": "x (a)\ny (A)\n"}, {}, (2, "duplicate id 'a' (first on line 1)")),
        ({"text": "a x\n", "utt2spk": "a s t\n"}, {}, (1, "3 columns instead of 2")),
        ({"text": "a x\nb y\n", "utt2spk": "a s\n"}, {}, (2, "utterance 'b' has no speaker")),
        ({"gold.tsv": "a\tx\n"}, {"unit": "speaker"}, (None, "unit=speaker needs speakers")),
    ],
)
def test_bad_gold_is_the_organisers(gold, options, expected, tmp_path):
    with pytest.raises(scoring.GoldError) as refused:
        evaluate(tmp_path, gold, **options)
    assert [(problem.line, problem.message) for problem in refused.value.problems] == [expected]


@pytest.mark.parametrize(
    "given",
    [{"map": "[]"}, {"map": {"a b": "c"}}, {"map": {"a": 1}}, {"map": "{"}, {"keep_marks": 3}, {"unit": "word"}],
)
def test_an_impossible_option_is_named(given):
    with pytest.raises(scoring.ConfigurationError, match=next(iter(given))):
        FAMILY.configure(given)


def test_without_rapidfuzz_the_caller_is_told(monkeypatch):
    def load(module, name):
        raise ImportError(module)

    expected = scoring.ConfigurationError
    monkeypatch.setattr(lazy, "load", load)
    with pytest.raises(expected, match="the family transcripts needs the package rapidfuzz"):
        align_words([["a"]], [["b"]])


def test_missing_utterances_count_as_deleted_where_the_organiser_lets_them(tmp_path):
    result = evaluate(tmp_path, system={"run.tsv": "bob-1\tMind the gap, please.\n"}, missing="delete")
    assert result.counts["missing_utterances"] == 3
    assert result.counts["deletions"] == 8
    assert "3 utterances are missing: their words count as deleted" in result.warnings


def test_lines_with_ids_that_are_read_as_words_are_told(tmp_path):
    lines = {"run.txt": "".join(f"{name} {text}\n" for name, text in RUN.items())}
    assert (
        "4 of 4 lines hold the id of an utterance, which was read as a word"
        in evaluate(tmp_path, system=lines).warnings
    )
    described = scoring.describe("transcripts", gold=tmp_path / "gold/gold.tsv", system=tmp_path / "system/run.txt")
    assert [oddity.kind for oddity in described.oddities] == ["ids"]
    assert described.summary == "15 words in 4 of 4 utterances."


def test_the_same_words_everywhere_look_odd(tmp_path):
    gold, _ = world(1)
    paths = {"gold": {"gold.tsv": tsv(gold)}, "system": {"run.tsv": tsv(dict.fromkeys(gold, "thank you"))}}
    paths = {side: write(tmp_path / side, files) for side, files in paths.items()}
    assert [oddity.kind for oddity in scoring.describe("transcripts", **paths).oddities] == ["constant"]


def test_a_unit_is_shown_word_by_word():
    files = {"gold.tsv": tsv(GOLD).encode()}, {"run.tsv": tsv(RUN).encode()}
    record = FAMILY.views.unit_record(*files, "bob-1", FAMILY.configure({"case": "lower", "punctuation": "remove"}))
    [utterance] = record["utterances"]
    assert utterance["steps"] == [
        ["hit", "mind", "mind"],
        ["deletion", "the", None],
        ["hit", "gap", "gap"],
        ["hit", "please", "please"],
    ]
    assert utterance["wer"] == pytest.approx(0.25)
    assert utterance["texts"] == {"gold": GOLD["bob-1"], "system": RUN["bob-1"]}
    with pytest.raises(KeyError):
        FAMILY.views.unit_record(*files, "bob", FAMILY.configure({}))
    by_speaker = FAMILY.configure({"unit": "speaker", "speaker": "prefix"})
    shown = FAMILY.views.unit_record(*files, "bob", by_speaker)["utterances"]
    assert [each["utterance"] for each in shown] == ["bob-1", "bob-2"]


def test_the_utterances_behind_a_confusion_are_found(tmp_path):
    result = evaluate(tmp_path, speaker="prefix", n_resamples=30, case="lower", punctuation="remove", keep_marks="'")
    assert result.tables["confusions"][0] == {"reference": "four", "system": "for", "count": 1}
    table = FAMILY.tables(FAMILY.count(*_sides(tmp_path, result.options), result.options).matches, result.options)
    for name in ("confusions", "deletions", "insertions"):
        units, records = table[name].placed()
        assert np.bincount(records).tolist() == [record["count"] for record in result.tables[name]]
        assert max(units) < len(result.units)
    assert result.table_intervals["speakers"][0].keys() <= {"wer", "cer"}


def _sides(folder, options):
    gold = FAMILY.read_gold({"gold.tsv": (folder / "gold/gold.tsv").read_bytes()}, options)
    return gold, FAMILY.read_system({"run.tsv": (folder / "system/run.tsv").read_bytes()}, gold, options)


def test_spreadsheets_have_all_rows_and_no_formulas(tmp_path):
    result = evaluate(tmp_path, {"a": "=1 two", "b": "x"}, {"a": "=2 two", "b": "x"})
    made = {export.name: export.make(result.tables, result.options).decode() for export in FAMILY.table_notes.exports}
    assert made["errors.csv"].splitlines() == ["error,reference,system,count", "substitution,'=1,'=2,1"]
    assert made["utterances.csv"].splitlines()[1].startswith("a,,2,1,1,0,0,0.5,")


def test_what_would_be_mended_is_told_by_kind_and_speaker(tmp_path):
    result = evaluate(tmp_path, speaker="prefix", case="lower", punctuation="remove", keep_marks="'")
    totals = Totals("wer", result.scores, result.counts, result.tables)
    found = FAMILY.views.repairs(totals, result.options)
    assert {repair.group for repair in found} == {KINDS_OF_MISTAKE, SPEAKERS}
    assert all(repair.gain == pytest.approx(result.scores["wer"] - repair.score) for repair in found)
    of_speakers = sum(repair.gain for repair in found if repair.group == SPEAKERS)
    assert of_speakers == pytest.approx(result.scores["wer"])
    assert FAMILY.views.repairs(totals, result.options | {"headline": "ser"}) == []


def test_one_very_long_utterance_takes_little_room(tmp_path):
    rng = random.Random(2)
    said, heard = (" ".join(str(rng.randrange(5000)) for _ in range(3000)) for _ in range(2))
    result = evaluate(tmp_path, {"a": said}, {"a": heard})
    assert result.counts["words"] == 3000
    assert 0.9 < result.scores["wer"] <= 1.0


def test_far_more_words_than_were_said_are_refused(tmp_path):
    (tmp_path / "gold.tsv").write_text("u1\tmind the gap\n")
    (tmp_path / "run.tsv").write_text("u1\t" + "the " * 60_000 + "\n")
    problems = scoring.check("transcripts", gold=tmp_path / "gold.tsv", system=tmp_path / "run.tsv")
    assert "more than ten times as many as the gold has" in problems[0].message
