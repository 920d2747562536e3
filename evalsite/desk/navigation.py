"""The pages of a task's desk, in their order."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from evalsite.base.contrib import DeskSection, desk_sections


@dataclass(frozen=True)
class Entry:
    """A section as it stands in the navigation of a page."""

    title: str | Promise
    address: str
    is_current: bool
    n_waiting: int  # how much waits there for the organisers


@dataclass(frozen=True)
class Group:
    """Sections that serve one end: setting a task up, running it, or showing it; or that few tasks need."""

    title: str | Promise
    entries: list[Entry]
    is_folded: bool = False

    @property
    def stands_open(self) -> bool:
        """Return whether a fold is open from the start: one of its pages is shown, or something waits there."""
        return any(entry.is_current or entry.n_waiting for entry in self.entries)


_MORE = pgettext_lazy("pages of the desk", "More")  # what few tasks need, folded
_GROUPS = [
    (
        pgettext_lazy("pages of the desk", "Run"),
        [
            DeskSection("desk", pgettext_lazy("page of the desk", "Overview")),
            DeskSection("desk_runs", pgettext_lazy("page of the desk", "Runs")),
            DeskSection("desk_teams", pgettext_lazy("page of the desk", "Teams")),
            DeskSection("desk_log", pgettext_lazy("page of the desk", "Log")),
        ],
    ),
    (
        pgettext_lazy("pages of the desk", "Set up"),
        [
            DeskSection("desk_texts", pgettext_lazy("page of the desk", "Texts")),
            DeskSection("desk_scenarios", pgettext_lazy("page of the desk", "Scenarios")),
            DeskSection("desk_phases", pgettext_lazy("page of the desk", "Phases")),
            DeskSection("desk_gold", pgettext_lazy("page of the desk", "Gold")),
            DeskSection("desk_entry", pgettext_lazy("page of the desk", "Taking part")),
            DeskSection("desk_people", pgettext_lazy("page of the desk", "People")),
        ],
    ),
    (
        pgettext_lazy("pages of the desk", "Show"),
        [
            DeskSection("desk_preview", pgettext_lazy("page of the desk", "Preview")),
            DeskSection("desk_publish", pgettext_lazy("page of the desk", "Publish")),
            DeskSection("desk_release", pgettext_lazy("page of the desk", "Release")),
            DeskSection("desk_ending", pgettext_lazy("page of the desk", "Take it with you")),
        ],
    ),
    (
        _MORE,
        [
            DeskSection("desk_sheet", pgettext_lazy("page of the desk", "Fact sheet")),
        ],
    ),
]


def _groups() -> list[tuple[str | Promise, list[DeskSection]]]:
    """Return the groups with the sections of apps of contrib, each behind the section that it names."""
    followers: dict[str, list[DeskSection]] = {}
    for section in desk_sections():
        followers.setdefault(section.after, []).append(section)
    return [
        (title, [entry for section in sections for entry in (section, *followers.get(section.name, []))])
        for title, sections in _GROUPS
    ]


def sections() -> list[DeskSection]:
    """Return all sections, in their order."""
    return [section for _, group in _groups() for section in group]


def groups(slug: str, here: str, waiting: Mapping[str, int]) -> list[Group]:
    """Return the navigation in its groups; `here` is the name of the address that is shown.

    `waiting` has by the name of a section how much waits there.
    """
    current = section_of(here)
    return [
        Group(
            title,
            [
                Entry(
                    section.title,
                    reverse(section.name, args=[slug]),
                    is_current=section.name == current,
                    n_waiting=waiting.get(section.name, 0),
                )
                for section in sections
            ],
            is_folded=title is _MORE,
        )
        for title, sections in _groups()
    ]


def section_of(name: str) -> str:
    """Return the name of the section to which an address belongs: the longest that its name begins with."""
    names = [section.name for section in sections() if name == section.name or name.startswith(f"{section.name}_")]
    return max(names, key=len, default="")
