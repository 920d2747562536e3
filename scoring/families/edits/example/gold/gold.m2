S The ferry leave at seven every morning .
A 2 3|||R:VERB:SVA|||leaves|||REQUIRED|||-NONE-|||0

S We waited for an bus since two hour .
A 3 4|||R:DET|||a|||REQUIRED|||-NONE-|||0
A 5 6|||R:PREP|||for|||REQUIRED|||-NONE-|||0
A 7 8|||R:NOUN:NUM|||hours|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:TENSE|||have waited|||REQUIRED|||-NONE-|||1
A 3 4|||R:DET|||a|||REQUIRED|||-NONE-|||1
A 5 6|||R:PREP|||for|||REQUIRED|||-NONE-|||1
A 7 8|||R:NOUN:NUM|||hours|||REQUIRED|||-NONE-|||1

S My sister she works in the harbour .
A 2 3|||U:PRON|||-NONE-|||REQUIRED|||-NONE-|||0

S Nobody was late .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Tickets can bought on board .
A 2 2|||M:VERB|||be|||REQUIRED|||-NONE-|||0

S He explained me the way to lighthouse .
A 2 2|||M:PREP|||to|||REQUIRED|||-NONE-|||0
A 6 6|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 2 5|||R:WO|||the way to me||the way|||REQUIRED|||-NONE-|||1
A 6 6|||M:DET|||the|||REQUIRED|||-NONE-|||1

S The waves was higher then the pier .
A 2 3|||R:VERB:SVA|||were|||REQUIRED|||-NONE-|||0
A 4 5|||R:SPELL|||than|||REQUIRED|||-NONE-|||0

S In winter less boats sails .
A 2 3|||R:ADJ|||fewer|||REQUIRED|||-NONE-|||0
A 4 5|||R:VERB:SVA|||sail|||REQUIRED|||-NONE-|||0
