"""The paper drawer: everything of a task, or of one team, that is needed to write about it, as the files of one zip."""
