"""Operations of migrations for models that move into an app of contrib: rows stay where they are.

The app that had the model releases it, and the table stays. The app that has it now adopts the table, or makes it where
there is none. `manage.py migrate <app> zero` drops the tables of an app before a site takes it out for good.
"""

from typing import Any

from django.db.migrations.operations import CreateModel, DeleteModel


class ReleaseModel(DeleteModel):
    """Forgets a model, and leaves its table to the app that adopts it."""

    def database_forwards(self, *args: Any, **kwargs: Any) -> None:
        pass

    def database_backwards(self, *args: Any, **kwargs: Any) -> None:
        pass


class AdoptModel(CreateModel):
    """Takes over the table that the model names as its `db_table`, or creates it."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        table = to_state.apps.get_model(app_label, self.name)._meta.db_table
        if table not in schema_editor.connection.introspection.table_names():
            super().database_forwards(app_label, schema_editor, from_state, to_state)
