"""A small upload to look at, in the format and with the labels that an organiser has chosen."""

import json
import re

from scoring.family import Options
from scoring.readers.mat import read_task

_NAME = "report-1"
_ENDINGS = {"mat-json": ".json", "xml-inline": ".xml", "raw": ".txt", "brat": ".ann"}
_TEXT = "Mirelle left Gorloin."
_WORDS = ((0, 7), (8, 12), (13, 20), (20, 21))
_SPANS = (_WORDS[0], _WORDS[2])
_PLAIN_LABEL = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")


def example(options: Options) -> dict[str, bytes]:
    """One document with two spans of a label that counts."""
    content, token = _labels(options)
    format_ = options["system_format"]
    name = _NAME + (options["suffix_off"] or _ENDINGS[format_])
    if format_ == "mat-json":
        return {name: _json(content, token).encode()}
    if format_ == "xml-inline":
        return {name: _xml(content, token).encode()}
    if format_ == "raw":
        return {name: _TEXT.encode()}
    stem = name.removesuffix(".ann")
    return {f"{stem}.ann": _brat(content).encode(), f"{stem}.txt": _TEXT.encode()}


def _labels(options: Options) -> tuple[str, str]:
    """A label of content and one of tokens that every format can write."""
    content, tokens = options["content_annotations"] or (), options["token_annotations"] or ()
    if options["task_file"]:
        task = read_task(options["task_file"], options["task"])
        content, tokens = task.content or content, task.tokens or tokens
    plain = [next(filter(_PLAIN_LABEL.fullmatch, labels), None) for labels in (content, tokens)]
    return plain[0] or "PER", plain[1] or "lex"


def _json(content: str, token: str) -> str:
    sets = [{"type": token, "annots": _WORDS}, {"type": content, "annots": _SPANS}]
    metadata = {"content_annotations": [content]}
    return json.dumps({"version": 2, "metadata": metadata, "signal": _TEXT, "asets": sets})


def _xml(content: str, token: str) -> str:
    words = []
    for start, end in _WORDS:
        word = f"<{token}>{_TEXT[start:end]}</{token}>"
        words.append(f"<{content}>{word}</{content}>" if (start, end) in _SPANS else word)
    first, second, third, stop = words
    return f"<doc>{first} {second} {third}{stop}</doc>\n"


def _brat(content: str) -> str:
    lines = [f"T{n}\t{content} {start} {end}\t{_TEXT[start:end]}\n" for n, (start, end) in enumerate(_SPANS, start=1)]
    return "".join(lines)
