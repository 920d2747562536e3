"""What a user of spaCy runs: documents made from JSON Lines, and all scores by its Scorer, printed as JSON."""

import json
import sys
from typing import Any

from spacy.scorer import Scorer, get_ner_prf
from spacy.tokens import Doc, Span, Token
from spacy.training import Example
from spacy.vocab import Vocab


def main(gold: str, system: str) -> None:
    vocab = Vocab()
    examples = [
        Example(_doc(vocab, other), _doc(vocab, own)) for own, other in zip(_read(gold), _read(system), strict=True)
    ]
    labels = sorted({label for example in examples for label in example.reference.cats})
    scores: dict[str, Any] = {
        **Scorer.score_tokenization(examples),
        **Scorer.score_token_attr(examples, "tag"),
        **Scorer.score_deps(examples, "dep", getter=_dep, ignore_labels=("p", "punct")),
        **get_ner_prf(examples),
        **Scorer.score_cats(examples, "cats", labels=labels, multi_label=True),
    }
    print(json.dumps(scores))


def _read(path: str) -> list[dict[str, Any]]:
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _doc(vocab: Vocab, document: dict[str, Any]) -> Doc:
    doc = Doc(vocab, **{key: document[key] for key in ("words", "spaces", "tags", "heads", "deps")})
    doc.set_ents([Span(doc, start, end, label=label) for start, end, label in document["ents"]])
    doc.cats = document["cats"]
    return doc


def _dep(token: Token, attr: str) -> str:
    return str(token.vocab.strings[getattr(token, attr)].lower())


if __name__ == "__main__":
    main(*sys.argv[1:])
