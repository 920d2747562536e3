"""Markdown of organisers: what it can do, and what it cannot be made to do."""

import re

import pytest

from evalsite.challenges.texts.markdown import foreign_images, render

OWN_TAGS = (
    '<div class="table-scroll" role="region" aria-label="Table" tabindex="0">',
    '<table class="data">',
)


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        '<a href="https://example.org" onclick="alert(1)">x</a>',
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt&#58;alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x](vbscript:msgbox)",
        "<javascript:alert(1)>",
        '[x](https://example.org "\\" onmouseover=alert(1) x=\\"")',
        "![x](https://tracker.example.org/pixel.png)",
        '<svg><a xlink:href="javascript:alert(1)">x</a></svg>',
        "<iframe src=https://example.org></iframe>",
        "<style>body { display: none }</style>",
        '<p style="position: fixed">over everything</p>',
        "<form action=/accounts/logout/><button>x</button></form>",
        "<details open ontoggle=alert(1)>",
        "| a |\n|:-:|\n| <b onclick=alert(1)>x</b> |",
        "```\n</code></pre><script>alert(1)</script>\n```",
        '```x" onclick="alert(1)\ncode\n```',
        "<!--><script>alert(1)</script>-->",
        "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    ],
)
def test_hostile_markdown_yields_no_active_html(hostile):
    tags = [tag for tag in re.findall(r"<[^>]*>", render(hostile)) if tag not in OWN_TAGS]

    assert not [tag for tag in tags if re.match(r"</?(script|img|svg|iframe|style|form|button|details|math)", tag)]
    assert not [tag for tag in tags if re.search(r"\s(on\w+|style|class|id)\s*=", re.sub(r'"[^"]*"', '""', tag))]
    assert not [tag for tag in tags if re.search(r'href="\s*(?!https?:|mailto:)', tag)]


def test_tables_lists_and_code_are_written_as_html():
    html = render("| Label | Example |\n|---|---|\n| Concept | *asma* |\n\n1. one\n\n`x < y`")

    assert "<th>Label</th>" in html
    assert "<td><em>asma</em></td>" in html
    assert "<ol>\n<li>one</li>\n</ol>" in html
    assert "<code>x &lt; y</code>" in html


def test_a_table_scrolls_within_itself_and_its_tags_stay_paired():
    html = render("| a |\n|---|\n| `<table>` |")

    assert html.count('<table class="data">') == html.count("</table></div>") == 1
    assert "<code>&lt;table&gt;</code>" in html


def test_links_leave_without_vouching_for_their_target():
    assert 'href="https://example.org"' in render("[paper](https://example.org)")
    assert 'rel="nofollow noopener noreferrer"' in render("[paper](https://example.org)")


@pytest.mark.parametrize("text", ["# Rules\n\n## Runs", "## Rules\n\n### Runs"])
def test_the_highest_heading_stands_below_the_heading_of_the_page(text):
    assert "<h3>Rules</h3>" in render(text)
    assert "<h4>Runs</h4>" in render(text)


def test_an_image_becomes_a_link_that_says_what_it_shows():
    link = '<a href="https://example.org/f1.png" rel="nofollow noopener noreferrer">Image: The *tag* set</a>'
    assert link in render("Look: ![The \\*tag\\* set](https://example.org/f1.png)")
    assert ">Image</a>" in render("![](https://example.org/f1.png)")
    assert "<img" not in render("![x](/static/logo.png)")


def test_an_image_inside_a_link_is_its_words():
    html = render("[![Build](https://example.org/badge.svg) passes](https://example.org)")
    assert html.count("<a ") == 1
    assert ">Image: Build passes</a>" in html


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:image/png;base64,AAAA"])
def test_an_image_of_another_scheme_leaves_its_words(address):
    html = render(f"![A chart]({address})")
    assert "A chart" in html
    assert "href=" not in html


def test_the_images_of_a_text_are_named():
    assert foreign_images("![Fig. *1*](a.png) and ![](https://example.org/2.png)\n\n[![x](b.png)](c) `![no](d)`") == [
        "Fig. 1",
        "https://example.org/2.png",
        "x",
    ]
    assert foreign_images("No picture.") == []


@pytest.mark.parametrize(
    ("text", "address", "after"),
    [
        ("See https://example.org/a_b_c.", "https://example.org/a_b_c", "."),
        ("(see https://example.org/x)", "https://example.org/x", ")"),
        ("https://example.org/a_(b) is it", "https://example.org/a_(b)", " is it"),
        ("http://example.org/?q=1&r=2, too", "http://example.org/?q=1&amp;r=2", ", too"),
    ],
)
def test_an_address_in_the_text_is_a_link(text, address, after):
    html = render(text)
    assert f'<a href="{address}" rel="nofollow noopener noreferrer">{address}</a>{after}' in html


@pytest.mark.parametrize("text", ["`https://example.org`", "[https://example.org](https://example.com)"])
def test_an_address_in_code_or_in_a_link_is_left_alone(text):
    assert render(text).count('href="https://example.org"') == 0


def test_columns_of_a_table_are_aligned_as_written():
    html = render("| a | b | c |\n|--:|:-:|---|\n| 1 | 2 | 3 |")
    assert '<th data-align="right">a</th>' in html
    assert '<td data-align="center">2</td>' in html
    assert "<td>3</td>" in html


def test_html_is_shown_as_it_was_written():
    assert "&lt;b&gt;bold&lt;/b&gt;" in render("<b>bold</b>")
