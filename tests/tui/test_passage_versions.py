"""Another version of a passage in the app: asked for in four keys, compared, taken, taken back."""

from __future__ import annotations

import pytest
from textual.widgets import OptionList

from studio.story.chapter import Chapter
from studio.tui.screens.ask import Ask, Choose
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.saved_text import KeptScreen
from studio.tui.screens.versions import VersionsScreen
from studio.tui.widgets.prose_view import ProseView
from tests.fake_messages import Asked, Rule
from tests.pipeline.flows import SCENES, Model, block, directive, judged, kind_of, unrefined
from tests.pipeline.joined_scenes import AGAIN, TEXTS, drafting, serial
from tests.pipeline.scenes_with_breaks import drafting as drafting_breaks
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import opened
from tests.tui.ways_to_texts import at_the_text, drafted, first_in_sight, settled_versions

ANEW = Rule(text="The oil had run dry.\n\nShe looked under the last can, and waited.")


# req: G11 C9
@pytest.mark.sweep
@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=str)
async def test_another_version_in_four_keys_side_by_side_taken_and_taken_back(
    desk: OpenDesk, size: tuple[int, int]
) -> None:
    there = desk(Model(refine=unrefined, anew=ANEW))
    await drafted(there)
    async with opened(there.folder, there.environ, size) as studio:
        await at_the_text(studio)
        await studio.press("a")
        await studio.sees(Choose, "Changed as you say: about ")
        for way in ("", ", 3 versions", ", with a wish of yours"):
            assert f"Written anew{way}: about " in studio.screen
        await studio.press("enter")
        await settled_versions(studio, 1)
        await studio.until(lambda: "The oil had run dry." in studio.screen, "the version")
        row = next(r for r in studio.screen.splitlines() if "The oil had run dry." in r)
        assert "Mara lifted the oil" in row, "both begin on one row"
        await studio.press("j", "space", "k", "space", "space", "enter")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        text = Chapter(there.staged().read_text("utf-8"))
        assert [p.text for p in text.scenes[0].paragraphs][:2] == [
            SCENES[1][0],
            "She looked under the last can, and waited.",
        ]
        await studio.until(lambda: "She looked under" in studio.screen, "the text")
        assert "Chapter 1 was changed since it was judged." in studio.screen, "by her choice"
        assert "broke off" not in studio.screen, "nothing was interrupted"
        await studio.press("u")
        await studio.until(
            lambda: (
                Chapter(there.staged().read_text("utf-8")).scene_text(1) == "\n\n".join(SCENES[1])
            ),
            "the passage as it was",
        )


@pytest.mark.sweep
async def test_what_she_is_asked_about_a_passage_is_not_closed_by_a_version_unsaid(
    desk: OpenDesk,
) -> None:
    from studio.tui.screens.ask import Confirm

    there = desk(Model(refine=unrefined, anew=ANEW, judge=judged(directives=[directive(1, 1)])))
    await drafted(there)
    before = there.staged().read_bytes()
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await at_the_text(studio)
        await studio.press("a")
        await studio.sees(Choose, "Written anew")
        await studio.press("enter")
        await settled_versions(studio, 1)
        await studio.until(lambda: "The oil had run dry." in studio.screen, "the version")
        await studio.press("enter")
        await studio.sees(Confirm, "1 proposal nobody decided on:")
        assert "The words it is about go with this version" in studio.screen
        await studio.press("n")
        await studio.sees(VersionsScreen, "The oil had run dry.")
        assert there.staged().read_bytes() == before
        await studio.press("enter")
        await studio.sees(Confirm, "Take the version?")
        await studio.press("y")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
    assert "The oil had run dry." in there.staged().read_text("utf-8")


@pytest.mark.sweep
async def test_a_version_in_another_language_is_taken_on_her_yes(desk: OpenDesk) -> None:
    from studio.tui.screens.ask import Confirm

    foreign = "등유는 바닥났다. 그녀는 마지막 통 밑을 들여다보고 기다렸다."
    there = desk(Model(refine=unrefined, anew=Rule(text=foreign)))
    await drafted(there)
    before = there.staged().read_bytes()
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await at_the_text(studio)
        await studio.press("a")
        await studio.sees(Choose, "Written anew")
        await studio.press("enter")
        await settled_versions(studio, 1)
        await studio.until(lambda: "등유는" in studio.screen, "the version")
        await studio.press("enter")
        await studio.sees(Confirm, "It is in another language than its passage.")
        await studio.press("n")
        await studio.sees(VersionsScreen, "등유는")
        assert there.staged().read_bytes() == before
        await studio.press("enter")
        await studio.sees(Confirm, "Take the version?")
        await studio.press("y")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
    assert foreign in there.staged().read_text("utf-8")


