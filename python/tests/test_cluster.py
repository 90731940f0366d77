# SPDX-License-Identifier: Apache-2.0
"""Sweeps on Dask clusters: real worker processes, some of them killed, and the bytes of one thread."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import berth

distributed = pytest.importorskip("distributed")

SCENARIOS = Path(__file__).parents[2] / "scenarios"
CAPTURE = SCENARIOS / "capture_envelope.toml"


@pytest.fixture(scope="module")
def client() -> Iterator[object]:
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    )
    with cluster, distributed.Client(cluster) as client:
        yield client


def kill_workers(client, pause: float, most: int, over: threading.Event) -> int:
    """Kills one worker after the other; their nannies start new ones. How many."""
    killed = 0
    while killed < most and not over.wait(pause):
        workers = client.run(os.getpid)
        if workers:
            os.kill(sorted(workers.values())[killed % len(workers)], signal.SIGKILL)
            killed += 1
    return killed


def test_same_bytes_as_one_thread_with_workers_killed(client, tmp_path):
    berth.sweep(CAPTURE, samples=1000, seed=3, out=tmp_path / "one.h5", threads=1)
    over, counts = threading.Event(), []
    killer = threading.Thread(target=lambda: counts.append(kill_workers(client, 0.7, 3, over)))
    killer.start()
    try:
        t = berth.sweep(CAPTURE, samples=1000, seed=3, out=tmp_path / "many.h5", client=client)
    finally:
        over.set()
        killer.join()
    assert len(t) == 1000
    assert counts == [3]
    assert (tmp_path / "one.h5").read_bytes() == (tmp_path / "many.h5").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["many.h5", "one.h5"]


def test_searches_run_on_a_cluster_too(client, tmp_path):
    inputs = {"spacecraft.body.state.omega_BN_B.x": berth.normal(1, 0.1)}
    work = dict(until="as_expected ±20 %", collect=["audit.energy"], seed=2)
    scenario = berth.load(SCENARIOS / "free_body.toml", {"time.stop": 0.2})
    berth.sweep(scenario, inputs, out=tmp_path / "one.h5", **work)
    berth.sweep(scenario, inputs, out=tmp_path / "many.h5", client=client, **work)
    assert (tmp_path / "one.h5").read_bytes() == (tmp_path / "many.h5").read_bytes()


def test_an_interrupted_sweep_goes_on(client, tmp_path):
    class Stop(Exception):
        pass

    from berth import _core, cluster

    def stop_early(done: float) -> None:
        if done > 20:
            raise Stop

    request = (
        '{"vary": [], "settings": [], "samples": 200, "seed": 1, "design": "", "collect": [], "bands": [],'
        ' "indices": false, "until": "", "rare": "", "boundary": []}'
    )
    text, out = CAPTURE.read_text(), tmp_path / "x.h5"
    session = _core.SweepSession(text, "x", SCENARIOS, request, out, False)
    with pytest.raises(Stop):
        cluster.run_on_cluster(session, client, stop_early)
    session.close()
    assert not out.exists()
    assert (tmp_path / "x.h5.journal").read_text().count("\n") > 20
    t = berth.sweep(berth.Scenario(text, name="x"), samples=200, seed=1, out=out, client=client)
    assert len(t) == 200
    assert sorted(os.listdir(tmp_path)) == ["x.h5"]


def test_a_worker_of_another_version_is_named(client):
    from berth import _core

    with pytest.raises(RuntimeError, match=r"this worker has berth .* the sweep is of berth 9\.9"):
        _core.SweepWorker('{"version": "9.9"}')


def test_problems_are_those_of_any_sweep(client):
    with pytest.raises(berth.ScenarioError, match="did you mean"):
        berth.sweep(CAPTURE, {"spacecraft.chaser.masss": berth.uniform(1, 2)}, samples=3, client=client)
    with pytest.raises(ValueError, match="threads are those of this process"):
        berth.sweep(CAPTURE, samples=3, client=client, threads=2)


@pytest.mark.soak
def test_twenty_thousand_cases_with_a_worker_killed_every_few_seconds(tmp_path):
    berth.sweep(CAPTURE, samples=20_000, seed=5, out=tmp_path / "one.h5", threads=1)
    cluster = distributed.LocalCluster(
        n_workers=4, threads_per_worker=1, processes=True, dashboard_address=None
    )
    over, counts = threading.Event(), []
    with cluster, distributed.Client(cluster) as client:
        killer = threading.Thread(target=lambda: counts.append(kill_workers(client, 3, 10**6, over)))
        killer.start()
        begin = time.perf_counter()
        try:
            berth.sweep(CAPTURE, samples=20_000, seed=5, out=tmp_path / "many.h5", client=client)
        finally:
            over.set()
            killer.join()
        print(f"{counts[0]} workers killed in {time.perf_counter() - begin:.0f} s")
    assert (tmp_path / "one.h5").read_bytes() == (tmp_path / "many.h5").read_bytes()
