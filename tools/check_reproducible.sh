#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the tree twice, in folders of different depth below WORK, in another zone of time and another language, and
# compares byte by byte: all that is installed, the gallery and the templates of the pages; or source package and
# wheel. Folders that differ stay there.
#
# usage: tools/check_reproducible.sh WORK program|wheel
set -eu
if [ $# -ne 2 ]; then
  sed -n 's/^# usage/usage/p' "$0" >&2
  exit 2
fi
work=$1
kind=$2
cd "$(dirname "$0")/.."
root=$PWD
mkdir -p "$work"
work=$(cd "$work" && pwd)
first=$work/a
second=$work/b/a_longer/path/to_the_tree
rm -rf "$work/a" "$work/b"

for tree in "$first" "$second"; do
  mkdir -p "$tree"
  (cd "$root" && git ls-files -z --cached --others --exclude-standard |
    tar -c --null --files-from=- --ignore-failed-read 2> /dev/null) | tar -x -C "$tree"
  made=$tree/made
  mkdir "$made"
  (
    cd "$tree"
    if [ "$tree" = "$second" ]; then
      export TZ=Pacific/Chatham LC_ALL=C.UTF-8
    else
      export TZ=UTC LC_ALL=C
    fi
    case "$kind" in
      program)
        cmake --preset release -DBERTH_TESTS=OFF > /dev/null
        cmake --build build -j "${JOBS:-$(nproc)}" --target program > /dev/null
        cmake --install build --prefix "$made/installed" > /dev/null
        cp -r build/berth_gallery build/viewer/dist "$made"
        ;;
      wheel)
        tools/wheel.sh > /dev/null
        cp dist/* "$made"
        python3 tools/check_sbom.py --wheel "$made"/*.whl
        ;;
      *)
        echo "program or wheel, not $kind" >&2
        exit 2
        ;;
    esac
  )
done

# The bytes, and that there are any.
count=$(find "$first/made" -type f | wc -l)
if [ "$count" -lt 2 ]; then
  echo "tools/check_reproducible.sh: nothing was built" >&2
  exit 1
fi
if ! diff -rq "$first/made" "$second/made"; then
  # Where it begins.
  (cd "$first/build" && find . -name '*.o' | sort) | while read -r object; do
    cmp -s "$first/build/$object" "$second/build/$object" || echo "differs: $object"
  done
  exit 1
fi
if grep -rlaF -e "$work" "$first/made"; then
  echo "tools/check_reproducible.sh: these name the folder that they were built in" >&2
  exit 1
fi
(cd "$first/made" && find . -type f -exec sha256sum {} +) | sort -k 2
echo "$count files of two builds are the same bytes"
rm -rf "$work/a" "$work/b"
