"""What programs leave in the texts that they write: marks of subword units, tokens of control, a chat's courtesies.

Each `_Trace` is looked for by itself. The task's own texts are looked at for the same: what these hold too is usual.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from os.path import commonprefix

from scoring.columns import sampled
from scoring.describing.contents import Contents, Layer
from scoring.describing.encoding import input_has, own_texts
from scoring.describing.wording import quoted
from scoring.findings import Finding
from scoring.messages import Message

# Shares of the texts.
_RARE, _TENTH, _HALF, _MOST, _NEARLY_ALL = 0.01, 0.1, 0.5, 0.6, 0.8
_FEWEST, _FEWEST_ALIKE = 2, 10  # texts
_FEWEST_CUT = 20  # texts, of which half have one length by no chance
_REPEATED = 8  # times that a word stands behind itself where a decoder turns in circles
_PHRASE, _REPEATED_PHRASES = 4, 5  # words, and times that they come back in a text
_LETTERS = 4  # words of one letter each that are a word taken apart
_WORDS = 2  # at the beginning or the end that are compared
_LONG = 30  # characters without a blank
_LOOKED_AT = 300  # of the task's own texts
_LONGEST_SAMPLE = 2**19  # characters that are looked at, of all texts together
_BEFORE = 24  # characters of an example before what is found

_SPECIAL = re.compile(
    r"</?s>|<(?i:pad|unk|eos|bos|mask|sep|cls|eps|blank|go|end)>|\[(?:PAD|UNK|CLS|SEP|MASK|BOS|EOS|EOT|END|/?INST)\]"
    r"|<\|[^|<>\s]{1,40}\|>|<extra_id_\d+>|<<?/?SYS>?>|<(?:start|end)_of_(?:turn|text)>|<0x[0-9A-F]{2}>|⁇"
    r"|__[a-z]{2,3}(?:_[A-Z][a-z]{3})?__|>>[a-z]{2,3}<<|<2[a-z]{2,3}>|^[a-z]{3}_[A-Z][a-z]{3}\b|^(?:assistant|user|system)\s*\n"
    r"|\n(?:Human|User|Assistant):|^\[[a-z]{2}\]"
)
_ENTITIES = re.compile(
    r"&(?:#[0-9]{1,6}|#[xX][0-9a-fA-F]{1,5}|amp|lt|gt|quot|apos|nbsp|hellip|[mn]dash|[lr][sd]quo|[lr]aquo|euro|iexcl"
    r"|iquest|[a-zA-Z](?:acute|grave|circ|tilde|uml|cedil|slash|ring)|szlig);"
)
_TAGS = re.compile(r"(?i)</?(?:br|p|b|i|u|em|strong|span|div|html|body|code|pre|li|ul|ol|td|tr|h[1-6])\s?/?>")
_SOUNDS = re.compile(
    r"(?i)[\[(<{*](?:background |blank_)?(?:noise|laugh(?:s|ter|ing)?|music|silence|inaudible|unintelligible|audio"
    r"|applause|cough(?:s|ing)?|breath(?:s|ing)?|sil|spn|nsn|hes|vocalized-noise|ruido|risas?|música|aplausos|silencio"
    r"|inaudible|ininteligible)[\])>}*]|[♪♫]|(?:^|\s)%(?:hes|uh|um)\b|\b(?-i:SIL|SPN|NSN)\b"
)
_TIMES = re.compile(r"\d{1,2}:\d{2}[.,]\d{2,3}\]?(?:\s*-->|\]|\s)|\bSPEAKER_\d+|^\W?[Ss]peaker \d+:|<v[ .][^<>]*>")
_COURTESIES = re.compile(
    r"(?i)^\W*(?:sure[,!.]|certainly[,!.]|of course[,!.]|absolutely[,!.]|okay, here"
    r"|here(?: is|'s|’s| are) (?:the|a|your|my)"
    r"|the (?:\w+ ){0,2}(?:answer|label|class|intent|translation|transcription|summary|category)(?: is|:)"
    r"|(?:final |short )?(?:answer|output|response|translation|summary|transcription|label):"
    r"|i(?:'m|’m| am) sorry|sorry, (?:but )?i|as an ai|i can(?:no|')t (?:help|assist)"
    r"|(?:claro|por supuesto|desde luego)[,!.]|aquí (?:está|tienes|tiene)|la respuesta es|lo siento|respuesta:"
    r"|natürlich[,!.]|hier ist|die antwort (?:ist|lautet)|bien sûr[,!.]|voici |la réponse est)"
)
_ROBOTS = re.compile(
    r"(?i)\bas an ai\b|\bi can(?:no|')t (?:help|assist) with|\bsorry, (?:but )?i can(?:no|')t|\bcomo (?:modelo|ia)\b"
)
_SUBTITLES = re.compile(
    r"(?i)\bthank(?:s| you) for watching\b|\bgracias por ver\b|^\W*(?:subtitles by|subtítulos por|untertitel)"
)
_VALUES = re.compile(r"(?s)^(?:b?\[?\(?['\"].*['\"],?\)?\]|b'.*'|b\".*\"|\{\s*['\"].*\}|(?:tensor|array)\(.*)$")
_FORMS = re.compile(r"^[HDSTP]-\d+\s|\s\|\|\|\s|[\t( ]-?\d+\.\d+\)?\s*$")
_BETWEEN_QUOTES = re.compile(r"(?s)^(?:\"[^\"]+\"|'[^']+'|“[^“”]+”|„[^„“”]+[“”]|«[^«»]+»|‘[^‘’]+’|`[^`]+`)$")

Finds = Callable[[str], object]


@dataclass(frozen=True)
class _Trace:
    """One thing that is left in texts."""

    finds: Finds  # whether a text holds it
    what: Message  # what such texts have
    suggestion: Message
    share: float = _RARE  # of the texts, from which on it is told
    fewest: int = _FEWEST
    usual: float = 0.0  # of the task's own texts, from which share on it is no trace; 0: where any has it


def _repeats(text: str) -> bool:
    """Return whether a word stands many times behind itself, or a few words come back many times.

    >>> _repeats("the end the end the end"), _repeats("no " * 8), _repeats("and so he went out " * 5)
    (False, True, True)
    """
    words = text.split()
    if len(words) >= _PHRASE * _REPEATED_PHRASES and 2 * len(set(words)) < len(words):
        phrases = Counter(tuple(words[k : k + _PHRASE]) for k in range(len(words) - _PHRASE + 1))
        if phrases.most_common(1)[0][1] >= _REPEATED_PHRASES:
            return True
    times, last = 0, ""
    for word in words:
        times = times + 1 if word == last else 1
        last = word
        if times >= _REPEATED:
            return True
    return False


def _is_letter(text: str) -> bool:
    """Return whether it is one letter of an alphabet with capitals: in Chinese, one sign may be an answer."""
    return len(text.strip(" .)(")) == 1 and text.lower() != text.upper()


def _is_spaced(text: str) -> bool:
    words = text.split()
    return len(words) >= _LETTERS and sum(map(_is_letter, words)) >= _NEARLY_ALL * len(words)


def _is_joined(text: str) -> bool:
    """Return whether a long text of such an alphabet has no blank."""
    plain = text.strip()
    return len(plain) >= _LONG and len(plain.split()) == 1 and sum(map(_is_letter, plain)) >= _MOST * len(plain)


_JOIN = Message("join-pieces", "join the pieces to words again, as the tokeniser's decoder does")
_TAKE_OUT = Message("take-traces-out", "take them out before you write the file")
_TEXT_ALONE = Message("text-alone", "write the text alone")
_TRACES = (
    _Trace(
        re.compile(r"▁|\S@@(?=\s|$)|(?:^|\s)##\w|[ĠĊ]|\w￭|￭\w").search,
        Message("traces-pieces", "marks of subword units"),
        _JOIN,
    ),
    _Trace(_SOUNDS.search, Message("traces-sounds", "marks of sounds, which count as words"), _TAKE_OUT),
    _Trace(_SPECIAL.search, Message("traces-special", "a model's control tokens"), _TAKE_OUT),
    _Trace(
        _ENTITIES.search,
        Message("traces-entities", "HTML entities"),
        Message("write-characters", "write the characters themselves: & for &amp;, for example"),
    ),
    _Trace(re.compile(r"```").search, Message("traces-fences", "code fences"), _TEXT_ALONE),
    _Trace(
        re.compile(
            r"</?think(?:ing)?>|</?answer>|(?i:\bthe user (?:wants|asks|asked|is asking|has asked)\b)"
            r"|(?i:^\W*(?:okay|ok|alright|hmm|wait)[,.]+ (?:so|let|the user|i need|i should)\b)"
        ).search,
        Message("traces-thoughts", "a model's reasoning"),
        _TEXT_ALONE,
    ),
    _Trace(_TAGS.search, Message("traces-tags", "HTML tags"), _TAKE_OUT),
    _Trace(_TIMES.search, Message("traces-times", "times or speakers"), _TEXT_ALONE),
    _Trace(_ROBOTS.search, Message("traces-refusals", "a chatbot's refusal"), _TEXT_ALONE),
    _Trace(_SUBTITLES.search, Message("traces-subtitles", "a phrase that recognisers make up in silence"), _TAKE_OUT),
    _Trace(
        lambda text: None if _ROBOTS.search(text) else _COURTESIES.search(text),
        Message("traces-courtesies", "what a chatbot says around its answer"),
        _TEXT_ALONE,
        _TENTH,
    ),
    _Trace(
        re.compile(r"\\u[0-9a-fA-F]{4}|\\x[0-9a-f]{2}|\\[nrt](?![a-z])|\w%20\w").search,
        Message("traces-escapes", "characters as a programming language writes them"),
        Message("write-characters-not-escapes", "write the characters themselves"),
    ),
    _Trace(_VALUES.search, Message("traces-values", "a programming language's notation"), _TEXT_ALONE, _HALF),
    _Trace(
        _FORMS.search,
        Message("traces-forms", "what a program writes beside a text, such as a score"),
        _TEXT_ALONE,
        _HALF,
    ),
    _Trace(
        re.compile(r"\*\*[^*\n]+\*\*|(?m:^#{1,6} \w)").search,
        Message("traces-markdown", "Markdown"),
        _TEXT_ALONE,
        _TENTH,
    ),
    _Trace(
        re.compile(
            r"(?i)\W*(?:nan|none|null|n/?a|undefined|<empty>|\[\]|<na>|unanswerable|unknown|i do(?:n'|n’| no)t know"
            r"|no[ _-]?answer(?: found| available)?|not (?:found|available|answerable|mentioned|given)"
            r"|(?:sin|no hay) respuesta|no (?:lo )?sé|desconocid[oa]|keine antwort|pas de réponse)\W*"
        ).fullmatch,
        Message("traces-stand-ins", "a word that stands for nothing"),
        Message("write-nothing", "write nothing where there is none"),
        fewest=3,
    ),
    _Trace(
        _repeats,
        Message("traces-circles", "words that are repeated many times"),
        Message("stop-decoder", "did the decoder turn in circles?"),
    ),
)


def _is_doubled(text: str) -> bool:
    """Return whether a text says all of it twice."""
    words = text.split()
    half = len(words) // 2
    middle = len(text) // 2
    if middle >= _LONG and text[:middle] == text[-middle:]:
        return True
    # A sign may stand between both.
    return half > 1 and words[:half] == words[-half:]


def _is_one_word(text: str) -> bool:
    return len(text.split()) == 1 and sum(map(str.isalpha, text)) > 1 and len(text) < _LONG


def _has_commas_between_words(text: str) -> bool:
    *words, _ = text.split() or [""]
    return len(words) >= _LETTERS and all(word.endswith(",") for word in words)


def _is_in_capitals(text: str) -> bool:
    return text.isupper() and sum(map(str.isalpha, text)) >= _LETTERS


def _is_in_small_letters(text: str) -> bool:
    return text.islower() and len(text.split()) >= _PHRASE


def _is_in_titles(text: str) -> bool:
    """Return whether each of several words begins with a capital, and not all of it is in capitals."""
    words = [word for word in text.split() if word[0].isalpha()]
    return len(words) >= _PHRASE and all(word[0].isupper() for word in words) and not text.isupper()


# Told only where none of the others is.
_WHOLE_TEXT_TRACES = (
    _Trace(
        re.compile(r"^\s*\w(?:\|\w?){3,}").search,
        Message("traces-bars", "bars between their letters"),
        Message("words-between-blanks", "write words with blanks between them"),
        _HALF,
    ),
    _Trace(
        re.compile(r"(?s)^\s*<([A-Za-z_][\w-]*)[^<>]*>.*</\1>\s*$").search,
        Message("traces-elements", "tags of XML around them"),
        _TEXT_ALONE,
        _HALF,
    ),
    _Trace(
        _is_doubled,
        Message("traces-twice", "all of it twice"),
        Message("write-text-once", "write each text once"),
        _NEARLY_ALL,
        _FEWEST_ALIKE,
    ),
    _Trace(
        lambda text: _BETWEEN_QUOTES.match(text.strip()),
        Message("traces-quotes", "quotation marks around the whole text"),
        Message("take-quotes-out", "take the outer quotes out"),
        _NEARLY_ALL,
        _FEWEST_ALIKE,
    ),
    _Trace(
        _is_letter,
        Message("traces-letters", "a single letter"),
        Message("whole-answers", "write the answers themselves; were the letters of choices written?"),
        _HALF,
        _FEWEST_ALIKE,
    ),
    _Trace(
        _is_spaced,
        Message("traces-spaced", "blanks between all letters"),
        Message("words-between-blanks", "write words with blanks between them"),
        _HALF,
    ),
    _Trace(
        _is_joined,
        Message("traces-joined", "no blank between their words"),
        Message("words-between-blanks", "write words with blanks between them"),
        _HALF,
        _FEWEST_ALIKE,
    ),
    _Trace(
        re.compile(r"\S\t+\S").search,
        Message("traces-tabs", "tabs in them, as between columns"),
        _TEXT_ALONE,
        _NEARLY_ALL,
        _FEWEST_ALIKE,
    ),
    _Trace(
        re.compile(r"^\s*\[?\d+(?:[\s,]+\d+){2,}\]?\s*$").search,
        Message("traces-numbers", "numbers alone"),
        Message("decode-tokens", "are these the numbers of tokens? decode them"),
        _HALF,
    ),
    _Trace(
        re.compile(r"\w [.,](?:\s|$)").search,
        Message("traces-tokens", "blanks before their full stops and commas"),
        Message("detokenise", "write texts that are not split into tokens"),
        _HALF,
        _FEWEST_ALIKE,
    ),
    _Trace(
        re.compile(r"^\s*[\[(]?\d{1,2}:\d{2}(?::\d{2})?[\])]?[\s,:-]").search,
        Message("traces-time-first", "a time at the beginning"),
        _TEXT_ALONE,
        _NEARLY_ALL,
        _FEWEST_ALIKE,
        usual=_TENTH,
    ),
    _Trace(
        re.compile(r"^\s*(?:\d+[.):]|[-*•])\s").search,
        Message("traces-numbering", "a number or a bullet of their own at the beginning"),
        _TEXT_ALONE,
        _NEARLY_ALL,
        _FEWEST_ALIKE,
    ),
)

# Told of whole texts: answers and phrases may be so.
_PROSE_TRACES = (
    _Trace(
        re.compile(r"^\s*[-+−]?\d+(?:[.,]\d+)?\s*$").search,
        Message("traces-number-alone", "nothing but a number"),
        Message("texts-not-numbers", "is this the column of the texts?"),
        _NEARLY_ALL,
        _FEWEST_ALIKE,
        usual=_TENTH,
    ),
    _Trace(
        _is_one_word,
        Message("traces-one-word", "a single word"),
        Message("whole-texts-not-words", "write whole texts; was only one word of each kept?"),
        _NEARLY_ALL,
        _FEWEST_ALIKE,
        usual=_TENTH,
    ),
    _Trace(
        _has_commas_between_words,
        Message("traces-commas", "commas between all words"),
        Message("words-between-blanks", "write words with blanks between them"),
        _HALF,
        _FEWEST_ALIKE,
    ),
)


def _begins_small(text: str) -> bool:
    return text.lstrip()[:1].islower() and not text.islower() and len(text.split()) >= _PHRASE


_AS_USUAL = Message("capitals-as-usual", "write capitals as the task does")
# Told where capitals count.
_EXACT_TRACES = (
    _Trace(
        _is_in_capitals,
        Message("traces-capitals", "nothing but capitals"),
        _AS_USUAL,
        _NEARLY_ALL,
        _FEWEST_ALIKE,
        usual=_TENTH,
    ),
    _Trace(
        _is_in_small_letters,
        Message("traces-small-letters", "no capitals"),
        _AS_USUAL,
        _NEARLY_ALL,
        _FEWEST_ALIKE,
        usual=_TENTH,
    ),
    _Trace(
        _is_in_titles,
        Message("traces-titles", "a capital at the beginning of each word"),
        _AS_USUAL,
        _NEARLY_ALL,
        _FEWEST_ALIKE,
        usual=_TENTH,
    ),
    _Trace(
        _begins_small,
        Message("traces-small-beginning", "a small letter at the beginning"),
        Message("were-beginnings-lost", "were their first characters lost?"),
        _MOST,
        _FEWEST_ALIKE,
        usual=_TENTH,
    ),
)
# Told only where texts share no words at their beginning: else these are it.
_NAMES = _Trace(
    re.compile(r"^[^\W\d_][\w.-]{0,30}: \S").search,
    Message("traces-names", "a name and a colon before them, as of a speaker"),
    _TEXT_ALONE,
    _NEARLY_ALL,
    _FEWEST_ALIKE,
)


def odd_traces(contents: Contents) -> Iterator[Finding]:
    """Yield `traces` where the system's own texts hold what a program has left in them, and the task's own do not."""
    for layer, whole in own_texts(contents):
        texts = [_ends(text, _LONGEST_SAMPLE // len(whole)) for text in whole]
        find = partial(_odd, layer=layer, texts=texts, contents=contents)
        oddities = [odd for trace in _TRACES for odd in find(trace)]
        whole_traces = _WHOLE_TEXT_TRACES + _PROSE_TRACES * layer.is_prose + _EXACT_TRACES * layer.is_exact
        oddities = oddities or [odd for trace in whole_traces for odd in find(trace)][:1]
        oddities = oddities or [*_cut(layer, whole, contents)] or [*_same_words(layer, texts, contents)]
        yield from oddities or find(_NAMES)


def _n_words(text: str) -> int:
    return len(text.split())


def _has_more_words(most: int, text: str) -> bool:
    return _n_words(text) > most


# How long a text is, how long those have to be, and what is said.
_LENGTHS: Sequence[tuple[Callable[[str], int], int, str]] = (
    (len, 20, "exactly {most} characters, and none has more"),
    (_n_words, 5, "exactly {most} words, and none has more"),
)


def _cut(layer: Layer, texts: Sequence[str], contents: Contents) -> Iterator[Finding]:
    """Yield `traces` where half of the texts have one length, and none is longer."""
    for size, shortest, template in _LENGTHS:
        most = max(map(size, texts), default=0)
        cut = [text for text in texts if size(text) == most]
        if len(set(cut)) < max(_FEWEST_CUT, _HALF * len(texts)) or most < shortest:
            continue
        if size is _n_words and not input_has(contents, partial(_has_more_words, most)):
            continue
        what = Message("traces-cut", template, most=most)
        suggestion = Message("whole-texts", "were they cut? write whole texts")
        yield _oddity(layer, contents, cut, len(texts), what, suggestion, cut[0])
        return


def _ends(text: str, most: int) -> str:
    """Return so many characters of a text at most: of its beginning, and a quarter of its end.

    >>> _ends("abcdefghijkl", 8)
    'abcdef … kl'
    """
    return text if len(text) <= most else f"{text[: most - most // 4]} … {text[-(most // 4) :]}"


def _odd(trace: _Trace, layer: Layer, texts: Sequence[str], contents: Contents) -> Iterator[Finding]:
    odd = [text for text in texts if trace.finds(text)]
    if not odd or len(odd) < max(trace.fewest, trace.share * len(texts)) or _is_usual(trace, contents):
        return
    example = _around(odd[0], trace.finds(odd[0]))
    yield _oddity(layer, contents, odd, len(texts), trace.what, trace.suggestion, example)


def _is_usual(trace: _Trace, contents: Contents) -> bool:
    """Return whether the task's own texts have it."""
    if not trace.usual:
        return input_has(contents, trace.finds)
    looked_at = [contents.texts[k] for k in sampled(len(contents.texts), _LOOKED_AT).tolist()]
    return sum(1 for text in looked_at if trace.finds(text)) >= max(1, trace.usual * len(looked_at))


