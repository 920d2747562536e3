"""eHealth-KD 2019 in plain Python: an oracle of the tests, and the baseline of the benchmark.

It follows the challenge's rules with lists and loops that can be checked by reading, and shares no code with the
engine. `match_phrases` is the whole rule of the matching of key phrases, `count_relations` that of relations.
"""

import argparse
import io
import json
import sys
import unicodedata
from bisect import bisect_right
from pathlib import Path

FOLDERS = {1: "scenario1-main", 2: "scenario2-taskA", 3: "scenario3-taskB"}
COUNTS = (
    "correct_A",
    "incorrect_A",
    "partial_A",
    "missing_A",
    "spurious_A",
    "correct_B",
    "missing_B",
    "spurious_B",
)


class Refused(Exception):
    """A file that cannot be scored: the side ("gold" or "system"), the file's kind, its line, and why."""

    def __init__(self, side, kind, line, message):
        super().__init__(f"{side} {kind}, line {line}: {message}")
        self.side, self.kind, self.line = side, kind, line


class Phrase:
    __slots__ = ("number", "spans", "label")

    def __init__(self, number, spans, label):
        self.number, self.spans, self.label = number, spans, label


class Sentence:
    __slots__ = ("text", "cut_text", "tolerated", "phrases", "relations")

    def __init__(self, text):
        self.text = text
        self.cut_text = text
        self.tolerated = False
        self.phrases = []
        self.relations = []


def main(argv):
    parser = argparse.ArgumentParser(prog="ehealthkd.py", description=__doc__)
    parser.add_argument("submits", type=Path)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--rules", choices=("2019", "documented"), default="2019")
    parser.add_argument("--sentences", choices=("official", "checked"), default="official")
    arguments = parser.parse_args(argv)
    try:
        report = score_teams(arguments.submits, arguments.gold, arguments.rules, arguments.sentences)
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 2 if refused.side == "gold" else 1
    print(json.dumps(report, sort_keys=True))
    return 0


def score_teams(submits, gold, rules, sentences):
    report = {}
    for team in sorted(path for path in submits.iterdir() if path.is_dir()):
        report[team.name] = [score_run(run, gold, rules, sentences) for run in sorted(team.iterdir()) if run.is_dir()]
    return report


def score_run(run, gold, rules, sentences):
    entry = {"submit": run.name}
    for scenario in FOLDERS:
        contents = read_contents(gold, scenario, "input"), read_contents(run, scenario, "output")
        if None in contents[0] or None in contents[1]:
            raise Refused("gold" if None in contents[0] else "system", "folder", None, "a file is absent")
        counts = score(*contents, scenario, rules, sentences)
        counts = {name: counts[name] for name in COUNTS}
        entry[f"scenario{scenario}"] = {**counts, **metrics(counts, scenario), "submit": run.name}
    return entry


def read_contents(folder, scenario, stem):
    """The bytes of the sentence, phrase and relation files of a scenario, None for an absent one."""
    folder = folder / FOLDERS[scenario]
    sentences = folder / f"{stem}_scenario{scenario}.txt"
    if not sentences.exists():
        sentences = folder / f"input_scenario{scenario}.txt"
    paths = (
        sentences,
        folder / f"output_a_scenario{scenario}.txt",
        folder / f"output_b_scenario{scenario}.txt",
    )
    return tuple(path.read_bytes() if path.exists() else None for path in paths)


def score(gold_contents, system_contents, scenario, rules="2019", sentences="checked"):
    """The counts of one scenario, from the contents of both sides' (sentence, phrase, relation) files.

    `sentences="official"` leaves pairs of different sentences out; `"checked"` refuses them, unless they
    differ in normalisation and blanks only.
    """
    checked = sentences == "checked"
    gold = [Sentence(line.strip()) for line in lines_of(gold_contents[0], "gold", "input", checked)]
    if system_contents[0] is None:
        system = [Sentence(sentence.text) for sentence in gold]
    else:
        system = [Sentence(line.strip()) for line in lines_of(system_contents[0], "system", "output", checked)]
    counts = dict.fromkeys(COUNTS, 0)
    counts["sentences"] = len(gold)
    counts["scored_sentences"] = 0
    counts["tolerated_sentences"] = 0
    if checked:
        check_sentences(gold, system)
        counts["tolerated_sentences"] = sum(sentence.tolerated for sentence in gold)
    if system_contents[1] is None and scenario == 3:
        system_contents = system_contents[0], gold_contents[1], system_contents[2]
        for sentence, other in zip(gold, system, strict=True):
            other.text = other.cut_text = sentence.cut_text = sentence.text
            sentence.tolerated = other.tolerated = False
    read_annotations(gold, gold_contents[1], gold_contents[2], "gold", checked)
    read_annotations(system, system_contents[1], system_contents[2] or b"", "system", checked)

    for i in range(min(len(gold), len(system))):
        if not checked and gold[i].text != system[i].text:
            continue
        if gold[i].phrases:
            counts["scored_sentences"] += 1
            count_sentence(gold[i], system[i], rules, counts)
    return counts


