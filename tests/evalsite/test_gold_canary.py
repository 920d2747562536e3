"""A marked word in the hidden gold of each family is in nothing that anybody but an organiser can get."""

import json
import re
from html import unescape
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evalsite.api import tokens
from evalsite.base.contrib import board_pages
from evalsite.challenges.gold.services import add_gold
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions.receiving import admission
from evalsite.submissions.uploads import as_upload
from tests.evalsite.families import ANSWERS, CHAINS, GOLD_CHAINS, QUESTIONS, SYSTEM_SPANS, TEXT, columns, document
from tests.factories import PARTLY_RIGHT, make_phase, make_task, run_files, scored, zip_of

pytestmark = pytest.mark.django_db

ROLES = ("stranger", "alice", "bob", "charlie")
WORD, LABEL, NUMBER = "canaryword", "canarylabel", "987654321"
WORDS = ["Ann", "Lee", "visits", "Bern", "."]


def phrases():
    """Texts of phrases, a label of the gold alone, and numbers of phrases."""
    gold = f"{NUMBER}\t4 8;9 22\tConcept\t{WORD}\n2\t27 31\tConcept\t{WORD}\n3\t57 61\t{LABEL}\t{WORD}\n"
    relations = f"is-a\t{NUMBER}\t2\n{LABEL}\t2\t{NUMBER}\n"
    return "ehealthkd", {"scenario": "1"}, run_files(gold, relations), PARTLY_RIGHT


def spans():
    """Return what a document says beside its text, and attributes of its spans."""
    gold = json.loads(document(("PER", 0, 7), ("LOC", 13, 20), ("ORG", 30, 45)))
    gold["metadata"] = {"note": WORD}
    gold["asets"][1] |= {"hasID": True, "attrs": [{"name": WORD, "type": "string"}]}
    gold["asets"][1]["annots"] = [[*each, f"id-{NUMBER}", WORD] for each in gold["asets"][1]["annots"]]
    options = {"content_annotations": "PER,LOC,ORG,MISC"}
    return "mat", options, {"one.json": json.dumps(gold)}, {"one.json": document(*SYSTEM_SPANS, text=TEXT)}


def chains():
    """Numbers of entities."""
    marked = columns(GOLD_CHAINS).replace("(1", f"({NUMBER}").replace("1)", f"{NUMBER})")
    return "coreference", {"format": "conll"}, {"gold.conll": marked}, {"run.conll": columns(CHAINS)}


def entities():
    """A label of the gold alone, keys of a knowledge base, and a tag."""
    gold = {"id": "d1", "words": WORDS, "ents": [[0, 2, LABEL, f"Q{NUMBER}"], [3, 4, "LOC", WORD]]}
    gold |= {"tags": ["A", "B", WORD, "D", "E"]}
    run = {"id": "d1", "words": WORDS, "ents": [[0, 2, "PER", "Q1"], [3, 4, "LOC", "Q2"]], "tags": list("ABCDE")}
    scores = [{"name": "ner"}, {"name": "confusion"}, {"name": "entity_linker"}, {"name": "tagger"}]
    options = {"scores": scores, "headline": "ents_f"}
    return "spacy", options, {"gold.jsonl": json.dumps(gold) + "\n"}, {"run.jsonl": json.dumps(run) + "\n"}


def questions():
    """Answers, and the articles that support them."""
    gold = QUESTIONS.replace("Tsu City", WORD).replace("the elder", WORD).replace("990807065", NUMBER)
    return "qac", {"task": 1}, {"gold.txt": gold}, {"run.txt": ANSWERS}


def utterances():
    """Return what is said."""
    gold = {"gold.tsv": f"d1\tmind the {WORD}\nd2\tplatform {NUMBER}\n"}
    return "transcripts", {}, gold, {"run.tsv": "d1\tmind gap\nd2\tplatform for\n"}


def searches():
    """Documents that were judged, and a query without a relevant one."""
    gold = {"qrels.txt": f"q1 0 {WORD} 2\nq1 0 d1 0\nq2 0 d{NUMBER} 1\nq3 0 d{NUMBER} 0\n"}
    return "ranking", {"depth": 9}, gold, {"run.txt": "q1 Q0 d1 1 2.5 ours\nq2 Q0 d2 1 1.5 ours\nq9 Q0 d1 1 1 ours\n"}


def labels():
    """A label of the gold alone, and a column that is not scored."""
    gold = f"id,label,note\nd1,{LABEL},{WORD}\nd2,A,{NUMBER}\nd3,B,\n"
    return "labels", {}, {"gold.csv": gold}, {"run.csv": "id,label\nd1,A\nd2,A\nd3,A\n"}