@pytest.mark.sweep
async def test_what_is_marked_is_taken_whichever_version_is_shown(desk: OpenDesk) -> None:
    begins = iter(
        ("The first oil was gone.", "The second oil was gone.", "The third oil was gone.")
    )
    there = desk(
        Model(refine=unrefined, anew=lambda _: Rule(text=f"{next(begins)}\n\nShe waited there."))
    )
    await drafted(there)
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await at_the_text(studio)
        await studio.press("a")
        await studio.sees(Choose, "at most")
        await studio.press("down", "enter")
        screen = await settled_versions(studio, 3)
        another = "1 version of the passage 1.1: 1 call to "
        for words in (another, "1 “The third oil", "2 “The second oil", "3 “The first oil"):
            await studio.until(lambda words=words: words in studio.screen, words)
        await studio.press("n", "space")
        await studio.until(lambda: "2 ✓ Enter takes it “The second" in studio.screen, "the mark")
        await studio.press("n")
        await studio.until(lambda: "version 3 of 3" in studio.screen, "the third")
        assert "2 ✓ Enter takes it “The second" in studio.screen
        assert screen._version.text.startswith("The first")
        await studio.press("enter")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        text = Chapter(there.staged().read_text("utf-8"))
        assert [p.text for p in text.scenes[0].paragraphs][:2] == [
            "The second oil was gone.",
            SCENES[1][1],
        ]


# req: C9 C13
@pytest.mark.sweep
async def test_a_passage_is_changed_as_she_says(desk: OpenDesk) -> None:
    def changed(asked: Asked) -> Rule:
        return Rule(text=f"{block(asked, 'passage')}\n\nIt held there.")

    there = desk(Model(refine=unrefined, changed=changed))
    await drafted(there)
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await at_the_text(studio)
        await studio.press("a")
        await studio.sees(Choose)
        studio.app.screen.query_one(OptionList).highlighted = 3
        await studio.press("enter")
        await studio.sees(Ask, "Esc back")
        await studio.type("Colder.")
        await studio.press("escape")
        await studio.sees(Choose)
        await studio.press("enter")
        await studio.sees(Ask, "Colder.")
        await studio.press("enter")
        await settled_versions(studio, 1)
        await studio.until(lambda: "changed as you asked: Colder." in studio.screen, "her words")
        assert "▸ 2 +" in studio.screen, "the cursor on what changed, the first paragraph did not"
        assert "added: It held there" in studio.screen
        await studio.press("enter")
        await studio.until(lambda: "It held there." in there.staged().read_text("utf-8"), "it")


# req: G11
@pytest.mark.sweep
async def test_esc_stops_what_is_written_and_nothing_is_lost(desk: OpenDesk) -> None:
    words = "The stove ticked as it cooled. " * 40
    there = desk(Model(refine=unrefined, anew=Rule(text=words, mode="hold", after=9)))
    await drafted(there)
    before = there.staged().read_bytes()
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await at_the_text(studio)
        await studio.press("a")
        await studio.sees(Choose)
        await studio.press("enter")
        await studio.sees(VersionsScreen, "The stove ticked")
        await studio.press("escape")
        await settled_versions(studio, 0)
        await studio.press("escape")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
    assert there.staged().read_bytes() == before
    (half,) = [t for t in there.session().kept_texts(1) if t.passage]
    assert half.text.startswith("The stove ticked")


