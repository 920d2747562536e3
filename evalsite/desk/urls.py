"""Addresses of the organisers' desk; of a task's, they begin with /tasks/<slug>/organise/."""

from django.urls import path

from evalsite.desk.candidates import views as candidates
from evalsite.desk.combined import views as combined
from evalsite.desk.deleting import views as deleting
from evalsite.desk.ending import views as ending
from evalsite.desk.entry import views as entry
from evalsite.desk.fact_sheet import views as fact_sheet
from evalsite.desk.gold import annotators, rows_below, splitting
from evalsite.desk.gold import views as gold
from evalsite.desk.log import views as log
from evalsite.desk.making import views as making
from evalsite.desk.overview import views as overview
from evalsite.desk.own_tasks import views as own_tasks
from evalsite.desk.people import views as people
from evalsite.desk.phases import views as phases
from evalsite.desk.preview import views as preview
from evalsite.desk.publish import views as publish
from evalsite.desk.release import views as release
from evalsite.desk.runs import adding as runs_adding
from evalsite.desk.runs import views as runs
from evalsite.desk.scenarios import views as scenarios
from evalsite.desk.scores import views as scores
from evalsite.desk.teams import merging
from evalsite.desk.teams import views as teams
from evalsite.desk.texts import views as texts

_RUNS, _TEAMS = "tasks/<slug:task>/organise/runs/", "tasks/<slug:task>/organise/teams/"
_PHASE, _TEXTS = "tasks/<slug:task>/organise/phases/", "tasks/<slug:task>/organise/texts/"
_SCENARIOS, _GOLD = "tasks/<slug:task>/organise/scenarios/", "tasks/<slug:task>/organise/gold/"

