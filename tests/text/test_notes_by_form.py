"""Working notes are known by the form of their line, never by one word inside narration (P7)."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable

import pytest

from studio.i18n import LANGUAGES
from studio.text.language.packs import load_pack
from studio.text.metrics.measure import measure, working_notes
from studio.text.oracle.report import check_text
from studio.text.prose.parse import read
from tests.text.labelled import FOLDER
from tests.text.labelled_forms import texts_of

LABELLED = json.loads((FOLDER / "unread/leaks.json").read_text("utf-8"))

PLAIN = {
    "en": "The river bent round the village.",
    "ko": "강이 마을을 돌아 흘렀다.",
    "zh": "河水绕着村子流过去。",
}
NOTES = {
    "en": [
        "Certainly! Here is Chapter 3",
        "Sure, here's the revised scene:",
        "(End of chapter. Word count: 1,204.)",
        "[End of Chapter 3]",
        "— End of Scene —",
        "To be continued...",
        "(to be continued)",
        "Word count: 1,250",
        "(1,250 words)",
        "project_id: harbour",
        "chapter_number: 3",
        "Let me know if you'd like any changes.",
        "I hope this meets your expectations!",
        "Here is the revised passage:",
        "As an AI language model, I cannot write this.",
        "Would you like me to continue with chapter 4?",
        "**Word count:** 1200",
        "[Author's note: fix the date]",
        "Here's chapter 4:",
        "A/N: thanks for all the reviews!",
        "[Author's Note] I was ill last week.",
        "Please vote and comment!",
        "Don't forget to follow, favorite and leave a review!",
        "If you enjoyed this chapter, consider supporting me on Patreon.",
        "Read ahead on Patreon!",
        "Thanks for reading!",
        "Next Chapter: The Bell",
        "Previous Chapter | Table of Contents | Next Chapter",
        "I hope this scene works",
        "Note to AI: make this longer",
        "(AI: rewrite this paragraph)",
        "[Claude, continue from here]",
        "@GPT expand this",
        "(This chapter was written with AI.)",
    ],
    "ko": [
        "(다음 화에 계속)",
        "다음 화에 계속...",
        "<다음 회에 계속>",
        "3화 끝",
        "- 제3화 끝 -",
        "글자 수: 3,200자",
        "(총 3,200자)",
        "project_id: dam",
        "네, 3화를 작성하겠습니다.",
        "물론입니다! 다음 장면을 이어서 써 보겠습니다.",
        "다음은 3화 본문입니다.",
        "수정이 필요하시면 말씀해 주세요.",
        "[작가의 말: 다음 주는 쉽니다]",
        "수정된 문단은 다음과 같습니다:",
        "AI 언어 모델로서 저는 그런 글을 쓸 수 없습니다.",
        "분량: 약 2,800자",
        "도움이 되셨기를 바랍니다.",
        "요청하신 장면입니다.",
        "[작가의 말] 다음 주는 쉽니다.",
        "【작가의 말】 선작과 추천 부탁드립니다!",
        "작가의 말",
        "선작, 추천, 댓글은 작가에게 힘이 됩니다.",
        "추천과 댓글 부탁드립니다!",
        "재미있게 보셨다면 추천 부탁드려요.",
        "다음 화에 계속됩니다.",
        "오늘도 읽어 주셔서 감사합니다.",
        "(후원해 주신 분들께 감사드립니다.)",
        "다음 주는 휴재합니다.",
        "이 장면이 마음에 드셨기를 바랍니다.",
        "AI에게: 여기를 더 길게 써 줘",
        "(AI: 이 장면을 늘려 주세요)",
        "[여기서 장면을 더 길게 써 주세요]",
        "※ AI가 쓴 글입니다.",
    ],
    "zh": [
        "（本章完）",
        "【本章完】",
        "未完待续",
        "（未完待续）",
        "字数统计：2345字",
        "（字数：3000）",
        "本章字数：3,120",
        "（全文3120字）",
        "project_id: lamp",
        "好的，以下是第三章：",
        "当然！以下是修改后的段落：",
        "以下是第三章正文：",
        "希望您满意。",
        "如需修改，请告诉我。",
        "作为一个AI语言模型，我无法写这段。",
        "（作者有话说：求收藏）",
        "第三章完",
        "【作者有话说】求收藏，求推荐票！",
        "作者有话说",
        "求月票！",
        "（求月票，求订阅）",
        "新书期，求收藏求推荐",
        "第二更送到，求月票！",
        "PS：今天三更，求月票！",
        "感谢“书友1234”的打赏！",
        "今天还有一更。",
        "本书首发起点中文网。",
        "手机用户请浏览阅读，更优质的阅读体验。",
        "上一章 | 目录 | 下一章",
        "希望这个场景还可以。",
        "AI：请把这一段写长一点",
        "（AI请续写）",
        "【此处请AI补充】",
        "（本章由AI生成）",
    ],
}
HEADINGS = {"en": "Chapter 93", "ko": "제93장 둑", "zh": "第93章 灯塔"}
INNOCENT = {
    "en": [
        "NOTE: The old measures no longer apply. Welcome to the next chapter.",
        "Scene and verse, he knew it all.",
        "Here is the house, said the agent.",
        "Here is chapter and verse for it.",
        "The end of the chapter found her asleep.",
        "To be continued, she thought, and closed the book.",
        "Let me know, he wrote, and nothing more.",
        "“Certainly! Here is Chapter 3,” said the clerk.",
        "Word counted more than deed in that house.",
        "As an AI she had no mother.",
        "The draft 2 lay under the door.",
        "Certainly he would come; here is where he always came.",
        "Did you like me to go? she asked.",
        "She counted the words: 1,250 of them.",
        "I hope you will come on Sunday.",
        "The project had no id and no name.",
        "Please follow me, she said, and went down.",
        "She had a Patreon for her pots, and it paid the rent.",
        "Thanks for the lift, he said.",
        "Claude, she thought, would have laughed.",
        "Claude, come and look at this, said the boy.",
        "The AI wrote nothing down.",
        "The next chapter of her life began on a Tuesday.",
        "If you like the book, keep it, he had written.",
    ],
    "ko": [
        "그는 다음 화에 계속이라는 말을 싫어했다.",
        "네, 하고 그가 대답했다.",
        "네, 그렇게 하겠습니다 하고 사내는 물러났다.",
        "본문을 읽던 그가 웃었다.",
        "글자 수가 많은 편지였다.",
        "3화를 다 읽고 그는 잠들었다.",
        "장면이 바뀌었다.",
        "다음은 그의 차례입니다.",
        "“물론입니다! 바로 작성하겠습니다.” 직원이 말했다.",
        "인공지능이 그를 불렀다.",
        "AI로서 그녀는 밤을 몰랐다.",
        "끝이었다.",
        "분량이 적지 않았다.",
        "필요하면 말해 주세요, 라고 쪽지에 적혀 있었다.",
        "작가의 말은 짧았다.",
        "추천을 부탁드린다고 그는 적었다.",
        "구독자가 백 명을 넘었다.",
        "읽어 주셔서 감사하다는 말이 끝에 있었다.",
        "AI가 그에게 길을 써 주었다.",
        "인공지능은 아무것도 바꾸지 않았다.",
        "이 장면은 마음에 들었다.",
        "휴재는 한 달이나 갔다.",
    ],
    "zh": [
        "第三章他没有读完。",
        "场景一变，人都散了。",
        "以下是我父亲的话。",
        "他说这本书未完待续的地方最多。",
        "字数不多，他却读了一夜。",
        "好的，他点点头。",
        "当然，他会来的。",
        "作为AI，她没有母亲。",
        "“好的，以下是修改后的段落。”职员说。",
        "希望您保重。",
        "请告诉我她在哪里。",
        "本章他翻了三遍。",
        "如果你有空，就告诉我。",
        "正文印得很小。",
        "第二更，他醒了。",
        "他求推荐一家好馆子。",
        "希望这段日子快些过去。",
        "希望这场雨快停。",
        "作者的话很少。",
        "感谢他的帮助，她把信收好。",
        "人工智能写下了第一行字。",
        "老板求支持的样子很可笑。",
        "三更天了，狗叫起来。",
    ],
}


def notes_in(line: str, language: str) -> float:
    text = f"# 1\n\n{PLAIN[language]}\n\n{line}\n\n{PLAIN[language]}"
    return measure(text, load_pack(language))["leaked_meta"].value


def test_one_heading_in_the_text_is_a_note_and_several_are_its_sections() -> None:
    parts = [
        "第一章 序",
        PLAIN["zh"],
        "第二章 优胜记略",
        PLAIN["zh"],
        "第三章 续优胜记略",
        PLAIN["zh"],
    ]
    assert measure("\n\n".join(parts), load_pack("zh"))["leaked_meta"].value == 0
    assert notes_in("第三章 灯塔", "zh") == 1


@pytest.mark.sampled
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_labelled_lines_of_outlines_and_assistants_are_notes(language: str) -> None:
    lines = LABELLED[language]["leaks"]
    missed = [line for line in lines if not notes_in(line, language)]
    assert len(lines) >= 100
    assert len(missed) <= 0.05 * len(lines), missed


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_innocent_lines_made_to_look_like_them_are_none(language: str) -> None:
    assert [line for line in LABELLED[language]["innocent"] if notes_in(line, language)] == []


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "In this chapter I shall tell how my aunt came by the parrot."),
        ("en", "I hope this works, she wrote, and sealed it."),
        ("en", "Version of events: his."),
        ("en", "This chapter of her life smelled of paint."),
        ("en", "I have changed the sheets and the locks."),
        ("ko", "목표: 고블린 열 마리 처치"),
        ("ko", "이 장면을 그는 평생 잊지 못했다."),
        ("ko", "다음 장에서는 아무도 웃지 않았다."),
        ("zh", "目标：击杀十只哥布林"),
        ("zh", "下一章她没有翻开。"),
        ("zh", "注意：桥已断。"),
    ],
)
def test_what_a_story_says_of_itself_stays(language: str, line: str) -> None:
    assert notes_in(line, language) == 0


@pytest.mark.parametrize(("heading", "language"), [("CHAPTER XXIV", "en"), ("제24장", "ko")])
def test_a_heading_in_the_middle_divides_the_text(heading: str, language: str) -> None:
    plain = PLAIN[language]
    assert (
        measure("\n\n".join(["# 1", plain, plain, heading, plain, plain]), load_pack(language))[
            "leaked_meta"
        ].value
        == 0
    )
    assert notes_in(heading, language) == 1


@pytest.mark.parametrize("fenced", ["```\nfeat: warmer colours\n```", "```\n\nfeat: red\n\n```"])
def test_fences_around_a_document_of_the_story_are_no_notes(fenced: str) -> None:
    plain = PLAIN["en"]
    assert notes_in(fenced, "en") == 0
    for left_over in (f"```\n\n{plain}\n\n```", f"{plain}\n\n```\n\n{plain}"):
        assert measure(f"# 1\n\n{left_over}", load_pack("en"))["leaked_meta"].value


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_a_chapter_may_begin_or_end_with_a_screen_in_fences(language: str) -> None:
    plain, screen = PLAIN[language], "```text\n[MINA]\n...\n```"
    for blocks in ((screen, plain, screen, plain), (plain, screen), (screen, plain, screen)):
        measures = measure("\n\n".join(blocks), load_pack(language))
        assert measures["leaked_meta"].value == 0


@pytest.mark.parametrize(
    "note",
    [
        "**POV:** Lem, second draft",
        "POV character: Mara",
        "scene_goal: she loses the key",
        "I cannot continue this story because of its content.",
        "storyline: the harbour",
        "status: final draft 3, to be proofread",
    ],
)
def test_a_note_is_cut_to_the_end_of_its_line(note: str) -> None:
    plain = PLAIN["en"]
    report = check_text(f"{plain}\n\n{note}\n\n{plain}", pack=load_pack("en"))
    cuts = [directive for directive in report.directives if directive.type.value == "cut"]
    assert [f"“{note}”" in directive.instruction for directive in cuts] == [True]


COUNTS_AND_ENDS = {
    "en": [
        "**Chapter 93 — End**",
        "Chapter 93: End",
        "Chapter Seven Ends",
        "[Chapter 93 complete]",
        "*** END CHAPTER 93 ***",
        "**End of Chapter Ninety-Three**",
        "— end of chapter 93, part 2 —",
        "3,120 words",
        "Approximately 3,100 words",
        "**Total:** 3,120 words",
        "Chapter length: about 3,100 words",
        "(Word count: approx. 3.1k)",
    ],
    "ko": [
        "**제 93 장 끝**",
        "**제93화 · 끝**",
        "제93화 (완)",
        "— 93화 종료 —",
        "[제 93 화 마침]",
        "제구십삼 장 끝",
        "**93장 完**",
        "총 5,200자",
        "약 5천 자",
        "공백 포함 5,200자 내외",
        "본문 글자 수: 5,200자",
        "**글자 수** 약 5천 자",
        "200자 원고지 26매",
    ],
    "zh": [
        "**第 93 章 完**",
        "**第93章·完**",
        "第九十三章（完）",
        "——第 93 章 終——",
        "（第九十三章 完結）",
        "【第93話 完】",
        "本章到此結束",
        "（本章結束）",
        "未完待續",
        "（下一章預告）",
        "字數統計：2345字",
        "本章字數：約三千二百字",
        "【本章共3,120字】",
        "共計 3120 字",
        "全文約3120字",
        "約3120字",
        "**字數**：3120",
        "（作者有話說：求收藏）",
        "好的，以下是第三章：",
        "希望您滿意。",
        "如需修改，請告訴我。",
    ],
}
A_STORY_SAYS_SO = {
    "en": [
        "Chapter 93 ended with a hanging, and so did the landlord.",
        "The end of chapter seven was missing from every copy.",
        "Three thousand words, and not one of them was sorry.",
        "He wrote 3,120 words that night and burned them.",
        "Ten words.",
    ],
    "ko": [
        "93장 끝에 이르러 그는 책을 덮었다.",
        "총 5,200자를 새긴 비석이었다.",
        "약 서른 자쯤 되는 우물이었다.",
        "원고지 스물여섯 매가 불에 탔다.",
        "끝이 났다.",
    ],
    "zh": [
        "第九十三章完稿那天下了雪。",
        "全文約三千字，他背得一字不差。",
        "他數了數，共三千二百字。",
        "本章結束得太早，他說。",
        "那封信不過一百來字。",
        "完了。",
    ],
}


def notes_at_the_foot(line: str, language: str) -> float:
    """In a chapter that opens with a heading of its own, plain or of Markdown."""
    plain = PLAIN[language]
    counts = {
        measure("\n\n".join([head, plain, plain, line]), load_pack(language))["leaked_meta"].value
        for head in (HEADINGS[language], f"# {HEADINGS[language]}")
    }
    return counts.pop() if len(counts) == 1 else -1


READINGS = [
    (notes_in, 1, NOTES),
    (notes_in, 0, INNOCENT),
    (notes_at_the_foot, 1, COUNTS_AND_ENDS),
    (notes_at_the_foot, 0, A_STORY_SAYS_SO),
]
"""How a line is read, and whether it is a note there."""


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("notes", "count", "language", "line"),
    [(*way, k, line) for *way, lines in READINGS for k, v in lines.items() for line in v],
)
def test_a_line_about_the_text_is_a_note_and_one_of_the_story_is_none(
    notes: Callable[[str, str], float], count: int, language: str, line: str
) -> None:
    assert notes(line, language) == count


def lines_in(text: str, language: str) -> list[str]:
    reading = read(text, load_pack(language))
    return [reading.text[start:end] for start, end in working_notes(reading)]


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("ko", "[집필 완료]"),
        ("ko", "**작성 완료**"),
        ("ko", "_분량: 약 3,900자_"),
        ("ko", "_작성일: 2025-11-02_"),
        ("ko", "_Prose Writer 집필 완료_"),
        ("ko", "_최종 화_"),
        ("zh", "分节阅读 12"),
        ("zh", "------------ 分节阅读 7"),
        ("zh", "本书正在冲榜，还请各位把月票投过来！"),
        ("zh", "求推荐票，求支持。"),
    ],
)
def test_marks_of_the_desk_and_pleas_for_votes_are_no_story(language: str, line: str) -> None:
    story = {"ko": "배는 정오에 떠났다.", "zh": "船在正午离了岸。"}[language]
    assert lines_in(f"{story}\n\n{line}", language) == [line]


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("ko", "작성일을 적는 칸은 비어 있었다."),
        ("ko", "_분량이 너무 많았다._"),
        ("ko", "그는 마지막 장을 넘겼다."),
        ("zh", "选举那天，他请全村人吃饭，求他们把票投给自己。"),
        ("zh", "“请把月票投给我。”她在直播里说。"),
    ],
)
def test_lines_that_only_look_like_them_are_the_story(language: str, line: str) -> None:
    assert lines_in(line, language) == []


@pytest.mark.parametrize(
    ("language", "heading", "preview", "text"),
    [
        ("zh", "章节备注", "- 下章预告：船靠岸", "正文"),
        ("zh", "本章概要", "- 下章预告：船靠岸", "正文"),
        ("en", "Chapter notes", "Next chapter: the boat lands", "Prose"),
    ],
)
def test_a_block_of_notes_is_not_taken_apart_line_by_line(
    language: str, heading: str, preview: str, text: str
) -> None:
    story = {"zh": "船在正午离了岸。", "en": "The boat left at noon."}[language]
    assert lines_in(f"{story}\n\n{preview}", language)
    before = f"## {heading}\n\n{preview}\n\n## {text}\n\n{story}"
    behind = f"{story}\n\n## {heading}\n\n{preview}"
    assert lines_in(before, language) == lines_in(behind, language) == []


SIGNED = {
    "en": [
        "Read this chapter at WWW.Example.com first!",
        "{{user}} smiles",
        "More on P@TREON, link there",
        "It is all there, LINK IN BIO",
        "Come to Discord.gg for talk",
        "Ten Advanced Chapters wait for you",
        "RATE & REVIEW",
        "Rate and review, all of you",
        "PLEASE Vote, Comment and Share",
        "pls vote and review",
        "Don’t Forget To rate and comment",
        "Remember to follow and share",
        "Be Sure to leave a review",
        "Feel Free to leave me a comment",
        "Read ahead on PATREON",
        "Early access on Ko-Fi",
        "Extra chapters on my kofi",
        "Read ahead at Royal Road",
        "Read ahead at RoyalRoad",
        "Follow me on Wattpad",
        "Bonus chapters on ScribbleHub",
        "Follow me on Webnovel",
        "Join my DISCORD",
        "This chapter Contains blood",
        "Purchase the next chapter now",
        "BUY more chapters",
        "Unlock this chapter",
        "Subscribe for more chapters",
    ],
    "ko": [
        "최신 소설은 https://novels.example 에서",
        "{{user}} smiles",
        "다음 장면을 쓸까요?",
        "이대로 이어갈까요?",
        "계속 진행할까요?",
        "더 계속할까요?",
        "조금 수정해 드릴까요?",
        "추천과 댓글 부탁드립니다",
        "추천, 댓글 꼭 눌러주세요",
        "떡밥 회수",
        "복선 깔기",
        "다음 화는 하루 쉬어갑니다",
        "이번 주는 쉽니다",
        "무단 전재를 금지합니다",
        "불법 공유는 처벌 대상이 됩니다",
        "내일은 휴재합니다",
        "오늘은 연참입니다",
        "앱에서 더 읽기",
        "시점을 통일했습니다",
        "대사를 다듬었습니다",
        "묘사를 보강했습니다",
        "선작 부탁드려요",
        "재미있게 보셨다면 추천 부탁드립니다",
        "더 필요하신 것이 있으면 말씀해 주세요",
        "수정이 필요하시면 알려 주십시오",
    ],
    "zh": [
        "最新章节请到 www.example.com 阅读",
        "{{user}} smiles",
        "请回复“继续”，我会写下一段。",
        "請輸入「繼續」",
        "本站小说未经授权，谢绝转载。",
        "盜版必究",
        "求月票，求推薦票！",
        "请大家投推荐票支持！",
    ],
}
"""Notes of the forms that a line has only with certain signs, in both scripts and in capitals."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_form_that_is_tried_only_beside_its_signs_stands_nowhere_without_one(
    language: str,
) -> None:
    forms = load_pack(language).leak_lines
    texts = itertools.chain(
        texts_of(language, "learned", "first"), texts_of(language, "learned", "second")
    )
    lines = [line for paragraphs, _ in texts for part in paragraphs for line in part.splitlines()]
    alike = [
        line
        for line in [*lines, *SIGNED[language]]
        if any(form.match(line) for _, form in forms.of_signs)
    ]
    assert set(SIGNED[language]) <= set(alike)
    assert [line for line in alike if not forms.match(line)] == []
