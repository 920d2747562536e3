"""What is said again and again is kept, and never said in another language or of another value."""

from django.utils.translation import override

from evalsite.translating.kept import kept_by_language
from evalsite.wording import exact

said = []


@kept_by_language(most=10)
def told(value: float) -> str:
    said.append(value)
    return exact(value)


def test_a_number_is_said_once_in_each_language() -> None:
    said.clear()
    for _ in range(2):
        with override("en"):
            assert told(0.5) == "0.5"
        with override("es"):
            assert told(0.5) == "0,5"
    assert said == [0.5, 0.5]


def test_a_whole_number_is_no_fraction() -> None:
    with override("en"):
        assert (told(1), told(1.0)) == ("1", "1.0")
