"""The plan of a scene as text for its drafter."""

from __future__ import annotations

from collections.abc import Callable

from studio.story.contract import SceneSpec


def scene_plan(scene: SceneSpec, name_of: Callable[[str | None], str]) -> str:
    """Returns the plan of a scene as text for its drafter."""
    rows = [
        ("Scene", str(scene.number)),
        ("Purpose", scene.purpose),
        ("Point of view", name_of(scene.pov)),
        ("Place", scene.location or ""),
        ("Present", ", ".join(name_of(c) for c in scene.characters)),
        ("Emotion", " to ".join(e for e in (scene.entry_emotion, scene.exit_emotion) if e)),
        ("Peak moment", scene.peak_moment),
        ("Senses to ground it in", "; ".join(scene.sensory_anchors)),
        ("What the dialogue must do", "; ".join(scene.dialogue_goals)),
        ("Comes from", scene.transition_from),
        ("Leads to", scene.transition_to),
        ("Tone", scene.emotional_tone),
        ("Style here", _override(scene)),
    ]
    return "\n".join(f"{label}: {text}" for label, text in rows if text)


def _override(scene: SceneSpec) -> str:
    if scene.style_override is None:
        return ""
    fields = scene.style_override.model_dump(exclude_none=True)
    return ", ".join(f"{key}: {value}" for key, value in fields.items())
