"""The schema of the settings: one frozen table per subject, with defaults and ranges.

`studio.config.load` determines where the values come from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    SecretStr,
    ValidationInfo,
    field_validator,
    model_validator,
)

from studio.chapter_names import USUAL_WORDS
from studio.config.masking import mask, without_secrets
from studio.i18n import Language

Role = Literal["deep", "standard", "fast"]
"""The role of a model, which decides which of the author's models is called."""
ROLES: tuple[Role, ...] = get_args(Role)
Effort = Literal["low", "medium", "high"]
"""How much effort a model puts into thinking, where the provider has such an option."""
Rewrites = Literal["well", "sampling", "no"]
"""Whether a model can rewrite a chapter: well, only with its sampling set, or not at all."""
ProviderName = Literal["anthropic", "embedded", "openai"]
Narration = Literal[
    "",
    "first",
    "first, looking back",
    "first, past",
    "first, past, looking back",
    "first, present",
    "first, present, looking back",
    "third",
    "third, looking back",
    "third, past",
    "third, past, looking back",
    "third, present",
    "third, present, looking back",
]
"""How a book is told: the person, the tense, and whether the teller looks back; empty if nobody
said it."""
BookForm = Literal["literary", "serial"]
"""Whether a book is made of chapters with scenes, or of episodes that readers get one by one."""
CharacterCount = Literal["with-spaces", "without-spaces"]
"""Which characters make up a length in Korean and Chinese."""
Weight = Annotated[float, Field(ge=0, le=100)]
SettingSource = Literal[
    "default", "probe", "user config", "studio.toml", "environment", "command line"
]
DirectiveKind = Literal[
    "show-not-tell",
    "filter-word-removal",
    "sensory-enrichment",
    "rhythm-variation",
    "dialogue-subtext",
    "cliche-replacement",
    "transition-smoothing",
    "voice-consistency",
    "proofreading",
    "cut",
    "fact-correction",
    "specificity",
    "wording",
]

LENGTHS: dict[BookForm, dict[str, dict[str, int]]] = {
    "literary": {
        "ko": {"scene_length": 1200, "chapter_length": 6000},
        "zh": {"scene_length": 1200, "chapter_length": 6000},
        "en": {"scene_length": 600, "chapter_length": 3000},
    },
    "serial": {
        "ko": {"scene_length": 2500, "chapter_length": 5000},
        "zh": {"scene_length": 2500, "chapter_length": 5000},
        "en": {"scene_length": 1200, "chapter_length": 2400},
    },
}
"""The default target lengths of each form and language; an episode has one scene or two."""
COUNTS: dict[str, CharacterCount] = {"ko": "with-spaces", "zh": "without-spaces"}
"""How a new novel counts lengths: as publishers and platforms of its language do."""
MOST_WANTED = 1_000_000
"""The largest target of a scene or chapter, in words or characters: the length of a few books."""


class SettingsTable(BaseModel):
    """A table of the settings: frozen and strict; unknown keys are refused by name."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, defer_build=True
    )


class NovelSettings(SettingsTable):
    """The title, language, genre and point of view of the book."""

    title: str = ""
    language: Language = "en"
    genre: str = ""
    point_of_view: str = ""
    narration: Narration = ""
    """Who tells and from when: `first` or `third`, `past` or `present`, perhaps `looking back`."""
    form: BookForm = "literary"
    """`serial`: the scenes of a chapter join without a break, and a model divides none unasked."""
    chapter_word: str = Field(
        default="", max_length=12, pattern=r"^[^\x00-\x1f\x7f\u2028\u2029{}]*$"
    )
    """How a chapter is called where one is named by its number: 화, 回, episode; empty in a serial
    for that of its language, in another book for the word of the interface's language."""

    @property
    def is_serial(self) -> bool:
        """Whether readers get the book episode by episode."""
        return self.form == "serial"

    @property
    def word_for_chapters(self) -> str:
        """How a chapter is called; "" for the word of the interface's language."""
        usual = USUAL_WORDS.get(self.language, "") if self.is_serial else ""
        return self.chapter_word or usual


