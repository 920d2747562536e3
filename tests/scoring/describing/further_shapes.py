"""Wrong files that look right to a reader: columns left over, texts cut to a word, one text for a document."""

from tests.scoring.describing.shapes import (
    REFUSED,
    TEXTS,
    Shape,
    spoken,
    texts,
)

WRONG: list[Shape] = []
RIGHT: list[Shape] = []


def _add(task, name, files, words, kind=REFUSED, scenario=1):
    WRONG.append(Shape(task, name, files, scenario, kind, words))


_NUMBERED = "id\tn\n" + "".join(f"{record['id']}\t{k}\n" for k, record in enumerate(TEXTS))
_add(
    "text", "a column of numbers left over", {"run.tsv": _NUMBERED}, "no column text: the first line names the columns"
)
_add("text", "one word", texts(lambda text: text.split()[0]), "have a single word", "traces")
_add("text", "numbers", texts(lambda text: str(len(text))), "have nothing but a number", "traces")
_add("text", "commas", texts(lambda text: ", ".join(text.split())), "have commas between all words", "traces")
_add("transcripts", "one word", spoken(lambda text: text.split()[0] if text else ""), "have a single word", "traces")
_WHOLE: dict[str, str] = {}
for _record in TEXTS:
    _document = _record["id"].rpartition("-")[0]
    _WHOLE[_document] = " ".join(filter(None, [_WHOLE.get(_document), _record["text"]]))
_FOR_ALL = [record | {"text": _WHOLE[record["id"].rpartition("-")[0]]} for record in TEXTS]
_add(
    "text", "the document for all", texts(str, _FOR_ALL), "In 24 of 24 documents all segments have the same", "constant"
)
