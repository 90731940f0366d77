# SPDX-License-Identifier: Apache-2.0
"""Cases of a sweep on the workers of a Dask cluster.

The scenario goes to every worker once, by a plugin that new workers get too. Tasks are batches of case
numbers that take about a second, one thread each; what comes back are lines of the journal. A worker that
is lost takes no finished batch with it, and its unfinished ones are run elsewhere.
"""

from __future__ import annotations

import threading
import time
import uuid
from typing import Any

import distributed
from distributed.diagnostics.plugin import WorkerPlugin

from . import _core
from .progress import Show

Batch = tuple[list[int], list[list[str]] | None]

BATCH_SECONDS = 1.0
TASKS_PER_THREAD = 2  #: under way or waiting, so that no thread runs dry
MOST_LOST = 1000  #: workers that may die over one batch before we give up

_local = threading.local()


class SweepPlugin(WorkerPlugin):  # type: ignore[misc]
    """The scenario, on a worker."""

    def __init__(self, name: str, spec: str) -> None:
        self.name = name
        self.spec = spec


def run_batch(name: str, numbers: list[int], settings: list[list[str]] | None) -> tuple[str, float]:
    """Lines of these cases, and the seconds they took; on a worker."""
    workers: dict[str, Any] = _local.__dict__.setdefault("workers", {})
    if name not in workers:
        workers.clear()  # of sweeps that are over
        workers[name] = _core.SweepWorker(distributed.get_worker().plugins[name].spec)
    begin = time.perf_counter()
    return workers[name].run(numbers, settings), time.perf_counter() - begin


def run_on_cluster(session: _core.SweepSession, client: distributed.Client, show: Show) -> None:
    """All cases of a session. What is finished stays in its journal, whatever happens."""
    name = f"berth-{uuid.uuid4().hex}"
    client.register_plugin(SweepPlugin(name, session.spec()), name=name)
    # A batch on a worker that is killed has done nothing wrong.
    client.run_on_scheduler(raise_allowed_failures)
    try:
        while session.next():
            run_range(session, client, name, show)
            if not session.is_range_done():
                raise RuntimeError("the cluster has left cases out")
        session.close()
    finally:
        if client.status == "running":
            client.unregister_worker_plugin(name)


def raise_allowed_failures(dask_scheduler: Any) -> None:
    dask_scheduler.allowed_failures = max(dask_scheduler.allowed_failures, MOST_LOST)


class Batches:
    """Case numbers in batches of about a second."""

    def __init__(self, session: _core.SweepSession) -> None:
        self.rest = session.rest()
        self.at = 0
        self.size = 1
        self.is_drawn = session.is_drawn()
        self.session = session

    def take(self) -> Batch | None:
        numbers = self.rest[self.at : self.at + self.size]
        self.at += len(numbers)
        if not numbers:
            return None
        return numbers, None if self.is_drawn else [self.session.settings(n) for n in numbers]

    def learn(self, count: int, seconds: float, threads: int) -> None:
        wanted = count * BATCH_SECONDS / max(seconds, 1e-4)
        # Many cases abreast are cheaper by the piece: approached in steps. The last ones are shared.
        left = (len(self.rest) - self.at) / (2 * threads)
        self.size = max(1, min(int(wanted), 4 * self.size, int(left) + 1))


def run_range(session: _core.SweepSession, client: distributed.Client, name: str, show: Show) -> None:
    batches = Batches(session)
    work: dict[Any, Batch] = {}
    running = distributed.as_completed(with_results=False, raise_errors=False)

    def count_threads() -> int:
        return max(1, int(sum(client.nthreads().values())))

    def submit(batch: Batch) -> None:
        future = client.submit(run_batch, name, *batch, pure=False)
        work[future.key] = batch
        running.add(future)

    def fill() -> None:
        while len(work) < TASKS_PER_THREAD * threads and (batch := batches.take()):
            submit(batch)

    threads = count_threads()
    checked = time.monotonic()
    try:
        fill()
        for future in running:
            batch = work.pop(future.key)
            if future.status == "finished":
                lines, seconds = future.result()
                count = session.take(lines)
                batches.learn(count, seconds, threads)
                if show:
                    show(float(session.done))
            elif is_lost(future):
                submit(batch)
            else:
                raise explain(future)
            if time.monotonic() - checked > 2:
                threads, checked = count_threads(), time.monotonic()
            fill()
    finally:
        client.cancel(list(running.futures))


def is_lost(future: Any) -> bool:
    """Whether a batch ended with its worker, not with an error of its own."""
    if future.status in ("cancelled", "lost"):
        return True
    lost = (distributed.scheduler.KilledWorker, distributed.comm.CommClosedError)
    return isinstance(future.exception(), lost)


def explain(future: Any) -> BaseException:
    """The error of a batch, in words that name what to do."""
    error: BaseException = future.exception()
    if isinstance(error, ModuleNotFoundError):
        return RuntimeError(f"a worker has no berth: install it there too ({error})")
    return error
