"""What stands in the requests as they are sent, for every agent, mode, window and language
(tests/data/prompts): no page speaks of what is not there, nothing is empty, nothing stands twice
(WRITING 1)."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from studio.agent_pages import KNOWN_BLOCKS, agent_ids, load_agent, of_what_is_there
from studio.llm.structured import form_of
from studio.pipeline.prompting.plan_words import SENTENCE_ENDS, chapter_plan, scene_plan
from studio.pipeline.prompting.story_lines import in_a_row, rules_of
from studio.story.contract import SceneSpec
from studio.story.novel import CharacterContract, StyleProfile
from studio.story.review.answers import JudgeAnswer
from studio.text.craft import profile_of_rules
from studio.text.language.packs import load_pack
from studio.text.prose.going_on import Seam
from tests.fake_messages import Asked, Rule
from tests.pipeline.at_a_choice import CHOICE, in_review
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, SETTINGS, Model, asked_for, block, scene_number
from tests.pipeline.scene_plans import contract
from tests.project.novels import put
from tests.prompts_sent import LANGUAGES, PROMPTS

PLAN = ("scene-plan", "must-not", "contract", "outline", "scene-list", "plan-units")
FIELDS = frozenset({"scene", "summary", "findings"})
"""Names of blocks that an answer has as fields too."""
_BLOCK = re.compile(r'<mTAG name="([^"]+)">\n(.*?)\n</mTAG>', re.DOTALL)


def requests() -> list[Path]:
    """Every request that is kept."""
    return sorted(
        path
        for language in LANGUAGES
        for path in (PROMPTS / language).rglob("[0-9]*.txt")
        if path.name != "requests.txt"
    )


# req: J1
def test_no_agent_s_page_speaks_of_a_block_that_is_not_there() -> None:
    agents = set()
    for path in requests():
        text = path.read_text("utf-8")
        agents.add(text.split("\n", 1)[0])
        there = {name for name, _ in _BLOCK.findall(text)}
        page = _BLOCK.sub("", text)
        names = {name for name in re.findall(r"`([a-z][a-z-]*)`", page) if name in KNOWN_BLOCKS}
        spoken = names - there - (FIELDS if "format: schemas" in text else frozenset())
        assert not spoken, f"{path.relative_to(PROMPTS)} speaks of {spoken}"
    assert len(agents) >= 11, agents


# req: J1
def test_a_judge_is_told_of_breaks_whichever_contracts_there_are() -> None:
    """Without world rules all that the page says of `violations` was left out."""
    page = load_agent("quality-oracle", None).body
    contracts = {"world-rules", "characters-contract", "people", "contract", "foreshadowing"}
    for there in sorted(contracts):
        left = of_what_is_there(page, contracts - {there})
        assert "## First: does it keep its contracts?" in left, there
        assert "one entry in `violations`" in left, there
        assert f"`{there}`" in left, there


# req: J1
def test_the_form_of_the_judge_s_answer_says_what_each_layer_is() -> None:
    """Met: a page without rules of a storyline says nothing of LS, and the form has it."""
    fields = form_of(JudgeAnswer)["$defs"]["JudgedViolation"]["properties"]
    assert all(f"{name} of " in fields["rule"]["description"] for name in fields["layer"]["enum"])


# req: J1
def test_a_form_names_no_block_that_may_not_be_there() -> None:
    for path in (PROMPTS / "en/schemas").glob("*.json"):
        words = " ".join(re.findall(r'"description": "(.*)"', path.read_text("utf-8")))
        assert "entity-ids" not in words, path.name


# req: J1
def test_only_a_chinese_book_s_drafter_is_told_how_a_chinese_word_goes_on() -> None:
    """Met: “in Chinese, only its rest” on the page of an English novel."""
    for language, words in {
        "en": "write that word again, whole.",
        "ko": "write that word again, whole.",
        "zh": "write only its rest.",
    }.items():
        for path in (PROMPTS / language / "going-on").glob("*-scene-drafter-*.txt"):
            page = path.read_text("utf-8")
            assert f"If the last word itself is cut in two, {words}" in page
            assert language == "zh" or "in Chinese" not in page


# req: J1 K3
@pytest.mark.parametrize("language", ["ko", "zh"])
def test_no_two_fields_of_the_state_that_a_summarizer_is_told_of_are_called_the_same(
    language: str,
) -> None:
    """Met: 상태 of both status and condition, one behind the other in a line."""
    page = load_agent("summarizer", None).body
    match = re.search(r"`field` is (.*?) where one fits", page)
    assert match is not None
    fields = re.split(r", | or ", match[1])
    labels = [load_pack(language).labels[field] for field in fields]
    assert "status" in fields
    assert len(labels) == len(set(labels)), labels


# req: J1
def test_of_the_worn_phrases_none_stands_inside_another() -> None:
    """“A testament to” was hers, and “testament to” stood below it as not the author's."""
    for path in requests():
        words = dict(_BLOCK.findall(path.read_text("utf-8"))).get("blacklist", "")
        rows = re.findall(r"(?m)^- (.+?)(?: \(.*\)|（.*）)?$", words)
        for one in rows:
            assert not any(one in other for other in rows if other is not one), one


