"""Perfect runs of eHealth-KD broken in one way each, and what is said of them."""

import unicodedata

import pytest

import scoring
from demo.plan import read_task
from tests.scoring.describing.oddities import one_oddity

FOLDER = "scenario1-main/"
FILES = read_task("ehealthkd").gold("test", 1).texts()
GOLD = {path.removeprefix(FOLDER): text for path, text in FILES.items() if path.startswith(FOLDER)}
TEXT = GOLD["input_scenario1.txt"].rstrip("\n")
PHRASES = [line.split("\t") for line in GOLD["output_a_scenario1.txt"].splitlines()]
RELATIONS = [line.split("\t") for line in GOLD["output_b_scenario1.txt"].splitlines()]


def write(folder, files):
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder


@pytest.fixture
def describe(tmp_path):
    """Describes a run with these files in place of the gold's own; None leaves a file out."""

    def described(scenario=1, gold=GOLD, **files):
        changed = gold | {f"{name}_scenario1.txt": text for name, text in files.items()}
        folders = {"gold": gold, "system": {name: text for name, text in changed.items() if text is not None}}
        paths = {
            side: write(tmp_path / side, {name.replace("1", str(scenario)): text for name, text in own.items()})
            for side, own in folders.items()
        }
        return scoring.describe("ehealthkd", **paths, options={"scenario": scenario})

    return described


def lines(rows):
    return "".join("\t".join(row) + "\n" for row in rows)


def phrases(move=lambda start, end: (start, end), label=lambda label: label, text=lambda text: text):
    """The gold's phrases with other offsets, labels or texts; those that would be refused are left out."""
    rows = []
    for identifier, spans, kind, words in PHRASES:
        moved = [move(*map(int, span.split())) for span in spans.split(";")]
        if moved[0][0] < len(TEXT):
            spans = ";".join(f"{start} {end}" for start, end in moved)
            rows.append([identifier, spans, label(kind), text(words)])
    return lines(rows)


def kept(rows, text):
    """The relations between phrases of this file alone."""
    known = {line.split("\t")[0] for line in text.splitlines()}
    return lines(row for row in rows if {row[1], row[2]} <= known)


def test_a_perfect_run_is_summed_up_and_nothing_is_odd(describe):
    description = describe()
    assert description.summary == f"{len(PHRASES)} phrases and {len(RELATIONS)} relations in 120 of 120 sentences."
    assert description.counts == {
        "phrases": len(PHRASES), "relations": len(RELATIONS), "sentences": 120, "sentences_reached": 120
    }  # fmt: skip
    assert description.oddities == []
    assert description.as_dict() == {"summary": description.summary, "counts": description.counts, "oddities": []}


def before(place, width):
    """The place as it is counted where each character is so wide."""
    return sum(map(width, TEXT[:place]))


