"""Alignment of two sequences, one cell at a time; the rules stand in scoring/families/transcripts/aligning.py."""

HIT, SUBSTITUTION, DELETION, INSERTION = "hit", "substitution", "deletion", "insertion"


def steps(reference, system):
    """[(what became of it, the reference's item, the system's)], None for none."""
    begin = common(reference, system)
    rest, other = reference[begin:], system[begin:]
    end = common(rest[::-1], other[::-1])
    rest, other = rest[: len(rest) - end], other[: len(other) - end]
    same = [(HIT, item, item) for item in reference[:begin]]
    tail = [(HIT, item, item) for item in reference[len(reference) - end :]]
    return same + middle(rest, other) + tail


def common(one, other):
    n = 0
    while n < min(len(one), len(other)) and one[n] == other[n]:
        n += 1
    return n


def middle(reference, system):
    least = table(reference, system)
    found, i, j = [], len(reference), len(system)
    while i > 0 and j > 0:
        if least[i][j] == least[i - 1][j] + 1:
            i -= 1
            found.append((DELETION, reference[i], None))
        elif least[i][j - 1] < least[i - 1][j - 1]:
            j -= 1
            found.append((INSERTION, None, system[j]))
        else:
            i, j = i - 1, j - 1
            found.append((HIT if reference[i] == system[j] else SUBSTITUTION, reference[i], system[j]))
    found += [(DELETION, reference[k], None) for k in range(i - 1, -1, -1)]
    found += [(INSERTION, None, system[k]) for k in range(j - 1, -1, -1)]
    return found[::-1]


def table(reference, system):
    """D[i][j]: least edits between the first i of the reference and the first j of the system."""
    least = [list(range(len(system) + 1))]
    for i, item in enumerate(reference, start=1):
        row = [i]
        for j, other in enumerate(system, start=1):
            row.append(min(least[i - 1][j] + 1, row[j - 1] + 1, least[i - 1][j - 1] + (item != other)))
        least.append(row)
    return least
