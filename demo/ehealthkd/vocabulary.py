"""Facts for the demonstration sentences: Spanish words on health that go together, nouns with articles.

A row is one record; columns stand between `|`, alternatives between commas, `-` leaves a column out.
`el/la` marks a feminine noun that takes the article `el`.
"""

from pathlib import Path

Record = dict[str, tuple[str, ...]]


def _records(text: str) -> dict[str, list[Record]]:
    """The tables of records.txt, each headed by `[its name: its columns]`."""
    tables = {}
    for part in text.split("[")[1:]:
        head, rows = part.split("]", 1)
        name, columns = head.split(": ", 1)
        tables[name] = _table(columns, rows)
    return tables


def _table(columns: str, text: str) -> list[Record]:
    rows: list[str] = []
    for line in text.strip().splitlines():
        if line.startswith(" "):
            rows[-1] += line
        else:
            rows.append(line)
    return [_record(columns.split(), row) for row in rows]


def _record(columns: list[str], row: str) -> Record:
    cells = [cell.strip() for cell in row.split("|")]
    if len(cells) != len(columns):
        raise ValueError(f"{len(columns)} columns expected: {row}")
    return {
        column: tuple(value.strip() for value in cell.split(","))
        for column, cell in zip(columns, cells, strict=True)
        if cell != "-"
    }


# Slots that fit any sentence.
COMMON: Record = {
    "age": ("30 años", "40 años", "50 años", "60 años", "65 años", "70 años"),
    "childage": ("dos años", "cinco años", "seis años", "doce años"),
    "duration": ("dos semanas", "tres meses", "una semana", "un mes", "diez días", "48 horas", "cinco días"),
    "period": ("el embarazo", "la infancia", "la adolescencia", "la juventud", "la edad adulta"),
    "stage": ("la infancia", "la adolescencia", "la juventud"),
    "zone": ("las zonas urbanas", "las zonas rurales", "los climas fríos", "los países cálidos"),
    "site": ("el hospital", "la clínica", "el centro de salud", "el consultorio"),
}

RECORDS = _records((Path(__file__).parent / "records.txt").read_text(encoding="utf-8"))