WAYS = {
    "from 1": (lambda start, end: (start + 1, end + 1), "counted from 1"),
    "by a constant": (lambda start, end: (start + 37, end + 37), "something before the text counted"),
    "one too few": (lambda start, end: (start - 1, end - 1), "something before the text left out"),
    "inclusive ends": (lambda start, end: (start, end - 1), "name the last character"),
    "from 1 with inclusive ends": (lambda start, end: (start + 1, end), "counted from 1, with ends that"),
    "one too long": (lambda start, end: (start, end + 1), "second character behind"),
    "CRLF": (lambda start, end: (start + TEXT.count("\n", 0, start), end + TEXT.count("\n", 0, end)), "CRLF"),
    "no line ends": (
        lambda start, end: (start - TEXT.count("\n", 0, start), end - TEXT.count("\n", 0, end)),
        "line ends left out",
    ),
    "UTF-8": (lambda start, end: tuple(len(TEXT[:place].encode()) for place in (start, end)), "bytes of UTF-8"),
    "NFD": (
        lambda start, end: tuple(len(unicodedata.normalize("NFD", TEXT[:place])) for place in (start, end)),
        "(NFD)",
    ),
    "no blanks": (
        lambda start, end: tuple(len("".join(TEXT[:place].split())) for place in (start, end)),
        "blanks left out",
    ),
    "per sentence": (
        lambda start, end: tuple(place - (TEXT.rfind("\n", 0, start) + 1) for place in (start, end)),
        "begin anew in each sentence",
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_each_other_way_of_counting_is_guessed(way, describe):
    move, question = WAYS[way]
    moved = phrases(move=move)
    oddity = one_oddity(describe(output_a=moved, output_b=kept(RELATIONS, moved)), "offsets", question)
    assert oddity.n > 0.8 * oddity.of
    assert oddity.suggestion


def test_utf16_units_are_guessed_where_some_characters_are_two(describe):
    # A sign beyond the Basic Multilingual Plane at the end of the first sentence.
    first, newline, rest = TEXT.partition("\n")
    text = f"{first}🙂{newline}{rest}"
    place = len(first)

    def moved(by):
        return lines(
            [number, ";".join(shifted(span, by) for span in spans.split(";")), label, words]
            for number, spans, label, words in PHRASES
        )

    def shifted(span, by):
        return " ".join(str(int(offset) + by * (int(offset) > place)) for offset in span.split())

    gold = GOLD | {"input_scenario1.txt": text + "\n", "output_a_scenario1.txt": moved(1)}
    oddity = one_oddity(describe(gold=gold, output_a=moved(2)), "offsets")
    # And not counted from 1, though that would put all but the first sentence right.
    assert "UTF-16 code units" in oddity.message


def test_the_message_has_numbers_and_an_example_and_its_line(describe):
    oddity = one_oddity(describe(output_a=phrases(move=WAYS["from 1"][0])))
    n = len(PHRASES)
    assert oddity.message == (
        f"{n} of {n} phrases stand one character away from their text: are your offsets counted from 1?"
        ' For example, "alcio " stands from 4 to 10, and not "calcio".'
    )
    assert (oddity.n, oddity.of, oddity.file, oddity.line) == (n, n, "output_a_scenario1.txt", 1)
    assert oddity.suggestion == "count from 0: subtract 1 from all offsets"


def test_ends_that_are_wrong_by_themselves_are_told_with_what_mends_them(describe):
    oddity = one_oddity(describe(output_a=phrases(move=lambda start, end: (start, end + 2))))
    assert "begin where their text does and end 2 characters behind it" in oddity.message
    assert oddity.suggestion == "subtract 2 from all ends"


def test_texts_with_a_blank_before_them_or_in_lower_case_are_ordinary(describe):
    assert describe(output_a=phrases(text=lambda words: " " + words.lower() + " ")).oddities == []


def test_texts_that_no_way_of_counting_explains_are_told(describe):
    oddity = one_oddity(describe(output_a=phrases(text=lambda words: "xyz")), "span-text")
    assert oddity.n == oddity.of == len(PHRASES)


def test_a_tenth_of_texts_that_differ_is_ordinary(describe):
    rows = [line.split("\t") for line in phrases().splitlines()]
    for row in rows[::10]:
        row[3] = "xyz"
    assert describe(output_a=lines(rows)).oddities == []


def test_labels_in_another_case_are_asked_about_by_name(describe):
    oddity = one_oddity(describe(output_a=phrases(label=lambda label: label.replace("Concept", "concept"))))
    n = sum(row[2] == "Concept" for row in PHRASES)
    assert oddity.kind == "case"
    assert oddity.message == f"Unknown labels of phrases: concept ({n} times); did you mean Concept?"
    assert (oddity.n, oddity.of, oddity.line) == (n, len(PHRASES), 1)


@pytest.mark.parametrize("sign", ["_", "–", " ", ""])
def test_labels_with_other_signs_between_their_words_are_recognised(sign, describe):
    other = [[row[0].replace("-", sign), *row[1:]] for row in RELATIONS]
    one_oddity(describe(output_b=lines(other)), "case", f"is{sign}a", "did you mean is-a?")


def test_labels_that_are_nearly_right_are_told_with_the_nearest_one(describe):
    one_oddity(
        describe(output_a=phrases(label=lambda label: label.replace("Concept", "Concepto"))),
        "labels",
        "did you mean Concept?",
    )


def test_labels_with_prefixes_of_tags_are_recognised(describe):
    one_oddity(
        describe(output_a=phrases(label=lambda label: f"B-{label}")), "labels", "B-Action", "did you mean Action?"
    )


def test_labels_of_another_task_are_told(describe):
    oddity = one_oddity(
        describe(output_a=phrases(label=lambda label: "PER" if label == "Concept" else label)), "labels", "PER"
    )
    assert oddity.suggestion == ("use the task's labels (Action, Concept, Predicate, Reference); others count as wrong")


def test_relations_turned_round_are_told(describe):
    oddity = one_oddity(
        describe(output_b=lines([label, target, source] for label, source, target in RELATIONS)), "direction"
    )
    assert oddity.suggestion == "exchange source and target"
    assert oddity.n > 2 / 3 * oddity.of


def test_text_in_a_wrong_encoding_is_told_once(describe):
    one_oddity(
        describe(output_a=phrases(text=lambda words: words.encode().decode("latin-1").replace("\xa0", " "))),
        "encoding",
        "Ã",
    )


@pytest.mark.parametrize(
    "text", [lambda words: words.encode("ascii", "replace").decode().replace("?", "\ufffd"),
             lambda words: words.encode("ascii", "replace").decode(),
             lambda words: unicodedata.normalize("NFD", words)]
)  # fmt: skip
def test_lost_and_decomposed_characters_are_told(text, describe):
    one_oddity(describe(output_a=phrases(text=text)), "encoding")


def test_an_empty_run_is_told(describe):
    oddity = one_oddity(describe(output_a="", output_b=""), "empty")
    assert oddity.message == "There are no phrases or relations in any of the 120 sentences."


def test_a_layer_that_is_absent_everywhere_is_told(describe):
    oddity = one_oddity(describe(output_b=""), "layer")
    assert oddity.file == "output_b_scenario1.txt"


def test_relations_are_not_missed_where_they_are_not_scored(describe):
    description = describe(scenario=2, output_b=None)
    assert description.oddities == []
    assert description.summary == f"{len(PHRASES)} phrases in 120 of 120 sentences."


def test_the_golds_own_phrases_are_not_described_as_the_runs(describe):
    description = describe(scenario=3, output_a=None)
    assert "phrases" not in description.counts
    assert description.oddities == []


def test_one_label_for_everything_is_told(describe):
    oddity = one_oddity(describe(scenario=2, output_a=phrases(label=lambda label: "Concept")), "constant")
    assert oddity.n == oddity.of == len(PHRASES)


def test_annotations_that_repeat_others_are_told_from_a_third_on(describe):
    assert describe(output_b=lines([*RELATIONS, *RELATIONS[: len(RELATIONS) // 5]])).oddities == []


def test_a_run_that_states_everything_twice_is_told(describe):
    oddity = one_oddity(describe(output_b=lines([*RELATIONS, *RELATIONS])), "duplicates")
    assert oddity.n == len(RELATIONS)


def test_a_refused_run_is_refused_as_by_evaluate(describe):
    with pytest.raises(scoring.SubmissionError, match="Line has 1 column"):
        describe(output_a="x\n")


def test_a_file_of_another_gold_is_described_without_looking_at_the_golds_annotations(describe, tmp_path):
    run = write(tmp_path / "run", GOLD | {"output_a_scenario1.txt": phrases(move=WAYS["from 1"][0])})
    # Other places, fewer annotations, the same labels.
    few = [[row[0], f"{3 * k} {3 * k + 2}", row[2], "x"] for k, row in enumerate(PHRASES[:300])]
    labels = dict.fromkeys(row[0] for row in RELATIONS)
    other = {
        "output_a_scenario1.txt": lines(few),
        "output_b_scenario1.txt": lines([label, "1", "2"] for label in labels),
    }
    golds = [write(tmp_path / name, GOLD | changed) for name, changed in (("one", {}), ("other", other))]
    assert {row[2] for row in few} == {row[2] for row in PHRASES}
    one, another = (scoring.describe("ehealthkd", gold=gold, system=run) for gold in golds)
    assert one == another
