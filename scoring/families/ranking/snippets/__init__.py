"""Snippets of texts in place of documents, as BioASQ ranks them: what the record of rankings needs of them."""

from collections.abc import Callable
from typing import Any

from scoring import lazy


def either(documents: Callable[..., Any], snippets: str) -> Callable[..., Any]:
    """Return a function that does what the option `items` asks for; options are its last argument.

    That of snippets is named, with its module.
    """
    module, _, name = snippets.rpartition(".")

    def chosen(*given: Any) -> Any:
        return (lazy.load(module, name) if given[-1].get("items") == "snippets" else documents)(*given)

    return chosen
