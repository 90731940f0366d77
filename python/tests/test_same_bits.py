# SPDX-License-Identifier: Apache-2.0
"""Runs from Python have the bytes of those of the program; so do pieces and threads."""

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import berth

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = [*sorted((ROOT / "scenarios").glob("*.toml"))]
SHIPPED += [
    f for f in sorted((ROOT / "papers").glob("*/*.toml")) if f.name not in ("figures.toml", "numbers.toml")
]
QUICK = ["bouncing_ball", "heavy_top", "four_bar", "capture_envelope"]


def compare_with_program(program, file, folder):
    run = [program, "run", str(file), "--quiet", "--no-html", "--out", str(folder / "program.h5")]
    subprocess.run(run, check=False, capture_output=True)
    r = berth.load(file).run(out=folder / "python.h5", progress=False)
    r.save(folder / "saved.h5")
    expected = (folder / "program.h5").read_bytes()
    assert (folder / "python.h5").read_bytes() == expected
    assert (folder / "saved.h5").read_bytes() == expected
    read = berth.open(folder / "program.h5")
    for name in read:
        np.testing.assert_array_equal(r[name], read[name])


@pytest.mark.parametrize("name", QUICK)
def test_quick_scenarios_have_the_programs_bytes(program, scenarios, tmp_path, name):
    compare_with_program(program, scenarios / f"{name}.toml", tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("file", SHIPPED, ids=lambda f: f.stem)
def test_every_scenario_has_the_programs_bytes(program, tmp_path, file):
    compare_with_program(program, file, tmp_path)


def test_pieces_have_the_bits_of_one_run(scenarios, docking, tmp_path):
    sim = berth.Simulation(berth.load(scenarios / "docking.toml", {"time.stop": 400}))
    assert sim.run_until(100.25) and sim.t == 100.25
    assert sim.step(7.5) and sim.t == 107.75
    assert sim.run_to_event("contact_on")
    assert sim.value("tip.force") >= 0 and sim.unit("tip.force") == "N"
    assert sim.value("servicer.omega_BN_B").shape == (3,)
    assert sim.value("servicer.omega_BN_B.x") == sim.value("servicer.omega_BN_B")[0]
    assert sim.events()[-1].kind == "contact_on" or sim.events().find("contact_on")
    r = sim.run()
    assert sim.is_over
    r.save(tmp_path / "pieces.h5")
    docking.save(tmp_path / "one.h5")
    assert (tmp_path / "pieces.h5").read_bytes() == (tmp_path / "one.h5").read_bytes()
    assert not sim.run_until(401)
    with pytest.raises(ValueError):
        sim.run_until(1)
    with pytest.raises(ValueError):
        sim.run_until(float("nan"))


def test_threads_give_the_same_bits(scenarios, tmp_path):
    def run(k):
        r = berth.load(scenarios / "docking.toml", {"time.stop": 30 + k % 2}).run(progress=False)
        r.save(tmp_path / f"{k}.h5")
        return (tmp_path / f"{k}.h5").read_bytes()

    with ThreadPoolExecutor(4) as threads:
        files = list(threads.map(run, range(8)))
    assert len(set(files)) == 2
    assert files[0::2] == [files[0]] * 4 and files[1::2] == [files[1]] * 4


def test_a_simulation_serves_one_thread_at_a_time(scenarios):
    sim = berth.Simulation(scenarios / "docking.toml")
    with ThreadPoolExecutor(1) as threads:
        run = threads.submit(sim.run_until, 60.0)
        refused = 0
        while not run.done():
            try:
                sim.value("tip.force")
            except RuntimeError:
                refused += 1
        run.result()
    assert refused > 0
