# SPDX-License-Identifier: Apache-2.0
"""Channel — the recorded numbers of one channel, an array that knows what it is."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class ChannelInfo(NamedTuple):
    """What a channel is."""

    name: str
    unit: str  #: "-" where there is none
    frame: str  #: axes of a vector; "" of anything else
    description: str
    width: int  #: 1, 3 (vector) or 4 (quaternion, scalar first)

    @property
    def parts(self) -> list[str]:
        """Names of its numbers: name.x, …; the name itself where there is one."""
        letters = {1: [""], 3: [".x", ".y", ".z"], 4: [".w", ".x", ".y", ".z"]}
        ends = letters.get(self.width) or [f".{k}" for k in range(self.width)]
        return [self.name + end for end in ends]


class Channel(np.ndarray[Any, np.dtype[np.float64]]):
    """Rows of a channel: [n], [n, 3] or [n, 4]. A numpy array without a copy that cannot be written to;
    `unit`, `frame`, `name` and `description` say what it is. What is computed from it is a plain array.
    """

    info: ChannelInfo | None

    @classmethod
    def make(cls, numbers: NDArray[np.float64], info: ChannelInfo) -> Channel:
        """A channel that shares the numbers of an array."""
        out = numbers.view(cls)
        out.info = info
        return out

    @property
    def name(self) -> str:
        """As the scenario calls it."""
        return self.info.name if self.info else ""

    @property
    def unit(self) -> str:
        """Of its numbers; "-" where there is none."""
        return self.info.unit if self.info else ""

    @property
    def frame(self) -> str:
        """Axes of a vector; "" of anything else."""
        return self.info.frame if self.info else ""

    @property
    def description(self) -> str:
        """What it is."""
        return self.info.description if self.info else ""

    def __array_finalize__(self, obj: Any) -> None:
        self.info = getattr(obj, "info", None)

    def __array_ufunc__(self, ufunc: np.ufunc, method: Any, *inputs: Any, **options: Any) -> Any:
        plain = [x.view(np.ndarray) if isinstance(x, Channel) else x for x in inputs]
        if "out" in options:
            options["out"] = tuple(
                x.view(np.ndarray) if isinstance(x, Channel) else x for x in options["out"]
            )
        return getattr(ufunc, method)(*plain, **options)

    def __array_function__(self, func: Any, types: Any, args: Any, options: Any) -> Any:
        out = super().__array_function__(func, types, args, options)
        return out.view(np.ndarray) if isinstance(out, Channel) else out

    def __reduce__(self) -> Any:
        return (Channel.make, (np.array(self), self.info))

    def __repr__(self) -> str:
        axes = f", {self.frame} axes" if self.frame else ""
        numbers = np.array2string(self.view(np.ndarray), threshold=20, prefix="  ")
        return f"<{self.name} [{self.unit}]{axes}: {self.description}, shape {self.shape}>\n  {numbers}"

    __str__ = __repr__
