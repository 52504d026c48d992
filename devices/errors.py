"""What can go wrong with devices."""

from __future__ import annotations

from companion.core.errors import CompanionError


class DeviceError(CompanionError, OSError):
    """A device does not answer, can't be opened, or isn't there."""


class DisplayError(DeviceError):
    """The display can't be reached."""


class PinError(DeviceError):
    """The pins of the Raspberry Pi can't be used."""


class ToneError(CompanionError, ValueError):
    """A melody asks for what the buzzer can't play."""
