"""What a judge posts is read in time and memory that grow with its size, whatever is wrong with it."""

import contextlib
import json

import pytest

from evalsite.contrib.judging.reading import Invalid, read_posted
from tests.doubling import growth_of_memory, growth_of_time
from tests.evalsite.contrib.judging.conftest import COMET

SIZES = [2**13, 2**15, 2**17]  # keys, scores or brackets
RUN = "6b0f1a52-51fd-4a43-b0a2-9f4f0a1c6c11"


def posted(scores):
    return json.dumps({"run": RUN, "scenario": 1, "judge": COMET, "scores": scores})


def keys(n, last):
    return "{" + ", ".join(f'"k{k}": 1' for k in range(n)) + f', "{last}": 1}}'


SHAPES = {
    "keys of which the last is there twice": lambda n: keys(n, f"k{n - 1}"),
    "keys that nobody knows": lambda n: keys(n, "run"),
    "one key": lambda n: "{" + ", ".join(['"run": 1'] * n) + "}",
    "scores in order": lambda n: posted([{"unit": f"u{k}", "score": 0.5} for k in range(n)]),
    "one unit": lambda n: posted([{"unit": "u", "score": 0.5}] * n),
    "scores with unknown keys": lambda n: posted([{f"u{k}": 1} for k in range(n)]),
    "scores that are none": lambda n: posted([k for k in range(n)]),
    "objects with a key that is there twice": lambda n: "[" + ",".join(['{"a": 1, "a": 1}'] * n) + "]",
    "one key of a score": lambda n: f'{{"scores": [{keys(n, "k0")}]}}',
    "brackets": lambda n: "[" * n,
    "digits": lambda n: posted("x").replace('"x"', "1" * n),
    "blanks": lambda n: posted("x" + " " * n),
    "marks": lambda n: posted("x" + "\u0301\u0327" * n),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_post_is_read_in_time_and_memory_that_grow_with_its_size(shape):
    growth = growth_of_time(lambda n: reading(SHAPES[shape](n)), SIZES)
    assert growth.is_linear, str(growth)
    growth = growth_of_memory(lambda n: reading(SHAPES[shape](n)), SIZES[1])
    assert growth.is_linear, str(growth)


def reading(text):
    content = text.encode()

    def read():
        with contextlib.suppress(Invalid):
            read_posted(content)

    return read
