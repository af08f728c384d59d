"""The types of directives."""

from __future__ import annotations

from enum import StrEnum


class DirectiveType(StrEnum):
    """The nine kinds of the seed (A9), and four of ours: `cut`, `fact-correction`, `specificity`
    and `wording`."""

    SHOW_NOT_TELL = "show-not-tell"
    FILTER_WORD_REMOVAL = "filter-word-removal"
    SENSORY_ENRICHMENT = "sensory-enrichment"
    RHYTHM_VARIATION = "rhythm-variation"
    DIALOGUE_SUBTEXT = "dialogue-subtext"
    CLICHE_REPLACEMENT = "cliche-replacement"
    TRANSITION_SMOOTHING = "transition-smoothing"
    VOICE_CONSISTENCY = "voice-consistency"
    PROOFREADING = "proofreading"
    CUT = "cut"
    FACT_CORRECTION = "fact-correction"
    """Words that contradict the chapter itself, or the book."""
    SPECIFICITY = "specificity"
    """A general word where this book would name a concrete thing."""
    WORDING = "wording"
    """A sentence no native writer would build."""


def _named(kind: DirectiveType, *names: str) -> dict[str, DirectiveType]:
    return dict.fromkeys(names, kind)


OTHER_NAMES = {
    **_named(
        DirectiveType.SHOW_NOT_TELL,
        *("show-dont-tell", "show-do-not-tell", "telling", "showing", "show"),
        *("말하지-말고-보여주기", "보여주기", "展示而非讲述", "展示", "展示而非告诉"),
    ),
    **_named(
        DirectiveType.FILTER_WORD_REMOVAL,
        *("filter-word", "filter-words", "filter", "filtering", "filter-removal"),
        *("필터-단어", "필터-단어-제거", "필터워드", "过滤词", "滤镜词", "感知词"),
    ),
    **_named(
        DirectiveType.SENSORY_ENRICHMENT,
        *("sensory", "senses", "sensory-detail", "sensory-grounding", "grounding"),
        *("감각", "감각-보강", "감각-묘사", "感官", "感官描写", "感官细节"),
    ),
    **_named(
        DirectiveType.RHYTHM_VARIATION,
        *("rhythm", "sentence-rhythm", "monotony", "rhythm-monotony"),
        *("리듬", "리듬-변화", "문장-리듬", "节奏", "节奏变化"),
    ),
    **_named(
        DirectiveType.DIALOGUE_SUBTEXT,
        *("subtext", "dialogue", "dialog-subtext", "dialogue-sub-text"),
        *(
            "서브텍스트",
            "대사-서브텍스트",
            "대화-서브텍스트",
            "대사",
            "潜台词",
            "对话潜台词",
            "对话",
        ),
    ),
    **_named(
        DirectiveType.CLICHE_REPLACEMENT,
        *("cliche", "cliche-removal", "stock-phrase", "worn-phrase"),
        *("클리셰", "상투어", "상투어-교체", "陈词滥调", "套话", "套语"),
    ),
    **_named(
        DirectiveType.TRANSITION_SMOOTHING,
        *("transition", "transition-smooth", "전환", "장면-전환", "过渡", "衔接"),
    ),
    **_named(
        DirectiveType.VOICE_CONSISTENCY,
        *(
            "voice",
            "character-voice",
            "voice-drift",
            "목소리",
            "어조",
            "말투",
            "声音",
            "语气",
            "口吻",
        ),
    ),
    **_named(
        DirectiveType.PROOFREADING,
        *("proofread", "typo", "grammar", "spelling", "punctuation"),
        *("교정", "오탈자", "맞춤법", "校对", "错字", "错别字"),
    ),
    **_named(
        DirectiveType.CUT,
        *("delete", "deletion", "trim", "remove", "removal", "redundancy"),
        *("삭제", "덜어내기", "删减", "删除", "删去"),
    ),
    **_named(
        DirectiveType.FACT_CORRECTION,
        *("fact", "factual", "factual-correction", "fact-fix", "contradiction", "continuity"),
        *("사실-정정", "사실-수정", "모순", "설정-오류", "事实更正", "事实修正", "矛盾"),
    ),
    **_named(
        DirectiveType.SPECIFICITY,
        *("specific", "specific-detail", "concreteness", "구체성", "구체화", "具体", "具体化"),
    ),
    **_named(
        DirectiveType.WORDING,
        *("word-choice", "phrasing", "awkward-wording", "표현", "어휘", "措辞", "用词", "词语"),
    ),
}
"""What models call the types besides, in the three languages, as `as_asked.folded` gives it."""
