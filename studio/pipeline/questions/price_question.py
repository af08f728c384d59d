"""The question about models of unknown price, asked where a cap should limit their cost.

No review mode answers it: even in accept mode, money is the writer's to allow. What she allows is
remembered on her machine and not in the novel, which may come from anybody.
"""

from __future__ import annotations

from studio.messages import said, series
from studio.pipeline.chapter.run import ChapterRun
from studio.project.spending import Spending
from studio.story.chapter import sha256_of
from studio.story.checkpoint import Decision

TODAY, ALWAYS, STOP = "today", "always", "stop"


def ask_about_prices(run: ChapterRun) -> Decision | None:
    """Returns a Decision before the first call if a model in force has no price and is not
    allowed yet."""
    models = run.unpriced_models()
    if not models:
        return None
    run.store.journal.spending.note_asked(models)
    names = series(models)
    return Decision(
        id=f"budget-{run.chapter:03d}-{sha256_of(names)[:8]}",
        kind="budget",
        recommendation=STOP,
        options=(TODAY, ALWAYS, STOP),
        rationale=said(
            "The price of {names} is not known, so your budget cannot limit it.", names=names
        ),
        data={
            "models": models,
            "options": {
                TODAY: said("Go on today; the calls are not counted."),
                ALWAYS: said("Go on now and from now on; the calls are never counted."),
                STOP: said("Ask nothing yet. Set another model, or its price in your settings."),
            },
        },
    )


def carry_out(spending: Spending, decision: Decision, option: str) -> None:
    """Allows the models the writer was asked about on this machine, and no others.

    StudioError (exit 1) if this machine cannot remember it.
    """
    if decision.kind != "budget":
        return
    models = [str(model) for model in decision.data.get("models", ())]
    if option in (TODAY, ALWAYS) and spending.was_asked(models):
        spending.allow_unpriced(models, for_good=option == ALWAYS)
