"""Who may begin a season."""

from tests.evalsite.access.rows import LOOKING, Row, organisers

TABLE = {"desk_phases_season": Row(LOOKING, organisers(422))}
