"""The line: the fixed order of a chapter's stages (seed B1).

The orchestrator takes the lock before the first stage. Operate belongs to the review: it carries
out what the writer approved. The line editor reads the draft while it is summarized,
since neither needs the other's answer.
"""

from __future__ import annotations

from studio.pipeline.stage import SideBySide, Stage
from studio.pipeline.stages.commit import Commit
from studio.pipeline.stages.draft import Draft
from studio.pipeline.stages.gate import Gate
from studio.pipeline.stages.judge import Judge
from studio.pipeline.stages.operate import Operate
from studio.pipeline.stages.refine import Refine
from studio.pipeline.stages.review import Review
from studio.pipeline.stages.summarize import Summarize

_REFINE = Refine()
LINE: tuple[Stage, ...] = (
    Draft(),
    SideBySide(Summarize(), _REFINE),
    _REFINE,
    Judge(),
    Gate(),
    Operate(),
    Review(),
    Commit(),
)
