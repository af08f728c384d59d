"""What stands in the blocks of a request, in the form in which it can be read and used: rules of
her own, refusals, ids, heads of plans (WRITING 1.4, 1.12)."""

from __future__ import annotations

from typing import Any

import pytest

from studio.pipeline.beginning.book_questions import plan_before
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.pipeline.prompting.story_lines import rules_of
from studio.story.novel import CharacterContract
from studio.text.craft import craft_of
from studio.text.language.packs import for_form, load_pack
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    SETTINGS,
    Desk,
    Model,
    asked_for,
    block,
    directive,
    judged,
    summarized,
    unrefined,
)
from tests.pipeline.korean_book import rebuild
from tests.project.novels import put

REFUSALS = {
    "en": ("takes no tips", "never signs what does not balance", "lies to her brother"),
    "ko": ("팁을 받지 않는다", "맞지 않는 장부에 서명 안 한다", "동생에게 거짓말을 한다"),
    "zh": ("不收茶房的小账", "在没对平的账上不画押", "骗弟弟"),
}


# req: J1
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_a_refusal_stands_under_no_second_no(language: str) -> None:
    pack, never = load_pack(language), REFUSALS[language]
    rules = rules_of(CharacterContract(id="mara", name="Mara", never=never), pack)
    holds, ruled_out = pack.labelled("holds to", ""), pack.labelled("never", "")
    before, _, rest = rules.partition(ruled_out.strip())
    assert holds.strip() in before
    assert all(words in before for words in never[:2])
    assert rest.strip(" 。.") == never[2]


# req: J1
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_what_a_profile_rules_out_stands_under_no_second_no(desk: OpenDesk, language: str) -> None:
    """Met: “not to do: names no feeling”."""
    pack, never = load_pack(language), REFUSALS[language]
    desk_ = desk(Model(), settings=SETTINGS.replace('"en"', f'"{language}"'))
    put(desk_.folder, "style-profile.json", {"schema_version": 1, "avoid": never, "sample": "S."})
    style = PromptBlocks(
        desk_.session().store, plan_before(desk_.session().store, 1, 1), pack
    ).texts(("style",))["style"]
    rows = style.splitlines()
    assert [row for row in rows if never[2] in row] == [pack.labelled("avoid", never[2])]
    (held,) = (row for row in rows if never[0] in row)
    assert held.startswith(pack.labelled("holds to", "").strip())
    assert never[1] in held
    assert rows[-1] == pack.labelled("sample", "S.")


# req: J1
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_a_book_without_a_system_is_told_nothing_of_its_windows(language: str) -> None:
    pack = for_form(load_pack(language), is_serial=True)
    (window,) = (rule for rule in pack.serial_craft if rule.about)
    with_a_system = {"en": "A LitRPG.", "ko": "헌터가 상태창을 본다.", "zh": "系统流。"}[language]
    assert window.text not in craft_of(pack, [], about="A boat on the river, 1934.")
    assert window.text in craft_of(pack, [], about=with_a_system)
    assert window.text in craft_of(pack, []), "of a book of which nothing is known"


def without_fields(desk: OpenDesk, **model: Any) -> Desk:
    """A novel whose plan is a paragraph of its outline, and has no field."""
    desk_ = desk(Model(**model), settings=SETTINGS, contract=None)
    put(desk_.folder, "characters/active/mara.md", "# Mara\n\nShe keeps the lamp.\n")
    put(desk_.folder, "brief.md", "Mara keeps a lamp.\n")
    sheet = {"schema_version": 1, "id": "mara", "name": "Mara", "wants": "the key"}
    put(desk_.folder, "characters/active/mara.json", sheet)
    outline = "## Chapter 1: The Lamp Room\n\nShe finds the key. Joss comes up the stairs.\n"
    put(desk_.folder, "volumes/vol-01/outline.md", outline)
    return desk_


# req: J1
@pytest.mark.sweep
def test_the_summarizer_is_told_who_tells_a_chapter_and_who_is_in_it(desk: OpenDesk) -> None:
    desk_ = without_fields(desk)
    desk_.write()
    summary = asked_for(desk_, "summary")[0]
    assert block(summary, "contract") == "Point of view: Mara\nWho is in it: Joss"
    assert "`contract`" in summary.prompt
    (desk_.folder / "characters/active/mara.json").unlink()
    (desk_.folder / "characters/active/joss.json").unlink()
    desk_.server.asked.clear()
    put(desk_.folder, "volumes/vol-01/outline.md", "## Chapter 2: Oil\n\nNobody comes.\n")
    desk_.write(chapter=2)
    for asked in asked_for(desk_, "summary"):
        if not block(asked, "contract"):
            assert "`contract`" not in asked.prompt, "what is not there is not announced"


