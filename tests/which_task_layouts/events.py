"""Layouts of other events than SemEval."""

import json
from typing import Any

from tests.which_task_layouts.writing import lines, listed, same

_BIOASQ = {
    "questions": [
        {
            "id": "q1",
            "type": "factoid",
            "body": "Which?",
            "documents": ["http://x/1"],
            "exact_answer": [["CFTR", "ABCC7"]],
        },
        {
            "id": "q2",
            "type": "list",
            "body": "What?",
            "documents": ["http://x/2"],
            "exact_answer": [["asthma"], ["atopy"]],
        },
        {"id": "q3", "type": "yesno", "body": "Is it?", "documents": ["http://x/3"], "exact_answer": "yes"},
        {"id": "q4", "type": "yesno", "body": "Is it?", "documents": ["http://x/3"], "exact_answer": "no"},
    ]
}
for _question in _BIOASQ["questions"]:
    _question["snippets"] = [
        {
            **{"document": _question["documents"][0], "beginSection": "abstract", "endSection": "abstract"},
            **{"offsetInBeginSection": 0, "offsetInEndSection": 9, "text": "It is so."},
        }
    ]
_VALUES = (
    *("Self-direction: thought", "Self-direction: action", "Stimulation", "Hedonism", "Achievement"),
    *("Power: dominance", "Power: resources", "Face", "Security: personal", "Security: societal", "Tradition"),
    *("Conformity: rules", "Conformity: interpersonal", "Humility", "Benevolence: caring"),
    *("Benevolence: dependability", "Universalism: concern", "Universalism: nature", "Universalism: tolerance"),
)
_GRID = "system,segment,value\n" + "".join(f"{s},{n},{s * n % 4}\n" for s in range(1, 4) for n in range(1, 4))
_COREFERENCE = (
    "# newdoc id = x\n# global.Entity = eid-etype-head-other\n# sent_id = 1\n"
    "1\tAnn\tAnn\tPROPN\t_\t_\t2\tnsubj\t_\tEntity=(e1-person-1-)\n2\tsays\tsay\tVERB\t_\t_\t0\troot\t_\t_\n"
    "3\tshe\tshe\tPRON\t_\t_\t4\tnsubj\t_\tEntity=(e1-person-1-)\n4\tran\trun\tVERB\t_\t_\t2\tccomp\t_\t_\n\n"
)


def _pyevall(*values: Any) -> Any:
    """Write a file as PyEvALL reads it."""
    rows = [{"test_case": "X2025", "id": str(number), "value": value} for number, value in enumerate(values)]
    return same("gold.json", listed(*rows))


def _lewidi(*shares: Any) -> Any:
    """Write a gold as it comes, and a run as the note says."""
    gold = {
        str(number): {"text": {"context": "A", "response": "B"}, "annotations": {"Ann1": "1"}, "soft_label": own}
        for number, own in enumerate(shares)
    }
    run = [{"id": str(number), "label": own} for number, own in enumerate(shares)]
    return ("X_test.json", json.dumps(gold, indent=4)), ("run.jsonl", lines(*run))


def _annotated(*labels: str) -> Any:
    rows = [f'{number},Ann{number},"{label}"\n' for number, label in enumerate(labels)]
    return same("annotations.csv", "item,annotator,label\n" + "".join(rows))


def _columns(ids: tuple[str, ...], labels: Any, *starts: str, separator: str, header: bool = True) -> str:
    """Write rows of 0 and 1, of which each label has one."""
    names = [*ids, *map(str, labels)]
    flags = [separator.join("10"[(row + place) % 2] for place, _ in enumerate(labels)) for row in range(2)]
    rows = [separator.join((*starts[row : row + 1], own)) for row, own in enumerate(flags)]
    return "".join(line + "\n" for line in ([separator.join(names)] if header else []) + rows)


