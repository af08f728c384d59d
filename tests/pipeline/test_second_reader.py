"""Nothing stays in the text unattended that a second reader or a measure does not speak for."""

from __future__ import annotations

from typing import Any

import pytest

from studio.story.chapter import Chapter
from studio.story.review.directive import Directive, DirectiveSheet
from studio.tui.views.review.directive_text import detail
from tests.cli.command import studio
from tests.fake_messages import Asked, Rule
from tests.pipeline.attacks import (
    ATTACKS,
    GOOD,
    JOYLESS,
    PASSAGES,
    SUBTLE,
    chapter,
    make_draft,
    proposal,
)
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, Answer, Desk, Model, Ran, block, judged, preferring
from tests.pipeline.flows import directive as drawn_up
from tests.project.novels import put

LANGUAGES = ("ko", "en", "zh")
AUTO = ["show-not-tell", "transition-smoothing"]
NONE_SEEN = Rule(value={"differences": []})


def written(
    desk: OpenDesk, language: str, surgery: str, reader: Answer, *, auto: bool = False, **other: Any
) -> tuple[Desk, Ran, Directive]:
    """The author's chapter reviewed: what came of the one proposal for it."""
    mode = other.pop("review", "ask" if auto else "accept")
    model = Model(surgery=Rule(text=surgery), reader=reader, judge=proposal(language, **other))
    opened = desk(model)
    draft = make_draft(opened.folder, language)
    if auto:
        opened.overrides["review.auto_accept"] = AUTO
    ran = opened.write(chapter=1, draft=draft, review=mode)
    sheet = opened.session().directives()
    assert isinstance(sheet, DirectiveSheet)
    (directive,) = sheet.directives
    return opened, ran, directive


# req: A13
@pytest.mark.sampled
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("auto", [False, True])
@pytest.mark.parametrize("attack", ["note", "death", "guest", "rename", "unrelated", "denial"])
def test_no_attack_stays_in_the_text_unattended(
    desk: OpenDesk, language: str, attack: str, auto: bool
) -> None:
    bad = ATTACKS[language][attack]
    opened, _, directive = written(desk, language, bad.text, bad.read, auto=auto)
    assert directive.status.value in ("undone", "failed")
    assert directive.failures
    text = opened.staged().read_text("utf-8") if auto else opened.text()
    assert text == chapter(language)
    if attack in ("guest", "denial"):
        assert directive.status.value == "undone"
        assert directive.result is not None
        assert directive.result.added or directive.result.lost
    else:
        assert "reader" not in opened.calls()


# req: A13
@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("attack", ["note", "rename", "unrelated", "denial"])
def test_a_reader_who_sees_nothing_lets_no_attack_pass_that_code_can_see(
    desk: OpenDesk, language: str, attack: str
) -> None:
    opened, _, directive = written(desk, language, ATTACKS[language][attack].text, NONE_SEEN)
    assert directive.status.value in ("undone", "failed")
    assert opened.text() == chapter(language)


# req: A13
@pytest.mark.sampled
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_good_rewrite_stays_with_the_readers_consent(desk: OpenDesk, language: str) -> None:
    opened, _, directive = written(desk, language, GOOD[language], NONE_SEEN)
    assert directive.status.value == "kept"
    assert opened.text() == chapter(language, GOOD[language])
    result = directive.result
    assert result is not None
    assert result.reader is not None
    assert result.reader.consent
    assert result.kept_share is not None
    assert 0.5 < result.kept_share < 1
    assert result.lost
    assert result.added
    record = opened.store.layout.folder / f"logs/generations/{result.reader.generation_id}.json"
    assert '"agent": "second-reader"' in record.read_text("utf-8")
    (asked,) = [
        a for a, kind in zip(opened.server.asked, opened.calls(), strict=True) if kind == "reader"
    ]
    assert {block(asked, "passage-1"), block(asked, "passage-2")} == {
        PASSAGES[language],
        GOOD[language],
    }
    assert "haiku" in asked.body["model"]
    assert "instruct" in asked.prompt


def weighing(language: str, new: str, liked: str, why: str = "") -> Answer:
    """A reader who sees no difference and likes the `old` text, the `new` one or the `same`."""

    def read(asked: Asked) -> Rule:
        turned = block(asked, "passage-1").strip() == new
        numbers = {"new": "1", "old": "2"} if turned else {"new": "2", "old": "1"}
        return preferring(numbers.get(liked, "same"), why=why)

    return read


