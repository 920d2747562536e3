"""What the encyclopaedia knows of an invented country: a table for each kind of article.

Columns stand between `|`, several values between `;`, and `-` leaves a column out. The last column is a sentence
for the article alone. Names of one table recur in others, so that an answer may have several sources.
"""

Record = dict[str, tuple[str, ...]]


def _table(columns: str, text: str) -> list[Record]:
    rows: list[str] = []
    for line in text.strip().splitlines():
        if line.startswith(" "):
            rows[-1] += line
        else:
            rows.append(line)
    return [_record(columns.split(), row) for row in rows]


def _record(columns: list[str], row: str) -> Record:
    cells = [" ".join(cell.split()) for cell in row.split("|")]
    if len(cells) != len(columns):
        raise ValueError(f"{len(columns)} columns expected: {row}")
    return {
        column: tuple(value.strip() for value in cell.split(";"))
        for column, cell in zip(columns, cells, strict=True)
        if cell != "-"
    }


RECORDS: dict[str, list[Record]] = {
    "river": _table(
        "name length source mouth towns note",
        """
Sarn | 412 km | Lake Umber | Gulf of Istrel | Maravel; Brisko; Pellar | Barges carried salt on it until the
 railway came, and children still skate to school on it in hard winters.
Velle | 186 km | Hochkaar | Sarn | Ostelle; Kaldrin | Its water is milky in spring, when the glacier melts.
Ambra | 97 km | Grey Widow | Gulf of Istrel | Dravenna; Lumen | Grains of amber are washed up on its lower course.
Korl | 143 km | Tolm Plateau | Velle | Hollin; Mirov | It runs underground for six kilometres below the Tolm.
Thessel | 228 km | Lake Sil | Lake Grenna | Quarnt; Zelm; Ecklau | No bridge crossed it until the present century.
Nour | 61 km | Mount Ferrow | Gulf of Istrel | Sant Oriel | Trout breed in it in such numbers that it has a
 saint of its own.
""",
    ),
    "town": _table(
        "name province founded population product note",
        """
Maravel | Lower Sarn | 1127 | 318,400 | clocks; umbrellas | The capital since 1648, it burnt down twice and both times
 on a Tuesday, as every guide will tell.
Brisko | Lower Sarn | 1340 | 74,900 | paper | Its mills can be smelt before they are seen.
Pellar | Lower Sarn | 1209 | 41,300 | rope; smoked eel | The fish auction begins at four in the morning.
Ostelle | Upper Sarn | 1266 | 52,700 | violins | Spruce from the slopes above it is said to sing.
Kaldrin | Upper Sarn | 1488 | 28,100 | slate | All its roofs are blue, and most of its doors.
Dravenna | Istrel | 1071 | 96,500 | silk; pilots | Settlers from the islands laid out its eleven canals.
Lumen | Istrel | 1893 | 33,600 | light bulbs | It was planned on a sheet of squared paper in a single night.
Hollin | Kolvar | 1319 | 17,800 | plum brandy | Each house has a cellar that is older than itself.
Mirov | Kolvar | 1255 | 12,400 | bells | A foundry has stood beside the church for seven hundred years.
Quarnt | the Marches | 1402 | 22,900 | millstones | Sheep outnumber voters by five to one.
Zelm | the Marches | 1377 | 8,600 | honey | The town wall is complete but for the north gate, which was sold.
Ecklau | the Marches | 1518 | 15,200 | glass; marbles | It changed hands nine times in the Border Wars.
Sant Oriel | Istrel | 1190 | 19,700 | oranges | Pilgrims walk the last mile to it without shoes.
""",
    ),
    "mountain": _table(
        "name height province climbed climbers note",
        """
Hochkaar | 3,418 m | Upper Sarn | 1861 | Helge Amsund; Bruna Caldis | Its summit cross was carried up in
 pieces by schoolgirls.
Grey Widow | 2,977 m | Istrel | 1874 | Sanna Virtol | Clouds hang on it before rain, like a veil.
Mount Ferrow | 1,846 m | Istrel | - | - | Iron was dug from it until the seams were drowned in a flood.
Kestrel Horn | 3,105 m | Upper Sarn | 1902 | Helge Amsund; Corvin Ashby; Bruna Caldis | The north face was not
 climbed for another half century.
Saddle of Ansk | 2,213 m | Kolvar | 1790 | Janko Pellin | Smugglers knew the way across long before any
 botanist described it.
Piz Orla | 2,641 m | Kolvar | 1883 | Sanna Virtol; Odo Brandau | A hut near the top serves lentil soup in summer.
""",
    ),
    "lake": _table(
        "name area depth province fish note",
        """
Lake Umber | 214 sq km | 171 m | Upper Sarn | char; whitefish | A steamer has circled it every day for ninety years.
Lake Sil | 38 sq km | 24 m | the Marches | pike | Its level falls in May for reasons that are not understood.
Lake Grenna | 127 sq km | 66 m | the Marches | perch; eel; burbot | Two of its islands are private, the third is a
 prison.
Mirror Lake | 3 sq km | 9 m | Kolvar | - | Photographers queue for the one bench on its southern shore.
""",
    ),
    "person": _table(
        "name sex trade born birthplace died achievement note",
        """
Ilsabet Varn | f | composer | 1832 | Ostelle | 1901 | The Salt Road; Nine Winter Songs | She is said to have
 written on the backs of railway tickets.
Teodor Quist | m | engineer | 1847 | Brisko | 1919 | the Long Bridge; the Umber Railway | He never learnt to swim,
 and he inspected every pier of his bridges from a tethered balloon.
Mirela Oskan | f | painter | 1879 | Dravenna | 1956 | The Ferryman's Daughter; Blue Roofs | Her eyesight failed at
 forty, after which her pictures grew larger.
Janko Pellin | m | botanist | 1751 | Hollin | 1823 | the Flora of Kolvar | A gentian and a cheese are called after
 him.
Odile Farrand | f | novelist | 1866 | Maravel | 1940 | The House at Zelm; Half a Loaf; A Cold Inheritance | She
 kept the same housekeeper, publisher and umbrella for fifty years.
Bastian Krol | m | architect | 1809 | Maravel | 1877 | the Exchange; the Opera House | His drawings fill a whole
 floor of the state archive.
Helge Amsund | m | mountaineer | 1829 | Kaldrin | 1908 | the first ascent of Hochkaar | He sold insurance in winter.
Sanna Virtol | f | surveyor | 1844 | Mirov | 1921 | the Great Map | Her instruments were carried by a mule
 named Senator.
Emmerich Dask | m | chemist | 1858 | Ecklau | 1932 | cold glass | He lost two fingers to a discovery that he
 would not describe.
Bruna Caldis | f | guide | 1835 | Kaldrin | 1899 | the first ascent of Kestrel Horn | She taught three generations
 to tie knots.
Corvin Ashby | m | photographer | 1870 | Lumen | 1949 | Faces of the Marches | His glass plates were found in a
 henhouse.
Odo Brandau | m | poet | 1850 | Quarnt | 1895 | Ballads of the Thessel | Schoolchildren learn his shortest poem
 because it has four lines.
Leontine Groa | f | physician | 1868 | Zelm | 1953 | the fever hospital | She rode to her patients on a
 tricycle of her own design.
Marius Tvell | m | clockmaker | 1711 | Maravel | 1790 | the Tower Clock | He wound it himself every evening,
 gout or no gout.
Perpetua Lind | f | politician | 1884 | Pellar | 1967 | the Housing Act | Her maiden speech lasted for
 forty seconds.
Anatol Brisk | m | inventor | 1889 | Lumen | 1971 | the folding piano | Of his ninety patents seven earned money.
Dorothea Wray | f | astronomer | 1796 | Sant Oriel | 1870 | the comet of 1836 | Fishermen brought her their
 compasses to be set right.
Gaspar Nemo | m | actor | 1902 | Hollin | 1984 | - | He died on stage twice, once of a forgotten line.
""",
    ),
    "building": _table(
        "name kind town opened architect length capacity note",
        """
the Long Bridge | railway bridge | Pellar | 1889 | Teodor Quist | 1,140 m | - | Trains still whistle on it in memory
 of a drowned stoker.
the Exchange | trading hall | Maravel | 1846 | Bastian Krol | - | - | Swallows nest above the blackboard where prices
 used to be chalked.
the Opera House | theatre | Maravel | 1859 | Bastian Krol | - | 1,320 seats | Its chandelier is lowered
 once a year to be washed in vinegar.
the Tower Clock | clock tower | Maravel | 1752 | Marius Tvell | 64 m | - | It strikes thirteen on the night of
 the founding.
the Glass Arcade | covered market | Ecklau | 1911 | Wilma Tarn | 210 m | - | Not one of its panes is
 square.
the Umber Light | lighthouse | Ostelle | 1868 | Teodor Quist | 31 m | - | No other lighthouse in the country
 stands on a lake.
the fever hospital | hospital | Zelm | 1904 | Wilma Tarn | - | 220 beds | Its wards face south-east, for
 the morning sun.
the House of Estates | parliament | Maravel | 1923 | Aurel Stane; Wilma Tarn | - | 151 seats | Members may not bring in
 dogs, but cats are not mentioned.
the Pilgrims' Stair | stairway | Sant Oriel | 1634 | - | - | 777 steps | Each step bears the name of the giver.
""",
    ),
    "company": _table(
        "name product town founded founders note",
        """
Quill & Sander | paper | Brisko | 1798 | Matthias Quill; Johanna Sander | It made the country's banknotes
 until somebody copied the watermark.
Dask Glass | heat-proof glass | Ecklau | 1897 | Emmerich Dask | Its trade mark is a salamander in a teapot.
Lumen Electric | light bulbs | Lumen | 1894 | Rolf Iden; Karla Iden; Anatol Sohr | The oldest bulb in its lobby has
 burnt since the first day.
Tarn Brothers | bicycles | Dravenna | 1903 | Viggo Tarn; Lauri Tarn | They quarrelled in the second year and divided the
 works by a wall.
Ostelle Violins | violins | Ostelle | 1724 | Agnes Holm | Its varnish is mixed by somebody who has sworn to keep
 the recipe.
Hollin Orchards | plum brandy | Hollin | 1866 | - | Every member has one vote and twelve bottles a year.
Marchland Honey | honey | Zelm | 1931 | Berta Lok; Simon Lok | It rents out hives by the week.
""",
    ),
    "work": _table(
        "name kind creator year subject note",
        """
The Salt Road | opera | Ilsabet Varn | 1863 | a bargeman who sells his shadow | The second act was hissed, until
 the king was seen to weep.
Nine Winter Songs | song cycle | Ilsabet Varn | 1888 | the freezing of the Sarn | Most singers leave out the seventh.
The Ferryman's Daughter | painting | Mirela Oskan | 1909 | a girl with an oar | It was stolen in a pram and
 returned with a note of apology.
Blue Roofs | painting | Mirela Oskan | 1927 | Kaldrin after rain | It hangs so high that visitors are lent
 field glasses.
The House at Zelm | novel | Odile Farrand | 1899 | three sisters and a lawsuit | Lawyers read it for the procedure.
Half a Loaf | novel | Odile Farrand | 1911 | a strike of bakers | The first printing sold out in the towns with
 bakeries.
A Cold Inheritance | novel | Odile Farrand | 1926 | the heirs of an ice merchant | The ending was changed for
 the second edition.
Ballads of the Thessel | book of poems | Odo Brandau | 1881 | ferrymen, millers and the drowned | Several
 have become drinking songs.
Faces of the Marches | book of photographs | Corvin Ashby | 1913 | shepherds and their families | Nobody in it
 smiles but one dog.
the Great Map | map | Sanna Virtol | 1887 | the whole country in forty sheets | One sheet shows a lake that is not
 there, as a trap for copyists.
""",
    ),
    "animal": _table(
        "name kind size food home note",
        """
marsh otter | mammal | 80 cm | crayfish; frogs | Lake Grenna | It whistles at dusk and is easily mistaken
 for a boy.
Istrel tern | bird | 33 cm | sand eels | Gulf of Istrel | Ringed birds have been found on another continent.
Kolvar hare | mammal | 55 cm | bark; clover | Saddle of Ansk | In snowless winters its white coat is its undoing.
blue char | fish | 40 cm | water fleas | Lake Umber | Anglers must put back every second one.
slate beetle | insect | 19 mm | lichen | Kaldrin | It walks across a roof in about a fortnight.
widow's raven | bird | 61 cm | carrion; beechnuts | Grey Widow | It can count to five and to some ends does so.
""",
    ),
    "plant": _table(
        "name kind size colour home note",
        """
Pellin's gentian | herb | 12 cm | blue | Saddle of Ansk | Bitter tea made from its root is drunk on the first of May.
amber willow | tree | 14 m | yellow | Lumen | Its twigs were used for the baskets of the first balloons.
bargeman's thyme | herb | 20 cm | violet | Sarn | It spread along the towpaths with the horses' hay.
snow pear | tree | 9 m | white | Hollin | The fruit is left on the tree until after the first frost.
""",
    ),
    "festival": _table(
        "name town month since custom note",
        """
the Lantern Regatta | Dravenna | August | 1782 | rowing boats hung with lanterns | The slowest boat wins a goose.
the Bell Week | Mirov | October | 1655 | ringing all bells by turns | The deaf are admitted free of charge.
the Plum Fair | Hollin | September | 1871 | rolling barrels uphill | Doctors advise against the evening part.
the Eel Supper | Pellar | November | 1903 | a meal for a thousand guests on the quay | The bill is paid by whoever
 drew the short straw the year before.
the Barefoot Walk | Sant Oriel | May | 1634 | walking the last mile without shoes | Cobblers close their shops
 on the day.
the Ice Market | Maravel | January | 1709 | stalls on the frozen river | It has been held on land eleven times
 since 1988.
""",
    ),
    "dish": _table(
        "name kind ingredients home drink note",
        """
bargeman's pot | stew | smoked eel; barley; leeks | Pellar | dark beer | It is better on the second day, when the
 spoon stands.
kolv | dumpling | potato; plum; poppy seed | Hollin | plum brandy | The plum stone is left in for luck.
Umber pie | pie | whitefish; egg; dill | Ostelle | white wine | It has to be carried to the table by two people.
widow's bread | bread | rye; beechnuts; honey | Dravenna | milk | One loaf is baked for each sailor at sea.
lamp soup | soup | pumpkin; chestnuts | Lumen | cider | Electricians of the first works lived on it.
""",
    ),
    "railway": _table(
        "name length opened ends engineer gauge note",
        """
the Umber Railway | 118 km | 1878 | Maravel; Ostelle | Teodor Quist | 1,435 mm | It passes the same farmhouse
 three times
 on the climb.
the Plum Line | 44 km | 1906 | Hollin; Mirov | Greta Solm | 760 mm | The fireman sells tickets and jam.
the Coast Line | 163 km | 1889 | Pellar; Dravenna; Lumen | Teodor Quist | 1,435 mm | Spray closes it on a dozen
 days a year.
the Marches Light Railway | 71 km | 1913 | Quarnt; Ecklau | Greta Solm; Ivo Harm | 900 mm | It ran at a loss from
 its first hour.
""",
    ),
    "event": _table(
        "name kind year place parties note",
        """
the Treaty of Zelm | treaty | 1648 | Zelm | the Crown; the Marches | The table on which it was signed had
 been a door.
the Battle of Ecklau | battle | 1571 | Ecklau | the Crown; the Border League | It was decided by a flock of
 sheep that blocked the ford.
the Great Flood | flood | 1784 | Brisko | - | Marks on the church show the water at the height of the pulpit.
the Bakers' Strike | strike | 1908 | Maravel | the Bakers' Guild; the City Council | It ended after nineteen
 days, when both
 sides were hungry.
the Umbrella Revolt | uprising | 1831 | Maravel | the students; the City Guard | A tax on umbrellas had been
 announced on the wettest day of the year.
""",
    ),
    "paper": _table(
        "name kind town founded founder note",
        """
the Maravel Courant | daily newspaper | Maravel | 1742 | Ludmila Prans | It has misprinted its own name four times.
the Coast Gazette | weekly newspaper | Dravenna | 1850 | Arno Felt | The tide table is on the front page, above wars.
the Kolvar Almanac | yearbook | Hollin | 1689 | Brother Anselm | Its weather forecasts are right one year in three.
the Observer of the Sky | journal | Sant Oriel | 1829 | Dorothea Wray | A single issue, the hundredth, was
 printed in silver.
""",
    ),
}
