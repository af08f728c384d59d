"""One list of actions: keys without doubles, help for each, and the page made from it."""

from __future__ import annotations

import inspect
from collections import Counter
from itertools import chain

import pytest

from studio.story.status import DirectiveStatus
from studio.tui.actions import ACTIONS, BY_ID, PLACES, Action, of, unknown_ids
from studio.tui.app import StudioApp
from studio.tui.board import BoardScreen
from studio.tui.desk import features
from studio.tui.desk.panes import Panes
from studio.tui.desk.screen import PLACES as DESK
from studio.tui.keys_page import keys_page
from studio.tui.performs import performer, performers, performs
from studio.tui.screens.cost import CostScreen
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.editing.plan_proposal import PlanProposal
from studio.tui.screens.editing.start_page import StartPage
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.find import FindScreen, ReplacementScreen
from studio.tui.screens.form import FormScreen
from studio.tui.screens.help import HelpScreen
from studio.tui.screens.history import HistoryScreen
from studio.tui.screens.importing import ImportFilesScreen, ImportScreen
from studio.tui.screens.launcher import LauncherScreen
from studio.tui.screens.memory import MemoryScreen
from studio.tui.screens.reading import ReadingScreen
from studio.tui.screens.rebuild import RebuildScreen
from studio.tui.screens.saved_text import KeptScreen
from studio.tui.screens.settings import SettingsScreen
from studio.tui.screens.versions import VersionsScreen
from studio.tui.views.key_names import first_key, shown_key, shown_keys
from studio.tui.views.situation import Situation
from tests.architecture import ROOT

FEATURES = [kind for kind in vars(features).values() if isinstance(kind, type)]
"""What the desk is composed of."""
DOERS = {
    "global": (StudioApp,),
    **dict.fromkeys(DESK, (Panes, *FEATURES)),
    "decision": (DecisionScreen,),
    "editor": (EditorScreen,),
    "launcher": (LauncherScreen,),
    "import": (ImportScreen,),
    **dict.fromkeys(("page", "help"), (HelpScreen,)),
    "cost": (CostScreen,),
    "kept": (KeptScreen,),
    "settings": (SettingsScreen,),
    "files": (ImportFilesScreen,),
    "rebuild": (RebuildScreen,),
    "history": (HistoryScreen,),
    "memory": (MemoryScreen,),
    "find": (FindScreen,),
    "replacement": (ReplacementScreen,),
    "reading": (ReadingScreen,),
    "form": (FormScreen,),
    "board": (BoardScreen,),
    "versions": (VersionsScreen,),
    "proposal": (PlanProposal,),
    "start": (StartPage,),
}
CONTRACT = {
    "desk.write": "w",
    "directives.next": "j",
    "directives.previous": "k",
    "directives.accept": "a",
    "directives.reject": "r",
    "directives.edit": "e",
    "directives.edit_text": "E",
    "directives.undo": "u",
    "directives.accept_rest": "A",
    "directives.reject_rest": "R",
    "directives.expand": "enter",
    "app.quit": "ctrl+q",
    "desk.stop": "escape",
}


@pytest.mark.parametrize(("action", "key"), CONTRACT.items())
def test_the_keys_of_the_contract(action: str, key: str) -> None:  # req: U2
    assert key in BY_ID[action].keys.split(",")


@pytest.mark.sweep
@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_every_action_is_explained_and_somebody_does_it(action: Action) -> None:
    assert action.help.endswith(".")
    assert action.title
    assert any(action.id in performers(kind) for kind in DOERS[action.where])
    assert len(inspect.signature(action.reason_disabled).parameters) == 1


def test_an_action_is_performed_at_one_place_alone() -> None:
    ids = Counter(chain.from_iterable(map(performers, {*chain.from_iterable(DOERS.values())})))
    # The pages of help and of the cost are closed as every page is.
    assert ids == Counter([*BY_ID, "page.close"])


def test_a_method_performs_the_actions_it_names_and_no_other_there_is_none_of() -> None:
    class Lamp:
        lit = 0

        @performs("desk.look", 1)
        @performs("desk.stop", 0)
        def light(self, to: int) -> None:
            self.lit = to

    lamp = Lamp()
    light = performer(lamp, "desk.look")
    assert light is not None
    light()
    assert lamp.lit == 1
    assert performer(lamp, "desk.write") is None
    with pytest.raises(KeyError):
        performs("desk.fly")


def test_ids_are_unique_and_no_key_means_two_things_in_one_place() -> None:
    assert len(BY_ID) == len(ACTIONS)
    for where in PLACES:
        together = of(where, "global")
        keys = Counter(chain.from_iterable(a.keys.split(",") for a in together if a.keys))
        doubles = {key for key, count in keys.items() if count > 1}
        assert doubles == set(), where


def test_the_page_of_keys_is_current() -> None:
    assert (ROOT / "docs/keys.md").read_text("utf-8") == keys_page(), (
        "run `python -m studio.tui.keys_page > docs/keys.md`"
    )


def test_keys_are_shown_as_they_stand_on_a_keyboard() -> None:
    assert [shown_key(k) for k in ("ctrl+q", "question_mark", "f1", "A", "shift+tab")] == [
        "Ctrl+Q",
        "?",
        "F1",
        "A",
        "Shift+Tab",
    ]
    assert shown_keys(BY_ID["app.help"]) == "F1 ?"
    assert first_key(BY_ID["desk.write"], {"desk.write": "f5,w"}) == "F5"


def test_a_keymap_names_only_actions_there_are() -> None:
    assert unknown_ids({"desk.write": "f5", "desk.fly": "f6"}) == ["desk.fly"]


@pytest.mark.parametrize("action", ["desk.left_out", "desk.style_sample"])
def test_a_step_of_the_beginning_waits_for_the_chapter_in_progress(action: str) -> None:
    """It was offered with its price, and refused after it was taken."""
    chapter = Situation(novel=True, inflight=1)
    reason = BY_ID[action].reason_disabled(chapter)
    assert reason == "Chapter 1 is in progress; finish or discard it first."
    assert BY_ID[action].reason_disabled(Situation(novel=True)) is None


def test_a_reason_says_why_a_key_does_nothing_now() -> None:
    running = Situation(novel=True, running=True)
    assert BY_ID["desk.write"].reason_disabled(running) is not None
    assert BY_ID["desk.stop"].reason_disabled(running) is None
    on_fix = Situation(novel=True, directive=DirectiveStatus.KEPT, directives_here=True)
    assert "u takes it back" in (BY_ID["directives.reject"].reason_disabled(on_fix) or "")
    assert BY_ID["directives.undo"].reason_disabled(on_fix) is None
    assert BY_ID["directives.accept"].reason_disabled(Situation(novel=True)) is not None


def test_u_is_refused_before_its_questions_and_says_when_it_can_be_done() -> None:
    """The platform and the day were asked, and the answers thrown away."""
    published = next(action for action in ACTIONS if action.id == "desk.published")
    now = Situation(novel=True, current=1, current_is_in_chapters=True)
    assert published.reason_disabled(now) is None
    why = published.reason_disabled(now._replace(running=True))
    assert why == "The studio is at work: mark it when that is done, or stop it with Esc."
