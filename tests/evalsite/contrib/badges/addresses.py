"""Who gets badges and tables: everybody the same, as far as strangers see the board."""

from datetime import date

from tests.evalsite.access.rows import EVERYBODY, NOBODY, Row

TABLE = {
    "board_badges": Row(EVERYBODY),
    "board_badge": Row(EVERYBODY),
    "board_badge_of_day": Row(NOBODY),  # no board stood on the day
    "entry_badge": Row(NOBODY),  # the results are not released
    "entry_badge_of_day": Row(NOBODY),
    "board_embed": Row(EVERYBODY),
    "board_embed_of_day": Row(NOBODY),
}

DAY = {"day": lambda world: date(2020, 1, 1)}
PARTS = {"board_badge_of_day": DAY, "entry_badge_of_day": DAY, "board_embed_of_day": DAY}
