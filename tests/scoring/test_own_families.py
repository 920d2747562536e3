"""A package brings a family of its own: the skeleton, the guide's example, and what happens with a broken one."""

import os
import random
import shutil
import subprocess
import sys

import pytest
from nltk.metrics.segmentation import pk, windowdiff

import scoring
from scoring import skeleton
from scoring.errors import ConfigurationError
from scoring.families import Families
from tests.scoring.own_families import ROOT, installed, written_by_the_guide


def run(*arguments, beside, cwd=ROOT):
    """Return what a program prints that has these folders on its path, and its exit status."""
    path = os.pathsep.join(map(str, [beside, ROOT]))
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout, done.returncode


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return written_by_the_guide(tmp_path_factory.mktemp("guide") / "evalsite-segmentation")


@pytest.fixture(scope="module")
def site(package, tmp_path_factory):
    """A folder in which the guide's package is installed."""
    return installed(package, tmp_path_factory.mktemp("site"))


@pytest.mark.thorough
def test_a_new_family_passes_its_own_tests_and_is_scored_by_the_command_line(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "scoring", "new-family", "key_phrases", "--folder", tmp_path / "new"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.splitlines()[-1] == f"Install it with: pip install --editable {tmp_path / 'new'}"
    beside = installed(tmp_path / "new", tmp_path / "site")
    printed, status = run("-m", "pytest", "-q", beside=beside, cwd=tmp_path / "new")
    assert status == 0, printed
    (tmp_path / "gold.tsv").write_text("a\tyes\nb\tno\n")
    files = ["--gold", tmp_path / "gold.tsv", "--system", tmp_path / "gold.tsv"]
    printed, status = run("-m", "scoring", "evaluate", "key_phrases", *files, beside=beside)
    assert status == 0, printed
    assert "|package:evalsite-key-phrases 0.1.0|" in printed


@pytest.mark.parametrize("name", ["Key", "key-phrases", "1key", "class", "", "k" * 31])
def test_a_name_that_is_none_of_pythons_is_refused(tmp_path, name):
    with pytest.raises(ConfigurationError, match="cannot be the name of a family"):
        skeleton.write(name, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_folder_that_is_there_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(ConfigurationError, match="is there already"):
        skeleton.write("key_phrases", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.thorough
def test_the_guides_example_gives_the_numbers_of_its_cases(package, site):
    cases = package / "tests" / "test_segmentation.py"
    printed, status = run("-m", "pytest", "-q", cases, "-k", "scores or example", beside=site, cwd=package)
    assert status == 0, printed
    assert "4 passed" in printed


def test_the_guides_example_counts_as_nltk_does(site, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(site)
    families = Families()
    monkeypatch.setattr("scoring.engine.FAMILIES", families)
    monkeypatch.setattr("scoring.comparing.compare.FAMILIES", families)
    rng = random.Random(7)
    for _ in range(20):
        n, window = rng.randint(5, 40), rng.randint(2, 4)
        gold, system = ["".join(rng.choices("01", (3, 1), k=n - 1)) for _ in range(2)]
        for side, boundaries in (("gold", gold), ("system", system)):
            (tmp_path / side).write_text(f"a\t{lengths(boundaries)}\n")
        paths = {"gold": tmp_path / "gold", "system": tmp_path / "system"}
        result = scoring.evaluate("segmentation", **paths, options={"window": window})
        assert result.scores["window_diff"] == pytest.approx(windowdiff(gold, system, window), abs=1e-12)
        assert result.scores["p_k"] == pytest.approx(pk(gold, system, window), abs=1e-12)
        assert result.lower_is_better == ["p_k", "window_diff"]


def lengths(boundaries: str) -> str:
    """The segments follow: "0010" has a boundary behind the third of five sentences, so 3 and 2."""
    return " ".join(str(len(zeros) + 1) for zeros in boundaries.split("1"))


@pytest.mark.parametrize("version", ["1", "9"])
@pytest.mark.thorough
def test_a_package_for_another_record_is_left_out_and_said_to_be(site, tmp_path, version):
    broken = shutil.copytree(site, tmp_path / "site", ignore=shutil.ignore_patterns("__pycache__"))
    module = broken / "evalsite_segmentation" / "__init__.py"
    module.write_text(module.read_text().replace("written_for=2", f"written_for={version}"))
    printed, status = run("-m", "scoring", "evaluate", "segmentation", "--gold", "g", "--system", "s", beside=broken)
    assert status == 2
    said = f"evalsite-segmentation 0.1.0: ConfigurationError: it says written_for={version}; this engine takes records"
    assert said in " ".join(printed.split())
    printed, status = run("-c", "import scoring; print(*scoring.FAMILIES)", beside=broken)
    assert (printed.split(), status) == (list(scoring.FAMILIES), 0)


def test_a_package_that_breaks_when_it_is_imported_takes_nothing_else_down(site, tmp_path):
    broken = shutil.copytree(site, tmp_path / "site", ignore=shutil.ignore_patterns("__pycache__"))
    (broken / "evalsite_segmentation" / "__init__.py").write_text("1 / 0\n")
    printed, status = run("-c", "import scoring; print(scoring.FAMILIES.refused, len(scoring.FAMILIES))", beside=broken)
    assert status == 0, printed
    assert "evalsite-segmentation 0.1.0: ZeroDivisionError: division by zero" in printed
    assert printed.split()[-1] == str(len(scoring.FAMILIES))


@pytest.mark.thorough
def test_no_package_takes_the_name_of_one_of_our_families(site, tmp_path):
    taken = shutil.copytree(site, tmp_path / "site")
    entries = next(taken.glob("*.dist-info/entry_points.txt"))
    entries.write_text(entries.read_text().replace("segmentation =", "mat ="))
    printed, _ = run(
        "-c", "import scoring; print(scoring.FAMILIES.refused, scoring.FAMILIES['mat'].package)", beside=taken
    )
    assert "there is a family mat already" in printed
    assert printed.split()[-1] == "None"
