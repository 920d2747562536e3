"""Good runs that one slip has spoilt, with what has to be said of each.

That is the kind of its oddity, or REFUSED, and words of the message, of the suggestion or of the hint beside it.
"""

import html
import re
from collections.abc import Callable

from tests.scoring.describing.shapes import (
    ANSWERED,
    CHAINS,
    LABELS,
    MARKS,
    NUMBERS,
    PHRASES,
    REFUSED,
    SUBJECTS,
    TEXTS,
    Shape,
    annotated,
    answers,
    chains,
    json_lines,
    moved,
    of_types,
    phrases,
    ranked,
    segmented,
    spoken,
    table,
    texts,
    valued,
)

WRONG: list[Shape] = []


def _add(task, name, files, scenario, kind, words=""):
    found = files if isinstance(files, dict) else {"run.csv": files}
    WRONG.append(Shape(task, name, found, scenario, kind, words))


def _of_ids(task, rows, head, spell: Callable[[str], object], name, words):
    _add(task, f"ids {name}", table([[spell(row[0]), row[1]] for row in rows], head), 1, REFUSED, words)


for _task, _rows, _head in (
    ("labels", LABELS, ("id", "intent")),
    ("numbers", NUMBERS, ("id", "value")),
    ("judgements", MARKS, ("unit", "score")),
):
    _of_ids(_task, _rows, _head, "{}.0".format, "as floats", f"without '.0' all {len(_rows)} fit")
    _of_ids(_task, _rows, _head, "data/{}.txt".format, "as paths", "without the path and without '.txt' all")
    _of_ids(_task, _rows, _head, str.upper, "in capitals", "with capitals as the task has them all")
    _of_ids(_task, _rows, _head, "'{}'".format, "between quotes", "without the quotes all")
    _of_ids(_task, _rows, _head, "\u200b{}".format, "behind nothing that is seen", "hidden characters around all")
    _add(_task, "columns exchanged", table([row[::-1] for row in _rows], _head), 1, REFUSED, f"not under '{_head[0]}'")
    _add(_task, "without heading", table(_rows), 1, REFUSED, f"write '{','.join(_head)}' above it")
_of_ids("labels", LABELS, ("id", "intent"), lambda name: int(name[1:]), "as numbers", "zeros put back and with 't' in")
_of_ids("labels", LABELS, ("id", "intent"), lambda name: f"{name[1:]}.0", "as 001.0", "without '.0' and with 't' in")
_of_ids("labels", LABELS, ("id", "intent"), lambda name: f"d{name[1:]}", "of another phase", "ids look like 't001'")
_of_ids("labels", LABELS, ("id", "intent"), "item_{}".format, "with a prefix", "without 'item_' in front all 260 fit")

for _name, _write, _words in (
    ("in a sentence", "The intent is: {}.", "did you mean '"),
    ("between stars", "**{}**", "did you mean '"),
    ("in a list", "['{}']", "did you mean '"),
    ("with a probability", "('{}', 0.93)", "did you mean '"),
    ("as fastText writes it", "__label__{}", "did you mean '"),
    ("in JSON", '{{"intent": "{}"}}', "did you mean '"),
    ("with an end of sequence", "{}</s>", "did you mean '"),
):
    _rows = [[name, _write.format(label)] for name, label in LABELS]
    _add("labels", f"label {_name}", table(_rows, ("id", "intent")), 1, REFUSED, _words)
_INDEX = sorted({label for _, label in LABELS})
for _name, _rows, _words in (
    ("numbers of labels", [[name, _INDEX.index(label)] for name, label in LABELS], "the labels are 'ask'"),
    ("first letters", [[name, label[0]] for name, label in LABELS], "the labels are 'ask'"),
):
    _add("labels", _name, table(_rows, ("id", "intent")), 1, REFUSED, _words)
_add("labels", "one label", table([[row[0], "ask"] for row in LABELS], ("id", "intent")), 1, "constant", "260 labels")
for _name, _change, _words in (
    ("commas between labels", lambda text: text.replace(";", ", "), "several labels stand with ';' between them"),
    ("a word for none", lambda text: text or "none", "leave the field empty"),
):
    _rows = [[name, _change(subjects)] for name, subjects in SUBJECTS]
    _add("labels", _name, table(_rows, ("id", "subjects")), 2, REFUSED, _words)
