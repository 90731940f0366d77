# SPDX-License-Identifier: Apache-2.0
"""Scenarios, the program of the same build, and runs that several tests read."""

import os
from pathlib import Path

import pytest

import berth

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = ROOT / "scenarios"


@pytest.fixture(scope="session")
def scenarios():
    return SCENARIOS


@pytest.fixture(scope="session")
def program():
    """`berth` of the build the module is of."""
    path = os.environ.get("BERTH_PROGRAM")
    if not path:
        pytest.skip("BERTH_PROGRAM names no program")
    return path


@pytest.fixture(scope="session")
def docking():
    """The flagship up to its capture and a little beyond."""
    return berth.load(SCENARIOS / "docking.toml", {"time.stop": 400}).run(progress=False)


@pytest.fixture(scope="session")
def slew():
    return berth.load(SCENARIOS / "slew.toml").run(progress=False)
