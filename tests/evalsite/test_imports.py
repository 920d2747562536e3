"""No module of engine or site needs one that needs it: each can be imported first."""

import json
import os
import subprocess
import sys

import pytest

from tests.import_graph import ROOT, circles, import_graph, modules


def test_no_module_needs_one_that_needs_it():
    assert circles(import_graph(modules("scoring", "evalsite", "demo"))) == []


def test_a_circle_is_found(tmp_path):
    texts = {"above": "from below import send\n", "below": "import above\n", "apart": "import below\n"}
    files = {name: tmp_path / f"{name}.py" for name in texts}
    for name, text in texts.items():
        files[name].write_text(text)
    assert circles(import_graph(files)) == [["above", "below"]]


@pytest.mark.thorough
def test_each_module_can_be_imported_alone():
    environment = os.environ | {"EVALSITE_BOOTSTRAP": "0", "DJANGO_SETTINGS_MODULE": "evalsite.settings"}
    command = [sys.executable, "-m", "tests.imports_alone"]
    answer = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    report = json.loads(answer.stdout)
    assert report["imported"] > 900
    assert report["failures"] == {}
