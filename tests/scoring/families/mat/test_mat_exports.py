import csv
import io
import re
import shutil
import subprocess

import pytest

from scoring.families.mat.exports import EXPORTS, counts_as_csv, counts_as_text, details_as_csv, details_as_text

COUNTS = {
    "LOC": (3, 1, 2, 1, 1),
    "ORG": (0, 0, 0, 2, 1),
    "PER": (0, 1, 1, 0, 0),
}  # match refclash missing hypclash spurious
NASTY = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(1)",
    "\t=1+1",
    "\n=1+1",
    "\r=1+1",
    "＝1+1",
    "＋1",
    "－1",
    "＠SUM(1)",
    "  =1+1",
    "'=x",
    "''=x",
    " ' =x",
    "'' -",
    "=",
    '=HYPERLINK("http://x.example","y")',
    '=cmd|" /C calc"!A0',
    "=SUM(B2;C2)",
]
HARMLESS = [
    "",
    "x=1",
    "a-b",
    "'",
    "'quoted'",
    "  blank",
    "\\",
    'say "so"',
    "a\nb",
    "a,b;c",
    "\u00a0=1",
    "x＝1",
    "𝒳",
    "<all>",
]


def test_a_table_is_right_justified_under_the_names_of_the_original():
    assert counts_as_text(by_tag({"LOC": (3, 1, 2, 1, 1), "MISC-LONG": (0, 0, 0, 0, 120)})[:2]) == (
        "      tag test docs test toks match refclash missing refonly reftotal hypclash spurious hyponly hyptotal"
        " precision recall fmeasure\n"
        "    -----     -----     ----- -----    -----   -----   -----    -----    -----    -----   -----    -----"
        "     -----  -----    -----\n"
        "      LOC         4        98     3        1       2       3        6        1        1       2        5"
        "     0.600  0.500    0.545\n"
        "MISC-LONG         4        98     0        0       0       0        0        0      120     120      120"
        "     0.000  1.000    0.000\n"
    )


def test_the_rule_below_the_header_does_not_widen_a_column():
    header, rule, row = details_as_text([detail(file="f", refstart=1)]).splitlines()
    assert header.split(" ")[0] == "file"
    assert rule.startswith("-----    -----")
    assert row.startswith("   f spurious ")


def test_widths_are_code_points():
    _, _, *rows = counts_as_text(by_tag({"地名": (1, 0, 0, 0, 0), "𝒳y": (1, 0, 0, 0, 0)})).splitlines()
    assert [row[:6] for row in rows] == ["   地名 ", "   𝒳y ", "<all> "]


def test_absent_cells_are_empty_and_contents_are_quoted_in_text():
    text = details_as_text([detail(hypcontent='a "b" \\c\n\r\td'), detail(hypcontent="")])
    _, _, first, second = text.split("\n")[:4]
    assert first.endswith(' "a \\"b\\" \\\\c\\n\\r\\td"')
    assert second.endswith(' ""')
    assert second.split() == ["a.json", "spurious", "PER", "4", "7", '""']


def test_a_table_without_rows_still_has_its_header():
    assert details_as_text([]).splitlines()[0].startswith("file type reflabel")
    assert rows_of(details_as_csv([])) == [
        ["file", "type", "reflabel", "refstart", "refend", "hyplabel", "hypstart", "hypend", "refcontent", "hypcontent"]
    ]


def test_values_are_written_at_full_precision():
    header, *rows = rows_of(counts_as_csv(by_tag()))
    assert header[:4] == ["tag", "test docs", "test toks", "match"]
    for record, row in zip(by_tag(), rows, strict=True):
        assert [type(value)(cell) for value, cell in zip(record.values(), row, strict=True)] == [*record.values()]


def test_lines_end_as_spreadsheet_programs_expect_and_quotes_are_doubled():
    content = details_as_csv([detail(hyplabel='a "b", c')])
    assert content.count(b"\r\n") == 2
    assert content.endswith(b"\r\n")
    assert b'"a ""b"", c"' in content


