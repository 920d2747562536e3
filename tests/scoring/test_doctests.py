"""The examples in the docstrings of the engine, run module by module."""

import doctest
import importlib
import pkgutil

import pytest

import scoring

MODULES = [module.name for module in pkgutil.walk_packages(scoring.__path__, "scoring.")]


@pytest.mark.parametrize("name", [name for name in MODULES if name != "scoring.__main__"])
def test_the_examples_of_a_module_come_out_as_written(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_no_module_is_left_out():
    assert {"scoring.columns", "scoring.readers.problems", "scoring.families.mat.counting"} <= {*MODULES}
