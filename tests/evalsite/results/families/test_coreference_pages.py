"""The pages of a run of the coreference family: every metric, what went wrong, and documents beside the gold."""

import re
from html import unescape

import pytest
from django.urls import reverse

from scoring.scale import decimals_of_ends
from tests.evalsite.families import make_chained, make_listed

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(olga, team, alice):
    return make_chained(olga, team, alice)


def rows(content: str, title: str) -> dict[str, list[str]]:
    """The texts of a table's cells by the text of the row's head."""
    table = content[content.index(f'aria-label="{title}"') :].split("</table>")[0]
    found = {}
    for row in re.findall(r"<tr[^>]*>(.*?)</tr>", table, re.DOTALL):
        cells = [
            " ".join(re.sub(r"<[^>]+>", " ", cell).split())
            for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL)
        ]
        found[cells[0]] = cells[1:]
    return found


def test_every_metric_has_its_recall_precision_and_f1_with_intervals_and_the_average_stands_below(page, run, release):
    release()
    result = run.scorings.get().result
    found = rows(page(), "Metric by metric")
    for title, metric in {"MUC •": "muc", "B³ •": "b_cubed", "LEA": "lea", "Mentions": "mention"}.items():
        for cell, part in zip(found[title], ("recall", "precision", "f1"), strict=False):
            low, high = result.intervals[f"{metric}_{part}"]
            digits = decimals_of_ends((low, high))
            assert cell == f"{result.scores[f'{metric}_{part}']:.3f} [{low:.{digits}f}, {high:.{digits}f}]"
    assert len(found) == 1 + 7 + 1
    assert list(found)[-1].startswith("CoNLL average")
    assert list(found.values())[-1][0].startswith(f"{result.scores['conll_f1']:.3f} [")


def test_while_the_gold_is_hidden_there_are_rows_and_columns_of_the_shown_scores_alone(page):
    found = rows(page(), "Metric by metric")
    assert list(found) == ["Metric", "MUC •", "B³ •", "CEAF_e (entities) •", "Mentions", *list(found)[-1:]]
    assert found["Metric"][0] == "F1"


def test_errors_are_counted_by_kind_and_the_worst_kind_is_named(page):
    content = page()
    found = {title.split()[0] + title.split()[1]: cells[:2] for title, cells in rows(content, "Problems").items()
             if title != "Error"}  # fmt: skip
    assert found["Missingentity"] == ["1", "1"]
    assert found["Dividedentity"] == ["2", "2"]
    assert found["Extramention"] == ["0", "0"]
    assert "Most mentions are in errors of the kind <i>divided entity</i>" in content


def test_the_protocol_stands_beside_the_numbers(page, run):
    assert "as the CoNLL reference scorer does" in page()
    scenario = run.phase.task.scenarios.get()
    scenario.options = {"protocol": "scorch"}
    scenario.save()
    assert "were added to the gold as singletons" in page()


def texts(content: str) -> list[str]:
    """Return what each side of each passage reads, without brackets and signs."""
    start = r'<p class="side" lang="[^"]*" dir="auto"><span class="side-name">\w+</span>'
    sides = re.findall(rf"{start}(.*?)</p>", content, re.DOTALL)
    bare = (re.sub(r"<(a|i) [^>]*>.*?</\1>", "", side) for side in sides)
    return [unescape(re.sub(r"<[^>]+>", "", side)) for side in bare]


def test_a_document_shows_its_text_unchanged_on_both_sides(document):
    found = texts(document("the trial"))
    assert len(found) == 8
    assert found[::2] == found[1::2]
    assert found[2] == "She gave him a <letter> for her ."


def test_a_mention_has_brackets_a_sign_and_a_word_for_what_is_wrong(document):
    content = re.sub(r"</?span[^>]*>", "", document("the trial"))
    bare = unescape(re.sub(r"<(?!b>|/b>)[^>]+>", "", content))
    assert "[[the lawyer]3 's brother]2 <b>missing</b> in [the old court]4 ." in bare
    assert "[Nobody in [the court]4]B <b>spurious</b> had seen" in bare
    assert "[her]3 <b>split off</b> <b>merged</b>" in bare


def test_each_sign_leads_to_its_chain_and_each_listed_mention_to_its_place(document):
    content = document("the trial")
    leads = re.findall(r'href="#([\w-]+)"', content)
    assert len(leads) > 29 * 2
    for lead in leads:
        assert content.count(f'id="{lead}"') == 1, lead


def test_a_document_is_filtered_by_kind_without_any_script(document):
    content = document("the trial", "?show=spurious")
    assert len(texts(content)) == 2
    assert "Nobody" in texts(content)[0]
    assert content.count('<tr id="chain-') == 1
    assert '<a href="?show=spurious" aria-current="true">' in content
    assert "No mention of this kind is in this text." in document("a letter", "?show=missing")


def test_an_entirely_right_document_says_so(document):
    content = document("a letter")
    assert content.count("○ the same") == 2
    assert "Errors" not in content


def test_mentions_without_a_text_are_listed_chain_by_chain(as_alice, olga, team, alice):
    made = make_listed(olga, team, alice, gold_released=True)
    address = reverse("submission_unit", args=[made.pk, 1, "one"])
    content = as_alice.get(address).content.decode()
    assert "data-marks" not in content
    found = rows(content, "Chain by chain")
    assert found["2"][1:] == ["m4 m5 missing", "m3 split off merged from 1 m4 m7 spurious"]
    assert "No chain has a mention of this kind" not in content
    assert list(rows(as_alice.get(f"{address}?show=spurious").content.decode(), "Chain by chain")) == ["Chain", "2"]
