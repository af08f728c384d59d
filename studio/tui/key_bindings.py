"""Where the keys of actions are bound: each screen and pane has the bindings of its places in the
list of actions, under ids by which `[keymap]` in the user's config binds other keys to them."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from studio.tui.actions import Action, Where, of


def bindings_of(*places: Where) -> list[BindingType]:
    """Returns the key bindings of these places."""
    return [binding_of(action) for action in of(*places) if action.keys]


def binding_of(action: Action) -> Binding:
    """Returns an action as a Textual binding; the id makes it remappable."""
    return Binding(
        action.keys,
        f"app.perform('{action.id}')",
        action.title,
        show=False,
        priority=action.priority,
        id=action.id,
    )
