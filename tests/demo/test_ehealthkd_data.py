"""The demonstration data of eHealth-KD: well-formed, complete, repeatable, and graded as meant."""

import hashlib
import re
import subprocess
import sys
import unicodedata

import pytest

from demo import ehealthkd

LABELS = {"Concept", "Action", "Predicate", "Reference"}
RELATIONS = {
    "is-a",
    "same-as",
    "has-property",
    "part-of",
    "causes",
    "entails",
    "in-time",
    "in-place",
    "in-context",
    "subject",
    "target",
    "domain",
    "arg",
}
SCENARIOS = [(phase, scenario) for phase in ehealthkd.PHASES for scenario in ehealthkd.FOLDERS]


def read(files, scenario):
    """Sentences, {ID: (sentence, spans, label, text)} and relation triples, parsed from the files alone."""
    folder = ehealthkd.FOLDERS[scenario]
    text = files[f"{folder}/input_scenario{scenario}.txt"]
    phrases, relations = {}, []
    for line in files[f"{folder}/output_a_scenario{scenario}.txt"].splitlines():
        number, listed, label, words = line.split("\t")
        spans = tuple(tuple(int(end) for end in span.split(" ")) for span in listed.split(";"))
        assert number not in phrases
        phrases[number] = (text.count("\n", 0, spans[0][0]), spans, label, words)
    for line in files[f"{folder}/output_b_scenario{scenario}.txt"].splitlines():
        relations.append(tuple(line.split("\t")))
    return text, phrases, relations


def exact_f1(gold, system, scenario):
    """F1 of exact phrases, or in scenario 3 of exact relations: enough to tell the grades of the systems."""
    _, phrases, relations = read(gold, scenario)
    _, found, answered = read(system, scenario)
    wanted = set(relations) if scenario == 3 else set(phrases.values())
    given = set(answered) if scenario == 3 else set(found.values())
    return 2 * len(wanted & given) / (len(wanted) + len(given))


def grades(phase, scenario):
    return {
        (system.team, system.run): exact_f1(ehealthkd.gold(phase), system.content, scenario)
        for system in ehealthkd.systems(phase)
        if scenario in system.scenarios
    }


@pytest.mark.parametrize(("phase", "scenario"), SCENARIOS)
def test_every_phrase_is_whole_words_of_one_sentence(phase, scenario):
    text, phrases, _ = read(ehealthkd.gold(phase), scenario)
    for sentence, spans, _, words in phrases.values():
        assert " ".join(text[start:end] for start, end in spans) == words
        for start, end in spans:
            assert re.fullmatch(r"\w+", text[start:end])
            assert not re.match(r"\w", text[end])
            assert start == 0 or not re.match(r"\w", text[start - 1])
            assert text.count("\n", 0, end) == sentence
    assert unicodedata.is_normalized("NFC", text)


@pytest.mark.parametrize(("phase", "scenario"), SCENARIOS)
def test_gold_phrases_of_a_sentence_stand_on_different_spans(phase, scenario):
    _, phrases, _ = read(ehealthkd.gold(phase), scenario)
    places = [(sentence, spans) for sentence, spans, _, _ in phrases.values()]
    assert len(places) == len(set(places))


@pytest.mark.parametrize(("phase", "scenario"), SCENARIOS)
def test_relations_join_two_different_phrases_of_one_sentence(phase, scenario):
    for files in [
        ehealthkd.gold(phase),
        *(s.content for s in ehealthkd.systems(phase) if scenario in s.scenarios),
    ]:
        _, phrases, relations = read(files, scenario)
        for _, source, target in relations:
            assert source != target
            assert phrases[source][0] == phrases[target][0]


def test_all_labels_and_relations_occur_in_the_test_gold():
    _, phrases, relations = read(ehealthkd.gold("test"), 1)
    assert {label for _, _, label, _ in phrases.values()} == LABELS
    assert {label for label, _, _ in relations} == RELATIONS


def test_some_phrases_are_discontinuous():
    text, phrases, _ = read(ehealthkd.gold("test"), 1)
    listed = [spans for _, spans, _, _ in phrases.values()]
    assert any(text[spans[0][1] : spans[1][0]].strip() for spans in listed if len(spans) > 1)


