"""The infrastructure of the app: its event loop, threads, fault handling, style sheets and
themes."""
