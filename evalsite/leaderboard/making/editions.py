"""Finds the edition of a board that a visitor asks for, and rounds its contents to what the visitor may read."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.core.cache import caches
from django.db.models import Max, Min, OuterRef, Q, QuerySet, Subquery

from evalsite.base.cache import cache_key
from evalsite.challenges.models import Phase, Scenario
from evalsite.challenges.precision import Precision
from evalsite.leaderboard.combined_score import CombinedScore, Scored
from evalsite.leaderboard.making.gold_copies import GOLD
from evalsite.leaderboard.models import NEWEST_FIRST, Board, Edition
from evalsite.submissions.models import Submission

CONTENTS = ("entries", "comparison")
FINAL = "final"
MOST_DIGITS = 5  # of a version
_ENGINE = re.compile(r"[0-9A-Za-z.+-]{1,20}")


@dataclass(frozen=True)
class EditionQuery:
    """The edition that an address names: by day, as final, by version of the gold, by engine; none of these: the
    newest.

    `is_unknown`: what the address named is no day, or no version.
    """

    day: date | None = None
    is_final: bool = False
    gold: int | None = None
    engine: str = ""
    is_unknown: bool = False

    @property
    def is_newest(self) -> bool:
        return self.day is None and self.gold is None and not self.is_final and not self.engine

    def of(self, editions: QuerySet[Edition]) -> QuerySet[Edition]:
        """Filter editions to those among which the newest is the one that stood then."""
        if not self.is_newest:  # an address that is cited shows a board with its places
            editions = editions.filter(is_compared=True)
        if self.gold is not None:
            editions = editions.filter(gold__version=self.gold)
        if self.engine:
            editions = editions.filter(engine=self.engine)
        if self.is_final:
            return editions.filter(is_final=True)
        return editions if self.day is None else editions.filter(day__lte=self.day)


NEWEST = EditionQuery()


def parse_edition_query(on: str, gold: str = "", engine: str = "") -> EditionQuery:
    """Parse `on`, a day as 2026-11-20, `final` or empty; `gold`, a version or empty; `engine`, one of the engine or
    empty."""
    try:
        version = _version(gold) if gold else None
        day = None if on in ("", FINAL) else date.fromisoformat(on)
    except ValueError:
        return EditionQuery(is_unknown=True)
    if engine and not _ENGINE.fullmatch(engine):
        return EditionQuery(is_unknown=True)
    return EditionQuery(day=day, is_final=on == FINAL, gold=version, engine=engine)


def _version(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS and int(text)):
        raise ValueError(text)
    return int(text)


def edition_of(phase: Phase, scenario: Scored, query: EditionQuery = NEWEST, *, only_compared: bool = False) -> Edition:
    """Return the edition that stood then; an empty one where there was none.

    The newest may not be compared yet, unless that is asked for. Of a combined score there is only the newest.
    """
    if isinstance(scenario, CombinedScore):
        return scenario.edition if query.is_newest else Edition(board=scenario.edition.board, entries=[], comparison={})
    if query.is_newest and not only_compared:
        found = read_together(_newest(phase, scenario))
    else:
        editions = Edition.objects.filter(board__phase=phase, board__scenario=scenario)
        if only_compared:
            editions = editions.filter(is_compared=True)
        found = _read(query.of(editions).order_by(*NEWEST_FIRST)[:1], query)
    if found:
        return found[0]
    board = Board.objects.filter(phase=phase, scenario=scenario).first() or Board(phase=phase, scenario=scenario)
    return Edition(board=board, entries=[], comparison={})


def _newest(phase: Phase, scenario: Scenario) -> list[Edition]:
    """Return at most one. Phase and scenario are not read again, as every page of a run and a board asks for this."""
    editions = Edition.objects.filter(board__phase=phase, board__scenario=scenario).select_related("board", "gold")
    found = list(editions.defer("further", *CONTENTS).order_by(*NEWEST_FIRST)[:1])
    for edition in found:
        for known in (edition.board, edition.gold):
            if known is not None:
                known.phase, known.scenario = phase, scenario
    return found


def last_compared(board: Board) -> Edition | None:
    """Return the newest edition that has been compared, without its contents."""
    editions = Edition.objects.filter(board=board, is_compared=True).select_related("gold")
    return editions.defer("further", *CONTENTS).order_by(*NEWEST_FIRST).first()


def editions_of(phase: Phase, query: EditionQuery = NEWEST) -> list[Edition]:
    """Return those of all scenarios of the phase that stood then; the newest may not be compared yet."""
    editions = Edition.objects.filter(board__phase=phase)
    of_board = Edition.objects.filter(board=OuterRef("board"))
    latest = query.of(of_board).order_by(*NEWEST_FIRST).values("pk")[:1]
    return _read(editions.filter(pk=Subquery(latest)), query)


@dataclass(frozen=True)
class Key:
    """An edition without its contents, which are the same as long as the key is."""

    pk: UUID
    made: datetime
    scenario: UUID


def compared_now(phase: Phase) -> list[Key]:
    """Return the newest compared editions of all scenarios of the phase."""
    latest = Edition.objects.filter(board=OuterRef("board"), is_compared=True).order_by(*NEWEST_FIRST).values("pk")[:1]
    found = Edition.objects.filter(board__phase=phase, pk=Subquery(latest))
    return [Key(*each) for each in found.values_list("pk", "made", "board__scenario")]


def _with_current_methods(editions: list[Edition]) -> list[Edition]:
    """Use today's names of methods: a name that organisers had to change stands on no older board."""
    entries = [entry for edition in editions for entry in edition.entries if entry["reference"] != GOLD]
    named = Submission.objects.filter(pk__in={entry["submission"] for entry in entries}).values_list("pk", "method")
    methods = {str(pk): method for pk, method in named}
    for entry in entries:
        entry["method"] = methods.get(entry["submission"], entry["method"])
    return editions