def test_each_sentence_occurs_once_in_all_phases_and_is_annotated():
    lines, annotated = [], 0
    for phase, scenario in SCENARIOS:
        text, phrases, _ = read(ehealthkd.gold(phase), scenario)
        lines += text.splitlines()
        annotated += len({sentence for sentence, _, _, _ in phrases.values()})
    assert len(lines) == len(set(lines)) == annotated == 40 + 30 + 30 + 120 + 100 + 100
    assert all(re.fullmatch(r"[¿A-ZÁÉÍÓÚ][\w ,¿áéíóúñü]+[.?]", line) for line in lines)


def test_sentences_keep_the_contractions_of_spanish():
    text = "".join(read(ehealthkd.gold(phase), scenario)[0] for phase, scenario in SCENARIOS)
    assert not re.search(r"\b[Dd]e el\b|\b[Aa] el\b| y h?i(?![aeo])| o h?o|  ", text)


def test_participants_get_the_gold_phrases_of_scenario_3_only():
    given = ehealthkd.inputs("test")
    assert sorted(given) == [
        "README.txt",
        "scenario1-main/input_scenario1.txt",
        "scenario2-taskA/input_scenario2.txt",
        "scenario3-taskB/input_scenario3.txt",
        "scenario3-taskB/output_a_scenario3.txt",
    ]
    assert "no medical advice" in given["README.txt"]
    gold = ehealthkd.gold("test")
    assert all(gold[path] == text for path, text in given.items() if path != "README.txt")


def test_each_scenario_has_eight_teams_and_one_baseline():
    for scenario in ehealthkd.FOLDERS:
        entered = [system for system in ehealthkd.systems("test") if scenario in system.scenarios]
        assert len({system.team for system in entered}) >= 8
        assert [system.method for system in entered if system.reference] == ["Dictionary look-up"]


def test_runs_hold_the_files_of_their_scenarios_and_the_sentences_unaltered():
    gold = ehealthkd.gold("test")
    for system in ehealthkd.systems("test"):
        folders = {ehealthkd.FOLDERS[scenario] for scenario in system.scenarios}
        assert set(system.content) == {path for path in gold if path.split("/")[0] in folders}
        assert all(text == gold[path] for path, text in system.content.items() if "/input_" in path)


@pytest.mark.parametrize("scenario", ehealthkd.FOLDERS)
def test_grades_reach_from_the_baseline_to_the_strong_run(scenario):
    f1 = grades("test", scenario)
    strong, baseline = f1["Faro NLP", "run3"], f1["Organisers", "baseline"]
    assert baseline + 0.2 < strong < 0.9
    assert f1["Faro NLP", "run1"] < f1["Faro NLP", "run2"] < strong
    assert min(f1.values()) > 0.1


def test_some_runs_are_too_near_to_tell_apart():
    assert grades("test", 2)["Delfín", "run1"] == pytest.approx(grades("test", 2)["Vencejo", "run1"], abs=0.02)
    assert grades("test", 3)["Lince", "run1"] == pytest.approx(grades("test", 3)["Quetzal", "run1"], abs=0.02)


def test_systems_err_in_every_way():
    gold = ehealthkd.gold("test")
    _, phrases, _ = read(gold, 1)
    faro = next(s for s in ehealthkd.systems("test") if (s.team, s.run) == ("Faro NLP", "run1"))
    _, found, _ = read(faro.content, 1)
    labels = {phrase[1]: phrase[2] for phrase in phrases.values()}
    answers = {phrase[1]: phrase[2] for phrase in found.values()}
    wanted, given = ({place for spans in chosen for place in spans} for chosen in (labels, answers))
    assert any(answers[spans] != label for spans, label in labels.items() if spans in answers)
    assert any(not set(spans) & given for spans in labels)
    assert any(not set(spans) & wanted for spans in answers)
    assert any(spans not in labels and set(spans) & wanted for spans in answers)
    _, _, relations = read(gold, 3)
    _, _, answered = read(faro.content, 3)
    assert any((label, target, source) in answered for label, source, target in relations if label != "same-as")


def test_the_data_are_the_same_in_another_process():
    program = (
        "import hashlib; from demo import ehealthkd as e;"
        "print(hashlib.sha256(repr((e.gold('test'), e.systems('test'))).encode()).hexdigest())"
    )
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    here = repr((ehealthkd.gold("test"), ehealthkd.systems("test")))
    assert printed.strip() == hashlib.sha256(here.encode()).hexdigest()
