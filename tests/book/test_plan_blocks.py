"""What a chapter's calls are told of the volume's plan, of other lines, and of chapters past."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.agent_pages import load_agent
from studio.book import plans
from studio.book.plans import planted_later
from studio.errors import StudioError
from studio.i18n import Language
from studio.pipeline.events import DRAFTER
from studio.pipeline.prompting.agent_question import SUMMARIZER, SURGEON, Occasion
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.project.commit.plan import plan_commit
from studio.project.commit.transaction import commit
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore, contract_from
from studio.story.contract import ChapterContract, NamedInScene, SceneSpec
from studio.story.form.document import to_bytes
from studio.story.records import Crossref, Mention
from studio.story.state import StateOp
from studio.text.language.packs import load_pack
from tests.project.novels import make_novel, put, stage

OUTLINE = """# 二卷

灯塔的冬天。

## 第1章 雾

玛拉听见钟声。

## 第2章 潮

乔斯出海。

## 第3章 灯

灯灭了。
"""
LINES = {
    "storylines": [
        {"id": "main", "title": "The Light"},
        {"id": "sea", "title": "The Boats", "summary": "Joss and the nets."},
        {"id": "war", "title": "The War", "status": "dormant", "summary": "Far off."},
    ]
}
SCHEDULE = {
    "chapters": [
        {"chapter": 2, "storyline_id": "sea"},
        {"chapter": 3, "storyline_id": "main", "concurrent": ["sea"], "note": "they meet"},
        {"chapter": 4, "storyline_id": "sea"},
    ]
}


def plan(**fields: object) -> ChapterContract:
    base = {"chapter": 3, "volume": 1, "title": "Night", "storyline_id": "main"}
    return ChapterContract.model_validate({**base, "objectives": ["She climbs"], **fields})


def blocks(store: ProjectStore, contract: ChapterContract, *names: str) -> dict[str, str]:
    return PromptBlocks(store, contract, load_pack("en")).texts(names)


def committed(store: ProjectStore, chapter: int, line: str = "main", *ops: StateOp) -> None:
    """A chapter in the book, with its summary."""
    stage(store, chapter, f"# Night {chapter}\n\nMara climbs {chapter} stairs.\n", ops)
    if line != "main":
        delta = store.staging_of(chapter).delta()
        assert delta is not None
        store.staging_of(chapter).put_delta(delta.model_copy(update={"storyline_id": line}))
    with ProjectLock(store.layout.folder) as lock:
        commit(store.layout, plan_commit(store, chapter, store.checkpoint()), lock)


def test_the_drafter_sees_the_whole_outline_of_the_volume(tmp_path: Path) -> None:
    # req: F5 D6
    store = make_novel(tmp_path)
    put(tmp_path, "volumes/vol-01/outline.md", OUTLINE)
    context = blocks(store, plan(chapter=2), "volume-outline", "outline")
    assert "灯塔的冬天" in context["volume-outline"]
    assert "玛拉听见钟声" in context["volume-outline"]
    assert "灯灭了" in context["volume-outline"]
    assert "乔斯出海" in context["outline"]
    assert "乔斯出海" not in context["volume-outline"], "its own section is not told twice"
    for agent in ("scene-drafter", "prewriter", "plot-architect"):
        assert {"volume-outline", "schedule"} <= set(load_agent(agent, tmp_path).blocks)
    assert "volume-outline" not in load_agent("quality-oracle", tmp_path).blocks


def test_a_long_volume_is_a_bounded_number_of_lines(tmp_path: Path) -> None:  # req: A3 F5
    store = make_novel(tmp_path)
    words = "\n\n".join(f"## Chapter {n}\n\nRain {n}." for n in range(1, 301))
    put(tmp_path, "volumes/vol-01/outline.md", words)
    lines = PromptBlocks(store, plan(chapter=150), load_pack("en")).lines(("volume-outline",))
    rows = lines["volume-outline"]
    assert len(rows) < 90
    assert "Rain 1." in rows[0].text
    assert "Rain 300." in rows[-1].text
    by_worth = sorted(rows, key=lambda line: line.worth)
    assert {line.id for line in by_worth[:2]} == {"chapters-before", "chapters-after"}
    assert by_worth[-1].id in ("chapter-149", "chapter-151")


def test_schedule_concurrent_states_memories_rules_and_resting_lines(tmp_path: Path) -> None:
    # req: D11
    store = make_novel(tmp_path)
    put(tmp_path, "storylines/storylines.json", LINES)
    put(tmp_path, "storylines/storyline-spec.json", {
        "rules": [{"id": "apart", "rule": "The boats never see the lamp room."}],
    })  # fmt: skip
    put(tmp_path, "volumes/vol-01/storyline-schedule.json", SCHEDULE)
    put(tmp_path, "foreshadowing/global.json", {
        "promises": [{"id": "bell", "description": "The drowned bell"}],
    })  # fmt: skip
    committed(store, 1)
    committed(store, 2, "sea")
    tasks = [{"id": "bell", "action": "plant"}]
    context = blocks(
        store, plan(foreshadowing=tasks), "schedule", "neighbours", "storyline", "foreshadowing"
    )
    rows = context["schedule"].splitlines()
    assert rows[1] == "Chapter 3: The Light, beside it The Boats (they meet)"
    assert rows[-1] == "Rests: The War: Far off."
    assert "The Boats:" in context["neighbours"]
    assert "As it stands" not in context["neighbours"], "the summary of chapter 2 tells it"
    material, summarizer = (
        PromptBlocks(store, plan(), load_pack("en")),
        Occasion(agent="summarizer"),
    )
    stands = material.texts(("neighbours",), summarizer)["neighbours"]
    assert "As it stands, after chapter 2: What happens in chapter 2." in stands
    assert "The boats never see" in context["storyline"]
    assert "Main line up to chapter 2" not in context["neighbours"]
    assert "What this line remembers" in context["storyline"]
    assert "- plant bell: The drowned bell" in context["foreshadowing"]


def test_who_writes_a_chapter_is_told_what_falls_due_in_it_and_no_secret(tmp_path: Path) -> None:
    """A promise due in the chapter stayed out where none of its people was in the scene, and the
    judge never heard of it."""
    # req: G5
    store = make_novel(tmp_path)
    put(tmp_path, "foreshadowing/global.json", {
        "promises": [
            {"id": "bell", "description": "The drowned bell", "due": 3},
            {"id": "net", "description": "Joss cut the nets", "due": 3},
            {"id": "tide", "description": "The great tide", "due": 4, "places": ["quay"]},
        ],
    })  # fmt: skip
    secret = {"id": "nets", "fact": "Joss cut the nets.", "known_by": [{"who": "joss", "from": 1}]}
    put(tmp_path, "world/secrets.json", {"secrets": [secret]})
    ops = [StateOp(op="foreshadow", path=name, value="plant") for name in ("bell", "net", "tide")]
    committed(store, 1, "main", *ops)
    committed(store, 2)

    def owed(*present: str, agent: str = DRAFTER) -> str:
        material = PromptBlocks(store, plan(), load_pack("en"))
        occasion = Occasion(1 if present else None, present, agent=agent)
        return material.texts(("foreshadowing",), occasion)["foreshadowing"]

    bell = "- open: The drowned bell (due in this chapter)"
    assert owed("mara") == bell
    both = f"{bell}\n- open: Joss cut the nets (due in this chapter)"
    assert owed("joss") == both
    assert owed(agent="quality-oracle") == both, "who judges may know more than whoever tells it"


def test_who_writes_a_scene_is_told_what_is_open_about_somebody_in_it(tmp_path: Path) -> None:
    """Met: what a model had planted stood in a list of ids for who sets chapters down, and in no
    prompt of who went on with it: it has no list of its people, only words."""
    # req: G5
    store = make_novel(tmp_path)
    for name in ("Mara", "Joss"):
        put(tmp_path, f"characters/active/{name.lower()}.md", f"# {name}\n\nSleeps in the house.\n")
    whose = [f"Whose hand Mara saw at window {n}" for n in range(1, 7)]
    promises = [{"id": f"hand-{n}", "description": words} for n, words in enumerate(whose, 1)]
    cut = {"id": "net", "description": "Joss cut the nets and Mara knows"}
    far = {"id": "far", "description": "The lamp of the other coast", "characters": ["nell"]}
    whole = {"id": "whole", "description": "Who answers the horn?"}
    put(tmp_path, "foreshadowing/global.json", {"promises": [*promises, cut, far, whole]})
    secret = {"id": "nets", "fact": "Joss cut the nets", "known_by": [{"who": "joss", "from": 1}]}
    put(tmp_path, "world/secrets.json", {"secrets": [secret]})
    names = [*(one["id"] for one in promises), "net", "far", "whole"]
    ops = [StateOp(op="foreshadow", path=name, value="plant") for name in names]
    committed(store, 1, "main", *ops)
    committed(store, 2)

    def still_open(who: str, agent: str = DRAFTER) -> str:
        material = PromptBlocks(store, plan(), load_pack("en"))
        return material.texts(("foreshadowing",), Occasion(1, (who,), agent=agent))["foreshadowing"]

    rows = [f"- open: {words} (not yet: leave it open)" for words in whose[-4:]]
    rows.append("- open: Who answers the horn? (not yet: leave it open)")
    assert still_open("mara").splitlines() == rows, "a few, no secret, and what is about nobody"
    assert still_open("mara", "quality-oracle").endswith(rows[-1])
    assert "Joss cut the nets" in still_open("joss")
    assert still_open("mara", "summarizer") == ""


@pytest.mark.parametrize(
    ("language", "now"),
    [
        (
            "en",
            "When chapter 2 begins (where the lines above say otherwise, this holds):\n- location",
        ),
        ("ko", "2장이 시작될 때(위에 적힌 것과 다르면 이쪽이 맞다):\n- 있는 곳"),
        ("zh", "到第2章开头已有的变化（与上面不一致时，以此为准）：\n- 在哪里"),
    ],
)
def test_a_card_tells_somebody_as_the_chapter_before_left_them(
    tmp_path: Path, language: Language, now: str
) -> None:
    """In chapter 2 a person was told as their page had them before chapter 1."""
    # req: J1 BOOK 1
    store = make_novel(tmp_path)
    put(tmp_path, "characters/active/mara.md", "# Mara\n\nSleeps in the boat house.\n")
    set_ = StateOp(op="set", path="characters.mara.location", value="lamp-room")
    committed(store, 1, "main", set_)

    def card(chapter: int) -> str:
        material = PromptBlocks(store, plan(chapter=chapter), load_pack(language))
        return material.texts(("people",), Occasion(1, ("mara",), agent=DRAFTER))["people"]

    assert "Sleeps in the boat house." in card(1)
    assert "lamp room" not in card(1)
    page, _, since = card(2).partition("Sleeps in the boat house.\n")
    assert page
    assert since.startswith(now), card(2)
    assert "lamp room" in since


def test_a_card_says_to_hold_over_what_stands_above_only_where_something_does(
    tmp_path: Path,
) -> None:
    """Met: “where the lines above say otherwise” below a name alone."""
    store = make_novel(tmp_path)
    put(tmp_path, "characters/active/mara.md", "# Mara\n")
    committed(store, 1, "main", StateOp(op="set", path="characters.mara.wants", value="the oar"))
    material = PromptBlocks(store, plan(chapter=2), load_pack("en"))
    card = material.texts(("people",), Occasion(1, ("mara",), agent=SURGEON))["people"]
    assert card == "Mara\nWhen chapter 2 begins:\n- wants: the oar"


@pytest.mark.parametrize(
    ("language", "head"),
    [
        (
            "en",
            "As chapter 2 begins (where people, places and things are told otherwise, this holds):",
        ),
        ("ko", "2장이 시작될 때(사람·장소·물건의 설명과 다르면 이쪽이 맞다):"),
        ("zh", "第2章开头的情况（与人物、地点、物件的介绍不一致时，以此为准）："),
    ],
)
def test_what_is_true_of_somebody_stands_once_beside_the_state(
    tmp_path: Path, language: Language, head: str
) -> None:
    """Met: the drafter and the judge were told it in `state` and word for word in `people`."""
    # req: J1 WRITING 1.4
    store = make_novel(tmp_path)
    put(tmp_path, "characters/active/mara.md", "# Mara\n\nSleeps in the boat house.\n")
    committed(store, 1, "main", StateOp(op="set", path="characters.mara.wants", value="the oar"))
    material = PromptBlocks(store, plan(chapter=2), load_pack(language))
    occasion = Occasion(1, ("mara",), agent=DRAFTER, has_state=True)
    texts = material.texts(("state", "people"), occasion)
    assert "boat house" in texts["people"]
    assert "the oar" not in texts["people"]
    assert texts["state"].startswith(head)
    assert "the oar" in texts["state"]


def test_a_promise_that_is_over_is_named_as_that_among_the_ids(tmp_path: Path) -> None:
    # req: J1 BOOK 3
    store = make_novel(tmp_path)
    put(tmp_path, "foreshadowing/global.json", {
        "promises": [
            {"id": "bell", "description": "The drowned bell"},
            {"id": "net", "description": "Joss cut the nets"},
        ],
    })  # fmt: skip
    ops = [StateOp(op="foreshadow", path=name, value="plant") for name in ("bell", "net")]
    committed(store, 1, "main", *ops)
    quote = "It was Joss who cut the nets."
    committed(store, 2, "main", StateOp(op="foreshadow", path="net", value="resolve", quote=quote))
    ids = blocks(store, plan(chapter=3), "entity-ids")["entity-ids"].splitlines()
    assert "promise bell (The drowned bell)" in ids
    assert "promise net (Joss cut the nets): resolved" in ids


def test_who_sets_a_chapter_down_is_told_the_id_of_its_planned_place(tmp_path: Path) -> None:
    """Met: the writer had the place by its page, the summary made a second id for it, for the text
    never calls it by the name."""
    # req: J1
    store = make_novel(tmp_path)
    put(tmp_path, "world/places/lamp-room.md", "---\nname: The lamp room\n---\n\nUp the stairs.\n")
    material = PromptBlocks(store, plan(location="lamp-room"), load_pack("en"))
    occasion = Occasion(None, (), agent=SUMMARIZER, words={"chapter": "Mara went up."})
    ids = material.texts(("entity-ids",), occasion)["entity-ids"].splitlines()
    assert "locations.lamp-room: The lamp room" in ids


def test_an_id_that_a_model_put_into_a_sentence_is_told_by_name(tmp_path: Path) -> None:
    # req: J1
    store = make_novel(tmp_path)
    put(tmp_path, "storylines/main/memory.md", "characters.mara owes characters.old-woman a boat.")
    words = blocks(store, plan(chapter=1), "storyline")["storyline"]
    assert "mara owes old woman a boat." in words


def test_whom_a_model_calls_by_a_name_and_a_remark_has_a_card(tmp_path: Path) -> None:
    # req: J1
    called = NamedInScene(characters=("Mara (heard, not seen)", "the ferryman"))
    scene = SceneSpec(number=1, purpose="Somebody is on the stairs.", by_name=called)
    store = make_novel(tmp_path)
    put(
        tmp_path, "characters/active/mara.json", {"schema_version": 1, "id": "mara", "name": "Mara"}
    )
    material = PromptBlocks(store, plan(), load_pack("en"))
    assert material.people_of(scene) == ("mara",)


def test_the_judge_gets_cross_references_and_schedule(tmp_path: Path) -> None:
    # req: F5 D6
    store = make_novel(tmp_path)
    committed(store, 1)
    leak = Mention(entity="joss", storyline_id="sea", quote="He knew of the nets.", leak=True)
    store.staging_of(2).put_crossref(
        Crossref(chapter=2, storyline_id="main", source_sha256="0" * 64, mentions=(leak,))
    )
    text = blocks(store, plan(chapter=2), "crossrefs")["crossrefs"]
    assert "Chapter 2 mentions joss (line sea): “He knew of the nets.”" in text
    assert "LEAK" in text
    assert "LEAK" not in blocks(store, plan(chapter=1), "crossrefs")["crossrefs"]
    assert {"crossrefs", "schedule", "people"} <= set(load_agent("quality-oracle", tmp_path).blocks)


def test_the_volume_before_is_looked_back_on(tmp_path: Path) -> None:  # req: D6
    store = make_novel(tmp_path)
    put(tmp_path, "volumes/vol-01/review.md", "The middle sagged.\n")
    assert blocks(store, plan(), "previous-review")["previous-review"] == ""
    context = blocks(store, plan(volume=2), "previous-review")
    assert context["previous-review"] == "The middle sagged."
    assert "previous-review" in load_agent("plot-architect", tmp_path).blocks


def test_people_of_a_contract_come_without_a_cap(tmp_path: Path) -> None:  # req: D7
    store = make_novel(tmp_path)
    slugs = [f"p{n:02d}" for n in range(24)]
    for slug in slugs:
        put(tmp_path, f"characters/active/{slug}.md", f"# {slug.upper()}\n\nProfile of {slug}.")
    named = PromptBlocks(store, plan(characters=slugs[:20]), load_pack("en"))
    people = [line.id for line in named.lines(("people",))["people"]]
    assert people == slugs[:20], "everybody the contract names, and nobody else"
    in_scene = named.lines(("people",), Occasion(1, tuple(slugs[:20])))["people"]
    assert [line.id for line in in_scene] == slugs[:20]


def test_without_a_contract_the_fifteen_who_appeared_last_come(tmp_path: Path) -> None:
    # req: D7
    store = make_novel(tmp_path)
    slugs = [f"p{n:02d}" for n in range(24)]
    for slug in slugs:
        put(tmp_path, f"characters/active/{slug}.md", f"# {slug.upper()}\n\nProfile of {slug}.")
    for chapter in (1, 2):
        seen = slugs[10:24] if chapter == 1 else slugs[20:22]
        ops = [StateOp(op="set", path=f"characters.{s}.last_seen", value=chapter) for s in seen]
        committed(store, chapter, "main", *ops)
    prompt_blocks = PromptBlocks(store, plan(), load_pack("en"))
    people = [line.id for line in prompt_blocks.lines(("people",))["people"]]
    assert people == [*slugs[20:22], *slugs[10:20], *slugs[22:24], "p00"]
    again = PromptBlocks(store, plan(chapter=2), load_pack("en"))
    latest = [line.id for line in again.lines(("people",))["people"]]
    assert latest[:14] == slugs[10:24], "chapter 2 does not know who is in chapter 2"


@pytest.mark.sweep
def test_ten_chapters_become_an_era_that_follows_its_summaries(tmp_path: Path) -> None:
    # req: G10
    store = make_novel(tmp_path)
    for chapter in range(1, 11):
        committed(store, chapter)
    file = tmp_path / "summaries/era-001-010.md"
    assert "- 10. What happens in chapter 10." in file.read_text()
    text = blocks(store, plan(chapter=14), "summaries")["summaries"]
    assert text.startswith("Chapters 1 to 10:\n- 1. What happens in chapter 1.")
    assert "Chapters 1 to 10" not in blocks(store, plan(chapter=10), "summaries")["summaries"]
    file.write_text(file.read_text().replace("- 1. What happens in chapter 1.", "- 1. It began."))
    assert "- 1. It began." in blocks(store, plan(chapter=14), "summaries")["summaries"]
    summary = tmp_path / "summaries/chapter-004-summary.md"
    summary.write_text(summary.read_text().replace("What happens", "Nothing happens"))
    text = blocks(store, plan(chapter=14), "summaries")["summaries"]
    assert "Nothing happens in chapter 4" in text, "an era of other summaries is made anew"


# req: G10
@pytest.mark.sweep
def test_nothing_earlier_is_told_twice(tmp_path: Path) -> None:
    store = make_novel(tmp_path)
    for chapter in range(1, 12):
        committed(store, chapter)
    material = PromptBlocks(store, plan(chapter=12), load_pack("en"))
    text = material.texts(("summaries",))["summaries"]
    assert "- 8. What happens in chapter 8." in text
    assert [text.count(f"What happens in chapter {n}.") for n in range(1, 12)] == [1] * 11
    text = material.texts(("summaries",), Occasion(whole=frozenset({10, 11})))["summaries"]
    assert [text.count(f"What happens in chapter {n}.") for n in (8, 9, 10, 11)] == [1, 1, 0, 0]


def test_however_long_the_book_is_earlier_chapters_are_bounded(tmp_path: Path) -> None:
    # req: G10
    store = make_novel(tmp_path)
    for n in range(1, 801):
        words = f"---\nchapter: {n}\n---\n" + f"Rain on day {n}. " * 40
        put(tmp_path, f"summaries/chapter-{n:03d}-summary.md", words)
    sizes = []
    for chapter in (120, 801):
        lines = PromptBlocks(store, plan(chapter=chapter), load_pack("en")).lines(("summaries",))
        eras = [line for line in lines["summaries"] if line.kind == "era"]
        assert eras[0].id == "era-001-010"
        assert len(eras) == 8
        sizes.append(sum(len(line.text) for line in lines["summaries"]))
    assert sizes[1] < sizes[0] * 1.1


# req: G5
def test_a_plan_behind_the_chapter_is_read_once_and_again_where_it_was_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers_read: list[int] = []

    def read_noting(data: bytes, path: str, volume: int, number: int) -> ChapterContract:
        numbers_read.append(number)
        return contract_from(data, path, volume, number)

    def save(number: int, promise: str) -> None:
        tasks = ({"id": promise, "action": "plant"}, {"id": "horn", "action": "resolve"})
        path = f"volumes/vol-01/chapter-contracts/chapter-{number:03d}.json"
        put(tmp_path / "n", path, to_bytes(plan(chapter=number, foreshadowing=tasks)))

    monkeypatch.setattr(plans, "contract_from", read_noting)
    store = make_novel(tmp_path / "n")
    for number, promise in ((2, "rope"), (4, "bell"), (5, "lamp")):
        save(number, promise)
    assert planted_later(store, 1, 3) == planted_later(store, 1, 3) == {"bell", "lamp"}
    assert sorted(numbers_read) == [4, 5]
    save(5, "oar")
    assert planted_later(store, 1, 3) == {"bell", "oar"}
    assert sorted(numbers_read) == [4, 5, 5]
    put(tmp_path / "n", "volumes/vol-01/chapter-contracts/chapter-005.json", b"{")
    with pytest.raises(StudioError, match=r"chapter-005\.json"):
        planted_later(store, 1, 3)


def test_who_plans_is_told_from_which_chapter_somebody_knows_something(tmp_path: Path) -> None:
    """A planner was told what a person knows without when, or not at all what they come to know."""
    from studio.pipeline.events import DRAFTER
    from studio.pipeline.prompting.agent_question import ARCHITECT, CHECKER

    store = make_novel(tmp_path)
    knows = ["The bell is silent.", "from chapter 4: Joss hid the letter."]
    person = {"schema_version": 1, "id": "mara", "name": "Mara", "knows": knows}
    put(tmp_path, "characters/active/mara.json", person)

    def told(agent: str, chapter: int) -> str:
        prompt_blocks = PromptBlocks(
            store, plan(chapter=chapter, characters=("mara",)), load_pack("en")
        )
        return prompt_blocks.texts(("characters-contract",), Occasion(agent=agent))[
            "characters-contract"
        ]

    for agent in (ARCHITECT, CHECKER):
        assert "from chapter 4: Joss hid the letter." in told(agent, 2)
    assert "Joss hid" not in told(DRAFTER, 2)
    assert told(DRAFTER, 4).endswith("may know: The bell is silent. Joss hid the letter.")


@pytest.mark.parametrize(
    ("language", "plain", "denied", "remark"),
    [
        ("en", "Bram names the buyer", "Bram does not name the buyer", "kept as it is written"),
        ("ko", "국장이 편지 이야기를 한다", "국장은 편지 이야기를 하지 않는다", "쓴 그대로"),
        ("zh", "师傅说起那只表", "师傅不说起那只表", "照字面"),
    ],
)
def test_over_a_line_that_denies_already_it_is_said_that_it_means_what_it_says(
    language: str, plain: str, denied: str, remark: str
) -> None:  # req: F5
    """“Must not happen: he does not name the buyer” had him name it."""
    from studio.pipeline.prompting.plan_words import must_not_label, must_not_lines

    pack = load_pack(language)
    for lines, is_said in (([plain], False), ([denied], True), ([plain, denied], True)):
        assert (remark in pack.label(must_not_label(lines, pack))) == is_said
        block = must_not_lines(lines, pack)
        assert (remark in block) == is_said
        assert block.splitlines()[-len(lines) :] == [f"- {line}" for line in lines]
