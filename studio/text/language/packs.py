"""Language packs: everything this package knows of Korean, English and Chinese, as data.

The phrases that models write far more often than people do (PROSE 4) come with the supporting
counts. We compiled them from a comparison of frequencies; docs/prose.md names the texts. A language
without machine prose of documented origin has no such list.
"""

from __future__ import annotations

import itertools
import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from studio.chapter_names import USUAL_WORDS, label_of, numbered_title, with_noun, with_word
from studio.errors import usage
from studio.i18n import LANGUAGES, Language
from studio.messages import said
from studio.story.review.directive import DirectiveType
from studio.text.language.lexicon import (
    HERE,
    LOOKALIKE,
    TAG,
    Lexicon,
    PerceptionRule,
    TagRule,
)

_WORN_PHRASES_FILE = Path(__file__).parent / "worn_phrases.json"


@dataclass(frozen=True, slots=True)
class WornPhrase:
    """One phrase and its frequencies."""

    words: str
    """The phrase as a word list has it; `~` stands for any ending."""
    n: int
    """The number of times it stands in machine prose."""
    texts: int
    """The number of machine texts that contain the phrase."""
    published: int
    """The number of occurrences in the published prose used for comparison."""
    ratio: float
    """The frequency in machine prose divided by that in published prose, per word; half an
    occurrence is added to the published ones to avoid division by zero."""


@cache
def worn_phrases(language: str) -> tuple[WornPhrase, ...]:
    """Returns the phrases of `ko`, `en` or `zh`, the most certain first."""
    data = json.loads(_WORN_PHRASES_FILE.read_text(encoding="utf-8"))
    return tuple(WornPhrase(**entry) for entry in data.get(language, {}).get("phrases", ()))


_MANNERS_FILE = Path(__file__).with_name("manner.toml")


@cache
def _wordings() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Maps each family of words for a manner to its words, by language."""
    data = tomllib.loads(_MANNERS_FILE.read_text("utf-8"))
    return {name: words for group in data.values() for name, words in group.items()}


@cache
def _families() -> Mapping[str, str]:
    """Maps every word for a manner, in lowercase, to its family."""
    return {
        word.casefold(): name
        for name, wordings in _wordings().items()
        for words in wordings.values()
        for word in words
    }


def same_manner(one: str, other: str) -> bool:
    """Whether two words for a kind of scene, a point of view, a tone or a pace mean the same."""
    first, second = one.strip().casefold(), other.strip().casefold()
    families = _families()
    return first == second or (first in families and families[first] == families.get(second))


def manner_words(value: str, language: str) -> str:
    """Returns a value that code has for a manner, `fast` for instance, as a reader of a language is
    shown it: `빠름`. Every other word is its author's and stays as it is."""
    wording = _wordings().get(value)
    return wording[language][0] if wording and language in wording else value


SENSES = ("sight", "sound", "smell", "touch", "taste")
Threshold = Mapping[str, float]
"""`min` (passes at or above) and `max` (fails at or above); either may be missing."""

