"""The pages of a task's desk, in their order."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy


@dataclass(frozen=True)
class Section:
    name: str  # of the address, which takes the task's slug; of pages below it too: desk_gold, desk_gold_add
    title: str | Promise


@dataclass(frozen=True)
class Entry:
    """A section as it stands in the navigation of a page."""

    title: str | Promise
    address: str
    is_current: bool


@dataclass(frozen=True)
class Group:
    """Sections that serve one end: setting a task up, running it, or showing it."""

    title: str | Promise
    entries: list[Entry]


_GROUPS = [
    (
        pgettext_lazy("pages of the desk", "Run"),
        [
            Section("desk", pgettext_lazy("page of the desk", "Overview")),
            Section("desk_runs", pgettext_lazy("page of the desk", "Runs")),
            Section("desk_teams", pgettext_lazy("page of the desk", "Teams")),
            Section("desk_letters", pgettext_lazy("page of the desk", "Letters")),
            Section("desk_log", pgettext_lazy("page of the desk", "Log")),
        ],
    ),
    (
        pgettext_lazy("pages of the desk", "Set up"),
        [
            Section("desk_texts", pgettext_lazy("page of the desk", "Texts")),
            Section("desk_scenarios", pgettext_lazy("page of the desk", "Scenarios")),
            Section("desk_phases", pgettext_lazy("page of the desk", "Phases")),
            Section("desk_gold", pgettext_lazy("page of the desk", "Gold")),
            Section("desk_entry", pgettext_lazy("page of the desk", "Taking part")),
            Section("desk_class", pgettext_lazy("page of the desk", "Class")),
            Section("desk_sheet", pgettext_lazy("page of the desk", "Fact sheet")),
            Section("desk_people", pgettext_lazy("page of the desk", "People")),
        ],
    ),
    (
        pgettext_lazy("pages of the desk", "Show"),
        [
            Section("desk_preview", pgettext_lazy("page of the desk", "Preview")),
            Section("desk_publish", pgettext_lazy("page of the desk", "Publish")),
            Section("desk_release", pgettext_lazy("page of the desk", "Release")),
            Section("desk_ending", pgettext_lazy("page of the desk", "End of the task")),
            Section("desk_bundle", pgettext_lazy("page of the desk", "Bundle")),
        ],
    ),
]
SECTIONS = [section for _, sections in _GROUPS for section in sections]


def groups(slug: str, here: str) -> list[Group]:
    """Return the navigation in its groups; `here` is the name of the address that is shown."""
    current = section_of(here)
    return [
        Group(
            title,
            [
                Entry(section.title, reverse(section.name, args=[slug]), is_current=section.name == current)
                for section in sections
            ],
        )
        for title, sections in _GROUPS
    ]


def section_of(name: str) -> str:
    """Return the name of the section to which an address belongs: the longest that its name begins with."""
    found = [section.name for section in SECTIONS if name == section.name or name.startswith(f"{section.name}_")]
    return max(found, key=len, default="")
