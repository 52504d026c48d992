"""Simulated devices, at least as strict as the real ones: a display that is fed bytes, buttons that bounce."""