@pytest.mark.sweep
async def test_what_was_half_written_when_it_was_killed_is_named_until_it_was_seen(
    desk: OpenDesk,
) -> None:
    """Met: it lay in the Variations tab, paid for, and nothing at the desk said so."""
    there = desk(Model(refine=unrefined, judge=judged(directives=[directive(1, 2)])))
    await drafted(there)
    name = "gen-001-v0c1d2e-draft-p1.2-2-v1-l0-1234567890"
    there.store.journal.partial(name, "## Prose\n\nThe stove ticked as it cooled.")
    named = "Chapter 1: a version of 1.2 broke off: see Variations."
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await studio.until(lambda: named in studio.screen, "it on the desk")
        assert "[3] Review" in studio.screen
        await studio.turn_to("variations")
        await studio.until(lambda: "The stove ticked" in studio.screen, "what came of it")
        await studio.until(lambda: named not in studio.screen, "the end of the notice")
        assert "1 directive waits for you" in studio.screen
        assert "Prose" not in studio.screen, "a heading of the model's"
        await studio.press("c")
        await studio.sees(KeptScreen)
        await studio.until(lambda: "Bring back" not in studio.screen, "no key that refuses")
        await studio.press("b")
        assert "is not a complete version" in studio.told


# req: G11
async def test_a_passage_is_kept_by_a_key_and_freed_by_it(desk: OpenDesk) -> None:
    there = desk(Model(refine=unrefined))
    await drafted(there)
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await at_the_text(studio)
        assert "║" not in studio.screen
        await studio.press("K")
        await studio.until(lambda: there.store.locks().locks, "the lock")
        await studio.until(lambda: "1.1║Mara lifted" in studio.screen, "its mark, without colour")
        assert "1.1 stays as it is, whoever works on it: ║ in the margin." in studio.told
        assert studio.screen.count("║") < 5, "of this paragraph alone"
        await studio.press("A")
        await studio.until(lambda: "You keep the passage 1.1 of" in studio.told, "why not")
        await studio.press("a")
        await studio.until(lambda: "You keep the passage 1.1" in studio.told, "why not")
        assert studio.app.screen is studio.desk
        await studio.press("K")
        await studio.until(lambda: not there.store.locks().locks, "no lock")
        await studio.until(lambda: "║" not in studio.screen, "no mark")


@pytest.mark.sweep
async def test_any_paragraph_in_sight_is_marked_by_key_and_then_kept(desk: OpenDesk) -> None:
    there = desk(Model(refine=unrefined))
    await drafted(there)
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await at_the_text(studio)
        prose = studio.desk.painter.prose
        await studio.press(*["right_curly_bracket"] * 4, "left_curly_bracket")
        assert [(p.scene, p.first, p.last) for p in prose.selector.passages] == [(1, 3, 3)]
        assert prose.scroll_offset.y == 0, "it was in sight already"
        await studio.press("K")
        await studio.until(lambda: there.store.locks().locks, "the lock")
        await studio.until(lambda: "1.3 stays as it is" in studio.told, "which it is")
        assert "1.3║" in studio.screen
        assert "1.2║" not in studio.screen


@pytest.mark.sweep
async def test_the_key_that_keeps_acts_on_the_passage_that_the_eye_is_led_to(
    desk: OpenDesk,
) -> None:
    there = desk(Model(refine=unrefined, judge=judged(directives=[directive(1, 2)])))
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await studio.to_review()
        await studio.on_directive(studio.directives.changes[0].id)
        assert studio.desk.painter.prose.strips.passages[0].first == 2
        await studio.press("2", "K")
        await studio.until(lambda: "1.2 stays as it is" in studio.told, "the lock")
        await studio.press("K")
        await studio.until(lambda: not there.store.locks().locks, "no lock")


@pytest.mark.sweep
async def test_what_is_marked_is_what_is_kept_also_where_its_beginning_is_out_of_sight(
    desk: OpenDesk,
) -> None:
    there = desk(Model(refine=unrefined, judge=judged(directives=[directive(1, 2, 3)])))
    async with opened(there.folder, there.environ, (80, 12)) as studio:
        await studio.to_review()
        await studio.on_directive(studio.directives.changes[0].id)
        await studio.press("2")
        prose = studio.desk.painter.prose
        block = prose.page.find(1, 3)
        assert block is not None
        prose.scroll_to(y=prose.page.top_of(block), animate=False)
        await studio.until(lambda: first_in_sight(prose) == (1, 3), "its end at the top")
        prose.scroll_to(y=prose.page.top_of(block) - 1, animate=False)
        await studio.until(lambda: prose.scroll_offset.y < prose.page.top_of(block), "a blank row")
        assert first_in_sight(prose) == (1, 3), "of the one above there is nothing to see"
        prose.scroll_to(y=prose.page.top_of(block), animate=False)
        assert prose.strips.passages == ((1, 2, 3),), "it is marked"
        await studio.press("K")
        await studio.until(lambda: "stays as it is" in studio.told, "the lock")
        assert there.store.locks().held_in(1, there.store.staging_of(1).text()) == {(1, 2), (1, 3)}


