"""The format of CoNLL-2003 and its relatives: a token a line, its word first and its entity tag last.

    Ann  NNP  B-NP  B-PER
    ran  VBD  B-VP  O

A blank line ends a sentence, and each sentence is a document. Lines of -DOCSTART- are passed over: such a document has
many sentences, but no id.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.problems import ProblemCollector
from scoring.readers.spacy.documents.building import Builder
from scoring.readers.spacy.documents.document import WRITTEN_TAGS
from scoring.readers.spacy.iob_tags import SCHEMES, decode, is_tag, prefixed, tag_form
from scoring.readers.spacy.lines import enter, numbered_lines

Token = tuple[int, str, str]  # line, word, tag


def read(content: bytes, file: str, builder: Builder, options: Mapping[str, Any]) -> tuple[ProblemCollector, list[str]]:
    """Enter each sentence as a document "1", "2", …; return problems and warnings."""
    invalid_tags = options["invalid_tags"]
    problems = ProblemCollector()
    n_repaired = 0
    schemes = {scheme for item in options["scores"] or () if (scheme := item.get("scheme"))}
    for number, sentence in enumerate(_sentences(content, file, tag_form(options), problems), start=1):
        entities, invalid = decode([tag for _, _, tag in sentence])
        n_repaired += len(invalid)
        for scheme in schemes:
            problems += [
                Finding(
                    Message(
                        "tag-none-which",
                        "tag {tag!r} is none of {scheme}, which has {scheme_2}",
                        tag=tag,
                        scheme=scheme,
                        scheme_2=" ".join(SCHEMES[scheme]),
                    ),
                    file,
                    line,
                )
                for line, _, tag in sentence
                if tag[0] not in SCHEMES[scheme]
            ]
        if invalid and invalid_tags == "refuse":
            problems += [
                Finding(
                    Message("tag-continues-no-entity", "tag {sentence!r} continues no entity", sentence=sentence[i][2]),
                    file,
                    sentence[i][0],
                )
                for i in invalid
            ]
            entities = []
        words, tags = [word for _, word, _ in sentence], [tag for _, _, tag in sentence]
        document = {"id": str(number), "words": words, "ents": entities, WRITTEN_TAGS: tags}
        problems += enter(document, sentence[0][0], file, builder)
    return problems, repair_warnings(file, n_repaired) if n_repaired and invalid_tags == "repair" else []


def repair_warnings(file: str, number: int) -> list[str]:
    """Return what was done about tags that continue no entity."""
    return [
        Message(
            "tags-continue-no-entity",
            "{file}: {number} tags continue no entity of their type and were read as the beginning of one",
            file=file,
            number=number,
        )
    ]


def _sentences(content: bytes, file: str, form: str, problems: ProblemCollector) -> Iterator[list[Token]]:
    sentence: list[Token] = []
    for number, line in numbered_lines(content, file, problems):
        columns = line.split()
        if columns and columns[0] != "-DOCSTART-":
            sentence += _token(columns, form, file, number, problems)
        elif not columns and sentence:
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def _token(columns: list[str], form: str, file: str, number: int, problems: ProblemCollector) -> list[Token]:
    """Return the token of a line in a list, which is empty if the line has a problem."""
    tag = prefixed(columns[-1], form)
    if len(columns) < 2:
        problems.append(
            Finding(
                Message("column-instead-least-word", "1 column instead of at least 2: a word and its tag"), file, number
            )
        )
    elif not is_tag(tag):
        problems.append(
            Finding(
                _not_a_tag(columns[-1], form),
                file,
                number,
            )
        )
    else:
        return [(number, columns[0], tag)]
    return []


_EXPECTED = {
    "prefix": Message("one-type", "one of B I L U E S with - and a type"),
    "suffix": Message("type-one", "a type with - and one of B I L U E S"),
}


def _not_a_tag(text: str, form: str) -> Message:
    expected = _EXPECTED[form]
    if len(text) == 1 and text in "BILUES":
        return Message(
            "tag-without-type",
            "tag {column!r} is neither O nor {expected}: it has no type; write {example}, if all are of one",
            column=text,
            expected=expected,
            example=f"{text}-X" if form == "prefix" else f"X-{text}",
        )
    return Message("tag-neither-nor", "tag {column!r} is neither O nor {expected}", column=text, expected=expected)
