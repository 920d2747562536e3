"""What spaCy's Doc.to_json() gives: a text, and tokens and spans by their characters."""

from typing import Any

from scoring.readers.spacy.documents.checking import Row, is_integer, overlaps, span_rows
from scoring.readers.spacy.documents.chunks import Document
from scoring.readers.spacy.json_lines.offsets import Placed, Places


def is_to_json(raw: Document) -> bool:
    """Told by the start of the first token; no tokens are an empty document."""
    tokens = raw.get("tokens")
    if not isinstance(tokens, list):
        return False
    return not tokens or (isinstance(tokens[0], dict) and "start" in tokens[0])


def from_to_json(raw: Document) -> tuple[Placed, list[str]]:
    """The document with the usual keys; spans have to begin and end where tokens do."""
    text, tokens = raw.get("text", ""), raw["tokens"]
    if not isinstance(text, str):
        return Placed({}), ['"text" must be a string']
    problems = _token_problems(tokens, len(text))
    if problems:
        return Placed({}), problems
    document: Document = {"id": raw["id"], "text": text, **_words(tokens, text), **_attributes(tokens)}
    places = Places([(token["start"], token["end"]) for token in tokens])
    if raw.get("sents") is not None:
        document["sent_starts"], problems = _sent_starts(raw["sents"], places)
    if raw.get("ents") is not None:
        document["ents"], found = _spans(raw["ents"], '"ents"', places)
        problems += found
    if raw.get("spans") is not None:
        document["spans"], found = _groups(raw["spans"], places)
        problems += found
    if raw.get("cats") is not None:
        document["cats"] = raw["cats"]
    return Placed(document), problems


_LISTS = {"tag": "tags", "pos": "pos", "lemma": "lemmas", "morph": "morphs", "dep": "deps"}


def _token_problems(tokens: list[Any], length: int) -> list[str]:
    end = 0
    for i, token in enumerate(tokens):
        if not isinstance(token, dict) or not (is_integer(token.get("start")) and is_integer(token.get("end"))):
            return [f'token {i} has no "start" and "end"']
        if not end <= token["start"] < token["end"] <= length:
            return [f"token {i}: characters {token['start']}..{token['end']} do not follow in the text"]
        end = token["end"]
    return []


def _words(tokens: list[dict[str, Any]], text: str) -> Document:
    following = [*(token["start"] for token in tokens[1:]), len(text)][: len(tokens)]
    return {
        "words": [text[token["start"] : token["end"]] for token in tokens],
        "spaces": [
            text[token["end"] : token["end"] + 1] == " " and token["end"] + 1 == after
            for token, after in zip(tokens, following, strict=True)
        ],
    }


def _attributes(tokens: list[dict[str, Any]]) -> Document:
    found: Document = {
        name: [token.get(key) for token in tokens]
        for key, name in _LISTS.items()
        if any(key in token for token in tokens)
    }
    if "deps" in found:
        found["deps"] = ["" if label is None else label for label in found["deps"]]
    if any("head" in token for token in tokens):
        found["heads"] = [token.get("head", i) for i, token in enumerate(tokens)]
    return found


def _sent_starts(value: Any, places: Places) -> tuple[list[int], list[str]]:
    starts = [-1] * len(places)
    if not isinstance(value, list) or not all(isinstance(s, dict) and is_integer(s.get("start")) for s in value):
        return starts, ['"sents" must be a list of objects with "start" and "end"']
    problems = []
    for sentence in value:
        token = places.starts.get(sentence["start"])
        if token is None:
            problems.append(f"sentence at {sentence['start']} does not begin where a token does")
        else:
            starts[token] = 1
    return starts, problems


def _spans(value: Any, name: str, places: Places) -> tuple[list[Row], list[str]]:
    rows, problems = span_rows(value, name)
    if name == '"ents"':
        problems += overlaps(rows)
    on, off = places.divided(rows)
    return on, problems + [f"span {row[0]}..{row[1]} does not begin and end where tokens do" for row in off]


def _groups(value: Any, places: Places) -> tuple[dict[str, list[Row]], list[str]]:
    if not isinstance(value, dict):
        return {}, ['"spans" must be an object of keys and lists of spans']
    groups, problems = {}, []
    for key, spans in value.items():
        groups[key], found = _spans(spans, f'"spans", group {key!r},', places)
        problems += found
    return groups, problems