def _around(text: str, match: object) -> str:
    """Return the text from shortly before what was found in it."""
    start = match.start() - _BEFORE if isinstance(match, re.Match) else 0
    return "…" + text[start:].lstrip() if start > 0 else text


def _oddity(
    layer: Layer, contents: Contents, odd: Sequence[str], of: int, what: Message, suggestion: Message, example: str
) -> Finding:
    message = Message(
        "texts-have",
        "{n:,} of {of:,} {things} have {what}: {example}.",
        n=len(odd),
        of=of,
        things=Message.word(layer.name[1]),
        what=what,
        example=quoted(example),
    )
    file = layer.file or contents.file
    return Finding.odd("traces", message, n=len(odd), of=of, file=file, suggestion=suggestion)


def _same_words(layer: Layer, texts: Sequence[str], contents: Contents) -> Iterator[Finding]:
    """Yield `traces` where nearly all texts, which differ otherwise, begin or end in the same words."""
    differing = [text for text in dict.fromkeys(texts) if len(text.split()) > _WORDS]
    if len(differing) < max(_FEWEST_ALIKE, _HALF * len(texts)):
        return
    begins = _sharing(differing, _first_words, str.startswith, contents)
    if alike := begins or _sharing(differing, _last_words, str.endswith, contents):
        what = (
            Message("traces-beginning", "the same beginning, {shared}", shared=quoted(_shared(alike)))
            if begins
            else Message("traces-end", "the same end, {shared}", shared=quoted(_last_words(alike[0])))
        )
        yield _oddity(layer, contents, alike, len(differing), what, _TEXT_ALONE, alike[0])


def _sharing(
    texts: Sequence[str], words_of: Callable[[str], str], has: Callable[[str, str], bool], contents: Contents
) -> list[str]:
    """Return the texts that share their first or last words, if they are nearly all and no text of the task does."""
    [(words, n)] = Counter(map(words_of, texts)).most_common(1)
    if n < _NEARLY_ALL * len(texts) or input_has(contents, lambda text: has(text, words)):
        return []
    return [text for text in texts if has(text, words)]


def _shared(texts: Sequence[str]) -> str:
    """Return the whole words with which all of them begin."""
    return commonprefix([min(texts), max(texts)]).rpartition(" ")[0]


def _first_words(text: str) -> str:
    """Return the first words, up to a colon if one of them ends in it."""
    first = text.split(maxsplit=_WORDS)[:_WORDS]
    return first[0] if first[0].endswith(":") else text[: text.index(first[1]) + len(first[1])]


def _last_words(text: str) -> str:
    return " ".join(text.rsplit(maxsplit=_WORDS + 1)[-_WORDS - 1 :])
