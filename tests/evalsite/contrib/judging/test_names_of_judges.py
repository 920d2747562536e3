"""The name of a judge is a line like any other, whoever posts it."""

from uuid import uuid4

import pytest
import yaml

from evalsite.contrib.judging.reading import Invalid, read_posted

PILED = "a" + "\u0301" * 9


@pytest.mark.parametrize("name", ["x" * 61, "a  b", " a", "a\u202eb", "a\u200bb", "a\nb", "a\x7f", PILED, ""])
def test_a_judge_with_a_bad_name_is_refused_at_its_place(name):
    text = {"run": str(uuid4()), "scenario": 1, "judge": {"name": name, "version": "1"}, "scores": []}
    with pytest.raises(Invalid) as caught:
        read_posted(yaml.safe_dump(text, default_flow_style=True, width=10**6, allow_unicode=False).encode())
    assert caught.value.troubles
