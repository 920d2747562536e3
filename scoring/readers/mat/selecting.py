"""Tells what counts of the annotations as read becomes spans and tokens, and every offset is checked."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.columns import Flags, Integers
from scoring.findings import Finding
from scoring.readers.mat.checks import Texts, label_problems, offset_errors, offset_problems, overlap_problems
from scoring.readers.mat.collecting import Collected, StatedWords
from scoring.readers.mat.columns import Spans, Tokens
from scoring.readers.mat.offsets import Utf16, is_longer_in_utf16
from scoring.readers.mat.types import Types


@dataclass(frozen=True)
class Selected:
    """The annotations of one side that count. Where there are problems, the spans hold what has them, too."""

    spans: Spans
    labels: list[str]  # labels that a span bears, behind those that were known
    tokens: Tokens  # empty if no tokens were asked for
    ignored: dict[str, int]  # {type: number of annotations} of types that do not count
    said: dict[int, StatedWords]  # of those spans whose words are not what stands between their offsets
    problems: list[Finding]


def select(
    collected: Collected,
    types: Types,
    texts: Texts,
    *,
    in_utf16: bool,
    with_tokens: bool,
    known_labels: Sequence[str] = (),
) -> Selected:
    """Return what counts of the annotations; labels begin with those known, new ones follow in code-point order."""
    is_content, is_token = _of_types(collected, types)
    is_ignored = ~is_content & ~is_token
    if not with_tokens:
        is_token = np.zeros_like(is_token)
    start, end = _in_code_points(collected, texts) if in_utf16 else (collected.start, collected.end)
    errors = offset_errors(collected, start, end, texts.lengths)
    problems = offset_problems(collected, errors, is_content | is_token, texts)
    labels, code = _labels(collected, is_content, known_labels)
    spans = Spans(
        document=collected.document[is_content],
        label=code,
        start=start[is_content],
        end=end[is_content],
        shape=collected.shape[is_content],
        probability=None if collected.probability is None else collected.probability[is_content],
        values=None if collected.values is None else collected.values[is_content],
    )
    # Tokens with a wrong offset are reported already; among the others overlaps would be reported for nothing.
    is_token &= ~(errors.empty | errors.outside)
    tokens = _sorted(Tokens(collected.document[is_token], start[is_token], end[is_token]))
    problems += overlap_problems(tokens, texts) + label_problems(labels, spans.document, spans.label, texts)
    place = np.cumsum(is_content) - 1
    words_at = {int(place[k]): words for k, words in collected.said.items() if is_content[k]}
    return Selected(spans, labels, tokens, _numbers(collected, is_ignored), words_at, problems)


def _numbers(collected: Collected, chosen: Flags) -> dict[str, int]:
    """Return {type: number of the chosen annotations (n,)}, of those that have any."""
    numbers = np.bincount(collected.type[chosen], minlength=len(collected.types)).tolist()
    return {name: number for name, number in zip(collected.types, numbers, strict=True) if number}


def _of_types(collected: Collected, types: Types) -> tuple[Flags, Flags]:
    """Return for each annotation (n,) whether its type is content, and whether it is a token's; both are possible."""
    content = np.array([types.is_content(name) for name in collected.types], dtype=np.bool_)
    token = np.array([types.is_token(name) for name in collected.types], dtype=np.bool_)
    return content[collected.type], token[collected.type]


def _in_code_points(collected: Collected, texts: Texts) -> tuple[Integers, Integers]:
    """Start and end (n,) of each annotation; only documents with characters of two code units change."""
    start, end = collected.start.copy(), collected.end.copy()
    # Annotations were read document by document, so those of a document are neighbours.
    first = np.searchsorted(collected.document, np.arange(len(texts.names) + 1)).tolist()
    for number, text in enumerate(texts.signals):
        if text is not None and is_longer_in_utf16(text):
            of_document = slice(first[number], first[number + 1])
            units = Utf16(text)
            start[of_document], end[of_document] = (
                units.to_code_points(start[of_document]),
                units.to_code_points(end[of_document]),
            )
    return start, end


def _labels(collected: Collected, is_content: Flags, declared: Sequence[str]) -> tuple[list[str], Integers]:
    """Return the labels of the n content annotations, and the index of each one's label among them: (n,)."""
    # The label codes of the collector, which also counts labels of tokens and of what is ignored.
    old = collected.label[is_content]
    used = np.flatnonzero(np.bincount(old, minlength=len(collected.labels))).tolist()
    labels = [*declared, *sorted({collected.labels[code] for code in used}.difference(declared))]
    codes = {label: code for code, label in enumerate(labels)}
    new = np.array([codes.get(label, -1) for label in collected.labels], dtype=np.int64)
    return labels, new[old]


def _sorted(tokens: Tokens) -> Tokens:
    """Sort by document, then start; most files are written in this order, and sorting takes longer than looking."""
    if np.all((np.diff(tokens.document) > 0) | (np.diff(tokens.start) >= 0)):
        return tokens
    order = np.lexsort((tokens.end, tokens.start, tokens.document))
    return Tokens(tokens.document[order], tokens.start[order], tokens.end[order])
