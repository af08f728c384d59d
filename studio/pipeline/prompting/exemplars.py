"""Which passages of the style library go with a scene or a directive (seed A2, A11)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from studio.messages import said
from studio.story.contract import SceneSpec
from studio.story.novel import Exemplar
from studio.text.language.packs import same_manner

GOOD_PER_SCENE = 3
VOICES = 2
DIMENSIONS: Mapping[str, int] = {
    "scene_type": 4,
    "emotional_tone": 2,
    "pov": 1,
    "pacing": 1,
    "genre": 1,
}
"""The five dimensions with their weights; the scene type weighs most."""
LABELS: Mapping[str, str] = {
    "genre": said("genre"),
    "scene_type": said("scene type"),
    "emotional_tone": said("emotional tone"),
    "pov": said("pov"),
    "pacing": said("pacing"),
    "source": said("source"),
    "note": said("note"),
}
"""How what is kept of a passage is called."""


def scene_query(scene: SceneSpec, genre: str, point_of_view: str) -> dict[str, tuple[str, ...]]:
    """Returns the values a scene asks for in each dimension; its style override wins over the
    book."""
    override = scene.style_override
    own = override.model_dump(exclude_none=True) if override else {}
    return {
        "scene_type": (own["scene_type"],) if "scene_type" in own else scene.exemplar_tags,
        "emotional_tone": (own.get("emotional_tone", scene.emotional_tone),),
        "pov": (own.get("pov", point_of_view),),
        "pacing": (own.get("pacing", ""),),
        "genre": (own.get("genre", genre),),
    }


def score(exemplar: Exemplar, query: Mapping[str, Sequence[str]]) -> int:
    """Scores how well a passage matches a query, 0 to 9."""
    return sum(DIMENSIONS[dimension] for dimension in matching_dimensions(exemplar, query))


def matching_dimensions(exemplar: Exemplar, query: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Returns the dimensions in which a passage matches a query: the reason why it is chosen."""
    return tuple(
        dimension
        for dimension in DIMENSIONS
        if _matches(getattr(exemplar.meta, dimension), query.get(dimension, ()))
    )


def rank(library: Iterable[Exemplar], query: Mapping[str, Sequence[str]]) -> list[Exemplar]:
    """Returns the library, best match first; ties are broken by id."""
    return sorted(library, key=lambda e: (-score(e, query), e.id))


def voices(library: Iterable[Exemplar]) -> tuple[Exemplar, ...]:
    """Returns the passages that show how a book is meant to sound, to whoever reads a whole chapter
    of it (PROSE 5)."""
    return tuple(e for e in rank(library, {}) if e.meta.kind == "good")[:VOICES]


def choose(
    library: Iterable[Exemplar], query: Mapping[str, Sequence[str]]
) -> tuple[tuple[Exemplar, ...], Exemplar | None]:
    """Returns the two or three best good passages and the best anti-exemplar.

    A third is added only if it has something in common with the scene. Ties are broken by id, so
    that the same library gives the same prompt.
    """
    ordered = rank(library, query)
    good = [e for e in ordered if e.meta.kind == "good"]
    best = good[:2] + [e for e in good[2:GOOD_PER_SCENE] if score(e, query) > 0]
    anti = next((e for e in ordered if e.meta.kind == "anti"), None)
    return tuple(best), anti


def for_scene_types(library: Iterable[Exemplar], scene_types: Sequence[str]) -> Exemplar | None:
    """Returns a good passage of the first scene type that has one, or None."""
    good = sorted((e for e in library if e.meta.kind == "good"), key=lambda e: e.id)
    for scene_type in scene_types:
        for exemplar in good:
            if _matches(exemplar.meta.scene_type, (scene_type,)):
                return exemplar
    return None


def _matches(value: str, values: Sequence[str]) -> bool:
    plain = value.strip().lower()
    return bool(plain) and any(same_manner(plain, word) for word in values if word)
