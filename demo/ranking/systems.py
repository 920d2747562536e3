"""The fictional teams of the search task: their methods, and how well they tell what helps."""

from dataclasses import dataclass
from functools import partial

from demo import plan
from demo.chance import SHARED, uniform
from demo.ranking.retrieval import in_title, likenesses
from demo.ranking.topics import Topic


@dataclass(frozen=True)
class Rates:
    """What the score of an article is made of."""

    words: float  # BM25, in parts of the best article's
    titles: float  # share of the title's words
    meaning: float  # each grade of how far it really helps
    noise: float  # anything else
    depth: int = 50  # articles for a topic
    lost: float = 0.0  # share of the topics that are left out
    digits: int = 4  # of a score; few of them make ties


Profile = plan.Profile[Rates]
_run = partial(Profile, scenarios=(1,))

PROFILES = (
    _run(
        "Organisers",
        "bm25",
        "BM25",
        "Okapi BM25 over title and text with the usual parameters.",
        Rates(words=1, titles=0, meaning=0, noise=0),
        reference="baseline",
    ),
    _run(
        "Organisers",
        "archivists",
        "Two archivists",
        "Two people with the index cards, who agreed on ten articles for each topic.",
        Rates(words=0.3, titles=0, meaning=0.9, noise=1.6, depth=10),
        reference="human",
        phases=("test",),
    ),
    _run(
        "Faro NLP",
        "run1",
        "Bi-encoder",
        "Dense vectors of topics and articles, trained on other encyclopaedias.",
        Rates(words=0.4, titles=0.1, meaning=0.3, noise=1.35),
    ),
    _run(
        "Faro NLP",
        "run2",
        "Bi-encoder and BM25",
        "Run 1 and BM25 by reciprocal rank.",
        Rates(words=0.8, titles=0.1, meaning=0.3, noise=1.2),
    ),
    _run(
        "Marginalia",
        "run1",
        "Cross-encoder over BM25",
        "Reads the first fifty articles of BM25 again, each together with the topic.",
        Rates(words=0.7, titles=0.1, meaning=0.48, noise=1.2),
    ),
    _run(
        "Index & Sons",
        "run1",
        "Titles and links",
        "Finds the article of the name and follows the names in it.",
        Rates(words=0.5, titles=0.9, meaning=0.3, noise=1.1, digits=1),
    ),
    _run(
        "Ask Again",
        "run1",
        "Language model as a judge",
        "Asks a language model for each article whether it helps; gives up where it is unsure.",
        Rates(words=0.5, titles=0, meaning=0.62, noise=1.25, depth=20, lost=0.08),
    ),
    _run(
        "Footnote",
        "run1",
        "Expanded topics",
        "Sparse retrieval with words that often stand beside those of the topic.",
        Rates(words=1.1, titles=0.1, meaning=0.12, noise=1.0),
    ),
    _run(
        "Quill",
        "run1",
        "Words of titles",
        "Counts the words that topic and title share; ties are left to chance.",
        Rates(words=0.2, titles=1, meaning=0.05, noise=0.5, depth=30),
        phases=("test",),
    ),
    _run(
        "Second Volume",
        "run1",
        "Late interaction",
        "A vector for each word; the best match of each word of the topic counts.",
        Rates(words=0.7, titles=0.1, meaning=0.4, noise=1.2),
        phases=("test",),
    ),
)


def ranked(topic: Topic, rates: Rates, name: str) -> list[tuple[str, str]]:
    """(article, score as it is written), the best first; nothing for a topic that is left out."""
    if uniform(name, topic.id, "lost") < rates.lost:
        return []
    words, titles = likenesses(topic.text), in_title(topic.text)
    best = max(words.values()) or 1.0

    def score(article: str) -> float:
        # What misleads one system misleads the others too.
        shared, own = uniform("everybody", topic.id, article), uniform(name, topic.id, article)
        noise = SHARED * shared + (1 - SHARED) * own
        helps = topic.grades.get(article, 0)
        value = rates.words * words[article] / best + rates.titles * titles[article] + rates.meaning * helps
        return value + 2 * rates.noise * noise

    scores = {article: score(article) for article in words}
    first = sorted(scores, key=lambda article: (-scores[article], article))[: rates.depth]
    return [(article, f"{scores[article]:.{rates.digits}f}") for article in first]
