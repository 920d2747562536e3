"""More announcements, written as those of notices.py are, and remarks that suit every topic."""

WEATHER = """
DELAY WEATHER: [prep Because pcomp:of [pobj {weather}]] punct:, [nsubj {line}] aux:is running [advmod [npadvmod
    [nummod advmod:(about/RB|nearly) {n}] minutes] late/RB] punct:.
WEATHER: [nsubj {snow}] aux:has covered [dobj det:the rails [prep:between {stop} cc:and [conj {stop2}]]] punct:.
WEATHER: [nsubj {line}] aux:will neg:not run/VB [prep:beyond {stop}] [advcl mark:until [nsubj {storm}] eases] punct:.
DELAY WEATHER: [prep:With {weather} [acl expected/VBN [prep:from {time}]]] punct:, [nsubj delays] are [acomp likely
    [prep:on {way}]] punct:.
WEATHER: [nsubj {storm}] brought prt:down [dobj det:the amod:overhead line/NN [prep:in {street}]] [prep:at {time}]
    punct:.
DIVERSION WEATHER: [nsubj det:The river] aux:has flooded [dobj {street}] punct:, cc:and [conj [nsubjpass {line}]
    auxpass:is diverted [prep:via {street2}]] punct:.
DELAY WEATHER: [prep:In {weather}] [nsubj drivers] aux:must slow prt:down punct:, advmod:so [conj [nsubj det:the
    journey [prep:to {stop}]] takes [npadvmod nummod:{n} minutes] advmod:longer] punct:.
--
WEATHER: [nsubj det:The steps [prep:at {stop2}]] are [acomp slippery] punct:; [parataxis intj:please hold prt:on/RP
    [prep:to det:the rail]] punct:.
WEATHER: [nsubjpass det:The compound:waiting/NN room [prep:at {stop2}]] auxpass:is heated cc:and [conj stays
    acomp:open [prep:until {time2}]] punct:.
WEATHER WORKS: [nsubj compound:Snow ploughs] aux:have been [prep:on det:the road] [prep:since {time2}] punct:.
WEATHER: [nsubjpass amod:Hot tea] auxpass:is served [prep:at {stop2}] punct:.
WEATHER: [nsubj det:The forecast] promises [dobj amod:better weather] [prep:from {date}] punct:.
WEATHER: intj:Please aux:do/VB neg:not run [prep:for det:the {vehicle}] punct:.
WEATHER: [nsubj det:The heating/NN [prep:in amod:old cars [prep:of {way2}]]] aux:has failed/VBN punct:; [parataxis
    [nsubj blankets] lie [prep:on det:the seats]] punct:.
WEATHER: [nsubjpass compound:Salt boxes] auxpass:are found [prep:at det:all stops] [prep:in {street2}] punct:.
"""

FARES = """
FARES: [prep:From {date}] [nsubj det:a amod:single ticket] costs [dobj nummod:{n} crowns] punct:.
FARES: [nsubj compound:Day tickets] are [acomp valid [prep:on {way} cc:and [conj {way2}]]] [prep:until {time}] punct:.
FARES: [nsubj det:The compound:ticket office [prep:at {stop}]] closes [prep:at {time}] [prep:on {date}] punct:.
FARES: [nsubj Inspectors] aux:will check [dobj det:all tickets [prep:on {line}]] [prep:on {date}] punct:.
FARES: [nsubj det:The machine [prep:at {stop}]] takes [dobj det:no coins] [prep:until {date}] punct:.
FARES EVENT: [nsubj Children] travel/VBP [advmod free/RB] [prep:during {event}] punct:, [advcl mark:if [nsubj they]
    wear [dobj det:a compound:paper/NN hat]] punct:.
FARES: [nsubj det:The zone] ends [prep:at {stop}] punct:, advmod:not [prep:at {stop2}] punct:, [prep:from {date}]
    punct:.
--
FARES: [nsubj Tickets [relcl nsubjpass:that/WDT auxpass:were bought [prep:before {date2}]]] remain [acomp valid]
    punct:.
FARES: [nsubj Students] pay [dobj predet:half/PDT det:the price] [prep:after {time2}] punct:.
FARES: [nsubj Riders [prep:without det:a ticket]] aux:must pay/VB [dobj nummod:{n} crowns] punct:.
FARES: [nsubj You] aux:can buy [dobj amod:monthly tickets] [prep:at {stop2} cc:and [conj {stop}]] punct:.
FARES: [nsubj Bicycles cc:and [conj amod:large dogs]] need [dobj det:a compound:child/NN ticket] punct:.
FARES: [nsubj det:The inspectors] wear [dobj det:a amod:green badge] cc:and [conj show/VBP [dobj it] [prep:on
    request]] punct:.
FARES: [prep:On {way}] [nsubj drivers] aux:do neg:not sell [dobj det:any tickets] punct:.
FARES: [nsubj det:The price [prep:of det:a compound:day ticket]] stays acomp:unchanged punct:.
"""

