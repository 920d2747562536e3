"""Pairs of emotions and their causes, as SemEval-2024 task 3 writes them: texts with signs between their parts.

A gold has `["3_surprise", "1_I am late ."]`, where the words of the cause stand in utterance 1, and a run
`["3_surprise", "1_2_5"]`, with the places of its first token and behind its last one; where causes are whole
utterances, both have `["3_surprise", "1"]`. A pair becomes an object, so that
the columns of a table lead into it: `emotion-cause_pairs[].emotion`, and likewise `emotion_utterance`,
`cause_utterance`, `start` and `end`.
"""

import json
import re
import string
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.readers.json_text import each_once
from scoring.readers.whole_json import as_json_lines

LIST = "emotion-cause_pairs"
_KEYS = ("emotion_utterance", "emotion", "cause_utterance", "start", "end")
_EMOTION = re.compile(r"U?(\d+)_(.+)", re.DOTALL)
_PLACES = re.compile(r"U?(\d+)_(\d+)_(\d+)")
_WORDS = re.compile(r"U?(\d+)(?:_(.*))?", re.DOTALL)
_NO_WORDS = string.punctuation + string.whitespace
_LONGEST = 10_000  # characters of an utterance in which words are looked for, as each pair of a run may name it


def with_objects(content: bytes, path: str) -> bytes:
    r"""Return the conversations as JSON Lines in which each pair is an object; what is no such pair stays.

    >>> with_objects(b'[{"emotion-cause_pairs": [["3_joy", "1_0_2"]]}]', "run.json")[25:]
    b'{"emotion_utterance": "3", "emotion": "joy", "cause_utterance": "1", "start": 0, "end": 2}]}'
    """
    is_whole = content.lstrip()[:1] == b"["
    lines = as_json_lines(content, path, "conversation_ID", "") if is_whole else content
    return b"\n".join(map(_with_objects, lines.split(b"\n")))


def _with_objects(line: bytes) -> bytes:
    try:
        value = json.loads(line, object_pairs_hook=each_once)  # what has a key twice stays, and is refused as a row
    except (ValueError, RecursionError):
        return line
    if not isinstance(value, dict) or not isinstance(value.get(LIST), list):
        return line
    texts = _texts_of(value)
    # One without any part says that the conversation has no pair.
    value[LIST] = [_as_object(pair, texts) for pair in value[LIST]] or [dict.fromkeys(_KEYS)]
    value.pop("conversation", None)
    return json.dumps(value, ensure_ascii=False).encode(errors="surrogatepass")


def _texts_of(conversation: Mapping[str, Any]) -> dict[str, str]:
    utterances = conversation.get("conversation")
    rows = [row for row in utterances if isinstance(row, dict)] if isinstance(utterances, list) else []
    return {str(row.get("utterance_ID")): str(row.get("text"))[:_LONGEST] for row in rows}


def _as_object(pair: Any, texts: Mapping[str, str]) -> Any:
    """Return the pair as an object; itself where it is none, which the reader of tables refuses."""
    are_texts = isinstance(pair, list) and len(pair) == 2 and all(isinstance(part, str) for part in pair)
    emotion = _EMOTION.fullmatch(pair[0]) if are_texts else None
    if emotion is None:
        return pair
    if places := _PLACES.fullmatch(pair[1]):
        cause: Sequence[Any] = (places[1], int(places[2]), int(places[3]))
    elif words := _WORDS.fullmatch(pair[1]):
        is_utterance = words[2] is None
        cause = (words[1], *((None, None) if is_utterance else _place_of(words[2], texts.get(words[1], ""))))
    else:
        return pair
    return dict(zip(_KEYS, (*emotion.groups(), *cause), strict=True))


def _place_of(words: str, utterance: str) -> tuple[int, int]:
    """Return where words stand first, in tokens; behind the utterance if nowhere, so that no run is right there."""
    cause, tokens = words.strip(_NO_WORDS).split(), utterance.split()
    before, there, _ = f" {' '.join(tokens)} ".partition(f" {' '.join(cause)} ")
    start = before.count(" ") if cause and there else len(tokens)
    return start, start + max(len(cause), 1)