# req: J1 K3
def test_a_serial_s_page_says_nothing_that_its_craft_says() -> None:
    for language in LANGUAGES:
        for path in sorted((PROMPTS / language / "serial").glob("*-scene-drafter-*.txt")):
            page = _BLOCK.sub("", path.read_text("utf-8"))
            assert "An episode is read on a telephone" in page or "writing-brief" in page
            for words in ("three lines", "last five lines", "single quotation marks", "windows"):
                assert words not in page, (path.name, words)


# req: J1
def test_no_request_has_an_empty_block_or_the_plan_twice() -> None:
    for path in requests():
        blocks = _BLOCK.findall(path.read_text("utf-8"))
        for name, words in blocks:
            lines = [line for line in words.splitlines() if line.strip()]
            assert lines, f"{path.name}: {name}"
            bare = all(line.startswith("#") or line.endswith(":") for line in lines)
            assert not bare, f"{path.relative_to(PROMPTS)}: {name} says nothing"
        plan = "\n".join(words for name, words in blocks if name in PLAN)
        runs = Counter(plan[at : at + 60] for at in range(max(0, len(plan) - 59)))
        twice = [run for run, times in runs.items() if times > 1]
        assert not twice, f"{path.relative_to(PROMPTS)}: {twice[0]!r}"


def test_the_judge_has_every_type_of_fault_also_where_code_found_nothing() -> None:
    for path in requests():
        text = path.read_text("utf-8")
        if text.startswith("agent: quality-oracle"):
            assert "| rhythm-variation |" in text
            assert "| filter-word-removal |" in text
            assert "beyond what `findings` has" not in text


@pytest.mark.parametrize(
    ("words", "rules"),
    [
        (
            "Dry and short. Left open: how she ends a chapter, since the sample is one page.",
            "Dry and short.",
        ),
        ("Endings are left open.", "Endings are left open."),
        ("The sample is too short to tell how she handles crowds.", ""),
        ("문장이 짧다. 이 분량으로는 대화의 비중을 알 수 없어 열어 둔다.", "문장이 짧다."),
        ("독자는 끝까지 이유를 알 수 없다.", "독자는 끝까지 이유를 알 수 없다."),
        ("句子短。样本太短，看不出她怎么写群像。对话多。", "句子短。对话多。"),
    ],
)
def test_what_a_profile_remarks_about_its_sample_is_no_rule(words: str, rules: str) -> None:
    profile = profile_of_rules(StyleProfile(voice=words, do=(words,)))
    assert profile.voice == rules
    assert profile.do == ((rules,) if rules else ())


# req: J1
@pytest.mark.sweep
def test_no_remark_about_a_sample_is_sent_as_a_rule(desk: OpenDesk) -> None:
    desk_ = desk(Model())
    voice = "Kurz. Left open: dialogue, because the sample has none."
    put(desk_.folder, "style-profile.json", {"schema_version": 1, "voice": voice})
    assert desk_.write().exit_code == 0
    for asked in desk_.server.asked:
        assert "Left open" not in asked.prompt
    assert "Kurz." in block(asked_for(desk_, "draft")[0], "style")