LAYOUTS = {
    ("BioASQ 2024–2026, task b", "documents"): 2 * (("golden.json", json.dumps(_BIOASQ)),),
    ("BioASQ 2024–2026, task b", "snippets"): 2 * (("golden.json", json.dumps(_BIOASQ)),),
    ("BioASQ 2024–2026, task b", "factoids"): 2 * (("golden.json", json.dumps(_BIOASQ)),),
    ("BioASQ 2024–2026, task b", "lists"): 2 * (("golden.json", json.dumps(_BIOASQ)),),
    ("BioASQ 2024–2026, task b", "yes/no answers"): 2 * (("golden.json", json.dumps(_BIOASQ)),),
    ("MultiCardioNER 2024", "diseases and medications in a table"): 2
    * (("gold.tsv", "filename\tlabel\tstart_span\tend_span\ttext\ncase-1\tENFERMEDAD\t0\t3\tflu\n"),),
    ("DisTEMIST, SympTEMIST, MedProcNER", "clinical entities in a table, with their codes"): 2
    * (("entities.tsv", "filename\tmark\tlabel\toff0\toff1\tspan\ncase-1\tT1\tENFERMEDAD\t0\t3\tflu\n"),),
    ("DrugProt 2021", "relations of chemicals and genes, as its data are used today"): (
        ("relations.tsv", "1\tINHIBITOR\tArg1:T5\tArg2:T24\n1\tPART-OF\tArg1:T1\tArg2:T2\n"),
        (
            "predictions.tsv",
            "1\tINHIBITOR\tArg1:T24\tArg2:T5\n1\tPART-OF\tArg1:T1\tArg2:T2\n9\tINHIBITOR\tArg1:T1\tArg2:T2\n",
        ),
    ),
    ("IberAuTexTification 2024", "texts of machines (1)"): 2 * (("run.tsv", "id\tlabel\n1\thuman\n2\tgenerated\n"),),
    ("IberAuTexTification 2024", "which machine wrote it (2)"): 2 * (("run.tsv", "id\tlabel\n1\tA\n2\tB\n"),),
    ("EXIST 2024, 2025", "sexism or none, hard labels"): 2
    * (
        (
            "gold.json",
            json.dumps(
                [
                    {"test_case": "EXIST2025", "id": "1", "value": "YES"},
                    {"test_case": "EXIST2025", "id": "2", "value": "NO"},
                ]
            ),
        ),
    ),
    ("EXIST 2024, 2025", "sexism or none, soft labels"): 2
    * (
        (
            "gold.json",
            json.dumps(
                [
                    {"test_case": "EXIST2025", "id": "1", "value": {"YES": 0.5, "NO": 0.5}},
                    {"test_case": "EXIST2025", "id": "2", "value": {"YES": 0.0, "NO": 1.0}},
                ]
            ),
        ),
    ),
    ("CheckThat! 2024, 2025", "subjectivity"): 2 * (("x.tsv", "sentence_id\tlabel\nx-1\tOBJ\nx-2\tSUBJ\n"),),
    ("PAN 2025", "texts of machines, area and Brier score"): 2
    * (("x.jsonl", lines({"id": "a", "label": 1}, {"id": "b", "label": 0})),),
    ("TalentCLEF 2025", "titles of jobs"): (
        ("qrels.tsv", "1 0 7 1\n2 0 8 1\n"),
        ("run.trec", "1 Q0 7 1 0.5 x\n2 Q0 9 1 0.5 x\n"),
    ),
    ("MultiGED-2023", "words with errors, as it is used today"): 2 * (("x.tsv", "We\tc\nwas\ti\n\nYes\tc\n"),),
    ("MLSP 2024", "lexical complexity"): (
        ("multilex_test_x_lcp.tsv", 'x_1\tlatin\t"A," he said, "ran.\tran\t0.25\nx_2\tlatin\tB sat.\tsat\t0.75\n'),
        ("multilex_test_x_lcp_1.tsv", 'x_1\tlatin\t"A," he said, "ran.\tran\t0.25\nx_2\tlatin\tB sat.\tsat\t0.5\n'),
    ),
    ("AmericasNLP 2024, 2025", "translation"): 2 * (("test.x", "ki naj la ok\nmi nu la ok\n"),),
    ("WMT 2024", "quality of sentences, in columns without names"): 2
    * (("run.tsv", "en-de\tm\t0\t0.5\nen-de\tm\t1\t0.25\nen-he\tm\t0\t1\n"),),
    ("eHealth-KD 2019–2021", "key phrases and relations, as the editions are used today"): 2
    * (
        {
            "input_scenario1.txt": "El asma afecta.\n",
            "output_a_scenario1.txt": "1\t3 7\tConcept\tasma\n2\t8 14\tAction\tafecta\n",
            "output_b_scenario1.txt": "subject\t2\t1\n",
        },
    ),
    ("HOPE 2024", "hope speech"): (
        ("EDI_test.csv", "id,text,category\n1,A,hs\n2,B,nhs\n"),
        ("predictions.csv", ",id,category\n0,1,hs\n1,2,nhs\n"),
    ),
    ("HOMO-MEX 2024", "phobia of LGBT+ people in tweets"): (
        ("gold.csv", ",sub_id,content,label\n0,0_Track1,A,P\n1,1_Track1,B,NR\n"),
        ("run.csv", "sub_id,label\n0_Track1,P\n1_Track1,NR\n"),
    ),
    ("HOMO-MEX 2024", "kinds of phobia of LGBT+ people"): (
        ("gold.csv", ",sub_id,content,L,G,B,T,O,NR\n0,0_Track2,A,0,1,0,1,0,0\n1,1_Track2,B,1,0,0,0,0,0\n"),
        ("run.csv", "sub_id,L,G,B,T,O,NR\n0_Track2,0,1,0,1,0,0\n1_Track2,1,0,0,0,0,0\n"),
    ),
    ("DIMEMEX 2024", "abusive memes"): same("results.csv", "0,1,0\n1,0,0\n0,0,1\n"),
    ("EmoSPeech 2024", "emotions in speech and text"): (
        ("gold.csv", "id,label,transcription\n1,joy,A\n2,fear,B\n"),
        ("results.csv", "id,task_1,task_2\n1,joy,fear\n2,fear,fear\n"),
    ),
    ("DETESTS-Dis 2024", "stereotypes, hard labels"): _pyevall("Stereotype", "NoStereotype"),
    ("EXIST 2024, 2025", "sexism or none, F1 of hard labels"): _pyevall("YES", "NO"),
    ("EXIST 2024, 2025", "intention of the source, hard labels"): _pyevall("DIRECT", "NO", "REPORTED"),
    ("EXIST 2024, 2025", "kinds of sexism, hard labels"): _pyevall(
        ["OBJECTIFICATION", "SEXUAL-VIOLENCE"], ["NO"], ["OBJECTIFICATION"]
    ),
    ("EXIST 2024, 2025", "intention of the source, soft labels"): _pyevall(
        {"NO": 0.5, "DIRECT": 0.5, "REPORTED": 0.0, "JUDGEMENTAL": 0.0},
        {"NO": 1.0, "DIRECT": 0.0, "REPORTED": 0.0, "JUDGEMENTAL": 0.0},
    ),
    ("EXIST 2024, 2025", "kinds of sexism, soft labels"): _pyevall(
        {"NO": 0.5, "OBJECTIFICATION": 0.5, "SEXUAL-VIOLENCE": 0.25}, {"NO": 1.0, "OBJECTIFICATION": 0.0}
    ),
    ("CheckThat! 2024", "check-worthiness"): (
        ("gold.tsv", 'Sentence_id\tText\tclass_label\n1\tHe said "so\tYes\n2\tB\tNo\n'),
        ("run.tsv", "id\tclass_label\trun_id\n1\tYes\tx\n2\tNo\tx\n"),
    ),
    ("CheckThat! 2025", "normalising claims"): same("claims.txt", "The soup was cold that day .\nThe tea was hot .\n"),
    ("CheckThat! 2025", "papers behind posts"): (
        ("gold.tsv", "post_id\ttweet_text\tcord_uid\n1\tA\tab1\n2\tB\tcd2\n"),
        ("predictions.tsv", "post_id\tpreds\n1\t['ab1', 'cd2']\n2\t['cd2', 'ab1']\n"),
    ),
    ("Touché 2024", "values behind sentences"): same(
        "labels.tsv", _columns(("Text-ID", "Sentence-ID"), _VALUES, "x\t1", "x\t2", separator="\t")
    ),
    ("LongEval 2024, 2025", "retrieval over time"): (
        ("qrels.txt", "q1 0 doc1 1\nq2 0 doc2 2\n"),
        ("run.txt", "q1 Q0 doc1 1 2.5 x\nq2 Q0 doc2 1 1.5 x\n"),
    ),
    ("SimpleText 2024, 2025", "simplification"): (
        (
            "gold.json",
            listed(
                {
                    "snt_id": "G1",
                    "source_snt": "It is of use to all of us .",
                    "simplified_snt": "We all can use it now .",
                }
            ),
        ),
        ("run.json", listed({"run_id": "x", "manual": 0, "snt_id": "G1", "simplified_snt": "We all can use it now ."})),
    ),
    ("LeWiDi 2025", "irony (MP), shares of labels"): _lewidi({"0": 0.25, "1": 0.75}, {"0": 1.0, "1": 0.0}),
    ("LeWiDi 2025", "sarcasm (CSC), shares of ratings"): _lewidi(
        {"1": 0.5, "2": 0.5, "3": 0.0, "4": 0.0, "5": 0.0, "6": 0.0}, {"1": 0.0, "6": 1.0}
    ),
    ("LeWiDi 2025", "paraphrases (Par), shares of ratings"): _lewidi(
        {"-5": 0.5, "-4": 0.5, "0": 0.0}, {"-5": 0.0, "5": 1.0}
    ),
    ("LeWiDi 2025", "inference (VariErrNLI), shares of labels"): _lewidi(
        {
            "contradiction": {"0": 1.0, "1": 0.0},
            "entailment": {"0": 0.5, "1": 0.5},
            "neutral": {"0": 0.25, "1": 0.75},
        }
    ),
    ("LeWiDi 2025", "irony (MP), what each annotator says"): _annotated("0", "1"),
    ("LeWiDi 2025", "sarcasm (CSC), what each annotator says"): _annotated("1", "6"),
    ("LeWiDi 2025", "paraphrases (Par), what each annotator says"): _annotated("-5", "5"),
    ("LeWiDi 2025", "inference (VariErrNLI), what each annotator says"): _annotated("entailment,neutral", "neutral"),
    ("LeWiDi 2023 (SemEval)", "disagreement, as its data are used today"): _lewidi(
        {"0": 0.25, "1": 0.75}, {"0": 1.0, "1": 0.0}
    ),
    ("BEA-2019, MultiGEC-2025", "grammar, as their data are used today, edits"): same(
        "x.m2", "S She go home .\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n\n"
    ),
    ("WASSA 2024, EXALT", "emotions across languages"): (
        ("gold.tsv", 'ID\tTexts\tLabels\n1\tHe said "so\tJoy\n2\tB\tFear\n'),
        ("run.tsv", "ID\tLabels\n1\tJoy\n2\tFear\n"),
    ),
    ("WASSA 2024", "empathy and distress"): same("predictions_EMP.tsv", "1.5\t4.0\n6.0\t2.5\n3.0\t3.5\n"),
    ("WMT 2024, 2025", "general translation, measures of the surface"): same(
        "en-de.refA.txt", "Der Tag war sehr lang .\nDas Haus ist heute leer .\n"
    ),
    ("WMT 2023–2025", "metrics, systems, as mt-metrics-eval has them"): same("en-de.csv", _GRID),
    ("WMT 2023–2025", "metrics, segments, as mt-metrics-eval has them"): same("en-de.csv", _GRID),
    ("NADI 2024", "dialects of a sentence"): (
        ("gold.txt", 2 * ("1,,0" + 15 * "," + "\n") + "0,,1" + 15 * "," + "\n"),
        ("predictions.txt", 2 * ("1,1,0" + 15 * ",0" + "\n") + "0,0,1" + 15 * ",1" + "\n"),
    ),
    ("NADI 2024", "level of dialect"): same("predictions.txt", "0.25\n0.5\n1\n"),
    ("WojoodNER 2024", "flat entities"): same("test.txt", "Mara B-PERS\nin O\nQuen B-GPE\n\nShe O\n"),
    ("COLIEE 2024, 2025", "statutes (F2)"): (
        ("articles.csv", "id,label\nR01-1-A,94;95\nR01-2-I,7\nR01-3-U,8\n"),
        ("run.csv", "id,label\nR01-1-A,94;95\nR01-2-I,7\nR01-3-U,8;412\n"),
    ),
    ("CRAC 2024, 2025", "coreference in many languages"): same("x.conllu", _COREFERENCE),
}