# req: D1 D2
@pytest.mark.sweep
def test_a_summary_made_again_keeps_the_names_of_the_ids_it_was_given(desk: OpenDesk) -> None:
    """Met: an id that `entity-ids` lists is none to be named, so the second summary named none, and
    a Chinese book told of `lao pang` from then on."""
    asked_for_names: list[bool] = []

    def naming_once(asked: Asked) -> Rule:
        value = dict(summarized(asked).value or {})
        new = {"op": "set", "path": "locations.jiu-hao.state", "value": "还热着"}
        plant = {"op": "foreshadow", "path": "who-slept", "value": "plant", "quote": "the key"}
        names = [{"id": "jiu-hao", "name": "九号铺"}, {"id": "who-slept", "name": "谁在那里睡过"}]
        is_given = "jiu-hao" in block(asked, "entity-ids")
        asked_for_names.append(not is_given)
        value = {**value, "ops": [*value["ops"], new, plant], "names": [] if is_given else names}
        return Rule(value=value)

    desk_ = desk(Model(summary=naming_once))
    desk_.write(review="ask")
    staged = desk_.staged()
    for more in ("The berth was warm.", "Nobody spoke."):
        staged.write_text(staged.read_text("utf-8") + f"\n\n{more}\n", "utf-8")
        desk_.resume(review="ask")
    desk_.resume(review="accept")
    assert asked_for_names[:1] == [True]
    assert not all(asked_for_names)
    file = desk_.folder / "chapters/chapter-001.md"
    for words in ("was warm", "was still warm"):
        store = desk_.session().store
        assert store.state().tree["locations"]["jiu-hao"]["name"] == "九号铺", words
        (event,) = (e for e in store.foreshadowing().promises if e.id == "who-slept")
        assert event.description == "谁在那里睡过", words
        file.write_text(file.read_text("utf-8").replace("was warm", "was still warm"), "utf-8")
        assert rebuild(desk_).exit_code == 0


# req: J1 D1
@pytest.mark.sweep
def test_a_summary_made_again_is_given_the_ids_of_the_first(desk: OpenDesk) -> None:
    def with_new_ids(asked: Asked) -> Rule:
        value = dict(summarized(asked).value or {})
        new = {"op": "set", "path": "locations.ninth-berth.state", "value": "warm"}
        plant = {"op": "foreshadow", "path": "who-slept", "value": "plant", "quote": "the key"}
        names = [
            {"id": "ninth-berth", "name": "the ninth berth"},
            {"id": "who-slept", "name": "who slept there"},
        ]
        return Rule(value={**value, "ops": [*value["ops"], new, plant], "names": names})

    desk_ = desk(Model(summary=with_new_ids))
    desk_.write(review="ask")
    staged = desk_.staged()
    staged.write_text(staged.read_text("utf-8") + "\n\nThe berth was warm.\n", "utf-8")
    desk_.resume(review="accept")
    first, *_others, last = asked_for(desk_, "summary")
    assert "ninth-berth" not in block(first, "entity-ids")
    assert "locations.ninth-berth: the ninth berth" in block(last, "entity-ids")
    assert "promise who-slept (who slept there)" in block(last, "entity-ids")
    file = desk_.folder / "chapters/chapter-001.md"
    file.write_text(file.read_text("utf-8").replace("was warm", "was still warm"), "utf-8")
    assert rebuild(desk_).exit_code == 0
    *_others, of_book = asked_for(desk_, "summary")
    assert "still warm" in block(of_book, "chapter")
    assert block(of_book, "entity-ids") == block(last, "entity-ids")


