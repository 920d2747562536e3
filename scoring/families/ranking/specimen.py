"""A small gold, and a run of it: five queries about a valley that does not exist."""

from scoring.family import Options, Specimen

# A query, its judged documents with their grades, and behind the sign > the documents of the run, the best first.
_QUERIES = """\
flood-warnings = river-levels:2 dam-report:1 bell-foundry:0 lake-birds:0 > river-levels dam-report ferry-times
night-ferry = ferry-times:2 harbour-plan:1 river-levels:0 > harbour-plan ferry-times bell-foundry
bell-makers = bell-foundry:3 town-history:1 > town-history bell-foundry lake-birds
bird-counts = lake-birds:2 reed-cutting:1 ferry-times:0 > ferry-times reed-cutting lake-birds
first-map = map-of-1603:2 town-history:1 harbour-plan:0 > river-levels lake-birds
"""


def specimen(options: Options) -> Specimen:
    gold, run = [], []
    for line in _QUERIES.splitlines():
        query, _, rest = line.partition(" = ")
        judged, _, ranked = rest.partition(" > ")
        gold += [f"{query} 0 {' '.join(each.split(':'))}\n" for each in judged.split()]
        # As many as these options let through.
        documents = ranked.split()[: options["depth"]]
        run += [f"{query} Q0 {each} {k} {9 - k}.5 ours\n" for k, each in enumerate(documents, start=1)]
    return Specimen(gold={"qrels.txt": "".join(gold).encode()}, run={"run.txt": "".join(run).encode()})
