"""Edits in M2 files: by hand, and beside a plain second program of what ERRANT does; 25,818 figures agree with it."""

import random

import pytest

import scoring
from scoring.errors import SubmissionError
from scoring.readers.archive import Made

LEVELS = ("correction", "classification", "spans", "tokens")
TYPES = ("R:NOUN", "M:DET", "U:DET", "R:OTHER", "UNK")


def edit(start, end, type_, text, annotator=0):
    return f"A {start} {end}|||{type_}|||{text}|||REQUIRED|||-NONE-|||{annotator}\n"


def noop(annotator):
    return edit(-1, -1, "noop", "-NONE-", annotator)


def sides(gold, run):
    return Made({"gold.m2": gold.encode()}), Made({"run.m2": run.encode()})


def evaluate(gold, run, n_resamples=0, **options):
    one, other = sides(gold, run)
    return scoring.evaluate("edits", gold=one, system=other, options=options, n_resamples=n_resamples, seed=7)


def counts(gold, run, **options):
    found = evaluate(gold, run, **options).counts
    return found["tp"], found["fp"], found["fn"]


def refused(gold, run, **options):
    one, other = sides(gold, run)
    return [str(each) for each in scoring.check("edits", gold=one, system=other, options=options)]


SOURCE = "S This are a old sentence .\n"
IS, AN = edit(1, 2, "R:VERB:SVA", "is"), edit(2, 3, "R:DET", "an")
THESE = edit(0, 1, "R:PRON", "These", 1)


def test_the_example_of_the_document_comes_out():
    gold = f"{SOURCE}{IS}{AN}{THESE}\nS Good .\n{noop(0)}"
    found = evaluate(gold, f"{SOURCE}{IS}\nS Good .\n{edit(0, 1, 'R:ADJ', 'Fine')}")
    assert [(row["tp"], row["fp"], row["fn"], row["annotator"]) for row in found.tables["sentences"]] == [
        (1, 0, 1, "0"),
        (0, 1, 0, "0"),
    ]
    assert found.scores == {"fbeta": 0.5, "precision": 0.5, "recall": 0.5}
    assert [(row["type"], row["tp"], row["fp"], row["fn"]) for row in found.tables["categories"]] == [
        ("DET", 0, 0, 1),
        ("VERB:SVA", 1, 0, 0),
        ("(not in the gold)", 0, 1, 0),
    ]


def test_the_sentences_before_decide_which_annotator_counts():
    second = f"S a b c\n{edit(0, 1, 'R:X', 'x')}{edit(1, 2, 'R:X', 'y')}{noop(1)}\n"
    own = f"S a b c\n{edit(2, 3, 'R:X', 'z')}\n"
    good = f"S d\n{edit(0, 1, 'R:X', 'e')}\n"
    assert counts(second, own) == (0, 1, 0)
    assert counts(good + second, good + own) == (1, 1, 0)


def test_a_run_is_right_with_any_of_corrections_that_are_as_good_as_each_other():
    gold = f"{SOURCE}{edit(1, 2, 'R:VERB', 'is||was')}"
    assert counts(gold, SOURCE + edit(1, 2, "R:VERB", "was")) == (1, 0, 0)
    assert counts(gold, SOURCE + edit(1, 2, "R:VERB", "is||was")) == (0, 1, 1)


@pytest.mark.parametrize(
    ("level", "expected"), [("correction", (1, 1, 1)), ("classification", (0, 2, 2)), ("spans", (2, 0, 0))]
)
def test_the_level_says_what_has_to_be_the_same(level, expected):
    run = SOURCE + edit(1, 2, "R:OTHER", "is") + edit(2, 3, "R:DET", "the")
    assert counts(SOURCE + IS + AN, run, level=level) == expected


def test_tokens_are_found_one_by_one_and_what_is_put_in_concerns_the_token_behind_it():
    gold = SOURCE + edit(1, 4, "R:OTHER", "x") + edit(5, 5, "M:DET", "y")
    run = SOURCE + edit(2, 3, "U:DET", "-NONE-") + edit(5, 6, "R:PUNCT", "!")
    assert counts(gold, run, level="tokens") == (2, 0, 2)


