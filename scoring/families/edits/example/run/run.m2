S The ferry leave at seven every morning .
A 2 3|||R:VERB:SVA|||leaves|||REQUIRED|||-NONE-|||0

S We waited for an bus since two hour .
A 1 2|||R:VERB:TENSE|||have waited|||REQUIRED|||-NONE-|||0
A 3 4|||R:DET|||a|||REQUIRED|||-NONE-|||0
A 7 8|||R:NOUN:NUM|||hours|||REQUIRED|||-NONE-|||0

S My sister she works in the harbour .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Nobody was late .
A 1 2|||R:VERB:TENSE|||is|||REQUIRED|||-NONE-|||0

S Tickets can bought on board .
A 2 2|||M:VERB|||be|||REQUIRED|||-NONE-|||0

S He explained me the way to lighthouse .
A 6 6|||M:DET|||the|||REQUIRED|||-NONE-|||0

S The waves was higher then the pier .
A 2 3|||R:VERB:SVA|||were|||REQUIRED|||-NONE-|||0
A 4 5|||R:SPELL|||as|||REQUIRED|||-NONE-|||0

S In winter less boats sails .
A 4 5|||R:VERB:SVA|||sail|||REQUIRED|||-NONE-|||0
