"""The annotation file of a brat pair, as the editions of 2020 and 2021 have it, as raw columns."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import itemgetter

from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.ehealthkd.brat.lines import EventLine, name_of, parse_annotation
from scoring.readers.ehealthkd.columns import RawPhrases, RawRelations
from scoring.readers.ehealthkd.lines import PhraseLine, RelationLine, parse_lines
from scoring.readers.ehealthkd.parsing import raw_phrases, raw_relations
from scoring.readers.problems import Problems


@dataclass
class _Annotations:
    """The lines of each kind, with their numbers."""

    phrases: list[tuple[int, PhraseLine]] = field(default_factory=list)
    relations: list[tuple[int, RelationLine]] = field(default_factory=list)
    events: list[tuple[int, EventLine]] = field(default_factory=list)

    def add(self, line: int, content: PhraseLine | EventLine | list[RelationLine]) -> None:
        if isinstance(content, PhraseLine):
            self.phrases.append((line, content))
        elif isinstance(content, EventLine):
            self.events.append((line, content))
        else:
            self.relations += [(line, relation) for relation in content]


def parse_annotations(content: bytes, file: str) -> tuple[RawPhrases, RawRelations, list[Finding]]:
    """Parse phrases and relations of the well-formed lines, and return the problems of the others.

    The `content` is known to be UTF-8.

    Events have become relations; phrases are named by the number behind the T.
    """
    annotations, problems = _Annotations(), Problems(file)
    for line, parsed in parse_lines(content.decode(), parse_annotation, problems):
        annotations.add(line, parsed)
    relations = sorted(_between_phrases(annotations, problems), key=itemgetter(0))
    return raw_phrases(annotations.phrases), raw_relations(relations), problems.listed()


def _between_phrases(annotations: _Annotations, problems: Problems) -> Iterator[tuple[int, RelationLine]]:
    """Yield all relations, also those of events and between events, which stand for the phrases that they refer to.

    An event may refer to one further up in the file, as in the challenge's program.
    """
    phrase_of: dict[int, int] = {}
    for line, event in annotations.events:
        phrase = phrase_of.get(event.reference, event.reference)
        if phrase < 0:
            problems.add(
                Message("there-no-event-further", "There is no event {name_of} further up.", name_of=name_of(phrase)),
                line,
            )
        else:
            phrase_of[event.id] = phrase
            annotations.relations += [(line, relation) for relation in event.relations]
    for line, relation in annotations.relations:
        ends = [phrase_of.get(end, end) for end in (relation.source, relation.target)]
        unknown = [name_of(end) for end in ends if end < 0]
        if unknown:
            problems.add(Message("there-no-event", "There is no event {unknown}.", unknown=unknown[0]), line)
        else:
            yield line, RelationLine(relation.label, *ends)
