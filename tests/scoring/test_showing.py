"""Results as drawings: in a notebook, and in files."""

from xml.etree import ElementTree

import pytest

import scoring
from scoring.__main__ import main
from scoring.readers.archive import Made

SVG = "{http://www.w3.org/2000/svg}"
N_SENTENCES = 30


def files(n_right: int) -> Made:
    """A run that has the label right in so many sentences; all right, it is the gold."""
    lines = [f"{k + 1}\t{2 * k} {2 * k + 1}\t{'Concept' if k < n_right else 'Action'}\tx\n" for k in range(N_SENTENCES)]
    return Made(
        {
            "input_scenario1.txt": b"x\n" * N_SENTENCES,
            "output_a_scenario1.txt": "".join(lines).encode(),
            "output_b_scenario1.txt": b"",
        }
    )


@pytest.fixture(scope="module")
def results():
    gold = files(N_SENTENCES)
    return {
        name: scoring.evaluate("ehealthkd", gold=gold, system=files(n), options={"scenario": 1}, n_resamples=500)
        for name, n in (("good <&> long", 27), ("worse", 12))
    }


def circles(drawing: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(drawing).findall(f".//{SVG}circle")


def test_a_comparison_is_drawn_with_a_dot_a_whisker_and_a_place_for_each_system(results):
    comparison = scoring.compare(results, 500)
    drawing = comparison.svg()
    assert len(circles(drawing)) == 2
    root = ElementTree.fromstring(drawing)
    assert root.find(f"{SVG}title").text == comparison.sentence
    described = root.find(f"{SVG}desc").text
    assert "1 good <&> long 0.900 [" in described
    assert "2 worse 0.400 [" in described


def test_whiskers_reach_from_end_to_end_on_the_axis_of_the_dots(results):
    root = ElementTree.fromstring(scoring.compare(results, 500).svg({"worse": (0.2, 0.9)}))
    ends = [line for line in root.findall(f".//{SVG}line") if line.get("stroke-width") == "1.5"]
    first, second = (float(dot.get("cx")) for dot in root.findall(f".//{SVG}circle"))
    [whisker] = ends
    assert float(whisker.get("x2")) == first  # 0.9 is the better one's score
    assert float(whisker.get("x1")) < second < first


def test_references_are_hollow_with_a_line_through_all_rows(results):
    drawing = scoring.compare(results, 500, references=["worse"]).svg()
    assert [dot.get("fill") for dot in circles(drawing)] == [None, "none"]
    assert drawing.count("stroke-dasharray") == 1


def test_a_notebook_shows_drawings_that_load_nothing(results):
    evaluation = results["worse"]
    differences = scoring.compare_scores(results["good <&> long"], evaluation)
    for shown in (evaluation, scoring.compare(results, 500), differences):
        page = shown._repr_html_()
        ElementTree.fromstring(page)
        assert "<circle" in page
        for loaded in ("<script", "href", "src=", "url("):
            assert loaded not in page
    assert evaluation.signature in evaluation._repr_html_()


def test_the_command_writes_the_drawing_beside_the_table(tmp_path, capsys):
    for name, n in (("gold", N_SENTENCES), ("a", 27), ("b", 12)):
        (tmp_path / name).mkdir()
        for path, content in files(n).items():
            (tmp_path / name / path).write_bytes(content)
    places = [str(tmp_path / name) for name in ("a", "b")]
    drawing = tmp_path / "ranking.svg"
    words = ["compare", "ehealthkd", "--gold", str(tmp_path / "gold"), *places, "--resamples", "500"]
    assert main([*words, "--svg", str(drawing)]) == 0
    assert len(circles(drawing.read_text(encoding="utf-8"))) == 2
    assert "rank" in capsys.readouterr().out
