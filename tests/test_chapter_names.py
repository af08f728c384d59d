"""A chapter is called by the novel's own word wherever a sentence of ours names one by number."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from studio import i18n
from studio.chapter_names import with_noun, with_word
from studio.cli.program import catch, command_line
from studio.config.load import load_settings
from studio.errors import StudioError
from studio.i18n import _
from studio.messages import join, said
from studio.project.create import create_novel
from studio.text.language.packs import for_form, load_pack
from studio.tui.views.outline.row_text import chapter_beside_number

LINE = "Chapter {inflight} is in progress; chapter {chapter} has to wait for it."


@pytest.mark.parametrize(
    ("language", "word", "sentence"),
    [
        ("en", "episode", "Episode 3 is in progress; episode 4 has to wait for it."),
        ("en", "화", "3화 is in progress; 4화 has to wait for it."),
        ("ko", "화", "3화를 작업하는 중이어서 4화는 기다려야 합니다."),
        ("ko", "부", "3부를 작업하는 중이어서 4부는 기다려야 합니다."),
        ("ko", "편", "3편을 작업하는 중이어서 4편은 기다려야 합니다."),
        ("ko", "장", "3장을 작업하는 중이어서 4장은 기다려야 합니다."),
        ("ko", "episode", "episode 3을 작업하는 중이어서 episode 4는 기다려야 합니다."),
        ("zh", "回", "第3回正在写；它写完才轮到第4回。"),
        ("zh", "화", "3화正在写；它写完才轮到4화。"),
    ],
)
def test_a_sentence_names_a_chapter_by_the_novels_word(
    language: str, word: str, sentence: str
) -> None:
    i18n.use(language)
    i18n.call_chapters(word)
    ours = said(LINE, inflight=3, chapter=4)
    assert i18n.translate(ours) == sentence
    assert ours == "Chapter 3 is in progress; chapter 4 has to wait for it."  # on disk, in events


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_foreign_words_and_what_is_to_be_typed_keep_theirs(language: str) -> None:
    i18n.use(language)
    i18n.call_chapters("화")
    foreign = "Joss is alive in chapter 2. 3장은 비어 있다. 第4章。"
    assert i18n.translate(foreign) == foreign
    words = i18n.translate(join([said("{path}: {reason}", path="a", reason=foreign)]))
    assert foreign in words
    assert "`## Chapter {n}`" in with_word("`## Chapter {n}` {n}장", {"n": 1}, "ko", "화")


def test_several_chapters_are_named_in_one_breath() -> None:
    i18n.call_chapters("episode")
    assert _("chapters {numbers}", numbers="3, 4") == "episodes 3, 4"
    assert _("Chapters {first} to {last}", first=3, last=5) == "Episodes 3 to 5"
    i18n.use("ko")
    i18n.call_chapters("화")
    assert i18n.translate(said("chapters {first} to {last}", first=3, last=5)) == "3~5화"


def test_a_title_that_is_only_the_number_gives_way_to_the_word() -> None:
    i18n.use("ko")
    assert chapter_beside_number(3, "제3장") == ("", "제3장")
    i18n.call_chapters("화")
    assert chapter_beside_number(3, "제3장") == ("", "3화")
    assert chapter_beside_number(3, "등대지기") == ("3", "등대지기")


@pytest.mark.parametrize("word", ["한 줄\\n두 줄", "x" * 13, "{n}"])
def test_a_word_for_chapters_is_one_short_line(tmp_path: Path, word: str) -> None:
    (tmp_path / "studio.toml").write_text(f'[novel]\nchapter_word = "{word}"\n', "utf-8")
    with pytest.raises(StudioError) as refused:
        load_settings(tmp_path, {})
    assert "novel.chapter_word" in refused.value.problem.message


@pytest.mark.parametrize("language", ["ko", "zh"])
def test_no_translation_names_a_chapter_past_the_novels_word(language: str) -> None:
    """Wherever the English sentence says `chapter {n}`, its translation is found, too."""
    i18n.use(language)
    from tests.catalogues import catalogue

    missed = []
    for message in catalogue(language):
        ids = [message.id] if isinstance(message.id, str) else list(message.id)
        strings = [message.string] if isinstance(message.string, str) else list(message.string)
        if not ids[0] or with_word(ids[-1], {}, "en", "Folge") == ids[-1]:
            continue
        missed += [s for s in strings if with_word(s, {}, language, "화") == s]
    assert missed == []


@pytest.mark.parametrize(
    ("language", "word", "name"),
    [("ko", "화", "7화"), ("zh", "回", "第7回"), ("en", "episode", "episode 7")],
)
def test_commands_name_a_chapter_by_the_novels_word_and_json_stays(
    language: str, word: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "novel"
    create_novel(folder, "Salt", language)

    def printed(*arguments: str) -> str:
        catch(command_line, [*arguments, "--project", str(folder)])
        ended = capsys.readouterr()
        return ended.out + ended.err

    i18n.use(language)
    status = printed("status", "--json")
    assert name not in printed("rebuild", "7").lower()
    printed("config", "set", "novel.chapter_word", word)
    assert name in printed("rebuild", "7").lower()
    assert name in printed("write", "7").lower()
    assert printed("status", "--json") == status


# req: K3
@pytest.mark.parametrize(
    ("language", "word", "sentence", "named"),
    [
        (
            "zh",
            "回",
            "逐章更新，前面章节不变，这些章节除外。",
            "逐回更新，前面各回不变，这几回除外。",
        ),
        ("zh", "回", "哪些章节？全部章节，第{n}章。", "哪几回？全部各回，第{n}回。"),
        (
            "zh",
            "回",
            "正在写的章节；章节号；印章；别章的说法",
            "正在写的章节；章节号；印章；别回的说法",
        ),
        ("zh", "回", "本章", "本回"),
        ("zh", "回", "2 章", "2 回"),
        ("zh", "回", "一章", "一回"),
        ("zh", "回", "章", "回"),
        ("ko", "화", "이 장에서 거둘 것. {n}장의 끝", "이 회차에서 거둘 것. {n}화의 끝"),
    ],
)
def test_chapters_that_are_counted_have_the_novels_word(
    language: str, word: str, sentence: str, named: str
) -> None:
    assert with_noun(with_word(sentence, {"n": 3}, language, word), language, word) == named


# req: K3
def test_no_chinese_translation_calls_her_chapters_by_another_word() -> None:
    """章节 is left to chapters of published prose, and to the words of the setting itself."""
    from tests.catalogues import catalogue

    left = []
    for message in catalogue("zh"):
        strings = [message.string] if isinstance(message.string, str) else list(message.string)
        for one in strings:
            named = with_noun(with_word(one, {}, "zh", "回"), "zh", "回")
            plain = re.sub(r"`[^`]*`|印章|篇章|已?出版的章节|章节的叫法|新章节|：章节、", "", named)
            left += [named] * ("章" in plain)
    assert left == []


# req: K3
@pytest.mark.parametrize(
    ("language", "word", "name", "label"),
    [
        ("ko", None, "제3화", "3화에서 이렇게 심었다: 등불"),
        ("zh", None, "第3回", "第3回是这样埋下的：등불"),
        ("ko", "부", "제3부", "3부에서 이렇게 심었다: 등불"),
        ("ko", "", "제3장", "3장에서 이렇게 심었다: 등불"),
        ("zh", "", "第3章", "第3章是这样埋下的：등불"),
        ("en", None, "Chapter 3", "It was planted in chapter 3: 등불"),
    ],
)
def test_prompts_name_a_chapter_by_the_novels_word(
    language: str, word: str | None, name: str, label: str
) -> None:
    pack = for_form(load_pack(language), word != "", word)
    assert pack.chapter(3) == name
    planted = "It was planted in chapter {chapter}: {words}"
    assert pack.label(planted, chapter=3, words="등불") == label


@pytest.mark.parametrize(
    ("language", "word", "title", "sentence"),
    [
        ("en", "", "Chapter 1", "Chapter 1 is up to date."),
        ("en", "", "Fog", "Chapter 1: “Fog” is up to date."),
        ("ko", "화", "제1화", "1화: 최신입니다."),
        ("ko", "", "안개", "1장 “안개”: 최신입니다."),
        ("zh", "回", "第1回", "第1回已是最新。"),
        ("zh", "回", "雾", "第1回“雾”已是最新。"),
    ],
)
def test_a_chapter_without_a_title_of_its_own_is_not_named_twice(
    language: str, word: str, title: str, sentence: str
) -> None:
    from studio.pipeline.events import CommittedEvent
    from studio.tui.views.pages.rebuild import progress

    i18n.use(language)
    i18n.call_chapters(word)
    event = CommittedEvent(chapter=1, title=title, sha256="", badges=(), commit_id="r1")
    assert [phrase.text for line in progress([event]) for phrase in line] == [sentence]