_FOLDER = Path(__file__).parent
_CHOICE = re.compile(r"\(([^()]*)\)")
_CLASS_OR_CHARACTER = re.compile(r"\[\^?(?:\\.|[^\]\\])*\]|\\?.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Wording:
    """The texts of a code directive for one metric, in the novel's language, for `str.format`."""

    issue: str
    instruction: str
    none: str = ""
    """The issue text for a complete absence, where `0` would look like a bug."""
    ours: str = ""
    """The issue text for words of the studio's list, where the writer has a list of her own."""


@dataclass(frozen=True, slots=True)
class CraftRule:
    """A rule of a language's prose, and how it shows that an author writes against it."""

    text: str
    metric: str = ""
    """The metric whose places are what the rule speaks of."""
    pattern: str = ""
    """A regular expression of what it speaks of."""
    is_of_a_chapter: bool = False
    """Whether it speaks of a scene or a chapter as a whole, so that a passage can neither keep nor
    break it: how one opens, holds back and ends."""
    about: str = ""
    """A regular expression of what a book has to be about for the rule to be told; any book without
    one."""
    unless: str = ""
    """A regular expression of what an author's style profile says who writes otherwise."""
    types: frozenset[DirectiveType] = frozenset()
    """The kinds of rewriting that are done by it, or that easily go against it; none for a rule of
    a whole scene or chapter."""


@dataclass(frozen=True, slots=True)
class LineForms:
    """The forms of lines of one kind. Those that no line has without certain signs name these in
    their table, and are tried only where one of the signs stands."""

    of_any: re.Pattern[str]
    signs: re.Pattern[str]
    of_signs: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]
    """The signs of each such form, and the form."""

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Matches the line of a text that begins at `start`."""
        if match := self.of_any.match(text, start):
            return match
        end = text.find("\n", start)
        small = text[start : end if end >= 0 else len(text)].casefold()
        if self.signs.search(small):
            for signs, form in self.of_signs:
                if signs.search(small) and (match := form.match(text, start)):
                    return match
        return None


@dataclass(frozen=True, slots=True)
class TalkRule:
    """Words with which somebody speaks of a text to whoever writes, makes or reads it."""

    parts: re.Pattern[str]
    """Parts and properties of a text: the next chapter, past tense, the opening."""
    orders: re.Pattern[str]
    """What a writer is told to do."""
    readers: re.Pattern[str]
    """What readers do, and the platforms where they read."""
    offers: re.Pattern[str]
    """What an assistant offers."""
    ends: re.Pattern[str]
    """How a line ends that is said to somebody."""
    narrator: re.Pattern[str]
    """A narrator's voice, which such a line does not have."""


@dataclass(frozen=True, slots=True)
class MetricName:
    """The name and explanation of a metric for a writer."""

    label: str
    meaning: str


@dataclass(frozen=True, slots=True)
class EndingRule:
    """When two sentences close (or open) alike.

    last-syllable (ko): the last syllable, 다 요 지 까 ..., or a listed noun that ends like a verb;
    last-word (en): the last word; last-particle (zh): the last character if it is a listed
    particle, otherwise the sentence matches no other. Openings are the first word; in Chinese a
    listed pronoun, otherwise the first two characters.
    """

    kind: Literal["last-syllable", "last-word", "last-particle"]
    particles: frozenset[str] = frozenset()
    openings: frozenset[str] = frozenset()
    nouns: re.Pattern[str] | None = None
    """Matches nouns with verb-like endings at the end of a sentence: 바다, 편지."""
    noun_tails: frozenset[str] = frozenset()
    """The last two syllables of each such noun, for a quick rejection."""


@dataclass(frozen=True, slots=True)
class ContrastRule:
    """How a language expresses "not this but that"."""

    hints: tuple[str, ...]
    """Literal strings, one of which occurs in every such sentence."""
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class SubjectRule:
    """How the first word of a sentence identifies its subject."""

    of: Mapping[str, str]
    """Maps words to the subject they stand for, or to an empty string if they are no subject."""
    particles: tuple[str, ...]
    """Endings of a subject (ko); in a language without them any content word is a subject."""


@dataclass(frozen=True, slots=True)
class SentenceRule:
    """What ends a sentence besides its mark, and what does not."""

    abbreviations: frozenset[str]
    before_number: frozenset[str]
    """Words that are abbreviations only before a number: `no. 5`."""
    carries_on: frozenset[str]
    """Words that continue the sentence after a closing quotation mark."""
    behind_quote: frozenset[str]
    """Words that continue a sentence only after such a mark; elsewhere they may begin one."""
    closing_syllables: str
    """Syllables after which an ellipsis ends a sentence."""
    starters: frozenset[str] = frozenset()
    """Lowercase words whose capital begins a sentence, even after an abbreviation."""
    tags: re.Pattern[str] = re.compile("(?!)")
    """Matches verbs that name the speaker, in the forms a tag has."""


@dataclass(frozen=True, slots=True)
class LevelRule:
    """The speech levels of a language that has any."""

    report_line: str
    """The report's line about speech levels; a `str.format` text."""
    of_ending: Mapping[str, str]
    """Maps the ending of a spoken sentence to its level."""
    polite: frozenset[str]
    plain: frozenset[str]
    """The plain levels; two people keep to these or to the others."""
    plain_endings: tuple[str, ...]
    """Endings that are certainly plain; others may be said to oneself."""


