# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, beside Python's own exceptions."""

from __future__ import annotations

from typing import NamedTuple


class Problem(NamedTuple):
    """One thing that is wrong with a scenario."""

    file: str
    line: int  #: from 1; 0 where it is not in the file, as a setting
    column: int
    path: str  #: table.name.key
    message: str


class ScenarioError(ValueError):
    """A scenario that cannot be run; `problems` lists all that is wrong with it."""

    problems: list[Problem]

    def __init__(self, content: tuple[str, list[tuple[str, int, int, str, str]]]):
        super().__init__(content)
        self.problems = [Problem(*p) for p in content[1]]

    def __str__(self) -> str:
        return str(self.args[0][0])


class UnknownName(KeyError):
    """No channel, event, path, … of this name; the message has the nearest one."""

    def __str__(self) -> str:
        return str(self.args[0])


class InterruptedWarning(UserWarning):
    """A run was ended with Ctrl-C: its result has what there is."""
