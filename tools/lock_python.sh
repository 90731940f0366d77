#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes python/requirements-*.lock of python/requirements-*.txt: every package that comes along, by version and
# hash, for every Python from 3.11 and every kind of machine. Versions that a lock has stay as they are, unless
# asked for others.
#
# usage: tools/lock_python.sh [--upgrade]
set -eu
cd "$(dirname "$0")/.."

python3 -m venv build/lock
build/lock/bin/python -m pip install -q --disable-pip-version-check uv==0.13.8
for list in python/requirements-*.txt; do
  build/lock/bin/uv pip compile -q "$@" --universal --python-version 3.11 --generate-hashes \
    --no-header --no-annotate "$list" --output-file "${list%.txt}.lock"
done
