"""The grouping of commands, an example of each, and the pages of `studio help`."""

from __future__ import annotations

from pathlib import Path

from studio.messages import said
from studio.resources import docs_dir

GROUPS: dict[str, tuple[str, ...]] = {
    said("Begin"): ("new", "start", "try", "import", "plan", "volume"),
    said("Write"): (
        "write",
        "resume",
        "decide",
        "directives",
        "proposals",
        "rewrite",
        "variations",
        "keep",
        "replace",
    ),
    said("Look"): (
        "status",
        "brief",
        "context",
        "lines",
        "check",
        "find",
        "continuity",
        "verify",
        "log",
        "usage",
    ),
    said("Mend"): ("history", "rebuild", "repair"),
    said("What the book remembers"): ("bible", "promises", "retire"),
    said("Your own way of writing"): ("waivers", "exemplars", "baseline"),
    said("Hand over"): ("export", "published", "notes", "authorship"),
    said("Set up"): (
        "config",
        "models",
        "doctor",
        "agents",
        "plugins",
        "schemas",
        "completion",
        "help",
    ),
}
"""Maps each heading to its commands, in the order in which a writer encounters them."""
EXAMPLES_HEADING = said("Examples:")

EXAMPLES: dict[str, tuple[str, ...]] = {
    "new": ('studio new salt-road --title "The Salt Road" --language en',),
    "start": (
        'studio start salt-road --title "The Salt Road" --language en --premise idea.md',
        "studio start salt-road --sample my-last-book.md --trials 2",
    ),
    "write": (
        "studio write",
        'studio write 3 --direction "Keep Bo outside the door"',
        "studio write --draft my-chapter.md",
        "cat my-chapter.md | studio write --draft -",
    ),
    "try": ("studio try", "studio try my-copy --headless"),
    "resume": ("studio resume", "studio resume --review accept"),
    "decide": ("studio decide", 'studio decide commit --note "the ending stays"'),
    "directives": (
        "studio directives",
        "studio directives accept rhythm-variation-001",
        'studio directives edit rhythm-variation-001 --instruction "Shorter"',
    ),
    "proposals": (
        'studio proposals add 3 --passage 2.3 --replace "The lamp was out."',
        "studio proposals accept prop-0001",
    ),
    "rewrite": (
        "studio rewrite 3 --passage 2.3 --mode regenerate --versions 3",
        'studio rewrite 3 --passage 2.3-2.5 --mode refine --direction "Colder"',
    ),
    "variations": (
        "studio variations list 3",
        "studio variations show 3 --sha 4fc1",
        "studio variations restore 3 --sha 4fc1 --paragraphs 1,3",
    ),
    "keep": ("studio keep add 3 --passage 2.3-2.5", "studio keep list 3"),
    "history": (
        "studio history list 3",
        "studio history diff 3",
        "studio history restore 3 --sha 4fc1",
    ),
    "lines": ("studio lines pin characters/mara", "studio lines mute world/tides --chapter 4"),
    "plugins": ("studio plugins list", "studio plugins trust"),
    "retire": (
        "studio retire edwin --dry-run",
        "studio retire edwin",
        "studio retire edwin --undo",
    ),
    "rebuild": ("studio rebuild --dry-run", "studio rebuild 3"),
    "volume": (
        "studio volume plan --chapters 12",
        "studio volume plan 2 --from outline.md",
        "studio volume review",
    ),
    "brief": ("studio brief", "studio brief --json"),
    "status": ("studio status", "studio status 3", "studio status --json"),
    "check": ("studio check my-chapter.md", "studio check 3 --json", "pbpaste | studio check -"),
    "context": ("studio context", "studio context 3 --scene 2 --full"),
    "log": ("studio log", "studio log list 3 --last 5"),
    "usage": ("studio usage",),
    "waivers": ('studio waivers add rhythm-variation-001 --reason "he stammers"',),
    "exemplars": ("studio exemplars add storm storm.md --scene-type action",),
    "baseline": ("studio baseline learn my-first-book.md",),
    "config": (
        "studio config",
        "studio config get models.deep",
        "studio config set budget.day_usd 5",
        "studio config path",
    ),
    "import": (
        "studio import manuscript.txt --into salt-road --dry-run",
        "studio import Salt.docx --into salt-road --as committed",
        "studio import Salt.scriv --into salt-road",
    ),
    "export": (
        "studio export -o salt-road.epub",
        'studio export -o salt-road.docx --author "Ines Marrow"',
        "studio export -o first-five.txt --chapters 1-5",
        "studio export --format md -o - | wc -w",
    ),
    "published": (
        "studio published add 12 --platform 문피아",
        "studio published list",
    ),
    "notes": (
        'studio notes author 12 --text "Back on Friday."',
        "pbpaste | studio notes readers 12 - --source 문피아",
    ),
    "models": ("studio models", "studio models --provider openai --json"),
    "authorship": (
        "studio authorship",
        "studio authorship 3 --json",
        "studio authorship -o who.md",
    ),
    "doctor": ("studio doctor", "studio doctor --probe"),
    "completion": (
        "studio completion bash >> ~/.bashrc",
        "studio completion fish > ~/.config/fish/completions/studio.fish",
    ),
    "help": ("studio help", "studio help write", "studio help recovery"),
}
"""Maps each command to example lines that can be typed verbatim."""


def epilog_of(command: str) -> str | None:
    """Returns the examples of a command, as displayed below its options."""
    lines = EXAMPLES.get(command)
    rows = [f"  {line}" for line in lines or ()]
    return "\n".join(["\b", EXAMPLES_HEADING, *rows]) if rows else None


def topics() -> dict[str, Path]:
    """Returns the pages of the documentation by the name that `studio help` accepts."""
    folder = docs_dir()
    return {page.stem: page for page in sorted(folder.glob("*.md"))} if folder.is_dir() else {}


def title_of(page: Path) -> str:
    """Returns the first heading of a page."""
    with page.open(encoding="utf-8") as lines:
        first = next(lines, "")
    return first.lstrip("# ").strip()
