"""Reads a list of students as CSV, however a spreadsheet has written it, and tells every problem with its line."""

import csv
import io
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext

from evalsite.accounts.forms import NameField

MAX_STUDENTS = 1_000  # students
MOST_PROBLEMS = 20  # that are told at once
SEPARATORS = ";\t,"
# Headings by what stands under them, without case; any other column is left out.
HEADINGS = {
    "email": ("email", "e-mail", "mail", "address", "e-mail address", "email address", "correo", "dirección"),
    "name": ("name", "full name", "student", "nombre", "nombre completo", "apellidos y nombre"),
    "number": ("number", "student number", "id", "student id", "matriculation", "número", "dni", "nip"),
}
_NAMES, _NUMBERS = NameField(max_length=150), NameField(max_length=50, required=False)


@dataclass(frozen=True)
class Line:
    email: str
    name: str
    number: str


@dataclass(frozen=True)
class StudentList:
    """What was read of a list; with a problem nothing of it should be used."""

    students: list[Line]
    problems: list[str]
    repeated: list[int]  # numbers of lines that say of a student what an earlier one has said


def read_students(text: str) -> StudentList:
    """Return the students, each once, and the problems.

    The first line may have headings in any order; without them the columns are name, address and number.
    """
    text = text.removeprefix("\ufeff").replace("\0", "")
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator_of(text), strict=True)
    students: dict[str, tuple[int, Line]] = {}
    problems: list[str] = []
    repeated: list[int] = []
    columns: dict[str, int] | None = None
    try:
        for row in rows:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if columns is None:
                columns, is_heading = _columns(cells)
                if is_heading:
                    continue
            if _is_repeated(rows.line_num, cells, columns, students, problems):
                repeated.append(rows.line_num)
    except csv.Error as error:
        problems.append(gettext("Line %(n)d: %(error)s.") % {"n": rows.line_num, "error": error})
    if not students and not problems:
        problems.append(gettext("There is nobody on the list."))
    if len(students) > MAX_STUDENTS:
        problems.append(gettext("The list has %(n)d students, and at most %(most)d are possible.") % {
            "n": len(students), "most": MAX_STUDENTS,
        })  # fmt: skip
    more = len(problems) - MOST_PROBLEMS
    if more > 0:
        problems = [*problems[:MOST_PROBLEMS], gettext("And %(n)d further problems.") % {"n": more}]
    return StudentList([line for _, line in students.values()], problems, repeated)


def separator_of(text: str) -> str:
    """Return the separator that the first line has most of, outside of quotes."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    bare = "".join(first.split('"')[::2])
    return max(SEPARATORS, key=bare.count)


def _columns(cells: list[str]) -> tuple[dict[str, int], bool]:
    heads = [cell.lower() for cell in cells]
    named = {
        key: next(place for place, head in enumerate(heads) if head in words)
        for key, words in HEADINGS.items()
        if any(head in words for head in heads)
    }
    if "email" in named and not any("@" in cell for cell in cells):
        return {"name": -1, "number": -1} | named, True
    return {"name": 0, "email": 1, "number": 2}, False


def _is_repeated(
    n: int, cells: list[str], columns: dict[str, int], students: dict[str, tuple[int, Line]], problems: list[str]
) -> bool:
    """Add the student of a row, or a problem with it; return whether an earlier row says the same."""

    def cell(key: str) -> str:
        place = columns[key]
        return cells[place] if 0 <= place < len(cells) else ""

    email = cell("email").lower()
    try:
        validate_email(email)
        if len(email) > 254:
            raise ValidationError("too long")
    except ValidationError:
        words = gettext(
            "Line %(n)d: “%(found)s” is no e-mail address. Write name, address and number: Ana Pérez;ana@uni.example;12"
        )
        problems.append(words % {"n": n, "found": cell("email")[:60]})
        return False
    try:
        line = Line(email, _NAMES.clean(cell("name")), _NUMBERS.clean(cell("number")))
    except ValidationError as error:
        words = gettext("Line %(n)d, %(email)s: name or number cannot be used. %(error)s")
        problems.append(words % {"n": n, "email": email, "error": " ".join(error.messages)})
        return False
    if email not in students:
        students[email] = n, line
        return False
    before = students[email]
    if before[1] != line:
        words = gettext("Line %(n)d: %(email)s is on line %(first)d already, with another name or number.")
        problems.append(words % {"n": n, "email": email, "first": before[0]})
    return before[1] == line
