"""Good runs that one slip has spoilt, with what has to be said of each.

That is the kind of its oddity, or REFUSED, and words of the message, of the suggestion or of the hint beside it.
"""

import html
import json
import re
from collections.abc import Callable

from tests.scoring.describing.shapes import (
    ANNOTATED,
    ANSWERED,
    CHAINS,
    LABELS,
    MARKS,
    NUMBERS,
    PHRASES,
    RANKED,
    REFUSED,
    SEGMENTED,
    SPOKEN,
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


def _as_trees_alone():
    """Return what a run says of words, without the words."""
    kept = ("id", "tags", "heads", "deps")
    records = map(json.loads, ANNOTATED)
    return {"run.jsonl": json_lines({key: record[key] for key in kept if key in record} for record in records)}


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
    ("in JSON", '{{"intent": "{}"}}', "the label stands in an object"),
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
    ("blanks between labels", lambda text: text.replace(";", " "), "several labels stand with ';' between them"),
    ("commas between labels", lambda text: text.replace(";", ", "), "several labels stand with ';' between them"),
    ("a word for none", lambda text: text or "none", "leave the field empty"),
):
    _rows = [[name, _change(subjects)] for name, subjects in SUBJECTS]
    _add("labels", _name, table(_rows, ("id", "subjects")), 2, REFUSED, _words)
_WHOLE = table(LABELS, ("id", "intent"))
_add("labels", "code fence", f"```csv\n{_WHOLE}```\n", 1, REFUSED, "is a code fence")
_add("labels", "courtesies", f"Sure, here are the labels:\n{_WHOLE}", 1, REFUSED, "what a chatbot says")
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
    ("courtesies", "Sure, here is the text you asked for: {}".format, "what a chatbot says around its answer"),
    ("an announcement", "The answer is: {}".format, "what a chatbot says around its answer"),
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
    ("a refusal", lambda text: "I'm sorry, but I can't help with that.", "a chatbot's refusal"),
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
_add("qac", "half unanswered", {"run.txt": "\n".join(_HALF_ANSWERED)}, 1, "partial", "of 80 questions are empty")
_add("qac", "half left out", {"run.txt": "\n".join(ANSWERED[::2])}, 1, "partial", "of 80 questions are empty")
_add("qac", "ids in small letters", {"run.txt": "\n".join(ANSWERED).replace("SAR2-", "sar2-")}, 1, "ids", "capitals")
_add("qac", "ids without zeros", {"run.txt": "\n".join(ANSWERED).replace("-0", "-")}, 1, "ids", "zeros put back")

_add("text", "half empty", texts(lambda text: text if len(text) % 2 else ""), 1, "partial", "of 120 segments are empty")
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
_WITHOUT_WORDS = {"words": None, "spaces": None}
_add(
    "spacy", "tokens without words", annotated(lambda record, _: _WITHOUT_WORDS), 1, "offsets", "do they count tokens?"
)
_add("spacy", "trees without words", _as_trees_alone(), 2, "unread", "tags, heads and deps stand in documents without")
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
_CROSSED = {
    path: re.sub(r"^(\S+\t\d+\t)\d+$", r"\g<1>1", text, flags=re.MULTILINE) if "output_b" in path else text
    for path, text in PHRASES.items()
}
_add("ehealthkd", "relations between sentences", _CROSSED, 1, "unread", "relations join two sentences")
_TEN = {"run.txt": "".join(line + ', "?", 0' * 9 + "\n" for line in ANSWERED)}
_add("qac", "ten answers", _TEN, 1, "unread", "behind rank 5")
_add("mat", "half of the documents", _EMPTIED, 1, "partial", "32 of 64 documents")


def _of_kind(task, name, files, words, scenario=1):
    _add(task, name, files, scenario, REFUSED, words)


_of_kind("labels", "a web page", "<!doctype html><html><body>404</body></html>", "is a web page; this task wants files")
for _name, _content, _words in (
    ("an address", "https://drive.example/file/d/1\n", "an address of the web"),
    ("an answer of a server", "404: Not Found", "what a server answers"),
    ("a patch", "--- a/run.csv\n+++ b/run.csv\n@@ -1 +1 @@\n+id,intent\n", "the differences of two files"),
    ("lines of pairs", "".join(f"{name}: {label}\n" for name, label in LABELS), "lines of an id and a value"),
    ("blanks for commas", "id intent\n" + table(LABELS, sign=" "), "lines of an id and a value"),
    ("typographic quotes", "“id”,“intent”\n" + "".join(f"“{a}”,“{b}”\n" for a, b in LABELS), "quotation marks than"),
    ("no line ends", table(LABELS, ("id", "intent")).replace("\n", "\\n"), "a table on a single line"),
    ("a sound", "RIFF\x00\x00WAVEfmt", "a sound recording"),
):
    _of_kind("labels", _name, _content, _words)