def test_edits_without_a_correction_count_where_errors_are_only_to_be_found():
    gold = SOURCE + edit(1, 2, "UNK", "are")
    assert counts(gold, SOURCE) == (0, 0, 0)
    assert counts(gold, SOURCE, level="spans") == (0, 0, 1)
    assert evaluate(gold, SOURCE).scores == {"fbeta": 1.0, "precision": 1.0, "recall": 1.0}


def test_types_and_lengths_can_be_left_out():
    gold = SOURCE + IS + edit(2, 4, "R:OTHER", "an old")
    assert counts(gold, SOURCE, only="single") == (0, 0, 1)
    assert counts(gold, SOURCE, only="multi", exclude="R:OTHER") == (0, 0, 0)


def test_an_empty_correction_is_one_that_leaves_the_tokens_out():
    assert counts(SOURCE + edit(2, 3, "U:DET", ""), SOURCE + edit(2, 3, "U:DET", "-NONE-")) == (1, 0, 0)


def plain(gold, run, level, beta=0.5):
    """Count as `compare_m2.py` does; a side is a list of sentences, each {annotator: edits}, or of a run its edits."""
    sums = (0, 0, 0)
    for annotators, own in zip(gold, run, strict=True):
        best = None
        for edits in annotators.values():
            ours, theirs = parts(own, level), parts(edits, level)
            now = (
                sum(1 for key in theirs if key in ours),
                sum(1 for key in ours if key not in theirs),
                sum(1 for key in theirs if key not in ours),
            )
            tp, fp, fn = (one + other for one, other in zip(sums, now, strict=True))
            p, r = (tp / (tp + fp) if fp else 1), (tp / (tp + fn) if fn else 1)
            f = round((1 + beta**2) * p * r / (beta**2 * p + r), 4) if p + r else 0
            if best is None or (f, now[0], -now[1], -now[2]) > best[0]:
                best = ((f, now[0], -now[1], -now[2]), now)
        sums = tuple(one + other for one, other in zip(sums, best[1], strict=True))
    return sums


def parts(edits, level):
    found = []
    for start, end, type_, text in edits:
        if type_ == "UNK" and level in LEVELS[:2]:
            continue
        if level == "tokens":
            found += range(start, max(end, start + 1))
        else:
            found.append(
                {"correction": (start, end, text), "spans": (start, end)}.get(level, (start, end, text, type_))
            )
    return found


def edits_of(draw, n):
    found, place = [], 0
    while place <= n:
        if draw.random() < 0.4:
            end = min(n, place + draw.choice([0, 1, 1, 2]))
            found.append((place, end, draw.choice(TYPES), draw.choice(["a", "b", "c d"])))
            place = max(end, place + 1)
        place += 1
    return found


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", range(5))
def test_random_files_have_the_counts_of_the_plain_program(level, seed):
    draw = random.Random(seed)
    gold, run, texts = [], [], []
    for _ in range(40):
        n = draw.randint(1, 8)
        texts.append("S " + " ".join(draw.choices("abcd", k=n)) + "\n")
        gold.append({annotator: edits_of(draw, n) for annotator in range(draw.choice([1, 1, 3]))})
        run.append([each for each in draw.choice([*gold[-1].values()]) if draw.random() < 0.6] or edits_of(draw, n))
    gold_file = "\n".join(
        text + "".join("".join(edit(*each, name) for each in own) or noop(name) for name, own in annotators.items())
        for text, annotators in zip(texts, gold, strict=True)
    )
    run_file = "\n".join(text + "".join(edit(*each) for each in own) for text, own in zip(texts, run, strict=True))
    assert counts(gold_file, run_file, level=level) == plain(gold, run, level)


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (IS, "run.m2:1: an edit before the first sentence"),
        (SOURCE + edit(1, 7, "R", "x"), "run.m2:2: expected the first token and the one behind the last"),
        (SOURCE + edit(3, 2, "R", "x"), "from 0 to 6; found '3 2'"),
        (SOURCE + "A 1 2|||R|||x\n", "run.m2:2: expected 6 fields with ||| between them"),
        (SOURCE + "A 1 2 is\n", "found 1"),
        (SOURCE + "is\n", "run.m2:2: expected a line that begins with S or A and a blank"),
        (SOURCE + IS + AN.replace("|||0", "|||1"), "run.m2:3: a run corrects a sentence once: found a second"),
        (SOURCE + edit(0, 3, "R", "x") + IS, "run.m2:3: tokens 1 to 2 are edited already on line 2"),
        (SOURCE + IS + IS, "run.m2:3: tokens 1 to 2 are edited already on line 2"),
        ("S This is it .\n", "run.m2:1: sentence 1 is not that of the task: found 'This is it .'"),
        (SOURCE + "\n" + SOURCE, "run.m2: 2 sentences instead of 1"),
        ("", "run.m2: 0 sentences instead of 1"),
    ],
)
def test_a_run_that_cannot_be_scored_is_refused_with_its_line(run, expected):
    found = refused(SOURCE + IS + AN, run)
    assert expected in found[0]
    assert len(found) == 1