_WHOLE = table(LABELS, ("id", "intent"))
_add("labels", "code fence", f"```csv\n{_WHOLE}```\n", 1, REFUSED, "is a code fence")
_add("labels", "courtesies", f"Sure, here are the labels:\n{_WHOLE}", 1, REFUSED, "what a chat program says")
_MARKDOWN = "| id | intent |\n|--|--|\n" + "".join(f"| {name} | {label} |\n" for name, label in LABELS)
_add("labels", "Markdown table", _MARKDOWN, 1, REFUSED, "a row of a Markdown table")

for _name, _change, _kind, _words in (
    ("from 0 to 1", lambda value: value / 5, "range", "multiply them by 5?"),
    ("from 0 to 100", lambda value: value * 20, "range", "divide them by 20?"),
    ("with the sign turned", lambda value: -value, "range", "turn their sign?"),
):
    _rows = [[name, f"{_change(float(value)):.4f}"] for name, value in NUMBERS]
    _add("numbers", _name, table(_rows, ("id", "value")), 1, _kind, _words)
_SORTED = sorted((row[1] for row in NUMBERS), key=float)
for _name, _values, _kind, _words in (
    ("sorted by themselves", _SORTED, "order", "All 240 numbers are sorted"),
    ("numbers of rows", range(240), "order", "count from 0 to 239"),
    ("a number for none", [value if k % 5 else -999 for k, (_, value) in enumerate(NUMBERS)], "range", "48 of 240"),
    ("one number", ["2.5"] * 240, "constant", "240 of 240 items"),
):
    _rows = [[row[0], value] for row, value in zip(NUMBERS, _values, strict=True)]
    _add("numbers", _name, table(_rows, ("id", "value")), 1, _kind, _words)
for _name, _divisor, _words in (("from 0 to 1", 100, "multiply them by 100?"), ("from 1 to 5", 20, "by 20?")):
    _rows = [[name, f"{float(mark) / _divisor:.3f}"] for name, mark in MARKS]
    _add("judgements", _name, table(_rows, ("unit", "score")), 1, "range", _words)


def _pieces(text):
    return re.sub(r"\b(\w{4})(\w+)", r"\1@@ \2", text)


_TRACES = (
    ("marks of SentencePiece", lambda text: " ".join(f"▁{word}" for word in text.split()), 'subword units: "▁'),
    ("marks of BPE", _pieces, "marks of subword units"),
    ("marks of WordPiece", lambda text: _pieces(text).replace("@@ ", " ##"), "marks of subword units"),
    ("marks of GPT", lambda text: text.replace(" ", "Ġ"), "marks of subword units"),
    ("ends of sequences", "{}</s>".format, '</s>"'),
    ("padding", "{} <pad> <pad>".format, "a model's control tokens"),
    ("unknown tokens", "{} <unk>".format, "a model's control tokens"),
    ("tokens of BERT", "[CLS] {} [SEP]".format, "a model's control tokens"),
    ("ends of texts", "{}<|endoftext|>".format, "a model's control tokens"),
    ("instructions", "[/INST] {}".format, "a model's control tokens"),
    ("a language's token", "eng_Latn {}".format, "a model's control tokens"),
    ("entities", lambda text: html.escape(f"{text} & more"), "for &amp;, for example"),
    ("tags", "<p>{}</p>".format, "HTML tags"),
    ("courtesies", "Sure, here is the text you asked for: {}".format, "what a chat program says around its answer"),
    ("an announcement", "The answer is: {}".format, "what a chat program says around its answer"),
    ("a code fence", "```\n{}\n```".format, "code fences"),
    ("reasoning", "<think>short words</think>{}".format, "a model's reasoning"),
    ("Markdown", "**{}**".format, "Markdown"),
    ("quotes", '"{}"'.format, "take the outer quotes out"),
    ("French quotes", "«{}»".format, "take the outer quotes out"),
    ("Python's list", "['{}']".format, "a programming language's notation"),
    ("bytes", lambda text: repr(text.encode()), "a programming language's notation"),
    ("escapes", lambda text: text.replace("e", "\\u00e9"), "as a programming language writes them"),
    ("blanks between letters", " ".join, "blanks between all letters"),
    (
        "numbers of tokens",
        lambda text: " ".join(str(77 * len(word)) for word in (*text.split(), *"abc")),
        "decode them",
    ),
    ("circles", lambda text: text + " the" * 9, "turn in circles"),
    ("a refusal", lambda text: "I'm sorry, but I can't help with that.", "a chat program's refusal"),
    ("single letters", lambda text: "ABCD"[len(text) % 4], "the letters of choices"),
)
_OF_TEXTS = (
    ("a heading of each", "Simplified: {}".format, 'the same beginning, "Simplified:"'),
    ("a farewell", "{} Let me know if you need more.".format, "the same end"),
    ("a score behind", "{} ||| -0.31".format, "beside a text, such as a score"),
    ("blanks before stops", lambda text: re.sub(r"([.,])", r" \1", text), "not split into tokens"),
    ("no blanks", lambda text: text.replace(" ", ""), "no blank between their words"),
)