@pytest.mark.parametrize(
    ("language", "stands", "answer", "whole"),
    [
        (
            "en",
            "She put the lamp out.",
            "¶ Joss came up.",
            "She put the lamp out.\n\nJoss came up.",
        ),
        ("en", "She put the lamp out.", "Joss came up.", "She put the lamp out. Joss came up."),
        ("en", "She put the lamp out.\n\n", "¶\n\nJoss.", "She put the lamp out.\n\nJoss."),
        ("ko", "등잔을 껐다.", "¶조스가 올라왔다.", "등잔을 껐다.\n\n조스가 올라왔다."),
        ("zh", "她吹灭了灯。", "¶他上来了。", "她吹灭了灯。\n\n他上来了。"),
    ],
)
def test_a_continuation_can_begin_a_paragraph(
    language: str, stands: str, answer: str, whole: str
) -> None:
    assert Seam(stands, load_pack(language)).join(answer) == whole  # type: ignore[arg-type]


@pytest.mark.sweep
def test_hints_of_a_serial_go_by_the_labels_of_its_text(desk: OpenDesk) -> None:
    settings = SETTINGS.replace("[targets]", 'form = "serial"\n[targets]')

    def draft(asked: Asked) -> Rule:
        prose = "\n\n".join(SCENES[scene_number(asked)])
        return Rule(text=f"## Prose\n\n{prose}\n\n## Hints\n\nThe key is hers.")

    desk_ = desk(Model(draft=draft), settings=settings)
    assert desk_.write().exit_code == 0
    (asked,) = asked_for(desk_, "summary")
    hints = block(asked, "hints")
    assert "scene 2" not in hints
    labels = re.findall(r"From (\[1\.\d+\]) on", hints)
    assert labels
    assert all(label in block(asked, "chapter") for label in labels)


@pytest.mark.sweep
def test_the_surgeon_is_told_what_the_chosen_option_answers(desk: OpenDesk) -> None:
    desk_ = in_review(desk)
    desk_.session().answer_choice(str(CHOICE["issue"]), "fix", "그녀는 알고 있다.")
    desk_.write(review="ask")
    words = block([a for a in desk_.server.asked if block(a, "passage")][-1], "directive")
    assert words.startswith("그녀는 알고 있다.\n")
    assert str(CHOICE["issue"]) in words
    assert str(CHOICE["quote"]) in words


@pytest.mark.parametrize(
    ("outline", "is_new"),
    [
        ("A goose dealer argues.", False),
        ("A goose dealer sings.", True),
        ("The goose does not argue.", True),
        ("Otis says twice what he saw.", False),
        ("Bram says twice what he saw.", True),
        ("옥철이 본 것을 두 번 말한다.", False),
        ("손님이 죽은 문어를 안고 온다.", False),
        ("손님이 산 문어를 안고 온다.", True),
        ("沈禾修表。", False),
        ("沈禾不修表。", True),
    ],
)
def test_the_outline_adds_nothing_that_a_scene_tells_in_its_words(
    outline: str, is_new: bool
) -> None:
    purposes = (
        "A dealer argues that his goose is a pedestrian.",
        "손님은 죽은 문어를 두 팔로 안고 왔다 온다.",
        "沈禾修表，报价。",
        "Otis shouts twice across the water what he saw. 옥철이 물 건너에서 본 것을 두 번 외친다.",
    )
    scenes = tuple(SceneSpec(number=n, purpose=p) for n, p in enumerate(purposes, start=1))
    plan = contract(scenes=scenes, objectives=("It is done.",))
    words = [scene_plan(scenes, one, plan, outline, str) for one in scenes]
    assert any("The outline adds" in each for each in words) == is_new
    whole = chapter_plan(plan, outline, str, str)
    assert ("The outline adds" in whole) == is_new


