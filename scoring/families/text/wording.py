"""Holds what people read: layouts, titles of scores and counts, what the family is used for, an example."""

from collections.abc import Collection

from scoring.families.text.kinds import offered
from scoring.families.text.scores import SCORE_TITLES
from scoring.family import QUESTIONS, HiddenMeaning, Options, OptionWords, Use, no_text
from scoring.messages import Message

TITLE = "Texts beside references: BLEU, chrF, TER, ROUGE"

USES = (
    Use(
        "machine-translation",
        "Machine translation",
        "Systems translate sentences or paragraphs into another language.",
        {"metrics": ["bleu", "chrf", "chrf_pp"], "headline": "chrf_pp"},
    ),
    Use(
        "summarisation",
        "Summaries",
        "Systems say in a few sentences what a longer text is about.",
        {"metrics": ["rouge"], "headline": "rouge_l"},
    ),
    Use(
        "simplification",
        "Simplification and rewriting",
        "Systems say the same in easier words, or in another style.",
        {"metrics": ["bleu", "chrf"], "headline": "chrf"},
    ),
    Use(
        "text-correction",
        "Corrected texts",
        "Systems correct mistakes of grammar, spelling or recognition and give the whole text.",
        {"metrics": ["chrf", "ter", "exact"], "headline": "chrf"},
    ),
    Use(
        "data-to-text",
        "Texts from data",
        "Systems put tables, records or meanings into words.",
        {"metrics": ["bleu", "chrf", "rouge"], "headline": "bleu"},
    ),
    Use(
        "question-generation",
        "Questions about texts",
        "Systems ask questions that a given text answers.",
        {"metrics": ["bleu", "rouge"], "headline": "rouge_l"},
    ),
    Use(
        "free-answers",
        "Answers in free words",
        "Systems answer questions with a short text of their own.",
        {"metrics": ["rouge", "exact"], "headline": "token_f1"},
        area=QUESTIONS,
    ),
)

LAYOUT = """\
One file in UTF-8, alone or in a folder or zip archive, with a text for each segment of the gold:
plain lines, in the order of the gold, one segment a line (any name, such as run.txt);
or JSON Lines (.jsonl) in any order: {"id": "s1", "text": "The bridge is closed."};
or columns with tabs between them (.tsv), whose first line names them: id, text.
Only LF or CRLF ends a line. An empty line is an empty text. Give texts as people write them, not split into tokens.
"""

# For organisers.
GOLD_LAYOUT = """\
In UTF-8: plain lines, one reference a line, and for second and third references further files with as many lines;
or JSON Lines (.jsonl): {"id": "s1", "refs": ["The bridge is closed.", "The bridge is shut."], "document": "d1"};
or columns with tabs between them (.tsv), whose first line names them: id, ref or ref_1, ref_2 and so on, document.
SARI and GLEU need the source of each segment: "source", or with plain lines a file source.txt.
An empty reference is none; each segment needs one. Documents are named for all segments or for none.
"""

MAIN_SCORES = ("bleu", "length_ratio", "chrf", "chrf_pp", "ter", "rouge_1", "rouge_2", "rouge_l", "exact_match")

_COUNT_TITLES = Message.words(
    {
        "segments": "Segments",
        "references": "References",
        "empty_segments": "Empty segments of the run",
        "documents": "Documents",
        "system_length": "Tokens of the run",
        "reference_length": "Tokens of the references",
    }
)


def unit(options: Options) -> tuple[str, str]:
    """Return what a row of counts stands for, in singular and plural."""
    return (
        Message.noun("document", "documents") if options["unit"] == "document" else Message.noun("segment", "segments")
    )


def titles(options: Options) -> dict[str, str]:
    """Return the scores of the metrics that are computed, and their names for people."""
    return {score: SCORE_TITLES[score] for score in offered(options["metrics"])}


def count_titles(counts: Collection[str], options: Options) -> dict[str, str]:
    """Name the counts; documents are counted where they are units."""
    return {name: title for name, title in _COUNT_TITLES.items() if name != "documents" or options["unit"] == name[:-1]}


METRIC_TITLES = Message.words({"rouge": "ROUGE", "exact": "exact match"})

OPTION_WORDS: OptionWords = {
    "unit": {"segment": HiddenMeaning("segments"), "document": HiddenMeaning("documents")},
    "tokenize": {
        "13a": "words as in most papers (13a)",
        "intl": "words by all signs of Unicode (intl)",
        "zh": "Chinese characters (zh)",
        "char": "single characters (char)",
        "none": "words between blanks (none)",
        "ja-mecab": "Japanese words (MeCab)",
        "ko-mecab": "Korean words (MeCab)",
    },
    "lowercase": {"true": "capitals are ignored"},
    "smooth": {
        "exp": "BLEU with exponential smoothing",
        "floor": "BLEU with a floor",
        "add-k": "BLEU with a number added to the counts",
        "none": "BLEU without smoothing",
    },
    "ter_normalized": {"true": "TER parts punctuation from words"},
    "ter_no_punct": {"true": "TER leaves out punctuation"},
    "ter_asian_support": {"true": "TER parts Chinese and Japanese characters"},
    "ter_case_sensitive": {"true": "TER is case-sensitive"},
    "rouge_stemmer": {"true": "ROUGE compares stems of words"},
    "normalize": {"en": "exact match without a, an and the", "plain": "exact match of all words"},
    "headline": no_text,  # the board names it
    "metrics": lambda names: Message.joined(METRIC_TITLES.get(name) or SCORE_TITLES[name] for name in names),
    "language": lambda code: Message("language-said", "texts in {language}", language=code),
}
