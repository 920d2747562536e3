"""Stops, streets, lines and times of an invented city as parts of trees, and the tags of all words."""

from pathlib import Path

from demo.word_lists import read_lists

_LISTS = read_lists(Path(__file__).with_suffix(".txt"))

STOPS = _LISTS["stops"]
STREETS = _LISTS["streets"]
EVENTS = _LISTS["events"]
LINES = tuple(map(str, (*range(1, 13), 14, 17, 21, 25, 38, 40, 53, 61)))
NIGHT_LINES = _LISTS["night_lines"]
WEEKDAYS = _LISTS["weekdays"]
MONTHS = _LISTS["months"]
FAULTS = _LISTS["faults"]
WORKS = _LISTS["works"]
SNOW = _LISTS["snow"]
STORMS = _LISTS["storms"]
WEATHER = (*SNOW, *STORMS, "amod:thick fog", "compound:ground/NN frost")
VEHICLES = _LISTS["vehicles"]

# Tag -> the words that have it unless a sentence says otherwise.
_WORDS = {
    "DT": "The the A a no All all Some some another any every both Those",
    "IN": "at on of to in for from From until Until by By with With without because Because via between Between "
    "after After during During On In near before beyond through as As if If since Since while that above",
    "CC": "and or",
    "MD": "will should must may can cannot",
    "PRP": "We we It it You you they",
    "PRP$": "its their your",
    "EX": "There",
    "WP": "who",
    "UH": "Please please",
    "RP": "up down",
    ".": ".",
    ",": ",",
    ":": ";",
    "RB": "not nearly roughly back there away early again also very still so loudly only Meanwhile",
    "RBR": "longer",
    "JJR": "better higher older quieter safer",
    "JJS": "nearest",
    "JJ": "additional available black blue brown considerable crowded extra faulty Further green heavy Hot ill "
    "large last likely long low mobile monthly new next normal old open overhead pleasant possible red second "
    "single slippery small spare special strong thick third unchanged usual valid",
    "VBZ": "is has does begins closes costs eases ends includes leaves opens passes plays promises runs stays takes "
    "turns",
    "VBP": "are have do apologise belong disturb expect lie need pay remain see talk throw turn wear wish",
    "VB": "be arrive board buy check collect go help hold leave let listen offer pull replace resume ring run sell "
    "serve show slow tell use wait walk watch",
    "VBD": "was were brought damaged ended failed",
    "VBN": "accepted allowed been bought broken covered decorated diverted fallen flooded forbidden found guaranteed "
    "heard heated kept moved ordered reached refunded removed renewed repaired seen served serviced stranded",
    "VBG": "blocking holding looking moving running",
    "NNS": "Bicycles Bottles Builders Children Connections Drivers Engineers Fares Feet Inspectors Passengers Riders "
    "Students Thieves Tickets Trains Travellers Visitors Workers aids announcements bags blankets boxes buses "
    "cameras cars chestnuts coins counters crowns days delays dogs doors drivers edges escalators floors "
    "headphones inspectors keys mains metres minutes neighbours passengers pipes platforms ploughs points "
    "police pupils rails residents seats signs steps stones stops tickets trams vandals vehicles visitors "
    "wheelchairs wires works",
    "NN": "Day Guide Luggage Music Night Noise Salt Smoking Snow Work accident admission badge band bell brass "
    "bridge blizzard bus car centre charge coast collision crane crossing customer day door drain driver east "
    "end evening fault ferry festival film fire floor fog forecast frost gale gas halt handle hat hurry ice "
    "inconvenience journey kerb kiosk life lift loop lorry machine main moment night noon north office order "
    "owner pace part pavement phase platform power price property rail rain ramp replacement request river "
    "road room route schedule seat service signal snow space staff stop suitcase tea thunderstorm ticket "
    "today track traffic tram tree trouble van water way weather west work zone squall",
}
TAGS = {word: tag for tag, words in _WORDS.items() for word in words.split()}
