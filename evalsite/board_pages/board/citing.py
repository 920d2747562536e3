"""The citation of a board, with the link that stays, and the command that makes its comparison again."""

import shlex
from dataclasses import dataclass

from django.conf import settings
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from evalsite.base.file_names import stored_name
from evalsite.challenges.models import Phase
from evalsite.challenges.starter_kit.samples import typed_options
from evalsite.challenges.task_page.citing import address_of_doi, authors_of, bibtex, bibtex_authors
from evalsite.leaderboard.combined_score import CombinedScore, Scored
from evalsite.leaderboard.models import Edition
from evalsite.submissions.models import Result
from evalsite.wording import listed
from scoring.display.tables import escaped


@dataclass(frozen=True)
class Citation:
    apa: SafeString
    bibtex: str
    is_moving: bool  # the board of today: its link leads to what stands at midnight
    signatures: dict[str, str]  # {title of a score: the signature of the program that computes it}


def citation_of(edition: Edition, phase: Phase, scenario: Scored, address: str) -> Citation | None:
    """Return the citation of the board as it stands at `address`; None before there is a board."""
    if not edition.entries:
        return None
    authors = authors_of(phase.task)
    title = f"{phase.task.title}: {phase.name}, {scenario}"
    signatures = _signatures(edition, scenario)
    return Citation(
        _apa(edition, authors, title, f"{address} {address_of_doi(phase.doi)}".rstrip()),
        _bibtex(edition, phase, scenario, authors, title, address, signatures.get(scenario.headline, "")),
        is_moving=not edition.is_final and edition.day == timezone.now().date(),
        signatures={scenario.score_titles[score]: line for score, line in signatures.items()},
    )


def _signatures(edition: Edition, scenario: Scored) -> dict[str, str]:
    """Return the signatures of scores that another program computes, as the first entry has them: options are the
    same."""
    if isinstance(scenario, CombinedScore):
        return {}
    table, entry = scenario.engine_family.scores.signatures, edition.entries[0]
    if not table:
        return {}
    results = Result.objects.filter(scoring__submission=entry["submission"], scoring__scenario=scenario)
    result = results.filter(scoring__gold=edition.gold).select_related("stored_tables").first()
    return {row["score"]: row["signature"] for row in result.tables.get(table, [])} if result else {}


def _apa(edition: Edition, authors: list[str], title: str, address: str) -> SafeString:
    return format_html(
        "{} ({}). <em>{}</em> [Leaderboard]. {}. {}",
        listed(authors),
        f"{edition.day.year}, {edition.day:%B} {edition.day.day}",
        title,
        settings.SITE_NAME,
        address,
    )


def _bibtex(
    edition: Edition,
    phase: Phase,
    scenario: Scored,
    authors: list[str],
    title: str,
    address: str,
    line: str,
) -> str:
    signature = str(edition.comparison.get("signature") or edition.entries[0]["signature"])
    fields = {
        "author": bibtex_authors(authors),
        "title": f"{{{escaped(title)}}}",
        "year": str(edition.day.year),
        "month": f"{edition.day:%b}".lower(),
        "howpublished": escaped(f"Leaderboard, {settings.SITE_NAME}"),
        "url": address,
        "note": escaped(f"As of {edition.day}; signature {signature}" + (f"; {line}" if line else "")),
    }
    if phase.doi:
        fields["doi"] = phase.doi
    return bibtex(f"{phase.task.slug}-{phase.slug}-{scenario.number}-{edition.day}", fields)


def compare_command(edition: Edition, scenario: Scored) -> str:
    """Return the shell command that compares ranked runs; "" where there is no comparison."""
    facts = edition.comparison
    if isinstance(scenario, CombinedScore):
        return scenario.command if facts else ""
    if not facts or edition.gold is None:
        return ""
    # While the gold is hidden nobody can download it, and it has no name by which it is known.
    is_told = edition.gold.phase.gold_released
    gold = edition.gold.download_name if is_told else stored_name("gold", edition.gold.file_name)
    drawn = f"--resamples {facts['n_resamples']} --confidence {facts['confidence_level']}"
    parts = [
        f"python -m scoring compare {scenario.family}",
        f"--gold {shlex.quote(gold)}",
        *typed_options(scenario),
        drawn,
        "runs/*",
    ]
    return " \\\n  ".join(parts)
