"""The ORCID iDs that people have connected, which ORCID itself has told the site."""

from collections.abc import Iterable
from dataclasses import dataclass

from allauth.socialaccount.models import SocialAccount

from evalsite.accounts.models import Team


@dataclass(frozen=True)
class Researcher:
    name: str
    orcid: str

    @property
    def address(self) -> str:
        return f"https://orcid.org/{self.orcid}"

    @property
    def words(self) -> str:
        return f"ORCID {self.orcid}"


def researchers_of(team: Team) -> list[Researcher]:
    """Return the members with an iD, as the team lists its members."""
    connected = SocialAccount.objects.filter(provider="orcid", user__memberships__team=team, user__is_active=True)
    rows = connected.order_by("-user__memberships__is_owner", "user__memberships__joined").select_related("user")
    return [Researcher(str(row.user), row.uid) for row in rows.distinct()]


def in_note(researchers: Iterable[Researcher]) -> str:
    """Return the iDs as the note of a citation."""
    return "; ".join(f"{researcher.name}: {researcher.address}" for researcher in researchers)
