"""The lock file of the box: made by `./go lock`, looked up by `./go audit`, and fitting pyproject.toml."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "systemd/requirements.lock"
PYPROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
TABLES = tomllib.loads(PYPROJECT)
PACKAGES = re.findall(r"^(\w[\w.-]*)==(\S+)", LOCK.read_text("utf-8"), re.MULTILINE)
STALE = "systemd/requirements.lock no longer fits pyproject.toml: run ./go lock"


def test_the_lock_file_was_made_for_these_dependencies(go: ModuleType) -> None:
    first = LOCK.read_text("utf-8").splitlines()[0]
    assert first.endswith(f" {go.fingerprint(PYPROJECT)}"), STALE


def test_every_dependency_and_all_that_builds_the_package_is_locked_in_a_version_that_will_do() -> None:
    locked = dict(PACKAGES)
    wanted = [Requirement(text) for text in TABLES["project"]["dependencies"] + TABLES["build-system"]["requires"]]
    names = {need: re.sub(r"[-_.]+", "-", need.name).lower() for need in wanted}
    unfit = [str(need) for need, name in names.items() if not need.specifier.contains(locked.get(name, "0"))]
    assert unfit == [], STALE


def test_the_lock_file_holds_versions_and_hashes_and_no_address() -> None:
    package = r"\w[\w.-]*==[\w.]+(?: ; [^\n\\]+)? \\\n(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+"
    assert re.fullmatch(rf"#[^\n]*\n(?:{package})+", LOCK.read_text("utf-8"))
    assert len(dict(PACKAGES)) == len(PACKAGES)


def test_versions_of_gpiozero_that_end_on_a_pi_5_are_excluded() -> None:
    gpiozero = next(need for need in map(Requirement, TABLES["project"]["dependencies"]) if need.name == "gpiozero")
    tried = ["2.0", "2.0.1", "2.0.1.post1", "2.0.1.post2", "2.0.1.post3"]
    assert [version for version in tried if gpiozero.specifier.contains(version)] == ["2.0.1", "2.0.1.post3"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"click>=8.1"', '"click>=8.2"'),
        ('"click>=8.1",', ""),
        ('requires = ["setuptools>=68"]', 'requires = ["setuptools>=69"]'),
        ('requires-python = ">=3.11"', 'requires-python = ">=3.12"'),
    ],
)
def test_any_change_of_what_is_needed_makes_the_lock_file_stale(go: ModuleType, before: str, after: str) -> None:
    assert before in PYPROJECT
    assert go.fingerprint(PYPROJECT.replace(before, after)) != go.fingerprint(PYPROJECT)


def test_other_changes_of_the_project_do_not(go: ModuleType) -> None:
    changed = PYPROJECT.replace('version = "0.1.0"', 'version = "9"').replace('"pytest>=8.2"', '"pytest>=9"')
    assert changed.count("9") > PYPROJECT.count("9")
    assert go.fingerprint(changed) == go.fingerprint(PYPROJECT)


@pytest.fixture
def tools(go: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose programs `go` takes for its tools; its lock file lies there as well."""
    monkeypatch.setattr(go, "BIN", tmp_path)
    monkeypatch.setattr(go, "ROOT", tmp_path)
    monkeypatch.setattr(go, "LOCK", tmp_path / "requirements.lock")
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    return tmp_path


def _play(folder: Path, name: str, script: str) -> None:
    tool = folder / name
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)


def test_lock_writes_what_uv_says_with_the_fingerprint_above(go: ModuleType, tools: Path) -> None:
    _play(tools, "uv", 'echo "$*" >arguments; cat >builders; echo "click==8.1 \\\\"; echo "    --hash=sha256:00"')
    assert go._lock() == 0
    assert (tools / "builders").read_text().split() == TABLES["build-system"]["requires"]
    assert "--generate-hashes" in (tools / "arguments").read_text()
    first, rest = (tools / "requirements.lock").read_text().split("\n", 1)
    assert first.endswith(go.fingerprint(PYPROJECT))
    assert rest == "click==8.1 \\\n    --hash=sha256:00\n"


def test_a_lock_that_fails_leaves_the_file_as_it_is(
    go: ModuleType, tools: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tools / "requirements.lock").write_text("old")
    _play(tools, "uv", "echo 'error: no network' >&2; exit 2")
    assert go._lock() == 2
    assert (tools / "requirements.lock").read_text() == "old"
    assert "requirements.lock stays as it is:\nerror: no network" in capsys.readouterr().err


UNREACHABLE = "Vulnerabilities were not looked up, since their database can't be reached: "
CLICK = {"name": "click", "version": "8.1"}
FLAW = {"id": "PYSEC-1", "fix_versions": ["8.2"]}
NOT_FOUND = {**CLICK, "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("packages", "result", "told"),
    [
        ([{**CLICK, "vulns": []}], 0, "Looked up: 1 packages, 0 known vulnerabilities\n"),
        (
            [{**CLICK, "vulns": [FLAW]}, {**NOT_FOUND, "name": "segno"}],
            1,
            "click 8.1: PYSEC-1, mended in 8.2; ./go lock takes the newest\n"
            "Looked up: 1 packages, 1 known vulnerabilities; unknown there: segno\n",
        ),
        ([NOT_FOUND], 0, f"{UNREACHABLE}it knows none of the packages\n"),
    ],
)
def test_audit_tells_what_is_known(
    go: ModuleType,
    tools: Path,
    capsys: pytest.CaptureFixture[str],
    packages: list[dict[str, object]],
    result: int,
    told: str,
) -> None:
    (tools / "answer").write_text(json.dumps({"dependencies": packages}))
    _play(tools, "pip-audit", f"cat {tools / 'answer'}; echo Found something >&2; exit {result}")
    assert go._audit() == result
    said = capsys.readouterr()
    assert said.out + said.err == told


def test_without_a_network_audit_says_so_and_is_no_failure(
    go: ModuleType, tools: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _play(tools, "pip-audit", "echo Traceback >&2; echo 'ConnectionError: no route' >&2; exit 1")
    assert go._audit() == 0
    assert capsys.readouterr().err == f"{UNREACHABLE}ConnectionError: no route\n"
    _play(tools, "pip-audit", "exec tail -f /dev/null")
    monkeypatch.setattr(go, "AUDIT_S", 0)
    assert go._audit() == 0
    assert capsys.readouterr().err == f"{UNREACHABLE}no answer within 0 seconds\n"


def test_ci_looks_vulnerabilities_up() -> None:
    assert "\n./go audit\n" in (ROOT / ".ci/run").read_text("utf-8")
