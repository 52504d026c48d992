"""The virtual table: a scene of pieces, props and hands, seen through a lens, in some light, as frames.

Knows no game. `Scene` is what lies there, `Optics` the camera and the room, `Renderer` takes the pictures, `truth`
says what a perfect reader would find in them, `acting` moves things as people do.
"""

from vision.scene.optics import Glare, Optics, OpticsError, Shade, preset
from vision.scene.render import Renderer
from vision.scene.scene import Hand, Placed, Prop, Scene, SceneError

__all__ = [
    "Glare",
    "Hand",
    "Optics",
    "OpticsError",
    "Placed",
    "Prop",
    "Renderer",
    "Scene",
    "SceneError",
    "Shade",
    "preset",
]
