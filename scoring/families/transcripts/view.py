"""One utterance, or the worst utterances of one speaker: both word sequences, one under the other."""

from collections.abc import Sequence

import numpy as np

from scoring.families.transcripts.aligning import Step, count_edits, steps
from scoring.families.transcripts.normalising import Words, characters_of
from scoring.families.transcripts.scores import error_rates
from scoring.families.transcripts.sides import Gold, System, read_gold, read_system
from scoring.family import Files, Options, Record

_MOST_UTTERANCES = 100  # of a speaker
_MOST_STEPS = 3_000  # words of one utterance


def unit_record(gold_files: Files, system_files: Files, unit: str, options: Options) -> Record:
    """Return what the page of a unit shows; KeyError if there is no such unit.

    `utterances`, of a speaker the worst first: name, `speaker` (None where speakers are not told), how many words of
    each kind, both error rates (None where there is nothing to divide by), whether it is missing in the run, `steps`
    as [what became of a word, the reference's word, the transcript's], how many more of these there are, and both
    `texts` as they stand in the files. `n_left_out` utterances of the speaker are not among them.
    """
    gold = read_gold(gold_files, options)
    system = read_system(system_files, gold, options)
    names = gold.read.ids if options["unit"] != "speaker" else gold.read.speakers or []
    chosen = [k for k, name in enumerate(names) if name == unit]
    if not chosen:
        raise KeyError(unit)
    ordered = sorted(chosen, key=lambda k: gold.words[k] == system.words[k])
    utterances = [_utterance(gold, system, k, options) for k in ordered[:_MOST_UTTERANCES]]
    utterances.sort(key=lambda record: -_errors(record))
    return {"utterances": utterances, "n_left_out": len(chosen) - len(utterances)}


def _utterance(gold: Gold, system: System, k: int, options: Options) -> Record:
    reference, transcript = gold.words[k], system.words[k]
    aligned = steps(reference, transcript)
    counts = {f"{kind}s": sum(step[0] == kind for step in aligned) for kind in _KINDS}
    return {
        "utterance": gold.read.ids[k],
        "speaker": gold.read.speakers[k] if gold.read.speakers else None,
        "words": len(reference),
        **counts,
        **_rates(reference, transcript, aligned, options),
        "is_missing": system.read.texts[k] is None,
        "steps": [list(step) for step in aligned[:_MOST_STEPS]],
        "n_steps_left_out": max(0, len(aligned) - _MOST_STEPS),
        "texts": {"gold": gold.read.texts[k], "system": system.read.texts[k]},
    }


_KINDS = ("hit", "substitution", "deletion", "insertion")


def _rates(reference: Words, transcript: Words, aligned: Sequence[Step], options: Options) -> Record:
    [reference_characters], [other] = (characters_of([words], options) for words in (reference, transcript))
    [[substituted, deleted, inserted]] = count_edits([reference_characters], [other]).tolist()
    of_words = [sum(step[0] == kind for step in aligned) for kind in _KINDS]
    of_characters = [len(reference_characters) - substituted - deleted, substituted, deleted, inserted]
    rates = error_rates(np.array([*of_words, *of_characters]))
    return {name: None if (value := float(rate)) != value else value for name, rate in rates.items()}


def _errors(record: Record) -> int:
    return int(record["words"] - record["hits"] + record["insertions"])