# req: J1 K5
@pytest.mark.sweep
def test_a_chapter_read_again_is_named_in_a_memory_in_the_language_of_the_book(
    desk: OpenDesk,
) -> None:
    words = (
        "마라는 등실에서 기름통을 세었다. 열쇠는 벽장 뒤에 있었고, 아무도 그것을 찾지 않았다.\n\n"
    )
    drafts = Rule(
        text=f"{words}조스가 장화를 벗어 들고 계단을 올라왔다. 비는 새벽까지 그치지 않았다."
    )
    settings = SETTINGS.replace('"en"', '"ko"')
    desk_ = desk(Model(draft=drafts, refine=unrefined), settings=settings, contract=None)
    outline = (f"## {number}장: 등실\n\n마라가 열쇠를 찾는다.\n" for number in (1, 2, 3))
    put(desk_.folder, "volumes/vol-01/outline.md", "\n".join(outline))
    desk_.write(chapter=1)
    desk_.write(chapter=2)
    file = desk_.folder / "chapters/chapter-001.md"
    file.write_text(f"{file.read_text('utf-8').rstrip()} 그랬다.\n", "utf-8")
    assert rebuild(desk_).exit_code == 0
    desk_.server.asked.clear()
    desk_.write(chapter=3)
    draft = asked_for(desk_, "draft")[0]
    assert "\n- 제1장, 지금의 글: " in block(draft, "storyline")
    assert "Chapter" not in draft.prompt


# req: J1
def test_the_one_storyline_of_a_book_has_no_id_to_be_told_and_a_title_no_brief(
    desk: OpenDesk,
) -> None:
    desk_ = desk(Model())
    put(desk_.folder, "brief.md", "# The Lamp Room\n")
    desk_.write()
    for asked in desk_.server.asked:
        assert "storyline main" not in block(asked, "entity-ids")
        assert "# The Lamp Room" not in block(asked, "brief")
        assert "growth in length" not in block(asked, "measures")
        for line in asked.prompt.splitlines():
            assert line == line.rstrip() or not line.strip(), f"a hanging space: {line!r}"
        assert "What must not be: What" not in asked.prompt


# req: J1 F3
@pytest.mark.sweep
def test_a_proofread_paragraph_is_told_nothing_of_how_the_book_sounds(desk: OpenDesk) -> None:

    typo = directive(1, 1, type="proofreading", instruction="Join the two halves of the word.")
    desk_ = desk(Model(judge=judged(directives=[typo])))
    put(desk_.folder, "style-profile.json", {"schema_version": 1, "voice": "Dry."})
    desk_.write()
    (surgery,) = asked_for(desk_, "surgery")[:1]
    assert not any(block(surgery, name) for name in ("style", "craft", "blacklist"))
    assert not any(f"`{name}`" in surgery.prompt for name in ("style", "craft"))


# req: J1 K2
@pytest.mark.parametrize(
    ("law", "reason", "hers"),
    [
        ("No ghosts.", "Readers must be able to find every trick.", "Ash goes into the river."),
        ("귀신은 없다.", "독자가 모든 속임수를 되짚을 수 있어야 한다.", "재는 강에 버린다."),
        ("没有鬼神。", "读者要能回头把每一处手脚找出来。", "废票的灰倒进江里，不许留。"),
    ],
)
def test_what_she_puts_to_the_reason_of_a_rule_is_law(law: str, reason: str, hers: str) -> None:
    from studio.pipeline.beginning.pieces import with_her_law

    joint = "" if law.endswith("。") else " "
    proposed = f"{law}\n{reason}"
    assert with_her_law(proposed, proposed) == proposed
    assert with_her_law(proposed, f"{proposed}{joint}{hers}") == f"{law}{joint}{hers}\n{reason}"
    better = reason.replace("every", "each and every").replace("모든", "온갖").replace("一处", "处")
    assert with_her_law(proposed, f"{law}\n{better}") == f"{law}\n{better}", "only put better"


# req: K2
@pytest.mark.sampled
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_a_first_draft_far_below_its_length_is_said_with_one_offer(
    desk: OpenDesk, language: str
) -> None:
    settings = SETTINGS.replace('"en"', f'"{language}"')
    prose = {
        "en": "The door opened and nobody was there. {n} lamps burned on the stairs.",
        "ko": "문이 열렸다. 아무도 없었다. 계단에는 등잔이 {n}개 타고 있었다.",
        "zh": "门开了，没有人。楼梯上点着{n}盏灯，雨还在下。",
    }[language]
    short = Rule(text="\n\n".join(prose.format(n=n) for n in range(2, 14)))
    desk_ = desk(Model(draft=short), settings=settings.replace("= 240", "= 24000"))
    length = desk_.write(review="ask").decision.data["length"]
    assert length["length"] < 0.8 * length["target"]
    (sentence,) = length["sentences"]
    assert "draft-again" in str(sentence), "the offer"