@dataclass(frozen=True, eq=False)
class LanguagePack:
    """One language. Packs are compared by identity; `load_pack` always returns the same object."""

    language: Language
    unit: Literal["characters", "words"]
    """The unit of densities: non-space characters (ko, zh) or words (en)."""
    lexicon: Lexicon
    perception: PerceptionRule
    tags: TagRule
    endings: EndingRule
    sentence: SentenceRule
    contrast: ContrastRule
    subjects: SubjectRule
    function_words: frozenset[str]
    counters: tuple[str, ...]
    """Counters, which distinguish a numeral from the same syllables elsewhere."""
    thresholds: Mapping[str, Threshold]
    telling: frozenset[str]
    """Metrics that distinguish published prose from other prose in this language: an extreme value
    of any other is no reason for a proposal (PROSE 2)."""
    leak_lines: LineForms
    """Matches lines that belong to an outline or to an assistant's phrases."""
    leak_headings: re.Pattern[str]
    """Matches headings, which only the beginning of a chapter may have."""
    talk: TalkRule
    wordings: Mapping[str, Wording]
    metric_names: Mapping[str, MetricName]
    sense_names: Mapping[str, str]
    report: Mapping[str, str]
    levels: LevelRule
    advice: Mapping[str, str]
    """The report's texts about a chapter without a proposed fix, for `str.format`."""
    craft: tuple[CraftRule, ...]
    """Rules of the language's prose, for the agents that write a book of chapters."""
    serial_craft: tuple[CraftRule, ...]
    """The same for a serial, whose episodes open, hold back and break off by rules of their own
    (SERIAL 3)."""
    time_words: tuple[str, ...]
    """Words by which a scene plan says that time has passed (seed A6)."""
    continue_story: str
    """What a small model, which follows a line or two, is asked, in the language it is to write."""
    labels: Mapping[str, str]
    """What stands above and before a novel's own words in a prompt, by its English words; empty for
    English."""
    is_serial: bool = False
    """Whether the novel is a serial, which is compared with no published prose."""
    chapter_word: str = ""
    """What a novel in Korean or Chinese calls its chapters; empty for the language's own word."""

    @property
    def minimum(self) -> int:
        """The number of units below which densities give no verdict (DESIGN section 7)."""
        return 500 if self.unit == "characters" else 100

    @property
    def least_doubled(self) -> int:
        """The number of units from which a repeated paragraph is no refrain."""
        return 60 if self.unit == "characters" else 20

    @property
    def comma(self) -> str:
        """The separator between the items of a list."""
        return "、" if self.language == "zh" else ", "

    @property
    def full_stop(self) -> str:
        """What ends a sentence."""
        return "。" if self.language == "zh" else "."

    def label(self, words: str, /, **values: object) -> str:
        """Returns a label of a prompt's material in the novel's language, with its `{fields}`
        filled: among the book's own words it is read as one of them."""
        label = self.of_chapters(self.labels.get(words, words), values)
        return label.format(**values) if values else label

    def of_chapters(self, words: str, values: Mapping[str, object] = MappingProxyType({})) -> str:
        """Returns words of ours in the novel's language, their `{fields}` not yet filled, with the
        novel's own word for its chapters: `이 회차`, `第{chapter}回`."""
        if not self.chapter_word:
            return words
        named = with_word(words, values, self.language, self.chapter_word)
        return with_noun(named, self.language, self.chapter_word)

    def labelled(self, label: str, words: str) -> str:
        """Returns words behind a label of ours, several lines of them below it."""
        return self.headed(self.label(label), words)

    def headed(self, name: str, words: str) -> str:
        """Returns words behind a name of the book's own, or others that stay as they are: a family
        name that is written like our word for a chapter is none. A list stands below it."""
        colon = "：" if self.language == "zh" else ":"
        between = "" if self.language == "zh" or not words else " "
        between = "\n" if "\n" in words or words.startswith("- ") else between
        return f"{name}{colon}{between}{words}"

    def aside(self, words: str) -> str:
        """Returns words in the parentheses of the language, behind others; only English has a
        blank before them."""
        if self.language == "zh":
            return f"（{words}）"
        return f"({words})" if self.language == "ko" else f" ({words})"

    def chapter(self, number: int) -> str:
        """Returns what a chapter is called in a prompt's material: `Chapter 3`, `제3장`, in a
        serial `제3화`, `第3回`."""
        return numbered_title(label_of(number), self.language, self.chapter_word)

    @property
    def window(self) -> int:
        """The units of narration in a window in which the senses are counted (seed A16)."""
        return self.minimum

    def with_phrases(self, phrases: Iterable[str]) -> LanguagePack:
        """Returns the pack with the writer's own blacklist: its phrases count as clichés."""
        return _with_phrases(self, tuple(phrases))