WHY = {
    "en": "It files the fear away under “a certain amount”.",
    "ko": "‘감정을 느끼고 있었다’가 두려움을 설명으로 만든다.",
    "zh": "“一定程度的”把怕写成了报告。",
}


# req: J6
@pytest.mark.sampled
@pytest.mark.repairs("W13")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("auto", [False, True])
def test_a_joyless_rewrite_is_undone_unattended_and_says_why(
    desk: OpenDesk, language: str, auto: bool
) -> None:
    reader = weighing(language, JOYLESS[language], "old", WHY[language])
    opened, ran, directive = written(desk, language, JOYLESS[language], reader, auto=auto)
    assert directive.status.value == "undone"
    assert directive.is_withdrawn, "by the studio, and not by her"
    text = opened.staged().read_text("utf-8") if auto else opened.text()
    assert text == chapter(language)
    (failure,) = directive.failures
    assert "the reader found the old text better" in failure
    assert WHY[language].split("”")[0].strip("‘“")[:8] in failure
    assert "was not kept" in ran.warnings
    assert directive.result is not None
    reading = directive.result.reader
    assert reading is not None
    assert (reading.consent, reading.better, reading.why) == (False, "old", WHY[language])


# req: J6
@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_feeling_turned_round_in_good_sentences_is_undone_unattended(
    desk: OpenDesk, language: str
) -> None:
    subtle = SUBTLE[language]
    opened, _, directive = written(desk, language, subtle.text, subtle.read)
    assert "reader" in opened.calls()
    assert directive.status.value == "undone"
    assert opened.text() == chapter(language)
    assert directive.result is not None
    assert directive.result.reader is not None
    assert [d.kind for d in directive.result.reader.differences] == ["stance"]
    assert directive.result.reader.better == "new"


FILTERED = (
    "Ysolde felt the wind on her neck and saw the lamp go down, and she heard that the ferryman"
    " did not call out before the tide turned."
)
UNFILTERED = (
    "The wind lay on Ysolde's neck and the lamp went down, and the ferryman"
    " did not call out before the tide turned."
)


# req: J6
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("kind", "before", "after", "status"),
    [
        ("show-not-tell", PASSAGES["en"], GOOD["en"], "undone"),
        ("filter-word-removal", FILTERED, UNFILTERED, "kept"),
    ],
)
def test_a_tie_stays_only_where_the_fixs_own_measure_improved(
    desk: OpenDesk, kind: str, before: str, after: str, status: str
) -> None:
    answer = proposal("en", kind=kind, currentText=before)
    model = Model(surgery=Rule(text=after), reader=weighing("en", after, "same"), judge=answer)
    opened = desk(model)
    draft = make_draft(opened.folder, "en")
    draft.write_text(chapter("en", before), "utf-8")
    opened.write(chapter=1, draft=draft, review="accept")
    sheet = opened.session().directives()
    assert isinstance(sheet, DirectiveSheet)
    (directive,) = (d for d in sheet.directives if d.type.value == kind)
    assert directive.status.value == status, directive.failures
    if status == "undone":
        assert directive.failures == (
            "not knowing which is new, the reader found neither text better",
        )


# req: J6
@pytest.mark.sweep
@pytest.mark.parametrize("kind", ["cut", "proofreading", "fact-correction"])
def test_what_is_no_matter_of_taste_is_never_weighed(desk: OpenDesk, kind: str) -> None:
    shorter = PASSAGES["en"].replace(" did not call out, and", "")
    texts = {"cut": shorter, "proofreading": PASSAGES["en"].replace("call out", "call, out")}
    text = texts.get(kind, PASSAGES["en"].replace("the ferryman", "the Ferryman"))
    judge = [proposal("en", kind=kind, instruction="The ferryman."), judged()]
    opened = desk(Model(surgery=Rule(text=text), reader=weighing("en", text, "old"), judge=judge))
    put(opened.folder, "style-profile.json", {"schema_version": 1, "voice": "dry as rope"})
    opened.write(chapter=1, draft=make_draft(opened.folder, "en"), review="accept")
    asked = [a for a, k in zip(opened.server.asked, opened.calls(), strict=True) if k == "reader"]
    for one in asked:
        assert one.schema is not None
        assert set(one.schema["properties"]) == {"differences"}
        assert block(one, "around"), "it is read with its neighbours all the same"
        assert "dry as rope" not in one.prompt, "how the book is written is no difference"
        assert "better page" not in one.prompt
        assert "smoother" not in one.prompt
    assert asked


