"""Headers and layouts of shared tasks' own files, with made-up values: a file of the gold and one of a run for each.

Rows of docs/which-task.md read these as they come; where a row has a note, the files are as it says.
"""

from tests.which_task_layouts import events, semeval

# {(task, about): (name and text of the gold's file, of a run's file)}, or {name: text} of several files of a side
LAYOUTS = semeval.LAYOUTS | events.LAYOUTS
