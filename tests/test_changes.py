"""That the tests are chosen which a change can break, and no others."""

import pytest

from tests.changes import Breakage

FILES = {
    "scoring/__init__.py": "from scoring import engine\n",
    "scoring/engine.py": "from scoring import families\n",
    "scoring/families/__init__.py": "NAMES = ['labels']\n",
    "scoring/families/labels/__init__.py": "from scoring.families.labels.tables import COLUMNS\n",
    "scoring/families/labels/tables.py": "COLUMNS = ()\n",
    "evalsite/results/headings.py": "",
    "evalsite/results/views.py": "from evalsite.results import headings\nPAGE = 'results/run.html'\n",
    "evalsite/results/charts.py": "",
    "evalsite/mailing/sending.py": "",
    "tests/scoring/families/test_labels.py": "import scoring\n",
    "tests/scoring/families/test_specimens.py": "from scoring.families import NAMES\n",
    "tests/scoring/test_engine.py": "from scoring import engine\n",
    "tests/evalsite/results/test_charts.py": "from evalsite.results import charts\n",
    "tests/evalsite/mailing/test_sending.py": "from evalsite.mailing import sending\n",
    "tests/evalsite/test_guide.py": "GUIDE = 'docs/guide.md'\n",
    "tests/evalsite/browser/test_keyboard.py": "",
    "tests/letters.py": "from evalsite.mailing import sending\n",
    "tests/evalsite/access/test_letters.py": "from tests.letters import sending\n",
    "templates/results/run.html": '{% include "includes/score.html" %}',
    "templates/includes/score.html": "",
    "docs/guide.md": "",
    "static/css/scores.css": "",
    "evalsite/settings.py": "",
    "tests/evalsite/mailing/conftest.py": "",
}


@pytest.fixture(scope="module")
def breakage(tmp_path_factory):
    root = tmp_path_factory.mktemp("project")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return Breakage(root)


@pytest.mark.parametrize(
    ("changed", "chosen"),
    [
        ("evalsite/mailing/sending.py", ["evalsite/access/test_letters", "evalsite/mailing/test_sending"]),
        ("evalsite/results/headings.py", ["evalsite/results/test_charts"]),
        ("scoring/engine.py", ["scoring/test_engine"]),
        ("scoring/families/labels/tables.py", ["scoring/families/test_labels", "scoring/families/test_specimens"]),
        ("templates/includes/score.html", ["evalsite/results/test_charts"]),
        ("static/css/scores.css", ["evalsite/browser/test_keyboard"]),
        ("docs/guide.md", ["evalsite/test_guide"]),
        ("tests/scoring/test_engine.py", ["scoring/test_engine"]),
        ("tests/evalsite/mailing/conftest.py", ["evalsite/mailing/test_sending"]),
        ("LICENSE", []),
    ],
)
def test_a_change_chooses_what_it_can_break(breakage, changed, chosen):
    assert breakage.test_files([changed]) == [f"tests/{name}.py" for name in chosen]


def test_the_settings_can_break_everything(breakage):
    assert breakage.test_files(["evalsite/settings.py"]) == [path for path in sorted(FILES) if "/test_" in path]


def test_nothing_is_chosen_where_nothing_has_changed(breakage):
    assert breakage.test_files([]) == []


def test_of_this_project_a_column_chooses_the_tests_of_its_family_and_no_letters():
    chosen = Breakage().test_files(["scoring/families/labels/tables.py"])
    assert "tests/scoring/families/labels/test_labels.py" in chosen
    assert "tests/scoring/families/test_columns.py" in chosen
    assert "tests/test_names.py" in chosen
    assert "tests/evalsite/contrib/letters/test_letters.py" not in chosen
    assert len(chosen) < 100