@pytest.mark.parametrize(
    ("beat", "purpose", "words"),
    [
        (
            "That night Denis finds the satchel under her bed. He does not ask; he puts it back.",
            "Denis finds the satchel under her bed that very night and thinks of the ferry.",
            "That night Denis finds the satchel under her bed. He does not ask; he puts it back.",
        ),
        ("기주가 대합실에서 혼자 밤을 보낸다. 그는 나사를 쥐고 있다.",
         "기주가 대합실에서 혼자 밤을 보낸다.",
         "기주가 대합실에서 혼자 밤을 보낸다. 그는 나사를 쥐고 있다."),
        ("阿盐在渡口等到天黑。她把账本收进怀里。", "阿盐在渡口等到天黑。",
         "阿盐在渡口等到天黑。她把账本收进怀里。"),
    ],
)  # fmt: skip
def test_a_sentence_of_the_plan_that_says_he_stands_behind_the_one_that_says_who(
    beat: str, purpose: str, words: str
) -> None:
    """Met: “He does not ask where it came from; he puts it back.”, below another man's scene."""
    scenes = tuple(
        SceneSpec(number=n, purpose=p) for n, p in enumerate(("Rain.", purpose), start=1)
    )
    by_beats = contract(scenes=scenes, objectives=("It is done.",), beats=(beat, "Nobody sleeps."))
    by_outline = contract(scenes=scenes, objectives=("It is done.",), beats=())
    for plan, outline in ((by_beats, ""), (by_outline, f"{beat} Nobody sleeps.")):
        first, second = (scene_plan(scenes, one, plan, outline, str) for one in scenes)
        assert words in second
        assert beat.rpartition(SENTENCE_ENDS.split(beat)[1].strip())[1] not in first, "of nobody"


@pytest.mark.parametrize(
    ("sentences", "scenes"),
    [
        (("A goose dealer argues all day.", "Bram signs no paper.", "It rains."), (1, 2, None)),
        (("손님이 산 문어를 안고 온다.", "노마가 편지를 태운다.", "비가 온다."), (3, 4, None)),
        (("沈禾不修表。", "陈掌柜带来旧信。", "下雨了。"), (5, 6, None)),
    ],
)
def test_a_sentence_of_the_outline_that_is_of_another_scene_is_told_to_that_one_alone(
    sentences: tuple[str, ...], scenes: tuple[int | None, ...]
) -> None:
    """The outline's other sentences stood in every scene: not all of it for this one."""
    purposes = (
        "A dealer argues that his goose is a pedestrian.",
        "Bram comes with a pie and a paper.",
        "손님은 죽은 문어를 두 팔로 안고 왔다 온다.",
        "노마는 편지를 숨긴다.",
        "沈禾修表，报价。",
        "陈掌柜带着信来了。",
    )
    specs = tuple(SceneSpec(number=n, purpose=p) for n, p in enumerate(purposes, start=1))
    plan, outline = contract(scenes=specs, objectives=("Done.",)), "\n".join(sentences)
    for spec in specs:
        words = scene_plan(specs, spec, plan, outline, str)
        for sentence, number in zip(sentences, scenes, strict=True):
            assert (sentence in words) == (number in (None, spec.number)), (sentence, spec.number)
            of_all = words.partition("not all of it for this scene")[2]
            assert (sentence in of_all) == (number is None), (sentence, spec.number)


