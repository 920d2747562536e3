"""Who may do what with judges of a task."""

from tests.evalsite.access.rows import LOOKING, NO, Row, lookers, owners, tokens

TABLE = {
    "api:judge_runs": Row(tokens(403)),
    "api:judge_file": Row(tokens(403)),
    "api:judge_gold": Row(tokens(403)),
    "api:judge_scores": Row(NO, tokens(403)),
    "desk_scenarios_judges": Row(LOOKING),
    "desk_scenarios_judges_token": Row(lookers(302), owners(302)),  # asks for the password first
    "desk_scenarios_judges_revoke": Row(NO, owners(302)),
}
PARTS = {"desk_scenarios_judges_revoke": {"pk": lambda world: world.judge_token.pk}}

# As in tests/evalsite/test_printed_commands.py.
TYPED_BY = {
    "/api/v1/judge/": "tests/evalsite/contrib/judging/test_posting.py::"
    "test_posted_scores_make_the_result_and_name_the_judge_in_its_signature",
    "evalsite judge": "tests/evalsite/contrib/judging/test_command.py::"
    "test_the_command_on_the_desk_does_as_it_is_printed",
    "contrib/judging/token_made.html": "tests/evalsite/contrib/judging/test_command.py::"
    "test_what_is_printed_beside_a_new_token_names_the_site",
}
