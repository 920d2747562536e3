"""Announcements of a public transport company by topic, written as trees.

A group holds one bare word, its head, and around it the dependents in their order: `det:the` is one word with its
label, `[nsubj det:the tram]` a group with the label of its head, and `[prep:at {stop}]` is short for
`[prep at [pobj {stop}]]`. `<STOP Observatory>` is an entity, `word/TAG` a word that has another tag here than in
vocabulary.py, `{stop}` is filled from there, `(a|b)` is one of the wordings. Before each sentence stand the
categories that it makes true; openings come before the line `--`, what may follow them after it.
"""

LABELS = ("ACCESS", "CONDUCT", "DELAY", "DIVERSION", "EVENT", "FARES", "WEATHER", "WORKS")

DELAY = """
DELAY: [nsubj {line}] aux:is running [advmod [npadvmod [nummod advmod:(about/RB|nearly|roughly) {n}] minutes] late/RB]
    [prep because pcomp:of [pobj {fault} [prep:at {stop}]]] punct:.
DELAY: [prep:After {fault} [prep:at {stop}]] punct:, [nsubj {line}] is [acomp subject/JJ [prep:to
    amod:(long|considerable) delays]] punct:.
DELAY: [nsubj (Passengers|Travellers) [prep:on {way}]] aux:(should|must) expect/VB [dobj delays [prep:of [nummod
    advmod:(about/RB|nearly) {n}] minutes]] [prep:until {time}] punct:.
DELAY: [prep:Between {stop} cc:and [conj {stop2}]] punct:, [nsubj trams] aux:are moving [prep:at compound:walking/NN
    pace] punct:.
DELAY: expl:There are [attr det:no trams [prep:on {way}]] [prep:at det:the moment] punct:, [advcl mark:since [nsubj
    det:a (van|lorry|crane)] aux:is blocking [dobj det:the track] [prep:in {street}]] punct:.
DELAY: [nsubj {line}] aux:has come/VBN [prep:to det:a halt] [prep:near {stop}] punct:, [advcl mark:because [nsubj
    det:the power] failed [prep:at {time}]] punct:.
DELAY: [nsubj {fault} [prep:in {street}]] aux:is holding prt:up [dobj det:all trams [prep:to {stop}]] punct:.
DELAY: [advcl mark:As [nsubj det:a driver] aux:has fallen acomp:ill] punct:, [nsubj det:the [nummod {time}] tram
    [prep:from {stop}]] aux:will neg:not run/VB npadvmod:today punct:.
--
DELAY: [nsubj det:The police] aux:have closed/VBN [dobj det:the crossing] punct:, cc:and [conj [nsubj det:a crane] is
    [prep:on poss:its way]] punct:.
DELAY: [nsubj We] expect [ccomp [nsubj amod:normal service] aux:to/TO resume [prep:at {time}]] punct:.
DELAY: [nsubj det:The amod:next {vehicle}] aux:will leave [dobj {stop2}] [prep:at {time2}] punct:.
DELAY: [nsubjpass Connections [prep:at {stop2}]] auxpass:are neg:not guaranteed npadvmod:today punct:.
DELAY: [nsubj det:Some cars [prep:of {line}]] turn advmod:back [prep:at {stop2}] punct:.
DELAY: [nsubj Engineers] aux:are advmod:still looking [prep:for det:the fault] punct:.
DELAY: [nsubj It] aux:may take/VB [prep:until {time2}] [advcl mark:before [nsubj det:all trams] run/VBP [prep:on
    schedule] advmod:again] punct:.
DELAY: [nsubj Those [relcl nsubj:who are [prep:in det:a hurry]]] aux:should walk [prep:to {stop2}] cc:and [conj
    take/VB [dobj {line2}] advmod:there] punct:.
"""

WORKS = """
DIVERSION WORKS: [prep:From {date}] [nsubjpass {line}] aux:will auxpass:be diverted [prep:via {street}] punct:, [advcl
    mark:while [nsubjpass {works}] auxpass:are renewed] punct:.
DIVERSION WORKS: [prep Because pcomp:of [pobj compound:track work [prep:in {street}]]] punct:, [nsubj {line}] takes
    [dobj det:another route [prep:between {stop} cc:and [conj {stop2}]]] punct:.
WORKS: [nsubj (Workers|Builders)] aux:will (replace|repair/VB) [dobj {works} [prep:in {street}]] [prep:from {date}
    [prep:to {date2}]] punct:.
DIVERSION WORKS: [nsubjpass {street}] auxpass:is closed/VBN [prep:to det:all traffic] [prep:until {date}] punct:;
    [parataxis [nsubj {line}] runs [prep:via {street2}]] punct:.
WORKS: [nsubj det:The amod:(second|third|last) phase [prep:of det:the works [prep:at {stop}]]] begins [prep:on {date}]
    punct:.
DIVERSION WORKS: [prep:During det:the works [prep:in {street}]] [nsubj {line}] aux:does neg:not serve [dobj {stop}]
    punct:.
DIVERSION WORKS: [prep:Until {date}] [nsubj {line}] ends [prep:at {stop}] punct:, [advcl mark:since [nsubj {works}]
    aux:have reached [dobj det:the end/NN [prep:of poss:their life]]] punct:.
--
DIVERSION: [nsubj det:A compound:replacement bus] leaves [dobj {street2}] [npadvmod det:every nummod:{n} minutes]
    punct:.
WORKS: [nsubj Work [prep:on {works}]] aux:will go prt:on/RP [prep:until {date2}] punct:.
DIVERSION: [nsubjpass det:The stops [prep:in {street}]] auxpass:are moved [npadvmod nummod:{n} metres] [prep:to
    det:the (east|west|north)] punct:.
WORKS: [nsubj Noise] is [acomp possible [prep:at night]] punct:, cc:and [conj [nsubj we] apologise [prep:for it]]
    punct:.
DIVERSION: [nsubj Drivers] aux:will stop/VB [prep:at {stop2}] [prep:on request] punct:.
WORKS: [nsubj det:The amod:new rails] are [acomp quieter cc:and [conj safer]] punct:, [advcl mark:as [nsubj residents
    [prep:of {street}]] aux:will notice/VB] punct:.
DIVERSION: [advcl mark:If [nsubj you] change/VBP [prep:at {stop}]] punct:, [nsubj signs] aux:will show [dative you]
    [dobj det:the way [prep:to {line2}]] punct:.
DELAY WORKS: [nsubj det:The journey] takes [npadvmod nummod:{n} minutes] advmod:longer [advcl mark:until [nsubjpass
    det:the bridge [prep:in {street2}]] auxpass:is repaired] punct:.
"""

