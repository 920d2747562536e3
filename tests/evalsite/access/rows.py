"""The kinds of answers of an address, for every role, as the status of the answer.

In the order of `ROLES`: a stranger; a participant, her team mate, and somebody of another team; a viewer, an organiser
and the owner of the task; who organises another one; the site's administrator.
"""

from typing import NamedTuple

LOGIN, UNKNOWN = 302, 401  # to the log-in page; of the API, without a token
Answers = tuple[int, ...]
NO: Answers = (405,) * 9


class Row(NamedTuple):
    get: Answers
    post: Answers = NO  # of a form with nothing in it


def everybody(status: int) -> Answers:
    return (status,) * 9


def accounts(status: int) -> Answers:
    return (LOGIN, *(status,) * 8)


def oneself(status: int) -> Answers:
    """Return the answers about what belongs to one person of a team."""
    return (LOGIN, status, *(404,) * 7)


def team(status: int) -> Answers:
    return (LOGIN, status, status, *(404,) * 6)


def team_owner(status: int) -> Answers:
    return (LOGIN, status, 403, *(404,) * 6)


def lookers(status: int) -> Answers:
    """Viewers, organisers and owners of the task, and administrators."""
    return (LOGIN, 404, 404, 404, status, status, status, 404, status)


def organisers(status: int) -> Answers:
    return (LOGIN, 404, 404, 404, 403, status, status, 404, status)


def owners(status: int) -> Answers:
    return (LOGIN, 404, 404, 404, 403, 403, status, 404, status)


def changing_run(status: int) -> Answers:
    """Its team and the organisers; a viewer sees it."""
    return (LOGIN, status, status, 404, 403, status, status, 404, status)


def tokens(status: int) -> Answers:
    return (UNKNOWN, *(status,) * 8)


def token_oneself(status: int) -> Answers:
    return (UNKNOWN, status, *(404,) * 7)


EVERYBODY, NOBODY, ACCOUNTS, TOKENS = everybody(200), everybody(404), accounts(200), tokens(200)
INVITED = (LOGIN, 403, 403, 200, *[403] * 5)  # charlie's address
LOOKING = lookers(200)
LOOKING_OPENLY = (404, *LOOKING[1:])  # strangers are not led to the log-in
RUN = (LOGIN, 200, 200, 404, 200, 200, 200, 404, 200)
TOKEN_RUN = (UNKNOWN, *RUN[1:])
