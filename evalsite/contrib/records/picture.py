"""A board as a picture, which others show beside a link to it: task, sentence, and the first rows of the chart."""

import io
import textwrap
from collections.abc import Iterator
from functools import cache
from typing import Any

from django.conf import settings
from PIL import Image, ImageDraw, ImageFont

from evalsite.base.contrib import BoardFormat
from evalsite.board_pages.board.charts import Axis, mark
from evalsite.board_pages.board.exports import ACCENT, INK, Exported
from evalsite.board_pages.board.rows import Row, common_axis
from evalsite.wording import interval, score

WIDTH, HEIGHT = 1200, 630  # pixels, as pages of others cut pictures to
MARGIN, CHART_X, CHART_WIDTH, SCORE_X = 60, 450, 460, 1140
ROW_HEIGHT, MOST_ROWS = 42, 6
LONGEST_TITLE, LONGEST_NAME = 44, 28  # signs
SIGNS_A_LINE, MOST_LINES = 76, 3  # of the sentence
PAPER, SOFT, HAIRLINE = "#ffffff", "#515c63", "#dfe2dd"
SANS, SERIF = "source-sans-3", "source-serif-4"
SUBSETS = ("latin", "latin-ext")
NO_SIGN = "\U0010ffff"  # which no font has


def as_png(board: Exported) -> bytes:
    """Draw what the visitor may see; a text with a sign that the site's fonts lack is left out."""
    phase, scenario = board.phase, board.scenario
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    pen = _Pen(ImageDraw.Draw(image))
    pen.write((MARGIN, 84), f"{phase.name} · {scenario.name}", 26, SOFT)
    title = textwrap.shorten(phase.task.title, LONGEST_TITLE, placeholder="…")
    pen.write((MARGIN, 142), title, 50, weight=600, face=SERIF)
    lines = textwrap.wrap(board.sentence, SIGNS_A_LINE, max_lines=MOST_LINES, placeholder="…")
    for number, line in enumerate(lines):
        pen.write((MARGIN, 196 + 36 * number), line, 28)
    rows = [row for row in board.rows if row.is_compared][:MOST_ROWS]
    axis, top = common_axis(rows), 210 + 36 * len(lines)
    for number, row in enumerate(rows):
        _draw_row(pen, row, axis, top + ROW_HEIGHT * number + ROW_HEIGHT // 2)
    pen.write((MARGIN, HEIGHT - 30), settings.SITE_NAME, 22, SOFT, weight=600)
    content = io.BytesIO()
    image.save(content, "PNG", optimize=True)
    return content.getvalue()


def _draw_row(pen: "_Pen", row: Row, axis: Axis | None, y: int) -> None:
    colour = ACCENT if row.rank == 1 else INK
    base = y + 8
    pen.write((MARGIN, base), row.rank_range, 22, SOFT)
    name = textwrap.shorten(row.name, LONGEST_NAME, placeholder="…") or row.name[: LONGEST_NAME - 1] + "…"
    pen.write((MARGIN + 70, base), name, 26, weight=600 if row.rank == 1 else 400)
    text = score(row.headline, row.scale) + (f" {interval(row.interval, row.scale)}" if row.interval else "")
    pen.write((SCORE_X, base), text, 24, anchor="rs")
    pen.draw.line((CHART_X, y, CHART_X + CHART_WIDTH, y), HAIRLINE)
    if axis is None or row.headline is None:
        return
    drawn = mark(axis, row.headline, row.interval)
    if drawn.low is not None and drawn.high is not None:
        pen.draw.line((_x(drawn.low), y, _x(drawn.high), y), colour, 3)
    dot = _x(drawn.dot)
    pen.draw.ellipse((dot - 8, y - 8, dot + 8, y + 8), PAPER if row.reference else colour, colour, 3)


def _x(percent: float) -> float:
    return CHART_X + CHART_WIDTH * percent / 100


class _Pen:
    """Writes with the site's own fonts, which come in subsets of the alphabet."""

    def __init__(self, draw: ImageDraw.ImageDraw) -> None:
        self.draw = draw

    def write(
        self,
        place: tuple[int, int],
        text: str,
        size: int,
        fill: str = INK,
        *,
        weight: int = 400,
        face: str = SANS,
        anchor: str = "ls",
    ) -> None:
        """Write the text with its base line at the place, which is its left end, or with "rs" its right one."""
        runs = list(_runs(text, face, size, weight))
        if any(font is None for font, _ in runs):
            return
        x, y = place
        if anchor == "rs":
            x -= round(sum(font.getlength(part) for font, part in runs))
        for font, part in runs:
            self.draw.text((x, y), part, fill, font, "ls")
            x += round(font.getlength(part))


def _runs(text: str, face: str, size: int, weight: int) -> Iterator[tuple[Any, str]]:
    """Split the text into parts of one font each; None is the font of a sign that none of them has."""
    fonts = [_font(face, subset, size, weight) for subset in SUBSETS]
    last, part = None, ""
    for sign in text:
        font = next((font for font in fonts if _has(font, sign)), None)
        if part and font is not last:
            yield last, part
            part = ""
        last, part = font, part + sign
    if part:
        yield last, part


@cache
def _font(face: str, subset: str, size: int, weight: int) -> Any:
    path = settings.BASE_DIR / "static" / "vendor" / face / f"{face}-{subset}-wght-normal.woff2"
    font = ImageFont.truetype(str(path), size)
    font.set_variation_by_axes([weight])
    return font


def _has(font: Any, sign: str) -> bool:
    return sign == " " or bytes(font.getmask(sign)) != bytes(font.getmask(NO_SIGN))


PICTURE = BoardFormat("image/png", as_png)