urlpatterns = [
    path("organise/", own_tasks.organise, name="organise"),
    path("organise/ask/", own_tasks.ask, name="organise_ask"),
    path("organise/join/<str:secret>/", people.join, name="organise_join"),
    path("organise/troubles/", overview.troubles, name="organise_troubles"),
    path("organise/new/", making.new_task, name="organise_new"),
    path("tasks/<slug:task>/organise/", overview.overview, name="desk"),
    path("tasks/<slug:task>/organise/gold/<uuid:gold>/", candidates.gold_version, name="desk_gold_version"),
    path("tasks/<slug:task>/organise/gold/<uuid:gold>/runs/", candidates.every_run, name="desk_gold_version_runs"),
    path("tasks/<slug:task>/organise/delete/", deleting.delete, name="desk_publish_delete"),
    path("tasks/<slug:task>/organise/clone/", making.clone_task, name="desk_clone"),
    path(_GOLD, gold.gold, name="desk_gold"),
    path(f"{_GOLD}example/<int:number>/", gold.example, name="desk_gold_example"),
    path(f"{_GOLD}waiting/<uuid:pk>/", gold.waiting, name="desk_gold_waiting"),
    path(f"{_GOLD}add/<slug:phase>/", gold.add, name="desk_gold_add"),
    path(f"{_GOLD}<uuid:gold>/delete/", gold.delete, name="desk_gold_delete"),
    path(f"{_GOLD}<uuid:gold>/annotators/", annotators.annotators, name="desk_gold_annotators"),
    path(f"{_GOLD}<uuid:gold>/parts/", splitting.split, name="desk_gold_split"),
    path(f"{_GOLD}<uuid:gold>/parts/units.csv", splitting.split_units, name="desk_gold_split_units"),
    path(_SCENARIOS, scenarios.scenarios, name="desk_scenarios"),
    path(f"{_SCENARIOS}add/", scenarios.ways_to_add, name="desk_scenarios_ways"),
    path(f"{_SCENARIOS}add/<slug:use>/", scenarios.add, name="desk_scenarios_add"),
    path(f"{_SCENARIOS}<int:number>/", scenarios.edit, name="desk_scenarios_edit"),
    path(f"{_SCENARIOS}<int:number>/languages/", scenarios.languages, name="desk_scenarios_languages"),
    path(f"{_SCENARIOS}<int:number>/delete/", scenarios.delete, name="desk_scenarios_delete"),
    path("tasks/<slug:task>/organise/entry/", entry.entry, name="desk_entry"),
    path("tasks/<slug:task>/organise/entry/entries.csv", entry.answers, name="desk_entry_answers"),
    path("tasks/<slug:task>/organise/entry/link/", entry.link, name="desk_entry_link"),
    path("tasks/<slug:task>/organise/entry/decide/", entry.decide, name="desk_entry_decide"),
    path("tasks/<slug:task>/organise/entry/job/", entry.progress, name="desk_entry_job"),
    path("tasks/<slug:task>/organise/fact-sheet/", fact_sheet.fact_sheet, name="desk_sheet"),
    path("tasks/<slug:task>/organise/log/", log.log, name="desk_log"),
    path(_TEXTS, texts.texts, name="desk_texts"),
    path(f"{_TEXTS}news/new/", texts.announcement_add, name="desk_texts_announcement_add"),
    path(f"{_TEXTS}news/<uuid:pk>/", texts.announcement, name="desk_texts_announcement"),
    path(f"{_TEXTS}news/<uuid:pk>/delete/", texts.announcement_delete, name="desk_texts_announcement_delete"),
    path(f"{_TEXTS}pages/new/", texts.page_add, name="desk_texts_page_add"),
    path(f"{_TEXTS}pages/<int:page>/", texts.page, name="desk_texts_page"),
    path(f"{_TEXTS}pages/<int:page>/move/", texts.page_move, name="desk_texts_page_move"),
    path(f"{_TEXTS}pages/<int:page>/delete/", texts.page_delete, name="desk_texts_page_delete"),
    path(f"{_TEXTS}pictures/new/", texts.picture_add, name="desk_texts_picture_add"),
    path(f"{_TEXTS}pictures/<uuid:pk>/delete/", texts.picture_delete, name="desk_texts_picture_delete"),
    path(f"{_TEXTS}downloads/new/", texts.download_add, name="desk_texts_download_add"),
    path(f"{_TEXTS}downloads/<uuid:pk>/", texts.download, name="desk_texts_download"),
    path(f"{_TEXTS}downloads/<uuid:pk>/delete/", texts.download_delete, name="desk_texts_download_delete"),
    path("tasks/<slug:task>/organise/publish/", publish.publish, name="desk_publish"),
    path("tasks/<slug:task>/organise/publish/now/", publish.publish_now, name="desk_publish_now"),
    path("tasks/<slug:task>/organise/publish/back/", publish.unpublish, name="desk_publish_back"),
    path("tasks/<slug:task>/organise/publish/archive/", publish.archive, name="desk_publish_archive"),
    path("tasks/<slug:task>/organise/publish/bring-back/", publish.bring_back, name="desk_publish_bring_back"),
    path("tasks/<slug:task>/organise/preview/", preview.preview, name="desk_preview"),
    path("tasks/<slug:task>/organise/preview/<path:rest>", preview.preview, name="desk_preview_page"),
    path("tasks/<slug:task>/organise/release/", release.phases, name="desk_release"),
    path("tasks/<slug:task>/organise/release/<slug:phase>/", release.phase, name="desk_release_phase"),
    path("tasks/<slug:task>/organise/release/<slug:phase>/close/", release.close, name="desk_release_close"),
    path("tasks/<slug:task>/organise/release/<slug:phase>/results/", release.results, name="desk_release_results"),
    path("tasks/<slug:task>/organise/release/<slug:phase>/gold/", release.gold, name="desk_release_gold"),
    path("tasks/<slug:task>/organise/end/", ending.ending, name="desk_ending"),
    path(_PHASE, phases.phases, name="desk_phases"),
    path(f"{_PHASE}new/", phases.phase_add, name="desk_phases_add"),
    path(f"{_PHASE}<slug:phase>/", phases.phase, name="desk_phases_one"),
    path(f"{_PHASE}<slug:phase>/gold/", phases.phase_gold, name="desk_phases_gold"),
    path(f"{_PHASE}<slug:phase>/combined/", combined.combined, name="desk_phases_combined"),
    path(f"{_PHASE}<slug:phase>/combined/remove/", combined.remove, name="desk_phases_combined_remove"),
    path(f"{_PHASE}<slug:phase>/pause/", phases.phase_pause, name="desk_phases_pause"),
    path(f"{_PHASE}<slug:phase>/delete/", phases.phase_delete, name="desk_phases_delete"),
    path(_RUNS, runs.runs, name="desk_runs"),
    path(f"{_RUNS}act/", runs.act, name="desk_runs_act"),
    path(f"{_RUNS}files.zip", runs.files, name="desk_runs_files"),
    path(f"{_RUNS}job/", runs.progress, name="desk_runs_job"),
    path(f"{_RUNS}new/", runs_adding.choose_phase, name="desk_runs_new"),
    path(f"{_RUNS}new/<slug:phase>/", runs_adding.add, name="desk_runs_add"),
    path(f"{_RUNS}scores/<slug:phase>/", scores.scores, name="desk_runs_scores"),
    path(f"{_RUNS}scores/<slug:phase>/<int:scenario>/<str:kept>/", scores.preview, name="desk_runs_scores_preview"),
    path(f"{_RUNS}imported/<slug:phase>/", rows_below.tables, name="desk_runs_imported"),
    path(f"{_RUNS}imported/<slug:phase>/<uuid:pk>/remove/", rows_below.remove, name="desk_runs_imported_remove"),
    path(f"{_RUNS}<uuid:pk>/", runs.change, name="desk_runs_change"),
    path(_TEAMS, teams.teams, name="desk_teams"),
    path(f"{_TEAMS}teams.csv", teams.teams_csv, name="desk_teams_csv"),
    path(f"{_TEAMS}<uuid:pk>/", teams.team, name="desk_teams_one"),
    path(f"{_TEAMS}<uuid:pk>/merge/", merging.team_merge, name="desk_teams_merge"),
    path(f"{_TEAMS}<uuid:pk>/ban/", teams.team_ban, name="desk_teams_ban"),
    path(f"{_TEAMS}<uuid:pk>/unrank/", teams.team_unrank, name="desk_teams_unrank"),
    path(f"{_TEAMS}<uuid:pk>/bring-back/", teams.team_bring_back, name="desk_teams_bring_back"),
    path(f"{_TEAMS}choose/<slug:phase>/", teams.team_choose, name="desk_teams_choose"),
    path(f"{_TEAMS}allowances/<int:pk>/end/", teams.allowance_end, name="desk_teams_allowance_end"),
    path("tasks/<slug:task>/organise/people/", people.people, name="desk_people"),
    path("tasks/<slug:task>/organise/people/leave/", people.leave, name="desk_people_leave"),
    path("tasks/<slug:task>/organise/people/<uuid:user>/role/", people.change_role, name="desk_people_role"),
    path("tasks/<slug:task>/organise/people/<uuid:user>/remove/", people.remove, name="desk_people_remove"),
    path("tasks/<slug:task>/organise/people/invitations/<uuid:pk>/void/", people.void, name="desk_people_void"),
]