for _name, _value, _words in (
    (
        "columns",
        {"id": [name for name, _ in LABELS], "intent": [label for _, label in LABELS]},
        "JSON column by column",
    ),
    (
        "a wrapper",
        {"predictions": [{"id": name, "intent": label} for name, label in LABELS]},
        "rows inside of an object",
    ),
):
    _of_kind("labels", f"JSON of {_name}", {"run.json": json.dumps(_value)}, _words)
_UNQUOTED = "id,intent,text\n" + "".join(f"{name},{label},well, well\n" for name, label in LABELS)
_of_kind("labels", "a dictionary", {"run.txt": str(dict(map(tuple, LABELS)))}, "expected 260 lines, found 1")
_OTHERS = table([[name, "other"] for name, _ in LABELS], ("id", "intent"))
_of_kind("labels", "a label that looks like another", _OTHERS, "unknown label 'other'; the labels are 'ask'")
_GERUNDS = table([[name, f"{label}ing"] for name, label in LABELS], ("id", "intent"))
_of_kind("labels", "gerunds", _GERUNDS, "did you mean '")
_of_kind("labels", "commas in a text", _UNQUOTED, "that contains commas in double quotes")
for _name, _write, _words in (
    ("a tensor", "tensor({})", "write 2.50 alone"),
    ("per cent", "{}%", "write 2.50 alone"),
    ("of five", "{} of 5", "write one number alone"),
    ("dates", "0{:.1}.Jan", "it looks like a date"),
):
    _of_kind(
        "numbers", _name, table([[name, _write.format(value)] for name, value in NUMBERS], ("id", "value")), _words
    )
_of_kind("ranking", "typographic minus", ranked(lambda row: [*row[:4], f"−{row[4]}", row[5]]), "it only looks like -")
_ORDERS = {"run.txt": "".join(f"{query}: [2] > [1] > [3]\n" for query in dict.fromkeys(row[0] for row in RANKED))}
_of_kind("ranking", "orders", _ORDERS, "orders such as [2] > [1]")
for _name, _line, _words in (
    ("fairseq", "S-{0}\t{1}\nH-{0}\t-0.5\t{1}\n", "fairseq"),
    ("Moses", "{0} ||| {1}\n" * 2, "Moses"),
):
    _lines = "".join(_line.format(k, record["text"]) for k, record in enumerate(TEXTS))
    _of_kind("text", _name, {"run.txt": _lines}, _words)
