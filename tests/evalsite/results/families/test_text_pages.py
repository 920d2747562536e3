"""The pages of a run of texts beside references: sacreBLEU's lines, segments beside the gold, two runs together."""

import json
import re
from html import unescape

import pytest
from django.urls import reverse

from evalsite.challenges.gold.checks import check_gold
from evalsite.challenges.models import Phase
from evalsite.leaderboard.making.best_runs import recount_all
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from scoring import GoldError
from tests.factories import make_gold, make_phase, make_run, make_scenario, make_task

pytestmark = pytest.mark.django_db

REFERENCES = {
    "s 1": ["The bridge is closed until Friday.", "Until Friday the canary bridge is closed."],
    "s2": ["Take the ferry from the old mill, please."],
    "s3": ["Nobody pays for late books in May."],
}
TEXTS = {"s 1": "The bridge is <shut> until Friday.", "s2": "", "s3": "Nobody pays for late books in May."}
OTHERS = TEXTS | {"s 1": "The bridge is closed until Friday."}
OPTIONS = {"metrics": ["chrf", "ter", "rouge"], "headline": "chrf"}


def lines(records):
    return "".join(json.dumps(record) + "\n" for record in records)


def upload(texts):
    return {"run.jsonl": lines({"id": name, "text": text} for name, text in texts.items())}


@pytest.fixture
def phase(olga):
    task = make_task("words", olga)
    scenario = make_scenario(task, family="text", options=OPTIONS)
    entered = make_phase(task)
    gold = lines({"id": name, "refs": refs, "document": "notices"} for name, refs in REFERENCES.items())
    make_gold(entered, scenario, {"gold.jsonl": gold})
    return entered


@pytest.fixture
def run(phase, team):
    return make_run(phase, team, upload(TEXTS))


def test_a_run_shows_sacrebleu_s_lines_and_no_segment_while_gold_is_hidden(read, run):
    page = read(run.get_absolute_url())
    assert "<dt>chrF</dt> <dd><code>nrefs:var|case:mixed|eff:yes|nc:6|nw:0|space:no|version:" in page
    assert "<dt>TER</dt> <dd><code>nrefs:var|case:lc|tok:tercom" in page
    assert "It knows the letters a to z and digits alone" in page
    assert "Segment by segment" not in page
    assert "canary" not in page


def test_where_gold_is_open_segments_are_listed_the_worst_first_and_lead_to_their_pages(read, run):
    Phase.objects.update(gold_released=True)
    page = read(run.get_absolute_url())
    table = page[page.index("Segment by segment") :]
    assert re.findall(r'<a class="name" href="[^"]*/units/(s[^/]+)/">', table) == ["s2", "s%201", "s3"]
    assert "100.0" in table  # chrF and TER with one decimal
    assert '<bdi class="name">notices</bdi>' in page[page.index("Document by document") :]


def test_the_page_of_a_segment_marks_the_words_that_differ(read, run):
    Phase.objects.update(gold_released=True)
    page = read(reverse("submission_unit", args=[run.pk, 1, "s 1"]))
    assert 'The bridge is <span class="span-mark is-spurious"><shut></span> until Friday.' in page
    assert 'The bridge is <span class="span-mark is-missing">closed</span> until Friday.' in page
    assert re.search(r"Reference 1, the nearest .* Reference 2 ", page)
    assert "This text is empty." in read(reverse("submission_unit", args=[run.pk, 1, "s2"]))


def test_gold_is_refused_in_words_where_a_package_is_missing(monkeypatch, phase, tmp_path):
    monkeypatch.setattr("scoring.families.text.options.find_spec", lambda name: None)
    scenario = make_scenario(phase.task, 2, family="text", options={"language": "ja"})
    (tmp_path / "gold.txt").write_text("a\n")
    with pytest.raises(GoldError, match="needs the packages mecab-python3 and ipadic"):
        check_gold(tmp_path / "gold.txt", scenario)


def test_two_runs_are_shown_beside_the_first_reference(read, team, phase, run):
    Phase.objects.update(gold_released=True)
    other = make_run(phase, team, upload(OTHERS))
    address = reverse("board_compare_unit", args=["words", phase.slug, 1, "s 1"])
    page = read(f"{address}?a={run.pk}&b={other.pk}")
    assert "Words of the first reference" in page
    assert re.search(r"Not in the text.*In the text", page)


def test_a_board_is_cited_with_the_signatures_of_its_scores(client, phase, run):
    scenario = phase.task.scenarios.get()
    board = Board.objects.get_or_create(phase=phase, scenario=scenario)[0]
    recount_all(board)
    refresh(board)
    address = reverse("board", args=[phase.task.slug, phase.slug, scenario.number])
    cited = unescape(client.get(address).content.decode()).partition('id="cite"')[2].partition("</details>")[0]
    assert cited.count("nrefs:var|case:mixed|eff:yes|nc:6|nw:0|space:no|version:") == 2  # in BibTeX, too
    assert cited.count("nrefs:var|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:") == 1
