"""Who may read and write letters."""

from tests.evalsite.access.rows import LOOKING, Row, organisers

TABLE = {
    "desk_letters": Row(LOOKING),
    "desk_letters_write": Row(LOOKING, organisers(422)),
    "desk_letters_one": Row(LOOKING),
}
PARTS = {"desk_letters": {"pk": lambda world: world.letter.pk}}
