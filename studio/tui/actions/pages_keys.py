"""The actions on a page that lies over the desk, with the keys of each."""

from __future__ import annotations

from studio.i18n import N_, _
from studio.tui.action import Action
from studio.tui.views import situation as can


def _with_legend(now: can.Situation) -> can.WhyNot:
    """Returns why the marks cannot be shown: the previous screen has none."""
    return None if now.more else _("The screen you came from has no marks of its own.")


ACTIONS: tuple[Action, ...] = (
    Action(
        "desk.volume",
        "V,alt+v",
        N_("Volume"),
        N_("Shows the current volume: plan against what is written, scores, promises."),
        can.novel,
    ),
    Action(
        "desk.volume_plan",
        "",
        N_("Plan the volume"),
        N_("Has the model lay out the volume; you take what you want of it."),
        can.at_rest,
    ),
    Action(
        "desk.volume_review",
        "",
        N_("Look back on the volume"),
        N_(
            "Counts a finished volume, has the judge explain it, and asks what of its story can be "
            "tidied."
        ),
        can.at_rest,
    ),
    Action(
        "kept.bring_back",
        "b",
        N_("Bring back"),
        N_("Puts the kept text back into the chapter in progress; the present one is kept first."),
        can.replaceable,
        hint=True,
    ),
    Action("kept.close", "escape,q", N_("Back"), N_("Goes back with nothing changed."), hint=True),
    Action(
        "help.marks",
        "m",
        N_("The marks"),
        N_("Goes to what each mark, badge and figure of the screen below means."),
        _with_legend,
        hint=True,
    ),
    Action(
        "cost.settle",
        "s",
        N_("Say what it cost"),
        N_("Counts what your provider's bill says for a call that was cut off."),
        can.with_unsettled,
        hint=True,
    ),
    Action("page.close", "escape,q", N_("Back"), N_("Goes back to where you were."), hint=True),
    Action(
        "settings.change",
        "enter",
        N_("Change"),
        N_("Asks for another value and writes it to the novel's studio.toml or your config.toml."),
        hint=True,
    ),
    Action(
        "settings.default",
        "b",
        N_("Back to the default"),
        N_("Takes the value out of the file that sets it."),
        hint=True,
    ),
    Action(
        "settings.filter",
        "slash",
        N_("Filter"),
        N_("Shows only the settings whose name, meaning or value has the words you type."),
        hint=True,
    ),
    Action("settings.close", "escape,q", N_("Back"), N_("Goes back to where you were."), hint=True),
)
