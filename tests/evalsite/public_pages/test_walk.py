"""Two people and a stranger walk through the public pages in random order, in two languages, log in and out, change
teams and look at previews: nobody ever gets what is another's, and no public page has anything of anybody's own."""

import random
import re
from collections.abc import Callable
from itertools import count

import pytest
from django.core.cache import caches
from django.test import Client
from django.utils import timezone

from evalsite.accounts.models import Membership, Team, User
from evalsite.challenges.models import Phase
from evalsite.public_pages import middleware as public_pages
from tests.evalsite.public_pages.places import BOARD, OF_APPS, PAGES, TASK, refresh_all
from tests.factories import make_run, make_user, run_files
from tests.own_pieces import own_piece, seen

pytestmark = pytest.mark.django_db
N_STEPS = 200
KEPT = ("pages", "editions")
TOKEN = re.compile(r'(?:csrfmiddlewaretoken" value|data-token)="(\w+)"')
_numbers = count()


class Walker:
    """A browser, and who sits before it; `logged_in`: whether the site knows."""

    def __init__(self, user: User, signs: set[str]) -> None:
        self.client = Client()
        self.user = user
        self.signs = signs  # by which the person is known: the name, and the addresses of own runs
        self.logged_in = False
        self.tokens: set[str] = set()


class Walk:
    def __init__(self, people: list[Walker], stranger: Walker, olga: User, teams: list[Team], seed: int) -> None:
        self.people, self.stranger, self.olga, self.teams = people, stranger, olga, teams
        self.random = random.Random(seed)
        self.public: set[str] = set()

    def step(self) -> None:
        walker = self.random.choice([*self.people, self.stranger])
        doings: list[Callable[[Walker], None]] = [self.look] * 8 + [self.look_at_boards] * 2
        doings += [self.log_in, self.log_out, self.change_language, self.change_team, self.preview, self.change_phase]
        self.random.choice(doings)(walker)

    def look_at_boards(self, walker: Walker) -> None:
        """All of them look at the board one after the other, so that what is kept for one might come to the next."""
        for person in self.random.sample(self.people, len(self.people)):
            self.look(person, BOARD)

    def look(self, walker: Walker, page: str = "") -> None:
        page = page or self.random.choice(PAGES)
        headers = {"accept-language": self.random.choice(["en", "es"])}
        answer = walker.client.get(page, headers=headers)
        if answer.status_code == 403:  # numbers and audiences change on the way
            return
        if "own-piece" not in (html := answer.content.decode()):  # made for this person alone
            assert walker.logged_in
            assert page in OF_APPS
            assert Phase.objects.get().is_anonymous
            return self.is_own(walker, html)
        self.is_public(html)
        assert not answer.cookies
        piece = own_piece(walker.client, page, headers).content.decode()
        self.is_own(walker, piece)
        self.is_of_now(walker, page, headers, piece)
        if walker.logged_in and page == BOARD:
            self.is_own(walker, seen(walker.client, page))

    def is_public(self, page: str) -> None:
        """Whoever asked for it."""
        assert not TOKEN.search(page)
        for mark in ("is-own", "your team<", "tu equipo<", "account_logout", "/accounts/logout/"):
            assert mark not in page
        for walker in [*self.people, self.stranger]:
            assert not any(sign in page for sign in walker.signs)

    def is_own(self, walker: Walker, piece: str) -> None:
        for other in [*self.people, self.stranger]:
            if other is not walker:
                assert not any(sign in piece for sign in other.signs), (walker.user, other.user)
        if walker.logged_in:
            assert walker.user.name in piece
        else:
            assert walker.user.name not in piece
        found = set(TOKEN.findall(piece))
        for other in [*self.people, self.stranger]:
            assert other is walker or not found & other.tokens
        walker.tokens |= found

    def is_of_now(self, walker: Walker, page: str, headers: dict[str, str], piece: str) -> None:
        """The piece is the same as one that is made where nothing is kept; what is kept meanwhile stays."""
        for name in KEPT:
            caches[name].key_prefix = f"anew-{next(_numbers)}"
        try:
            anew = own_piece(walker.client, page, headers).content.decode()
        finally:
            for name in KEPT:
                caches[name].key_prefix = ""
        assert TOKEN.sub("", piece) == TOKEN.sub("", anew), (walker.user, page)

    def log_in(self, walker: Walker) -> None:
        if walker is not self.stranger:
            walker.client.force_login(walker.user)
            walker.logged_in = True

    def log_out(self, walker: Walker) -> None:
        walker.client.logout()
        walker.logged_in = False

    def change_language(self, walker: Walker) -> None:
        walker.client.post("/language/", {"language": self.random.choice(["en", "es"]), "next": "/"})

    def change_team(self, walker: Walker) -> None:
        """Go in and out of a team in which nobody else of them is; its runs are one's own as long as one is in it."""
        if walker is self.stranger:
            return
        team = self.teams[self.people.index(walker)]
        member, is_new = Membership.objects.get_or_create(team=team, user=walker.user)
        if not is_new:
            member.delete()

    def preview(self, walker: Walker) -> None:
        """Olga looks at the task as others, which leaves nothing behind; and at its pages as herself."""
        organiser = Client()
        organiser.force_login(self.olga)
        who = self.random.choice(["stranger", "participant"])
        query = {"as": who, "at_0": f"{timezone.now():%Y-%m-%d}", "at_1": "23:59:00"}
        page = organiser.get(f"{TASK}organise/preview/{self.random.choice(['', 'test/board/1/'])}", query)
        assert page.status_code in (200, 403)
        assert "own-piece" not in page.content.decode()
        assert "Olga" in organiser.get(self.random.choice(PAGES)).content.decode()

    def change_phase(self, walker: Walker) -> None:
        phase = Phase.objects.get()
        if self.random.random() < 0.5:
            phase.is_anonymous = not phase.is_anonymous
        else:
            phase.board_audience = self.random.choice(["everybody", "participants"])
        phase.save()
        if self.random.random() < 0.3:
            caches["pages"].clear()


def test_nobody_ever_gets_what_is_another_s(ranked, phase, team, alice, charlie, strangers, olga, bob, monkeypatch):
    monkeypatch.setattr(public_pages, "MIN_STALENESS", 0)
    other = make_run(phase, strangers, run_files(relations=""))
    refresh_all()
    Membership.objects.filter(user=bob).delete()
    people = [
        Walker(alice, {f">{alice.name}<", ranked.get_absolute_url()}),
        Walker(charlie, {f">{charlie.name}<", other.get_absolute_url()}),
    ]
    stranger = Walker(make_user("Zoe"), {">Zoe<"})
    walk = Walk(people, stranger, olga, [team, strangers], seed=2297)
    for _ in range(N_STEPS):
        walk.step()
    assert all(walker.tokens for walker in people)
