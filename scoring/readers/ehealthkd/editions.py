"""The files of each edition by the rules that go with them: those of 2019, and the brat pairs of 2020 and 2021."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath

from scoring import lazy
from scoring.findings import Finding
from scoring.readers.ehealthkd import layout
from scoring.readers.ehealthkd.alignment import parse_lines_of_text
from scoring.readers.ehealthkd.brat import layout as brat_layout
from scoring.readers.ehealthkd.sentences import Sentences, parse_sentences
from scoring.readers.ehealthkd.sides import Gold, Pairing, System, read_gold_tables, read_system_tables

# The rules whose files are pairs of sentences and annotations in brat's format.
PAIRED = ("2020", "2021")
# Their readers are loaded for these rules alone.
_read_gold_pair: Callable[..., Gold] = lazy.late("scoring.readers.ehealthkd.brat.sides", "read_gold_pair")
_read_system_pair: Callable[..., System] = lazy.late("scoring.readers.ehealthkd.brat.sides", "read_system_pair")


def read_gold(files: Mapping[str, bytes], scenario: int, pairing: Pairing = "checked", rules: str = "2019") -> Gold:
    """Read the gold of a scenario; SubmissionError with the problems of the first stage that has any."""
    if rules in PAIRED:
        return _read_gold_pair(files, scenario, rules, pairing)
    return read_gold_tables(files, scenario, pairing)


def read_system(
    files: Mapping[str, bytes], gold: Gold, scenario: int, pairing: Pairing = "checked", rules: str = "2019"
) -> System:
    """Read a system's scenario; SubmissionError with the problems of the first stage that has any."""
    if rules in PAIRED:
        return _read_system_pair(files, gold, scenario, rules, pairing)
    return read_system_tables(files, gold, scenario, pairing)


def scenarios(paths: Iterable[str], rules: str = "2019") -> list[int]:
    """Return the scenarios that an upload enters: those with a file of phrases or relations.

    Sentences alone enter none, because every participant is given them.
    """
    if rules in PAIRED:
        return [number for number in brat_layout.scenarios_of_pairs(paths) if number < 4 or rules == "2020"]
    return layout.scenarios(paths)


def names(scenario: int, rules: str = "2019") -> tuple[str, ...]:
    """Return the names that the files of phrases and relations have to have."""
    if rules in PAIRED:
        return (brat_layout.pair_names(scenario, rules)[0],)
    return layout.names(scenario)


def phrase_file(paths: Iterable[str], scenario: int, rules: str) -> str | None:
    """Return the path of the file with the phrases."""
    files = brat_layout.find_pair(paths, scenario) if rules in PAIRED else layout.find(paths, scenario)
    return files.get("annotations" if rules in PAIRED else "output_a")


def relation_file(paths: Iterable[str], scenario: int, rules: str) -> str | None:
    """Return the path of the file with the relations."""
    files = brat_layout.find_pair(paths, scenario) if rules in PAIRED else layout.find(paths, scenario)
    return files.get("annotations" if rules in PAIRED else "output_b")


def sentence_file(paths: Iterable[str], scenario: int, rules: str, *, of_gold: bool) -> str | None:
    """Return the path of the file with the sentences, as participants are given them or a system returns them."""
    if rules in PAIRED:
        return brat_layout.find_pair(paths, scenario).get("text")
    files = layout.find(paths, scenario)
    return files.get("input") if of_gold or "output" not in files else files["output"]


def missing_sentences(paths: Iterable[str], scenario: int, rules: str) -> Finding:
    """Return the problem of an input without its sentences."""
    all_paths = set(paths)
    if rules in PAIRED:
        return brat_layout.missing_of_pair(brat_layout.find_pair(all_paths, scenario), "text", scenario, rules)
    return layout.missing(all_paths, layout.find(all_paths, scenario), "input", scenario)


def given_phrases(files: Mapping[str, bytes], scenario: int, rules: str) -> dict[str, bytes]:
    """Return the files of an input with what a scenario gives, under the names of a gold."""
    if rules in PAIRED:
        pair = brat_layout.find_pair(files, scenario)
        name = brat_layout.pair_names(scenario, rules)[0]
        beside = PurePosixPath(pair.get("text", "")).with_suffix(".ann")
        path = pair.get("annotations", str(beside))
        return {name: files[path]} if path in files else {}
    paths = layout.find(files, scenario)
    return {f"output_a_scenario{scenario}.txt": files[paths["output_a"]]} if "output_a" in paths else {}


def sentences_of(text: str, rules: str) -> Sentences:
    return parse_lines_of_text(text) if rules in PAIRED else parse_sentences(text)
