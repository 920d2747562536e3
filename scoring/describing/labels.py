"""Labels that the task does not have, and which of its labels they may be."""

import unicodedata
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

import numpy as np

from scoring.describing.contents import Contents, Layer
from scoring.describing.wording import shown
from scoring.findings import Finding
from scoring.messages import Message
from scoring.spelling.alphabets import strange_letter

# An inventory that is told by the gold's own labels may lack a rare one: below these, unknown labels are no oddity.
# Where all labels are declared, one that is nearly right is a slip as soon as it stands there a few times.
_SHARE = 0.1
_SHARE_ASIDE = 0.4
_SHARE_OF_NEAR = 0.01
_FEWEST_NEAR = 3
_ALIKE = 0.75  # share of letters, as difflib counts it
_MOST_COMPARED = 20  # labels; comparing takes time by their number and length
_MOST_KNOWN = 2_000
_LONGEST = 60
_LISTED, _MOST_LISTED = 5, 12
_LABELS = "labels"  # of a layer that has nothing else
_BETWEEN_WORDS = ("Pd", "Pc", "Zs", "Cc")
_SCHEMES = ("b-", "i-", "l-", "u-", "e-", "s-")

Unknown = list[tuple[str, int]]  # label and number of annotations, the most frequent first


def odd_labels(contents: Contents) -> Iterator[Finding]:
    """Yield `case` for labels that the task has in other letters or signs, `labels` for others that it lacks.

    Where the run has none of these, yield `labels` for usual ones that it never uses.
    """
    for layer in contents.layers:
        if layer.inventory and layer.is_scored:
            odd = [*_odd(layer, layer.inventory)]
            yield from odd or _never_used(layer, layer.inventory)


def folded(label: str) -> str:
    """Return a label without case, dashes, underscores and blanks; other signs tell labels apart, as in PRP and PRP$.

    >>> folded("Has_Property"), folded("has–property"), folded("PRP$")
    ('hasproperty', 'hasproperty', 'prp$')
    """
    letters = unicodedata.normalize("NFKC", label[:_LONGEST]).casefold()
    return "".join(c for c in letters if unicodedata.category(c) not in _BETWEEN_WORDS)


def _odd(layer: Layer, inventory: frozenset[str]) -> Iterator[Finding]:
    numbers = _numbers(layer)
    total = sum(numbers.values())
    unknown = sorted(((label, n) for label, n in numbers.items() if label not in inventory), key=lambda pair: -pair[1])
    if not unknown:
        return
    meant = {folded(label): label for label in sorted(inventory)}
    respelt = [(label, n) for label, n in unknown if folded(label) in meant and folded(label)]
    n_respelt = sum(n for _, n in respelt)
    if respelt and (layer.is_declared or n_respelt >= max(_FEWEST_NEAR, _SHARE_OF_NEAR * total)):
        yield _oddity("case", layer, respelt, total, {label: meant[folded(label)] for label, _ in respelt})
    known_otherwise = {label for label, _ in respelt}
    others = [(label, n) for label, n in unknown if label not in known_otherwise]
    near = _nearest(others, meant)
    if _is_told(others, near, total, layer):
        yield _oddity("labels", layer, others, total, near)


_EXPECTED = 20  # annotations of a label that a run lacks by no chance


def _never_used(layer: Layer, inventory: frozenset[str]) -> Iterator[Finding]:
    """Yield `labels` for labels of which so many are usual, and the run has none."""
    there = {label for label, n in _numbers(layer).items() if n}
    never = [
        label
        for label, share in layer.usual.items()
        if label in inventory and label not in there and share * len(layer) >= _EXPECTED
    ]
    # One label for all is told as such, and unknown ones may be those that are missing.
    if not never or len(there) < _FEWEST_USED or not there <= inventory:
        return
    message = Message(
        "usual-labels-missing",
        "None of the {n:,} {things} has the label {labels}.",
        n=len(layer),
        things=Message.word(layer.name[1]),
        labels=Message("one-or-other", "{one} or {other}", one=Message.joined(never[:-1]), other=never[-1])
        if never[1:]
        else never[0],
    )
    suggestion = Message("lost-or-not-found", "were they lost on the way?")
    yield Finding.odd("labels", message, len(layer), len(layer), layer.file, suggestion=suggestion)


_FEWEST_USED = 2


def _numbers(layer: Layer) -> dict[str, int]:
    """Return {label: number of annotations}, those that were left aside with them."""
    numbers = dict(layer.left_aside)
    if layer.label is not None:
        of_code = np.bincount(layer.label, minlength=len(layer.labels))
        for code in np.flatnonzero(of_code).tolist():
            numbers[layer.labels[code]] = numbers.get(layer.labels[code], 0) + int(of_code[code])
    return numbers