@lru_cache(maxsize=8)
def for_form(pack: LanguagePack, is_serial: bool, word: str | None = None) -> LanguagePack:
    """Returns the pack of a novel that is a serial, or is none, and of its word for chapters; by
    default the one that is usual in its language."""
    if word is None:
        word = USUAL_WORDS.get(pack.language, "") if is_serial else ""
    word = word if pack.labels else ""  # what English prompts say of chapters they say as well
    if not is_serial and not word:
        return pack
    return replace(pack, is_serial=is_serial, chapter_word=word)


def is_seeds(metric: str, threshold: Threshold | None, pack: LanguagePack) -> bool:
    """Whether a threshold is the default of the studio's method rather than the writer's own."""
    return bool(threshold) and threshold == pack.thresholds.get(metric)


@lru_cache(maxsize=8)
def _with_phrases(pack: LanguagePack, phrases: tuple[str, ...]) -> LanguagePack:
    if not phrases:
        return pack
    tail = "~" if pack.language == "ko" else ""
    lines = [phrase.strip().strip("~+") + tail for phrase in phrases if phrase.strip("~+ ")]
    return replace(pack, lexicon=pack.lexicon.extend("blacklist", lines))


@cache
def load_pack(language: str) -> LanguagePack:
    """Returns the pack of `ko`, `en` or `zh`; raises StudioError (exit 2) for any other."""
    if language not in LANGUAGES:
        raise usage(
            said("There is no language pack for {language}.", language=repr(language)),
            said("Use ko (Korean), en or zh (Chinese)."),
        )
    return _pack(tomllib.loads((_FOLDER / f"{language}.toml").read_text("utf-8")))


def _pack(data: Mapping[str, Any]) -> LanguagePack:
    language: Language = data["language"]
    leaks = data["leaks"]
    forms = _forms(data)
    notes = _working_notes()
    endings, sentence, contrast = data["endings"], data["sentences"], data["contrast"]
    return LanguagePack(
        language=language,
        unit=data["unit"],
        lexicon=Lexicon(_lists(data), language),
        perception=_perception(data["perception"], forms),
        tags=_tags(data["tags"], forms),
        endings=EndingRule(
            endings["kind"],
            frozenset(_in_both_scripts(endings.get("particles", ()), forms)),
            frozenset(_in_both_scripts(endings["openings"], forms)),
            _nouns(endings["nouns"]) if "nouns" in endings else None,
            frozenset(noun[-2:] for noun in endings.get("nouns", ())),
        ),
        sentence=SentenceRule(
            frozenset(sentence["abbreviations"]),
            frozenset(sentence["before_number"]),
            frozenset(sentence["carries_on"]),
            frozenset(sentence.get("behind_quote", ())),
            sentence["closing_syllables"],
            frozenset(sentence.get("starters", ())),
            _any_word(sentence.get("tags", ())),
        ),
        contrast=ContrastRule(
            tuple(_in_both_scripts(contrast["hints"], forms)),
            _any_of(
                _matching_both(contrast["patterns"], forms),
                *_matching_both([contrast.get("begins", "")], forms),
            ),
        ),
        subjects=_subjects(data["subjects"], forms),
        function_words=frozenset(data["words"]["function"]),
        counters=tuple(
            sorted(_in_both_scripts(data["words"]["counters"], forms), key=len, reverse=True)
        ),
        thresholds=data["thresholds"],
        telling=frozenset(data["proposals"]["telling"]),
        leak_lines=_line_forms([*leaks["lines"], *notes["every"], *notes[language]], forms),
        leak_headings=_any_line(_matching_both(leaks["headings"], forms)),
        talk=_talk(notes["talk"][language], forms),
        wordings={name: Wording(**words) for name, words in data["directives"].items()},
        metric_names={name: MetricName(**words) for name, words in data["metrics"].items()},
        sense_names=data["senses_named"],
        report=data["report"],
        levels=_levels(data.get("speech_levels", {})),
        advice=data["advice"],
        craft=_craft_rules(data["craft"]["rules"], "literary", forms),
        serial_craft=_craft_rules(data["craft"]["rules"], "serial", forms),
        time_words=tuple(_in_both_scripts(data["craft"]["time_words"], forms)),
        continue_story=data["craft"]["continue"],
        labels=data.get("labels", {}),
    )


