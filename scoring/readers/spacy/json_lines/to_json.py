"""Tells what spaCy's Doc.to_json() gives: a text, and tokens and spans by their characters.

    {"id": "d1", "text": "Ann runs.", "ents": [{"start": 0, "end": 3, "label": "PER"}],
     "tokens": [{"id": 0, "start": 0, "end": 3, "tag": "NNP", "head": 1, "dep": "nsubj"}, …]}

The "id" is what a user has to add, because documents are paired by it. Keys that are not known are passed over here:
spaCy writes more of them from version to version.
"""

from typing import Any

from scoring.messages import Message
from scoring.readers.json_text import refuse_other_letters
from scoring.readers.spacy.documents import Document
from scoring.readers.spacy.documents.careful import Row, is_integer, overlaps, span_rows
from scoring.readers.spacy.json_lines.offsets import OnTokens, TokenBoundaries

NO_TOKENS = Message("tokens-must-be-objects", '"tokens" must be a list of objects with "start" and "end"')


def is_to_json(raw: Document) -> bool:
    """Tell whether the first of its "tokens" has a "start"; an empty list is an empty document of this shape."""
    tokens = raw.get("tokens")
    if not isinstance(tokens, list):
        return False
    return not tokens or (isinstance(tokens[0], dict) and "start" in tokens[0])


def from_to_json(raw: Document) -> tuple[OnTokens, list[str]]:
    """Return the document with the keys of the format, and problems.

    Spans have to begin and end where its own tokens do.
    """
    text, tokens = raw.get("text", ""), raw["tokens"]
    if not isinstance(text, str):
        return OnTokens({}), [Message("text-must-string", '"text" must be a string')]
    problems = _token_problems(tokens, len(text))
    if respelt := refuse_other_letters(raw, "ents", "sents", "spans", "cats"):
        problems.append(respelt)
    if problems:
        return OnTokens({}), problems
    document: Document = {"id": raw["id"], "text": text, **_words(tokens, text), **_attributes(tokens)}
    boundaries = TokenBoundaries([(token["start"], token["end"]) for token in tokens])
    if raw.get("sents") is not None:
        document["sent_starts"], problems = _sent_starts(raw["sents"], boundaries)
    if raw.get("ents") is not None:
        document["ents"], more = _spans(raw["ents"], '"ents"', boundaries)
        problems += more
    if raw.get("spans") is not None:
        document["spans"], more = _groups(raw["spans"], boundaries)
        problems += more
    if raw.get("cats") is not None:
        document["cats"] = raw["cats"]
    return OnTokens(document), problems


# The key of a token, and that of the list of all tokens' values.
_LISTS = {"tag": "tags", "pos": "pos", "lemma": "lemmas", "morph": "morphs", "dep": "deps"}
_OF_TOKENS = frozenset(_LISTS) | {"head"}


def _token_problems(tokens: list[Any], length: int) -> list[str]:
    """Return the first problem of tokens, which follow each other in the text, each of at least one character."""
    others = set().union(*(token for token in tokens if isinstance(token, dict))) - _OF_TOKENS
    if respelt := refuse_other_letters(dict.fromkeys(sorted(others)), *_OF_TOKENS):
        return [respelt]
    end = 0
    for i, token in enumerate(tokens):
        if not isinstance(token, dict) or not (is_integer(token.get("start")) and is_integer(token.get("end"))):
            return [Message("token-no-start-end", 'token {i} has no "start" and "end"', i=i)]
        if not end <= token["start"] < token["end"] <= length:
            return [
                Message(
                    "token-characters-do-not",
                    "token {i}: characters {token}..{token_2} do not follow in the text",
                    i=i,
                    token=token["start"],
                    token_2=token["end"],
                )
            ]
        end = token["end"]
    return []


def _words(tokens: list[dict[str, Any]], text: str) -> Document:
    """Return the words, and whether a blank follows each.

    None follows where the next token, or the end, comes at once.
    """
    following = [*(token["start"] for token in tokens[1:]), len(text)][: len(tokens)]
    return {
        "words": [text[token["start"] : token["end"]] for token in tokens],
        "spaces": [
            text[token["end"] : token["end"] + 1] == " " and token["end"] + 1 == after
            for token, after in zip(tokens, following, strict=True)
        ],
    }


def _attributes(tokens: list[dict[str, Any]]) -> Document:
    """Return the lists of values that any token has; the others have none of them."""
    lists: Document = {
        name: [token.get(key) for token in tokens]
        for key, name in _LISTS.items()
        if any(key in token for token in tokens)
    }
    if "deps" in lists:
        # A label may not be null.
        lists["deps"] = ["" if label is None else label for label in lists["deps"]]
    if any("head" in token for token in tokens):
        lists["heads"] = [token.get("head", i) for i, token in enumerate(tokens)]
    return lists


def _sent_starts(value: Any, boundaries: TokenBoundaries) -> tuple[list[int], list[str]]:
    """Return 1 where a sentence begins and -1 elsewhere, from the characters of sentences."""
    starts = [-1] * len(boundaries)
    if not isinstance(value, list) or not all(isinstance(s, dict) and is_integer(s.get("start")) for s in value):
        return starts, [Message("sents-must-list-objects", '"sents" must be a list of objects with "start" and "end"')]
    problems: list[str] = []
    for sentence in value:
        token = boundaries.starts.get(sentence["start"])
        if token is None:
            problems.append(
                Message(
                    "sentence-does-not-begin",
                    "sentence at {sentence} does not begin where a token does",
                    sentence=sentence["start"],
                )
            )
        else:
            starts[token] = 1
    return starts, problems


def _spans(value: Any, name: str, boundaries: TokenBoundaries) -> tuple[list[Row], list[str]]:
    rows, problems = span_rows(value, name)
    if name == '"ents"':
        problems += overlaps(rows)
    on, off = boundaries.divided(rows)
    return on, problems + [
        Message(
            "span-does-not-begin",
            "span {row}..{row_2} does not begin and end where tokens do",
            row=row[0],
            row_2=row[1],
        )
        for row in off
    ]


def _groups(value: Any, boundaries: TokenBoundaries) -> tuple[dict[str, list[Row]], list[str]]:
    if not isinstance(value, dict):
        return {}, [Message("spans-must-object-keys", '"spans" must be an object of keys and lists of spans')]
    groups, problems = {}, []
    for key, spans in value.items():
        groups[key], more = _spans(spans, Message("spans-group", '"spans", group {key!r},', key=key), boundaries)
        problems += more
    return groups, problems
