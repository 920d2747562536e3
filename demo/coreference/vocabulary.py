"""People, places and figures of an invented town."""

FIRST_NAMES = {
    "f": (
        *("Orla", "Beatrix", "Thea", "Maud", "Iselin", "Pernille", "Cosima", "Dorothea", "Yrsa", "Agatha", "Lorna"),
        *("Winifred", "Sunniva", "Clemence", "Hedda", "Rosalind", "Petra", "Ottilie", "Greta", "Viola"),
    ),
    "m": (
        *("Aldous", "Caspar", "Jorn", "Lambert", "Edric", "Rufus", "Matthias", "Ivo", "Barnaby", "Sixten", "Ambrose"),
        *("Lorenz", "Quentin", "Hob", "Valentin", "Osric", "Fergus", "Tancred", "Emil", "Benedict"),
    ),
}
LAST_NAMES = (
    *("Brill", "Hackett", "Sedge", "Fenwright", "Tolliver", "Marl", "Quist", "Underhay", "Pym", "Cotterel", "Dunnock"),
    *("Gadd", "Larch", "Ravensby", "Thimble", "Oakhanger", "Skarlett", "Veck", "Wimple", "Aske", "Bunting", "Crake"),
    *("Dobbs", "Eddow", "Fitch", "Gossamer", "Hallowell", "Inskip", "Jessop", "Kettle", "Lovage", "Mundy", "Nettle"),
    *("Ostler", "Perrin", "Rushworth", "Spurling", "Tansy", "Varley", "Withers", "Yarrow", "Ambler", "Blythe"),
)
JOBS = (
    *("baker", "cooper", "candle maker", "saddler", "miller", "glazier", "weaver", "innkeeper", "barber", "potter"),
    *("clockmaker", "fishmonger", "beekeeper", "bookbinder", "chimney sweep", "dyer", "carter", "organist", "nurse"),
    *(
        "locksmith",
        "schoolteacher",
        "ferry keeper",
        "brewer",
        "tinsmith",
        "gardener",
        "apothecary",
        "roofer",
        "cobbler",
    ),
)
STREETS = (
    *("Tanner's Row", "Goosegate", "Lower Cheap", "Candle Lane", "Saint Osyth Street", "the Shambles", "Bell Yard"),
    *("Pudding Hill", "Old Bridge Street", "Mercy Court", "the Ropewalk", "Water Lane", "Fiddler's Steps"),
    *("Cuckoo Alley", "North Wall", "Honey Street", "the Cornmarket", "Fennel Close", "Crooked Billet Lane"),
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "eleven", "twelve")
