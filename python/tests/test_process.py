# SPDX-License-Identifier: Apache-2.0
"""What a process sees: Ctrl-C, memory, progress, the lock, what the README and pages say."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import berth

ROOT = Path(__file__).resolve().parents[2]


def interrupt_when(begun):
    """Ctrl-C, a little after the work has begun."""

    def interrupt():
        while not begun():
            time.sleep(0.02)
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()


def test_ctrl_c_ends_a_run_with_what_there_is(scenarios, tmp_path):
    s = berth.load(scenarios / "docking.toml", {"time.stop": 1e6})
    interrupt_when(lambda: any(tmp_path.iterdir()))
    with pytest.warns(berth.InterruptedWarning):
        r = s.run(out=tmp_path / "x.h5", progress=False)
    assert r.outcome == "interrupted" and 0 < r.t_end < 1e6
    assert r.t[-1] == r.t_end
    assert berth.open(tmp_path / "x.h5").t_end == r.t_end


def test_ctrl_c_ends_a_sweep(scenarios, tmp_path):
    journal = tmp_path / "x.h5.journal"
    interrupt_when(lambda: journal.exists() and journal.stat().st_size > 0)
    file = scenarios / "capture_envelope.toml"
    with pytest.raises(KeyboardInterrupt):
        berth.sweep(file, samples=1_000_000, out=tmp_path / "x.h5", progress=False)
    assert journal.exists()


def test_the_lock_is_free_while_it_runs(scenarios):
    s = berth.load(scenarios / "docking.toml", {"time.stop": 400})
    count = 0
    thread = threading.Thread(target=s.run, kwargs={"progress": False})
    thread.start()
    while thread.is_alive():
        count += 1
        time.sleep(0.0005)
    assert count > 5


def test_progress_is_shown(scenarios, capsys):
    from berth.progress import show_progress

    with show_progress(True, 10, "s", "docking") as show:
        assert show is not None
        show(3)
    with show_progress(False, 10, "s", "docking") as show:
        assert show is None
    calls = []
    sim = berth.Simulation(berth.load(scenarios / "docking.toml", {"time.stop": 2000}))
    sim._core.run_until(2000, calls.append)
    assert calls and calls == sorted(calls) and calls[-1] <= 2000
    with pytest.raises(ZeroDivisionError):
        berth.Simulation(scenarios / "docking.toml")._core.run_until(2e3, lambda t: 1 / 0)


def memory():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def grow(scenarios, count):
    s = berth.load(scenarios / "bouncing_ball.toml", {"time.stop": 1})

    def use():
        sim = berth.Simulation(s)
        sim.run_until(0.5)
        r = sim.run(progress=False)
        return r["row.side"][-1], len(r.events), dict(r.summary)

    for _ in range(max(20, count // 10)):
        use()
    before = memory()
    for _ in range(count):
        use()
    return memory() - before


def test_no_leaks(scenarios):
    assert grow(scenarios, 100) < 3e6


@pytest.mark.soak
def test_no_leaks_over_1000_simulations(scenarios):
    assert grow(scenarios, 1000) < 3e6


def test_a_forked_process_has_its_own(scenarios):
    code = (
        "import berth, os\n"
        f"s = berth.load({str(scenarios / 'bouncing_ball.toml')!r})\n"
        "r = s.run()\n"
        "pid = os.fork()\n"
        "same = (s.run().t == r.t).all()\n"
        "os._exit(0 if same else 1) if pid == 0 else None\n"
        "assert os.waitpid(pid, 0)[1] == 0 and same\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ)


# --- what pages say --------------------------------------------------------------------------------


def find_blocks(page):
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)


def run_block(code, folder):
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(folder)},
    ).stdout  # fmt: skip


def test_the_readme_prints_captured(tmp_path):
    blocks = [b for b in find_blocks(ROOT / "README.md") if "import berth" in b]
    assert len(blocks) == 1
    assert "captured" in run_block(blocks[0], tmp_path)


def test_the_page_runs(tmp_path):
    blocks = [b for b in find_blocks(ROOT / "docs" / "python.md") if "# not run" not in b]
    out = run_block("\n".join(blocks), tmp_path)
    assert "captured" in out


def test_every_public_name_is_on_the_page():
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    missing = [n for n in berth.__all__ if not re.search(rf"\b{n}\b", page)]
    for cls in (berth.Scenario, berth.Simulation, berth.Result, berth.SweepTable):
        names = [n for n in vars(cls) if not n.startswith("_")]
        missing += [f"{cls.__name__}.{n}" for n in names if not re.search(rf"\b{n}\b", page)]
    assert not missing


def test_every_public_thing_has_a_docstring():
    for name in berth.__all__:
        thing = getattr(berth, name)
        assert thing.__doc__, name
        if isinstance(thing, type):
            for key, member in vars(thing).items():
                if not key.startswith("_") and (callable(member) or isinstance(member, property)):
                    assert member.__doc__, f"{name}.{key}"


def test_ruff_finds_nothing():
    pytest.importorskip("ruff")
    subprocess.run([sys.executable, "-m", "ruff", "check", "--no-cache", "python"], cwd=ROOT, check=True)


@pytest.mark.soak
def test_mypy_finds_nothing():
    pytest.importorskip("mypy")
    subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", os.devnull], cwd=ROOT, check=True)
