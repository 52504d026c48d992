"""Makes `picamera2_signatures.json`: what releases of picamera2 offer of what we use, read from their source.

    pip download --no-deps --no-binary :all: picamera2==0.3.38     # and so on; then unpack each
    python tests/vision/data/picamera2_signatures.py picamera2-0.3.18 picamera2-0.3.38 ... \
        > tests/vision/data/picamera2_signatures.json

Nothing of the package is imported, so no libcamera is needed.
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import Any

USED = {
    "Picamera2": (
        "picamera2.py",
        {
            "__init__",
            "_cm",
            "camera_config",
            "camera_controls",
            "capture_request",
            "close",
            "configure",
            "create_video_configuration",
            "global_camera_info",
            "is_open",
            "notifyme_w",
            "start",
            "stop",
        },
    ),
    "CameraManager": ("picamera2.py", {"reset"}),
    "CompletedRequest": ("request.py", {"make_array", "get_metadata", "release"}),
    "Job": ("job.py", {"get_result"}),
}
"""Classes, where they stand, and the names in them that are looked up."""


def members(source: str, name: str, wanted: set[str]) -> dict[str, Any]:
    """Of a class: methods with their parameters and defaults, properties and attributes as null."""
    tree = ast.parse(source)
    found: dict[str, Any] = {}
    for node in ast.walk(next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == name)):
        if isinstance(node, ast.FunctionDef):
            found[node.name] = parameters(node)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.setdefault(node.attr, None)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.setdefault(node.id, None)
    return {key: found[key] for key in sorted(wanted) if key in found}


def parameters(node: ast.FunctionDef) -> list[list[str | None]] | None:
    """Name and default of each parameter but `self`, the default as source text or null; null for a property."""
    decorators = {ast.unparse(one) for one in node.decorator_list}
    if any(one == "property" or one.endswith(".setter") for one in decorators):
        return None
    given = node.args
    defaults: list[ast.expr | None] = [*[None] * (len(given.args) - len(given.defaults)), *given.defaults]
    pairs = [(one.arg, default) for one, default in zip(given.args, defaults, strict=True)]
    pairs = pairs if "staticmethod" in decorators else pairs[1:]
    pairs += list(zip((one.arg for one in given.kwonlyargs), given.kw_defaults, strict=True))
    return [[name, None if default is None else ast.unparse(default)] for name, default in pairs]


def formats(source: str) -> dict[str, list[str]]:
    """The pixel formats by kind."""
    values = {node.targets[0].id: node.value for node in ast.parse(source).body if isinstance(node, ast.Assign)}  # type: ignore[attr-defined]
    return {name: sorted(ast.literal_eval(values[name])) for name in ("RGB_FORMATS", "YUV_FORMATS")}


def release(folder: Path) -> dict[str, Any]:
    """All that is looked up in an unpacked release."""
    code = folder / "picamera2"
    classes = {name: members((code / file).read_text("utf-8"), name, wanted) for name, (file, wanted) in USED.items()}
    return {**classes, **formats((code / "formats.py").read_text("utf-8"))}


if __name__ == "__main__":
    folders = [Path(argument) for argument in sys.argv[1:]]
    table = {folder.name.removeprefix("picamera2-"): release(folder) for folder in folders}
    print(json.dumps(table, indent=1, sort_keys=True))