CONDUCT = """
CONDUCT: intj:Please let [ccomp [nsubj passengers] leave/VB [dobj det:the {vehicle}] [advcl mark:before [nsubj you]
    board/VBP]] punct:.
CONDUCT: [nsubjpass Luggage [relcl nsubj:that/WDT blocks/VBZ [dobj det:the doors [prep:of {line}]]]] aux:will
    auxpass:be removed [prep:at {stop}] punct:.
CONDUCT: [nsubjpass det:A amod:brown suitcase] auxpass:was found [prep:on {line}] [prep:near {stop}] [prep:at {time}]
    punct:.
CONDUCT: [nsubjpass Thieves] aux:have auxpass:been seen [prep:at {stop}] punct:; [parataxis intj:please watch [dobj
    poss:your bags]] punct:.
CONDUCT: [nsubjpass Smoking] auxpass:is forbidden [prep:at det:all stops [prep:between {stop} cc:and [conj {stop2}]]]
    [prep:from {date}] punct:.
CONDUCT: [nsubj Drivers [prep:of {line}]] report/VBP [ccomp mark:that [nsubj pupils] throw [dobj chestnuts] [prep:at
    {stop}]] punct:.
--
CONDUCT: [nsubj det:The [compound amod:lost/JJ property] office [prep:in {street}]] is [acomp open] [prep:until
    {time2}] punct:.
CONDUCT: [advcl mark:If [nsubj you] see [dobj det:a fire]] punct:, pull [dobj det:the amod:red handle] [prep:above
    det:the door] punct:.
CONDUCT: [nsubjpass Music] aux:should auxpass:be heard advmod:only [prep:through headphones] punct:.
CONDUCT: [nsubjpass amod:Lost/JJ keys] auxpass:are kept [prep:at {stop2}] [prep:until {time2}] punct:.
CONDUCT: [nsubj Those [relcl nsubj:who talk/VBP advmod:loudly]] disturb [dobj det:the driver] punct:.
CONDUCT: intj:Please offer [dobj poss:your seat] [prep:to amod:older passengers] punct:.
CONDUCT: [nsubj Feet] belong [prep:on det:the floor] punct:, advmod:not [prep:on det:the seats] punct:.
CONDUCT: [nsubjpass det:The film [prep:of det:the cameras]] auxpass:is kept [prep:for nummod:{n} days] punct:.
"""

REMARKS = """
: [nsubj We] apologise [prep:for det:any inconvenience] punct:.
: [nsubj amod:Further information/NN] is [acomp available [prep:at det:the kiosk [prep:at {stop2}]]] punct:.
: [nsubj det:The compound:customer office [prep:in {street2}]] opens [prep:at {time2}] punct:.
: intj:Please listen [prep:to det:the announcements [prep:on board/NN]] punct:.
DIVERSION: [nsubj {line2}] stays [prep:on poss:its amod:usual route] punct:.
DELAY: [nsubj Trains [prep:to det:the coast]] aux:will neg:not wait [prep:for amod:late/JJ trams] punct:.
ACCESS: [nsubj det:The ferry] has [dobj det:no space [prep:for wheelchairs]] punct:.
FARES: [nsubjpass Tickets] auxpass:are advmod:also accepted [agent:by det:the ferry [prep:from {stop2}]] punct:.
FARES: [nsubjpass Fares] auxpass:are neg:not refunded punct:.
CONDUCT: intj:Please aux:do/VB neg:not step/VB [prep:on det:the track] punct:.
EVENT: [nsubj {event}] starts/VBZ [prep:on {date2}] punct:.
: intj:Please tell [dobj poss:your neighbours] punct:.
WEATHER: [advmod Meanwhile] [nsubj {snow}] aux:is making/VBG [ccomp [nsubj det:the pavement] slippery] punct:.
WORKS: [nsubj det:The works [prep:in {street2}]] ended [advmod [npadvmod det:a day] early] punct:.
"""
