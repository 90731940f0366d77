#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes dist/berth-*.tar.gz and a wheel of it that other machines take: built in an environment of its
# own, of packages by version and hash, with HDF5 inside, named after the oldest system it runs on. The same
# commit gives the same bytes.
#
# usage: tools/wheel.sh
set -eu
cd "$(dirname "$0")/.."

python3 -m venv build/wheel
python=build/wheel/bin/python
$python -m pip install -q --disable-pip-version-check \
  --require-hashes --only-binary :all: -r python/requirements-wheel.lock
# The time of the files inside: that of the commit.
SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2> /dev/null || echo 315532800)}"
export SOURCE_DATE_EPOCH
PATH="$PWD/build/wheel/bin:$PATH" $python -m build --no-isolation --outdir build/wheel/dist
mkdir -p dist
cp build/wheel/dist/*.tar.gz dist
PATH="$PWD/build/wheel/bin:$PATH" $python -m auditwheel repair \
  --plat auto --wheel-dir dist build/wheel/dist/*.whl
rm -r build/wheel/dist
ls dist
