"""What a writer may type for a command whose name she does not know."""

from __future__ import annotations

_WORDS: dict[str, str] = {
    "usage": "cost costs price prices pricing spend spending spent money budget bill tokens 비용 "
    "가격 요금 费用 花费 价格",
    "status": "word words wordcount word-count word_count count length progress stats statistics "
    "today info show 단어 글자 글자수 분량 진행 상태 字数 进度 状态",
    "plan list": "outline chapters chapter toc contents synopsis plans "
    "개요 목차 줄거리 大纲 目录 提纲",
    "history": "undo versions version restore revert backup backups diff "
    "되돌리기 기록 历史 版本 撤销",
    "bible": "character characters people person cast places world wiki facts names lore "
    "인물 등장인물 설정집 세계관 人物 角色 设定",
    "bible rename": "rename",
    "export": "epub docx pdf word-export print publish compile output save save-as "
    "내보내기 출판 导出",
    "published": "platform platforms upload uploaded 연재 发布",
    "directives": "review reviews accept reject suggestions suggestion fixes fix feedback comments "
    "revise edits 검토 제안 审阅 建议",
    "proposals": "propose change changes edit",
    "resume": "continue go on",
    "write": "next draft generate run begin-chapter 쓰기 写作",
    "find": "search grep look 찾기 검색 查找 搜索",
    "replace": "substitute swap 바꾸기 替换",
    "promises": "foreshadowing threads thread setups payoffs 복선 伏笔",
    "continuity": "contradictions contradiction mistakes errors inconsistencies 모순 矛盾",
    "check": "measure measures metrics readability score lint proofread style-check 검사 检查",
    "config": "settings setting options preferences set language key keys api-key apikey 설정 设置",
    "exemplars": "style voice samples 문체 文风",
    "context": "prompt prompts preview",
    "decide": "answer answers question questions decision choose",
    "retire": "kill die remove-character",
    "new": "init create novel book setup 새로 新建",
    "try": "demo sample tutorial example",
    "help": "man manual docs documentation guide 도움말 帮助",
    "authorship": "who author authors wrote",
    "volume": "volumes part parts act acts season",
    "import": "load open-file bring 가져오기 导入",
    "brief": "report summary summaries recap",
    "waivers": "ignore waive allow",
}
"""Commands, with the words that have another name for what they do."""
_COMMANDS = {word: command for command, words in _WORDS.items() for word in words.split()}


def command_meant_by(word: str) -> str:
    """Returns the command that does what a word asks for; an empty string if none is known."""
    return _COMMANDS.get(word.lower(), "")