def numbers():
    """A number by which runs are far off, and a column that is not scored."""
    gold = f"id,value,note\nd1,{NUMBER},{WORD}\nd2,2.5,\nd3,3,\n"
    return "numbers", {}, {"gold.csv": gold}, {"run.csv": "id,value\nd1,1\nd2,2\nd3,4\n"}


def translations():
    """Return what a translator wrote."""
    gold = f"The {WORD} is late .\nPlatform {NUMBER} , please .\nGood night .\n"
    return "text", {}, {"references.txt": gold}, {"run.txt": "The train is late .\nPlatform one .\nGood day .\n"}


def edits():
    """Return what an annotator wrote, and a type of the gold alone."""
    last = "|||REQUIRED|||-NONE-|||0\n\n"
    gold = f"S He go .\nA 1 2|||R:VERB|||{WORD}{last}S Platform a .\nA 1 2|||R:NUM|||{NUMBER}{last}"
    run = f"S He go .\nA 1 2|||R:VERB|||goes{last}S Platform a .\nA 1 2|||R:NUM|||b{last}"
    return "edits", {}, {"gold.m2": gold}, {"run.m2": run}


_FILES = (phrases, spans, chains, entities, questions, utterances, searches, labels, numbers, translations, edits)
FAMILIES = {each.__name__: each for each in _FILES}


@pytest.fixture(params=FAMILIES)
def hidden(request, olga, team, alice, strangers, charlie, tmp_path):
    """A phase with marked gold in a marked file, and a scored run of alice's and one of charlie's."""
    family, options, gold, run = FAMILIES[request.param]()
    task = make_task("canary", olga)
    scenario = Scenario.objects.create(task=task, number=1, name="Hidden", family=family, options=options)
    phase = make_phase(task)
    path = tmp_path / f"{WORD}.zip"
    path.write_bytes(zip_of(gold))
    add_gold(phase, scenario, path, path.name, by=olga, note=WORD)
    assert WORD in "".join(gold.values()) or NUMBER in "".join(gold.values())
    for owner, member in ((team, alice), (strangers, charlie)):
        scored(submitted(phase, owner, member, scenario, run))
    refresh(Board.objects.select_related("phase", "scenario").get())
    return phase, scenario, run


def submitted(phase, team, member, scenario, files):
    with as_upload([SimpleUploadedFile("run.zip", zip_of(files))]) as upload:
        return admission.submit(
            phase, team, member, upload, [scenario], admission.RunDetails("Rules"), arrived=timezone.now()
        )


def addresses(phase, scenario):
    """All that the site has of the phase and of alice's run of it."""
    run = phase.submissions.get(uploader__name="Alice") if phase.submissions.count() else None
    board = [phase.task.slug, phase.slug, 1]
    arguments = [
        ("home",),
        ("task", phase.task.slug),
        ("example", phase.task.slug, 1),
        *((name, *board) for name in ("board", "board_pairs", "board_compare", *board_pages())),
        *(("board_export", *board, suffix) for suffix in ("csv", "json", "tex")),
        ("board_overview", *board[:2]),
        ("how_to_read",),
        ("submit", *board[:2]),
        ("open_check", *board[:2]),
        ("submissions", phase.task.slug),
        *((name, run.pk) for name in ("submission", "submission_file")),
        ("submission_scores", run.pk, 1),
        *(("submission_export", run.pk, 1, each.name) for each in scenario.engine_family.table_notes.exports),
        *(("submission_unit", run.pk, 1, unit) for unit in ("one", "d1", "the trial", "QAC1-1001-01", "q1")),
        ("gold", Gold.objects.get().pk),
        ("profile",),
        ("teams",),
        ("kit", *board[:2]),
        *(("api:task", *board[:1]), ("api:phase", *board[:2]), ("api:board", *board), ("api:submissions", *board[:1])),
        *((f"api:{name}", run.pk) for name in ("submission", "submission_events", "submission_file")),
        ("api:submission_scores", run.pk, 1),
    ]
    return [reverse(name, args=rest) for name, *rest in arguments]


def body(answer):
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if content.startswith(b"PK"):
        with ZipFile(BytesIO(content)) as archive:
            content = b"\n".join(archive.read(name) for name in archive.namelist() if not name.endswith(".whl"))
    return unescape(content.decode("utf-8", "replace")).lower()


def enter(client, user):
    """Log in by the pages' log-in, and for the API by a token."""
    client.force_login(user)
    client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {tokens.make(user, 'canary', 'read upload', None)[1]}"


