#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Lays out src, tests, bench, papers, examples and python with clang-format; --check only says what is out of place.
set -eu
cd "$(dirname "$0")/.."

if ! command -v clang-format-14 > /dev/null; then
  echo "SKIPPED: clang-format-14 is not installed (tools/setup.sh test installs it)"
  exit 77
fi

options=-i
if [ "${1:-}" = --check ]; then options="--dry-run -Werror --ferror-limit=3"; fi

# shellcheck disable=SC2086  # several words, several options
find src tests bench papers examples python \( -name '*.h' -o -name '*.cpp' \) -print0 |
  xargs -0 --no-run-if-empty clang-format-14 --style=file $options
