"""How the encyclopaedia is asked: wordings by kind of article and by what they ask for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Ask:
    """Asks for a column of a record: in full, and as a later question of a series, when the topic is known.

    `wants` names the sort of answer, for mistakes of the same sort.
    """

    column: str
    wants: str
    full: tuple[str, ...]
    later: str


@dataclass(frozen=True)
class Reverse:
    """Asks for the record by some of its columns: all records that agree with them are answers."""

    kind: str
    text: str


ASKS: dict[str, tuple[Ask, ...]] = {
    "river": (
        Ask(
            "length",
            "km",
            ("How long is the {name}?", "What is the length of the river {name}?"),
            "How long is it?",
        ),
        Ask(
            "source",
            "place",
            ("Where does the {name} rise?", "In what place is the source of the {name}?"),
            "Where does it rise?",
        ),
        Ask(
            "mouth",
            "place",
            ("Into what does the {name} flow?", "Where does the {name} end?"),
            "Into what does it flow?",
        ),
        Ask(
            "towns",
            "town",
            ("Which towns does the {name} pass?", "Past which towns does the {name} run?"),
            "Which towns does it pass?",
        ),
    ),
    "town": (
        Ask(
            "province",
            "province",
            ("In which province is {name}?", "To which province does {name} belong?"),
            "In which province is it?",
        ),
        Ask(
            "founded",
            "year",
            ("When was {name} founded?", "In which year was the town of {name} founded?"),
            "When was it founded?",
        ),
        Ask(
            "population",
            "number",
            ("How many people live in {name}?", "How many inhabitants has {name}?"),
            "How many inhabitants has it?",
        ),
        Ask(
            "product",
            "product",
            ("What is {name} known for making?", "By which product does {name} live?"),
            "What is made there?",
        ),
    ),
    "mountain": (
        Ask("height", "m", ("How high is {the name}?", "What is the height of {the name}?"), "How high is it?"),
        Ask(
            "climbed",
            "year",
            ("When was {the name} climbed for the first time?", "In which year was {the name} first climbed?"),
            "When was it first climbed?",
        ),
        Ask(
            "climbers",
            "person",
            ("Who climbed {the name} first?", "Who made the first ascent of {the name}?"),
            "Who made its first ascent?",
        ),
        Ask(
            "province",
            "province",
            ("In which province does {the name} stand?",),
            "In which province does it stand?",
        ),
    ),
    "lake": (
        Ask("area", "area", ("How large is {name}?", "What area does {name} cover?"), "How large is it?"),
        Ask("depth", "m", ("How deep is {name}?", "What is the greatest depth of {name}?"), "How deep is it?"),
        Ask(
            "fish",
            "food",
            ("Which fish are caught in {name}?", "Which fish does {name} hold?"),
            "Which fish live in it?",
        ),
        Ask("province", "province", ("In which province does {name} lie?",), "In which province does it lie?"),
    ),
    "person": (
        Ask("born", "year", ("When was {name} born?", "In which year was {name} born?"), "When was {he} born?"),
        Ask(
            "birthplace",
            "town",
            ("Where was {name} born?", "In which town was the {trade} {name} born?"),
            "In which town was {he} born?",
        ),
        Ask(
            "died",
            "year",
            ("When did {name} die?", "In which year did the {trade} {name} die?"),
            "In which year did {he} die?",
        ),
        Ask(
            "trade",
            "trade",
            ("What was the profession of {name}?", "What was {name} by trade?"),
            "What was {his} profession?",
        ),
        Ask(
            "achievement",
            "name",
            ("What is {name} remembered for?", "What do we owe to {name}?"),
            "What is {he} remembered for?",
        ),
    ),
    "building": (
        Ask("town", "town", ("In which town does {name} stand?", "Where is {name}?"), "In which town does it stand?"),
        Ask("opened", "year", ("When was {name} opened?", "In which year was {name} opened?"), "When was it opened?"),
        Ask("architect", "person", ("Who designed {name}?", "Who drew the plans of {name}?"), "Who designed it?"),
        Ask("length", "m", ("How many metres does {name} measure?",), "How many metres does it measure?"),
        Ask(
            "capacity",
            "number",
            ("How many seats, beds or steps has {name}?",),
            "How many seats, beds or steps has it?",
        ),
    ),
    "company": (
        Ask(
            "town",
            "town",
            ("In which town was {name} founded?", "Where does {name} have its works?"),
            "In which town is it at home?",
        ),
        Ask(
            "founded",
            "year",
            ("When was {name} founded?", "Since when has {name} existed?"),
            "When was it founded?",
        ),
        Ask("founders", "person", ("Who founded {name}?", "By whom was {name} set up?"), "Who founded it?"),
        Ask("product", "product", ("What does {name} make?",), "What does it make?"),
    ),
    "work": (
        Ask("creator", "person", ("By whom is {name}?", "Who is the author of the {kind} {name}?"), "By whom is it?"),
        Ask(
            "year",
            "year",
            ("In which year was {name} completed?", "When was the {kind} {name} finished?"),
            "When was it completed?",
        ),
        Ask("kind", "trade", ("What kind of work is {name}?",), "What kind of work is it?"),
    ),
    "animal": (
        Ask(
            "size",
            "m",
            ("How long does the {name} grow?", "What length does the {name} reach?"),
            "How long does it grow?",
        ),
        Ask("food", "food", ("What does the {name} eat?", "On what does the {name} live?"), "What does it eat?"),
        Ask("home", "place", ("Where is the {name} found?", "Where is the {name} at home?"), "Where is it found?"),
    ),
    "plant": (
        Ask("size", "m", ("How tall is {the name}?",), "How tall is it?"),
        Ask("colour", "colour", ("What colour are the flowers of {the name}?",), "What colour are its flowers?"),
        Ask("home", "place", ("Where does {the name} grow?",), "Where does it grow?"),
    ),
    "festival": (
        Ask("town", "town", ("Where is {name} held?", "Which town holds {name}?"), "In which town is it held?"),
        Ask("month", "month", ("In which month is {name} held?",), "In which month is it held?"),
        Ask("since", "year", ("Since when has {name} been held?",), "Since which year has it been held?"),
    ),
    "dish": (
        Ask("ingredients", "food", ("What goes into {name}?", "Which ingredients has {name}?"), "What goes into it?"),
        Ask("home", "town", ("From which town does {name} come?",), "From which town does it come?"),
        Ask("drink", "product", ("What is drunk with {name}?",), "What is drunk with it?"),
        Ask("kind", "trade", ("What kind of dish is {name}?",), "What kind of dish is it?"),
    ),
    "railway": (
        Ask("length", "km", ("How long is {name}?", "Over what distance does {name} run?"), "How long is it?"),
        Ask("opened", "year", ("When was {name} opened?", "In which year did {name} open?"), "When was it opened?"),
        Ask(
            "ends",
            "town",
            ("Which towns does {name} join?", "Which towns are linked by {name}?"),
            "Which towns does it join?",
        ),
        Ask("engineer", "person", ("Who built {name}?", "Under whom was {name} laid?"), "Under whom was it laid?"),
        Ask("gauge", "mm", ("What is the gauge of {name}?",), "What is its gauge?"),
    ),
    "event": (
        Ask("year", "year", ("In which year was {name}?", "When did {name} take place?"), "In which year was that?"),
        Ask("place", "town", ("Where did {name} take place?",), "Where did it take place?"),
        Ask("parties", "name", ("What were the two sides in {name}?",), "What were the two sides?"),
    ),
    "paper": (
        Ask("town", "town", ("In which town does {name} appear?",), "In which town does it appear?"),
        Ask(
            "founded",
            "year",
            ("When was {name} founded?", "In which year did {name} first appear?"),
            "When was it founded?",
        ),
        Ask(
            "founder",
            "person",
            ("Who founded {name}?", "Who brought out the first number of {name}?"),
            "Who founded it?",
        ),
    ),
}

REVERSED = (
    Reverse("river", "Which river rises at {the source}?"),
    Reverse("river", "Which rivers flow into {the mouth}?"),
    Reverse("river", "On which river does {towns} lie?"),
    Reverse("town", "Which towns lie in the province of {province}?"),
    Reverse("town", "Which town is known for its {product}?"),
    Reverse("mountain", "Which mountain was climbed for the first time in {climbed}?"),
    Reverse("mountain", "Which mountains did {climbers} climb first?"),
    Reverse("mountain", "Which mountains stand in the province of {province}?"),
    Reverse("lake", "In which lake are {fish} caught?"),
    Reverse("person", "Who was born in {birthplace}?"),
    Reverse("person", "Which {trade} was born in {born}?"),
    Reverse("person", "Who died in the year {died}?"),
    Reverse("building", "What did {architect} build?"),
    Reverse("building", "Which buildings of note stand in {town}?"),
    Reverse("company", "Which company was founded by {founders}?"),
    Reverse("company", "Which company makes {product}?"),
    Reverse("work", "Which works did {creator} leave?"),
    Reverse("work", "Which {kind} was completed in {year}?"),
    Reverse("animal", "Which animal eats {food}?"),
    Reverse("plant", "Which plants have {colour} flowers?"),
    Reverse("festival", "Which festival is held in {month}?"),
    Reverse("festival", "Which festival does {town} keep?"),
    Reverse("dish", "Which dish is made with {ingredients}?"),
    Reverse("railway", "Which railways were built by {engineer}?"),
    Reverse("railway", "Which railways run to {ends}?"),
    Reverse("event", "What happened at {place} in {year}?"),
    Reverse("paper", "Which paper was founded by {founder}?"),
)

# What the encyclopaedia does not say: in full, and in a series.
UNANSWERABLE: dict[str, tuple[tuple[str, str], ...]] = {
    "river": (("How many mills stand on the {name}?", "How many mills stand on it?"),),
    "town": (
        ("Who is the mayor of {name}?", "Who is its mayor?"),
        ("With which foreign city is {name} twinned?", "With which foreign city is it twinned?"),
    ),
    "mountain": (("Who owns the hut on {the name}?", "Who owns the hut on it?"),),
    "person": (
        ("Whom did {name} marry?", "Whom did {he} marry?"),
        ("At which school was {name} a pupil?", "At which school was {he} a pupil?"),
        ("How tall was {name}?", "How tall was {he}?"),
    ),
    "building": (("What did {name} cost?", "What did it cost?"),),
    "company": (("How many people work for {name}?", "How many people work for it?"),),
    "work": (("For what price was {name} sold?", "For what price was it sold?"),),
    "festival": (("Who won a prize at {name} in 1950?", "Who won a prize at it in 1950?"),),
    "event": (("How many people died in {name}?", "How many people died in it?"),),
    "railway": (("How many passengers a year does {name} carry?", "How many passengers a year does it carry?"),),
}