_of_kind("labels", "a notebook", '{"cells": [], "nbformat": 4}', "is a notebook of Jupyter")
_of_kind("labels", "a pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "a pointer of Git LFS")
_of_kind(
    "labels", "quoted lines", "".join(f'"{",".join(row)}"\n' for row in [["id", "intent"], *LABELS]), "whole lines"
)
_WORDS = "".join(f"a 1 {second}.0 0.5 word\n" for second in range(300))
_of_kind("transcripts", "CTM", {"run.txt": _WORDS}, "is CTM, a word a line with times")
_UTTERED = "".join(f"a 1 anna {second}.0 {second}.5 <o> some words\n" for second in range(300))
_of_kind("transcripts", "STM", {"run.txt": _UTTERED}, "is STM, utterances with times")
_SUBTITLES = "1\n00:00:01,000 --> 00:00:02,000\nhello\n\n" * 20
_of_kind("transcripts", "SRT", {"run.txt": _SUBTITLES}, "is SRT, subtitles with times")
_of_kind("transcripts", "WebVTT", {"run.vtt": f"WEBVTT\n\n{_SUBTITLES}"}, "is WebVTT, subtitles with times")
_JUDGED = "".join(f"q{number} 0 d{number} 1\n" for number in range(30))
_of_kind("transcripts", "TextGrid", {"run.TextGrid": 'File type = "ooTextFile"\n'}, "is a TextGrid of Praat")
_WHISPERED = json.dumps({"text": "hello", "segments": [{"id": 0, "start": 0.0, "text": "hello"}]})
_of_kind("transcripts", "Whisper", {"run.json": _WHISPERED}, "is what Whisper writes")
_COREFUD = (
    "# newdoc id = report-001\n# global.Entity = eid-etype-head-other\n1\tAnna\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1)\n"
)
_of_kind("coreference", "CorefUD", {"run.conllu": _COREFUD}, "is CorefUD; this task wants files")
_of_kind("coreference", "clusters", {"run.json": '{"type": "clusters", "clusters": {"a": ["x", "y"]}}'}, "is JSON")
_of_kind("mat", "TEI", {"bulletin-001.xml": '<?xml version="1.0"?><TEI xmlns="x"/>'}, "is TEI, texts in XML")
_of_kind("spacy", "JSON of MAT", {"run.json": next(iter(SEGMENTED.values()))}, "is MAT's JSON")
_of_kind("qac", "answers of SQuAD", {"run.json": '{"SAR2-1001-01": "a man"}'}, "begins with QAC1-1001-02")
_of_kind("labels", "LaTeX", "\\begin{tabular}{ll}\nid & intent\n", "is LaTeX")
_of_kind("labels", "an error", "Traceback (most recent call last):\n  File x\n", "is the error message of a program")
_PRINTED = "      id  intent\n" + "".join(f"{k}   {name}  {label}\n" for k, (name, label) in enumerate(LABELS))
_of_kind("labels", "print of pandas", _PRINTED, "is a table as pandas prints it")
_of_kind("text", "RTF", {"run.txt": "{\\rtf1 hello}"}, "is RTF")
_of_kind("ranking", "qrels", {"qrels.txt": _JUDGED}, "is qrels, judgements of documents")
_of_kind("mat", "brat", {"bulletin-001.ann": "T1\tPERSON 0 4\tAnna\nT2\tPERSON 5 9\tAnna\n"}, "is brat's format")
_of_kind("mat", "XMI", {"bulletin-001.xmi": '<?xml version="1.0"?><xmi:XMI a="b">'}, "is XMI, annotations in XML")
_of_kind("spacy", "CoNLL", {"run.jsonl": "Ana B-PER\nsings O\n. O\n\n" * 10}, "is CoNLL's columns")
_DATA = '{"version": "1.1", "data": [{"title": "a", "paragraphs": []}]}'
_of_kind("qac", "SQuAD", {"run.txt": _DATA}, "is a data set of SQuAD")
_ROWS = "".join(f'{record["id"]},"{record["text"]}"\n' for record in TEXTS)
_of_kind(
    "text", "CSV", f"id,text\n{_ROWS}", "save it with tabs between the columns, as .tsv, under the heading id⇥text"
)
_of_kind(
    "text", "CSV without heading", _ROWS, "save it with tabs between the columns, as .tsv, under the heading id⇥text"
)
_HEARD = "id,text\n" + "".join(f'{name},"{text}"\n' for name, text in SPOKEN)
_of_kind("transcripts", "CSV", _HEARD, "save it with tabs between the columns, as .tsv, under the heading id⇥text")
_of_kind("numbers", "number first", table([row[::-1] for row in NUMBERS]), "write 'value,id' above it")
_TABBED = table(NUMBERS, sign="\t")
_of_kind("numbers", "tabs without heading", {"run.tsv": _TABBED}, "write id⇥value above it, where ⇥ is a tab")
_EXCHANGED = annotated(lambda record, _: {"ents": [[end, start, label] for start, end, label in record["ents"]]})
_of_kind("spacy", "exchanged ends", _EXCHANGED, "ends before it begins: exchange start and end")
_PER_CENT = annotated(valued(lambda value: 100 * round(value)))
_add("spacy", "rounded per cent", _PER_CENT, 3, "range", "divide")
_ORDER = sorted(range(len(NUMBERS)), key=lambda place: float(NUMBERS[place][1]))
_RANKS = table([[NUMBERS[place][0], rank] for rank, place in enumerate(_ORDER, 1)], ("id", "value"))
_add("numbers", "ranks", _RANKS, 2, "range", "are these ranks?")

_EVERY = ";".join(["waste", "traffic", "water", "pool", "library", "permits", "parks", "lighting"])
_ALL = table([[name, _EVERY] for name, _ in SUBJECTS], ("id", "subjects"))
_add("labels", "all subjects of all", _ALL, 2, "constant", "have the very same labels")
_STANDARD = table([[name, round(float(value) - 2.5, 2)] for name, value in NUMBERS], ("id", "value"))
_add("numbers", "standard scores", _STANDARD, 2, "range", "bring them to the task's scale")
_LOST = [[name, float(value) * 100 if k % 5 == 0 else value] for k, (name, value) in enumerate(NUMBERS)]
_add("numbers", "some lost points", table(_LOST, ("id", "value")), 1, "range", "was a point or a blank lost?")
_ALL_LOST = table([[name, float(value) * 100] for name, value in NUMBERS], ("id", "value"))
_add("numbers", "all lost points", _ALL_LOST, 1, "range", "divide them by 100?")
_NONE = [[name, -1 if k % 9 == 0 else value] for k, (name, value) in enumerate(NUMBERS)]
_add("numbers", "-1 for none", table(_NONE, ("id", "value")), 1, "range", "does it stand for missing ones?")
_BROKEN = [[name, 0 if k > 150 else value] for k, (name, value) in enumerate(NUMBERS)]
_add(
    "numbers", "the last ones 0", table(_BROKEN, ("id", "value")), 1, "partial", "The last 89 of 240 numbers are all 0"
)
_FAR = table([[name, 31_000_000 if k == 7 else value] for k, (name, value) in enumerate(NUMBERS)], ("id", "value"))
_add("numbers", "one far away", _FAR, 1, "range", "far beyond the task's scale")
for _name, _change, _words in (
    ("elements", "<simple>{}</simple>".format, "tags of XML around them"),
    ("cut at forty", lambda text: text[:40], "were they cut?"),
    ("capitals", str.upper, "nothing but capitals"),
    ("twice", "{0} {0}".format, "all of it twice"),
    ("many times", lambda text: " ".join([text] * 9), "words that are repeated many times"),
    ("small letters", str.lower, "no capitals"),
    ("titles", lambda text: " ".join(word.capitalize() for word in text.split()), "at the beginning of each word"),
    ("underscores", lambda text: text.replace(" ", "_"), "no blank between their words"),
    ("bullets", "- {}".format, "a number or a bullet"),
    ("two joined by a bar", "{0} | {0}".format, "all of it twice"),
    ("a mark of the end", "{} <EOS>".format, "a model's control tokens"),
    ("another turn", "{}\n\nHuman: Thanks".format, "a model's control tokens"),
    ("a column before", "x\t{}".format, "tabs in them"),
    ("a role", "assistant\n\n{}".format, "a model's control tokens"),
    ("cut at eight words", lambda text: " ".join(text.split()[:8]), "exactly 8 words, and none has more"),
):
    _add("text", _name, texts(_change), 1, "traces", _words)
_IDS_FIRST = {"run.txt": "".join(f"{record['id']} {record['text']}\n" for record in TEXTS)}
_add("text", "ids before lines", _IDS_FIRST, 1, "ids", "begin with the id of a segment")
_REFERENCES = json_lines({"id": record["id"], "refs": [record["text"]]} for record in TEXTS)
_of_kind("text", "references", {"run.jsonl": _REFERENCES}, "no key 'text'; the object has 'id', 'refs'")
_NAMES = table([[f"wav/{name}.wav", text] for name, text in SPOKEN], ("path", "transcript"))
_of_kind("transcripts", "names of files", _NAMES, "CSV is not read here: tables have tabs")
_add("transcripts", "voices of WebVTT", spoken("<v Anneke>{}".format), 1, "traces", "times or speakers")
_THANKS = spoken(lambda text: "Thank you very much")
_add("transcripts", "thanks alone", _THANKS, 1, "constant", "the very same words: Thank you very much")
_TURNS = [each | {"text": TEXTS[k % 2]["text"]} for k, each in enumerate(TEXTS)]
_add("text", "two in turn", texts(str, _TURNS), 1, "constant", "different ones, over and over")
for _name, _change, _words in (
    ("names", lambda text: f"{'ANNEKE' if len(text) % 2 else 'GORAN'}: {text}", "as of a speaker"),
    ("bars", "|".join, "bars between their letters"),
    ("thanks at the end", "{} thank you for watching thank you for watching".format, "make up in silence"),
):
    _add("transcripts", _name, spoken(_change), 1, "traces", _words)
_ONE_OF_EIGHT = annotated(lambda record, _: {"cats": dict([*record["cats"].items()][:1])})
_add("spacy", "one category", _ONE_OF_EIGHT, 3, "labels", "have a value in no document")
_add("qac", "capitals", answers(str.upper), 1, "traces", "nothing but capitals")
_FIVE = {
    "run.txt": "".join(re.sub(r'^(\S+) ("[^"]*", \S+?),.*', r"\1 \2, \2, \2, \2, \2", line) + "\n" for line in ANSWERED)
}
_add("qac", "five times", _FIVE, 1, "duplicates", "repeat an earlier one")
_SORTED = [[name, label] for (name, _), label in zip(LABELS, sorted(label for _, label in LABELS), strict=True)]
_add("labels", "one column sorted", table(_SORTED, ("id", "intent")), 1, "order", "All 260 labels are sorted")
_QUERIES = dict.fromkeys(row[0] for row in RANKED)
_SAME = "".join(f"{query} Q0 SE{k:04} {k} {50 - k}.25 x\n" for query in _QUERIES for k in range(1, 50))
_add("ranking", "the same for all", {"run.txt": _SAME}, 1, "duplicates", "the very same documents in the same order")
_add("ranking", "the best alone", ranked(lambda row: row if row[3] == "1" else None), 1, "partial", "a single document")
_ROUNDED = ranked(lambda row: [*row[:4], f"{1 - int(row[3]) / 60:.1f}", row[5]])
_add("ranking", "scores of one decimal", _ROUNDED, 1, "constant", "with all their decimals")
_TWO = ranked(lambda row: [*row[:4], str(int(row[3]) < 9), row[5]])
_TWO = {path: text.replace("True", "1").replace("False", "0") for path, text in _TWO.items()}
_add("ranking", "two scores", _TWO, 1, "constant", "with all their decimals")
_add(
    "ranking",
    "scores and ranks exchanged",
    ranked(lambda row: [*row[:3], row[4], row[3], row[5]]),
    1,
    "order",
    "ranks?",
)
_BY_NAME = {query: sorted(row[2] for row in RANKED if row[0] == query) for query in _QUERIES}
_SORTED = "".join(f"{q} Q0 {name} {k} {99 - k} x\n" for q, names in _BY_NAME.items() for k, name in enumerate(names, 1))
_add("ranking", "in the order of names", {"run.txt": _SORTED}, 1, "order", "in the order of their names")
_MOVED = {}
for _path, _next in zip(SEGMENTED, [*list(SEGMENTED)[1:], next(iter(SEGMENTED))], strict=True):
    _record, _other = json.loads(SEGMENTED[_path]), json.loads(SEGMENTED[_next])
    _asets = [
        one | {"annots": [span for span in one["annots"] if span[1] <= len(_record["signal"])]}
        for one in _other["asets"]
        if one["type"] != "lex"
    ]
    _MOVED[_path] = json.dumps(_record | {"asets": _asets})
_add("mat", "spans of the next document", _MOVED, 1, "offsets", "the spans of other documents")
for _name, _change, _words in (
    ("ends first", lambda span: [span[1], span[0], *span[2:]], "exchange start and end"),
    ("lengths for ends", lambda span: [span[0], span[1] - span[0], *span[2:]], "is the second number a length?"),
):
    _of_kind(
        "mat",
        _name,
        segmented(
            lambda record, _, change=_change: (
                record
                | {
                    "asets": [
                        one if one["type"] == "lex" else one | {"annots": [change(span) for span in one["annots"]]}
                        for one in record["asets"]
                    ]
                }
            )
        ),
        _words,
    )
_PLACES_OF_ALL = segmented(
    lambda record, _: record | {"asets": [{"type": "PERSON", "attrs": [], "annots": [[0, len(record["signal"])]]}]}
)
_add("mat", "whole documents", _PLACES_OF_ALL, 1, "offsets", "are whole texts")
_TURNED = phrases(1, lambda spans: ";".join(" ".join(span.split()[::-1]) for span in spans.split(";")))
_add("ehealthkd", "ends first", _TURNED, 2, "offsets", "write the start before the end")
_PRINTED_MINUS = table([[name, f"−{value}"] for name, value in NUMBERS], ("id", "value"))
_of_kind("numbers", "minus of print below a heading", _PRINTED_MINUS, "it only looks like -")
_TITLED = ranked(lambda row: [*row[:2], f"Lake of {row[2]}", *row[3:]])
_of_kind("ranking", "titles", _TITLED, "names of documents have no blanks")
_of_kind("labels", "a separator of Excel", "sep=;\n" + table(LABELS, ("id", "intent"), ";"), "take it out")
_NAMED_ARTICLES = {"run.txt": "".join(re.sub(r'"[^"]*", (\w+)', r'"\1", \1', line) + "\n" for line in ANSWERED)}
_add("qac", "articles", _NAMED_ARTICLES, 1, "traces", "write the answers that the articles give")
