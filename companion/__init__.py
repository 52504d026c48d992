"""The brain of the Tabletop Companion: rules, sessions, faces and the printed kit. Knows no camera and no pin."""

__version__ = "0.1.0"
