"""The fixed order of a chapter's stages (seed B1).

The orchestrator takes the lock before the first stage. Operate belongs to the review: it carries
out what the writer approved. The line editor reads the draft while it is summarized,
since neither needs the other's answer.
"""

from __future__ import annotations

from studio.pipeline.stage import SideBySide, Stage
from studio.pipeline.stages.commit import CommitStage
from studio.pipeline.stages.draft import DraftStage
from studio.pipeline.stages.gate import GateStage
from studio.pipeline.stages.judge import JudgeStage
from studio.pipeline.stages.operate import OperateStage
from studio.pipeline.stages.refine import RefineStage
from studio.pipeline.stages.review import ReviewStage
from studio.pipeline.stages.summarize import SummarizeStage

_REFINE = RefineStage()
STAGES: tuple[Stage, ...] = (
    DraftStage(),
    SideBySide(SummarizeStage(), _REFINE),
    _REFINE,
    JudgeStage(),
    GateStage(),
    OperateStage(),
    ReviewStage(),
    CommitStage(),
)