# req: F1 G11
@pytest.mark.sweep
async def test_a_scene_is_written_again_beside_itself_in_two_keys(desk: OpenDesk) -> None:
    anew = Rule(text="\n\n".join(ANEW.text.split("\n\n") * 2))
    there = desk(Model(refine=unrefined, anew=anew))
    await drafted(there)
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await at_the_text(studio)
        await studio.press("A")
        await studio.sees(Choose, "Another version of scene 1")
        await studio.press("enter")
        await settled_versions(studio, 1)
        row = next(r for r in studio.screen.splitlines() if "The oil had run dry." in r)
        assert "Mara lifted the oil" in row, "both begin on one row"
        assert "Scene 1  version 1 of 1" in studio.screen
        (asked,) = [a for a in there.server.asked if kind_of(a) == "anew"]
        assert "REGENERATE scene 1 of chapter 1" in asked.prompt
        assert not [words for words in SCENES[1] if words[:30] in asked.prompt]
        await studio.press("enter")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        text = Chapter(there.staged().read_text("utf-8"))
        assert text.scene_text(1) == anew.text
        places = {(t.passage, t.place) for t in there.session().kept_texts(1) if t.passage}
        assert {place for _passage, place in places} == {"Scene 1"}, places
        assert text.scene_text(2) == "\n\n".join(SCENES[2])


# req: F1
@pytest.mark.sweep
async def test_one_scene_of_a_plan_is_drafted_by_a_key_and_drafted_again(desk: OpenDesk) -> None:
    there = desk(Model(refine=unrefined))
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        for count in (1, 2):
            await studio.press("2", "A")
            await studio.sees(Choose, "Scene 2  Joss comes up the stairs")
            await studio.press("enter")
            await studio.sees(DecisionScreen)
            assert there.calls() == ["draft"] * count
            await studio.press("escape")
            await studio.until(lambda: "Mara lifted" in studio.screen, "the scene")
        assert not there.staged().exists()


@pytest.mark.sweep
async def test_the_paragraph_that_a_key_acts_on_is_marked_whatever_tab_is_in_front(
    desk: OpenDesk,
) -> None:
    there = desk(Model(refine=unrefined))
    await drafted(there)
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await at_the_text(studio)
        for key in ("a", "m"):
            await studio.turn_to("diff")
            studio.desk.painter.prose.highlight()
            await studio.press(key)
            await studio.sees(Choose, "1.1")
            assert studio.desk.panes.tab == "draft"
            assert studio.desk.painter.prose.strips.passages[0].holds(1, 1)
            assert "in sight" not in studio.told
            await studio.press("escape")


SENTENCES = "The oil had run dry. She looked under the last can."


# req: G11
@pytest.mark.sweep
@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=str)
async def test_single_sentences_of_a_version_are_taken_by_keys_that_stand_on_the_screen(
    desk: OpenDesk, size: tuple[int, int]
) -> None:
    there = desk(Model(refine=unrefined, anew=Rule(text=f"{SCENES[1][0]} {SENTENCES}")))
    await drafted(there)
    async with opened(there.folder, there.environ, size) as studio:
        await at_the_text(studio)
        await studio.press("a")
        await studio.sees(Choose)
        await studio.press("enter")
        await settled_versions(studio, 1)
        await studio.until(lambda: "s By sentence" in studio.screen, "the key is named")
        await studio.press("s")
        await studio.until(lambda: "s By paragraph" in studio.screen, "the way back is named")
        await studio.until(lambda: "Space takes a sentence" in " ".join(studio.screen.split()), "")
        assert "As it would read" in studio.screen
        assert "with a new one the old one in its place goes" in " ".join(studio.screen.split())
        await studio.press("enter")
        await studio.until(lambda: "No sentence of the version" in studio.told, "nothing is taken")
        await studio.press("j", "space", "enter")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
    first = Chapter(there.staged().read_text("utf-8")).scenes[0].paragraphs[0]
    assert first.text == f"{SCENES[1][0]} She looked under the last can."


