"""Layouts of SemEval."""

import json

from tests.which_task_layouts.writing import lines, listed, same


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
_MARKERS = [{"type": "Actor", "startIndex": 0, "endIndex": 3}, {"type": "Action", "startIndex": 4, "endIndex": 7}]


def _causes(*causes):
    """A conversation with a pair of each cause."""
    texts = enumerate(("I am late .", "OK ."), start=1)
    conversation = [{"utterance_ID": k, "text": text, "speaker": "A", "emotion": "joy"} for k, text in texts]
    pairs = [["2_joy", cause] for cause in causes]
    rows = [{"conversation_ID": 1, "conversation": conversation, "emotion-cause_pairs": pairs}]
    return json.dumps(rows, indent=4)


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
    ("SemEval-2024 task 3, ECAC", "causes of emotions in conversations (1)"): (
        ("Subtask_1_gold.json", _causes("1_am late", "2_OK")),
        ("Subtask_1_pred.json", _causes("1_1_3", "2_0_1")),
    ),
    ("SemEval-2024 task 3, ECAC", "utterances that cause emotions (2)"): 2
    * (("Subtask_2_pred.json", _causes("1", "2")),),
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
        (
            "gold.tsv",
            "compound\tsentence\texpected_order\nbig fish\tA.\t['b.png', 'a.png']\nold hat\tB.\t['c.png', 'd.png']\n",
        ),
        ("submission.tsv", "compound\texpected_order\nbig fish\t['b.png', 'a.png']\nold hat\t['c.png', 'd.png']\n"),
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
    **dict.fromkeys(
        [("SemEval-2025 task 11", about) for about in ("emotions (A, C)", "strength of emotions (B)")],
        (("x.csv", _emotions(*map(str.lower, _EMOTIONS))), ("pred_x.csv", _emotions(*_EMOTIONS))),
    ),
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
    ("SemEval-2026 task 3, DimABSA", "triplets with valence and arousal (2)"): (
        ("gold.jsonl", lines({"ID": "r1", "Text": "Soup.", "Quadruplet": [_ASPECT]})),
        ("pred.jsonl", lines({"ID": "r1", "Triplet": [_ASPECT]})),
    ),
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
    ("SemEval-2026 task 6, CLARITY", "clarity of answers, one label a line"): (
        (
            "test.csv",
            "title,interview_answer,question,index,clarity_label,evasion_label\n"
            ',"Yes,\nno.",A?,0,Ambivalent,General\n,Yes.,B?,1,Clear Reply,Explicit\n',
        ),
        ("prediction", "Ambivalent\nClear Reply\n"),
    ),
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
    ("SemEval-2024 task 4", "techniques of persuasion (1)"): same(
        "gold.json",
        listed({"id": "1", "text": "A", "labels": ["Smears", "Doubt"], "link": "x"}, {"id": "2", "labels": []}),
    ),
    ("SemEval-2024 task 4", "persuasion in memes or none (2b)"): (
        (
            "gold.json",
            listed(
                {"id": "1", "text": "A", "label": "propagandistic", "image": "1.png"},
                {"id": "2", "text": "B", "label": "non_propagandistic", "image": "2.png"},
            ),
        ),
        ("run.json", listed({"id": "1", "label": "propagandistic"}, {"id": "2", "label": "non_propagandistic"})),
    ),
    ("SemEval-2024 task 5", "reasoning in civil procedure"): same("gold.csv", "id,label\n1,0\n2,1\n"),
    ("SemEval-2024 task 8", "which machine wrote it (B)"): (
        (
            "gold.jsonl",
            lines(
                {"text": "A", "model": "human", "source": "x", "label": 0, "id": 0},
                {"text": "B", "model": "m", "source": "x", "label": 3, "id": 1},
            ),
        ),
        ("run.jsonl", lines({"id": 0, "label": 0}, {"id": 1, "label": 3})),
    ),
    ("SemEval-2024 task 8", "where the machine begins (C)"): (
        ("gold.jsonl", lines({"text": "A b", "label": 1, "id": "a"}, {"text": "C d e", "label": 2, "id": "b"})),
        ("run.jsonl", lines({"id": "a", "label": 1}, {"id": "b", "label": 2})),
    ),
    ("SemEval-2024 task 9, BRAINTEASER", "riddles, question by question"): (
        ("gold.csv", "id,label\nSP-1,2\nSP-1_SR,0\n"),
        ("answer_sen.txt", "2\n0\n"),
    ),
    ("SemEval-2024 task 9, BRAINTEASER", "riddles, right in all variants"): (
        ("gold.csv", "id,label,riddle\nSP-1,2,SP-1\nSP-1_SR,0,SP-1\n"),
        ("answer_sen.txt", "2\n0\n"),
    ),
    ("SemEval-2024 task 10, EDiReF", "emotions in dialogue"): (
        (
            "X_test_erc.json",
            json.dumps(
                [
                    {
                        "episode": "x.wmv",
                        "speakers": ["a", "b"],
                        "utterances": ["A", "B"],
                        "labels": ["joy", "neutral"],
                    },
                    {"episode": "x.wmv", "speakers": ["b"], "utterances": ["C"], "labels": ["neutral"]},
                ]
            ),
        ),
        ("answer.txt", "joy\nneutral\nneutral\n"),
    ),
    ("SemEval-2025 task 5, LLMs4Subjects", "subjects of technical records"): same(
        "subjects.jsonl", lines({"id": "3A1", "documents": ["gnd:1", "gnd:2"]}, {"id": "3A2", "documents": ["gnd:3"]})
    ),
    ("SemEval-2025 task 7", "earlier fact-checks"): (
        ("gold.json", json.dumps({"12": [7], "13": [9]})),
        ("monolingual_predictions.json", json.dumps({"12": [8, 7], "13": [9, 7]}, indent=2)),
    ),
    ("SemEval-2025 task 10", "roles of entities"): same(
        "annotations.tsv",
        "article\tentity\tstart\tend\troles\nx_1.txt\tAnn\t0\t3\tVictim;Martyr\nx_1.txt\tBo\t9\t11\tSpy\n",
    ),
    ("SemEval-2025 task 10", "narratives"): (
        (
            "subtask-2-annotations.txt",
            "x_1.txt\tURW: Blame\tURW: Blame: Both;URW: Blame: Other\nx_2.txt\tOther\tOther\nx_3.txt\tOther\tOther\n",
        ),
        (
            "dev_results.txt",
            "x_1.txt\tURW: Blame\tURW: Blame: Both;URW: Blame: Other;CC: Fear: Other\n"
            "x_2.txt\tOther\tOther\nx_3.txt\tOther\tOther\n",
        ),
    ),
    ("SemEval-2026 task 5", "plausibility of word senses"): (
        (
            "solution.jsonl",
            lines({"id": "0", "label": [4, 5, 3]}, {"id": "1", "label": [1, 1, 2]}, {"id": "2", "label": [3]}),
        ),
        (
            "predictions.jsonl",
            lines({"id": "0", "prediction": 4}, {"id": "1", "prediction": 1}, {"id": "2", "prediction": 3}),
        ),
    ),
    ("SemEval-2026 task 9, POLAR", "polarization or none (1)"): same("pred_eng.csv", "id,polarization\nx_1,0\nx_2,1\n"),
    ("SemEval-2026 task 12", "causes of events, credit for a part of the answers"): (
        (
            "questions.jsonl",
            lines(
                {"topic_id": 1, "id": "a", "option_A": "x", "golden_answer": "A,C"}, {"id": "b", "golden_answer": "D"}
            ),
        ),
        ("submission.jsonl", lines({"id": "a", "answer": "A,C"}, {"id": "b", "answer": "D"})),
    ),
}
