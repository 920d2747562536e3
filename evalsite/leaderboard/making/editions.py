"""Finds the edition of a board that a visitor asks for, and rounds its contents to what the visitor may read."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Any
from uuid import UUID

from django.core.cache import caches
from django.db.models import Max, Min, OuterRef, Q, QuerySet, Subquery

from evalsite.base.cache_keys import cache_key
from evalsite.challenges.models import Gold, Part, Phase, Scenario, number_versions
from evalsite.challenges.precision import Precision
from evalsite.leaderboard.combined_score import CombinedScore, Scored
from evalsite.leaderboard.making.gold_copies import GOLD
from evalsite.leaderboard.models import NEWEST_FIRST, Board, Edition
from evalsite.submissions.models import Submission

CONTENTS = ("entries", "comparison")
FINAL = "final"
MOST_DIGITS = 5  # of a version
SECONDS_KEPT = 60  # contents of the newest editions, as they are stored and as they are told
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


def edition_of(
    phase: Phase,
    scenario: Scored,
    query: EditionQuery = NEWEST,
    *,
    only_compared: bool = False,
    gold: Gold | None = None,
) -> Edition:
    """Return the edition that stood then; an empty one where there was none.

    The newest may not be compared yet, unless that is asked for. Of a combined score there is only the newest. `gold`
    is the version in force, if it has been read: the newest edition mostly ranks by it.
    """
    if isinstance(scenario, CombinedScore):
        return scenario.edition if query.is_newest else Edition(board=scenario.edition.board, entries=[], comparison={})
    if query.is_newest and not only_compared:
        newest = read_together(_newest(phase, scenario, gold))
    else:
        editions = Edition.objects.filter(board__phase=phase, board__scenario=scenario)
        if only_compared:
            editions = editions.filter(is_compared=True)
        newest = _read(query.of(editions).order_by(*NEWEST_FIRST)[:1], query)
    if newest:
        return newest[0]
    board = Board.objects.filter(phase=phase, scenario=scenario).first() or Board(phase=phase, scenario=scenario)
    return Edition(board=board, entries=[], comparison={})


def _newest(phase: Phase, scenario: Scenario, gold: Gold | None) -> list[Edition]:
    """Return at most one. Nothing is read again, as every page of a run and a board asks for this."""
    editions = Edition.objects.filter(board__phase=phase, board__scenario=scenario)
    editions = editions.select_related("board") if gold else editions.select_related("board", "gold")
    newest = list(editions.defer("further", *CONTENTS).order_by(*NEWEST_FIRST)[:1])
    for edition in newest:
        if gold and edition.gold_id == gold.pk:
            edition.gold = gold
        for related in (edition.board, edition.gold):
            if related is not None:
                related.phase, related.scenario = phase, scenario
    return newest


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
    editions = Edition.objects.filter(board__phase=phase, pk=Subquery(latest))
    return [Key(*row) for row in editions.values_list("pk", "made", "board__scenario")]


def newest_as_stored(phase: Phase, scenario: Scored) -> Edition:
    """Return the contents of the newest edition as they are stored, for whoever rounds the few numbers that matter; an
    empty one where there is none.
    """
    if isinstance(scenario, CombinedScore):
        return scenario.edition
    newest = Edition.objects.filter(board__phase=phase, board__scenario=scenario).order_by(*NEWEST_FIRST)
    keys = [Key(*row, scenario.pk) for row in newest.values_list("pk", "made")[:1]]
    return as_stored(keys).get(scenario.pk, Edition(entries=[], comparison={}))


def stored_with_board(phase: Phase, scenario: Scenario) -> Edition:
    """Return the same with the times of its board, for the page of a run."""
    newest = _with_times().filter(board__phase=phase, board__scenario=scenario).first()
    if newest is None:
        board = Board.objects.filter(phase=phase, scenario=scenario).first() or Board(phase=phase, scenario=scenario)
        return Edition(board=board, entries=[], comparison={})
    stored = as_stored([Key(newest.pk, newest.made, scenario.pk)]).get(scenario.pk)
    newest.entries, newest.comparison = (stored.entries, stored.comparison) if stored else ([], {})
    return newest


@cache  # built once, as each page of a run asks it of its board
def _with_times() -> QuerySet[Edition]:
    of_board = ("made", "wanted", "refreshed")
    columns = ("gold", "changes", "made", "is_compared", *(f"board__{name}" for name in of_board))
    return Edition.objects.select_related("board").only(*columns).order_by(*NEWEST_FIRST)


def as_stored(keys: Sequence[Key]) -> dict[UUID, Edition]:
    """Return by scenario the contents of these editions as they are stored."""
    names = {key: cache_key("stored-edition", key) for key in keys}
    stored: dict[Key, Edition] = {key: kept for key in keys if (kept := caches["editions"].get(names[key]))}
    lacking = [key.pk for key in keys if key not in stored]
    loaded = Edition.objects.only("entries", "comparison").in_bulk(lacking) if lacking else {}
    for key in keys:
        if edition := loaded.get(key.pk):
            caches["editions"].set(names[key], edition, SECONDS_KEPT)
            stored[key] = edition
    return {key.scenario: edition for key, edition in stored.items()}


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
    stored = Edition.objects.filter(pk__in=lacking).order_by() if lacking else Edition.objects.none()
    for columns in stored.values("pk", "made", "is_compared", *CONTENTS):
        edition = lacking.pop(columns.pop("pk"))
        for name, value in columns.items():
            setattr(edition, name, value)
    for gone in lacking.values():
        gone.entries, gone.comparison = [], {}


@dataclass(frozen=True)
class Reign:
    """The days of the first and the last edition that ranked by a version of the gold."""

    version: int
    number: int  # of the version, as pages say it
    part: str
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

    @property
    def before_ranked_part(self) -> Reign | None:
        """Return the reign of the shown part, where the ranked part of the same version decides now."""
        if not self.before or self.reigns[0].part != Part.RANKED or self.before.part != Part.SHOWN:
            return None
        return self.before if self.before.number == self.reigns[0].number else None


def span_of(board: Board) -> Span:
    names = ("gold__version", "gold__part", "engine", "first", "last", "latest", "final")
    spans = [dict(zip(names, row, strict=True)) for row in _spans_of(board)]
    versions = sorted({span["gold__version"] for span in spans if span["gold__version"]}, reverse=True)
    numbers = _numbers(board) if any(span["gold__part"] for span in spans) else {}
    reigns = [
        _reign(version, numbers.get(version, version), [span for span in spans if span["gold__version"] == version])
        for version in versions
    ]
    on_newest = [span for span in spans if versions and span["gold__version"] == versions[0]]
    engines = [span["engine"] for span in sorted(on_newest, key=lambda span: span["latest"])]
    return Span(
        first=min((span["first"] for span in spans), default=None),
        latest=max((span["latest"] for span in spans), default=None),
        final=max((span["final"] for span in spans if span["final"]), default=None),
        reigns=reigns,
        engine_before=engines[-2] if len(engines) > 1 else "",
    )


def _spans_of(board: Board) -> QuerySet[Edition, Any]:
    """Return the span of each version of the gold and engine."""
    final = Max("made", filter=Q(is_final=True))
    editions = Edition.objects.filter(board=board, is_compared=True).order_by()
    spans = editions.values_list("gold__version", "gold__part", "engine")
    return spans.annotate(first=Min("day"), last=Max("day"), latest=Max("made"), final=final)


def _numbers(board: Board) -> dict[int, int]:
    golds = Gold.objects.filter(phase=board.phase_id, scenario=board.scenario_id).order_by("version")
    return number_versions(golds.values_list("version", "part", "sha256"))


def _reign(version: int, number: int, spans: Sequence[Mapping[str, Any]]) -> Reign:
    first, last = min(span["first"] for span in spans), max(span["last"] for span in spans)
    return Reign(version, number, spans[0]["gold__part"], first, last)


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
