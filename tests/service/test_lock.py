"""One process at a time has a journal; the kernel gives it back, however that process ends."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.service.journal import Journal, JournalError
from companion.service.lock import lock_beside

HOLD = """
import sys
from pathlib import Path
from companion.service.journal import Journal

journal = Journal(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that has the journal open."""
    command = [sys.executable, "-c", HOLD, str(tmp_path / "j")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "open\n"
        yield process
        process.kill()


def test_a_second_process_is_refused_with_the_file_and_the_number_of_the_first(
    tmp_path: Path, holder: subprocess.Popen[str]
) -> None:
    with pytest.raises(JournalError) as raised:
        Journal(tmp_path / "j")
    assert str(raised.value) == (
        f"journal {tmp_path / 'j'}: process {holder.pid} is playing with it; end that one first, or name another file"
    )
    assert raised.value.trouble == "journal-held"


def test_a_killed_process_gives_it_back_at_once(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    with closing(Journal(tmp_path / "j")), pytest.raises(JournalError, match="is playing with it"):
        Journal(tmp_path / "j")


def test_play_says_who_has_the_journal_and_ends(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    command = [sys.executable, "-m", "companion", "play", "phoenix", "--journal", str(tmp_path / "j"), "--plain"]
    second = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert (second.returncode, second.stdout) == (1, "")
    assert f"process {holder.pid} is playing with it" in second.stderr
    assert "Traceback" not in second.stderr


def test_a_lock_whose_holder_could_not_be_written_holds_all_the_same(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "j")):
        lock_beside(tmp_path / "j").write_bytes(b"")
        with pytest.raises(JournalError, match=r"process \(unknown\) is playing"):
            Journal(tmp_path / "j")
