"""What to paste into a README or a page so that it shows a badge, a frame or a small table."""

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from evalsite.board_pages.board.exports import in_markdown
from evalsite.challenges.models import Phase
from evalsite.contrib.badges.standing import Standing
from evalsite.leaderboard.combined_score import CombinedScore, Scored

FRAME_HEIGHT = 540  # pixels: ten rows and the sentence above them


@dataclass(frozen=True)
class Snippet:
    """A badge, which leads to the board or to the page of the entry; all addresses have the name of the site."""

    scenario: Scored
    label: str
    path: str  # of the badge on this site
    source: str
    link: str
    frozen: str  # the badge as it stays from the end of today; "" of combined scores, whose boards are not stored
    frame: str  # the table of the board

    @property
    def markdown(self) -> str:
        return f"[![{in_markdown(self.label)}]({self.source})]({self.link})"

    @property
    def html(self) -> SafeString:
        return format_html('<a href="{}"><img src="{}" alt="{}"></a>', self.link, self.source, self.label)

    @property
    def frame_html(self) -> SafeString:
        sizes = format_html('width="100%" height="{}" loading="lazy"', FRAME_HEIGHT)
        return format_html('<iframe src="{}" title="{}" {}></iframe>', self.frame, self.label, sizes)


def snippet_of(request: HttpRequest, label: str, phase: Phase, scored: Scored, run: UUID | None = None) -> Snippet:
    """Return the snippet of a board, or of an entry on it."""
    names = [phase.task.slug, phase.slug]
    of_board = [*names, scored.number]
    kind, of = ("entry", [*of_board, run]) if run else ("board", of_board)
    path = reverse(f"{kind}_badge", args=of)
    target = reverse("entry", args=[*names, run]) if run else reverse("board", args=of_board)
    frozen = reverse(f"{kind}_badge_of_day", args=[*of, timezone.now().date()])
    return Snippet(
        scenario=scored,
        label=label,
        path=path,
        source=request.build_absolute_uri(path),
        link=request.build_absolute_uri(target),
        frozen="" if isinstance(scored, CombinedScore) else request.build_absolute_uri(frozen),
        frame=request.build_absolute_uri(reverse("board_embed", args=of_board)),
    )


def table_in_markdown(standing: Standing, link: str) -> str:
    """Write the head of the board, as it is today, for a README."""
    scored = standing.access.scenario
    lines = [["Place", "System", scored.score_titles[scored.headline], "Interval"], ["---", "---", "---:", "---"]]
    lines += [[in_markdown(cell) for cell in cells] for cells in standing.table]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{table}\n\n[{in_markdown(standing.label)}]({link}), {timezone.now().date()}\n"
