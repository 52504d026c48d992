"""Simulated camera hardware, at least as strict as the real one; the drivers above it are the real ones."""
