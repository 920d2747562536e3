"""Who may do what with a class."""

from tests.evalsite.access.rows import LOOKING, NO, Row, organisers

TABLE = {
    "desk_class": Row(LOOKING, organisers(200)),
    "desk_class_list": Row(LOOKING, organisers(422)),
    "desk_class_remove": Row(NO, organisers(302)),
    "desk_class_target": Row(NO, organisers(302)),
    "desk_class_marks": Row(organisers(200)),
}
PARTS = {"desk_class_remove": {"pk": lambda world: world.task.students.get_or_create(email="sofia@example.org")[0].pk}}