@pytest.mark.parametrize(
    ("purposes", "beat", "answer"),
    [
        (
            ("Nora learns the dial and sees her father write two weights for one lorry.",
             "On the walk home Nora asks about the ledger and is asked to forget it."),
            "On the walk home Nora asks what the ledger is for. Her father says it is the true"
            " weight, and asks her to forget it.",
            "true weight",
        ),
        (
            ("노라는 눈금을 배우고 아버지가 한 차의 무게를 두 번 적는 것을 본다.",
             "돌아오는 길에 노라는 장부를 묻고 잊으라는 말을 듣는다."),
            "돌아오는 길에 노라는 장부를 묻는다. 그는 그것이 한 차의 참무게라며 잊으라고 한다.",
            "참무게",
        ),
        (
            ("诺拉学看刻度，看见父亲给一辆车写了两个重量。",
             "回家路上诺拉问起账本，父亲叫她忘掉。"),
            "回家路上诺拉问起账本。他说那才是一辆车的真重量，叫她忘掉。",
            "真重量",
        ),
    ],
)  # fmt: skip
def test_an_answer_is_told_to_the_scene_in_which_it_is_asked_for(
    purposes: tuple[str, ...], beat: str, answer: str
) -> None:
    """Met: it had a word or two more of another scene, was told to that alone, and the writer of
    its own scene left it out."""
    scenes = tuple(SceneSpec(number=n, purpose=p) for n, p in enumerate(purposes, start=1))
    plan = contract(scenes=scenes, objectives=("Done.",), beats=("It rains.", beat))
    first, second = (scene_plan(scenes, one, plan, "", str) for one in scenes)
    assert answer in second
    assert answer not in first


def test_a_plan_says_once_whose_its_scenes_are_and_where() -> None:
    scenes = tuple(
        SceneSpec(number=n, purpose=f"Step {n}.", pov="mara", location=place)
        for n, place in enumerate(("quay", "quay", "loft"), start=1)
    )
    whole = chapter_plan(contract(scenes=scenes, pov="mara"), "", lambda s: s or "", str)
    assert whole.casefold().count("point of view: mara") == 1
    assert whole.count("place: quay") == whole.count("place: loft") == 1


# req: J1
def test_every_sentence_that_is_left_of_a_page_begins_and_ends_as_one() -> None:
    """Where a sentence is left out for a block that is not there, no half of it stays behind."""
    for path in requests():
        page = _BLOCK.sub("", path.read_text("utf-8")).partition("\n\n")[2]
        for line in page.splitlines():
            if line.startswith((" ", "|", "---", "###")):
                continue
            words = re.sub(r"^(?:[-*] |\d+\. )", "", line)
            for sentence in re.split(r"(?<=[.!?])\s+", words):
                begun = sentence[:1]
                assert not ("a" <= begun <= "z"), f"{path.relative_to(PROMPTS)}: {sentence!r}"
            assert not re.search(r"; [A-Z]", words), f"{path.relative_to(PROMPTS)}: {words!r}"


# req: J1
@pytest.mark.parametrize("agent", agent_ids())
def test_no_sentence_of_a_page_leans_on_one_that_may_be_left_out(agent: str) -> None:
    spec = load_agent(agent, None)
    texts = (spec.body, spec.hers, spec.briefed, *spec.tasks.values(), *spec.forms.values())
    for line in "\n".join(filter(None, texts)).splitlines():
        if line.startswith("- "):
            continue  # a list item goes as a whole
        sentences = re.split(r"(?<=[.:!?])\s+(?=[A-Z*`])", line)
        for before, sentence in pairwise(sentences):
            named = re.findall(r"`([a-z][a-z-]*)`", before)
            leans = re.match(r"(?:Neither|Both|It|They|This|These|Those|That)\b", sentence)
            assert not (leans and {*named} & {*KNOWN_BLOCKS}), f"{before} {sentence}"


# req: J1
@pytest.mark.sweep
def test_the_judge_s_form_asks_for_answers_to_findings_where_there_are_any(desk: OpenDesk) -> None:
    desk_ = desk(Model(refine=lambda asked: Rule(value={"edits": []})))
    desk_.write(review="accept")
    for judge in asked_for(desk_, "judge"):
        form = str(judge.body.get("output_config"))
        assert ("JudgedFinding" in form) is bool(block(judge, "findings"))


@pytest.mark.parametrize(
    ("items", "line"),
    [
        (("짧게 쓴다.", "사람을 먼저 세운다."), "짧게 쓴다. 사람을 먼저 세운다."),
        (("coins", "wet oak"), "coins; wet oak"),
        (("", "先写物。", "再写人"), "先写物。再写人"),
    ],
)
def test_items_of_a_sheet_stand_in_a_row_as_they_are_written(
    items: tuple[str, ...], line: str
) -> None:
    assert in_a_row(items) == line


