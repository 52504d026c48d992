#!/usr/bin/python3
"""Stands in for `companion serve` under the real systemd: speaks through the real notifier, and misbehaves on request.

It needs nothing but the system's Python, so that it can run in a root that has nothing else.
"""

import os
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, "/job/lib")
from companion.service.notify import Notifier, Watchdog, watchdog_limit_s


def _try(path: str) -> str:
    try:
        os.close(os.open(path, os.O_RDWR))
    except OSError as error:
        return f"errno {error.errno}"
    return "opened"


def _write(path: str) -> str:
    try:
        Path(path).write_text("x")
    except OSError as error:
        return f"errno {error.errno}"
    return "written"


def hang_on_purpose() -> None:
    while True:
        time.sleep(60)


notifier = Notifier(os.environ)
watchdog = Watchdog(notifier, watchdog_limit_s(os.environ, os.getpid()))
ended = []
hang = Path("/run/companion/hang")
signal.signal(signal.SIGTERM, lambda *_: ended.append(True))
print("arguments", *sys.argv[1:])
print("in", Path.cwd(), "watched", watchdog.interval_s, "file mode", oct(os.umask(0o77)))
for node in ("/dev/vcio", "/dev/strange", "/dev/null"):
    print("node", node, _try(node))
for file in ("/var/lib/companion/a", "/run/companion/a", "/etc/companion/a", "/opt/companion/a"):
    print("file", file, _write(file))
print("cpuinfo", os.access("/proc/cpuinfo", os.R_OK))
notifier.ready("stand-in is up")
while not ended:
    watchdog.alive(time.monotonic())
    if hang.exists():
        hang.unlink()
        hang_on_purpose()
    time.sleep(0.05)
notifier.stopping("bye")