# req: J6
@pytest.mark.sweep
def test_who_weighs_sees_what_stands_around_and_how_the_book_is_written(desk: OpenDesk) -> None:
    opened = desk(Model(judge=[proposals(1), judged()], reader=NONE_SEEN))
    put(opened.folder, "style-profile.json", {"schema_version": 1, "voice": "dry as rope"})
    opened.write(review="accept")
    asked = opened.server.asked[opened.calls().index("reader")]
    assert asked.schema is not None
    assert set(asked.schema["properties"]) == {"differences", "better", "why"}
    assert "dry as rope" in block(asked, "style")
    assert {"differences", "better"} <= set(asked.schema["required"])
    around = block(asked, "around")
    for passage in ("passage-1", "passage-2"):
        assert block(asked, passage) not in around
    changed, *others = (p.prose for p in Chapter(opened.text()).paragraphs)
    assert changed in (block(asked, "passage-1"), block(asked, "passage-2"))
    here, *behind = around.split("\n\n")
    assert here == "[here stands passage 1, or passage 2]"
    assert behind == others[:2]
    assert "which version is the better page" in asked.prompt


@pytest.mark.sweep
@pytest.mark.parametrize("better", [None, "it depends", "1 or 2", 3])
def test_no_usable_preference_is_no_consent(desk: OpenDesk, better: object) -> None:
    unsure = Rule(value={"differences": [], "better": better, "why": ""})
    opened, _, directive = written(desk, "en", GOOD["en"], unsure)
    assert directive.status.value == "undone"
    assert directive.failures == ("the second reader gave no usable answer",)
    assert opened.calls().count("reader") == 2


@pytest.mark.sweep
def test_a_preference_is_shown_to_the_writer_without_the_order_the_reader_had(
    desk: OpenDesk,
) -> None:
    reader = weighing("en", JOYLESS["en"], "old", "It files the fear away.")
    opened, _, directive = written(desk, "en", JOYLESS["en"], reader)
    ended = studio("directives", "show", directive.id, "--project", opened.folder)
    said = "the reader found the old text better: “It files the fear away”"
    assert said in " ".join(ended.out.split())
    words = "\n".join("".join(piece.text for piece in line) for line in detail(directive))
    assert said in words


# req: A14
@pytest.mark.sweep
@pytest.mark.parametrize("review", ["ask", "reject"])
def test_in_ask_mode_it_costs_no_call(desk: OpenDesk, review: str) -> None:
    opened, _, directive = written(desk, "en", GOOD["en"], NONE_SEEN, review=review)
    if review == "ask":
        opened.session().change_directives("accept", [directive.id])
        opened.resume(review="ask")
        assert opened.calls().count("surgery") == 1
    assert "reader" not in opened.calls()


@pytest.mark.sweep
def test_what_the_writer_accepted_by_name_is_read_by_nobody_else(desk: OpenDesk) -> None:
    opened, _, directive = written(desk, "en", GOOD["en"], NONE_SEEN, review="ask")
    opened.session().change_directives("accept", [directive.id])
    opened.resume(review="accept")
    assert opened.text() == chapter("en", GOOD["en"])
    assert "reader" not in opened.calls()


@pytest.mark.sweep
def test_the_words_of_a_difference_have_to_be_there(desk: OpenDesk) -> None:
    seen = [
        {"kind": "event", "one": "the bell fell off the tower", "two": ""},
        {"kind": "event", "one": "", "two": ""},
        {"kind": "denial", "one": "did not call out", "two": "did not call out"},
    ]
    _, _, directive = written(desk, "en", GOOD["en"], Rule(value={"differences": seen}))
    assert directive.status.value == "kept"
    assert directive.result is not None
    assert directive.result.reader is not None
    assert directive.result.reader.differences == ()


@pytest.mark.sweep
@pytest.mark.parametrize(
    "answer",
    [
        Rule(text="They are the same, I think."),
        Rule(value={"differences": [{"kind": ["mood"], "one": "Ysolde", "two": ""}]}),
        Rule(text='{"scores": {}}'),
    ],
)
def test_no_usable_answer_is_no_consent(desk: OpenDesk, answer: Rule) -> None:
    opened, ran, directive = written(desk, "en", GOOD["en"], answer)
    assert directive.status.value == "undone"
    assert directive.failures == ("the second reader gave no usable answer",)
    assert opened.text() == chapter("en")
    assert "was not kept" in ran.warnings
    assert opened.calls().count("reader") == 2


def put_in_time(kind: str) -> Answer:
    def read(asked: Asked) -> Rule:
        turned = "Next morning" in block(asked, "passage-1")
        words = ("Next morning", "") if turned else ("", "Next morning")
        seen = [{"kind": kind, "one": words[0], "two": words[1]}]
        return Rule(value={"differences": seen})

    return read