LIFT = """
ACCESS: [nsubj det:The lift [prep:at {stop}]] is [prep out/IN [prep:of order]] [prep:until {date}] punct:.
ACCESS: [nsubjpass {stop}] aux:can auxpass:be reached [prep:without steps] advmod:again [prep:from {date}] punct:.
ACCESS WORKS: [prep:On {date}] [nsubjpass det:the escalators [prep:at {stop}]] auxpass:are serviced punct:.
ACCESS: [nsubj Passengers [prep:with wheelchairs]] aux:cannot board [dobj {line}] [prep:at {stop}] npadvmod:today
    punct:.
ACCESS: [nsubj det:The amod:new ramp [prep:at {stop}]] opens [prep:at {time}] [prep:on {date}] punct:.
ACCESS WORKS: [prep:By {date}] punct:, [nsubj det:both platforms [prep:at {stop}]] aux:will have/VB [dobj det:a
    amod:higher kerb] punct:.
ACCESS: [advcl mark:Since [nsubj vandals] damaged [dobj det:the lift [prep:at {stop}]]] punct:, [nsubj det:the
    amod:only/JJ way [prep:to det:the platform]] is [prep:via {street}] punct:.
--
ACCESS: [nsubj det:The staff [prep:at {stop2}]] aux:will help [dobj you] [prep:with det:a amod:mobile ramp] punct:.
ACCESS: intj:Please ring [dobj det:the amod:blue bell] [advcl mark:if [nsubj you] need [dobj help/NN]] punct:.
ACCESS: [nsubjpass det:A amod:spare part] aux:has auxpass:been ordered cc:and [conj aux:should arrive [prep:on
    {date2}]] punct:.
ACCESS: [nsubj det:All vehicles [prep:on {way2}]] have [dobj amod:low floors] punct:.
ACCESS: [nsubj det:The amod:nearest lift] is [prep:at {stop2}] punct:, [advmod [npadvmod nummod:{n} minutes] away]
    punct:.
ACCESS: [nsubj det:The loop [prep:for compound:hearing/NN aids]] works/VBZ [prep:at det:all counters] punct:.
ACCESS: [nsubj compound:Guide dogs] travel/VBP [advmod free/RB [prep:of charge]] punct:.
"""

EVENT = """
EVENT: [prep:During {event}] [nsubj {line}] runs [npadvmod det:every nummod:{n} minutes] [prep:until {late}] punct:.
EVENT: [prep:On {date}] [nsubj amod:(additional|extra) trams] aux:will carry/VB [dobj visitors [prep:of {event}]]
    [prep:to {stop}] punct:.
DIVERSION EVENT: [advcl mark:As [nsubj {event}] passes [prep:through {street}]] punct:, [nsubjpass {line}] auxpass:is
    diverted [prep:via {street2}] [prep:on {date}] punct:.
EVENT: [nsubj {event}] begins [prep:at {stop}] [prep:on {date}] punct:, cc:and [conj [nsubj det:the amod:last tram]
    leaves [prep:at {late}]] punct:.
DIVERSION EVENT: [nsubjpass {street}] auxpass:is closed/VBN [prep:for {event}] [prep:from {time}] [prep:on {date}]
    punct:, advmod:so [conj [nsubj {line}] turns advmod:back [prep:at {stop}]] punct:.
EVENT: [nsubj Visitors [prep:of {event}]] aux:should use [dobj {line} cc:or [conj {line2}]] [advmod instead/RB
    [prep:of poss:their cars]] punct:.
EVENT: [nsubjpass det:A amod:special {vehicle}] auxpass:is decorated [prep:for {event}] cc:and [conj circles/VBZ [dobj
    det:the centre] [prep:until {late}]] punct:.
--
EVENT: [nsubj det:The stop [prep:at {stop2}]] aux:will be [acomp advmod:very crowded] [prep:after {time2}] punct:.
EVENT FARES: [nsubj det:The compound:admission ticket] includes [dobj det:the journey [advmod there cc:and [conj
    back]]] punct:.
EVENT: [nsubj Children] aux:may ring [dobj det:the bell] [prep:between {stop} cc:and [conj {stop2}]] punct:.
EVENT: [nsubj compound:Night buses] leave/VBP [dobj {stop2}] [npadvmod det:every nummod:{n} minutes] [prep:after
    {late}] punct:.
CONDUCT EVENT: [nsubjpass Bottles] auxpass:are neg:not allowed [prep:on det:the trams] [prep:during det:the festival]
    punct:.
EVENT: [nsubj We] wish [dative det:all visitors] [dobj det:a amod:pleasant evening] punct:.
EVENT: [nsubj det:The compound:brass band [prep:of det:the drivers]] plays [prep:at {stop2}] [prep:at {time2}] punct:.
"""
