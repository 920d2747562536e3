"""Makes files of what participants are given, the sentences, and tells by these which input an upload is for.

Nothing here looks at phrases or relations of the gold.
"""

import re

from scoring.errors import SubmissionError
from scoring.families.ehealthkd.writing import written
from scoring.family import Files, Options, Side
from scoring.readers.ehealthkd import PAIRED, Sentences
from scoring.readers.ehealthkd.brat.layout import pair_names
from scoring.readers.ehealthkd.editions import given_phrases, missing_sentences, sentence_file, sentences_of

_WORD = re.compile(r"\w+")


def sample(gold: Files, options: Options) -> dict[str, bytes]:
    """Make an upload that is valid for this gold: of each sentence the first two words, and a relation of them."""
    sentences = _sentences(gold, options, of_gold=True)
    pairs = [words_found for k in range(len(sentences.texts)) if len(words_found := _first_words(sentences, k)) == 2]
    words = enumerate((word for pair in pairs for word in pair), start=1)
    phrases = [f"{number}\t{start} {end}\tConcept\t{text}\n" for number, (start, end, text) in words]
    relations = [f"is-a\t{2 * k + 1}\t{2 * k + 2}\n" for k in range(len(pairs))]
    return written(None, "".join(phrases), "".join(relations), options)


def inputs(gold: Files, options: Options) -> dict[str, bytes]:
    """Return the sentences.

    The phrases that scenario 3 gives are the organisers' to hand out, with their own downloads.
    """
    path = sentence_file(gold, options["scenario"], options["rules"], of_gold=True)
    return {_input_name(options): gold[path]} if path else {}


def gold_of_inputs(given: Files, options: Options) -> dict[str, bytes]:
    """Return the sentences without relations, and without phrases but for those that scenario 3 gives."""
    scenario, rules = options["scenario"], options["rules"]
    path = sentence_file(given, scenario, rules, of_gold=True)
    if path is None:
        raise SubmissionError(missing_sentences(given, scenario, rules))
    phrases = given_phrases(given, scenario, rules) if scenario == 3 else {}
    empty = written("", "", "", options)
    return empty | phrases | {_input_name(options): given[path]}


def input_keys(files: Files, options: Options, side: Side) -> set[str]:
    """Return the sentences; none where an upload leaves them out."""
    return {text for text in _sentences(files, options, of_gold=side == "gold").texts if text}


def _input_name(options: Options) -> str:
    if options["rules"] in PAIRED:
        return pair_names(options["scenario"], options["rules"])[1]
    return f"input_scenario{options['scenario']}.txt"


def _sentences(files: Files, options: Options, *, of_gold: bool) -> Sentences:
    path = sentence_file(files, options["scenario"], options["rules"], of_gold=of_gold)
    return sentences_of(files[path].decode(errors="replace") if path else "", options["rules"])


def _first_words(sentences: Sentences, k: int) -> list[tuple[int, int, str]]:
    """Return up to two words of a sentence, with their offsets in the whole text."""
    offset = int(sentences.starts[k])
    words = list(_WORD.finditer(sentences.texts[k]))[:2]
    return [(offset + word.start(), offset + word.end(), word[0]) for word in words]
