"""Makes the reference of the API from its OpenAPI schema: what each address takes and answers, and how it is called."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, reduce
from itertools import groupby
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext as translated  # of words that were marked elsewhere
from django.utils.translation import gettext_lazy, gettext_noop, pgettext, pgettext_lazy

from evalsite.api.api import api

_EXAMPLES = {"task": "TASK", "phase": "PHASE", "scenario": "1", "id": "ID"}
_GROUPS = {
    "Tasks": gettext_lazy("Tasks"),
    "Runs": gettext_lazy("Runs"),
    "Boards": gettext_lazy("Boards"),
    "Judges": gettext_lazy("Judges"),
}
# Words of JSON, as the page says them.
_KINDS = {
    "object": pgettext_lazy("JSON", "object"),
    "string": pgettext_lazy("JSON", "string"),
    "integer": pgettext_lazy("JSON", "integer"),
    "number": pgettext_lazy("JSON", "number"),
    "boolean": pgettext_lazy("JSON", "boolean"),
    "null": "null",
}
_CODE = re.compile(r"`([^`]+)`")
_FIELDS_OF = ("allOf", "anyOf", "oneOf")


@dataclass(frozen=True)
class Parameter:
    name: str
    kind: str
    description: SafeString


@dataclass(frozen=True)
class Operation:
    key: str
    group: str
    method: str
    path: str
    summary: str
    description: SafeString
    needs: str  # "" where no token is needed; "read", "upload" or "judge"
    parameters: list[Parameter]  # of the address behind the question mark, or of the form
    answer: list[Parameter]  # fields of the answer, where it is an object
    curl: str


def groups_of_site(site: str) -> list[tuple[str, str, list[Operation]]]:
    """Return title and operations of each group at the address of a site."""
    return groups(operations(site))


def groups(operations: Iterable[Operation]) -> list[tuple[str, str, list[Operation]]]:
    """Return key, title and operations of each group."""
    order = list(_GROUPS)
    ordered = sorted(operations, key=lambda operation: order.index(operation.group))
    return [
        (name.lower(), str(_GROUPS[name]), list(grouped))
        for name, grouped in groupby(ordered, key=lambda operation: operation.group)
    ]


def operations(site: str) -> list[Operation]:
    """Return all operations in the order of their declaration; `site` begins the addresses of examples."""
    schema = _schema()
    return [
        _operation(path, method, spec, schema, site)
        for path, methods in schema["paths"].items()
        for method, spec in methods.items()
    ]


@cache
def _schema() -> dict[str, Any]:
    """Return the schema, which follows from the code alone."""
    return dict(api.get_openapi_schema())


def _operation(path: str, method: str, spec: dict[str, Any], schema: dict[str, Any], site: str) -> Operation:
    body = _body(spec, schema)
    query = [parameter for parameter in spec.get("parameters", []) if parameter["in"] == "query"]
    needs = next((name for need in spec.get("security", []) for name in need), "")
    return Operation(
        key=spec["operationId"],
        group=spec["tags"][0],
        method=method.upper(),
        path=path,
        summary=translated(spec["summary"]),
        description=_coded(spec.get("description", "")),
        needs={"Reading": "read", "Uploading": "upload", "Judging": "judge"}.get(needs, ""),
        parameters=[_query_parameter(parameter) for parameter in query] + body,
        answer=_answer(spec, schema),
        curl=_curl(path, method, body, bool(needs), site),
    )


def _query_parameter(spec: dict[str, Any]) -> Parameter:
    words = _coded(spec["schema"].get("description", ""))
    return Parameter(spec["name"], _kind(spec["schema"]), words)


def _body(spec: dict[str, Any], schema: dict[str, Any]) -> list[Parameter]:
    contents = spec.get("requestBody", {}).get("content", {})
    return [parameter for content in contents.values() for parameter in _fields(content["schema"], schema)]


def _answer(spec: dict[str, Any], schema: dict[str, Any]) -> list[Parameter]:
    for status in (200, 201, "200", "201"):
        content = spec["responses"].get(status, {}).get("content", {}).get("application/json")
        if content:
            return list(_fields(content["schema"], schema))
    return []


def _fields(spec: dict[str, Any], schema: dict[str, Any]) -> Iterator[Parameter]:
    """Yield the fields of an object, or of the objects in a list."""
    if "items" in spec:
        yield from _fields(spec["items"], schema)
    elif "$ref" in spec:
        yield from _fields(schema["components"]["schemas"][spec["$ref"].rpartition("/")[2]], schema)
    elif combined := next((spec[name] for name in _FIELDS_OF if name in spec), None):
        for variant in combined:
            yield from _fields(variant, schema)
    for name, field in spec.get("properties", {}).items():
        words = field.get("description") or (
            gettext_noop("The files, or one zip archive of them.") if name == "files" else ""
        )
        yield Parameter(name, _kind(field), _coded(words))


def _coded(english: str) -> SafeString:
    """Translate a text, and mark what stands between grave accents as code."""
    text = translated(english) if english else ""  # gettext("") returns the head of the catalogue
    # Every second piece is what the pattern has matched.
    pieces = enumerate(_CODE.split(text))
    return format_html_join(
        "", "{}", ((format_html("<code>{}</code>", piece) if k % 2 else piece,) for k, piece in pieces)
    )


def _kind(spec: dict[str, Any]) -> str:
    """Return the type in words of JSON."""
    if "$ref" in spec:
        return str(_KINDS["object"])
    if "anyOf" in spec:
        return reduce(_either, dict.fromkeys(_kind(variant) for variant in spec["anyOf"]))
    kind = str(spec.get("type", "object"))
    if kind == "array":
        return _("list of %(kind)s") % {"kind": _kind(spec.get("items", {}))}
    if spec.get("format") == "binary":
        return pgettext("JSON", "file")
    return pgettext("JSON", "time") if spec.get("format") == "date-time" else str(_KINDS[kind])


def _either(one: str, other: str) -> str:
    return _("%(one)s or %(other)s") % {"one": one, "other": other}


def _curl(path: str, method: str, body: list[Parameter], needs_token: bool, site: str) -> str:
    for name, value in _EXAMPLES.items():
        path = path.replace(f"{{{name}}}", value)
    parts = ["curl"] + (['-H "Authorization: Bearer $EVALSITE_TOKEN"'] if needs_token else [])
    names = {parameter.name for parameter in body}
    if "files" in names:
        parts += ["-F files=@run.zip"] + (['-F method="CRF with gazetteer"'] if "method" in names else [])
    elif method == "post":
        parts += ['-F reason="wrong file"'] if "reason" in names else ["-X POST"]
    lines = [" ".join(parts[:2]), *parts[2:]]
    return " \\\n  ".join([*lines, f"{site}{path}"]) if needs_token else f"{' '.join(lines)} {site}{path}"