@pytest.mark.sweep
@pytest.mark.parametrize(("kind", "status"), [("time", "kept"), ("event", "undone")])
def test_the_type_decides_what_may_differ(desk: OpenDesk, kind: str, status: str) -> None:
    text = "Next morning " + PASSAGES["en"]
    _, _, directive = written(
        desk, "en", text, put_in_time(kind), kind="transition-smoothing", instruction="Say when."
    )
    assert directive.status.value == status
    assert directive.result is not None
    assert directive.result.reader is not None
    assert [d.two for d in directive.result.reader.differences] == ["Next morning"]


# req: A13
@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["show-not-tell", "dialogue-subtext"])
def test_who_compares_is_told_the_kind_of_the_change_and_not_which_is_older(
    desk: OpenDesk, kind: str
) -> None:
    """The hand at the bar that was ordered came back as an event of one version alone."""
    wish = "Let it be seen in her fingers on the rail."
    opened, _, _ = written(desk, "en", GOOD["en"], NONE_SEEN, kind=kind, instruction=wish)
    asked = opened.server.asked[opened.calls().index("reader")]
    own = {
        "show-not-tell": "may be named in one version and to be seen in the other",
        "dialogue-subtext": "may be said outright in one version",
    }
    assert [name for name, words in own.items() if words in asked.prompt] == [kind]
    assert wish not in asked.prompt
    assert kind not in asked.prompt


@pytest.mark.sweep
def test_an_order_is_drawn_that_no_reader_can_know(desk: OpenDesk) -> None:
    orders = set()
    for number in range(12):
        novel = f"novel-{number}"
        model = Model(surgery=Rule(text=GOOD["en"]), reader=NONE_SEEN, judge=proposal("en"))
        opened = desk(model, novel=novel)
        draft = make_draft(opened.folder, "en")
        draft.write_text(chapter("en") + f"\nThe tide was out for hour {number}.\n", "utf-8")
        opened.write(chapter=1, draft=draft)
        kinds = opened.calls()
        asked = opened.server.asked[kinds.index("reader")]
        orders.add(block(asked, "passage-1") == PASSAGES["en"])
        if len(orders) == 2:
            return
    raise AssertionError("twelve times the same order")


@pytest.mark.sweep
def test_what_was_lost_added_and_read_is_shown_to_the_writer(desk: OpenDesk) -> None:
    guest = ATTACKS["en"]["guest"]
    opened, _, directive = written(desk, "en", guest.text, guest.read)
    ended = studio("directives", "show", directive.id, "--project", opened.folder)
    assert "lost: was afraid" in ended.out
    assert "beside the ferryman's daughter" in ended.out
    assert "does not let it stand" in ended.out
    assert "who it is: “beside the ferryman's daughter” is new" in " ".join(ended.out.split())
    (entry,) = studio(
        "directives", "show", directive.id, "--json", "--project", opened.folder
    ).json["directives"]
    assert entry["result"]["reader"]["consent"] is False
    assert entry["result"]["reader"]["generationId"].startswith("gen-")
    assert {"lost", "added", "kept_share"} <= set(entry["result"])
    words = "\n".join("".join(said.text for said in line) for line in detail(directive))
    assert "What it says otherwise" in words
    assert "lost: was afraid" in words
    assert "Why it was not kept" in words


def proposals(count: int) -> Rule:
    """As many proposals of the judge, each for a paragraph of its own."""
    places = [(scene, at) for scene in SCENES for at in range(1, len(SCENES[scene]) + 1)]
    return judged(directives=[drawn_up(scene, at) for scene, at in places[:count]])


# req: J6
@pytest.mark.sweep
@pytest.mark.parametrize("count", [1, 3, 5])
def test_a_second_reader_costs_one_call_a_fix_and_at_most_six_tenths_of_a_run(
    desk: OpenDesk, count: int
) -> None:
    opened = desk(Model(judge=[proposals(count), judged()], reader=NONE_SEEN))
    opened.write(review="accept")
    calls = opened.calls()
    assert 0 < calls.count("reader") <= calls.count("surgery")
    assert len(calls) <= 1.6 * (len(calls) - calls.count("reader"))


# req: J6
@pytest.mark.sweep
def test_in_ask_mode_as_many_calls_are_made_as_without_a_second_reader(desk: OpenDesk) -> None:
    opened = desk(Model(judge=[proposals(5), judged()], reader=NONE_SEEN))
    opened.write(review="ask")
    assert "reader" not in opened.calls()
