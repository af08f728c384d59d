"""The surgeon's operation table: what each directive type may do, and with what (seed A10-A13)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from types import MappingProxyType
from typing import Literal

from studio.config.schema import Effort, Role
from studio.story.review.directive import DirectiveType
from studio.story.review.surgery import DifferenceKind

Fact = Literal["names", "numbers", "quotes"]

MAX_DIRECTIVES = 5
"""The maximum number of directives in one pass (A10)."""
MAX_UNJUDGED = 3
"""The maximum number of code findings displayed where no judge answers them (PROSE 2)."""
_CAREFUL, _MEASURED = 0.3, 0.5
"""The temperatures up to which Claude's effort is low, and medium."""
WIDTH_IN_CHARACTERS = 300
"""The characters that any directive may change, in however many paragraphs they stand."""
SLICE_PARAGRAPHS = 3
"""The maximum number of paragraphs in one rewriting call; wider work runs in slices."""


@dataclass(frozen=True, slots=True)
class Operation:
    """How the surgeon works on one type of directive."""

    type: DirectiveType
    priority: int
    """The default priority of this type, 1 being most urgent; climax scenes are more urgent."""
    paragraph_limit: int | None
    """The maximum number of paragraphs for the whole operation; None means the whole chapter."""
    role: Role
    temperature: float
    """The temperature for models that sample (A12); Claude gets `effort` instead."""
    exemplar_scene_types: tuple[str, ...]
    """Scene types of the exemplars that demonstrate this fix, best first (A11)."""
    needs_exemplar: bool = False
    """Whether a directive always carries an exemplar when the library has any (A11)."""
    metric: str | None = None
    """The metric that the fix is measured by, where code can measure it."""
    may_change: frozenset[Fact] = frozenset()
    """The kinds of facts that a rewrite may change."""
    may_remove: frozenset[Fact] = frozenset()
    """The kinds of facts that a rewrite may omit but not invent."""
    may_lose: frozenset[DifferenceKind] = frozenset()
    """Kinds of content that the new text may lose and still tell the same story."""
    may_gain: frozenset[DifferenceKind] = frozenset()
    """Kinds of content that the new text may add."""
    may_drop_paragraphs: bool = False
    on_the_surface: bool = False
    """Whether it only builds sentences otherwise or takes words out: the surgeon then needs to know
    who people are, and no more of them, and nothing of the world."""
    may_change_what_is_named: bool = False
    """Whether a rewrite may change the facts that its quote or its instruction names, and no
    others (CONTRACTS 7)."""
    is_a_matter_of_taste: bool = True
    """Whether two texts that tell the same story can be weighed against each other; an error put
    right and words taken out are no question of which reads better (WRITING 6)."""
    may_correct_names: bool = False
    """Whether a misspelt name may be replaced by the spelling used elsewhere in the chapter."""

    @property
    def max_scope(self) -> int:
        """The widest `maxScope` of a directive of this type; 5 is the schema's maximum."""
        return min(self.paragraph_limit or SLICE_PARAGRAPHS, 5)

    @property
    def effort(self) -> Effort:
        """Claude's effort: careful types are done strictly and with little thought, inventive ones
        with more. It follows the seed's sampling column (A12)."""
        if self.temperature <= _CAREFUL:
            return "low"
        return "medium" if self.temperature <= _MEASURED else "high"

    def widest(self, max_scope: int) -> int | None:
        """Returns how many paragraphs a directive with this `maxScope` may name; None means its
        whole scene, processed in slices to which `maxScope` applies (DESIGN section 6)."""
        return None if self.paragraph_limit is None else min(max_scope, self.paragraph_limit)

    def count_fitting(self, lengths: Sequence[int], max_scope: int) -> int:
        """Returns how many of a passage's paragraphs, given by their lengths in characters, a
        directive with this `maxScope` may change: so many, or as many as 300 characters hold, if
        that is more. In a serial a paragraph is often a single sentence (SERIAL 3)."""
        limit = self.widest(max_scope)
        if limit is None:
            return len(lengths)
        held = sum(1 for whole in accumulate(lengths) if whole <= WIDTH_IN_CHARACTERS)
        return min(len(lengths), max(limit, held))


