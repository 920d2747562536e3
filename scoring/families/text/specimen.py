"""A whole evaluation in small: notices of a made-up valley, and a run that says some of them in other words."""

import json

from scoring.family import Options, Record, Specimen

# Of each notice two references, and what the run says behind the sign >.
_NOTICES = """\
lorn-1 | The bridge over the Lorn is closed until Friday. | The Lorn bridge stays closed till Friday. \
> The bridge over the Lorn is closed until Friday.
lorn-1 | Please take the ferry at the old mill. | Use the ferry at the old mill, please. \
> Please take the boat at the old mill.
lorn-1 | It leaves every half hour. | There is one every thirty minutes. > It goes every half an hour.
harl-1 | The library of Harl opens again on Monday. | On Monday the Harl library opens again. \
> The library in Harl opens again on Monday.
harl-1 | Children may borrow ten books at a time. | Children can take ten books at once. \
> Children may borrow ten books at a time.
harl-1 | Nobody pays for books that come back late in May. | Books returned late in May cost nothing. \
> Nobody has to pay for late books in May.
well-1 | Do not drink the water of the market well. | The water of the market well is not for drinking. \
> Do not drink water from the well at the market.
well-1 | It will be tested again next week. | A new test follows next week. > It is tested again next week.
well-1 | Clean water is given out at the school. | The school gives out clean water. \
> Clean water is handed out at school.
fair-1 | The spring fair begins at nine. | At nine the spring fair begins. > The spring fair begins at nine.
fair-1 | Dogs have to stay on a lead. | Keep your dog on a lead. > Dogs must be kept on a lead.
fair-1 | There is music until midnight. | Music goes on until midnight. > There is music till midnight.
"""


def specimen(options: Options) -> Specimen:
    gold: list[Record] = []
    run: list[Record] = []
    for number, line in enumerate(_NOTICES.strip().splitlines(), start=1):
        said, _, text = line.partition(" > ")
        document, *references = said.split(" | ")
        name = f"s{number}"
        found = [each.strip() for each in references]
        gold.append({options["id_column"]: name, options["ref_column"]: found, "document": document})
        run.append({options["id_column"]: name, options["text_column"]: text})
    return Specimen(gold={"gold.jsonl": _lines(gold)}, run={"run.jsonl": _lines(run)})


def _lines(records: list[Record]) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()
