"""Notes about the text that are named and not cut: a person's to readers, the place of a picture,
the label of a preview, a comment within code, and a line of a panel, a list or a plan that the
story shows."""

from __future__ import annotations

import re
from itertools import takewhile

from studio.story.chapter import Paragraph
from studio.text.prose.parse import Reading, note_lines

_PICTURE = re.compile(
    r"[\W_]*(?:fig(?:ure)?|image|img|illust(?:ration)?|photo|picture|삽화|그림|이미지|사진"
    r"|插[图圖]|[图圖]片?|照片)(?:graph)?[ \t]?\d{0,3}[ \t]?[:：_].*"
    r"|\W*(?:illustration|삽화|插[图圖])\W*|!\[.*\]\(.*\)\s*",
    re.IGNORECASE,
)
"""Matches where a picture goes: `{{fig:harbour}}`, `[image: the harbour]`, `![](harbour.png)`."""
_PREVIEW = re.compile(
    r"[\W_]*(?:下一?[章回节節话話集]预告|下一?[章回节節话話集]預告|다음 ?[화편회장] ?예고"
    r"|next (?:chapter|episode|time)(?: preview)?)[\W_]*",
    re.IGNORECASE,
)
"""Matches a label without which the lines below it would stand there alone."""
_FRAMES = re.compile(r"(?P<open>[\[【［〔<〈])[^\n]*[\]】］〕>〉]$")
_LABEL = re.compile(r"[^\W\d_][^:：.!?。！？“”\"「」\n]{0,23}[:：][ \t　]*\S")
_OF_THE_TEXT = re.compile(
    r"\b(?:chapters?|scenes?|episodes?|pov|point of view|readers?|words?|drafts?|outlines?"
    r"|foreshadow\w*|prose|paragraphs?|characters?|beats?|authors?|editors?|plot|ai|tone|pacing)\b"
    r"|장면|시점|회차|독자|글자|초고|복선|문단|원고|등장 ?인물|작가|편집|전개|몰입"
    r"|^\W*[a-z0-9]+_\w+\W*[:：=]|章|场景|場景|视角|視角|读者|讀者|字数|字數|初稿|伏笔|伏筆|段落|出场|大纲|大綱|作者|编辑|正文|剧情|情节",
    re.IGNORECASE,
)
"""Words of a text and names of a file's fields, which no panel of a story has."""
_FEWEST = 3
"""The least number of lines of one build that are a panel, a list or a plan."""
_CODE = re.compile(r".*[;{}]$|[^.!?]*(?:=>|\(\)|\w = \S)")
_QUOTED = re.compile(r"[“\"‘「『]([^“”\"‘’「」『』\n]{2,40})[”\"’」』]")


def is_of_the_story(own: Paragraph, line: str, reading: Reading) -> bool:
    """Whether a note is not proposed for a cut, because the story shows it or needs what stands
    there."""
    if _PICTURE.fullmatch(line) or _PREVIEW.fullmatch(line):
        return True
    if line.startswith("//") and _is_in_code(own, reading):
        return True
    if _OF_THE_TEXT.search(line):
        return False
    return _is_of_a_panel(own, line, reading) or _is_answered(own, line, reading)


def _is_in_code(own: Paragraph, reading: Reading) -> bool:
    """Whether a comment stands within code that the story shows."""
    if reading.text.count("```", 0, own.start) % 2:
        return True
    return any(
        _CODE.match(part.text)
        for beside, part in reading.prose
        if beside.scene == own.scene and abs(beside.number - own.number) == 1
    )


def _build(line: str) -> str:
    """Returns how a line is built: its bracket, a colon behind a label, or nothing."""
    bare = line.strip("*_ \t　")
    if frame := _FRAMES.match(bare):
        return frame["open"]
    return ":" if _LABEL.match(bare) else ""


def _is_of_a_panel(own: Paragraph, line: str, reading: Reading) -> bool:
    """Whether a note is one line among others of its build, most of them no notes."""
    build = _build(line)
    if not build or "\n" in line:
        return False

    def is_alike(row: str) -> bool:
        return _build(row) == build

    beside = [(p.start, part.text) for p, part in reading.parts if p.scene == own.scene]
    before = [text for start, text in beside if start < own.start]
    behind = [text for start, text in beside if start > own.start]
    block = [*takewhile(is_alike, reversed(before)), line, *takewhile(is_alike, behind)]
    notes = sum(bool(note_lines(row, reading.pack)) for row in block)
    return len(block) >= _FEWEST and 2 * notes < len(block)


def _is_answered(own: Paragraph, line: str, reading: Reading) -> bool:
    """Whether the next paragraph takes up words that the note has in quotation marks."""
    words = _QUOTED.findall(line)
    behind = next((part.text for p, part in reading.parts if p.start > own.start), "")
    return any(word in behind for word in words)