def _read(editions: QuerySet[Edition], query: EditionQuery) -> list[Edition]:
    """Read the newest ones without their contents, which are read when they are disclosed and not cached then."""
    if query.is_newest:
        return read_together(list(_with_related(editions).defer("further", *CONTENTS)))
    return _with_current_methods(list(_with_related(editions).defer("further")))


def _with_related(editions: QuerySet[Edition]) -> QuerySet[Edition]:
    return editions.select_related("board", "gold__phase__task", "gold__scenario")


def read_together(editions: list[Edition]) -> list[Edition]:
    """Let the contents of these editions be read together."""
    for edition in editions:
        edition.read_with = editions
    return editions


def _read_contents(editions: Iterable[Edition]) -> None:
    lacking = {edition.pk: edition for edition in editions if "entries" in edition.get_deferred_fields()}
    # An edition of the day may have been made anew meanwhile.
    stored = Edition.objects.filter(pk__in=lacking).values("pk", "made", "is_compared", *CONTENTS) if lacking else ()
    for each in stored:
        edition = lacking.pop(each.pop("pk"))
        for name, value in each.items():
            setattr(edition, name, value)
    for gone in lacking.values():
        gone.entries, gone.comparison = [], {}


@dataclass(frozen=True)
class Reign:
    """The days of the first and the last edition that ranked by a version of the gold."""

    version: int
    first: date
    last: date


@dataclass(frozen=True)
class Span:
    """The editions that a board has."""

    first: date | None
    latest: datetime | None
    final: datetime | None
    reigns: list[Reign]  # the newest version first
    engine_before: str = ""  # that ranked on the newest gold before the one that does now

    @property
    def before(self) -> Reign | None:
        """Return the reign of the version that ranked before the one that does now."""
        return self.reigns[1] if len(self.reigns) > 1 else None


def span_of(board: Board) -> Span:
    names = ("gold__version", "engine", "first", "last", "latest", "final")
    found = [dict(zip(names, row, strict=True)) for row in _spans_of(board)]
    versions = sorted({each["gold__version"] for each in found if each["gold__version"]}, reverse=True)
    reigns = [_reign(version, [each for each in found if each["gold__version"] == version]) for version in versions]
    on_newest = [each for each in found if versions and each["gold__version"] == versions[0]]
    engines = [each["engine"] for each in sorted(on_newest, key=lambda each: each["latest"])]
    return Span(
        first=min((each["first"] for each in found), default=None),
        latest=max((each["latest"] for each in found), default=None),
        final=max((each["final"] for each in found if each["final"]), default=None),
        reigns=reigns,
        engine_before=engines[-2] if len(engines) > 1 else "",
    )


def _spans_of(board: Board) -> QuerySet[Edition, Any]:
    """Return the span of each version of the gold and engine."""
    final = Max("made", filter=Q(is_final=True))
    editions = Edition.objects.filter(board=board, is_compared=True).order_by().values_list("gold__version", "engine")
    return editions.annotate(first=Min("day"), last=Max("day"), latest=Max("made"), final=final)


