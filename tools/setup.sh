#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian 12 packages that are missing; for the tests also Python packages, in build/venv, and for the
# benchmarks peers, in build/peers.
#
# usage: tools/setup.sh build|test|bench|fuzz
set -eu

build="make cmake ninja-build g++ libeigen3-dev libfmt-dev libtomlplusplus-dev
  nlohmann-json3-dev libcli11-dev libhdf5-dev libcairo2-dev pkg-config
  libcpp-httplib-dev libboost-context-dev python3-dev python3-venv"
# The page's viewer is bundled by npm; any that is there will do.
command -v node > /dev/null && command -v npm > /dev/null || build="$build nodejs npm"
test="python3 patch chromium ffmpeg clang-format-14 libgtest-dev librapidcheck-dev libsundials-dev
  python3-h5py octave"
bench="libbenchmark-dev libsimbody-dev"
fuzz="python3 clang-16 libclang-rt-16-dev llvm"

case "${1:-}" in
  build) wanted="$build" ;;
  test) wanted="$build $test" ;;
  bench) wanted="$build $bench" ;;
  fuzz) wanted="$build $fuzz" ;;
  *)
    echo "usage: tools/setup.sh build|test|bench|fuzz" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query > /dev/null; then
  echo "tools/setup.sh: no Debian package tools here; these must be there: $wanted" >&2
  exit 0
fi

# shellcheck disable=SC2086  # a list of words
present=" $(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2> /dev/null |
  sed -n 's/^installed //p' | tr '\n' ' ')"
missing=
for package in $wanted; do
  case "$present" in
    *" $package "*) ;;
    *) missing="$missing $package" ;;
  esac
done
if [ -n "$missing" ]; then
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo > /dev/null; then
      echo "tools/setup.sh: not root and no sudo; as root: apt-get install$missing" >&2
      exit 1
    fi
    as_root=sudo
  fi
  echo "Installing:$missing"
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q update
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -q install -y --no-install-recommends $missing
fi

# What the tests of the Python package use, or whom the benchmarks compare with, when the lock is another than last
# time: by version and hash, and nothing that would run a script to be installed.
cd "$(dirname "$0")/.."
if [ "$1" = test ] && ! cmp -s python/requirements-test.lock build/venv/installed.txt; then
  python3 -m venv build/venv
  build/venv/bin/python -m pip install -q --disable-pip-version-check \
    --require-hashes --only-binary :all: -r python/requirements-test.lock
  cp python/requirements-test.lock build/venv/installed.txt
fi
if [ "$1" = bench ] && ! cmp -s python/requirements-bench.lock build/peers/installed.txt; then
  rm -rf build/peers
  python3 -m venv build/peers/venv
  build/peers/venv/bin/python -m pip install -q --disable-pip-version-check --target build/peers \
    --require-hashes --only-binary :all: -r python/requirements-bench.lock
  cp python/requirements-bench.lock build/peers/installed.txt
fi
