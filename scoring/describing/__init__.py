"""A description says what was read of a system, in numbers, and what looks odd about it.

A family gives `Contents` (contents.py), a neutral record of what its reader found; `describe` makes the sentence and
the oddities of it. There is a module for each thing that can be odd, and none knows a family:

    missing      nothing at all, of a layer that is scored or of many units; ids that the input does not have
    offsets      spans elsewhere than meant, found in sampling.py and explained by guesses.py; counting.py has the ways
                 in which people count
    edges        spans of tokens that begin or end one token off
    numbers      numbers on another scale than the task's, sorted by themselves, or standing for none
    labels       labels that the task does not have
    encoding     text in another encoding than the input's
    traces       marks of tokenisers, courtesies of chat programs and the like in the system's own texts
    direction    relations the wrong way round
    beside       another order than the gold's, or the sign turned, where the gold is open
    repetition   one answer, label or set of annotations nearly everywhere

Of the gold nothing is looked at but what participants have: texts, ids, the
inventory of labels, the scale of numbers, and whether texts of the task have what looks odd in those of a run.
"""