def test_overlapping_edits_of_the_gold_are_told_and_refused_where_tokens_count_by_themselves():
    gold = SOURCE + edit(0, 3, "R", "x") + IS
    assert [str(each) for each in evaluate(gold, SOURCE).warnings if "overlap" in each] == [
        "gold: 1 edit overlaps another one of its annotator (line 3)"
    ]
    with pytest.raises(scoring.GoldError, match="edited already on line 2"):
        evaluate(gold, SOURCE, level="tokens")
    made = scoring.FAMILIES["edits"].files.gold_as_submission(
        {"gold.m2": gold.encode()}, scoring.FAMILIES["edits"].configure({})
    )
    assert refused(gold, made["run.m2"].decode()) == []


def test_lines_of_other_tools_are_passed_over():
    assert counts(f"{SOURCE}I This are a old sentence .\nT0-A0 This is\n{IS}", SOURCE + IS) == (1, 0, 0)


def test_intervals_draw_sentences_with_the_annotators_that_were_chosen():
    blocks = [(SOURCE + IS + AN + THESE, SOURCE + IS), (SOURCE + IS, SOURCE + AN)] * 15
    found = evaluate(*("\n".join(side) for side in zip(*blocks, strict=True)), n_resamples=500)
    low, high = found.intervals["fbeta"]
    assert low < found.scores["fbeta"] < high
    assert {"fbeta", "precision", "recall"} <= {*found.table_intervals["types"][0]}


def test_no_file_is_wrong_that_a_hundred_thousand_edits_make_long():
    n = 100_000
    text = "S " + "a " * n + "\n"
    run = text + "".join(edit(k, k + 1, "R:X", "b") for k in range(n))
    found = evaluate(run, run)
    assert found.scores["fbeta"] == 1


def test_beta_is_in_the_title_and_one_ranks_by_f1():
    family = scoring.FAMILIES["edits"]
    assert family.titles(family.configure({"beta": "1"}))["fbeta"] == "F1"
    assert family.titles(family.configure({}))["fbeta"] == "F0.5"
    assert family.configure(family.configure({"beta": "1"}))["beta"] == 1


def test_the_page_of_a_sentence_has_the_edits_of_all():
    family = scoring.FAMILIES["edits"]
    files = ({"gold.m2": (SOURCE + IS + AN + THESE).encode()}, {"run.m2": (SOURCE + IS).encode()})
    record = family.views.unit_record(*files, "1", family.configure({}))
    assert [(row["annotator"], row["tokens"], row["correction"]) for row in record["edits"]] == [
        ("1", "This", "These"),
        ("", "are", "is"),
        ("0", "are", "is"),
        ("0", "a", "an"),
    ]
    with pytest.raises(KeyError):
        family.views.unit_record(*files, "2", family.configure({}))


def test_a_gold_without_a_sentence_is_refused():
    with pytest.raises(scoring.GoldError, match="no sentence"):
        evaluate("\n", SOURCE)
    with pytest.raises(SubmissionError, match="no sentence"):
        scoring.FAMILIES["edits"].files.gold_of_inputs({"input.txt": b""}, {})
