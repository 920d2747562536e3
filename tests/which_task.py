"""The table of shared tasks in docs/which-task.md, made from the file that the desk offers them from.

python -m tests.which_task      writes it there
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
FILE = ROOT / "evalsite" / "desk" / "making" / "shared_tasks.toml"
DOCUMENT = ROOT / "docs" / "which-task.md"
HEAD = "| task | family | options of the example | compared |\n|---|---|---|---|\n"
LONGEST = 120  # characters of an option's value; a longer one stands in the file alone


def shared_tasks() -> list[dict[str, Any]]:
    events = tomllib.loads(FILE.read_text(encoding="utf-8"))["event"]
    return [{"url": event["url"], **shared} for event in events for shared in event["task"]]


def table() -> str:
    return HEAD + "".join(map(_row, shared_tasks()))


def write() -> None:
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(HEAD)
    after = "\n" + rest.partition("\n\n")[2]
    DOCUMENT.write_text(before + table() + after, encoding="utf-8")


def _row(shared: Mapping[str, Any]) -> str:
    said = ", ".join(_options(shared["options"])) or "–"
    compared = "; ".join(
        filter(None, ("exact" if shared.get("exact") else shared.get("differs", ""), shared.get("note")))
    )
    return f"| [{shared['name']}]({shared['url']}), {shared['about']} | `{shared['family']}` | {said} | {compared} |\n"


def _options(options: Mapping[str, Any]) -> Iterator[str]:
    for key, value in options.items():
        text = value if isinstance(value, str) else json.dumps(value)
        yield f"`{key}`" if len(text) > LONGEST else f"`{key}={text}`"


if __name__ == "__main__":
    write()
