"""More quarrels, written as those of plots.py are."""

from demo.coreference.plots import Plot

_YOUTHS = (
    ("three apprentices", ("the apprentices", "the three")),
    ("the choirboys", ("the choirboys", "the boys")),
    ("some pupils of the grammar school", ("the pupils",)),
)
_RELATIVES = (
    ("the nephews and nieces", ("the nephews and nieces", "the young people")),
    ("five cousins from the hills", ("the cousins", "the five")),
)

MORE_PLOTS: dict[str, Plot] = {
    "legacy": Plot(
        (
            ("a grandfather clock", ("the clock",)),
            ("a feather bed", ("the bed", "the piece of furniture")),
            ("a silver teapot", ("the teapot", "the pot")),
            ("a sealed box", ("the box",)),
        ),
        _RELATIVES,
        (
            "When [u/f old Aunt Philippa] died, {u:he} left {x} to the one who had loved {u:him} best, and since {day} "
            "{a} and {b} have been arguing before {court} who that was.",
            "{a} accused {b} before {court} on {day} of having carried {x} out of [. the house] during [. the "
            "funeral].",
            "[. A will] on [. the back of a calendar] gives {x} to {a}, {court} heard on {day}, but {b} has {x:him}.",
            "{x} is all that {a} and {b} inherited from [./m an uncle], and neither of them would share {x:him} "
            "when {court} met on {day}.",
            "{b} stood guard over {x} for {few} hours on {day} so that {a} could not take {x:him} away before "
            "{court} had spoken.",
            "On {day} {a} asked {court} for {x}, which {b} had promised {a:him} at [. a deathbed] in {street}.",
        ),
        (
            "{g} wanted nothing but {x} either, {g:he} said.",
            "{a} had wound up, dusted or polished {x} every Sunday since {year}, as {a:he} assured {court}.",
            "{b} had nursed [./f the old lady] and asked for {x} instead of wages.",
            "In {x} [k a notary] is said to have found [. {n:20-90} crowns], but [k he] remembered nothing of the "
            "kind.",
            "{a} wept when {b} called {x} rubbish.",
            "{g} laughed until {j} threatened to send {g:him} out.",
            "{b} offered to let {a} visit {x} on holidays.",
            "[l/n A letter] in the hand of the dead names neither {a} nor {b}, but [l it] calls {x} hideous.",
        ),
    ),
    "cart": Plot(
        (
            ("a hay cart", ("the cart", "the vehicle")),
            ("a bread van", ("the van", "the vehicle")),
            ("a tricycle", ("the tricycle", "the machine")),
            ("a sledge", ("the sledge",)),
        ),
        _YOUTHS,
        (
            "On {day} {x} ran down {street} without a driver and came to rest in [s the shop of {a}], who asked "
            "{court} to make {b} pay for [. the window].",
            "{b} had only turned {b:his} back for a moment when {x} set off by itself, {b:he} told {court} on {day}; "
            "{x:he} hit {a} near {street2}.",
            "{court} heard on {day} how {b} tried to overtake {a} with {x} on [. the old bridge].",
            "{a} limped into {court} on {day} and pointed at {b}, whose driving of {x} is known in all of {street}.",
            "Three hens, [. a lamp post] and [. the hat of {a}] were lost on {day} when {b} lost control of {x}, so "
            "{court} was told.",
            "After [. the brewery feast] {b} took {x} home and with {x:him} {a}, who had fallen asleep on [. the "
            "straw]; on "
            "{day} {court} asked whether that was kidnapping.",
        ),
        (
            "{g} had sat on {x} as well, but {g:he} jumped off in time.",
            "{b} says that [. the brake of {x}] was mended only last week.",
            "{a} had seen {x} coming and believed that {x:he} would stop for [. a person of {a:his} standing].",
            "{g} confessed that {g:he} had taken [. a stone] from under [. the wheel].",
            "It took {few} men to pull {x} out of [. the fountain].",
            "[k The horse], a quiet mare, was not to blame: [k it] stood in [. the stable] all the while.",
            "{x} has neither [. a bell] nor [. a lantern], {a} observed.",
            "{b} visited {a} in [. the hospital] and brought {a:him} [. a cake] in the shape of {x}.",
        ),
    ),
    "song": Plot(
        (
            ("a rude song", ("the song",)),
            ("a poem of nine verses", ("the poem",)),
            ("a comic duet", ("the duet", "the song")),
            ("a ballad", ("the ballad", "the song")),
        ),
        _YOUTHS,
        (
            "{x} about [. a miser] with [. a wooden leg] made {a} so angry that {a:he} sued {b} before {court} on "
            "{day}.",
            "{a} recognised {a:himself} in {x}, {a:he} told {court} on {day}, and so did everybody in {street}.",
            "{b} has to tell {court} whether {x} that {b:he} wrote last winter is about {a}.",
            "Since {day} {court} has been forbidden to laugh: {a} demands {n:20-90} crowns from {b} for {x}.",
            "{x} was heard at [. the Blue Boar] for the first time on {day}, and on the next morning {a} brought {b} "
            "before {court}.",
            "On {day} {b} admitted to {court} that {x} is {b:his} work, but {b:he} denied that {a} is the miser.",
        ),
        (
            "{g} had to perform {x} in front of {j}, who did not move a muscle.",
            "{a} says that {x} has cost {a:him} [. {few} customers] and [. a bride].",
            "{b} pointed out that [. the miser] in {x} has red hair, while {a} has none at all.",
            "{g} know {x} by heart, and {g:he} sing {x:him} under [. the windows of {a}].",
            "In {year} {a} published [k a satire] on [./p the aldermen] and was fined for [k it], as {b} reminded "
            "{court}.",
            "{b} offered to change [. the name of the hero] in {x} if {a} could find a better rhyme.",
            "{x} has been printed in [. {n:200-900} copies], all of which {a} bought and burnt.",
            "[./f The mother of {b}] thinks that {x} is too long.",
        ),
    ),
    "prize": Plot(
        (
            ("a giant pumpkin", ("the pumpkin", "the giant")),
            ("a plum cake", ("the cake",)),
            ("a wheel of cheese", ("the cheese",)),
            ("a gingerbread tower", ("the tower",)),
        ),
        (
            ("the judges of the fair", ("the judges",)),
            ("the ladies of the fair committee", ("the ladies",)),
        ),
        (
            "{b} won [m the gold medal] at [fair the harvest fair] with {x} that was not {b:his} own, {a} told {court} "
            "on {day}.",
            "The day before [. the harvest fair] {x} vanished from [. the shed of {a}], and on {day} {b} stood before "
            "{court}.",
            "{court} weighed {x} on {day}, since {a} swears that {b} filled {x:him} with [. lead shot].",
            "{a} found {x} on [. the compost heap of {b}], or the remains of {x:him}, and {a:he} told {court} so on "
            "{day}.",
            "On {day} {a} and {b}, rivals for {few} years, met at {court} over {x}.",
            "No prize was given at [. the harvest fair] this year, because {a} and {b} both claimed {x}; {court} heard "
            "both on {day}.",
        ),
        (
            "{g} said that {g:he} had looked at {x} with {g:his} eyes only.",
            "{a} had slept beside {x} every night but one.",
            "{b} showed {j} [k a receipt], but [k it] was ten years old.",
            "{g} had noticed [k/p {few} pins] in {x} and kept quiet about [k them].",
            "{b} said that {a} envies {b:him} and always has.",
            "{x} was too big for [. the door of [. the courtroom]] and waited in [. the yard].",
            "[u/m The brother of {a}] ate a piece of {x} as evidence, and {u:he} was ill for two days.",
            "{a} recognised {x} by [. a scar] that resembles [town the town] from above.",
        ),
    ),
    "coat": Plot(
        (
            ("a green coat", ("the coat", "the garment")),
            ("a wedding dress", ("the dress", "the gown")),
            ("a velvet jacket", ("the jacket", "the garment")),
            ("a fur hat", ("the hat",)),
            ("a wig", ("the wig",)),
        ),
        (
            ("two seamstresses", ("the seamstresses", "the two")),
            ("the guests of the wedding", ("the guests",)),
        ),
        (
            "{a} gave {x} to {b} to be cleaned and got back something that fits [. a child], {court} heard on {day}.",
            "On {day} {a} appeared before {court} in {x} so that all could see what {b} had done to {x:him}.",
            "{b} sold {x} to {a} as new, but [. a theatre ticket] in [. the lining] proves the opposite, {court} was "
            "told on {day}.",
            "It rained on {day}, and {x} that {a} had bought from {b} dyed {a:him} green down to [. the knees]; "
            "{court} had a look.",
            "{a} has been waiting for {x} since {year}, and {b}, who should have finished {x:him} for [. a wedding], "
            "had "
            "to explain {b:himself} to {court} on {day}.",
            "{x} came to {court} on {day} in two halves: {a} held [. one], {b} [. the other].",
        ),
        (
            "{g} swore that {x} had been in one piece when {g:he} saw {x:him} last.",
            "{b} said that {a} has grown stouter since the measurements were taken.",
            "In [. a pocket of {x}] {a} found [k a pawn ticket], and [k it] bore the name of {b}.",
            "{a} had worn {x} at [. two funerals] before {a:he} complained, {b} replied.",
            "{g} would have paid to keep {x} out of sight.",
            "Moths got into {x} because {b} keeps {x:him} next to [. a sack of flour].",
            "{a} asked for {n:9-40} crowns and for [k a new one], but [k it] must not come from {b}.",
            "[./f The bride] wore [. a tablecloth] in the end, which {a} liked better than {x}.",
        ),
    ),
}