@pytest.mark.parametrize("separator", [",", ";"])
def test_what_follows_from_other_cells_is_a_formula(separator):
    _, first, *_, last = rows_of(counts_as_csv(by_token(), separator))
    assert first[6] == f"=SUM(E2{separator}F2)"
    assert first[12] == f"=IF(L2=0{separator}1{separator}D2/L2)"
    assert first[18] == "=(1-R2)"
    assert last[3] == "=SUM(D2:D4)"
    assert last[:3] == ["<all>", "4", "98"]


def test_letters_shift_behind_the_columns_of_confidence():
    header, first, *_ = rows_of(counts_as_csv(by_token(confident=True), ","))
    assert header[12:16] == ["precision", "precision_mean", "precision_variance", "precision_stddev"]
    assert first[13:16] == ["0.5", "", "0.25"]
    assert first[20] == "=IF((M2+Q2)=0,0,2*((M2*Q2)/(M2+Q2)))"
    assert header[32] == "tag_blind_accuracy"
    assert first[36] == "=(1-AG2)"


def test_the_last_row_of_a_table_without_labels_holds_zeros():
    _, row = rows_of(counts_as_csv(by_tag({}), ","))
    assert row[3:6] == ["0", "0", "0"]
    assert row[6] == "=SUM(E2,F2)"


@pytest.mark.parametrize("text", NASTY)
def test_what_looks_like_a_formula_gets_one_apostrophe(text):
    record = detail(file=text, hyplabel=text, hypcontent=text)
    _, row = rows_of(details_as_csv([record]))
    assert (row[0], row[5], row[9]) == ("'" + text,) * 3
    _, row, _ = rows_of(counts_as_csv(by_tag({text: (1, 0, 0, 0, 0)}), ","))
    assert row[0] == "'" + text


@pytest.mark.parametrize("text", HARMLESS)
def test_other_text_stays_as_it_is(text):
    _, row = rows_of(details_as_csv([detail(hypcontent=text)]))
    assert row[9] == text


@pytest.mark.parametrize("text", NASTY + HARMLESS)
def test_the_guard_can_be_undone(text):
    _, row = rows_of(details_as_csv([detail(hypcontent=text)]))
    assert unguarded(row[9]) == text


def test_numbers_are_never_guarded():
    records = [record | {"tag_blind_accuracy": -0.5} for record in by_token()]
    assert rows_of(counts_as_csv(records))[1][-2] == "-0.5"


def test_the_files_offered_hold_formulas_and_say_that_they_are_utf_8():
    tables = {"by_tag": by_tag(), "by_token": by_token(), "details": [detail()]}
    made = {export.name: export.make(tables, {}) for export in EXPORTS}
    assert made == {
        "bytag.csv": b"\xef\xbb\xbf" + counts_as_csv(by_tag(), ","),
        "bytoken.csv": b"\xef\xbb\xbf" + counts_as_csv(by_token(), ","),
        "details.csv": b"\xef\xbb\xbf" + details_as_csv([detail()]),
    }
    assert [export.name for export in EXPORTS if export.tells_gold] == ["details.csv"]
    assert [export.table for export in EXPORTS] == [*tables]


@pytest.fixture(scope="module")
def calculated(tmp_path_factory):
    """Return what LibreOffice makes of a CSV file: name -> its cells, formulas replaced by their values."""
    program = shutil.which("soffice")
    if not program:
        pytest.skip("LibreOffice is not installed: no soffice on the path")
    folder = tmp_path_factory.mktemp("calculated")
    nasty = COUNTS | {label: (1, 0, 1, 0, 1) for label in NASTY}
    contents = {
        f"{name}-{separator}": counts_as_csv(records, separator)
        for name, records in tables_of(nasty).items()
        for separator in ",;"
    }
    contents["details"] = details_as_csv(nasty_details())
    for name, content in contents.items():
        (folder / f"{name}.csv").write_bytes(b"\xef\xbb\xbf" + content)
    # Comma, double quote, UTF-8; in the output numbers as they are, not as they are shown.
    layout = "44,34,76,1,,0,false,{},false"
    subprocess.run(
        [
            program,
            f"-env:UserInstallation={(folder / 'profile').as_uri()}",
            "--headless",
            f"--infilter=Text - txt - csv (StarCalc):{layout.format('true')}",
            "--convert-to",
            f"csv:Text - txt - csv (StarCalc):{layout.format('false')}",
            "--outdir",
            folder / "out",
            *(folder / f"{name}.csv" for name in contents),
        ],
        check=True,
        capture_output=True,
        timeout=300,
    )
    return {name: rows_of((folder / "out" / f"{name}.csv").read_bytes()) for name in contents}