def _nearest(unknown: Unknown, meant: Mapping[str, str]) -> dict[str, str]:
    """Return {label: the label of the task that it may be}, of the most frequent ones."""
    task_labels = list(meant)[:_MOST_KNOWN]
    near = {}
    for label, _ in unknown[:_MOST_COMPARED]:
        plain = folded(label.lower().removeprefix(next(filter(label.lower().startswith, _SCHEMES), "")))
        for alike in [plain] if plain in meant else get_close_matches(plain, task_labels, n=1, cutoff=_ALIKE):
            near[label] = meant[alike]
    return near


def _is_told(unknown: Unknown, near: Mapping[str, str], total: int, layer: Layer) -> bool:
    n = sum(n for _, n in unknown)
    n_near = sum(n for label, n in unknown if label in near)
    if layer.is_declared and n_near >= max(_FEWEST_NEAR, _SHARE_OF_NEAR * total):
        return True
    # A run for several scenarios has labels of the others too, which are left aside.
    n_aside = sum(n for label, n in unknown if label in layer.left_aside)
    is_much_aside = n_aside >= max(_FEWEST_NEAR, _SHARE_ASIDE * total)
    return n > 0 and (n == total or is_much_aside or n - n_aside >= max(_FEWEST_NEAR, _SHARE * total))


def _oddity(kind: str, layer: Layer, unknown: Unknown, total: int, meant: Mapping[str, str]) -> Finding:
    n = sum(n for _, n in unknown)
    file, line = _place(layer, unknown[0][0])
    return Finding.odd(
        kind,
        _lacking(Message.word(layer.name[1]), unknown, meant),
        n=n,
        of=total,
        file=file,
        line=line,
        suggestion=_suggestion(unknown, meant, layer),
    )


def _lacking(things: Message, unknown: Unknown, meant: Mapping[str, str]) -> Message:
    """Return the sentence: one label is asked about in it, several each behind its name."""
    label, n = unknown[0]
    if len(unknown) == 1 and label in meant and things != _LABELS:
        return Message(
            "label-not-in-task-near",
            "Unknown labels of {things}: {label}; did you mean {near}?",
            things=things,
            label=_label_with_times(label, n, {}),
            near=meant[label],
        )
    parts = [_label_with_times(label, n, meant) for label, n in unknown[:_LISTED]]
    if (n_more := len(unknown) - _LISTED) > 0:
        parts.append(Message("further-labels", "{n:,} more", n=n_more))
    if things == _LABELS:
        return Message("labels-unknown", "Unknown labels: {labels}.", labels=Message.listed(parts))
    return Message(
        "labels-not-in-task", "Unknown labels of {things}: {labels}.", things=things, labels=Message.listed(parts)
    )


def _suggestion(unknown: Unknown, meant: Mapping[str, str], layer: Layer) -> Message:
    letters = (strange_letter(label, near) for label, near in meant.items())
    if letter := next(filter(None, letters), None):
        return letter.message
    effect = Message.word("are not scored at all") if layer.left_aside else Message.word("count as wrong")
    if all(label in meant for label, _ in unknown[:_LISTED]):
        return Message(
            "write-labels-exactly",
            "write labels exactly as the task does; as they are, they {effect}",
            effect=effect,
        )
    if layer.inventory and len(layer.inventory) <= _MOST_LISTED:
        labels = ", ".join(map(shown, sorted(layer.inventory)))
        return Message(
            "use-these-labels", "use the task's labels ({labels}); others {effect}", labels=labels, effect=effect
        )
    return Message("use-task-labels", "use the task's labels; others {effect}", effect=effect)


def _label_with_times(label: str, n: int, meant: Mapping[str, str]) -> Message:
    if label not in meant:
        return Message.counted("label-times", "{label} (once)", "{label} ({n:,} times)", n, label=shown(label))
    return Message.counted(
        "label-times-near",
        "{label} (once; did you mean {near}?)",
        "{label} ({n:,} times; did you mean {near}?)",
        n,
        label=shown(label),
        near=shown(meant[label]),
    )


def _place(layer: Layer, label: str) -> tuple[str | None, int | None]:
    """Return where the label stands first."""
    if layer.label is None or label not in layer.labels:
        return layer.file, None
    with_label = np.flatnonzero(layer.label == list(layer.labels).index(label))
    return layer.place_of(int(with_label[0])) if len(with_label) else (layer.file, None)