for _name, _change, _words in (*_TRACES, *_OF_TEXTS):
    _add("text", _name, texts(_change), 1, "traces", _words)


for _name, _change, _words in (
    *(trace for trace in _TRACES if trace[0] not in ("a code fence", "entities", "circles", "single letters")),
    ("entities", lambda text: text.replace("'", "&#39;"), "HTML entities"),
    ("marks of noise", "{} [noise]".format, "marks of sounds"),
    ("laughter", "(laughs) {}".format, "marks of sounds"),
    ("silence", "<sil> {} <sil>".format, "marks of sounds"),
    ("music", "♪ {} ♪".format, "marks of sounds"),
    ("times", "[00:00:01.000 --> 00:00:03.000] {}".format, "times or speakers"),
    ("speakers", "SPEAKER_00: {}".format, "times or speakers"),
):
    # Empty utterances stay so.
    _add("transcripts", _name, spoken(lambda text, change=_change: change(text) if text else ""), 1, "traces", _words)
for _name, _spell, _words in (
    ("with .wav", "{}.wav".format, "without '.wav' all 360 fit"),
    ("with a path", "audio/{}.flac".format, "without the path and without '.flac' all"),
    ("without zeros", lambda name: re.sub("-0+", "-", name), "with the zeros put back all"),
    ("with other signs", lambda name: name.replace("-", "_"), "with the task's signs between all"),
):
    _add("transcripts", f"ids {_name}", spoken(str, _spell), 1, REFUSED, _words)


for _name, _change, _words in _TRACES:
    if _name in (
        "marks of SentencePiece",
        "ends of sequences",
        "entities",
        "an announcement",
        "Markdown",
        "single letters",
    ):
        _add("qac", _name, answers(_change), 1, "traces", _words)
_HALF_ANSWERED = [line if k % 2 else line.split(":")[0] for k, line in enumerate(ANSWERED)]
_add("qac", "half unanswered", {"run.txt": "\n".join(_HALF_ANSWERED)}, 1, "partial", "of 80 questions have nothing")
_add("qac", "half left out", {"run.txt": "\n".join(ANSWERED[::2])}, 1, "partial", "of 80 questions have nothing")
_add("qac", "ids in small letters", {"run.txt": "\n".join(ANSWERED).replace("SAR2-", "sar2-")}, 1, "ids", "capitals")
_add("qac", "ids without zeros", {"run.txt": "\n".join(ANSWERED).replace("-0", "-")}, 1, "ids", "zeros put back")

_add("text", "half empty", texts(lambda text: text if len(text) % 2 else ""), 1, "partial", "of 120 segments have")
_ENDED = [{**each, "text": each["text"] if k < 60 else ""} for k, each in enumerate(TEXTS)]
_add("text", "an end that is empty", texts(str, _ENDED), 1, "partial", "The last 60 of 120 segments")
_OTHER = [{**each, "id": each["id"].replace("test-", "test_")} for each in TEXTS]
_add("text", "ids with other signs", texts(str, _OTHER), 1, REFUSED, "with the task's signs between all 120 fit")
_CROSSED = json_lines({"id": each["text"], "text": each["id"]} for each in TEXTS)
_add("text", "keys exchanged", {"run.jsonl": _CROSSED}, 1, REFUSED, "the ids stand under 'text'")


for _name, _spell, _kind, _words in (
    ("documents without prefix", lambda row: [*row[:2], row[2][2:], *row[3:]], "ids", "look like SE0000"),
    ("documents with an ending", lambda row: [*row[:2], row[2] + ".txt", *row[3:]], "ids", "look like SE0000"),
    ("documents without zeros", lambda row: [*row[:2], row[2].replace("0", "", 1), *row[3:]], "ids", "like SE0000"),
    ("documents of another collection", lambda row: [*row[:2], f"WT-{row[2]}", *row[3:]], "ids", "look like SE0000"),
    ("queries in small letters", lambda row: [row[0].lower(), *row[1:]], REFUSED, "with capitals as the task has them"),
    ("queries without prefix", lambda row: [row[0][2:], *row[1:]], REFUSED, "with 'AR' in front all 66 fit"),
    ("half of the queries", lambda row: row if int(row[0][2:]) % 2 else None, "partial", "33 of 66 queries"),
    ("distances", lambda row: [*row[:4], row[3], row[5]], "order", "scores rise"),
):
    _add("ranking", _name, ranked(_spell), 1, _kind, _words)