def _reign(version: int, found: Sequence[Mapping[str, Any]]) -> Reign:
    return Reign(version, min(each["first"] for each in found), max(each["last"] for each in found))


Entry = dict[str, Any]
PARTS = ("scores", "lows", "highs")
OF_HEADLINE = ("difference_to_leader", "difference_low", "difference_high")
OF_TEST = ("critical_value", "power")  # of a comparison
SHARES = ("p_to_leader", "probability_best")


def split_further(entries: Sequence[Entry], kept: Sequence[str]) -> tuple[list[Entry], dict[str, Any]]:
    """Split off the scores that the page does not show: by name a list for each of PARTS."""
    names = {name for entry in entries for name, value in entry["scores"].items() if value is not None}
    further = {
        name: [[entry[part].get(name) for entry in entries] for part in PARTS] for name in sorted(names - set(kept))
    }
    light = [
        entry | {part: {name: value for name, value in entry[part].items() if name in kept} for part in PARTS}
        for entry in entries
    ]
    return light, further


def complete(edition: Edition) -> None:
    """Add the further scores that are stored beside the entries, in memory, as far as they may be read."""
    if not edition.further_names:
        return
    for entry in edition.entries:
        entry.update({part: dict(entry[part]) for part in PARTS})  # they may be those of other readers too
    precision = edition.precision
    for name, columns in edition.further.items():
        if not precision.shows(name):
            continue
        for entry, value, low, high in zip(edition.entries, *columns, strict=True):
            entry["scores"][name] = precision.of(value, name)
            if low is not None:
                entry["lows"][name], entry["highs"][name] = precision.interval((low, high), name)


SECONDS_KEPT = 60  # contents of the newest editions as they are told, which takes longer than to read them


def disclose(edition: Edition, precision: Precision, *, days_alone: bool) -> None:
    """Round numbers and times, in memory, to what the visitor may read; once for each edition that is read.

    `days_alone`: only the days of uploads may be read.
    """
    if "precision" in vars(edition):
        return
    if not edition.read_with:
        _disclose(edition, precision, days_alone=days_alone)
        return
    key = cache_key("edition", edition.pk, edition.made, precision, days_alone)
    kept = caches["editions"].get(key)
    if kept is None:
        _read_contents(edition.read_with)
        _disclose(edition, precision, days_alone=days_alone)
        kept = edition.entries, edition.comparison
        caches["editions"].set(key, kept, SECONDS_KEPT)
    edition.precision, edition.days_alone = precision, days_alone
    edition.entries, edition.comparison = kept


def _disclose(edition: Edition, precision: Precision, *, days_alone: bool) -> None:
    edition.precision = precision
    if days_alone:
        edition.days_alone = True
        for entry in edition.entries:
            entry["date"] = entry["date"][: len("2026-11-20")]
    if precision.is_full:
        return
    headline = precision.headline
    signatures: dict[str, str] = {}
    for entry in edition.entries:
        entry["headline"] = precision.of(entry["headline"], headline)
        entry["scores"] = precision.scores(entry["scores"])
        if "shown" in entry:
            entry["shown"] = precision.of(entry["shown"], headline)
        ends = precision.intervals({name: (low, entry["highs"][name]) for name, low in entry["lows"].items()})
        entry["lows"], entry["highs"] = ({name: pair[end] for name, pair in ends.items()} for end in (0, 1))
        for name in OF_HEADLINE:
            if name in entry:
                is_end = name != "difference_to_leader"
                entry[name] = (precision.end_of_difference if is_end else precision.difference)(entry[name])
        for name in SHARES:
            if name in entry:
                entry[name] = precision.share(entry[name])
        if entry["signature"] not in signatures:
            signatures[entry["signature"]] = precision.signature(entry["signature"])
        entry["signature"] = signatures[entry["signature"]]
    facts = edition.comparison
    if facts:
        rounded = {"signature": precision.signature(facts.get("signature", "")), "seed": None}
        edition.comparison = facts | rounded | disclosed_test(facts, precision)


def disclosed_test(facts: Mapping[str, Any], precision: Precision) -> dict[str, Any]:
    """Round what a comparison says of the test itself; its standard error is one of differences."""
    rounded = {name: precision.of(facts[name]) for name in OF_TEST if name in facts}
    if rounded.get("power"):
        rounded["power"] = rounded["power"] | {"se": precision.difference(facts["power"]["se"])}
    return rounded
