// SPDX-License-Identifier: Apache-2.0
#pragma once

// The same computation in fewer operations, equal up to the sign of zero.
//
// Recording keeps every bit (trace.h), and so it keeps 0 x and x + 0: the first is −0 for x < 0, the second
// is +0 for x = −0. Half of the operations of a system with zeros among its numbers are of that kind.
// Here they go,
//
//     0 x = 0    x + 0 = x    x − 0 = x    0 − x = −x    −(a − b) = b − a                       (1)
//
// unless the sign of that zero can be felt: by copysign, by atan2 or by an opaque function, through any chain
// of operations that hand the sign of zero on; or by a divisor, 1/±0, where the sign of that infinity can be
// felt by one of those or by a comparison. What comes out of a graph is compared, squared or summed up from
// +0, which feels nothing of it. Besides, exactly,
//
//     (−a) b = −(a b)    a + (−b) = a − b    equal operations once                              (2)
//
// 0 x is NaN for an x that is not finite, and 1/0 is not finite either. Programs are for runs whose numbers
// are finite: who finds a result that is not asks the interpreter.

#include "berth/scalar/graph.h"

namespace berth {

Graph simplify(const Graph& graph);

}  // namespace berth
