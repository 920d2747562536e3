"""Compares the names that there are with those that somebody has listed, and says where a forgotten one goes."""

from collections.abc import Collection


def assert_all_are_listed(names: Collection[str], listed: Collection[str], where: str) -> None:
    """Fail with a sentence for whoever has added a name, or taken one away."""
    forgotten, gone = sorted({*names} - {*listed}), sorted({*listed} - {*names})
    assert not forgotten, f"{', '.join(forgotten)}: {where}"
    assert not gone, f"{', '.join(gone)}: listed, and no longer there"
