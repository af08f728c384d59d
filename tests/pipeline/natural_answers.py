"""What models say to the studio's questions, as they say it, and what a careful person would take
from it (tests/data/answers).

`python -m tests.pipeline.natural_answers` prints how much of it is taken.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from studio.llm.structured import AnswerReader
from studio.pipeline.book_runs.continuity_checking import verify_facts, verify_findings
from studio.pipeline.judging.placement import label_of, own_words, place_proposals
from studio.pipeline.review.line_edits import EditGuard
from studio.pipeline.review.second_reader import _verify
from studio.pipeline.review.surgeon import _paragraphs
from studio.project.planning.names import KnownNames, all_named
from studio.story.chapter import Chapter, Paragraph
from studio.story.review.answers import (
    ContinuityAnswer,
    JudgeAnswer,
    LineEditsAnswer,
    PreferringAnswer,
    ReaderAnswer,
    ScenesAnswer,
    SummaryAnswer,
)
from studio.story.review.directive import DirectiveType
from studio.story.review.evaluation import SCORE_NAMES
from studio.story.review.operations import OPERATIONS
from studio.story.review.passage import PassageLocation
from studio.story.review.surgery import SurgeryResult
from studio.story.state import StateOp, sift
from studio.text.guard import surgery_guard
from studio.text.language.packs import load_pack

DATA = Path(__file__).parents[1] / "data" / "answers"
LANGUAGES = ("en", "ko", "zh")
SCORE = {"score": 4, "reason": "It holds.", "fault": "", "scene": None}
SCORES = dict.fromkeys(SCORE_NAMES, SCORE)


@dataclass(frozen=True)
class Heard:
    """One answer, and what became of it."""

    role: str
    language: str
    what: str
    is_open: bool
    """Whether a careful person could not say what is meant."""
    wanted: object
    taken: object
    """What the studio takes from it; `wanted` if it is right."""
    is_listed: bool = True
    """Whether what is open is shown as such."""

    @property
    def is_right(self) -> bool:
        return self.wanted == self.taken and self.is_listed


@cache
def read(name: str) -> dict[str, Any]:
    return tomllib.loads((DATA / f"{name}.toml").read_text("utf-8"))


@cache
def chapter_of(language: str) -> Chapter:
    return Chapter((DATA / f"chapter-{language}.md").read_text("utf-8"))


def label(words: str) -> dict[str, int] | None:
    """Returns a label as a judge gives it: `1.5-1.6`."""
    numbers = [int(n) for n in re.findall(r"\d+", words)]
    if not numbers:
        return {"sceneNumber": 0, "paragraphStart": 0, "paragraphEnd": 0}
    last = numbers[3] if len(numbers) > 3 else numbers[-1]
    return {"sceneNumber": numbers[0], "paragraphStart": numbers[1], "paragraphEnd": last}


def passage_at(language: str, words: str) -> tuple[Paragraph, ...]:
    at = label(words)
    assert at is not None
    return chapter_of(language).passage(*at.values())


def judge_answer(directive: str) -> str:
    head = orjson.dumps({"scores": SCORES, "violations": []}).decode()[:-1]
    return f'{head}, "directives": [{directive}], "reader_experience": "It holds."}}'


def judged(language: str) -> Iterator[Heard]:
    data = read(f"judge-{language}")
    rows = [
        (
            what,
            orjson.dumps(
                {
                    "type": kind,
                    "priority": 3,
                    "location": label(at),
                    "issue": "It slackens here.",
                    "currentText": quote,
                    "instruction": "Tighten it; keep what it shows.",
                    "maxScope": 3,
                }
            ).decode(),
            wanted,
        )
        for what, kind, at, quote, wanted in data["proposals"]
    ]
    for what, directive, wanted in (*rows, *data["whole"]):
        answer, _ = AnswerReader(JudgeAnswer).read(judge_answer(directive))
        placed, unplaced = place_proposals(
            chapter_of(language), answer.directives if answer else ()
        )
        taken = [label_of(passage_at(language, _label(d.location))) for d in placed]
        # What has neither issue nor instruction says nothing that could be listed.
        says = "Tighten" in directive or bool(wanted)
        yield Heard(
            "judge",
            language,
            what,
            not wanted,
            [wanted] if wanted else [],
            taken,
            bool(wanted or unplaced or not says),
        )


def _label(at: PassageLocation) -> str:
    return f"{at.scene_number}.{at.paragraph_start}-{at.scene_number}.{at.paragraph_end}"


def operated(language: str) -> Iterator[Heard]:
    pack = load_pack(language)
    for what, at, answer, wanted in read(f"surgeon-{language}")["answers"]:
        before = [p.prose for p in passage_at(language, at)]
        taken = _paragraphs(answer, before)
        faults = surgery_guard(
            before,
            taken,
            OPERATIONS[DirectiveType.DIALOGUE_SUBTEXT],
            (),
            pack,
            chapter_of(language).text,
            attended=True,
        )
        yield Heard("surgeon", language, what, not wanted, wanted, [] if faults else taken)


def summarized(language: str) -> Iterator[Heard]:
    data, chapter = read("summarizer")[language], chapter_of(language)
    for what, op, wanted in data["ops"]:
        text = f'{{"summary": "It rains.", "ops": [{op}], "crossref": [], "memory": ""}}'
        answer, _ = AnswerReader(SummaryAnswer).read(text)
        taken = [_op(chapter, one) for one in (answer.ops if answer else ())]
        sound = [one for one in taken if one is not None and sift([one])[0]]
        want = [orjson.loads(wanted)] if wanted else []
        keys = want[0].keys() if want else ()
        yield Heard(
            "summarizer",
            language,
            what,
            not wanted,
            want,
            [{key: getattr(one, key) for key in keys} for one in sound],
        )
    for what, mention, words, leak in data["mentions"]:
        text = f'{{"summary": "It rains.", "ops": [], "crossref": [{mention}], "memory": ""}}'
        answer, _ = AnswerReader(SummaryAnswer).read(text)
        got = [
            [own_words(chapter.text, m.quote), m.leak] for m in (answer.crossref if answer else ())
        ]
        yield Heard("summarizer", language, what, False, [[words, leak]], got)


def _op(chapter: Chapter, op: Any) -> StateOp | None:
    quote = own_words(chapter.text, op.quote) if op.op == "foreshadow" and op.quote else ""
    value = int(op.value) if isinstance(op.value, float) else op.value
    try:
        return StateOp(op=op.op, path=op.path, value=value, quote=quote)
    except ValueError:
        return None


def divided(language: str) -> Iterator[Heard]:
    for what, text, wanted in read("scenes")[language]:
        answer, _ = AnswerReader(ScenesAnswer).read(text)
        taken = [
            [list(scene.units), list(scene.characters), scene.purpose]
            for scene in (answer.scenes if answer else ())
        ]
        same = len(taken) == len(wanted) and all(
            got[:2] == want[:2] and str(got[2]).startswith(want[2])
            for got, want in zip(taken, wanted, strict=True)
        )
        yield Heard("scenes", language, what, not wanted, wanted, wanted if same else taken)


def compared(language: str) -> Iterator[Heard]:
    data = read("continuity")[language]
    texts = {1: chapter_of(language), 2: Chapter(f"# 2\n\n{data['second']}\n")}
    for what, row, wanted in data["rows"]:
        text = f'{{"contradictions": [{row}], "facts": []}}'
        answer, _ = AnswerReader(ContinuityAnswer).read(text)
        findings = list(
            verify_findings(answer.contradictions if answer else (), texts, (), _nobody)
        )
        taken = [
            [f.code.removeprefix("model_"), f.severity, *(e.quote for e in f.evidence)]
            for f in findings
        ]
        yield Heard("continuity", language, what, not wanted, [wanted] if wanted else [], taken)


def _nobody(_: str) -> None:
    """Knows no names."""


def edited(language: str) -> Iterator[Heard]:
    data, chapter = read("refiner"), chapter_of(language)
    own = data[language]
    values: dict[str, str] = {}
    for mark, (at, first, old, new) in zip(("L", "l"), (own["first"], own["other"]), strict=True):
        (paragraph,) = passage_at(language, at)
        assert old in paragraph.text, at
        marks = {"L": "LWAO", "l": "lwao"}[mark]
        after = paragraph.text.replace(old, new)
        values |= dict(zip(marks, (at, first, after, paragraph.text), strict=True))
    scene, _, number = values["L"].partition(".")
    values |= {"S": scene, "P": number}
    named = [
        [what, f'{{"edits": [{{"label": "{form}", "before_words": "", "after": "%A"}}]}}', "first"]
        for what, form in own["own"]
    ]
    first, other = [values["L"], values["A"]], [values["l"], values["a"]]
    sides = {"first": [first], "other": [other], "both": [first, other], "none": []}
    for what, form, side in (*data["forms"], *named):
        said = form.replace("%B", values["A"])
        for mark, words in values.items():
            said = said.replace(f"%{mark}", orjson.dumps(words).decode()[1:-1])
        answer, _left_out = AnswerReader(LineEditsAnswer).read(said)
        guard = EditGuard(chapter, (), load_pack(language))
        placed, _refused = guard.take(answer.edits if answer else ())
        taken = [[f"{e.paragraph.scene}.{e.paragraph.number}", e.after] for e in placed]
        yield Heard("refiner", language, what, side == "none", sides[side], taken)


def read_twice(language: str) -> Iterator[Heard]:
    data = read("reader")[language]
    result = SurgeryResult.model_construct(before=data["one"], after=data["two"])
    for what, row, wanted in data["rows"]:
        answer, _ = AnswerReader(ReaderAnswer).read(f'{{"differences": [{row}]}}')
        differences = _verify(answer, result, False) if answer else ()
        taken = [[d.kind, d.one, d.two] for d in differences]
        yield Heard("reader", language, what, not wanted, [wanted] if wanted else [], taken)
    for what, said, better in data["weighed"]:
        weighed, _ = AnswerReader(PreferringAnswer).read(f'{{"differences": [], {said}}}')
        yield Heard("reader", language, what, not better, better, weighed.better if weighed else "")


def _played(role: str, language: str) -> list[dict[str, Any]]:
    path = DATA / "played" / f"{role}-{language}.toml"
    if not path.exists():
        return []
    answers: list[dict[str, Any]] = tomllib.loads(path.read_text("utf-8"))["answers"]
    return answers


@cache
def _chapter_played(name: str) -> Chapter:
    return Chapter((DATA / "played" / f"chapter-{name}.md").read_text("utf-8"))


def played(role: str, language: str) -> Iterator[Heard]:
    """Yields whole answers as a strong model gives them: those of played evenings, letter for
    letter, and those written to the prompts as they are sent."""
    for row in _played(role, language):
        wanted, taken = _PLAYED[role](row, language)
        yield Heard(role, language, row["said"][:40], False, wanted, taken)


def _judge_played(row: dict[str, Any], _: str) -> tuple[object, object]:
    answer, left_out = AnswerReader(JudgeAnswer).read(row["said"])
    assert answer is not None
    chapter = _chapter_played(row["chapter"])
    placed, unplaced = place_proposals(chapter, answer.directives)
    lost = [v.quote for v in answer.violations if not own_words(chapter.text, v.quote)]
    taken = [_label(d.location) for d in placed]
    return (row["placed"], [], [], []), (taken, list(unplaced), list(left_out), lost)


def _summary_played(row: dict[str, Any], _: str) -> tuple[object, object]:
    answer, left_out = AnswerReader(SummaryAnswer).read(row["said"])
    assert answer is not None
    chapter = _chapter_played(row["chapter"])
    ops = [_op(chapter, op) for op in answer.ops]
    sound = [op for op in ops if op is not None and sift([op])[0]]
    lost = [op.path for op in sound if op.op == "foreshadow" and not op.quote]
    return (row["ops"], [], []), (len(sound), list(left_out), lost)


def _surgery_played(row: dict[str, Any], language: str) -> tuple[object, object]:
    before, hers = row["before"], row["operation"] == "hers"
    kind = DirectiveType.WORDING if hers else DirectiveType(row["operation"])
    taken = _paragraphs(row["said"], before)
    text = "\n\n".join((row["around"], *before))
    pack = load_pack(language)
    faults = surgery_guard(before, taken, OPERATIONS[kind], (), pack, text, attended=True)
    return (row["said"].strip().split("\n\n"), []), (taken, list(faults))


def _division_played(row: dict[str, Any], _: str) -> tuple[object, object]:
    answer, _left_out = AnswerReader(ScenesAnswer).read(row["said"])
    scenes = answer.scenes if answer else ()
    known = KnownNames(row.get("people", {}), are_people=True)
    return row["wanted"], [
        [
            list(scene.units),
            [one for who in scene.characters for one in all_named(who, known.id_of) or (who,)],
        ]
        for scene in scenes
    ]


def _comparison_played(row: dict[str, Any], _: str) -> tuple[object, object]:
    texts = {n: _chapter_played(name) for n, name in enumerate(row["chapters"], start=1)}
    answer, left_out = AnswerReader(ContinuityAnswer).read(row["said"])
    assert answer is not None
    names: dict[str, list[str]] = {}
    for name, slug in row["names"].items():
        names.setdefault(slug, []).append(name)
    known = KnownNames(names, are_people=True)
    findings = verify_findings(answer.contradictions, texts, row["rules"], known.id_of)
    taken = [
        [
            f.code.removeprefix("model_"),
            f.severity,
            *(e if e in row["names"].values() else "new" for e in f.entities),
            *(e.quote for e in f.evidence),
            *(rule for rule in row["rules"] if rule in f.message),
        ]
        for f in findings
    ]
    facts = len(list(verify_facts(answer.facts, texts)))
    return (row["findings"], row["facts"], []), (taken, facts, list(left_out))


def _reading_played(row: dict[str, Any], _: str) -> tuple[object, object]:
    form = PreferringAnswer if row["better"] else ReaderAnswer
    answer, left_out = AnswerReader(form).read(row["said"])
    result = SurgeryResult.model_construct(before=row["one"], after=row["two"])
    differences = _verify(answer, result, False) if answer else ()
    better = answer.better if isinstance(answer, PreferringAnswer) else ""
    wanted = (row["differences"], row["better"], [])
    return wanted, ([[d.kind, d.one, d.two] for d in differences], better, list(left_out))


def _edits_played(row: dict[str, Any], language: str) -> tuple[object, object]:
    answer, left_out = AnswerReader(LineEditsAnswer).read(row["said"])
    guard = EditGuard(_chapter_played(row["chapter"]), (), load_pack(language))
    placed, refused = guard.take(answer.edits if answer else ())
    taken = [[f"{e.paragraph.scene}.{e.paragraph.number}", e.after] for e in placed]
    return (row["edits"], row.get("refused", []), []), (taken, list(refused), list(left_out))


_PLAYED: dict[str, Callable[[dict[str, Any], str], tuple[object, object]]] = {
    "judge": _judge_played,
    "summarizer": _summary_played,
    "surgeon": _surgery_played,
    "scenes": _division_played,
    "continuity": _comparison_played,
    "reader": _reading_played,
    "refiner": _edits_played,
}

ROLES: dict[str, Callable[[str], Iterator[Heard]]] = {
    "judge": judged,
    "surgeon": operated,
    "summarizer": summarized,
    "scenes": divided,
    "continuity": compared,
    "refiner": edited,
    "reader": read_twice,
}

WHOLE = {
    "judge": (
        JudgeAnswer,
        {
            "scores": SCORES,
            "violations": [],
            "directives": [
                {
                    "type": "cut",
                    "priority": 1,
                    "location": {"sceneNumber": 1, "paragraphStart": 4, "paragraphEnd": 4},
                    "issue": 'It\'s said twice: "no" and no.',
                    "currentText": "It could not read.",
                    "instruction": "Drop one, keep the goose.",
                    "maxScope": 1,
                },
                {
                    "type": "wording",
                    "priority": 2,
                    "location": {"sceneNumber": 2, "paragraphStart": 7, "paragraphEnd": 7},
                    "issue": "说得太明。",
                    "currentText": "She saw his lips go.",
                    "instruction": "더 짧게.",
                    "maxScope": 1,
                },
            ],
            "reader_experience": "One leans in at the tin: it's hers.",
        },
    ),
    "summarizer": (
        SummaryAnswer,
        {
            "summary": 'Nell says "no". It\'s late.',
            "ops": [{"op": "set", "path": "characters.nell.mood", "value": True, "quote": ""}],
            "crossref": [],
            "memory": "거스름돈, 表。",
        },
    ),
    "scenes": (
        ScenesAnswer,
        {
            "scenes": [
                {
                    "units": [1],
                    "purpose": 'The goose\'s toll: a halfpenny, "two feet".',
                    "pov": None,
                    "location": "sallow-bridge",
                    "characters": ["nell", "bram"],
                    "entry_emotion": "",
                    "exit_emotion": "",
                    "peak_moment": "",
                    "sensory_anchors": ["wet oak", "the hum"],
                    "dialogue_goals": [],
                    "transition_from": "",
                    "transition_to": "",
                    "exemplar_tags": [],
                    "emotional_tone": "",
                }
            ]
        },
    ),
    "continuity": (
        ContinuityAnswer,
        {
            "contradictions": [],
            "facts": [
                {"entity": "bram", "fact": "He's sold it.", "chapter": 1, "quote": "Sign this"},
                {"entity": "nell", "fact": "서명하지 않았다。", "chapter": 1, "quote": "“After”"},
            ],
        },
    ),
    "reader": (
        PreferringAnswer,
        {
            "differences": [
                {"kind": "event", "one": "", "two": '"Well?" he said.'},
                {"kind": "place", "one": "창가", "two": "门口"},
            ],
            "better": "2",
            "why": 'It\'s hers: "no" stands alone.',
        },
    ),
}
"""Of each role one whole answer and its type."""


def spoiled(value: dict[str, Any], how: str) -> str:
    """Returns an object as a careless writer of JSON gives it."""
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    match how:
        case "trailing commas":
            return re.sub(r"(?<=[\w\"\]}])(\n\s*[\]}])", r",\1", text)
        case "single quotes" | "names of Python":
            return repr(value)
        case "comments":
            return text.replace("{\n", "{ // as asked\n", 1).replace("[\n", "[ /* in order */\n", 1)
        case "line breaks in strings":
            return text.replace(": it", ":\nit").replace("late.", "\nlate.").replace("'s ", "'s\n")
        case "curly quotes of keys":
            return re.sub(r'"(\w+)":', r"“\1”:", text)
        case "keys without quotes":
            return re.sub(r'"(\w+)":', r"\1:", text)
        case "no comma between entries":
            return text.replace("},\n", "}\n")
    raise ValueError(how)


def formed() -> Iterator[Heard]:
    """Yields the whole answers in everything that models put around and into JSON."""
    forms = read("forms")
    for role, (kind, value) in WHOLE.items():
        wanted = kind.model_validate(value)
        plain = orjson.dumps(value).decode()
        texts = [(what, form.replace("%s", plain)) for what, form in forms["wrapped"]]
        texts += [(how, spoiled(value, how)) for how in forms["spoiled"]]
        for what, text in texts:
            answer, _ = AnswerReader(kind).read(text)
            same = answer is not None and _plain(answer) == _plain(wanted)
            yield Heard(f"{role}, form", "", what, False, True, same)


def _plain(answer: Any) -> Any:
    """Returns an answer with every white space alike."""
    return re.sub(r"(?:\s|\\n)+", " ", answer.model_dump_json())


def everything() -> Iterator[Heard]:
    for role in ROLES.values():
        for language in LANGUAGES:
            yield from role(language)
    yield from formed()


def main() -> None:
    heard = list(everything())
    print("role                taken of those clear   open of those open   shown nowhere")
    for role in dict.fromkeys(h.role for h in heard):
        own = [h for h in heard if h.role == role]
        clear, unclear = [h for h in own if not h.is_open], [h for h in own if h.is_open]
        right = sum(h.is_right for h in clear)
        left = sum(h.wanted == h.taken for h in unclear)
        unseen = sum(not h.is_listed for h in unclear)
        print(f"{role:20}{right:8} of {len(clear):3}{left:16} of {len(unclear):3}{unseen:14}")
    for h in heard:
        if not h.is_right:
            print(f"  {h.role} {h.language}: {h.what}: {h.taken!r} for {h.wanted!r}"[:200])


if __name__ == "__main__":
    main()
