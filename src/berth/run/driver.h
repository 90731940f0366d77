// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "berth/run/run.h"
namespace berth { using Driver = Run; }
