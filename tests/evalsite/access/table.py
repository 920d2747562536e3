"""Lists who may do what: every address of the site, for every role, as the status of the answer."""

from tests.contrib_apps import contrib_modules
from tests.evalsite.access.rows import (
    ACCOUNTS,
    EVERYBODY,
    INVITED,
    LOGIN,
    LOOKING,
    LOOKING_OPENLY,
    NO,
    NOBODY,
    RUN,
    TOKEN_RUN,
    TOKENS,
    UNKNOWN,
    Row,
    accounts,
    changing_run,
    everybody,
    lookers,
    oneself,
    organisers,
    owners,
    team,
    team_owner,
    tokens,
)

_CORE = {
    "organise": Row(ACCOUNTS),
    # Who may already is led to the tasks.
    "organise_ask": Row(
        (LOGIN, 200, 200, 200, 200, 302, 302, 302, 302), (LOGIN, 422, 422, 422, 422, 302, 302, 302, 302)
    ),
    "organise_join": Row(INVITED, (LOGIN, 403, 403, 302, *[403] * 5)),
    "organise_troubles": Row((LOGIN, *[404] * 3, *[200] * 5), (LOGIN, *[404] * 3, *[302] * 5)),
    "desk": Row(LOOKING, organisers(302)),
    "desk_publish_delete": Row(LOOKING, owners(422)),
    "organise_new": Row((LOGIN, *[302] * 4, *[200] * 4), (LOGIN, *[403] * 4, *[422] * 4)),  # to where one asks for it
    "organise_bundle": Row((LOGIN, *[403] * 4, *[200] * 4), (LOGIN, *[403] * 4, *[422] * 4)),
    "organise_bundle_job": Row((LOGIN, *[404] * 5, 200, 404, 404)),  # who imports it
    "desk_bundle": Row(LOOKING, owners(200)),
    "desk_clone": Row(organisers(200), organisers(422)),
    "desk_gold": Row(LOOKING),
    "desk_gold_add": Row(LOOKING, organisers(422)),
    "desk_gold_example": Row(LOOKING),
    "desk_gold_waiting": Row(LOOKING, organisers(200)),
    "desk_gold_delete": Row(LOOKING, organisers(409)),  # runs were scored on it
    "desk_gold_annotators": Row(NO, organisers(302)),
    "desk_gold_split": Row(LOOKING, organisers(200)),  # runs were scored on it
    "desk_gold_split_units": Row(lookers(404)),  # it is whole
    "desk_gold_version": Row(LOOKING, organisers(302)),
    "desk_gold_version_runs": Row(lookers(302)),  # of a candidate only
    "enter": Row(ACCOUNTS, (LOGIN, 200, 200, 422, *[200] * 5)),  # charlie has a team that has not entered
    "enter_by_link": Row(ACCOUNTS, (LOGIN, 200, 200, 422, *[200] * 5)),
    "submission_describe": Row((LOGIN, 200, 200, 404, 403, 200, 200, 404, 200), changing_run(302)),
    "entry": Row(NOBODY),  # no board has been made
    "desk_sheet": Row(LOOKING, organisers(200)),
    "desk_entry": Row(LOOKING, organisers(200)),
    "desk_entry_answers": Row(LOOKING),
    "desk_entry_link": Row(NO, organisers(302)),
    "desk_entry_decide": Row(NO, organisers(302)),
    "desk_teams": Row(LOOKING, organisers(200)),
    "desk_teams_csv": Row(LOOKING),
    "desk_teams_one": Row(LOOKING, organisers(200)),
    "desk_teams_merge": Row(LOOKING, organisers(200)),
    "desk_teams_ban": Row(NO, organisers(302)),
    "desk_teams_bring_back": Row(NO, organisers(302)),
    "desk_teams_choose": Row(NO, organisers(302)),
    "desk_teams_allowance_end": Row(NO, organisers(302)),
    "desk_phases_gold": Row(NO, organisers(404)),  # without naming a phase
    "desk_runs_scores": Row(LOOKING, organisers(422)),
    "desk_runs_scores_preview": Row(lookers(404), organisers(404)),  # nothing is kept under this key
    "desk_runs_imported": Row(LOOKING, organisers(422)),
    "desk_runs_imported_remove": Row(NO, organisers(302)),
    "desk_phases_combined": Row(LOOKING, organisers(422)),
    "desk_phases_combined_remove": Row(NO, organisers(302)),
    "desk_scenarios": Row(LOOKING),
    "desk_scenarios_ways": Row(LOOKING),
    "desk_scenarios_add": Row(LOOKING, organisers(422)),
    "desk_scenarios_edit": Row(LOOKING, organisers(422)),
    "desk_scenarios_languages": Row(LOOKING, organisers(422)),
    "desk_scenarios_delete": Row(LOOKING, organisers(409)),  # its runs stay
    "mail_switch": Row(EVERYBODY, EVERYBODY),  # by its signature
    "mail_switches": Row(ACCOUNTS, accounts(302)),
    "desk_log": Row(LOOKING),
    "desk_texts": Row(LOOKING, organisers(200)),
    "desk_texts_page_add": Row(LOOKING, organisers(200)),
    "desk_texts_page": Row(LOOKING, organisers(200)),
    "desk_texts_page_move": Row(NO, organisers(302)),
    "desk_texts_page_delete": Row(NO, organisers(302)),
    "desk_texts_announcement_add": Row(LOOKING, organisers(200)),
    "desk_texts_announcement": Row(LOOKING, organisers(200)),
    "desk_texts_announcement_delete": Row(NO, organisers(302)),
    "task_news": Row(EVERYBODY),
    "desk_texts_picture_add": Row(NO, organisers(422)),
    "desk_texts_picture_delete": Row(NO, organisers(302)),
    "desk_texts_download_add": Row(LOOKING, organisers(422)),
    "desk_texts_download": Row(LOOKING, organisers(200)),
    "desk_texts_download_delete": Row(NO, organisers(302)),
    "desk_publish": Row(LOOKING, organisers(200)),
    "desk_publish_now": Row(NO, organisers(302)),
    "desk_publish_back": Row(NO, organisers(302)),
    "desk_publish_archive": Row(NO, organisers(302)),
    "desk_publish_bring_back": Row(NO, organisers(302)),
    "desk_preview": Row(LOOKING),
    "desk_release": Row(LOOKING),
    "desk_release_phase": Row(LOOKING, organisers(200)),
    "desk_release_close": Row(NO, organisers(422)),
    "desk_release_results": Row(NO, organisers(422)),
    "desk_release_gold": Row(NO, organisers(422)),
    "desk_ending": Row(LOOKING, organisers(302)),
    "desk_ending_job": Row(LOOKING),
    "desk_ending_drawer": Row(lookers(404)),  # none has been made
    "entry_record": Row(NOBODY),  # the results are not released
    "desk_ending_archive": Row(LOOKING, owners(302)),
    "desk_ending_archive_job": Row(LOOKING),
    "desk_ending_archive_file": Row(lookers(404)),
    "desk_ending_archive_pages": Row(lookers(404)),
    "team_drawer": Row(team(200)),
    "desk_phases": Row(LOOKING),
    "desk_phases_add": Row(LOOKING, organisers(200)),
    "desk_phases_one": Row(LOOKING, organisers(200)),
    "desk_phases_pause": Row(NO, organisers(302)),
    "desk_phases_delete": Row(lookers(409), organisers(409)),  # it has uploads
    "desk_runs": Row(LOOKING),
    "desk_runs_act": Row(lookers(302), organisers(302)),  # of a POST alone; else back to the list
    "desk_runs_job": Row(LOOKING),
    "desk_runs_files": Row(lookers(302)),
    "desk_runs_new": Row(LOOKING),
    "desk_runs_add": Row(LOOKING, organisers(422)),
    "desk_runs_change": Row(LOOKING, organisers(200)),
    "desk_people": Row(LOOKING, owners(422)),
    # The last owner stays, and is told so.
    "desk_people_leave": Row(NO, (LOGIN, 404, 404, 404, 302, 302, 302, 404, 404)),
    "desk_people_role": Row(NO, owners(302)),
    "desk_people_remove": Row(NO, owners(302)),
    "desk_people_void": Row(NO, owners(302)),
    "home": Row(EVERYBODY),
    "archive": Row(EVERYBODY),
    "task": Row(EVERYBODY),
    "task_page": Row(EVERYBODY),
    "picture": Row(EVERYBODY),
    "example": Row(EVERYBODY),
    "kit": Row(ACCOUNTS),
    "engine": Row(EVERYBODY),
    "engine_package": Row(EVERYBODY),
    "download": Row(EVERYBODY),
    "gold": Row(LOOKING_OPENLY),
    "submit": Row(ACCOUNTS, accounts(422)),
    "team_bring": Row(team(302), team(302)),  # members who have nothing to bring are led to their team
    "submission_file": Row(RUN),
    "submission_receipt": Row(RUN),
    "receipts": Row(EVERYBODY),
    "receipts_of_day": Row(EVERYBODY),
    "submission_cancel": Row(NO, changing_run(302)),
    "submission_withdraw": Row(NO, changing_run(302)),
    "submission_restore": Row(NO, changing_run(302)),
    "submissions": Row(ACCOUNTS),
    "submissions_choose": Row(NO, everybody(302)),  # without a run of one's own nothing is chosen
    "submissions_compare": Row(everybody(302)),
    "submission": Row(RUN),
    "submission_scores": Row(RUN),
    "run_place": Row((LOGIN, 204, 204, 404, 204, 204, 204, 404, 204)),  # its board is not made yet
    "submission_units": Row(LOOKING),
    "submission_unit": Row(LOOKING),
    "board": Row(EVERYBODY),
    "board_export": Row(EVERYBODY),
    "board_overview": Row(EVERYBODY),
    "board_pairs": Row(EVERYBODY),
    "board_compare": Row(EVERYBODY),
    "board_compare_units": Row(LOOKING_OPENLY),
    "board_compare_unit": Row(LOOKING_OPENLY),
    "combined_export": Row(everybody(301)),  # an address of earlier versions leads to that of today
    "open_check": Row(EVERYBODY, everybody(422)),
    "audit": Row(EVERYBODY, everybody(422)),
    "mine": Row((204, *(200,) * 8)),
    "how_to_read": Row(EVERYBODY),
    "api_reference": Row(EVERYBODY),
    "api:openapi-json": Row(EVERYBODY, TOKENS),  # any method
    "api:submissions": Row(TOKENS),
    "api:submission": Row(TOKEN_RUN),
    "api:submission_events": Row(TOKEN_RUN),
    "api:submission_scores": Row(TOKEN_RUN),
    "api:submission_file": Row(TOKEN_RUN),
    "api:submission_withdraw": Row(NO, (UNKNOWN, 200, 200, 404, 403, 422, 422, 404, 422)),  # organisers have to say why
    "api:submission_restore": Row(NO, (UNKNOWN, 200, 200, 404, 403, 200, 200, 404, 200)),
    "api:upload": Row(NO, tokens(422)),
    "api:check": Row(NO, tokens(422)),
    "api:board": Row(EVERYBODY),
    "api:combined_board": Row(everybody(404)),
    # They need a judge's token, which nobody's own is.
    "api:judge_runs": Row(tokens(403)),
    "api:judge_file": Row(tokens(403)),
    "api:judge_gold": Row(tokens(403)),
    "api:judge_scores": Row(NO, tokens(403)),
    "desk_scenarios_judges": Row(LOOKING),
    "desk_scenarios_judges_token": Row(lookers(302), owners(302)),  # asks for the password first
    "desk_scenarios_judges_revoke": Row(NO, owners(302)),
    "api:me": Row(TOKENS),
    "api:tasks": Row(EVERYBODY),
    "api:task": Row(EVERYBODY),
    "api:phase": Row(EVERYBODY),
    "api:kit": Row((404, 200, 200, 200, 200, 200, 200, 200, 200)),
    "api:api-root": Row(NOBODY, (UNKNOWN, 404, 404, 404, 404, 404, 404, 404, 404)),
    "tokens": Row(ACCOUNTS),
    "token_create": Row(everybody(302), everybody(302)),  # asks for the password first
    "token_revoke": Row(NO, oneself(302)),
    "choose_language": Row(NO, everybody(400)),  # of everybody, but not without saying which
    "profile": Row(ACCOUNTS, ACCOUNTS),
    "teams": Row(ACCOUNTS),
    "team_create": Row(ACCOUNTS, ACCOUNTS),
    "team_join": Row((LOGIN, 302, 302, 200, 200, 200, 200, 200, 200), everybody(302)),  # members are led to their team
    "team": Row(team(200)),
    "team_edit": Row(team_owner(200), team_owner(200)),
    "team_invitation": Row(NO, team_owner(302)),
    "team_leave": Row(NO, team(302)),
    "team_delete": Row(NO, team_owner(302)),
    "team_remove": Row(NO, team_owner(302)),
    "team_hand_over": Row(NO, team_owner(302)),
    "help": Row(EVERYBODY),
    "guide": Row(EVERYBODY),
    "about": Row(NOBODY),  # until the owner of the site has written it
    "status": Row(EVERYBODY),
    "robots": Row(EVERYBODY),
    "sitemaps": Row(EVERYBODY),
    "sitemap": Row(EVERYBODY),
    "favicon": Row(everybody(302), everybody(302)),  # to the drawing that pages name
    "desk_preview_page": Row(LOOKING),
    "submission_export": Row(RUN),
}
# Rows of an app of contrib stand in its own tests: a module `addresses` with its table.
TABLE = _CORE | {name: row for table in contrib_modules("addresses") for name, row in table.TABLE.items()}
# Of a key in the address that belongs to another task, or to nothing: 404 to the owner and the administrator. But:
PUBLIC_ELSEWHERE = {"download"}
# Addresses of packages that answer any method, or all in the same way.
ANY_METHOD = {"api:openapi-json", "api:api-root", "favicon"}
