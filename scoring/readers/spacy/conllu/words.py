"""Finds which word of the gold each word of a system is, where both may cut the same text into other tokens and words.

The rules are those of the program of CoNLL 2018. Outside of multiword tokens, words are the same if they are the same
piece of the text. Where either side has a multiword token, all words in the stretch that it and the multiword tokens
that overlap it cover are aligned by their forms: the longest common subsequence, capitals aside. For example:

    gold     1-2 "du": "de" "le"    3 "pain"
    system   1 "du"                 2 "pain"

"du" is no word of the gold, so only "pain" is aligned; a system with the same range and "de" "les" has "de" right, too.

That program walks through both sides word by word. Its way does not hang on what came before wherever a token of both
sides begins that is one word on both, nor behind a token of both sides whose beginning was such a place. So only the
stretches between such places are walked through here, and of them those that hold a multiword token.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.columns import Flags, Integers
from scoring.readers.spacy.documents.treebank import Treebank

# Words of a stretch that are aligned by their forms, which takes time that grows with their square.
MOST_WORDS = 1_000

Pair = tuple[int, int]  # a word of the gold and one of the system


class TooLongError(Exception):
    """A stretch of multiword tokens that overlap each other has more than MOST_WORDS words."""

    def __init__(self, word: int) -> None:
        super().__init__(word)
        self.word = word  # of the system, where it begins


def align_words(gold: Treebank, system: Treebank) -> Integers:
    """Return the word of the gold that each word of the system is, -1 for none: (system words,).

    Both have the same text.
    """
    gold_token = _same_tokens(gold, system)
    gold_first, system_first = _first_words(gold), _first_words(system)
    is_simple = (gold_token >= 0) & ~system.is_part[system_first[:-1]]
    is_simple &= ~gold.is_part[gold_first[:-1]][gold_token]
    is_settled = _settled(gold_token >= 0, is_simple)
    aligned = np.full(len(system.token), -1, dtype=np.int64)
    aligned[system_first[:-1][is_simple]] = gold_first[:-1][gold_token[is_simple]]
    ends = gold_first.tolist(), system_first.tolist()
    pairs: list[Pair] = []
    for token in np.flatnonzero(is_settled & ~is_simple).tolist():
        other = int(gold_token[token])
        stretch = _Stretch(gold, system, ends[0][other], ends[0][other + 1], ends[1][token], ends[1][token + 1])
        pairs += stretch.by_forms()
    for stretch in _unsettled(gold, system, is_settled, gold_first, system_first):
        pairs += stretch.walked()
    if pairs:
        of_gold, of_system = zip(*pairs, strict=True)
        aligned[list(of_system)] = of_gold
    return aligned


def _same_tokens(gold: Treebank, system: Treebank) -> Integers:
    """Return the token of the gold with the same characters as each of the system, -1 for none."""
    begin, end = system.token_start[:-1], system.token_start[1:]
    place = np.searchsorted(gold.token_start[:-1], begin, side="right") - 1
    is_same = (gold.token_start[:-1][place] == begin) & (gold.token_start[1:][place] == end)
    return np.where(is_same, place, -1)


def _first_words(side: Treebank) -> Integers:
    """Return the first word of each token, and the number of words: (tokens + 1,)."""
    return np.searchsorted(side.token, np.arange(len(side.token_start)))


def _settled(is_same: Flags, is_simple: Flags) -> Flags:
    """Return whether the program's way leads through the beginning of a token that both sides have: (system tokens,).

    It does where the token is one word on both sides, at the beginning of the file, and behind such a token.
    """
    place = np.arange(len(is_same))
    begins_run = is_same.copy()
    begins_run[1:] &= ~is_same[:-1]
    run = np.maximum.accumulate(np.where(begins_run, place, -1))
    opens = is_simple.copy()
    opens[:1] = is_same[:1]
    last_open = np.maximum.accumulate(np.where(opens, place, -1))
    return np.asarray(is_same & (last_open >= run))


@dataclass(frozen=True)
class _Stretch:
    """Words of both sides that cover the same text."""

    gold: Treebank
    system: Treebank
    gold_begin: int
    gold_end: int
    system_begin: int
    system_end: int

    def by_forms(self) -> list[Pair]:
        """Return the words of a longest common subsequence of the forms."""
        gold = [form.lower() for form in self.gold.forms[self.gold_begin : self.gold_end]]
        system = [form.lower() for form in self.system.forms[self.system_begin : self.system_end]]
        if gold == system:
            return [(self.gold_begin + k, self.system_begin + k) for k in range(len(gold))]
        if max(len(gold), len(system)) > MOST_WORDS:
            raise TooLongError(self.system_begin)
        return [(self.gold_begin + g, self.system_begin + s) for g, s in _common(gold, system)]

    def walked(self) -> Iterator[Pair]:
        """Yield the pairs on the program's way from the beginning of the stretch to its end."""
        gold = _words(self.gold, self.gold_begin, self.gold_end)
        system = _words(self.system, self.system_begin, self.system_end)
        g = s = 0
        while g < len(gold) and s < len(system):
            if gold[g].is_part or system[s].is_part:
                g, s, g_end, s_end = _multiword_stretch(gold, system, g, s)
                yield from self._part(g, g_end, s, s_end).by_forms()
                g, s = g_end, s_end
            elif (gold[g].begin, gold[g].end) == (system[s].begin, system[s].end):
                yield self.gold_begin + g, self.system_begin + s
                g, s = g + 1, s + 1
            elif gold[g].begin <= system[s].begin:
                g += 1
            else:
                s += 1

    def _part(self, gold_begin: int, gold_end: int, system_begin: int, system_end: int) -> "_Stretch":
        return _Stretch(
            self.gold,
            self.system,
            self.gold_begin + gold_begin,
            self.gold_begin + gold_end,
            self.system_begin + system_begin,
            self.system_begin + system_end,
        )


