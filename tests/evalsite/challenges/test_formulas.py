"""Formulas of organisers' texts become MathML on the server, and nothing else becomes a formula."""

from importlib.util import find_spec

import pytest

from evalsite.challenges.texts.markdown import render
from tests.doubling import growth_of_time

needs_library = pytest.mark.skipif(find_spec("latex2mathml") is None, reason="latex2mathml is not installed")


@needs_library
def test_a_formula_is_mathml_in_its_line_or_on_its_own():
    inline = render("Ranked by $F_1 = \\frac{2PR}{P+R}$, as *usual*.")
    assert '<math xmlns="http://www.w3.org/1998/Math/MathML" display="inline">' in inline
    assert "<msub><mi>F</mi><mn>1</mn></msub>" in inline
    assert "<mfrac>" in inline
    assert inline.endswith("</math>, as <em>usual</em>.</p>\n")
    assert 'display="block"' in render("$$\\sum_{i=1}^n x_i$$")
    assert render("$a_i$ and $b_i$").count("<math") == 2


@pytest.mark.parametrize(
    "text",
    ["It costs $5 or $10.", "The $HOME and $ PATH $ of it", "`$F_1$`", "\\$F_1$", "100 $", f"${'x' * 600}$", "$$ $$"],
)
def test_prices_code_and_what_is_escaped_stay_as_they_are(text):
    assert "<math" not in render(text)


@needs_library
@pytest.mark.parametrize(
    "tex",
    [
        "\\href{javascript:alert(1)}{x}",
        "\\text{<script>alert(1)</script>}",
        "\\text{</math><img src=x onerror=alert(1)>}",
        "\\class{evil}{x}",
        "\\style{background:url(//evil.example)}{x}",
        "\\color{red}{x}",
        '\\unicode{"onclick}',
    ],
)
def test_a_formula_brings_no_script_and_no_style(tex):
    html = render(f"${tex}$").lower()
    assert not any(sign in html for sign in ("<script", "<img", "<a ", "href=", "style=", "class=", "onclick="))


@needs_library
@pytest.mark.parametrize("tex", ["\\frac{", "}", "\\begin{matrix}", "\\left(", "x^", "\\unknown", "{" * 250, "_" * 499])
def test_what_is_no_formula_harms_nothing(tex):
    assert "x" in render(f"${tex}$ x")


@pytest.mark.parametrize("piece", ["$a$ ", "$", "$a ", "$$x", "$\\", "$" + "{" * 200 + "$", "$x_1^2$"])
def test_a_text_is_rendered_in_time_that_grows_with_it(piece):
    def work(n):
        text = piece * (n // len(piece))
        return lambda: render(text)

    growth = growth_of_time(work, [2**11, 2**13])
    assert growth.is_linear, str(growth)
