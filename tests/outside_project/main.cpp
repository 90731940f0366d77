// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include <berth/version.h>

int main() { std::printf("berth %s\n", berth::version); }
