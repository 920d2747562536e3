"""A link to a board shows it as a picture, as far as strangers see it."""

import io
import re

import pytest
from PIL import Image

from evalsite.accounts.models import Team
from evalsite.challenges.models import Phase, Task
from evalsite.challenges.revisions import raise_revision
from tests.evalsite.board_pages.pages import PATH
from tests.evalsite.leaderboard.boards import make_board, make_entry
from tests.evalsite.leaderboard.compared import compare

pytestmark = pytest.mark.django_db


@pytest.fixture
def edition(phase, scenario, team, strangers):
    for number, entered in enumerate((team, strangers), start=1):
        phase.task.participations.create(team=entered, number=number)
    made = make_board(phase, scenario, [make_entry(team, 0.64, 1), make_entry(strangers, 0.62, 2)])
    compare(made, scenario)
    return made


def test_the_picture_beside_a_link_is_a_png_of_the_board_that_strangers_see(client, edition):
    page = client.get(PATH).content.decode()
    [address] = re.findall(r'property="og:image" content="http://testserver([^"]+)"', page)
    answer = client.get(address)
    assert answer["Content-Type"] == "image/png"
    drawn = Image.open(io.BytesIO(answer.content))
    assert drawn.size == (1200, 630)
    assert len(drawn.getcolors(maxcolors=2**20)) > 10, "more than paper"
    Phase.objects.update(board_audience="organisers")
    assert client.get(address).status_code == 403


def test_a_sign_that_the_fonts_lack_leaves_its_text_out_and_the_picture_whole(client, edition, team):
    before = client.get(f"{PATH}board.png").content
    Team.objects.filter(pk=team.pk).update(name="北京大学")
    raise_revision(Task.objects.values_list("pk", flat=True))
    after = client.get(f"{PATH}board.png").content
    assert Image.open(io.BytesIO(after)).size == (1200, 630)
    assert after != before
