"""Snippets of texts in place of documents, as BioASQ ranks them: what the record of rankings needs of them."""

from collections.abc import Callable
from typing import Any


def either(documents: Callable[..., Any], snippets: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that does what the option `items` asks for; options are its last argument."""

    def chosen(*given: Any) -> Any:
        return (snippets if given[-1].get("items") == "snippets" else documents)(*given)

    return chosen