# req: F1 G11
@pytest.mark.sweep
async def test_the_scene_again_of_a_joined_chapter_is_the_planned_one(desk: OpenDesk) -> None:
    anew = Rule(text="\n\n".join(reversed(AGAIN["ko"].split("\n\n"))))
    model = Model(draft=drafting("ko"), refine=unrefined, anew=anew)
    there = desk(model, **serial("ko"))
    await drafted(there)
    _first, second, third = TEXTS["ko"]
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await at_the_text(studio)
        await studio.press("A")
        await studio.sees(Choose, "Another version of scene 1")
        await studio.press("enter")
        await settled_versions(studio, 1)
        await studio.press("enter")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
    text = there.staged().read_text("utf-8")
    assert text.split("\n\n", 1)[1].strip() == f"{anew.text}\n\n{second}\n\n{third}"


async def test_a_scene_in_the_outline_leads_to_where_it_begins_in_the_text(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planned scene may hold breaks: the second of the plan is the third of the text."""
    model = Model(draft=drafting_breaks("en"), refine=unrefined)
    about = serial("en")
    about["settings"] = about["settings"].replace('form = "serial"\n', "")
    there = desk(model, **about)
    await drafted(there)
    places: list[tuple[int, int]] = []
    monkeypatch.setattr(ProseView, "go_to", lambda _self, *place: places.append(place))
    async with opened(there.folder, there.environ) as studio:
        await at_the_text(studio)
        await studio.press("1", "space", "down", "down", "enter")
        await studio.until(lambda: bool(places), "the scene")
    assert places[-1] == (3, 1)


def test_a_paragraph_that_is_marked_is_not_taken_before_enter() -> None:
    from studio.tui.views.pages.version_columns import column

    assert column("One.\n\nTwo.", marked={2})[3][0].text == "  2 ✓ marked; Enter takes it"


@pytest.mark.parametrize(
    ("language", "before", "after", "gone", "new"),
    [
        ("ko", "문이 열렸다.\n\n비가 왔다.", "문이 열렸다.\n\n눈이 왔다.", "비가", "눈이"),
        ("zh", "门开了。\n\n外面下着雨。", "门开了。\n\n外面飘着雪。", "下", "飘"),
        ("en", "It opened.\n\nRain fell.", "It opened.\n\nSnow fell.", "Rain", "Snow"),
    ],
)
def test_a_change_as_she_says_is_marked_and_the_first_changed_paragraph_known(
    language: str, before: str, after: str, gone: str, new: str
) -> None:
    from studio.tui.views.pages.version_columns import column, mark_changes

    texts = mark_changes(before, after, language)
    assert texts.first == 1
    old = [phrase.text for words in texts.present for phrase in words if phrase.tone == "bad"]
    now = [phrase.text for words in texts.version for phrase in words if phrase.tone == "good"]
    assert old[0].startswith(gone)
    assert now[0].startswith(new)
    assert column(before, 1, changes=texts.present)[3][0].text == "▸ 2 −"
    assert column(after, 1, changes=texts.version)[3][0].text == "▸ 2 +"
    assert mark_changes(before, before, language).first == 0
    plain = mark_changes(before, after, language, plain=True)
    assert f"[{old[0]}]" in "".join(phrase.text for phrase in plain.present[1])
    assert f"[{now[0]}]" in "".join(phrase.text for phrase in plain.version[1])


def test_what_a_version_says_otherwise_leaves_room_and_shows_where_it_is_cut() -> None:
    from studio.pipeline.orders import PassageVersion
    from studio.project.history.variations import NO_TEXT, Variation
    from studio.story.review.passage import PassagePlace
    from studio.tui.views.pages.version_columns import changes_rows
    from studio.tui.views.prose.wrapping import wrap

    variation = Variation(file="", sha256=NO_TEXT, reason="", created_at="")
    words = "lost: " + " / ".join(["the green lorry on its good springs"] * 9)
    korean = "더해진 것: " + "서진은 저울을 한참 들여다보았다. " * 9
    changes = ("changed: it", words, korean, "one", "two")
    version = PassageVersion(1, PassagePlace(1, 1, 1), variation, "", 0, changes)
    lines = ["".join(p.text for p in row) for row in changes_rows(version, 72)]
    assert (lines[0], lines[3:]) == ("changed: it", ["and 2 more"])
    for row, whole in zip(lines[1:3], (words, korean), strict=True):
        assert row.endswith("…")
        assert whole.startswith(row[:-1])
        assert len(wrap(row, 72)) == 2
    assert list(changes_rows(None, 72)) == []
