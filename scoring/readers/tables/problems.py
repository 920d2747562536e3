"""The problems of a table as they are found, in the words that tables promise."""

from dataclasses import replace

from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.problems import Problems


class TableProblems(Problems):
    """The problems of one table; what stands for those that are not listed says what they are."""

    def listed(self) -> list[Finding]:
        """Return those that were kept, in the order of their lines, and "and 9 more problems"."""
        listed = super().listed()
        if listed and listed[-1].rest:
            number = sum(cause.n for cause in listed[-1].rest)
            listed[-1] = replace(
                listed[-1],
                message=Message.counted("more-problems", "and {n} more problem", "and {n} more problems", number),
                kind="",
            )
        return listed
