"""The camera: opened as the box opens it, and watched for some seconds."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.app.doctor.checks import Check, Measure, Verdict
from companion.app.doctor.examine import Eye
from companion.app.doctor.sight import STACK, Wanted
from companion.app.hardware import ribbon_options, usb_options
from companion.app.play import PLAYERS, RATE_HZ
from companion.app.virtual import VirtualGame
from companion.core.game import Game
from companion.service.config import CameraTable, Config
from vision.cameras import Camera, CameraError, LiveCamera, NothingNewError, is_real, open_camera
from vision.cameras.virtual import VirtualCamera
from vision.frame import Frame
from vision.health import light
from vision.scene.optics import preset

SETTLES_S = 4.0
"""So long exposure and focus are given to settle."""
SLOW_HZ = 3.0
"""With fewer pictures a second people have to wait for the box."""
SEED = 1


@dataclass(frozen=True, slots=True, eq=False)
class Film:
    """What a camera gave.

    Attributes:
        frames: the newest ones, at most `STACK`.
        check: the finding `camera`.
    """

    frames: tuple[Frame, ...]
    check: Check


def wants(games: Sequence[Game[Any, Any]], config: Config) -> tuple[Wanted, ...]:
    """What these games want to have seen, with the set-up that the configuration says."""
    return tuple(Wanted(g.id, g.box, g.zones(None, dict(config.play.setup.get(g.id, {})))) for g in games)


def eye(source: str, camera: CameraTable) -> Eye:
    """The camera as the examination of its pictures knows it."""
    return Eye(source, camera.size if is_real(source) else None, camera.autofocus)


def opened(source: str, camera: CameraTable, game: Game[Any, Any], clock: Callable[[], float]) -> Camera:
    """The camera of this name, set as the configuration says; at the virtual table a game is laid out.

    Raises:
        CameraError: no such camera, or no such pictures.
    """

    def virtual(_rest: str) -> Camera:
        rng = np.random.default_rng(SEED)
        scene = VirtualGame(game, SEED, {"players": list(PLAYERS)}).scene
        return VirtualCamera(scene, preset("mild", rng), rng, RATE_HZ)

    return open_camera(
        source,
        clock,
        flip=camera.flip,
        picamera=ribbon_options(camera),
        usb=usb_options(camera),
        more={"virtual": virtual},
    )


def watched(camera: Camera, clock: Callable[[], float], settles_s: float = SETTLES_S) -> Film:
    """Reads a camera for a while; a real one until it has settled, any other until there are enough pictures."""
    live = isinstance(camera, LiveCamera)
    frames: deque[Frame] = deque(maxlen=STACK)
    count, moving, began_s = 0, False, clock()
    try:
        if isinstance(camera, LiveCamera):
            camera.ready()
            began_s = clock()
        while clock() - began_s < settles_s if live else count < STACK:
            try:
                frame = camera.read()
            except NothingNewError:
                continue
            if frame is None:
                break
            moving |= bool(frames) and not _same(frames[-1], frame)
            frames.append(frame)
            count += 1
    except CameraError as error:
        return Film(tuple(frames), Check("camera", Verdict.FAULT, str(error)))
    if not frames:
        said = f"{camera.name}: no picture came"
        return Film((), Check("camera", Verdict.FAULT, said, remedy="Check its cable."))
    if not frames[-1].legible:
        said = "{}: pictures of {}x{} pixels, in which nothing can be read".format(camera.name, *frames[-1].size)
        return Film((), Check("camera", Verdict.FAULT, said, remedy="Set another size, or try another camera."))
    rate = count / settles_s if live else None
    measured = (Measure("name", camera.name), Measure("rate", None if rate is None else round(rate, 1), "Hz"))
    alike = frames if len({frame.size for frame in frames}) == 1 else [frames[-1]]
    return Film(tuple(alike), _judged(camera, measured, rate, live and not moving and not light(frames[-1].lores).flat))


def _judged(camera: Camera, measured: tuple[Measure, ...], rate: float | None, frozen: bool) -> Check:
    if frozen:
        remedy = "Try another cable, and another power supply."
        return Check("camera", Verdict.FAULT, f"{camera.name}: the same picture again and again", measured, remedy)
    complaints = getattr(camera.driver if isinstance(camera, LiveCamera) else camera, "complaints", [])
    if complaints:
        return Check("camera", Verdict.WARNING, f"{camera.name}: {'; '.join(complaints)}", measured)
    if rate is not None and rate < SLOW_HZ:
        remedy = "Add light, or set exposure_ms; a smaller size is faster."
        return Check("camera", Verdict.WARNING, f"{camera.name}: only {rate:.1f} pictures a second", measured, remedy)
    said = camera.name if rate is None else f"{camera.name}, {rate:.0f} pictures a second"
    return Check("camera", Verdict.OK, said, measured)


def _same(one: Frame, other: Frame) -> bool:
    return np.array_equal(one.lores, other.lores) and np.array_equal(one.main, other.main)
