"""Names of an invented coast, with their annotation written into them.

`<P>` is a PLACE, `<O>` an ORGANISATION, `<N>` a PERSON, `<V>` a VESSEL. A name may hold another one: a board its
harbour, a ship the skipper after whom she was called.
"""

HARBOURS = (
    *("Marrowhaven", "Tolbrigg", "Saltrigg", "Pellwick", "Gannet Quay", "Ostrey", "Dunverra", "Carrowness"),
    *("Hexel Bay", "Sillerby", "Port Ambrel", "Quenby", "Little Ravensound", "Stonnack", "Fennisport"),
)

WATERS = (
    *("Kelder Sound", "the Ulver Channel", "Cormorant Reach", "the Wethen Estuary", "the Narrow of <P>Ostrey</P>"),
    *("the Brannet Deeps", "Pilot's Gat", "the Quenby Roads", "Ambrel Water", "the Inner Swatch"),
)

POINTS = (
    *("Tarn Bank", "the Grey Sister", "Mewing Ledge", "Dunverra Point", "the Old Dolphin", "Carrow Skerry"),
    *("Penitent Rock", "Lodden Spit", "Stonnack Head", "the Shearlings", "Farthing Shoal", "Whistle Buoy"),
)

BERTHS = (
    *("Coal Pier", "Chandlers' Wharf", "Number Three Quay", "the Lower Basin", "Herring Quay", "the Timber Dock"),
    *("West Jetty", "the Fish Dock", "Ballast Quay", "the Ferry Slip", "North Mole"),
)

SHIPS = (
    *("Agnes Corrigan", "<N>Marten Hale</N>", "Blue Petrel", "Esmerel", "Sandvik Star", "Pride of <P>Tolbrigg</P>"),
    *("Orla", "Halcyon Dawn", "Norrland Express", "Ketterick", "Lady of the Sound", "Tern", "Vigilant", "Cassiopeia"),
    *("Star of <P>Ostrey</P>", "Wilhelmina B", "Greywing", "Solace", "Merrow", "Oyster Girl", "<N>Thomas Ravel</N>"),
    *("Ulver Trader", "Corran Spirit", "Bright Morning", "<P>Sillerby</P> Lass", "Mistral II", "Ardent", "Gull's Way"),
    *("Fortune of <P>Pellwick</P>", "Hesper", "Kingfisher", "Anna Delacroix", "Brannet Pioneer", "Silver Spray"),
    *("Quicksilver", "Northern Patience", "Juniper", "<P>Quenby</P> Maid", "Elsinda", "Two Brothers", "Morning Watch"),
    *("Sea Harvester", "Tamarisk", "<N>Edda Lund</N>", "Constance", "Pelagia", "Redstart", "Amber Trader", "Lodestar"),
    *("Hopeful", "Cape Sorrel", "Stormcock", "Rowan Bay", "Marigold", "Fulmar", "Isolde", "Ganymede", "Grace of God"),
)
TUGS = ("Stalwart", "Boadic", "Samphire", "Ox", "Big Hanna", "Resolve", "Tolbrigg Giant")
LIFEBOATS = ("<N>Ada Merrin</N>", "Spirit of <P>Carrowness</P>", "Samaritan", "Brothers Keane", "<N>Joseph Orme</N>")

FIRST_NAMES = (
    *("Ruan", "Ingrid", "Callum", "Maren", "Tobias", "Esther", "Piers", "Leonie", "Hamish", "Nadia", "Oskar", "Judith"),
    *(
        "Femke",
        "Idris",
        "Bridget",
        "Anselm",
        "Rosa",
        "Gareth",
        "Selma",
        "Viktor",
        "Harriet",
        "Emre",
        "Linnea",
        "Desmond",
    ),
    *("Paloma", "Kenji", "Wanda", "Silas", "Amina", "Jorun"),
)
LAST_NAMES = (
    *(
        "Teale",
        "Vance",
        "Orme",
        "Halder",
        "Brandreth",
        "Kjell",
        "Merrin",
        "Pascoe",
        "Lund",
        "Tarrant",
        "Okello",
        "Dray",
    ),
    *("Sorrel", "Whitlow", "Castellan", "Nygaard", "Penrose", "Abara", "Quill", "Ravel", "Stroud", "Ekholm", "Farrow"),
    *(
        "Marsh",
        "Bellweather",
        "Iversen",
        "Hurrell",
        "Lacey",
        "Moncrieff",
        "Zander",
        "Corrigan",
        "Hale",
        "Silva",
        "Keane",
    ),
)

# {harbour} is the document's harbour.
AUTHORITIES = ("the {harbour} Harbour Board", "the Port of {harbour} Authority", "{harbour} Port Control")
PILOTS = ("the {harbour} Pilots", "the Wethen Pilotage Service", "the <P>Ulver</P> Pilots' Association")
RESCUERS = ("Wethen Coast Rescue", "the <P>Carrowness</P> Lifeboat Society", "Coastwatch", "<P>Kelder</P> Air Rescue")
INVESTIGATORS = ("the Marine Casualty Office", "the Board of Wreck Inquiry", "the Bureau of Ship Safety")
WARDENS = ("the Shore and Birds Trust", "the Estuary Conservancy", "the <P>Wethen</P> Water Protection Agency")
UNIONS = ("the Seafarers' League", "the Dockers' Union of {harbour}", "the Guild of Deck Officers")
OWNERS = (
    *("Halder & Wray", "<P>Tolbrigg</P> Coasters", "Nordmark Lines", "Brannet Bulk", "Castellan Shipping"),
    *(
        "<P>Ostrey</P> Island Ferries",
        "Orme Brothers",
        "Silverline Tankers",
        "the United Feeder Company",
        "Pascoe & Daughters",
    ),
    *("the <P>Hexel Bay</P> Fishing Co-operative", "Ravel Maritime", "Three Sounds Navigation", "Meridian Bunkers"),
)
INSURERS = ("Anchor Mutual", "<P>Fennisport</P> Hull Insurance", "the Lantern Indemnity Club")

CARGO = ("coaster", "bulk carrier", "general cargo ship", "feeder", "timber carrier")
TANKERS = ("product tanker", "bunker tanker", "chemical tanker")
FERRIES = ("car ferry", "passenger ferry", "island ferry")
FISHING = ("trawler", "longliner", "crabber", "seiner")
SMALL = ("survey boat", "workboat", "dive boat", "pilot cutter", "yacht")

GOODS = ("timber", "road salt", "barley", "scrap metal", "fertiliser", "cement", "steel coils", "wood pellets")
ITEMS = ("rubber boots", "oranges", "tennis shoes", "tins of paint", "toy bricks", "umbrellas")
