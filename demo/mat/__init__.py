"""Demonstration data of the span task, in the JSON of MAT: gold, the participants' download, fictional runs."""

import json
from collections.abc import Mapping

from demo.mat.documents import Document, Span, documents_of
from demo.mat.errors import CLAUSES, NAMES, look_up, run
from demo.mat.systems import PROFILES, Profile
from demo.plan import System, system_of

TAGS = {1: (*NAMES, *CLAUSES), 2: NAMES}

README = """\
Demonstration data: names, events and causes in bulletins of a harbour office
=============================================================================

This is synthetic data. A program wrote every bulletin from sentences and word lists, for
this demonstration only. The coast, its harbours, ships, companies and people do not exist,
and nothing of all this ever happened. The annotation comes out of the same sentences;
nobody checked it by hand. Teams and runs are invented too.

One file per bulletin, in version 2 of the JSON of MAT: "signal" is the text, the annotation
set "lex" its words. Add one annotation set for each tag, and upload all files of a phase as
one zip archive, with the same names and the signal unaltered:

  {"type": "VESSEL", "hasID": true, "hasSpan": true, "attrs": [], "annots": [[26, 32, "a1"]]}

PERSON        people, without titles: Captain [Teale]
ORGANISATION  offices, companies, unions, lifeboat services
PLACE         harbours, waters, rocks, quays, also inside other names: [Port of [Quenby] Authority]
VESSEL        names of ships, without the kind of ship: the ferry [Pride of [Tolbrigg]]
DATE          days, months and years, not times of day
EVENT         what happened to a ship, from the verb or the noun of happening
CAUSE         why it happened; it may share words with an event: [CAUSE the valve broke
              [EVENT and the sea came in] until the pump stopped]. Here the first bracket
              closed ends the cause, and the second one the event.

Offsets count characters (Unicode code points) from 0; the end is the first one after the span.
Scenario 1 scores all tags, scenario 2 the first five.
"""


def gold(phase: str, scenario: int) -> dict[str, str]:
    """The gold archive: path -> text. Its metadata name the tags that count in the scenario."""
    metadata = {"phase": phase, "content_annotations": list(TAGS[scenario]), "token_annotations": ["lex"]}
    return _files(
        {
            document: tuple(span for span in document.spans if span.tag in TAGS[scenario])
            for document in documents_of(phase)
        },
        metadata,
    )


def inputs(phase: str) -> dict[str, str]:
    """What a participant downloads: the bulletins with their words, and the README."""
    return {"README.txt": README, **_files(dict.fromkeys(documents_of(phase), ()), {"phase": phase})}


def systems(phase: str) -> list[System]:
    return [
        system_of(
            profile,
            _files({document: _answers(profile, document) for document in documents_of(phase)}, {"phase": phase}),
        )
        for profile in PROFILES
        if phase in profile.phases
    ]


def _answers(profile: Profile, document: Document) -> tuple[Span, ...]:
    if profile.rates is None:
        return look_up(document)
    return run(document, profile.rates, profile.name, TAGS[min(profile.scenarios)])


def _files(annotated: dict[Document, tuple[Span, ...]], metadata: Mapping[str, object]) -> dict[str, str]:
    return {f"{document.name}.json": _json(document, spans, metadata) for document, spans in annotated.items()}


def _json(document: Document, spans: tuple[Span, ...], metadata: Mapping[str, object]) -> str:
    words = {"type": "lex", "hasID": False, "hasSpan": True, "attrs": [], "annots": document.tokens}
    numbered = [(span, f"a{number}") for number, span in enumerate(spans, start=1)]
    sets = [
        {
            "type": tag,
            "hasID": True,
            "hasSpan": True,
            "attrs": [],
            "annots": [(span.start, span.end, name) for span, name in numbered if span.tag == tag],
        }
        for tag in TAGS[1]
        if any(span.tag == tag for span in spans)
    ]
    content = {"version": 2, "metadata": metadata, "signal": document.text, "asets": [words, *sets]}
    return json.dumps(content, ensure_ascii=False) + "\n"
