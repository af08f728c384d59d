"""The generator of the page of all keys in docs/."""

from __future__ import annotations

from studio.tui.actions import PLACES, of
from studio.tui.habits import ELSEWHERE, HABITS, clashes, habits, keys_for_moving
from studio.tui.views.key_names import shown_keys


def keys_page() -> str:
    """Returns the text of docs/keys.md."""
    lines = [
        "# Keys",
        "",
        "Made from `studio/tui/actions/` by `python -m studio.tui.keys_page`; do not edit.",
        "Every action is also in the command palette (Ctrl+P). Other keys are set in your own",
        "`config.toml`, by id:",
        "",
        "```toml",
        "[keymap]",
        '"desk.write" = "f5"',
        "```",
        "",
        "Where no text is typed, a key means its place on the keyboard, in any input mode: `ㅈ` is",
        "`w`, `아` is `d` `k`, `：` is `:`, `【` is `[`. A shifted jamo is its capital; for `A`,",
        "`C`, `R` and `X`, which do more than their small letters, it is the small one. Beside",
        "every capital stands a key that works with the input in Hangul; a Korean interface names",
        "that one. A key acts only on a screen that was there to be seen when you typed it: what",
        "comes too early is dropped, except for movement, `Esc`, and text in a field.",
    ]
    for where, heading in PLACES.items():
        lines += ["", f"## {heading}", ""]
        lines += ["| Key | Action | What it does | Id |", "|---|---|---|---|"]
        for action in of(where):
            keys = " ".join(f"`{key}`" for key in shown_keys(action).split()) or "palette"
            keys = keys.replace("|", "\\|")
            lines.append(f"| {keys} | {action.title} | {action.help} | `{action.id}` |")
    lines += ["", "## Moving about", "", "| Where | Key | What it does |", "|---|---|---|"]
    lines += [f"| {pane} | `{keys}` | {words} |" for pane, keys, words in keys_for_moving()]
    lines += ["", f"## {ELSEWHERE}", "", "In the editor.", ""]
    lines += ["| What | vi | Emacs | Windows | Here |", "|---|---|---|---|---|"]
    for habit, (keys, _words, _there) in zip(HABITS, habits({}), strict=True):
        there = " | ".join(f"`{key}`" for key in (habit.vi, habit.emacs, habit.windows))
        lines.append(f"| {habit.words} | {there} | `{keys}` |")
    lines += ["", "These mean another thing here:", ""]
    lines += ["| Key | Elsewhere | Here |", "|---|---|---|"]
    lines += [f"| `{key}` | {there} | {words} |" for key, words, there in clashes({})]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(keys_page(), end="")
