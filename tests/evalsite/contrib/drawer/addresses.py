"""Who may have the zip of a task made, and who gets that of a team."""

from tests.evalsite.access.rows import Row, lookers, organisers, team

TABLE = {
    "desk_ending_job": Row(lookers(302), organisers(302)),  # to the page of the end
    "desk_ending_drawer": Row(lookers(404)),  # none has been made
    "team_drawer": Row(team(200)),
}
