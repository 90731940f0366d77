# SPDX-License-Identifier: Apache-2.0
"""A sweep on a Dask cluster: the workers of this machine, or any that a scheduler knows.

    python dask_sweep.py scenarios/capture_envelope.toml 2000
    python dask_sweep.py scenarios/capture_envelope.toml 1000000 tcp://scheduler:8786

With dask-jobqueue the same client comes from SLURMCluster, PBSCluster or SSHCluster.
"""

import sys

import distributed

import berth


def main() -> None:
    scenario, samples, *address = sys.argv[1:]
    # One thread per worker process: each runs many cases abreast.
    with distributed.Client(*address, **({} if address else {"threads_per_worker": 1})) as client:
        t = berth.sweep(scenario, samples=int(samples), client=client, out="dask_sweep.h5")
    print(t)


if __name__ == "__main__":
    main()