def _craft_rules(
    rows: Iterable[Mapping[str, Any]], form: str, forms: Mapping[int, int]
) -> tuple[CraftRule, ...]:
    """Returns the rules of a form: those of every book, and those that name it."""
    return tuple(_craft_rule(row, forms) for row in rows if row.get("form", form) == form)


def _craft_rule(row: Mapping[str, Any], forms: Mapping[int, int]) -> CraftRule:
    patterns = _matching_both([row["pattern"]] if "pattern" in row else [], forms)
    is_of_a_chapter = row.get("of") == "chapter"
    about = "|".join(_matching_both([row["about"]] if "about" in row else [], forms))
    unless = "|".join(_matching_both([row["unless"]] if "unless" in row else [], forms))
    types = frozenset(map(DirectiveType, row.get("types", ())))
    metric = row.get("metric", "")
    return CraftRule(row["text"], metric, "|".join(patterns), is_of_a_chapter, about, unless, types)


def _perception(data: Mapping[str, Any], forms: Mapping[int, int]) -> PerceptionRule:
    return PerceptionRule(
        ahead=_any_in(_matching_both(data["ahead"], forms)),
        behind=_any_up_to_here(_matching_both(data["behind"], forms), data.get("begins", "")),
        others=_any_up_to_here(_matching_both(data["others"], forms)),
        narrator=_any_in(_matching_both(data["narrator"], forms)),
        core=_any_of(_matching_both([data["core"]], forms)),
        alone=data.get("alone", True),
    )


def _tags(data: Mapping[str, Any], forms: Mapping[int, int]) -> TagRule:
    parts = _matching_both((data[part] for part in ("behind", "ahead", "action", "form")), forms)
    return TagRule(*map(re.compile, parts))


def _subjects(data: Mapping[str, Any], forms: Mapping[int, int]) -> SubjectRule:
    same = {word: group[0] for group in data["same"] for word in _in_both_scripts(group, forms)}
    none = dict.fromkeys(_in_both_scripts(data["none"], forms), "")
    return SubjectRule(same | none, tuple(data["particles"]))


def _working_notes() -> dict[str, Any]:
    """Returns how outlines, projects, assistants and platforms speak of a text: lines of every
    language and of each, and words."""
    return tomllib.loads((_FOLDER / "working_notes.toml").read_text("utf-8"))


def _talk(data: Mapping[str, str], forms: Mapping[int, int]) -> TalkRule:
    both = {name: "|".join(_matching_both([words], forms)) for name, words in data.items()}
    return TalkRule(**{name: re.compile(words, re.IGNORECASE) for name, words in both.items()})


def _lists(data: Mapping[str, Any]) -> dict[str, list[str]]:
    """Returns every word list of a pack by its kind."""
    lists = {f"sense:{sense}": data["senses"][sense] for sense in SENSES}
    lists["filter"], lists["adverb"] = data["filter"], data["adverbs"]
    lists["cliche"] = [phrase.words for phrase in worn_phrases(data["language"])]
    lists[LOOKALIKE] = data["lookalikes"]
    lists[TAG] = data["tags"]["verbs"]
    lists = {kind: _spelled_out(lines) for kind, lines in lists.items()}
    lists["leak"] = [f"~{p}~" if data["language"] == "ko" else p for p in data["leaks"]["phrases"]]
    forms = _forms(data)
    return {kind: _in_both_scripts(lines, forms) for kind, lines in lists.items()}


def _forms(data: Mapping[str, Any]) -> Mapping[int, int]:
    """Maps simplified characters to their traditional forms, where the language has both."""
    both = data.get("traditional", {"simplified": "", "forms": ""})
    return str.maketrans(both["simplified"], both["forms"])


@cache
def simplified_forms() -> Mapping[int, int]:
    """Maps the traditional characters that the Chinese pack knows to their simplified forms."""
    both = tomllib.loads((_FOLDER / "zh.toml").read_text("utf-8"))["traditional"]
    return str.maketrans(both["forms"], both["simplified"])


