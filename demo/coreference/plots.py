"""What people of the town go to court about: openings and developments by kind of quarrel.

`{a}` complains, `{b}` is accused, `{x}` is what they quarrel about; the cast words them by what came before.
`{a:he}`, `{a:him}`, `{a:his}` and `{a:himself}` are always pronouns, `{a:own}` is a possessive worded by what came
before. `[. the market]` is mentioned here alone, `[k a key]` and `[k it]` are the same within a sentence, `[./m his
uncle]` is a man, `/f` a woman, `/p` several. `{n:2-9}` is a figure, `(a|b)` one of the wordings.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Plot:
    """`things` are first and later wordings of what it is about; `groups` those of some people beside it."""

    things: tuple[tuple[str, tuple[str, ...]], ...]
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    openings: tuple[str, ...]
    developments: tuple[str, ...]


_NEIGHBOURS = (
    ("the neighbours", ("the neighbours", "the people next door")),
    ("several neighbours", ("the neighbours",)),
    ("the women at the pump", ("the women", "the women at the pump")),
)
_GUILDS = (
    ("the guild masters", ("the guild masters", "the masters")),
    ("two wardens of the market", ("the wardens", "the two wardens")),
    ("the stallholders", ("the stallholders",)),
)

PLOTS: dict[str, Plot] = {
    "animal": Plot(
        (
            ("a brown goat", ("the goat", "the animal")),
            ("a grey donkey", ("the donkey", "the animal")),
            ("a one-eyed gander", ("the gander", "the bird")),
            ("a spotted sow", ("the sow", "the animal")),
            ("a tame jackdaw", ("the jackdaw", "the bird")),
        ),
        _NEIGHBOURS,
        (
            "{a} complained to {court} on {day} that {x} belonging to {b} had ruined [. {a:his} vegetable garden].",
            "{court} spent most of {day} on {x}, which {b} keeps in [. a yard] behind {street}.",
            "For {few} months {x} has walked in and out of [. the house of {a}] as {x:he} pleased, and on {day} "
            "{a:he} took "
            "the owner, {b}, to {court}.",
            "{b} stood before {court} on {day} because {x} that {b:he} had bought at [. the autumn fair] bit {a}.",
            "Who pays when {x} eats [. a wedding cake]? This was the question that {a} put to {court} on {day}, "
            "with an eye on {b}.",
            "Early on {day} {a} found {x} asleep in [. {a:his} bed]; by noon {a:he} had sued {b}, to whom the creature "
            "belongs.",
        ),
        (
            "{x} had already been driven out of [. the churchyard] (twice|three times) this spring.",
            "{b} replied that {a} had left [. the gate] open and had even fed {x} with [. stale bread].",
            "According to {a}, {x} follows [. the milk cart] down to {street2} every morning.",
            "{g} told {court} that {g:he} had never known {x} to hurt anybody.",
            "{a} showed {j} [. what was left of {a:his} Sunday hat].",
            "{b} called {x} the best companion that {b:he} had had since [./n the death of {b:his} dog].",
            "[k/p Two constables] tried to catch {x}, but [k they] came back with [. torn coats].",
            "{x} was brought into [. the courtroom] on [. a rope] and ate [. part of the record].",
        ),
    ),
    "noise": Plot(
        (
            ("a brass horn", ("the horn", "the instrument")),
            ("an old barrel organ", ("the organ", "the instrument")),
            ("a set of bagpipes", ("the bagpipe", "the instrument")),
            ("a large drum", ("the drum",)),
            ("a musical clock", ("the clock", "the machine")),
        ),
        _NEIGHBOURS,
        (
            "{a} has not slept for {few} weeks, {court} learned on {day}, because {b} plays {x} after midnight.",
            "Nobody in {street} doubts that {b} loves music, but {a} went to {court} on {day} to have {x} silenced.",
            "{b} was summoned by {court} on {day} after {x} had been heard as far away as {street2}.",
            "It began with {x}, which {b} inherited from [u/m an uncle] last winter, and ended before {court} on "
            "{day}, where {a} asked for peace.",
            "On {day} {a} asked {court} to forbid {x}, with which {b} wakes all of {street} at four in the morning.",
            "Neither cotton wool nor [. thick curtains] help against {x} that {b} plays, said {a} when {a:he} came "
            "to {court} "
            "on {day}.",
        ),
        (
            "{b} explained that {b:he} can practise at night only, since {b:he} works in [. the quarry] by day.",
            "{a} had written {few} letters to {b}, and {b} had used [. the back of every one] for {b:his} tunes.",
            "{g} gave {j} [. a list] of all the nights on which {g:he} had heard {x}.",
            "{a} confessed that {a:he} had poured [. porridge] into {x} in {a:his} despair.",
            "{x} can be heard through [. {n:2-4} walls], as [k/p two clerks] found when [k they] spent a night at "
            "[. the house].",
            "{g} had not minded {x} and missed {x:him} when {b} was ill.",
            "When {b} offered to play {x} to {court}, {j} declined.",
            "{b} says that {x} has cured [./f {b:his} mother] of the hiccups.",
        ),
    ),
    "weights": Plot(
        (
            ("a pair of scales", ("the balance", "the pair")),
            ("a brass weight", ("the weight", "the piece of brass")),
            ("a tin measure", ("the measure", "the cup")),
        ),
        _GUILDS,
        (
            "{b} must explain to {court} why {x} found at [. {b:his} stall] agrees with no other in [town the town].",
            "{a} bought {few} pounds of plums from {b} on {day} and carried home {few2}, or so {a:he} told {court}.",
            "On {day} {court} dealt with {x} that {g} had taken from {b} on [. the market].",
            "{g} had been watching {b} for weeks when {a} came forward with {x} and accused {b:him} before {court}.",
            "A matter of ounces brought {a} and {b} before {court} on {day}, and {x} lay on [. the table] between "
            "them.",
            "Nobody had ever looked closely at {x} that {b} uses until {a} borrowed {x:him} on {day}; on the next "
            "morning {a:he} "
            "was at {court}.",
        ),
        (
            "{g} compared {x} with [. the town's own] and found {x:him} wanting by a tenth.",
            "{b} swore that {b:he} had received {x} from [u/f {b:his} grandmother], an honest woman.",
            "{a} said that {a:he} had felt the difference in [. {a:his} arms] on the way up to {street}.",
            "Under {x} {g} discovered [. a lump of wax] as big as a hazelnut.",
            "{b} blamed the damp, which comes into [. {b:his} cellar] at every high water.",
            "{a} had kept [k all the bills] since {year} and read [k them] aloud until {j} asked {a:him} to stop.",
            "{g} want {x} to be hung over [. the market gate] as a warning.",
            "{b} pointed out that {a} had never paid for [. the last basket] anyway.",
        ),
    ),
    "loan": Plot(
        (
            ("a long ladder", ("the ladder",)),
            ("a wheelbarrow", ("the wheelbarrow", "the barrow")),
            ("a black umbrella", ("the umbrella",)),
            ("a garden spade", ("the spade",)),
            ("a folding chair", ("the chair",)),
        ),
        _NEIGHBOURS,
        (
            "{few} years ago {a} lent {b} {x}, and on {day} {a:he} asked {court} to get {x:him} back for {a:him}.",
            "{b} has had {x} from {a} for so long that {b:he} takes {x:him} for {b:his} own, {court} heard on {day}.",
            "An old friendship broke over {x} when {a} sued {b} before {court} on {day}.",
            "{a} wants {x} back; {b} says that {b:he} never had {x:him}; and {court} had to decide on {day}.",
            "On {day} {court} was asked by {a} where {x} had gone that {b} borrowed for a single afternoon.",
            "{x} leaned against [. a wall] in {street} when {a} recognised {x:him}, knocked, and learned that {b} "
            "had sold "
            "{x:him}; by {day} the quarrel had reached {court}.",
        ),
        (
            "{b} remembered the loan well but said that {a} had meant {x:him} as a gift.",
            "{a} had scratched [k/p {a:his} initials] into {x}, and somebody has filed [k them] off.",
            "{g} have all borrowed {x} at one time or another, {g:he} admitted.",
            "{b} had lent {x} to [k/m a cousin], and [k he] lent {x:him} to [. a travelling theatre].",
            "Without {x} {a} stood in the wet and caught a cold that lasted until Easter.",
            "[u/f The sister of {b}] let slip that {x} stands behind [. {u:his} stove].",
            "{a} reckoned the use of {x} at {n:2-9} pence a week, which made {b} laugh aloud.",
            "{b} brought {x} along after all, with [. a new handle] and [. a ribbon].",
        ),
    ),
    "wall": Plot(
        (
            ("a stone wall", ("the wall",)),
            ("a hawthorn hedge", ("the hedge",)),
            ("a wooden fence", ("the fence",)),
            ("a brick wall", ("the wall",)),
        ),
        (
            ("the town surveyors", ("the surveyors", "the two surveyors")),
            ("two elders of the parish", ("the elders", "the two old men")),
        ),
        (
            "{x} that {b} put up in a single night has shut {a} off from [. the river], and {court} heard about "
            "{x:him} on "
            "{day}.",
            "{a} took {b} to {court} on {day} over {x} that stands {n:2-9} inches too far to the east.",
            "For three generations {x} divided [. the orchards above {street}]; on {day} {court} had to find out "
            "whether {a} or {b} owns {x:him}.",
            "On {day} {court} walked out to {street}, where {b} had moved {x} on to [. the land of {a}].",
            "{b} built {x} because {b:he} could no longer bear the sight of {a}, {b:he} told {court} on {day}.",
            "Since {day} {court} has been looking into {x}, over which {a} fell on the way home from [. a "
            "christening].",
        ),
        (
            "{g} measured {x} with [. a chain] and came to {n:2-4} different results.",
            "{a} produced [k a map], but [k it] showed {street} on the wrong bank of [. the river].",
            "{b} said that {x} keeps out {a:own} [. hens], and nothing else ever had.",
            "In the spring {a} had planted [k beans] along {x}, and {b} picked [k them].",
            "{g} remembered that {x} had been there when {g:he} were children.",
            "{b} offered to put [. a door] into {x} if {a} would pay for [. the hinges].",
            "Part of {x} fell down during the hearing, and each side blamed the other.",
            "[u/m The father of {a}] had agreed to {x} with a handshake, said {b}, but {u:he} is long dead.",
        ),
    ),
    "portrait": Plot(
        (
            ("a portrait in oil", ("the portrait", "the picture")),
            ("a pastel", ("the pastel", "the likeness")),
            ("a miniature", ("the miniature", "the little picture")),
            ("a wedding picture", ("the picture", "the painting")),
        ),
        (
            ("three members of the drawing club", ("the members of the club", "the three")),
            ("the artists of the town", ("the artists",)),
        ),
        (
            "{a} refuses to pay for {x}, because {a:he} sees in {x:him} [. a stranger] with [. {a:his} nose], and on "
            "{day} "
            "{a:he} sued {b}, who made {x:him}.",
            "{b} delivered {x} to {a} last month; on {day} {x:he} stood in [. the courtroom], {x:his} face to [. the "
            "wall].",
            "The truth of {x} was in question when {court} met on {day}, and {a} sat beside {x:him} for an hour so "
            "that "
            "all could compare.",
            "{court} had to judge {x} on {day}, a work by {b} for which {a} paid {n:12-60} crowns in advance.",
            "Half of {street} came to {court} on {day} to see {x} that {a} calls an insult and {b} a masterpiece.",
            "{a} ordered {x} from {b} in {year} and got {x:him} on {day}, {few} years late, as {a:he} told {court}.",
        ),
        (
            "{b} declared that {a} had moved all the time and talked about [. {a:his} pigs].",
            "{g} praised the light in {x} but admitted that {x:he} has [. six fingers].",
            "[u/f The wife of the mayor] laughed when {u:he} saw {x}.",
            "{a} had asked {b} to leave out [. a wart], and {b:he} painted [. two].",
            "{x} hangs in [. the pantry] at present, where {a} says that {x:he} keeps the mice away.",
            "{b} has spent [k the money] on [. blue paint] and cannot give [k it] back.",
            "{g} offered to buy {x} together and to give {x:him} to [. the museum].",
            "{a} agreed that [. the frame of {x}] was good.",
        ),
    ),
}
