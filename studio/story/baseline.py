"""The author's own range of each metric, learned from her prose (DESIGN section 7)."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from studio.i18n import Language
from studio.story.form.document import Document, Value
from studio.story.form.ids import Sha256


class Band(Value):
    """Where one metric lies in the author's prose."""

    typical: float
    """The median of the samples."""
    min: float | None = None
    """Enough from here on; None where little of it is no fault."""
    max: float | None = None
    """Too much from here on; None where much of it is no fault."""
    samples: int = Field(ge=1)
    """Samples that were long enough for this metric."""
    false_alarms: float = Field(ge=0, le=1)
    """Share of the author's own samples that a band made without them would complain of."""


class BaselineSource(Value):
    """One text the baseline was learned from."""

    name: str = Field(min_length=1)
    sha256: Sha256
    length: int = Field(ge=0)
    """Words of English, characters without white space of Korean and Chinese."""


class Baseline(Document):
    """baseline.json: takes the place of a language's thresholds in `studio check` and the judge."""

    SCHEMA: ClassVar[str] = "baseline"

    language: Language
    sample_length: int = Field(ge=1)
    """Length of a sample, counted as `length` is."""
    samples: int = Field(ge=1)
    false_alarms: float = Field(ge=0, le=1)
    """Share of the author's own samples with at least one false alarm, each sample held out."""
    bands: dict[str, Band]
    sources: tuple[BaselineSource, ...]

    @property
    def targets(self) -> dict[str, dict[str, float]]:
        """The thresholds of every band, as `[metrics]` would set them."""
        return {
            name: band.model_dump(include={"min", "max"}, exclude_none=True)
            for name, band in self.bands.items()
        }
