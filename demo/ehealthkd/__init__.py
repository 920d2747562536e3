"""Demonstration data in the layout of eHealth-KD 2019: gold, the participants' download, fictional runs."""

from collections.abc import Iterable

from demo.ehealthkd.errors import look_up, run
from demo.ehealthkd.sentences import Sentence, phrase_text, sentences_of
from demo.ehealthkd.systems import PROFILES, Profile
from demo.plan import System, system_of

PHASES = ("development", "test")
FOLDERS = {1: "scenario1-main", 2: "scenario2-taskA", 3: "scenario3-taskB"}

README = """\
Demonstration data: key phrases and relations in Spanish sentences about health
===============================================================================

This is synthetic data. A program wrote every sentence from templates and word lists,
for this demonstration only. It is no real medical text and no medical advice: some
sentences are not even true. The annotation comes out of the same templates; nobody
checked it by hand. Teams and runs are invented too.

The layout is that of the eHealth-KD challenges of 2019 and 2020; none of their text is
in here.

scenario1-main    sentences; find key phrases (A) and relations (B)
scenario2-taskA   sentences; find key phrases (A)
scenario3-taskB   sentences and key phrases; find relations (B)
scenario4-transfer   the sentences of the first once more, for files of 2020

input_scenarioN.txt      one sentence per line
output_a_scenarioN.txt   ID, spans "start end;start end", label, text; TABs between
output_b_scenarioN.txt   relation, ID of the source, ID of the target; TABs between

Offsets count characters from the beginning of the file, line ends included.
"""


def gold(phase: str) -> dict[str, str]:
    """The gold archive of a phase: path -> text."""
    return _files({scenario: sentences_of(phase, scenario) for scenario in FOLDERS})


def inputs(phase: str) -> dict[str, str]:
    """What a participant downloads: the sentences, the key phrases of scenario 3 and the README."""
    given = {_path(scenario, "input"): gold(phase)[_path(scenario, "input")] for scenario in FOLDERS}
    return {"README.txt": README, **given, _path(3, "output_a"): gold(phase)[_path(3, "output_a")]}


def systems(phase: str) -> list[System]:
    return [
        system_of(profile, _files({scenario: _answers(profile, phase, scenario) for scenario in profile.scenarios}))
        for profile in PROFILES
    ]


def _answers(profile: Profile, phase: str, scenario: int) -> list[Sentence]:
    given = scenario == 3
    answers = []
    for i, sentence in enumerate(sentences_of(phase, scenario)):
        if profile.rates is None:
            answer = look_up(sentence, given)
        else:
            name = profile.name
            answer = run(sentence, profile.rates, name, f"{phase} {scenario} {i}", given)
        answers.append(answer if scenario != 2 else Sentence(answer.text, answer.phrases, ()))
    return answers


def _files(answers: dict[int, Iterable[Sentence]]) -> dict[str, str]:
    files = {}
    for scenario, annotated in answers.items():
        text, phrases, relations = _texts(annotated)
        files[_path(scenario, "input")] = text
        files[_path(scenario, "output_a")] = phrases
        files[_path(scenario, "output_b")] = relations
    return files


def _path(scenario: int, kind: str) -> str:
    return f"{FOLDERS[scenario]}/{kind}_scenario{scenario}.txt"


def _texts(annotated: Iterable[Sentence]) -> tuple[str, str, str]:
    """The sentence file, the A file and the B file; IDs count on through all sentences."""
    text = phrases = relations = ""
    number = 1
    for sentence in annotated:
        for i, phrase in enumerate(sentence.phrases):
            spans = ";".join(f"{len(text) + start} {len(text) + end}" for start, end in phrase.spans)
            phrases += f"{number + i}\t{spans}\t{phrase.label}\t{phrase_text(sentence.text, phrase)}\n"
        for relation in sentence.relations:
            relations += f"{relation.label}\t{number + relation.source}\t{number + relation.target}\n"
        number += len(sentence.phrases)
        text += sentence.text + "\n"
    return text, phrases, relations