_ROWS = (
    Operation(
        DirectiveType.CUT,
        priority=1,
        paragraph_limit=2,
        role="standard",
        temperature=0.2,
        exemplar_scene_types=(),
        metric="leaked_meta",
        may_remove=frozenset({"names", "numbers", "quotes"}),
        may_lose=frozenset({"person", "place", "time", "number", "denial", "address"}),
        may_drop_paragraphs=True,
        is_a_matter_of_taste=False,
        on_the_surface=True,
    ),
    Operation(
        DirectiveType.FACT_CORRECTION,
        priority=1,
        paragraph_limit=2,
        role="deep",
        temperature=0.3,
        exemplar_scene_types=(),
        may_change_what_is_named=True,
        is_a_matter_of_taste=False,
    ),
    Operation(
        DirectiveType.SHOW_NOT_TELL,
        priority=2,
        paragraph_limit=3,
        role="deep",
        temperature=0.6,
        exemplar_scene_types=("emotional", "climax", "introspection", "description"),
        needs_exemplar=True,
    ),
    Operation(
        DirectiveType.DIALOGUE_SUBTEXT,
        priority=3,
        paragraph_limit=3,
        role="deep",
        temperature=0.7,
        exemplar_scene_types=("dialogue",),
        may_change=frozenset({"quotes"}),
    ),
    Operation(
        DirectiveType.VOICE_CONSISTENCY,
        priority=4,
        paragraph_limit=3,
        role="deep",
        temperature=0.5,
        exemplar_scene_types=("dialogue", "introspection"),
        may_change=frozenset({"quotes"}),
    ),
    Operation(
        DirectiveType.RHYTHM_VARIATION,
        priority=5,
        paragraph_limit=5,
        role="standard",
        temperature=0.4,
        exemplar_scene_types=("action", "description"),
        metric="same_ending_run",
        on_the_surface=True,
    ),
    Operation(
        DirectiveType.SENSORY_ENRICHMENT,
        priority=6,
        paragraph_limit=2,
        role="deep",
        temperature=0.6,
        exemplar_scene_types=("description",),
        needs_exemplar=True,
        metric="sensory_grounding",
    ),
    Operation(
        DirectiveType.FILTER_WORD_REMOVAL,
        priority=7,
        paragraph_limit=5,
        role="standard",
        temperature=0.3,
        exemplar_scene_types=("introspection", "description"),
        metric="filter_word_density",
        on_the_surface=True,
    ),
    Operation(
        DirectiveType.CLICHE_REPLACEMENT,
        priority=8,
        paragraph_limit=3,
        role="deep",
        temperature=0.5,
        exemplar_scene_types=("description", "introspection"),
        metric="cliche_density",
    ),
    Operation(
        DirectiveType.SPECIFICITY,
        priority=8,
        paragraph_limit=2,
        role="deep",
        temperature=0.5,
        exemplar_scene_types=("description",),
    ),
    Operation(
        DirectiveType.TRANSITION_SMOOTHING,
        priority=9,
        paragraph_limit=2,
        role="standard",
        temperature=0.4,
        exemplar_scene_types=("transition", "description"),
        may_gain=frozenset({"place", "time"}),
    ),
    Operation(
        DirectiveType.WORDING,
        priority=9,
        paragraph_limit=3,
        role="standard",
        temperature=0.3,
        exemplar_scene_types=(),
        on_the_surface=True,
    ),
    Operation(
        DirectiveType.PROOFREADING,
        priority=10,
        paragraph_limit=None,
        role="fast",
        temperature=0.2,
        exemplar_scene_types=(),
        may_change=frozenset({"quotes"}),
        may_correct_names=True,
        is_a_matter_of_taste=False,
        on_the_surface=True,
    ),
)

OPERATIONS = MappingProxyType({row.type: row for row in _ROWS})
"""The row of every directive type, in order of priority."""