@dataclass(frozen=True, slots=True)
class _Word:
    begin: int  # the characters of its token
    end: int
    is_part: bool  # whether the token is a multiword token


def _words(side: Treebank, begin: int, end: int) -> list[_Word]:
    token = side.token[begin:end]
    columns = side.token_start[token], side.token_start[token + 1], side.is_part[begin:end]
    return [_Word(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def _multiword_stretch(gold: Sequence[_Word], system: Sequence[_Word], g: int, s: int) -> tuple[int, int, int, int]:
    """Return where the stretch of the multiword tokens at words g and s begins on both sides, and where it ends.

    A word before it that only reaches into it is passed over. The end moves on with each multiword token that begins
    before it. Words in front of it that the way has not passed yet are in it, too: as in the program.
    """
    end = gold[g].end if gold[g].is_part else system[s].end
    if gold[g].is_part:
        s += not system[s].is_part and system[s].begin < gold[g].begin
    else:
        g += not gold[g].is_part and gold[g].begin < system[s].begin
    begin = g, s
    while _is_inside(gold, g, end) or _is_inside(system, s, end):
        if g < len(gold) and (s >= len(system) or gold[g].begin <= system[s].begin):
            end, g = _moved(gold[g], end), g + 1
        else:
            end, s = _moved(system[s], end), s + 1
    return *begin, g, s


def _is_inside(words: Sequence[_Word], k: int, end: int) -> bool:
    if k >= len(words):
        return False
    return words[k].begin < end if words[k].is_part else words[k].end <= end


def _moved(word: _Word, end: int) -> int:
    return max(end, word.end) if word.is_part else end


def _unsettled(
    gold: Treebank, system: Treebank, is_settled: Flags, gold_first: Integers, system_first: Integers
) -> Iterator[_Stretch]:
    """Yield the stretches between settled tokens that hold a multiword token."""
    edges = np.flatnonzero(np.diff(np.concatenate([[True], is_settled, [True]]).astype(np.int8)))
    begin, end = edges[::2], edges[1::2]  # tokens of the system
    of_gold = [np.searchsorted(gold.token_start, system.token_start[place]) for place in (begin, end)]
    words = [gold_first[of_gold[0]], gold_first[of_gold[1]], system_first[begin], system_first[end]]
    parts = [np.concatenate([[0], np.cumsum(side.is_part)]) for side in (gold, system)]
    has_parts = (parts[0][words[1]] > parts[0][words[0]]) | (parts[1][words[3]] > parts[1][words[2]])
    for row in zip(*(column[has_parts].tolist() for column in words), strict=True):
        yield _Stretch(gold, system, *row)


def _common(gold: list[str], system: list[str]) -> list[Pair]:
    """Return a longest common subsequence, of several the one that the program of CoNLL 2018 finds.

    >>> _common(["de", "le", "pain"], ["de", "les", "pain"])
    [(0, 0), (2, 2)]
    """
    codes = {form: code for code, form in enumerate(dict.fromkeys([*gold, *system]))}
    system_codes = np.array([codes[form] for form in system])
    # (gold + 1, system + 1): the length of the longest of what is left of both sides.
    longest = np.zeros((len(gold) + 1, len(system) + 1), dtype=np.int32)
    for g in range(len(gold) - 1, -1, -1):
        row = np.maximum(longest[g + 1, :-1], np.where(system_codes == codes[gold[g]], longest[g + 1, 1:] + 1, 0))
        longest[g, :-1] = np.maximum.accumulate(row[::-1])[::-1]
    pairs: list[Pair] = []
    g = s = 0
    while g < len(gold) and s < len(system):
        if gold[g] == system[s]:
            pairs.append((g, s))
            g, s = g + 1, s + 1
        elif longest[g, s] == longest[g + 1, s]:
            g += 1
        else:
            s += 1
    return pairs