_add("coreference", "one chain", chains(lambda cell: re.sub(r"\d+", "0", cell)), 1, "chains", "all mentions are in one")
_PLACES = iter(range(10**6))
_APART = chains(lambda cell: f"({next(_PLACES)})" if "(" in cell else "-")
_add("coreference", "no chain", _APART, 1, "chains", "every mention is an entity of its own")
for _name, _old, _new, _words in (
    ("with an ending", r"(report-\d+)", r"\1.txt", "without '.txt' all 44 fit"),
    ("with a path", r"(report-\d+)", r"data/\1", "without the path all"),
    ("without zeros", r"report-0+", "report-", "with the zeros put back all"),
):
    _add("coreference", f"documents {_name}", {"run.conll": re.sub(_old, _new, CHAINS)}, 1, REFUSED, _words)
_DOCUMENTS = CHAINS.split("#begin")
_HALVED = [
    re.sub(r"\t[(|)\d]+$", "\t-", each, flags=re.MULTILINE) if k % 2 else each for k, each in enumerate(_DOCUMENTS)
]
_add("coreference", "half of the documents", {"run.conll": "#begin".join(_HALVED)}, 1, "partial", "22 of 44 documents")


_add("spacy", "tokens from 1", annotated(moved(1)), 1, "offsets", "are your tokens counted from 1?")
_add("spacy", "no entities in half", annotated(lambda record, k: {"ents": record["ents"][: k % 2 * 99]}), 1, "partial")
_add("spacy", "percentages", annotated(valued(lambda value: 100 * value)), 3, "range", "divide them by 100?")
_add("spacy", "logits", annotated(valued(lambda value: 9 * value - 4.5)), 3, "range", "another scale")
_add(
    "spacy",
    "labels in small letters",
    annotated(lambda record, _: {"ents": [[*each[:2], each[2].lower()] for each in record["ents"]]}),
    1,
    "case",
    "did you mean STOP?",
)
_add(
    "spacy",
    "labels of IOB",
    annotated(lambda record, _: {"ents": [[*each[:2], f"B-{each[2]}"] for each in record["ents"]]}),
    1,
    "labels",
    "did you mean STOP?",
)
_NAMED = annotated(lambda record, _: {"id": f"{record['id']}.json"})
_add("spacy", "ids with an ending", _NAMED, 1, REFUSED, "without '.json' all 76 fit")


for _name, _column, _change, _kind, _words in (
    ("spans from 1", 1, lambda text: re.sub(r"\d+", lambda found: str(int(found[0]) + 1), text), "offsets", "from 1"),
    ("Spanish labels", 2, lambda text: text.replace("Concept", "Concepto"), "labels", "did you mean Concept?"),
    ("labels of IOB", 2, "B-{}".format, "labels", "did you mean Concept?"),
    ("marks of SentencePiece", 3, "▁{}".format, "traces", "marks of subword units"),
    ("ends of sequences", 3, "{}</s>".format, "traces", "a model's control tokens"),
    ("quotes", 3, '"{}"'.format, "traces", "take the outer quotes out"),
    ("entities", 3, lambda text: text.replace("ó", "&oacute;"), "traces", "HTML entities"),
):
    _add("ehealthkd", _name, phrases(_column, _change), 2, _kind, _words)
_CUT = {
    path: "".join(text.splitlines(keepends=True)[:180]) if "output_a" in path else text
    for path, text in PHRASES.items()
}
_add("ehealthkd", "an end that is lost", _CUT, 2, "partial", "did the run break off")


_add(
    "mat",
    "short labels",
    segmented(of_types({"PERSON": "PER", "ORGANISATION": "ORG", "PLACE": "LOC"})),
    1,
    "labels",
    "PER (",
)
_add("mat", "labels in small letters", segmented(of_types({"PERSON": "person"})), 1, "case", "did you mean PERSON?")
_EMPTIED = segmented(lambda record, k: record | {"asets": record["asets"][: None if k % 2 else 1]})
_add("mat", "half of the documents", _EMPTIED, 1, "partial", "32 of 64 documents")
