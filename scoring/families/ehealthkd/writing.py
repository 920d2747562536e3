"""Small files of a scenario in the form of each edition, made from the tables of 2019."""

from scoring.family import Options
from scoring.readers.ehealthkd import PAIRED
from scoring.readers.ehealthkd.brat.layout import pair_names
from scoring.readers.ehealthkd.converting import pair_of_tables


def written(sentences: str | None, phrases: str, relations: str, options: Options) -> dict[str, bytes]:
    """Write the files of the chosen scenario: {path: content}; sentences where there are any."""
    if options["rules"] in PAIRED:
        return _pair(sentences, phrases, relations, options)
    texts = {"input": sentences, "output_a": phrases, "output_b": relations}
    n = options["scenario"]
    return {f"{stem}_scenario{n}.txt": text.encode() for stem, text in texts.items() if text is not None}


def _pair(sentences: str | None, phrases: str, relations: str, options: Options) -> dict[str, bytes]:
    given = None if sentences is None else sentences.encode()
    text, annotations = pair_of_tables(given, phrases.encode(), relations.encode(), ("", "", ""))
    names = pair_names(options["scenario"], options["rules"])
    files = {names[0]: annotations.encode()}
    return files if text is None else files | {names[1]: text.encode()}
