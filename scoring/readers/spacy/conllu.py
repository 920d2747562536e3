"""CoNLL-U: ten columns a token, a blank line after each sentence, comments that begin documents.

The columns are ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS and MISC. A document is what follows a comment
"# newdoc"; in a file without any, each sentence is one. Entities have no column of their own: an entry of MISC such as
Entity=B-PER is read as their tag, where any token of the file has one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from scoring.errors import Problem
from scoring.readers.problems import Found
from scoring.readers.spacy.columns import InvalidTags, repair_warnings
from scoring.readers.spacy.documents import Document
from scoring.readers.spacy.documents.building import Builder
from scoring.readers.spacy.documents.careful import regular_form
from scoring.readers.spacy.iob_tags import decode, is_tag
from scoring.readers.spacy.lines import enter, numbered_lines

N_COLUMNS = 10


def read(content: bytes, file: str, builder: Builder, invalid_tags: InvalidTags) -> tuple[Found, list[str]]:
    """Enters the documents, or the sentences of a file without documents; gives problems and warnings."""
    problems = Found()
    sentences = list(_sentences(content, file, problems))
    if any(sentence.begins_document for sentence in sentences):
        documents = _joined(sentences)
    else:
        documents = [[sentence] for sentence in sentences]
    has_entities = any(token.entity is not None for sentence in sentences for token in sentence.tokens)
    n_repaired = 0
    for number, document in enumerate(documents, start=1):
        outside = _outside(document, file)
        raw = _document(document, number)
        if outside:
            problems += outside
            builder.refused.add(raw["id"])
            continue
        if has_entities:
            raw["ents"], refused, n_invalid = _entities(document, file, invalid_tags)
            problems += refused
            n_repaired += n_invalid
        regular, messages = regular_form(raw)
        line = document[0].line
        problems += [Problem(message, file, line) for message in messages]
        if messages:
            builder.refused.add(raw["id"])
        else:
            problems += enter(regular, line, file, builder)
    return problems, repair_warnings(file, n_repaired) if n_repaired and invalid_tags == "repair" else []


@dataclass(frozen=True)
class _Token:
    line: int  # of the file, from 1
    columns: list[str]  # all ten
    head: int  # the index of its head in the sentence, from 1; 0 for the root
    entity: str | None  # the tag of its entity, if MISC has one

    @property
    def has_space(self) -> bool:
        return "SpaceAfter=No" not in self.columns[9].split("|")


@dataclass
class _Sentence:
    line: int = 0  # of the file, from 1, where it or its comments begin
    begins_document: bool = False  # whether it has a comment "# newdoc"
    document_id: str = ""  # the id in that comment
    sent_id: str = ""
    n_lines: int = 0  # lines of tokens so far, also of those with problems: the next ID is one higher
    tokens: list[_Token] = field(default_factory=list)


_NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*))?\s*$")
_SENT_ID = re.compile(r"#\s*sent_id\s*=\s*(.*)$")
# The ID of a multiword token (2-3) or of an empty node (2.1): no tokens of the tree.
_SKIPPED = re.compile(r"\d+[-.]\d+")
_ENTITY = re.compile(r"(?:^|\|)(?:entity|ne|name)=([^|]*)", re.IGNORECASE)
# A column without a value.
_EMPTY = "_"


def _sentences(content: bytes, file: str, problems: Found) -> Iterator[_Sentence]:
    sentence = _Sentence()
    for number, line in numbered_lines(content, file, problems):
        if not line.strip():
            if sentence.tokens:
                yield sentence
                sentence = _Sentence()
        elif line.startswith("#"):
            _comment(line, number, sentence)
        else:
            sentence.line = sentence.line or number
            sentence.tokens += _token(line, number, sentence, file, problems)
    if sentence.tokens:
        yield sentence


def _comment(line: str, number: int, sentence: _Sentence) -> None:
    sentence.line = sentence.line or number
    if match := _NEWDOC.match(line):
        sentence.begins_document = True
        sentence.document_id = (match[1] or "").strip()
    elif match := _SENT_ID.match(line):
        sentence.sent_id = match[1].strip()


def _token(line: str, number: int, sentence: _Sentence, file: str, problems: Found) -> list[_Token]:
    """The token of a line in a list, which is empty if the line has none, or a problem."""
    columns = line.split("\t")
    if _SKIPPED.fullmatch(columns[0]) and len(columns) == N_COLUMNS:
        return []
    sentence.n_lines += 1
    if len(columns) != N_COLUMNS:
        word = "column" if len(columns) == 1 else "columns"
        problems.append(Problem(f"{len(columns)} {word} instead of {N_COLUMNS}", file, number))
    elif columns[0] != str(sentence.n_lines):
        problems.append(Problem(f"ID {columns[0]!r} instead of {sentence.n_lines}", file, number))
    elif not columns[1]:
        problems.append(Problem("the form is empty", file, number))
    elif columns[6] != _EMPTY and not _is_number(columns[6]):
        problems.append(Problem(f"HEAD {columns[6]!r} is not a number", file, number))
    else:
        head = 0 if columns[6] == _EMPTY else int(columns[6])
        return [_Token(number, columns, head, _entity(columns[9]))]
    return []


def _is_number(text: str) -> bool:
    """Of at most nine digits: no sentence is longer, and the number fits into 32 bits."""
    return text.isascii() and text.isdigit() and len(text) <= 9


def _entity(misc: str) -> str | None:
    """The tag of an entity in MISC.

    Entries of these names are used for other things too, such as the mentions of CorefUD: only a value that is a tag
    counts. O is as good as nothing.
    """
    values = (match[1] for match in _ENTITY.finditer(misc))
    return next((value for value in values if is_tag(value) and value != "O"), None)


def _outside(sentences: list[_Sentence], file: str) -> list[Problem]:
    """Problems of heads beyond the end of their sentence."""
    return [
        Problem(f"HEAD {token.head} lies outside the sentence (length {len(sentence.tokens)})", file, token.line)
        for sentence in sentences
        for token in sentence.tokens
        if token.head > len(sentence.tokens)
    ]


def _joined(sentences: list[_Sentence]) -> list[list[_Sentence]]:
    """The sentences of each document; those before the first "# newdoc" are one too."""
    documents: list[list[_Sentence]] = []
    for sentence in sentences:
        if sentence.begins_document or not documents:
            documents.append([])
        documents[-1].append(sentence)
    return documents


def _document(sentences: list[_Sentence], number: int) -> Document:
    """The sentences as one document of the JSON Lines format; without an id, `number` is its id."""
    tokens = [token for sentence in sentences for token in sentence.tokens]
    columns = list(zip(*(token.columns for token in tokens), strict=True))
    heads: list[int] = []
    for sentence in sentences:
        # Heads count inside the sentence from 1, and here inside the document from 0; a root is its own head.
        first = len(heads)
        heads += [first + (token.head - 1 if token.head else i) for i, token in enumerate(sentence.tokens)]
    return {
        "id": sentences[0].document_id or sentences[0].sent_id or str(number),
        "words": list(columns[1]),
        "spaces": [token.has_space for token in tokens],
        # XPOS is often left empty; then the tag is that of UPOS.
        "tags": [_set(xpos) or _set(upos) for xpos, upos in zip(columns[4], columns[3], strict=True)],
        "pos": [_set(upos) for upos in columns[3]],
        # "_" is a lemma where it is the form itself.
        "lemmas": [
            lemma if form == _EMPTY else _set(lemma) for form, lemma in zip(columns[1], columns[2], strict=True)
        ],
        "morphs": list(columns[5]),
        "heads": heads,
        # spaCy's parsers call the root ROOT.
        "deps": ["ROOT" if dep == "root" else _set(dep) for dep in columns[7]],
        "sent_starts": [1 if i == 0 else -1 for sentence in sentences for i in range(len(sentence.tokens))],
    }


def _set(value: str) -> str:
    return "" if value == _EMPTY else value


def _entities(
    sentences: list[_Sentence], file: str, invalid_tags: InvalidTags
) -> tuple[list[list[int | str]], list[Problem], int]:
    """The entities of a document, none across sentences; problems; the number of tags that continue no entity."""
    entities: list[list[int | str]] = []
    problems: list[Problem] = []
    first = n_invalid = 0
    for sentence in sentences:
        of_sentence, invalid = decode([token.entity or "O" for token in sentence.tokens])
        entities += [[first + int(start), first + int(end), label] for start, end, label in of_sentence]
        first += len(sentence.tokens)
        n_invalid += len(invalid)
        if invalid_tags == "refuse":
            problems += [
                Problem(f"tag {sentence.tokens[i].entity!r} continues no entity", file, sentence.tokens[i].line)
                for i in invalid
            ]
    return entities, problems, n_invalid