@pytest.mark.parametrize("separator", [",", ";"])
@pytest.mark.parametrize("name", ["by_tag", "by_token", "by_token_confident", "without_labels"])
def test_a_spreadsheet_program_calculates_the_values(name, separator, calculated):
    nasty = COUNTS | {label: (1, 0, 1, 0, 1) for label in NASTY}
    header, *rows = calculated[f"{name}-{separator}"]
    records = tables_of(nasty)[name]
    assert len(header) == len(records[0])
    for record, (tag, *cells) in zip(records, rows, strict=True):
        assert unguarded(tag) == with_newlines(record["tag"])
        values = [None if cell == "" else float(cell) for cell in cells]
        assert values == pytest.approx([*record.values()][1:], abs=1e-9)


def test_a_spreadsheet_program_shows_what_documents_say_as_text(calculated):
    _, *rows = calculated["details"]
    for record, row in zip(nasty_details(), rows, strict=True):
        for place, name in ((0, "file"), (5, "hyplabel"), (9, "hypcontent")):
            assert unguarded(row[place]) == with_newlines(record[name])


def tables_of(counts):
    return {
        "by_tag": by_tag(counts),
        "by_token": by_token(counts),
        "by_token_confident": by_token(counts, confident=True),
        "without_labels": by_token({}),
    }


def by_tag(counts=COUNTS):
    total = tuple(map(sum, zip(*counts.values(), strict=True))) or (0,) * 5
    return [by_tag_row(tag, *row) for tag, row in {**counts, "<all>": total}.items()]


def by_tag_row(tag, match, refclash, missing, hypclash, spurious):
    refonly, hyponly = refclash + missing, hypclash + spurious
    reftotal, hyptotal = refonly + match, hyponly + match
    precision = match / hyptotal if hyptotal else 1.0
    recall = match / reftotal if reftotal else 1.0
    return {
        "tag": tag,
        "test_docs": 4,
        "test_toks": 98,
        "match": match,
        "refclash": refclash,
        "missing": missing,
        "refonly": refonly,
        "reftotal": reftotal,
        "hypclash": hypclash,
        "spurious": spurious,
        "hyponly": hyponly,
        "hyptotal": hyptotal,
        "precision": precision,
        "recall": recall,
        "fmeasure": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
    }


def by_token(counts=COUNTS, confident=False):
    records = [row | accuracies(row) for row in by_tag(counts)]
    return [with_moments(record) for record in records] if confident else records


def accuracies(row):
    blind = (98 - row["missing"] - row["spurious"]) / 98
    sensitive = blind - row["refclash"] / 98
    return {
        "tag_sensitive_accuracy": sensitive,
        "tag_sensitive_error_rate": 1 - sensitive,
        "tag_blind_accuracy": blind,
        "tag_blind_error_rate": 1 - blind,
    }


def with_moments(record):
    moments = {"_mean": 0.5, "_variance": None, "_stddev": 0.25}
    found = {}
    for name, value in record.items():
        found[name] = value
        if isinstance(value, float):
            found |= {name + ending: moment for ending, moment in moments.items()}
    return found


def detail(**cells):
    return {
        "file": "a.json",
        "type": "spurious",
        "reflabel": None,
        "refstart": None,
        "refend": None,
        "hyplabel": "PER",
        "hypstart": 4,
        "hypend": 7,
        "refcontent": None,
        "hypcontent": "Ab",
    } | cells


def nasty_details():
    return [detail(file=text, hyplabel=text, hypcontent=text) for text in NASTY + HARMLESS]


def rows_of(content):
    return [*csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))]


def unguarded(cell):
    return cell[1:] if re.match("'[ ']*[=+\\-@\t\r\n＝＋－＠]", cell) else cell


def with_newlines(text):
    """LibreOffice keeps a line break in a cell, but only one kind of it."""
    return text.replace("\r", "\n")
