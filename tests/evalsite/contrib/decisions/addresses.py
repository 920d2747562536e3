"""Who may read the list of decisions."""

from tests.evalsite.access.rows import EVERYBODY, Row

TABLE = {
    "decisions": Row(EVERYBODY),
    "decisions_csv": Row(EVERYBODY),
}
