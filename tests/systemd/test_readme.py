"""What systemd/README.md says is so."""

from __future__ import annotations

import re

from fake_root import PROJECT

README = (PROJECT / "systemd/README.md").read_text("utf-8")
SCRIPT = (PROJECT / "systemd/install.sh").read_text("utf-8")
UNIT = (PROJECT / "systemd/companion.service").read_text("utf-8")


def _value(name: str) -> str:
    found = re.search(rf"^{name}='?([^'#\n]+?)'? *(?:#.*)?$", SCRIPT, re.MULTILINE)
    assert found, name
    return found[1]


def test_every_option_of_the_installer_is_described_and_no_other() -> None:
    accepted = set(re.findall(r"^    (--[a-z]+)\)", SCRIPT, re.MULTILINE))
    assert set(re.findall(r"install\.sh (--[a-z]+)", README)) == accepted


def test_every_package_is_named_and_no_other() -> None:
    wanted = {name.rpartition("|")[2] for name in f"{_value('NEEDED')} {_value('ON_A_PI')}".split()}
    named = set(re.findall(r"`((?:python3|lib|fonts)[\w-]+)`", README))
    assert named == wanted


def test_the_paths_are_those_of_the_installer() -> None:
    told = re.findall(r"^\| `(/[^`]+)`", README, re.MULTILINE)
    assert told
    variables = {"$base": "/opt/companion", "$settings": "/etc/companion", "$units": "/etc/systemd/system"}
    text = SCRIPT.replace("$root/", "/")
    for variable, path in variables.items():
        text = text.replace(variable, path)
    made = {"/run/companion"}  # by systemd: RuntimeDirectory=
    assert [path for path in told if path not in text and path not in made] == []
    assert "RuntimeDirectory=companion" in UNIT


def test_the_numbers_are_those_of_installer_and_service() -> None:
    needed_mb = int(_value("DISK_MB")) + int(_value("PACKAGES_MB"))
    assert f"{-(-needed_mb // 1000)} GB of free space" in README
    assert _value("KEPT") == "3"
    assert "The three newest versions are kept" in README
    assert f"systemd {_value('RAISING_BACKOFF')} or newer" in README
    for setting, told in (("WatchdogSec", "none for {} seconds"), ("RestartSec", "rises from {} seconds")):
        seconds = re.search(rf"^{setting}=(\d+)", UNIT, re.MULTILINE)
        assert seconds
        assert told.format(seconds[1]) in " ".join(README.split())
    for setting in ("MemoryDenyWriteExecute", "DevicePolicy"):
        assert re.search(rf"^{setting}=", UNIT, re.MULTILINE)


def test_links_within_the_page_lead_somewhere() -> None:
    titles = {
        re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-")
        for line in re.findall(r"^#+ (.+)$", README, re.MULTILINE)
    }
    links = re.findall(r"\]\(#([^)]+)\)", README)
    assert links
    assert [link for link in links if link not in titles] == []
