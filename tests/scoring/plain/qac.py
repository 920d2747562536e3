"""Plain-Python evaluation of NTCIR QAC runs: independent oracle of tests, baseline of the benchmark.

Every rule of `scoring/families/qac/` and `scoring/readers/qac/` is written out in loops, question by question; the
engine counts the same in arrays.
"""

import argparse
import re
import string
import sys
import unicodedata
from collections import Counter
from pathlib import Path

ID = re.compile(r"[A-Za-z0-9]+-[0-9]+-[0-9]+")
BAR = "-" * 58
COUNTS = (
    *("questions", "answers", "outputs", "correct", "unsupported", "unanswerable_questions", "unanswerable_correct"),
    *("absent_questions", "absent_credited", "ignored_questions", "ignored_outputs"),
)


class Refused(Exception):
    """A file that cannot be scored: the side ("gold" or "system"), and (line, start of the message) of each problem."""

    def __init__(self, side, problems):
        super().__init__(f"{side}: {problems}")
        self.side, self.problems = side, problems


def main(argv):
    parser = argparse.ArgumentParser(prog="qac.py", description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("-a", "--answer", type=Path, required=True)
    parser.add_argument("-t", "--task", type=int, choices=(1, 2, 3), default=1)
    parser.add_argument("--article", choices=("ignore", "require"), default="ignore")
    parser.add_argument("--res-dat", type=Path, default=Path("res.dat"))
    arguments = parser.parse_args(argv)
    try:
        result = evaluate(
            arguments.answer.read_bytes(), arguments.run.read_bytes(), task=arguments.task, article=arguments.article
        )
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 2 if refused.side == "gold" else 1
    print(report(result, arguments.task), end="")
    arguments.res_dat.write_text(res_dat(result), encoding="utf-8", newline="")
    return 0


def evaluate(gold_content, run_content, task=1, article="ignore", squad="off", encoding="utf-8"):
    """Scores, counts and the three tables, as lists of rows."""
    gold = read_gold(gold_content, encoding)
    scored = sorted(question for question in gold if task != 3 or question.split("-")[2] != "01")
    if not scored:
        raise Refused("gold", [(None, "no question to score for task 3")])
    run = read_run(run_content, encoding)
    result = {"questions": [], "answers": [], "unanswerable": []}
    counts = dict.fromkeys(COUNTS, 0)
    counts["ignored_questions"] = sum(question not in gold for question in run)
    points, answerable_points, hits, exact, token_f1 = [], [], {1: 0, 3: 0, 5: 0}, 0.0, 0.0
    for question in scored:
        lines, outputs = gold[question], run.get(question, [])
        if task == 1 and len(outputs) > 5:
            counts["ignored_outputs"] += len(outputs) - 5
            outputs = outputs[:5]
        judged = judge(lines, outputs, article)
        n_answers = len({number for number, _, _ in lines})
        n_correct = len({number for number, _, is_correct in judged if is_correct})
        unsupported = sum(number is not None and not article_ok for number, article_ok, _ in judged)
        first = next((rank for rank, (_, _, is_correct) in enumerate(judged, 1) if is_correct), None)
        phi = n_answers == 0 and not outputs
        f1 = 1.0 if phi else 2 * n_correct / (n_answers + len(outputs)) if n_correct else 0.0
        reciprocal = 1.0 if phi else 1 / first if first else 0.0
        points.append(reciprocal if task == 1 else f1)
        if n_answers:
            answerable_points.append(points[-1])
        for k in hits:
            hits[k] += phi or (first is not None and first <= k)
        if squad != "off":
            one_exact, one_f1 = squad_scores({answer for _, answer, _ in lines}, outputs, squad)
            exact, token_f1 = exact + one_exact, token_f1 + one_f1
        counts["questions"] += 1
        counts["answers"] += n_answers
        counts["outputs"] += len(outputs)
        counts["correct"] += n_correct
        counts["unsupported"] += unsupported
        counts["unanswerable_questions"] += n_answers == 0
        counts["unanswerable_correct"] += phi
        counts["absent_questions"] += question not in run
        counts["absent_credited"] += question not in run and n_answers == 0
        result["questions"].append(
            [
                *(question, question.rsplit("-", 1)[0], n_answers, len(outputs), n_correct, unsupported),
                *(reciprocal if task == 1 else None, f1, n_answers == 0, question in run),
            ]
        )
        for rank, ((answer, source), verdict) in enumerate(zip(outputs, judged, strict=True), 1):
            result["answers"].append([question, rank, answer, source, *verdict])
        if n_answers == 0:
            result["unanswerable"].append([question, len(outputs), phi, question in run])
    n = len(scored)
    recall = counts["correct"] / counts["answers"] if counts["answers"] else 0.0
    precision = counts["correct"] / counts["outputs"] if counts["outputs"] else 0.0
    result["counts"] = counts
    result["scores"] = {
        "mrr": sum(points) / n if task == 1 else None,
        "average_f1": sum(points) / n if task != 1 else None,
        "marks": sum(points),
        "full_marks": float(n),
        "recall": recall,
        "precision": precision,
        "f1": 2 * recall * precision / (recall + precision) if recall + precision else 0.0,
        "answerable_average": sum(answerable_points) / len(answerable_points) if answerable_points else None,
        **{f"hit_at_{k}": hits[k] / n if task == 1 else None for k in hits},
        "exact_match": exact / n if squad != "off" else None,
        "token_f1": token_f1 / n if squad != "off" else None,
    }
    return result


def judge(lines, outputs, article):
    """Return for each output the number that it meets (None if its string is wrong), article_ok, and is_correct."""
    strings = {}
    for number, answer, source in lines:
        strings.setdefault(key(answer), {}).setdefault(number, set()).add(source)
    claimed = set()
    judged = []
    for answer, source in outputs:
        candidates = strings.get(key(answer))
        if not candidates:
            judged.append((None, False, False))
            continue
        number = min(candidates, key=lambda n: (n in claimed, source not in candidates[n], n))
        claimed.add(number)
        article_ok = source in candidates[number]
        judged.append((number, article_ok, article_ok or article == "ignore"))
    return judged


def key(answer):
    return " ".join(unicodedata.normalize("NFC", answer).split())


def squad_scores(answers, outputs, squad):
    if not answers or not outputs:
        same = float(not answers and not outputs)
        return same, same
    found = tokens(outputs[0][0], squad)
    return max(float(tokens(a, squad) == found) for a in answers), max(
        overlap(tokens(a, squad), found) for a in answers
    )


def tokens(text, squad):
    text = "".join(character for character in text.lower() if character not in string.punctuation)
    if squad == "en":
        text = re.sub(r"\b(a|an|the)\b", " ", text)
    return text.split()


def overlap(gold, system):
    if not gold or not system:
        return float(gold == system)
    common = sum((Counter(gold) & Counter(system)).values())
    return 2 * common / (len(gold) + len(system))


def read_gold(content, encoding):
    """{question: [(number, answer, article)]}, with no line where there is no answer."""
    problems, gold, alone, asked, broken = [], {}, {}, {}, set()
    for line, text in lines_of(content, encoding, "gold"):
        columns = text.split("\t")
        question = columns[0].strip()
        if not ID.fullmatch(question):
            problems.append((line, "no question ID"))
        elif len(columns) == 1:
            alone.setdefault(question, line)
        elif columns[1].strip() == "?":
            asked.setdefault(question, line)
            if len(columns) != 3:
                problems.append((line, "expected three columns"))
        elif found := gold_problems(columns):
            broken.add(question)
            problems += [(line, message) for message in found]
        else:
            gold.setdefault(question, []).append((int(columns[1]), columns[2], columns[3]))
    for question, line in alone.items():
        if question in gold:
            problems.append((line, f"question {question} is marked as having no answer and has answers"))
    for question, line in asked.items():
        if question not in gold and question not in alone and question not in broken:
            problems.append((line, f"question {question} has no answer line"))
    if not gold and not alone and not problems:
        problems.append((None, "no question"))
    if problems:
        raise Refused("gold", problems)
    return gold | {question: [] for question in alone}


def gold_problems(columns):
    if len(columns) != 4:
        return ["expected four columns"]
    found = []
    if not re.fullmatch("0*[1-9][0-9]{0,17}", columns[1].strip()):
        found.append("answer number must be a positive integer")
    if not columns[2].strip():
        found.append("empty answer")
    if not columns[3].strip():
        found.append("empty article")
    return found


def read_run(content, encoding):
    """{question: [(answer, article)]}."""
    problems, run = [], {}
    for line, text in lines_of(content, encoding, "system"):
        text = text.strip()
        head = ID.match(text)
        if not head:
            problems.append((line, "no question ID"))
            continue
        outputs, is_complete = read_items(text[head.end() :])
        problems += [(line, "empty answer") for answer, _ in outputs if not key(answer)]
        if not is_complete:
            problems.append((line, "cannot read answers"))
        elif head[0] in run:
            problems.append((line, f"question twice: {head[0]}"))
        else:
            run[head[0]] = outputs
    if problems:
        raise Refused("system", problems)
    return run


def read_items(text):
    """The answers with their articles as far as they can be read, and whether that is to the end of the line."""
    text = text.strip().removeprefix(":").lstrip().removeprefix(",").lstrip()
    outputs = []
    while text and not text.startswith("#"):
        if not text.startswith('"'):
            return outputs, False
        answer, text = read_quoted(text[1:])
        if text is None or not text.lstrip().startswith(","):
            return outputs, False
        text = text.lstrip()[1:].lstrip()
        end = next((k for k, character in enumerate(text) if character.isspace() or character in ',"'), len(text))
        if end == 0:
            return outputs, False
        outputs.append((answer, text[:end]))
        text = text[end:].lstrip()
        if text and not text.startswith((",", "#")):
            return outputs, False
        text = text.removeprefix(",").lstrip()
    return outputs, True


def read_quoted(text):
    """Return what stands before the closing quote, escapes resolved, and the rest; None without such a quote."""
    answer, escaped = [], False
    for k, character in enumerate(text):
        if escaped:
            answer.append(character)
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == '"':
            return "".join(answer), text[k + 1 :]
        else:
            answer.append(character)
    return "", None


def lines_of(content, encoding, side):
    """The numbered lines that are neither blank nor comments."""
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = len(re.split("\r\n|\r|\n", content[: error.start].decode(encoding)))
        raise Refused(side, [(line, f"not valid {encoding}")]) from None
    for number, line in enumerate(re.split("\r\n|\r|\n", text.removeprefix("\ufeff")), 1):
        if line.strip() and not line.strip().startswith("#"):
            yield number, line


def report(result, task):
    scores, counts = result["scores"], result["counts"]
    average = scores["mrr"] if task == 1 else scores["average_f1"]
    numbers = (counts["questions"], counts["answers"], counts["outputs"], counts["correct"])
    ratios = (scores["recall"], scores["precision"], scores["f1"], average)
    return "\n".join(
        [
            f"Task{task} Results:",
            f"{scores['marks']:.1f} marks out of {scores['full_marks']:.1f} in TASK{task}",
            f"Average score: {average:.3f}",
            BAR,
            " ".join(f"{title:>10}" for title in ("Question", "Answer", "Output", "Correct")),
            BAR,
            " ".join(f"{number:10d}" for number in numbers),
            BAR,
            BAR,
            " ".join(f"{title:>10}" for title in ("Recall", "Precision", "F-measure", "MRR/AFM")),
            BAR,
            " ".join(f"{number:10.3f}" for number in ratios),
            BAR,
            "",
        ]
    )


def res_dat(result):
    marked = {row[0]: [] for row in result["questions"]}
    for row in result["answers"]:
        marked[row[0]].append(f"{row[2]} {'○' if row[6] else '×'}")
    lines = []
    for row in result["questions"]:
        marks = marked[row[0]] or [f"φ {'○' if row[8] else '×'}"]
        lines.append(f"{row[0]}: {', '.join(marks)}\n")
    return "".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
