"""task.xml: which types of annotations a task has, and the aliases of their labels.

    <task name="Named Entity"><tags>
      <tag name="ENAMEX" category="content">
        <attr_set name="PERSON"><attr name="type" value="PERSON"/></attr_set></tag>
      <tag name="lex" category="token"/></tags></task>

An ENAMEX whose attribute `type` is PERSON bears the label PERSON, any other the label ENAMEX. The documentation of
MATScore has the hierarchy of elements; the names of the attributes are our reading. The form of MAT 2 is read as well,
with the elements `annotation_set_descriptor`, `annotation`, `attribute` and `choice`.
"""

import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from scoring.errors import ConfigurationError, SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.mat.collecting import MalformedDocument
from scoring.readers.mat.formats.xml_text import Element, parse_elements
from scoring.readers.mat.types import Alias

TASK_FILE = "task.xml"
_LARGEST = 16 * 2**20  # bytes
_CATEGORIES = ("content", "token", "zone")


@dataclass(frozen=True)
class TaskDefinition:
    """Holds what a task says of annotations."""

    name: str | None  # None if the file gives none
    content: tuple[str, ...]  # types that are scored, in file order
    tokens: tuple[str, ...]  # types that are tokens, in file order
    aliases: Mapping[str, tuple[Alias, ...]]  # type -> its aliases, in file order: the first that fits wins


def read_task(path: str | Path, name: str | None) -> TaskDefinition:
    """Read the task of this name, or the only one, of a task.xml or of a folder with one.

    ConfigurationError says why there is none.
    """
    file = Path(path)
    try:
        file = file / TASK_FILE if file.is_dir() else file
        return _task(_chosen(parse_elements(_content(file)), name))
    except OSError as error:
        reason = error.strerror
    except MalformedDocument as error:
        place = ":".join(str(part) for part in (error.line, error.column) if part)
        reason = Message("placed", "{place}: {problem}", place=place, problem=error.args[0]) if place else error.args[0]
    except ValueError as error:
        reason = error.args[0]
    raise ConfigurationError(Message("task-file", "task file {file}: {reason}", file=str(file), reason=reason))


def task_of_gold(files: Mapping[str, bytes], name: str | None) -> TaskDefinition:
    """Read the task of this name, or the only one, of the task.xml among the gold's files.

    SubmissionError says why there is none.
    """
    path = path_of_task(files)
    try:
        return _task(_chosen(parse_elements(files[path]), name))
    except MalformedDocument as error:
        raise SubmissionError(Finding(error.args[0], path, error.line, error.column)) from None
    except ValueError as error:
        raise SubmissionError(Finding(error.args[0], path)) from None


def path_of_task(files: Iterable[str]) -> str:
    """Return where the task.xml is; SubmissionError if there is none, or more than one."""
    paths = [path for path in files if path.rpartition("/")[2] == TASK_FILE]
    if len(paths) == 1:
        return paths[0]
    if paths:
        raise SubmissionError(Finding(Message("several-task-files", "there are several files {name}", name=TASK_FILE)))
    raise SubmissionError(
        Finding(Message("no-task-file", "there is no {name}, which is to define the labels", name=TASK_FILE))
    )


def _content(file: Path) -> bytes:
    """Return the bytes of an ordinary file; a device or a pipe may have no end, and is not opened."""
    status = file.stat()
    if not stat.S_ISREG(status.st_mode):
        raise ValueError(Message("not-ordinary-file", "is not an ordinary file"))
    if status.st_size > _LARGEST:
        raise ValueError(Message("larger-than-mb", "is larger than {largest} MB", largest=_LARGEST // 2**20))
    return file.read_bytes()


def _chosen(root: Element, name: str | None) -> Element:
    """Return the element of the task. Here and below, ValueError says what is wrong with the file."""
    if root.name not in ("task", "tasks"):
        raise ValueError(
            Message("tasks-task-expected-not", "<tasks> or <task> is expected, not <{name}>", name=root.name)
        )
    tasks = [root] if root.name == "task" else [child for child in root.children if child.name == "task"]
    names = ", ".join(task.attributes.get("name", "(without a name)") for task in tasks)
    if name is None:
        if len(tasks) != 1:
            raise ValueError(
                Message(
                    "option-task-needed-choose",
                    "the option task is needed to choose one of its tasks: {what}",
                    what=names or Message("there-none", "there is none"),
                )
            )
        return tasks[0]
    for task in tasks:
        if task.attributes.get("name") == name:
            return task
    raise ValueError(
        Message("there-no-task-only", "there is no task {name!r}, only {what}", name=name, what=names or "nothing")
    )


def _task(task: Element) -> TaskDefinition:
    types = list(_tags(task)) + list(_annotations(task))
    aliases: dict[str, list[Alias]] = {}
    for name, alias in (*_attribute_sets(task), *_choices(task)):
        aliases.setdefault(name, []).append(alias)
    return TaskDefinition(
        name=task.attributes.get("name"),
        content=tuple(dict.fromkeys(name for name, category in types if category == "content")),
        tokens=tuple(dict.fromkeys(name for name, category in types if category == "token")),
        aliases={name: tuple(of_type) for name, of_type in aliases.items()},
    )


def _tags(task: Element) -> Iterator[tuple[str, str]]:
    """Yield types and their categories, as MAT 1 writes them."""
    for tag in task.descendants("tag"):
        category = tag.attributes.get("category", "content")
        if category not in _CATEGORIES:
            raise ValueError(
                Message(
                    "category-tag-none",
                    "the category {category!r} of a tag is none of {categories}",
                    category=category,
                    categories=", ".join(_CATEGORIES),
                )
            )
        yield _value(tag, "name"), category


def _attribute_sets(task: Element) -> Iterator[tuple[str, Alias]]:
    """Yield types and their aliases, as MAT 1 writes them."""
    for tag in task.descendants("tag"):
        for attributes in tag.descendants("attr_set"):
            pairs = attributes.descendants("attr")
            values = {_value(attribute, "name"): _value(attribute, "value") for attribute in pairs}
            yield _value(tag, "name"), Alias(_value(attributes, "name"), values)


def _annotations(task: Element) -> Iterator[tuple[str, str]]:
    """Yield types and their categories, as MAT 2 writes them; it has further categories, which do not count."""
    for descriptor in task.descendants("annotation_set_descriptor"):
        for annotation in descriptor.descendants("annotation"):
            yield _value(annotation, "label"), descriptor.attributes.get("category", "content")


def _choices(task: Element) -> Iterator[tuple[str, Alias]]:
    """Yield types and their aliases, as MAT 2 writes them: a choice with an effective label is one."""
    for attribute in task.descendants("attribute"):
        for choice in attribute.descendants("choice"):
            label = choice.attributes.get("effective_label")
            if label is None:
                continue
            # A choice may stand as the element's text, or have no value but its label.
            value = choice.attributes.get("value", choice.text.strip()) or label
            for name in _value(attribute, "of_annotation").split(","):
                yield name.strip(), Alias(label, {_value(attribute, "name"): value})


def _value(element: Element, attribute: str) -> str:
    if attribute not in element.attributes:
        raise ValueError(
            Message("no-attribute", "a <{name}> has no attribute {attribute!r}", name=element.name, attribute=attribute)
        )
    return element.attributes[attribute]
