"""Every version that was ever saved, by its hash; backups; the variations of a passage."""
