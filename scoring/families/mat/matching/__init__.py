"""Finds which spans and tokens of gold and system belong together; each module is one rule or one way to compute it.

| module | rule | option or table |
|---|---|---|
| `pairing` | the two ways to compare spans, and what each span then counts as | `pairing` |
| `one_to_one`, `similarity`, `large_clusters` | the best one-to-one pairs | `pairing=2.x` |
| `tokens` | labels of each token as sets | `by_token` with `pairing=1.2` |
| `token_pairs` | tokens of pairs, and of what the pairs leave over | `by_token` with `pairing=2.x` |
| `partial` | greedy pairs with credit for partial matches | `partial`, `confusion` |
| `overlap_scores`, `soft_spans` | how much spans overlap; how alike the probabilities of characters rank | |
| `corpus_spans`, `overlaps`, `tally` | the columns that all of them work on, which spans overlap, counts as lists | |

The same rules span by span, without arrays: tests/scoring/plain/mat.py.
"""