def metrics(counts, scenario):
    """Half a point for a partial match; the integer 0, as the official program prints it, for no denominator."""
    a = scenario != 3
    b = scenario != 2
    correct = a * counts["correct_A"] + b * counts["correct_B"]
    missing = a * counts["missing_A"] + b * counts["missing_B"]
    spurious = a * counts["spurious_A"] + b * counts["spurious_B"]
    partial = a * counts["partial_A"]
    incorrect = a * counts["incorrect_A"]
    gold = correct + partial + incorrect + missing
    system = correct + partial + incorrect + spurious
    recall = (correct + partial / 2) / gold if gold else 0
    precision = (correct + partial / 2) / system if system else 0
    f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0
    return {"recall": recall, "precision": precision, "f1": f1}


def lines_of(content, side, kind, checked):
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = sum(1 for _ in universal_lines(content[: error.start] + b"x"))
        raise Refused(side, kind, line, "not UTF-8") from None
    if checked and content.startswith(b"\xef\xbb\xbf"):
        raise Refused(side, kind, 1, "byte order mark")
    return universal_lines(content)


def universal_lines(content):
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")


def check_sentences(gold, system):
    """Refuses altered sentences; tolerated ones are cut into words as the folded text of the gold."""
    shorter, longer = sorted((gold, system), key=len)
    if not any(sentence.text for sentence in longer[len(shorter) :]):
        while len(shorter) < len(longer):
            shorter.append(Sentence(""))
    for i, (wanted, found) in enumerate(zip(gold, system, strict=False)):
        if wanted.text == found.text:
            continue
        if fold(wanted.text) != fold(found.text):
            raise Refused("system", "output", i + 1, "another sentence than in the input")
        wanted.tolerated = found.tolerated = True
        wanted.cut_text = found.cut_text = fold(wanted.text)
    if len(gold) != len(system):
        raise Refused("system", "output", len(shorter) + 1, "another number of sentences than the input")


def fold(text):
    normal = unicodedata.normalize("NFC", text)
    return "".join(" " if unicodedata.category(character) == "Zs" else character for character in normal)


def moved(text, position):
    """Return where a position of a tolerated sentence lies in its composed form."""
    if position <= 0:
        return position
    if position > len(text):
        return len(unicodedata.normalize("NFC", text)) + position - len(text)
    return len(unicodedata.normalize("NFC", text[:position]))


def read_annotations(sentences, a_content, b_content, side, checked):
    where = read_phrases(sentences, lines_of(a_content, side, "output_a", checked), side)
    read_relations(sentences, lines_of(b_content, side, "output_b", checked), side, where)


def read_phrases(sentences, lines, side):
    """Puts the phrases into their sentences and tells the sentence of each ID."""
    ends = []
    end = -1
    for sentence in sentences:
        end += len(sentence.text) + 1
        ends.append(end)
    where = {}
    for line_number, line in enumerate(lines, 1):
        columns = line.strip().split("\t")
        if len(columns) != 4:
            raise Refused(side, "output_a", line_number, "not four columns")
        try:
            number = int(columns[0])
            spans = [read_span(piece) for piece in columns[1].split(";")]
        except ValueError:
            raise Refused(side, "output_a", line_number, "not an integer or not a span") from None
        i = bisect_right(ends, spans[0][0])
        if i == len(sentences):
            raise Refused(side, "output_a", line_number, "START lies past the end of the text")
        if side == "gold" and number in where:
            raise Refused(side, "output_a", line_number, "ID used twice")
        where[number] = i
        start = ends[i - 1] + 1 if i > 0 else 0
        spans = place(spans, start, i, sentences[i])
        sentences[i].phrases.append(Phrase(number, spans, columns[2]))
    return where


def read_span(piece):
    start, end = piece.split()
    return int(start), int(end)