class AuthorSettings(SettingsTable):
    """The writer, in all her novels. Never set by a novel."""

    name: str = Field(default="", max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")
    """The name that goes on the title page of a book; empty for none."""


class TargetSettings(SettingsTable):
    """Target lengths in characters for ko and zh, in words for en; the defaults follow language and
    form."""

    scene_length: int = Field(default=600, ge=100, le=MOST_WANTED)
    chapter_length: int = Field(default=3000, ge=100, le=MOST_WANTED)
    count: CharacterCount | None = None
    """Which characters count in Korean and Chinese; None counts them without spaces and says
    nothing of it. English counts words."""


class GenerationSettings(SettingsTable):
    """How models are asked for prose."""

    mode: Literal["standard", "prewriter"] = "standard"
    scenes: Literal["model", "plan"] = "model"
    """Who divides a chapter that needs more scenes than its plan has units: a model, or nobody, so
    that each unit is a scene (A1, WRITING 2). Older files call it `decompose`, and a plan
    `contract`."""
    max_steps: int = Field(default=10, ge=1, le=100)
    """The maximum number of steps in one generation, shared by prewriter and writer (C6)."""
    tools: Literal["off", "prewriter", "all"] = "prewriter"
    """Which agents may look things up in the book before they answer (C11)."""
    analyse: bool = False
    """Whether a model checks each chapter that enters the book against the earlier ones."""
    ask_first: bool = False
    """Whether, in ask mode, a model may ask up to three questions before a chapter."""
    prose_limit: int | None = Field(default=None, ge=0, le=MOST_WANTED)
    """The most characters of prose before a scene that its drafter sees, the chapter so far and the
    last pages of the chapter before together; None for all of both (C15)."""


class ModelSettings(SettingsTable):
    """The model id for each role."""

    deep: str = Field(default="claude-opus-5-5", min_length=1)
    standard: str = Field(default="claude-sonnet-5-5", min_length=1)
    fast: str = Field(default="claude-haiku-5-5", min_length=1)


class BudgetSettings(SettingsTable):
    """Spending caps in US dollars; None means no cap."""

    chapter_usd: float | None = Field(default=None, ge=0)
    day_usd: float | None = Field(default=None, ge=0)
    project_usd: float | None = Field(default=None, ge=0)


class Weights(SettingsTable):
    """The weight of each of the judge's eight scores; `dict(weights)` is the mapping.

    The names are those of `studio.story.review.evaluation`, a higher layer than this module.
    """

    plot_logic: Weight = 0.18
    character: Weight = 0.18
    immersion: Weight = 0.15
    style_naturalness: Weight = 0.15
    foreshadowing: Weight = 0.10
    pacing: Weight = 0.08
    emotional_impact: Weight = 0.08
    storyline_coherence: Weight = 0.08

    @model_validator(mode="after")
    def _something_counts(self) -> Weights:
        if not any(weight for _, weight in self):
            raise ValueError("at least one weight must be above 0")
        return self


class GateSettings(SettingsTable):
    """How the judge's scores are weighed, and how often a chapter may be sent back."""

    weights: Weights = Field(default_factory=Weights)
    revisions: int = Field(default=2, ge=0, le=2)


class ReviewSettings(SettingsTable):
    """The surgery rounds, and the directive types that need no approval."""

    rounds: int = Field(default=1, ge=1, le=3)
    auto_accept: tuple[DirectiveKind, ...] = Field(default=(), strict=False)


class RefineSettings(SettingsTable):
    """When the style refiner proposes line edits to a draft."""

    on: Literal["findings", "always", "off"] = "findings"
    """`findings`: where code has found something in the draft. Older files have true or false."""

    @field_validator("on", mode="before")
    @classmethod
    def _yes_or_no(cls, on: object) -> object:
        return {True: "findings", False: "off"}[on] if isinstance(on, bool) else on


class MetricTarget(SettingsTable):
    """The allowed range of a metric; it replaces the language's threshold."""

    min: float | None = None
    max: float | None = None

    @field_validator("max")
    @classmethod
    def _not_below_min(cls, value: float | None, info: ValidationInfo) -> float | None:
        low = info.data.get("min")
        if value is not None and low is not None and value < low:
            raise ValueError(f"max {value:g} lies below min {low:g}")
        return value


class EndpointProfile(SettingsTable):
    """What the writer knows about an endpoint; None leaves the value to the probe or the model's
    id."""

    window: int | None = Field(default=None, ge=512, le=100_000_000)
    max_output: int | None = Field(default=None, ge=64, le=100_000_000)
    judges: bool | None = None
    extracts: bool | None = None
    rewrites: Rewrites | None = None
    tools: bool | None = None
    cache: bool | None = None
    languages: tuple[Language, ...] | None = Field(default=None, strict=False)
    short_prompts: bool | None = None
    counts: bool | None = None
    thinks: bool | None = None


def _web_address(text: str) -> str:
    if not re.fullmatch(r"https?://[^\s/]\S*", text) or not _is_address(text):
        raise ValueError("it should be a web address that begins with http:// or https://")
    return text


def _is_address(text: str) -> bool:
    """Whether the text names a host and, if given, a valid port, in visible characters only."""
    try:
        parts = urlsplit(text)
        return text.isprintable() and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


class ServerSettings(SettingsTable):
    """The address of a provider's server, and the key that belongs to it."""

    api_key: SecretStr | None = None
    api_key_command: str | None = Field(default=None, min_length=1)
    """A command whose first line of output is the key; used where no `api_key` is set."""
    base_url: Annotated[str, AfterValidator(_web_address)] | None = None


class EmbeddedSettings(SettingsTable):
    """The model that runs in the studio's own process."""

    model_file: Path | None = Field(default=None, strict=False)
    """The GGUF file; None means the one that is installed."""


class ProviderSettings(SettingsTable):
    """How a model is reached, one table for each provider. Never read from a novel.

    Older files hold `api_key`, `base_url` and `model_file` in `[provider]` itself;
    `studio.config.load` assigns them to their provider.
    """

    name: ProviderName | None = None
    anthropic: ServerSettings = Field(default_factory=ServerSettings)
    openai: ServerSettings = Field(default_factory=ServerSettings)
    embedded: EmbeddedSettings = Field(default_factory=EmbeddedSettings)
    endpoints: dict[str, EndpointProfile] = Field(default={})
    """The endpoint profiles, by base URL or by the path of a GGUF file."""

    @property
    def servers(self) -> dict[Literal["anthropic", "openai"], ServerSettings]:
        """The providers that are servers, by name."""
        return {"anthropic": self.anthropic, "openai": self.openai}


class TimeoutSettings(SettingsTable):
    """Time limits in seconds: how long a call may stay silent, and how long it may take."""

    first_byte: float | None = Field(default=None, gt=0)
    """The default None means 30 for the vendor's host and 600 for any other (DESIGN section 10)."""
    idle: float = Field(default=120, gt=0)
    total: float = Field(default=1800, gt=0)
    pause: float = Field(default=30, ge=0)
    """The pause before retrying a call that timed out or met an overloaded service."""


class ModelPrice(SettingsTable):
    """The price of a model in US dollars per million tokens. Never read from a novel."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cache_read: float | None = Field(default=None, ge=0)
    """The default None means the same price as `input`."""
    cache_write: float | None = Field(default=None, ge=0)
    """The default None means 25 % more than `input`."""


class BackupSettings(SettingsTable):
    """Dated copies of the whole novel, made when the app closes it. Never set by a novel."""

    on_close: bool = True
    keep: int = Field(default=10, ge=1, le=1000)
    """The number of backups kept for each novel; the oldest are deleted."""
    folder: Path | None = Field(default=None, strict=False)
    """The backup folder; None means `backups` in the state folder."""


class LogSettings(SettingsTable):
    """Which records of model calls are kept in full."""

    whole_chapters: int = Field(default=20, ge=0, le=100_000)
    """The number of newest chapters whose records stay complete; older records are packed. 0 keeps
    all of them complete."""


class TuiSettings(SettingsTable):
    """How the app displays prose. Never set by a novel."""

    measure: int = Field(default=70, ge=30, le=200)
    """The maximum line width of prose in columns, in the text and in the editor; a Chinese or
    Korean character takes two columns."""
    ambiguous: Literal["auto", "narrow", "wide"] = "auto"
    """How wide the terminal draws characters of ambiguous width, such as quotation marks: `wide` is
    two columns, `auto` asks the terminal at the start."""
    compact: bool = False
    """Whether the text page shows paragraphs without a blank line between them, and the number of
    every fifth."""
    spelling: str = Field(default="auto", pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$")
    """The spelling dictionary: `auto` for the novel's language, `off`, or a dictionary's name such
    as en_GB."""


class GoalSettings(SettingsTable):
    """The author's goals, in words (en) or characters as `targets.count` has it (ko, zh)."""

    sitting: int | None = Field(default=None, ge=1, le=1_000_000)
    book: int | None = Field(default=None, ge=1, le=100_000_000)
    due: str | None = Field(default=None, pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")
    """The day on which the book should be finished, such as 2027-03-14."""


class Settings(SettingsTable):
    """All settings. Created by `load_settings` and passed on, never global."""

    novel: NovelSettings = Field(default_factory=NovelSettings)
    targets: TargetSettings = Field(default_factory=TargetSettings)
    goals: GoalSettings = Field(default_factory=GoalSettings)
    generation: GenerationSettings = Field(default_factory=GenerationSettings)
    models: ModelSettings = Field(default_factory=ModelSettings)
    budget: BudgetSettings = Field(default_factory=BudgetSettings)
    gate: GateSettings = Field(default_factory=GateSettings)
    review: ReviewSettings = Field(default_factory=ReviewSettings)
    refine: RefineSettings = Field(default_factory=RefineSettings)
    metrics: dict[str, MetricTarget] = Field(default={})
    provider: ProviderSettings = Field(default_factory=ProviderSettings)
    timeouts: TimeoutSettings = Field(default_factory=TimeoutSettings)
    prices: dict[str, ModelPrice] = Field(default={})
    """Prices by model id; they replace the published ones."""
    logs: LogSettings = Field(default_factory=LogSettings)
    backup: BackupSettings = Field(default_factory=BackupSettings)
    author: AuthorSettings = Field(default_factory=AuthorSettings)
    tui: TuiSettings = Field(default_factory=TuiSettings)
    interface: Language | None = None
    """The language of the screens and messages; None means the language of the system's locale."""
    editor: str | None = None
    theme: str | None = None
    keymap: dict[str, str] = Field(default={})
    """The keys of each action, by action id."""

    _warnings: tuple[str, ...] = PrivateAttr(default=())
    _sources: dict[str, SettingSource] = PrivateAttr(default_factory=dict)
    _own: Settings | None = PrivateAttr(default=None)
    _withheld: Mapping[str, SettingSource] = PrivateAttr(default_factory=dict)

    def with_origin(
        self,
        warnings: tuple[str, ...],
        sources: Mapping[str, SettingSource],
        own: Settings | None = None,
        withheld: Mapping[str, SettingSource] | None = None,
    ) -> Settings:
        """Returns a copy with the warnings of loading, the source of each dotted key, the settings
        without the novel's file, and the source of each provider's key that may not be sent to its
        server."""
        copy = self.model_copy()
        copy._warnings = warnings
        copy._sources = dict(sources)
        copy._own = own
        copy._withheld = dict(withheld or {})
        return copy

    def with_warning(self, warning: str) -> Settings:
        """Returns a copy with one more warning."""
        copy = self.model_copy()
        copy._warnings = (*self._warnings, warning)
        return copy

    @property
    def own(self) -> Settings:
        """The settings in force without the novel's file, which may come from anybody."""
        return self._own or self

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence about each value that was ignored on loading."""
        return self._warnings

    def provenance(self, key: str) -> SettingSource:
        """Returns the layer that set a dotted key such as `targets.scene_length`."""
        return self._sources.get(key, "default")

    def withheld_key(self, provider: str) -> SettingSource | None:
        """Returns where a key was set that is not sent to this provider's server, because the
        server's address was set elsewhere; None where there is no such key."""
        return self._withheld.get(provider)

    def display_values(self) -> dict[str, Any]:
        """Returns every value by its dotted key, safe to display: secrets as `sk-...abcd` (S11)."""
        values = {
            without_secrets(".".join(path)): without_secrets(value)
            for path, value in leaves(self.model_dump(mode="json"))
        }
        for name, server in self.provider.servers.items():
            if server.api_key is not None:
                values[f"provider.{name}.api_key"] = mask(server.api_key.get_secret_value())
        return values


def leaves(
    data: Mapping[str, Any], above: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yields every value of nested tables with its path."""
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield from leaves(value, (*above, key))
        else:
            yield (*above, key), value
