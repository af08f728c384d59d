"""The author's own range of each metric, learned from the author's prose (DESIGN section 7)."""

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
    """The value from which there is enough; None where too little is not a fault."""
    max: float | None = None
    """The value from which there is too much; None where too much is not a fault."""
    samples: int = Field(ge=1)
    """The number of samples that were long enough for this metric."""
    false_alarms: float = Field(ge=0, le=1)
    """The share of the author's samples outside a band computed without them (held out)."""


class BaselineSource(Value):
    """One text the baseline was learned from."""

    name: str = Field(min_length=1)
    sha256: Sha256
    length: int = Field(ge=0)
    """The length in words (en) or characters without white space (ko, zh)."""


class Baseline(Document):
    """baseline.json: takes the place of a language's thresholds in `studio check` and the judge."""

    SCHEMA: ClassVar[str] = "baseline"

    language: Language
    """The language of the samples."""
    sample_length: int = Field(ge=1)
    """The length of a sample, in the unit of `length`."""
    samples: int = Field(ge=1)
    """The number of pieces that the sources were cut into."""
    false_alarms: float = Field(ge=0, le=1)
    """The share of the author's samples with at least one false alarm, each sample held out."""
    bands: dict[str, Band]
    """The author's range of each metric, by its name. It holds 19 of 20 new samples of the same
    hand; with fewer than 19 samples it is the whole range."""
    sources: tuple[BaselineSource, ...]
    """The texts of the author's that it was learned from."""

    @property
    def targets(self) -> dict[str, dict[str, float]]:
        """The thresholds of every band, in the form of `[metrics]`."""
        return {
            name: band.model_dump(include={"min", "max"}, exclude_none=True)
            for name, band in self.bands.items()
        }