def place(spans, start, i, sentence):
    """Spans local to sentence i, sorted but in the first one; a span that is listed alone is cut into words."""
    spans = [(a - start, b - start) for a, b in spans]
    if i > 0:
        spans.sort(key=lambda span: span[0])
    if sentence.tolerated:
        spans = [(moved(sentence.text, a), moved(sentence.text, b)) for a, b in spans]
    if len(spans) == 1:
        spans = cut(sentence.cut_text, *spans[0])
    return spans


def cut(text, start, end):
    words = []
    word_start = start
    for k, character in enumerate(text[start:end]):
        if character == " ":
            words.append((word_start, start + k))
            word_start = start + k + 1
    words.append((word_start, end))
    return words


def read_relations(sentences, lines, side, where):
    for line_number, line in enumerate(lines, 1):
        columns = line.strip().split("\t")
        if len(columns) != 3:
            raise Refused(side, "output_b", line_number, "not three columns")
        try:
            source, target = int(columns[1]), int(columns[2])
        except ValueError:
            raise Refused(side, "output_b", line_number, "ID no integer") from None
        if source not in where or target not in where:
            raise Refused(side, "output_b", line_number, "unknown ID")
        if where[source] == where[target]:
            sentences[where[source]].relations.append((columns[0].lower(), source, target))


def count_sentence(gold, system, rules, counts):
    pairs, free = match_phrases(gold.phrases, system.phrases, rules, counts)
    counts["missing_A"] += len(free)
    count_relations(gold, system, pairs, counts)


def match_phrases(gold, system, rules, counts):
    """The (system, gold) pairs that carry relations, and the gold phrases left over.

    Three passes over the system's phrases in file order: equal spans and label, equal spans, any overlap.
    """
    free = list(gold)
    pairs = []
    rest = []
    for phrase in system:
        match = find_equal(free, phrase)
        if match and match.label == phrase.label:
            counts["correct_A"] += 1
            pairs.append((phrase, match))
            free.remove(match)
        else:
            rest.append(phrase)
    left = []
    for phrase in rest:
        match = find_equal(free, phrase)
        if match and match.label == phrase.label:
            raise Refused("gold", "output_a", None, "two phrases on equal spans")
        if match:
            counts["incorrect_A"] += 1
            free.remove(match)
        else:
            left.append(phrase)
    for phrase in left:
        match = find_overlapping(free, phrase, rules)
        if match:
            counts["partial_A"] += 1
            pairs.append((phrase, match))
            free.remove(match)
        else:
            counts["spurious_A"] += 1
    return pairs, free


def find_equal(free, phrase):
    for other in free:
        if other.spans == phrase.spans:
            return other
    return None


def find_overlapping(free, phrase, rules):
    for other in free:
        if (rules == "2019" or other.label == phrase.label) and overlap(other.spans, phrase.spans):
            return other
    return None


def overlap(first, second):
    """Tell whether a span of one begins inside a span of the other; spans that only touch do not overlap."""
    for a, b in first:
        for c, d in second:
            if a <= c < b or c <= a < d:
                return True
    return False


def count_relations(gold, system, pairs, counts):
    free = distinct(gold.relations)
    classes = same_as_classes(gold)
    for label, source, target in distinct(system.relations):
        i = partner(system.phrases, pairs, source)
        j = partner(system.phrases, pairs, target)
        match = find_relation(free, classes, label, i, j) if i and j else None
        if match:
            counts["correct_B"] += 1
            free.remove(match)
        else:
            counts["spurious_B"] += 1
    counts["missing_B"] += len(free)


def distinct(relations):
    found = []
    for relation in relations:
        if relation not in found:
            found.append(relation)
    return found


def same_as_classes(gold):
    """The number of the class of each gold phrase."""
    classes = {phrase.number: phrase.number for phrase in gold.phrases}
    for label, source, target in gold.relations:
        if label == "same-as":
            old, new = classes[target], classes[source]
            for number in classes:
                if classes[number] == old:
                    classes[number] = new
    return classes


def partner(phrases, pairs, number):
    """The gold phrase matched to the first system phrase with this ID, or None."""
    for phrase in phrases:
        if phrase.number == number:
            for system, gold in pairs:
                if system is phrase:
                    return gold
            return None
    return None


def find_relation(free, classes, label, source, target):
    """The free gold relation between these very ends, for same-as also reversed, else between their classes."""
    wanted = (label, source.number, target.number)
    if wanted in free:
        return wanted
    wanted = (label, target.number, source.number)
    if label == "same-as" and wanted in free:
        return wanted
    for relation in free:
        same_ends = classes[relation[1]] == classes[source.number] and classes[relation[2]] == classes[target.number]
        if relation[0] == label and same_ends:
            return relation
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
