# SPDX-License-Identifier: Apache-2.0
"""Sweeps: the table, its cases, the program's bytes."""

import subprocess

import numpy as np
import pytest

import berth


def test_table(scenarios):
    s = berth.load(scenarios / "capture_envelope.toml")
    t = berth.sweep(s, samples=20, seed=7, progress=False)
    assert len(t) == 20 and t.inputs
    frame = t.to_dataframe()
    assert len(frame) == 20 and set(frame.outcome) <= {"reached_end", "stopped"}
    assert frame.attrs["units"].keys() == set(t.columns)
    assert "20 cases" in repr(t)
    r = t.replay(4, progress=False)
    assert r.verdict == t["verdict"][4]
    for name in t.inputs:
        assert t.case(4)[name] == t[name][4]
    with pytest.raises(KeyError):
        t["nothing"]
    with pytest.raises(ValueError):
        t.replay(20)
    again = berth.sweep(s, samples=20, seed=7, threads=1, progress=False)
    for name in t:
        np.testing.assert_array_equal(again[name], t[name])


def test_the_programs_bytes(program, scenarios, tmp_path):
    file = scenarios / "bouncing_ball.toml"
    vary = {"time.stop": berth.uniform(1, 2), "integrator.tolerance": [1e-9, 1e-10]}
    t = berth.sweep(str(file), vary, samples=3, seed=5, out=tmp_path / "python.h5", progress=False)
    command = [program, "sweep", str(file), "--samples", "3", "--seed", "5", "--quiet", "--no-html",
               "--out", str(tmp_path / "program.h5")]  # fmt: skip
    for key, how in (("time.stop", "uniform(1,2)"), ("integrator.tolerance", "[1e-9,1e-10]")):
        command += ["--vary", f"{key}={how}"]
    subprocess.run(command, check=True)
    assert (tmp_path / "python.h5").read_bytes() == (tmp_path / "program.h5").read_bytes()
    assert len(t) == 6
    read = berth.open(tmp_path / "program.h5")
    assert isinstance(read, berth.SweepTable) and len(read) == 6
    t.save(tmp_path / "copy.h5")
    assert len(berth.open(tmp_path / "copy.h5")) == 6


def test_what_is_wrong_is_refused(scenarios):
    s = berth.load(scenarios / "bouncing_ball.toml")
    with pytest.raises(berth.ScenarioError):
        berth.sweep(s, {"time.stp": [1, 2]})
    with pytest.raises(berth.ScenarioError):
        berth.sweep(s, {"time.stop": "uniform(1"}, samples=2)
    with pytest.raises(berth.ScenarioError):
        berth.sweep(s, {"time.stop": [1, 2]}, collect=["nothing.there"])
    for wrong in (None, 3, object(), {1: 2}):
        with pytest.raises((TypeError, ValueError)):
            berth.sweep(s, {"time.stop": wrong})
    for samples in (0, -1, 2**40):
        with pytest.raises(ValueError):
            berth.sweep(s, {"time.stop": berth.uniform(1, 2)}, samples=samples)
    with pytest.raises(ValueError):
        berth.uniform(float("nan"), 1)
    with pytest.raises(TypeError):
        berth.normal("a", 1)


def test_table_as_parquet_and_over_time(scenarios, tmp_path):
    import pyarrow.parquet

    t = berth.sweep(scenarios / "capture_envelope.toml", samples=20, bands=["tip.force"], progress=False)
    t.to_parquet(tmp_path / "t.parquet", rows=7)
    read = pyarrow.parquet.read_table(tmp_path / "t.parquet")
    assert read.column_names == t.columns
    for name in t:
        np.testing.assert_array_equal(read[name].to_pylist(), t[name].tolist())
    assert read.schema.field("contacts.tip.force_peak").metadata[b"unit"] == b"N"
    times, force = t.over_time("tip.force")
    assert force.shape == (20, len(times)) and times[0] == 0 and times[-1] == 90
    assert np.all(np.isnan(force[:, -1]) == (t["time"] < 90))
    with pytest.raises(KeyError, match="tip.force"):
        t.over_time("tip.forc")


def test_parts_are_merged(program, scenarios, tmp_path):
    file = str(scenarios / "bouncing_ball.toml")
    command = [program, "sweep", file, "--vary", "time.stop=uniform(1,2)", "--quiet", "--no-html"]
    command += ["--samples", "10", "--design", "sobol"]
    for k in (2, 3, 1):
        subprocess.run([*command, "--part", f"{k}/3", "-o", f"{tmp_path}/p{k}.h5"], check=True)
    subprocess.run([*command, "-o", f"{tmp_path}/whole.h5"], check=True)
    with pytest.raises(FileNotFoundError, match="part 2 of 3"):
        berth.merge([tmp_path / "p1.h5", tmp_path / "p3.h5"], tmp_path / "all.h5")
    t = berth.merge([tmp_path / f"p{k}.h5" for k in (3, 1, 2)], tmp_path / "all.h5")
    assert len(t) == 10
    assert (tmp_path / "all.h5").read_bytes() == (tmp_path / "whole.h5").read_bytes()


@pytest.mark.soak
def test_a_million_cases_in_bounded_memory(program, scenarios, tmp_path):
    """Killed once on the way; the table and the page without a gigabyte."""
    import resource
    import signal
    import time

    command = [
        program,
        "sweep",
        str(scenarios / "free_body.toml"),
        "--set",
        "time.stop=0.1",
        "--samples",
        "1000000",
    ]
    command += ["--vary", "spacecraft.body.state.omega_BN_B.x=normal(1,0.1)", "-o", str(tmp_path / "m.h5")]
    first = subprocess.Popen(command)
    time.sleep(30)
    first.send_signal(signal.SIGKILL)
    first.wait()
    subprocess.run(command, check=True)
    assert len(berth.open(tmp_path / "m.h5")) == 1_000_000
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 1_000_000  # kB