def test_no_answer_to_anybody_but_an_organiser_has_the_marked_word(request, hidden, caplog):
    phase, scenario, _ = hidden
    for role in ROLES:
        client = Client()
        if role != "stranger":
            enter(client, request.getfixturevalue(role))
        for address in addresses(phase, scenario):
            found = body(client.get(address))
            assert WORD not in found, (role, address)
            assert NUMBER not in found, (role, address)
            # Names of labels stand in the tables by label of one's own runs, sums over the gold's own labels.
            own = role in ("alice", "bob") and ("/submissions/" in address or "compare" in address)
            assert own or LABEL not in found, (role, address)
    assert WORD not in caplog.text


@pytest.mark.thorough
def test_organisers_find_it(as_olga, hidden):
    """So the marks are where the tests above look for them."""
    phase, scenario, _ = hidden
    texts = [body(as_olga.get(address)) for address in addresses(phase, scenario)]
    texts.append(body(as_olga.get(reverse("desk_gold_version", args=[phase.task.slug, Gold.objects.get().pk]))))
    texts.append(body(as_olga.get(reverse("desk_gold", args=[phase.task.slug]))))
    assert any(WORD in text for text in texts)


def broken(files):
    """The files of a run in ways that readers refuse."""
    yield {name: content[: len(content) // 2] for name, content in files.items()}
    yield {name: "\x00\x01\x02" for name in files}
    yield dict.fromkeys(files, "")
    yield {name: "{" * 50 + content for name, content in files.items()}
    yield {name: content.replace("1", "999").replace("\t", " ") for name, content in files.items()}
    yield {name: content + content for name, content in files.items()}
    yield {f"wrong-{name}": content for name, content in files.items()}
    yield {name: content.replace("a", "\u0301e").replace("0", "-7") for name, content in files.items()}
    yield {"something.bin": "x"}


@pytest.mark.thorough
def test_no_refusal_has_the_marked_word(client, hidden, team, alice, caplog):
    phase, scenario, run = hidden
    enter(client, alice)
    n_refused = 0
    for number, files in enumerate(broken(run)):
        form = {"team": str(team.pk), "method": f"Broken {number}"}
        upload = SimpleUploadedFile("run.zip", zip_of(files))
        answer = client.post(reverse("submit", args=[phase.task.slug, phase.slug]), form | {"files": [upload]})
        n_refused += answer.status_code == 422
        # The same past the form, as a large upload goes: refused by the worker, or scored.
        made = scored(submitted(phase, team, alice, scenario, files | {"number.txt": str(number)}))
        n_refused += made.scorings.get().state == "refused"
        checking = reverse("api:check", args=[phase.task.slug, phase.slug])
        by_program = client.post(checking, {"files": [SimpleUploadedFile("run.zip", zip_of(files))]})
        for found in (body(answer), body(by_program), body(client.get(made.get_absolute_url()))):
            assert WORD not in found
            assert NUMBER not in found
    assert n_refused >= 6
    participants = {alice.email, "bob@example.org", "charlie@example.org"}
    for letter in mail.outbox:
        assert not participants.intersection(letter.to) or WORD not in letter.body
    assert WORD not in caplog.text


@pytest.mark.thorough
def test_a_check_without_an_account_tells_what_that_of_an_upload_does_and_no_score(
    client, hidden, team, alice, settings
):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"refused_upload": "100/10m"}
    phase, _, run = hidden
    names = [phase.task.slug, phase.slug]
    for files in (run, *broken(run)):
        client.logout()
        stranger = client.post(reverse("open_check", args=names), {"files": [zipped(files)]})
        client.force_login(alice)
        member = client.post(reverse("submit", args=names), {"check": "only", "files": [zipped(files)]})
        assert stranger.status_code == member.status_code
        for found in (body(stranger), body(member)):
            assert WORD not in found
            assert NUMBER not in found
        assert "trial-score" not in body(stranger)
        assert what_is_told(stranger) == what_is_told(member)


def zipped(files):
    return SimpleUploadedFile("run.zip", zip_of(files))


def what_is_told(answer):
    """The sentences about the files."""
    page = answer.content.decode()
    return re.findall(r'class="cause-message">(.*?)</p>|<h3>Scenario.*?</h3>\s*<p>(.*?)</p>', page, re.DOTALL)


@pytest.mark.thorough
def test_nothing_of_it_is_told_once_the_phase_has_closed_and_results_are_released(client, hidden, alice):
    phase, scenario, _ = hidden
    Phase.objects.update(results_released=phase.opens)
    enter(client, alice)
    for address in addresses(phase, scenario):
        found = body(client.get(address))
        assert WORD not in found, address
        assert NUMBER not in found, address