# req: G6
def test_what_a_sheet_says_a_person_knows_may_be_still_to_come() -> None:
    """The sheet of a protagonist is of the whole book: the drafter of the first chapter had what
    she was to find out in it as known."""
    ines = CharacterContract(
        id="ines", name="Ines", knows=("The bicycle lies in the pit.", "Marit lied.")
    )
    assert rules_of(ines).endswith("may know: The bicycle lies in the pit. Marit lied.")


_FENCED = re.compile(r'<mTAG name="([a-z-]+)">\n(.*?)\n</mTAG>', re.DOTALL)
_ENGLISH_LABEL = re.compile(
    r"^(?:- |\[)?[A-Za-z][A-Za-z, ]*(?: \d+)?[:：]|^[(\[（][a-z][a-z -]*[)\]）]$|last_seen"
    r"|\((?:[a-z]+-)*[a-z]+\)|(?:before|done)[:.]|^Of \d",
    re.MULTILINE,
)
_OF_THE_STUDIO = frozenset({"tools"})
"""The block in which the studio speaks of itself, as its pages do, and not of the book."""
_IDS = re.compile(r"characters\.|storyline |promise |\"")


@pytest.mark.parametrize("language", ["ko", "zh"])
def test_no_label_among_a_books_own_words_is_in_another_language(language: str) -> None:
    for page in sorted((PROMPTS / language).rglob("*.txt")):
        for name, text in _FENCED.findall(page.read_text("utf-8")):
            if name not in _OF_THE_STUDIO:
                rows = [row for row in text.splitlines() if not _IDS.match(row)]
                english = [row for row in rows if _ENGLISH_LABEL.match(row)]
                assert not english, (page.name, name, english)


def test_every_label_is_said_in_each_language_with_the_same_fields() -> None:
    korean, chinese = load_pack("ko").labels, load_pack("zh").labels
    assert korean.keys() == chinese.keys()
    for english, words in (*korean.items(), *chinese.items()):
        assert sorted(re.findall(r"\{\w+\}", english)) == sorted(re.findall(r"\{\w+\}", words))
    assert not load_pack("en").labels


_EXAMPLE = re.compile(r"Before: |전: |前：")


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_writes_a_line_or_two_gets_no_more_craft_than_that(language: str) -> None:
    """A paragraph to be written anew came with 30 kB, a bridge of two sentences with as many craft
    examples as a scene, and a brief, which holds no prose, with all of them."""
    for path in sorted((PROMPTS / language).rglob("[0-9]*.txt")):
        blocks = dict(_BLOCK.findall(path.read_text("utf-8")))
        if path.parent.name == "another-version" or "-assembly-" in path.name:
            assert blocks["craft"].strip(), path.name
            assert not _EXAMPLE.search(blocks["craft"]), path.name
        if path.name.startswith("01-prewriter"):
            assert not {"craft", "blacklist"} & blocks.keys(), path.name


def test_no_list_of_a_page_begins_after_its_first_number() -> None:
    for path in requests():
        page = _BLOCK.sub("", path.read_text("utf-8"))
        firsts = re.findall(r"(?:^|\n)(?!\d+\. )[^\n]*\n+(\d+)\. ", page)
        assert set(firsts) <= {"1"}, path.relative_to(PROMPTS)


# req: J1
def test_a_sentence_that_says_more_than_a_scene_stays_in_what_must_happen() -> None:
    """Met: the first sentence of a plan was left out for a clause that a scene repeats, and "He
    does it" came after nothing."""
    clause = "a ship has been hammered and the line must show where"
    first = f"She gives him eight figures of a drifter and makes him rub it out, since {clause}."
    scenes = (SceneSpec(number=1, purpose=f"Nell makes Kit draw the Good Intent; {clause}"),)
    plan = contract(objectives=(f"{first} He does it, and asks which is the better ship.",))
    whole = chapter_plan(plan.model_copy(update={"scenes": scenes}), "", lambda s: s or "", str)
    assert first in whole
