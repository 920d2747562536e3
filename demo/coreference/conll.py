"""Documents as CoNLL-2012 columns."""

from collections import defaultdict
from collections.abc import Mapping

from demo.coreference.documents import Document

# (first token, last token) -> entity
Chains = Mapping[tuple[int, int], str]


def gold_chains(document: Document) -> dict[tuple[int, int], str]:
    return {(mention.first, mention.last): mention.entity for mention in document.mentions}


def write(document: Document, chains: Chains) -> str:
    """The document with its entities numbered in the order of their first mentions."""
    cells = _cells(chains)
    lines = [f"#begin document ({document.name});"]
    token = 0
    for sentence in document.sentences:
        for i, word in enumerate(sentence):
            lines.append("\t".join((document.name, "0", str(i), word, cells.get(token, "-"))))
            token += 1
        lines.append("")
    return "\n".join([*lines, "#end document", ""])


def _cells(chains: Chains) -> dict[int, str]:
    opened: defaultdict[int, list[str]] = defaultdict(list)
    closed: defaultdict[int, list[str]] = defaultdict(list)
    single: defaultdict[int, list[str]] = defaultdict(list)
    numbers: dict[str, int] = {}
    for (first, last), entity in sorted(chains.items(), key=lambda item: (item[0][0], -item[0][1])):
        number = numbers.setdefault(entity, len(numbers))
        if first == last:
            single[first].append(f"({number})")
        else:
            opened[first].append(f"({number}")
            # What opened last closes first.
            closed[last].insert(0, f"{number})")
    return {
        token: "|".join(opened[token] + single[token] + closed[token]) for token in sorted({*opened, *single, *closed})
    }
