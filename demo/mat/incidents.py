"""What happened: openings and developments by kind of incident, with their annotation written into them.

`<E>` is an EVENT, `<C>` a CAUSE; both hold names and may cross each other. `{vessel}` and the other slots are
filled from the facts of the document, `(a|b)` is one of the wordings.
"""

from dataclasses import dataclass

from demo.mat.vocabulary import CARGO, FERRIES, FISHING, SMALL, TANKERS


@dataclass(frozen=True)
class Kind:
    """A kind of incident: the ships that suffer it, its sentences, and the later stages that suit it."""

    ships: tuple[str, ...]
    openings: tuple[str, ...]
    developments: tuple[str, ...]
    stages: tuple[str, ...]
    others: tuple[str, ...] = (*CARGO, "trawler", "workboat")


ALL_STAGES = ("weather", "response", "consequence", "inquiry", "background", "closing")

KINDS: dict[str, Kind] = {
    "grounding": Kind(
        CARGO + TANKERS + FERRIES,
        (
            "The {ship} {vessel}, (bound|on passage) from {origin} to {harbour} with {n:300-2800} tonnes of {goods}, "
            "<E>(ran aground|grounded) on {point}</E> at {time} on {date}.",
            "On {date} the {ship} {vessel} <E>touched bottom in {water}</E> and stuck fast some {n:2-9} cables off "
            "{point}.",
            "{harbour} woke on {day} to the sight of the {ship} {vessel}, which had <E>driven onto {point} in the "
            "dark</E>.",
            "Shortly after {time} on {date:short}, <C>having missed the turn at {point}</C>, the {ship} {vessel} "
            "<E>took the ground on the east side of {water}</E>.",
        ),
        (
            "The mate on watch, {mate}, told {investigator} that <C>the echo sounder had been switched off</C> to "
            "silence an alarm.",
            "She <E>sat on the shoal for {hours} hours</E> and was refloated on the (morning|evening) tide of {later}.",
            "<C>A flood stream of {n:2-4} knots <E>set the ship across the leading line</C> and laid her on the sand "
            "with a list of {n:4-15} degrees</E>.",
            "Divers sent by {owner} found {n:9-40} metres of bottom plating indented but no leak in any tank.",
            "According to {master}, who has commanded her since {since}, <C>the buoy that marks the bend was out of "
            "position</C>.",
            "An attempt to (pull|work) the ship off with the tug {tug} was given up when <E>the towing wire "
            "parted</E>.",
        ),
        ALL_STAGES,
    ),
    "collision": Kind(
        CARGO + TANKERS + FERRIES,
        (
            "Two ships <E>(met|came together) in dense fog off {point}</E> at {time} on {date}: the {ship} {vessel} "
            "and the {ship2} {vessel2}.",
            "The {ship} {vessel} and the {ship2} {vessel2} <E>collided in {water}</E> on {date}, {n:2-6} miles from "
            "the entrance to {harbour}.",
            "While overtaking near {point} on {date:short}, the {ship} {vessel} <E>struck the port quarter of the "
            "{ship2} {vessel2}</E>.",
            "{authority} has confirmed that {vessel} and {vessel2}, both inward bound for {harbour}, <E>were in "
            "collision at {time} on {date:short}</E>.",
        ),
        (
            "<C>Interaction in the shallow channel <E>drew the two hulls together</C> and left {vessel2} with a gash "
            "{n:2-7} metres long</E>.",
            "Recordings show that {vessel} reported her position twice, but <C>on the wrong channel</C>.",
            "Captain {master:last} said that he had expected {vessel2} to pass astern, and {master2} of the other "
            "ship claims the very same.",
            "Both masters are thought to have relied on <C>a radar picture that was {n:2-5} minutes old</C>.",
            "{vessel2}, which belongs to {owner2}, went on to {harbour2} under her own power with water in the "
            "forepeak.",
            "A deckhand of {vessel2} suffered a broken wrist; {n:8-30} others on the two ships were unhurt.",
        ),
        ALL_STAGES,
    ),
    "contact": Kind(
        CARGO + FERRIES,
        (
            "Berthing at {berth} went wrong for the {ship} {vessel} on {date}, when she <E>hit the quay at about "
            "{n:2-5} knots</E>.",
            "The {ship} {vessel} <E>(damaged|demolished) a fender and {n:6-20} metres of walkway at {berth}</E> in "
            "{harbour} on {date:short}.",
            "On the evening of {date} the outer gate at {harbour} <E>was struck by the {ship} {vessel}</E>, inbound "
            "from {origin} with {goods}.",
            "{berth}, reopened only in {month}, is closed again after <E>a heavy landing by the {ship} {vessel}</E> "
            "on {day}.",
        ),
        (
            "<C>The pitch control of her propeller failed <E>and answered full ahead</C>, so that the bow rode up on "
            "the quay</E>.",
            "Pilot {pilot} of {pilots} had ordered dead slow astern {n:3-9} minutes earlier.",
            "<C>A gust of {n:35-50} knots caught the deckhouse <E>and swung the stern against the dolphin</C>, which "
            "cracked at the waterline</E>.",
            "A crane driver, {witness}, climbed down in time; his cabin was pushed {n:1-3} metres along the rail.",
            "The bulbous bow is set in by half a metre, and {owner} expects {n:9-25} days in dry dock at {harbour2}.",
            "Closed-circuit pictures held by {authority} show that <C>the forward spring was let go too early</C>.",
        ),
        ALL_STAGES,
    ),
    "fire": Kind(
        CARGO + FERRIES + FISHING,
        (
            "A fire <E>broke out in the engine room of the {ship} {vessel}</E> on {date} while she lay at {berth}.",
            "The {ship} {vessel} sent a distress call from {water} at {time} on {date} after <E>smoke filled the "
            "accommodation</E>.",
            "<E>Fire gutted the wheelhouse of the {ship} {vessel}</E> in the early hours of {date}, {n:3-14} miles "
            "off {point}.",
            "Nobody was hurt when <E>an exhaust fire spread through the funnel of the {ship} {vessel}</E> on "
            "{date:short}, says {owner}.",
        ),
        (
            "{engineer}, the chief engineer, shut the fuel valves by hand and flooded the space with carbon dioxide.",
            "It is believed that <C>diesel from a cracked pipe <E>sprayed onto the turbocharger and ignited</C>, "
            "burning for {n:20-90} minutes</E>.",
            "<C>A kettle left plugged in</C> may have been to blame, according to the fire officer, {officer}.",
            "The fixed system <E>discharged only half of its bottles</E>, as <C>two pilot lines had been crossed at "
            "the last service</C>.",
            "Crews from {harbour} and {harbour2} cooled the hull plating until noon on {later}.",
            "Insulation kept the blaze from the paint locker, where {n:30-90} litres of thinner were stored.",
        ),
        ALL_STAGES,
    ),
    "spill": Kind(
        TANKERS + CARGO,
        (
            "Between {n:2-9} and {n:10-16} tonnes of heavy oil <E>escaped into {water} from the {ship} {vessel}</E> "
            "on {date}.",
            "An oil slick {n:2-7} kilometres long was reported off {point} at first light on {date}, after <E>a hose "
            "burst aboard the {ship} {vessel}</E>.",
            "Bunkering at {berth} was stopped at {time} on {date:short} when <E>fuel overflowed from the {ship} "
            "{vessel}</E>.",
            "{warden} counted {n:40-300} oiled birds on the beaches near {harbour} after <E>the spill from the {ship} "
            "{vessel}</E> of {date:short}.",
        ),
        (
            "<C>The duty engineer misread the gauge <E>and the starboard tank ran over</C>, sending oil across the "
            "deck and through the scuppers</E>.",
            "Booms laid by {authority} kept most of it out of {water2}.",
            "A loading arm supplied by {owner2} had <C>a perished seal</C>, say the inspectors.",
            "Volunteers led by {witness} of {warden} cleaned the slipways of {harbour2} by hand.",
            "{owner} has promised to pay for the cleaning, which {authority} puts at {n:80-900} thousand crowns.",
            "Samples taken on {later} match the fuel in the ship's number {n:2-6} tank.",
        ),
        ALL_STAGES,
    ),
    "machinery": Kind(
        CARGO + FERRIES + TANKERS,
        (
            "The {ship} {vessel} <E>lost all power {n:2-8} miles off {point}</E> on {date} and drifted for {hours} "
            "hours.",
            "With {n:18-240} people aboard, the {ferry} {vessel} <E>blacked out in {water}</E> at {time} on {date}.",
            "On {date} the rudder of the {ship} {vessel} <E>jammed hard to starboard</E> as she left {harbour} for "
            "{origin}.",
            "{owner} has withdrawn the {ship} {vessel} from service after <E>the breakdown of {date:short}</E> off "
            "{point}.",
        ),
        (
            "Water in the day tank is suspected: <C>a vent on the boat deck had lost its cap</C>.",
            "<C>The main breaker tripped <E>and both steering pumps stopped</C>, so that the ship turned two full "
            "circles</E>.",
            "Chief Engineer {engineer} restarted one generator at {time2}, but it ran for no more than {n:4-30} "
            "minutes.",
            "She anchored in {n:14-60} metres off {point} and held there until the tug {tug} arrived from {harbour2}.",
            "<C>A software update carried out at {harbour2} in {month}</C> had left the alarms disabled.",
            "Passengers were given blankets and soup, and {witness}, who was travelling to a wedding, played the "
            "fiddle.",
        ),
        ALL_STAGES,
    ),
    "mooring": Kind(
        CARGO + TANKERS + FERRIES,
        (
            "In the gale of {date} the {ship} {vessel} <E>broke away from {berth}</E> and crossed the harbour stern "
            "first.",
            "<E>All lines of the {ship} {vessel} parted</E> within a minute at {berth} in {harbour} on {date:short}.",
            "The {ship} {vessel}, laid up at {harbour} since {month}, <E>dragged her anchors across {water}</E> on "
            "the night of {date}.",
            "Harbour staff boarded the {ship} {vessel} at {time} on {date}, when <E>she surged off {berth} and took "
            "the gangway with her</E>.",
        ),
        (
            "<C>A bollard pulled out of the quay <E>and the bow swung free</C>, crushing the stern of the {ship2} "
            "{vessel2}</E>.",
            "The ropes were {n:6-14} years old, and <C>three of them had been spliced with wire</C>.",
            "{master} was ashore; the only man aboard was a watchman, {witness}, aged {n:61-79}.",
            "Within {n:20-55} minutes the tug {tug} had a line on her and pressed her back alongside.",
            "{harbourmaster}, the harbour master, had warned all ships of the forecast at noon on {day}.",
            "She came to rest against {berth2}, which had just been painted.",
        ),
        ALL_STAGES,
    ),
    "cargo": Kind(
        ("feeder", "timber carrier", "coaster", "general cargo ship"),
        (
            "The {ship} {vessel} <E>lost {n:7-40} containers overboard</E> west of {point} on {date}.",
            "A deck load of {goods} <E>shifted on the {ship} {vessel}</E> in {water} at {time} on {date}, leaving her "
            "with a list of {n:12-30} degrees.",
            "On {date:short} beachcombers at {harbour} gathered up thousands of {items}, which had <E>washed out of a "
            "broken container of the {ship} {vessel}</E>.",
            "With {n:400-2600} cubic metres of {goods} on deck, the {ship} {vessel} <E>heeled over off {point}</E> on "
            "{date} and did not come back.",
        ),
        (
            "<C>Lashing bars that were one size too small <E>sprang out of their sockets</C> and let the whole outer "
            "stack go</E>.",
            "Captain {master:last} turned the ship into the swell and ballasted the port tanks.",
            "The stowage plan drawn up by {owner2} had <C>the heaviest boxes on top</C>.",
            "{few} drifting containers were marked by the workboat {vessel2}; the rest are presumed sunk off {point}.",
            "<C>Rolling of up to {n:28-38} degrees <E>tore the tarpaulins</C> and soaked the lower tiers</E>, so that "
            "the load doubled in weight.",
            "Farmers near {harbour2} were told on {later} not to feed the stranded {goods} to their animals.",
        ),
        ALL_STAGES,
    ),
    "overboard": Kind(
        (*FISHING, "workboat", "yacht"),
        (
            "A deckhand of the {ship} {vessel} <E>fell overboard off {point}</E> on {date} and was picked up alive "
            "after {n:20-70} minutes.",
            "{victim}, {n:19-58}, of {harbour}, <E>was swept from the deck of the {ship} {vessel}</E> in {water} on "
            "{date}.",
            "The search for {victim}, who <E>went missing from the {ship} {vessel}</E> on {date:short}, ended happily "
            "on the beach at {harbour2}.",
            "At {time} on {date} {rescuer} was told that <E>somebody was in the water near {point}</E>, beside the "
            "{ship} {vessel}.",
        ),
        (
            "<C>A bight of rope caught a boot <E>and dragged its owner over the rail</C> into a sea of {n:7-12} "
            "degrees</E>.",
            "{victim} wore a lifejacket with a beacon, bought by an aunt at the {harbour} boat fair in {month}.",
            "The skipper, {master}, threw two rings and kept the boat to windward.",
            "It was the crew of {vessel2}, a crabber hauling pots nearby, who pulled the casualty out.",
            "<C>A shelter-deck door that had been taken off for repairs</C> left nothing to hold on to.",
            "A doctor at {harbour} found nothing worse than cramp and a lost wedding ring.",
        ),
        ("weather", "inquiry", "background", "closing"),
        ("crabber",),
    ),
    "flooding": Kind(
        FISHING,
        (
            "The {ship} {vessel} <E>began to take water {n:9-30} miles east of {point}</E> on {date}.",
            "<E>The {ship} {vessel} nearly foundered in {water}</E> at {time} on {date}; her crew of {few} had the "
            "raft ready by then.",
            "On {date} the {ship} {vessel} <E>came fast on a wreck near {point}</E> and heeled until the rail was "
            "under.",
            "Pumps dropped from the air saved the {ship} {vessel} after <E>her fish hold flooded off {point}</E> on "
            "{date:short}.",
        ),
        (
            "<C>A hose clip on the deck-wash pump let go <E>and the sea rose over the engine plates</C> before "
            "anybody looked below</E>.",
            "The bilge alarm, skipper {master} admits, had been disconnected <C>because it kept the crew awake</C>.",
            "{few} men were taken off by {vessel2}, also of {harbour}.",
            "An old net, lost by {vessel2} in {month}, is thought to have fouled the gear.",
            "<C>The weight of {n:4-18} tonnes of catch on deck</C> had already brought the freeing ports under water.",
            "She was built at {harbour2} in {year} and belonged to {owner}.",
        ),
        ALL_STAGES,
    ),
    "detention": Kind(
        CARGO + TANKERS,
        (
            "Inspectors of {investigator} <E>detained the {ship} {vessel} at {harbour}</E> on {date}.",
            "The {ship} {vessel} <E>may not leave {berth}</E>, {authority} announced on {date}, <C>as {n:7-26} "
            "defects were found on board</C>.",
            "<C>Rusted fire dampers and expired flares</C> have <E>kept the {ship} {vessel} in {harbour} since "
            "{date}</E>.",
            "Unpaid since {month}, the crew of the {ship} {vessel} <E>stopped work at {berth}</E> on {date}.",
        ),
        (
            "The {n:11-22} sailors are owed {n:60-210} thousand crowns in wages, according to {unionist} of {union}.",
            "{owner} bought her at auction in {since} and has changed her flag twice.",
            "Her lifeboat could not be lowered, <C>the falls having been painted over many times</C>.",
            "{unionist} brought fresh bread and telephone cards aboard on {later}.",
            "<C>The freezer had failed off {point} <E>and the crew lived on rice</C> for the {n:9-17} days to "
            "{harbour}</E>.",
            "A second visit on {later} cleared all defects but the oily-water separator.",
        ),
        ("inquiry", "background", "closing"),
    ),
    "nearmiss": Kind(
        FERRIES,
        (
            "The {ship} {vessel} and the yacht {vessel2} <E>passed within {n:10-60} metres of each other off "
            "{point}</E> on {date}.",
            "A rowing crew from {harbour} had to jump for it on {date:short} when <E>the {ship} {vessel} cut across "
            "the regatta course in {water}</E>.",
            "Passengers of the {ship} {vessel} were thrown from their seats on {date} as she <E>went full astern to "
            "avoid the {ship2} {vessel2}</E>.",
            "<E>An emergency turn by the {ship} {vessel}</E> in {water} on {date} has reopened the quarrel about "
            "summer timetables.",
        ),
        (
            "<C>Low sun over {harbour2} <E>hid the sails from the bridge</C> until the two were {n:80-250} metres "
            "apart</E>.",
            "Aboard {vessel2} were {witness}, a retired schoolteacher, and her {few} grandchildren.",
            "{master} sounded five short blasts, which were heard as far as {berth}.",
            "<C>A lookout sent below to fetch coffee</C> was missed at the worst moment, {investigator} believes.",
            "Three passengers were treated for bruises at {harbour2}, one of them for the second time this year.",
            "The timetable of {owner} leaves {n:11-19} minutes for the turn at {harbour}.",
        ),
        ("inquiry", "background", "closing", "weather"),
        ("yacht",),
    ),
    "notice": Kind(
        SMALL,
        (
            "{authority} warns that <E>the light on {point} has been out since {date:short}</E>.",
            "From {date} until further notice, ships of more than {n:70-140} metres <E>may not enter {water}</E>, "
            "{authority} says.",
            "The {ship} {vessel} reported on {date} that <E>a buoy north of {point} had broken adrift</E>.",
            "Divers working from the {ship} {vessel} found <E>an unexploded mine near {berth}</E> in {harbour} on "
            "{date}.",
        ),
        (
            "<C>Ice carried away the solar panel <E>and the lamp failed</C> some {few} nights later</E>, as the "
            "keeper of the museum, {witness}, had predicted.",
            "A replacement will be laid by {vessel2} once the swell allows, probably on {later}.",
            "Harbour Master {harbourmaster} asks all skippers to keep {n:2-5} cables clear of {point}.",
            "The last survey of {water}, made for {owner} in {since}, shows {n:3-8} metres where there are now less "
            "than {few}.",
            "<C>Silt brought down by the floods of {month}</C> has narrowed the channel to {n:40-90} metres.",
            "Pilots are compulsory for tankers until then, and {few} more have joined the roster of {pilots}.",
        ),
        ("closing",),
        ("buoy tender",),
    ),
}
