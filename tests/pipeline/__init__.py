"""Tests of studio.pipeline and of the Session: a chapter from contract to commit, and every way
it can go wrong."""
