r"""Headers and layouts of shared tasks' own files, with made-up values: a file of the gold and one of a run for each.

Rows of docs/which-task.md read these as they come; where a row has a note, the files are as it says.
"""

import json


def lines(*rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _emotions(*names):
    """Two texts, with each emotion once."""
    rows = [
        ",".join(["x_1", *("10"[k % 2] for k, _ in enumerate(names))]),
        ",".join(["x_2", *("01"[k % 2] for k, _ in enumerate(names))]),
    ]
    return "\n".join([",".join(["id", *names]), *rows]) + "\n"


_EMOTIONS = ("Anger", "Disgust", "Fear", "Joy", "Sadness", "Surprise")
_VARIANTS = {
    "u-1": {"Type": "Single", "Section_id": "Results", "Primary_id": "N1", "Statement": "One.", "Label": "Entailment"},
    "u-2": {
        **{"Type": "Single", "Section_id": "Results", "Primary_id": "N1", "Statement": "Two.", "Label": "Entailment"},
        **{"Intervention": "Paraphrase", "Causal_type": ["Preserving", "u-1"]},
    },
    "u-3": {
        **{"Type": "Single", "Section_id": "Results", "Primary_id": "N1", "Statement": "No.", "Label": "Contradiction"},
        **{"Intervention": "Contradiction", "Causal_type": ["Altering", "u-1"]},
    },
}
_PREDICTED = {name: {"Prediction": row["Label"]} for name, row in _VARIANTS.items()}
_HAZARDS = (
    ",year,month,day,country,title,text,hazard-category,product-category,hazard,product\n"
    '0,1999,1,2,us,Recall of a pie,"A pie,\nrecalled.",allergens,cereals,nuts,pie\n'
    "1,1999,1,3,uk,Recall of a soup,A soup.,biological,soups,listeria,soup\n"
)
_SUBMITTED_HAZARDS = (
    ",hazard-category,product-category,hazard,product\n0,allergens,cereals,nuts,pie\n1,biological,soups,listeria,soup\n"
)
_SPANS = [{"start": 0, "prob": 0.5, "end": 3}, {"start": 4, "prob": 1.0, "end": 7}]
_ASPECT = {"Aspect": "soup", "Opinion": "good", "Category": "FOOD#QUALITY", "VA": "7.50#7.62"}
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
_MARKERS = [{"type": "Actor", "startIndex": 0, "endIndex": 3}, {"type": "Action", "startIndex": 4, "endIndex": 7}]

# {(task, about): (name and text of the gold's file, of a run's file)}
LAYOUTS = {
    ("SemEval-2024 task 1", "semantic textual relatedness"): (
        ("x_test.csv", "PairID,Score\nX-1,0.5\nX-2,0.25\nX-3,1.0\n"),
        ("pred_x.csv", "PairID,Pred_Score\nX-1,0.5\nX-2,0.25\nX-3,0.75\n"),
    ),
    ("SemEval-2024 task 2", "inference on clinical trials, variants of statements"): (
        ("gold_test.json", json.dumps(_VARIANTS, indent=4)),
        ("results.json", json.dumps(_PREDICTED, indent=4)),
    ),
    ("SemEval-2024 task 2", "inference on clinical trials, F1"): (
        ("gold_test.json", json.dumps(_VARIANTS, indent=4)),
        ("results.json", json.dumps(_PREDICTED, indent=4)),
    ),
    ("SemEval-2024 task 3, ECAC", "causes of emotions in conversations, as rows of a table (1)"): (
        2
        * (
            (
                "pairs.tsv",
                "conversation\temotion\tstart\tend\temotion_utterance\tcause_utterance\n1\tjoy\t0\t2\t3\t1\n",
            ),
        )
    ),
    ("SemEval-2024 task 6, SHROOM", "hallucinations"): 2
    * (
        (
            "test.json",
            json.dumps(
                [
                    {"id": 1, "label": "Hallucination", "p(Hallucination)": 0.75},
                    {"id": 2, "label": "Not Hallucination", "p(Hallucination)": 0.25},
                ]
            ),
        ),
    ),
    ("SemEval-2024 task 6, SHROOM", "hallucinations, correlation of probabilities"): 2
    * (
        (
            "test.json",
            json.dumps(
                [
                    {"id": 1, "label": "Hallucination", "p(Hallucination)": 0.75},
                    {"id": 2, "label": "Not Hallucination", "p(Hallucination)": 0.25},
                ]
            ),
        ),
    ),
    ("SemEval-2024 task 8", "texts of machines (A)"): (
        (
            "gold.jsonl",
            lines(
                {"text": "A", "label": 0, "model": "human", "id": 0}, {"text": "B", "label": 1, "model": "m", "id": 1}
            ),
        ),
        ("run.jsonl", lines({"id": 0, "label": 0}, {"id": 1, "label": 1})),
    ),
    ("SemEval-2025 task 1, AdMIRe", "images of idioms, the first of a ranking"): (
        ("gold.tsv", "compound\texpected_order\nbig fish\tb.png\nold hat\tc.png\n"),
        ("submission.tsv", "compound\texpected_order\nbig fish\tb.png;a.png\nold hat\tc.png;d.png\n"),
    ),
    ("SemEval-2025 task 1, AdMIRe", "images of idioms, gain of the ranking"): (
        ("qrels.txt", "big_fish 0 b.png 3\nbig_fish 0 a.png 1\nbig_fish 0 c.png 0\n"),
        ("run.txt", "big_fish Q0 b.png 1 5 x\nbig_fish Q0 a.png 2 4 x\nbig_fish Q0 c.png 3 3 x\n"),
    ),
    ("SemEval-2025 task 3, Mu-SHROOM", "hallucinated spans, overlap and correlation"): (
        (
            "x.jsonl",
            lines(
                {
                    "id": "x-1",
                    "lang": "X",
                    "model_output_text": "Ann ran here.",
                    "soft_labels": _SPANS,
                    "hard_labels": [[4, 7]],
                }
            ),
        ),
        ("run.jsonl", lines({"id": "x-1", "soft_labels": _SPANS, "hard_labels": [[4, 7]]})),
    ),
    ("SemEval-2025 task 9", "food hazards, hazard and product"): (
        ("incidents_test.csv", _HAZARDS),
        ("submission.csv", _SUBMITTED_HAZARDS),
    ),
    ("SemEval-2025 task 9", "food hazards, one column alone"): (
        ("incidents_test.csv", _HAZARDS),
        ("submission.csv", _SUBMITTED_HAZARDS),
    ),
    ("SemEval-2025 task 11", "emotions (A, C)"): 2 * (("pred_x.csv", _emotions(*_EMOTIONS)),),
    ("SemEval-2025 task 11", "strength of emotions (B)"): 2 * (("pred_x.csv", _emotions(*_EMOTIONS)),),
    ("SemEval-2026 task 2", "valence and arousal over time (1)"): (
        ("test.csv", "user_id,text_id,text,valence,arousal\n7,1,A,1,0\n7,2,B,2,1\n8,3,C,-1,2\n8,4,D,0,1\n"),
        ("pred.csv", "user_id,text_id,pred_valence,pred_arousal\n7,1,1,0\n7,2,2,1\n8,3,-1,2\n8,4,0.5,1\n"),
    ),
    ("SemEval-2026 task 3, DimABSA", "valence and arousal of aspects (1)"): 2
    * (
        (
            "x.jsonl",
            lines(
                {
                    "ID": "r1",
                    "Text": "Soup.",
                    "Aspect_VA": [{"Aspect": "soup", "VA": "7.50#7.62"}, {"Aspect": "tea", "VA": "2.00#5.00"}],
                }
            ),
        ),
    ),
    ("SemEval-2026 task 3, DimABSA", "triplets with valence and arousal (2)"): 2
    * (("x.jsonl", lines({"ID": "r1", "Text": "Soup.", "Triplet": [_ASPECT]})),),
    ("SemEval-2026 task 3, DimABSA", "quadruplets with valence and arousal (3)"): 2
    * (("x.jsonl", lines({"ID": "r1", "Text": "Soup.", "Quadruplet": [_ASPECT]})),),
    ("SemEval-2026 task 4", "narrative similarity, rows without ids"): 2
    * (
        (
            "track_a.jsonl",
            lines(
                {"anchor_text": "A", "text_a": "B", "text_b": "C", "text_a_is_closer": True},
                {"anchor_text": "A", "text_a": "B", "text_b": "C", "text_a_is_closer": False},
            ),
        ),
    ),
    ("SemEval-2026 task 6, CLARITY", "clarity of answers, one label a line"): 2
    * (("prediction", "Ambivalent\nClear Reply\n"),),
    ("SemEval-2026 task 10, PsyCoMark", "conspiracy markers, exact spans"): 2
    * (("x.jsonl", lines({"_id": "t1", "text": "Ann ran here.", "markers": _MARKERS, "conspiracy": "Yes"})),),
    ("SemEval-2026 task 11", "validity of syllogisms, accuracy"): 2
    * (
        (
            "test.json",
            json.dumps(
                [
                    {"id": "a", "syllogism": "All.", "validity": True, "plausibility": False},
                    {"id": "b", "syllogism": "No.", "validity": False, "plausibility": True},
                ]
            ),
        ),
    ),
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
        ("gold.tsv", "x_1\tA ran.\tran\t2\t0.25\tgone\nx_2\tB sat.\tsat\t2\t0.75\tput\n"),
        ("run.tsv", "x_1\t0.25\tgone\nx_2\t0.5\tput\n"),
    ),
    ("AmericasNLP 2024, 2025", "translation"): 2 * (("test.x", "ki naj la ok\nmi nu la ok\n"),),
    ("WMT 2024", "quality of sentences, in columns without names"): 2
    * (("run.tsv", "en-de\tm\t0\t0.5\nen-de\tm\t1\t0.25\nen-he\tm\t0\t1\n"),),
}
