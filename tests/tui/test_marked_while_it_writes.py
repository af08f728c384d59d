"""A chapter is marked as published when nothing runs: that is said before anything is asked."""

from __future__ import annotations

from studio.tui.actions import ACTIONS
from studio.tui.views.situation import Situation


def test_u_is_refused_before_its_questions_and_says_when_it_can_be_done() -> None:
    """The platform and the day were asked, and the answers thrown away."""
    published = next(action for action in ACTIONS if action.id == "desk.published")
    now = Situation(novel=True, current=1, current_is_in_chapters=True)
    assert published.reason_disabled(now) is None
    why = published.reason_disabled(now._replace(running=True))
    assert why == "The studio is at work: mark it when that is done, or stop it with Esc."