def _spelled_out(lines: Iterable[str]) -> list[str]:
    """Expands alternatives: `could (|just )see` stands for `could see` and `could just see`."""
    entries: dict[str, None] = {}
    for line in lines:
        if "(" not in line:
            entries[line] = None
            continue
        parts = _CHOICE.split(line)
        choices = (part.split("|") if n % 2 else (part,) for n, part in enumerate(parts))
        spelled = map("".join, itertools.product(*choices))
        entries.update((" ".join(entry.split()), None) for entry in spelled)
    return list(entries)


def _any_word(words: Iterable[str]) -> re.Pattern[str]:
    spaced = (word.replace(" ", r"\s+") for word in words)
    return re.compile(rf"\b(?:{'|'.join(spaced) or '(?!)'})\b")


def _in_both_scripts(lines: Iterable[str], forms: Mapping[int, int]) -> list[str]:
    """Returns Chinese words as listed, and in traditional characters where those differ."""
    return list(dict.fromkeys(form for line in lines for form in (line, line.translate(forms))))


def _matching_both(patterns: Iterable[str], forms: Mapping[int, int]) -> list[str]:
    """Returns patterns whose simplified characters also match their traditional forms."""

    def either(part: re.Match[str]) -> str:
        as_written, other = part[0], part[0].translate(forms)
        added = "".join(b for a, b in zip(as_written, other, strict=True) if a != b)
        if not added:
            return as_written
        inside_class = as_written.removeprefix("[").removesuffix("]")
        return f"[{inside_class}{added}]"

    return [_CLASS_OR_CHARACTER.sub(either, pattern) for pattern in patterns]


def _nouns(words: Iterable[str]) -> re.Pattern[str]:
    """Compiles a list of nouns, in which `말` is the whole word and `~말` the end of one."""
    parts = (w[1:] if w.startswith("~") else f"(?<![가-힣]){w}" for w in words)
    return re.compile(f"(?:{'|'.join(parts)})$")


def _levels(data: Mapping[str, Any]) -> LevelRule:
    own = ("told", "polite", "plain", "plain_endings")
    levels = ((level, endings) for level, endings in data.items() if level not in own)
    return LevelRule(
        data.get("told", ""),
        {end: level for level, ends in levels for end in ends},
        frozenset(data.get("polite", ())),
        frozenset(data.get("plain", ())),
        tuple(data.get("plain_endings", ())),
    )


def _any_in(sources: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(sources) or "(?!)")


def _any_up_to_here(sources: Iterable[str], begins: str = "") -> re.Pattern[str]:
    """Compiles alternatives that match up to a `¦` and beyond, which are tried at each place before
    it, only where `begins` matches if it is given."""
    return re.compile(f"[^{HERE}]*?(?:{begins})(?:{'|'.join(sources) or '(?!)'})")


_INDENT = "^[ \\t\u3000]{0,8}"
"""What nearly every pattern of a line begins with."""


def _line_forms(rows: Sequence[str | Mapping[str, Any]], forms: Mapping[int, int]) -> LineForms:
    """Reads the rows of a table: a form, or `{ holds = [..], line = ".." }` with its signs."""
    of_signs = [
        (_any_sign(row["holds"], forms), _any_line(_matching_both([row["line"]], forms)))
        for row in rows
        if not isinstance(row, str)
    ]
    return LineForms(
        _any_line(_matching_both([row for row in rows if isinstance(row, str)], forms)),
        re.compile("|".join(signs.pattern for signs, _ in of_signs)),
        tuple(of_signs),
    )


def _any_sign(signs: Iterable[str], forms: Mapping[int, int]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, _in_both_scripts(signs, forms))))


def _any_line(sources: Sequence[str]) -> re.Pattern[str]:
    """Returns a pattern of the lines that any source matches, which passes an indent once and not
    once a source."""
    behind = "|".join(f"(?:{s[len(_INDENT) :]})" for s in sources if s.startswith(_INDENT))
    others = (source for source in sources if not source.startswith(_INDENT))
    return _any_of([f"{_INDENT}(?:{behind or '(?!)'})", *others])


def _any_of(sources: Iterable[str], begins: str = "") -> re.Pattern[str]:
    """Compiles alternatives, which are tried only where `begins` matches if it is given."""
    alternatives = "|".join(sources)
    return re.compile(
        f"(?:{begins})(?:{alternatives})" if begins else alternatives, re.IGNORECASE | re.MULTILINE
    )
