"""The writer's say in what models receive."""
